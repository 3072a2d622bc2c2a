"""The one question that the page asks: these are the rows of a turn, what should they look like?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .boxes import Box, boxes_of
from .items import Place
from .marks import BoxMarks, marks_of
from .rows import Row, RowKind
from .settings import HostFold, LiveBoxes, Settings


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What one turn should look like.

    *boxes* are all its runs, *marks* those that fold, both in order. *hidden* are controls of the host's own
    fold, whose place our boxes take; *shown* is what the host's fold hides and we show.
    """

    boxes: tuple[Box, ...]
    marks: tuple[BoxMarks, ...]
    hidden: frozenset[Place]
    shown: frozenset[Place]


class Choices(Protocol):
    """What the user chose for boxes by hand, by their names (:attr:`boxes.Box.names`)."""

    def get(self, name: str, /) -> bool | None:
        """True for opened, False for folded, None where the user chose nothing."""


def plan_turn(turn: Sequence[Row], choices: Choices, *, last: bool = True, settings: Settings) -> TurnPlan:
    """Plan one turn.

    *turn* is one group of :func:`turns.split_turns`; *last* says that no turn follows it yet.
    """
    boxes = boxes_of(turn, last=last, minimum_steps=settings.minimum_steps, context_rows=settings.context_rows)
    controls = [row for row in turn if row.kind is RowKind.FOLD and row.state != "none"]
    if controls and settings.host_fold is HostFold.STAND_BACK:
        return TurnPlan(boxes, (), frozenset(), frozenset())
    marks = tuple(
        marks_of(box, turn, expanded=is_expanded(box, choices, settings), texts=settings.texts)
        for box in boxes
        if box.folds
    )
    if not (controls and marks):
        return TurnPlan(boxes, marks, frozenset(), frozenset())
    return TurnPlan(
        boxes,
        marks,
        hidden=frozenset(Place(row.key) for row in controls),
        shown=frozenset(_hidden_by_host(turn)).difference(*(box.hidden for box in marks)),
    )


def _hidden_by_host(turn: Sequence[Row]) -> list[Place]:
    """The rows that the host's fold hides, and the groups that they stand in."""
    hidden = [row for row in turn if row.hidden and row.kind is not RowKind.FOLD]
    return [Place(key) for row in hidden for key in (row.key, row.group) if key is not None]


def is_expanded(box: Box, choices: Choices, settings: Settings) -> bool:
    """What the user chose for this box, also if rows came or went since (F13), else the default for its turn."""
    chosen = next((choice for name in box.names if (choice := choices.get(name)) is not None), None)
    if chosen is not None:
        return chosen
    return settings.live_boxes is LiveBoxes.OPEN and not box.closed
