"""Finds the boxes of a turn: the fold model's rules F1 and F2 (seed 002 §2.1 to §2.3).

F1. Between barriers, a box runs from the first tool item to the last. Text that a later tool item follows is
inside. Text after the last tool item is outside: it is streaming, or it is the answer.

F2. A run with fewer tool items than the limit and no swallowed text gets no box: the host already shows it
in as few lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .items import Item, ItemKind, Place, items_of
from .rows import Row, RowKind
from .settings import ContextRows


@dataclass(frozen=True, slots=True)
class Box:
    """One run of the process of a turn.

    *id* names a box that folds within its flow: the turn's number, and for the second such box of a turn and
    later ones a dot and an ordinal. *names* are the places by which an opened box is known again after rows
    before or after it came or went. *closed* is true once the turn has ended; *live* while the run may still
    grow: the turn has not ended and nothing stands after the run. *folds* is false where the host's own look is
    already as short (F2).
    """

    id: str
    items: tuple[Item, ...]
    names: tuple[str, ...]
    live: bool
    closed: bool
    folds: bool

    @property
    def tools(self) -> tuple[Item, ...]:
        """The tool items, in order; never empty."""
        return tuple(item for item in self.items if item.kind is ItemKind.TOOL)

    @property
    def texts(self) -> tuple[Item, ...]:
        """The swallowed texts, in order."""
        return tuple(item for item in self.items if item.kind is ItemKind.TEXT)

    @property
    def latest(self) -> Item:
        """The tool item that the tool line names: the last one (F4)."""
        return self.items[-1]

    @property
    def state(self) -> str:
        """What the latest tool item is doing. In a turn that has ended nothing runs, whatever the host still
        shows: a call that was cut off is ``stopped``."""
        if self.latest.running and self.closed:
            return "stopped"
        return self.latest.state


def boxes_of(
    turn: Sequence[Row], *, last: bool = True, minimum_steps: int = 2, context_rows: ContextRows = ContextRows.INSIDE
) -> tuple[Box, ...]:
    """The boxes of one turn, in order.

    *turn* is one group of :func:`turns.split_turns`; *last* says that no turn follows it yet; *minimum_steps* is
    the limit of F2.
    """
    items = [item for row in turn for item in _items_of(row, context_rows)]
    closed = not last or any(item.kind is ItemKind.TAIL for item in items)
    kinds = {row.key: row.kind for row in turn}
    number = _number_of(turn)
    boxes: list[Box] = []
    for run, at_end in _runs(items):
        tools = sum(item.kind is ItemKind.TOOL for item in run)
        folds = tools >= minimum_steps or tools < len(run)
        ordinal = 1 + sum(box.folds for box in boxes)
        boxes.append(
            Box(
                id=number if ordinal == 1 else f"{number}.{ordinal}",
                items=run,
                names=_names(run, kinds, turn),
                live=at_end and not closed,
                closed=closed,
                folds=folds,
            )
        )
    return tuple(boxes)


def _items_of(row: Row, context_rows: ContextRows) -> tuple[Item, ...]:
    if row.kind is RowKind.CONTEXT and context_rows is ContextRows.OUTSIDE:
        return tuple(replace(item, kind=ItemKind.BARRIER) for item in items_of(row))
    return items_of(row)


def _runs(items: Sequence[Item]) -> Iterator[tuple[tuple[Item, ...], bool]]:
    """Each run from a first to a last tool item between barriers, and whether nothing at all follows it."""
    run: list[Item] = []  # since the last barrier, from the first tool item on
    for item in [*items, None]:
        if item is not None and item.kind in (ItemKind.TOOL, ItemKind.TEXT):
            if run or item.kind is ItemKind.TOOL:
                run.append(item)
            continue
        trimmed = _without_trailing_texts(run)
        if trimmed:
            yield trimmed, item is None and len(trimmed) == len(run)
        run = []


def _without_trailing_texts(run: Sequence[Item]) -> tuple[Item, ...]:
    end = len(run)
    while end and run[end - 1].kind is ItemKind.TEXT:
        end -= 1
    return tuple(run[:end])


def _number_of(turn: Sequence[Row]) -> str:
    """The turn's number where the host says it, else the key of its first row."""
    return next((str(row.turn) for row in turn if row.turn is not None), turn[0].key)


def _names(run: Sequence[Item], kinds: dict[str, RowKind], turn: Sequence[Row]) -> tuple[str, ...]:
    """Identities that no other chat session shares. A step's key repeats in every session ("turn 1, step 1"),
    so it counts only together with the user's message (or, where that is not loaded, the turn's first row)."""
    lead = next((row.key for row in turn if row.kind is RowKind.USER), turn[0].key)
    return tuple(
        f"{lead}/{_written(item.place)}" if kinds[item.place.key] is RowKind.STEP else item.place.key
        for item in run
        if item.kind is ItemKind.TOOL
    )


def _written(place: Place) -> str:
    return place.key if place.part is None else f"{place.key}#{place.part}"
