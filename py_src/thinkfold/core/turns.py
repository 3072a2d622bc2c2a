"""Splits a conversation into turns, so that a change re-plans one turn and not the whole chat.

A turn is the user's message and all that answers it. Two signs begin a new one: the row after a tail, unless it
is a late one of the same turn; and a user message that follows anything but rows which may stand before the
message that they belong to: a context row, the seat of the host's own fold.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rows import Row, RowKind

_MAY_PRECEDE_THE_USER = frozenset({RowKind.CONTEXT, RowKind.FOLD})


def begins_turn(row: Row, before: Sequence[Row]) -> bool:
    """True when *row* begins a new turn after the rows *before* of the current one (in order)."""
    if not before:
        return True
    if before[-1].kind is RowKind.TAIL:
        return is_border(before[-1], row)
    return row.kind is RowKind.USER and any(other.kind not in _MAY_PRECEDE_THE_USER for other in before)


def is_border(before: Row, row: Row) -> bool:
    """True when a turn ends between two neighbours for sure.

    A host may put the last rows of a turn after its tail (seen on 0.1.0 where a turn was stopped, or ends in a
    thought): a step that states the tail's own turn, a call with no user's message before it.
    """
    if before.kind is not RowKind.TAIL or row.kind is RowKind.TAIL:
        return False
    if row.kind is RowKind.TOOL and row.turn is None:
        return False
    return row.kind is not RowKind.STEP or row.turn is None or row.turn != before.turn


def split_turns(rows: Sequence[Row]) -> list[list[Row]]:
    """All rows, in order, as turns. No row is lost: joining the turns gives *rows* again."""
    turns: list[list[Row]] = []
    for row in rows:
        if not turns or begins_turn(row, turns[-1]):
            turns.append([])
        turns[-1].append(row)
    return turns
