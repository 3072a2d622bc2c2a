"""Pairs signs into thinking blocks, for either reading, one sign at a time.

A :class:`State` is never changed; each step gives a new one that shares what stays (its lists are linked cells,
the newest first). So a stream can read on from any state that it kept, and a step is as cheap after a megabyte as
after a line: a closing that takes an earlier block further back drops all that came since in one go.

Thinking that is still open when the message has ended is no thinking (seed 000 §6.5): :func:`without_open` reads
again, without it, what was passed over while it was open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .dialects import Role, Tag
from .signs import Sign, Strength


class Block(NamedTuple):
    """Thinking between two tags. Without an opening it starts where the message does."""

    opening: Tag | None
    closing: Tag


class Opening(NamedTuple):
    """A tag that opened a block, or is nested in one, and can still be closed.

    *opening* is what opened the block, *before* the state at that point. *settled*: a weak closing closed it
    already. An ordinary element that is nested in nothing has no block: *before* is None.
    """

    opening: Tag
    before: State | None
    settled: bool = False


Cell = tuple[Any, Any]  # (newest, the rest) or None


class State(NamedTuple):
    """What was read so far.

    *blocks*: the blocks found. *openings*: by dialect, the openings that can still be closed. *inner*: the sure
    tags met, which are no text where they lie in a block of their dialect. *pending*: the block that is open now,
    and *passed* the signs met within it that would count without it. *opened*: an opening was met. *fenced*: a
    finished fence was met. *spoken*: the last weak opening since the last block. *dead*: dialects whose openings
    are known to stay open.
    """

    blocks: Cell | None = None
    openings: dict[str, Cell | None] | None = None
    inner: Cell | None = None
    pending: Opening | None = None
    passed: Cell | None = None
    opened: bool = False
    fenced: bool = False
    spoken: Opening | None = None
    dead: frozenset[str] = frozenset()

    def openings_of(self, name: str) -> Cell | None:
        """The dialect's openings that can still be closed, the newest first."""
        return (self.openings or {}).get(name)

    def with_openings(self, name: str, openings: Cell | None) -> dict[str, Cell | None]:
        """All openings, the dialect's replaced."""
        return {**(self.openings or {}), name: openings}


def cells(cell: Cell | None) -> Iterator[Any]:
    """The elements of linked cells, the newest first."""
    while cell is not None:
        yield cell[0]
        cell = cell[1]


def seed_step(state: State, sign: Sign) -> State:
    """Seed 000 §4.3: from an opening to the dialect's next closing, the leftmost opening first. An opening that
    is not closed yet hides no pair after it."""
    tag = sign.tag
    if tag is None:
        return state
    name = tag.dialect.name
    openings = state.openings_of(name)
    if tag.role is Role.OPENING:
        if openings is not None:
            return state
        return State(state.blocks, state.with_openings(name, (Opening(tag, state), None)))
    if openings is None:
        return state
    opening, before = openings[0].opening, openings[0].before
    return State((Block(opening, tag), before.blocks), before.openings)


def seed_pending(state: State) -> Tag | None:
    """The first opening that is not closed."""
    tags = [openings[0].opening for openings in (state.openings or {}).values() if openings is not None]
    return min(tags, default=None)


def tolerant_step(state: State, sign: Sign) -> State:
    """The tolerant reading.

    While a block is open only its own dialect counts. A closing closes the newest opening, and with it ends the
    block that this is in: so if a message closes as often as it opens, blocks nest, and if it closes less often
    the closing ends both. Text after a closing is body, until another closing takes it back.
    """
    tag = sign.tag
    if state.pending is not None and (tag is None or state.pending.opening.dialect is not tag.dialect):
        return state._replace(passed=(sign, state.passed))
    if tag is None:
        return state._replace(fenced=True)
    if tag.dialect.name in state.dead:
        return state
    sure = sign.strength is Strength.SURE
    if sure and not tag.dialect.nested:
        state = state._replace(inner=(tag, state.inner))
    if tag.role is Role.CLOSING:
        return _close(state, tag) if sure else _close_weakly(state, tag)
    return _open(state, tag, sure=sure) if tag.role is Role.OPENING else _nest(state, tag)


def _open(state: State, tag: Tag, *, sure: bool) -> State:
    name = tag.dialect.name
    if state.pending is not None:
        return _nest(state, tag) if sure else state
    if not sure:
        return state._replace(spoken=Opening(tag, state))
    openings = state.openings_of(name)
    if openings is not None and openings[0].settled:
        openings = openings[1]
    before = state._replace(openings=state.with_openings(name, openings), opened=True, spoken=None)
    opening = Opening(tag, before)
    return before._replace(openings=before.with_openings(name, (opening, openings)), pending=opening)


def _nest(state: State, tag: Tag) -> State:
    name = tag.dialect.name
    openings = state.openings_of(name)
    if openings is None:  # an ordinary element in the body
        return state
    nested = state.pending or Opening(tag, None)
    return state._replace(openings=state.with_openings(name, (nested, openings)))


def _close(state: State, tag: Tag) -> State:
    name = tag.dialect.name
    openings = state.openings_of(name)
    if openings is not None:
        opening, rest = openings
        if opening.before is None:
            return state._replace(openings=state.with_openings(name, rest))
        return _closed(state, opening.opening, opening.before, tag, rest)
    if state.spoken is not None and state.spoken.opening.dialect is tag.dialect:
        return _closed(state, state.spoken.opening, state.spoken.before or state, tag, None)
    if tag.dialect.closes_alone and not state.opened and not state.fenced:
        return _closed(state, None, state, tag, None)
    return state


def _close_weakly(state: State, tag: Tag) -> State:
    if state.pending is None or state.pending.before is None:
        return state
    newest, rest = state.openings_of(tag.dialect.name) or (state.pending, None)
    return _closed(state, state.pending.opening, state.pending.before, tag, (newest._replace(settled=True), rest))


def _closed(state: State, opening: Tag | None, before: State, closing: Tag, openings: Cell | None) -> State:
    """The state after a block that started when the state was *before*."""
    return State(
        blocks=(Block(opening, closing), before.blocks),
        openings=before.with_openings(closing.dialect.name, openings),
        inner=state.inner,
        opened=True,
        fenced=before.fenced,
        dead=before.dead,
    )


def tolerant_pending(state: State) -> Tag | None:
    """The tag that opened the block that is open now."""
    return state.pending.opening if state.pending is not None else None


def without_open(state: State) -> State:
    """The state when no more comes: what is still open was no thinking."""
    while state.pending is not None and state.pending.before is not None:
        passed = reversed(list(cells(state.passed)))
        before = state.pending.before
        state = before._replace(dead=before.dead | {state.pending.opening.dialect.name})
        for sign in passed:
            state = tolerant_step(state, sign)
    return state
