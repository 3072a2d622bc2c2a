"""The one question that the page asks: these are the rows of a turn, what should they look like?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .boxes import Box, boxes_of
from .items import Place
from .marks import BoxMarks, marks_of
from .reasoning import is_blank, without_reasoning
from .rows import PartKind, Row, RowKind
from .settings import HostFold, LiveBoxes, Settings, ShowReasoning


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What one turn should look like.

    *boxes* are all its runs, *marks* those that fold, both in order. *hidden* are controls of the host's own
    fold, whose place our boxes take, and thinking that is never shown; *shown* is what the host's fold hides and we
    show. *signs* are thoughts that run and are hidden: a sign stands in their place. *openable* are thoughts that are
    to be open, as far as they are the host's own.
    """

    boxes: tuple[Box, ...]
    marks: tuple[BoxMarks, ...]
    hidden: frozenset[Place]
    shown: frozenset[Place]
    signs: tuple[Place, ...] = ()
    openable: tuple[Place, ...] = ()


class Choices(Protocol):
    """What the user chose for boxes by hand, by their names (:attr:`boxes.Box.names`)."""

    def get(self, name: str, /) -> bool | None:
        """True for opened, False for folded, None where the user chose nothing."""


def plan_turn(turn: Sequence[Row], choices: Choices, *, last: bool = True, settings: Settings) -> TurnPlan:
    """Plan one turn.

    *turn* is one group of :func:`turns.split_turns`; *last* says that no turn follows it yet.
    """
    if settings.show_reasoning is ShowReasoning.NEVER:
        turn = without_reasoning(turn, last=last)
    rows = [row for row in turn if not is_blank(row)]
    boxes = (
        boxes_of(rows, last=last, minimum_steps=settings.minimum_steps, context_rows=settings.context_rows)
        if rows
        else ()
    )
    hidden = _unseen(turn)
    signs = tuple(
        Place(row.key, index)
        for row in rows
        for index, part in enumerate(row.parts)
        if part.kind is PartKind.UNSEEN and part.state == "running"
    )
    controls = [row for row in turn if row.kind is RowKind.FOLD and row.state != "none"]
    if controls and settings.host_fold is HostFold.STAND_BACK:
        return TurnPlan(boxes, (), hidden, frozenset(), signs, _openable(rows, (), frozenset(), settings))
    marks = tuple(
        marks_of(box, rows, expanded=is_expanded(box, choices, settings), texts=settings.texts)
        for box in boxes
        if box.folds
    )
    shown: frozenset[Place] = frozenset()
    if controls and marks:
        hidden |= frozenset(Place(row.key) for row in controls)
        shown = frozenset(_hidden_by_host(turn)).difference(hidden, *(box.hidden for box in marks))
    return TurnPlan(boxes, marks, hidden, shown, signs, _openable(rows, marks, shown, settings))


def _unseen(turn: Sequence[Row]) -> frozenset[Place]:
    """All that is hidden because thinking is never shown: groups and rows that show nothing else, else parts."""
    blank = [row for row in turn if is_blank(row)]
    groups = {row.group for row in blank} - {row.group for row in turn if not is_blank(row)} - {None}
    parts = [
        Place(row.key, index)
        for row in turn
        if not is_blank(row)
        for index, part in enumerate(row.parts)
        if part.kind is PartKind.UNSEEN
    ]
    return frozenset([*(Place(group) for group in groups if group), *(Place(row.key) for row in blank), *parts])


def _openable(
    rows: Sequence[Row], marks: Sequence[BoxMarks], shown: frozenset[Place], settings: Settings
) -> tuple[Place, ...]:
    """The thoughts outside folded boxes that are to be open."""
    if settings.show_reasoning is not ShowReasoning.ALWAYS:
        return ()
    folded = {item.place for box in marks if not box.expanded for item in box.box.items}
    return tuple(
        place
        for row in rows
        if not row.hidden or Place(row.key) in shown
        for index, part in enumerate(row.parts)
        if part.kind is PartKind.THINK and (place := Place(row.key, index)) not in folded
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
