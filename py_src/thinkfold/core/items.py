"""Flattens rows into items: the units that the fold model speaks of (seed 002 §3.1, §3.5).

========  ===================================================================================
item      what
========  ===================================================================================
tool      a tool call; a thought; a context, retry, compaction or workflow row
text      prose or an image in a step
barrier   the user's words, a row that waits for the user, a command, an error, any unknown kind
tail      the row that closes the turn
========  ===================================================================================

Which row is which item is data (:data:`ITEM_OF_ROW`, :data:`ITEM_OF_PART`). What is in neither table is a
barrier: what we do not understand stays visible and is never inside a box.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .rows import Part, PartKind, Row, RowKind


class ItemKind(StrEnum):
    """The four units of the fold model."""

    TOOL = "tool"
    TEXT = "text"
    BARRIER = "barrier"
    TAIL = "tail"


ITEM_OF_ROW: dict[RowKind, ItemKind] = {
    RowKind.TOOL: ItemKind.TOOL,
    RowKind.CONTEXT: ItemKind.TOOL,
    RowKind.RETRY: ItemKind.TOOL,
    RowKind.COMPACTION: ItemKind.TOOL,
    RowKind.WORKFLOW: ItemKind.TOOL,
    RowKind.TAIL: ItemKind.TAIL,
}

ITEM_OF_PART: dict[PartKind, ItemKind | None] = {
    PartKind.THINK: ItemKind.TOOL,
    PartKind.UNSEEN: None,
    PartKind.TEXT: ItemKind.TEXT,
    PartKind.NOTE: None,
}


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something is: a row, or one part of it (*part* counts from 0; None is the whole row), or a group of
    rows, by its key."""

    key: str
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One unit of the fold model and where it is."""

    kind: ItemKind
    place: Place
    state: str = "ok"

    @property
    def running(self) -> bool:
        """True while the host is still working on it."""
        return self.state == "running"


def items_of(row: Row) -> tuple[Item, ...]:
    """The items of one row, in the order in which they stand on the page.

    A step without a part (one that only called tools) has none: it shows nothing. Nor has a thought that is not to be
    shown, or the control of the host's own fold.
    """
    if row.kind is RowKind.STEP:
        return tuple(item for index, part in enumerate(row.parts) for item in _item_of_part(row, index, part))
    if row.kind is RowKind.FOLD:
        return ()
    kind = ITEM_OF_ROW.get(row.kind, ItemKind.BARRIER)
    return (Item(kind, Place(row.key), row.state),)


def _item_of_part(row: Row, index: int, part: Part) -> tuple[Item, ...]:
    kind = ITEM_OF_PART[part.kind]
    return () if kind is None else (Item(kind, Place(row.key, index), part.state),)
