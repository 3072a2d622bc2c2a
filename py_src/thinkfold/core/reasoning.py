"""How much of the model's thinking is shown: never, auto or always, and up to which length (seed 003, seed 000 §6.3).

Thinking comes in two forms: as a block of ours, which stands before the message that it was written into, and as a row
of the host's own, which opens and closes by the host's own button. The rules are the same for both; what the user did
by hand wins over them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from .rows import Part, PartKind, Row, RowKind
from .settings import Settings, ShowReasoning
from .tokens import TokenCounter


class Look(StrEnum):
    """How a block of thinking looks."""

    OPEN = "open"
    CLOSED = "closed"
    CUT = "cut"
    """Closed only because it is long; its header offers to show all."""


class Press(StrEnum):
    """What a press of the host's own button does to a thought."""

    OPEN = "open"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class HostThought:
    """What is known of a thought in a row of the host's own.

    *expanded* is what it is now, *pressed* what our last press did (None: we pressed nothing), *by_hand* is true once
    the user opened or closed it.
    """

    expanded: bool
    pressed: Press | None = None
    by_hand: bool = False


def look_of(settings: Settings, *, running: bool, chosen: bool | None, is_long: Callable[[], bool]) -> Look:
    """How a block looks. *running* while more of it arrives; *chosen* is what the user opened (True) or closed
    (False) by hand. *is_long* is asked only where it matters, because counting costs."""
    if chosen is not None:
        return Look.OPEN if chosen else Look.CLOSED
    show = settings.show_reasoning
    if show is ShowReasoning.NEVER or (show is ShowReasoning.AUTO and not running):
        return Look.CLOSED
    return Look.CUT if is_long() else Look.OPEN


def press_of(
    settings: Settings, thought: HostThought, *, running: bool, is_long: bool, being_read: bool
) -> Press | None:
    """The press that a visible thought of the host's needs; None for none.

    It is opened once, and closed once where it gets too long as it grows, unless the user is reading it. When thinking
    is no longer to be shown always, what we opened is closed again.
    """
    if thought.by_hand:
        return None
    if settings.show_reasoning is not ShowReasoning.ALWAYS:
        return Press.CLOSE if thought.pressed is Press.OPEN and thought.expanded else None
    if thought.expanded:
        grew = thought.pressed is Press.OPEN and running and is_long and not being_read
        return Press.CLOSE if grew else None
    closed_by_others = thought.pressed is Press.OPEN
    return None if closed_by_others or is_long else Press.OPEN


def exceeds(settings: Settings, tokens: float) -> bool:
    """True for a thought that is too long to be open by itself."""
    return 0 < settings.open_thought_limit < tokens


class Length:
    """The tokens of a text that mostly grows at its end."""

    def __init__(self) -> None:
        self._text = ""
        self._counter = TokenCounter()

    def of(self, text: str) -> float:
        """The tokens of *text*, of which only what is new is counted."""
        if not text.startswith(self._text):
            self._text, self._counter = "", TokenCounter()
        new, self._text = text[len(self._text) :], text
        self._counter.feed(new)
        return self._counter.tokens


def without_reasoning(turn: Sequence[Row], *, last: bool) -> list[Row]:
    """The rows of *turn* with each thought as one that is not to be shown.

    In a turn that has ended, thoughts after which neither a text nor a tool came are all that there is of a message:
    they stay as they are, so that there is a way to see them. *last* says that no turn follows.
    """
    ended = not last or any(row.kind is RowKind.TAIL for row in turn)
    said = [index for index, row in enumerate(turn) if _says_something(row)]
    kept_from = (said[-1] + 1 if said else 0) if ended else len(turn)
    return [_unseen(row, ended) if index < kept_from else row for index, row in enumerate(turn)]


def is_blank(row: Row) -> bool:
    """True when *row* shows nothing: it has only thoughts that are not to be shown and have ended."""
    return bool(row.parts) and all(part.kind is PartKind.UNSEEN and part.state != "running" for part in row.parts)


def _says_something(row: Row) -> bool:
    if row.kind is RowKind.STEP:
        return any(part.kind is PartKind.TEXT for part in row.parts)
    return row.kind in (RowKind.TOOL, RowKind.WORKFLOW)


def _unseen(row: Row, ended: bool) -> Row:
    """In a turn that has ended no thought runs, whatever the host still shows."""
    parts = (
        Part(PartKind.UNSEEN, "ok" if ended else part.state) if part.kind is PartKind.THINK else part
        for part in row.parts
    )
    return replace(row, parts=tuple(parts))
