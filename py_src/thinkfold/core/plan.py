"""The one question that the page asks: these are the rows of a turn, what should they look like?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .boxes import MINIMUM_TOOLS, Box, boxes_of
from .marks import BoxMarks, marks_of
from .rows import Row


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What one turn should look like. *boxes* are all its runs, *marks* those that fold, both in order."""

    boxes: tuple[Box, ...]
    marks: tuple[BoxMarks, ...]


def plan_turn(
    turn: Sequence[Row],
    opened: Collection[str] = (),
    *,
    last: bool = True,
    minimum_tools: int = MINIMUM_TOOLS,
) -> TurnPlan:
    """Plan one turn.

    *turn* is one group of :func:`turns.split_turns`; *last* says that no turn follows it yet; *opened* holds the
    names of the boxes that the user opened (:attr:`boxes.Box.names`; one shared name is enough);
    *minimum_tools* is the limit of F2.
    """
    boxes = boxes_of(turn, last=last, minimum_tools=minimum_tools)
    marks = tuple(marks_of(box, turn, expanded=is_opened(box, opened)) for box in boxes if box.folds)
    return TurnPlan(boxes, marks)


def is_opened(box: Box, opened: Collection[str]) -> bool:
    """True when the user opened this box, also if rows came or went since (F13)."""
    return any(name in opened for name in box.names)
