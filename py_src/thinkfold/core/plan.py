"""The one question that the page asks: these are the rows of a turn, what should they look like?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .boxes import MINIMUM_TOOLS, Box, boxes_of
from .items import Place
from .marks import BoxMarks, marks_of
from .rows import Row, RowKind


class HostFold(StrEnum):
    """What to do where the host folds a finished turn itself (F16)."""

    TAKE_OVER = "take over"
    """Our box takes the place of the host's fold: it shows what the host hides and hides the host's control."""
    STAND_BACK = "stand back"
    """Such a turn is the host's; we fold running turns and those that the host keeps open."""


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


def plan_turn(
    turn: Sequence[Row],
    opened: Collection[str] = (),
    *,
    last: bool = True,
    minimum_tools: int = MINIMUM_TOOLS,
    host_fold: HostFold = HostFold.TAKE_OVER,
) -> TurnPlan:
    """Plan one turn.

    *turn* is one group of :func:`turns.split_turns`; *last* says that no turn follows it yet; *opened* holds the
    names of the boxes that the user opened (:attr:`boxes.Box.names`; one shared name is enough);
    *minimum_tools* is the limit of F2; *host_fold* is F16.
    """
    boxes = boxes_of(turn, last=last, minimum_tools=minimum_tools)
    controls = [row for row in turn if row.kind is RowKind.FOLD and row.state != "none"]
    if controls and host_fold is HostFold.STAND_BACK:
        return TurnPlan(boxes, (), frozenset(), frozenset())
    marks = tuple(marks_of(box, turn, expanded=is_opened(box, opened)) for box in boxes if box.folds)
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


def is_opened(box: Box, opened: Collection[str]) -> bool:
    """True when the user opened this box, also if rows came or went since (F13)."""
    return any(name in opened for name in box.names)
