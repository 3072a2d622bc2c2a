"""What a model writes into a chat session, as typed events: a host file makes them of the frames that it knows.

A session has turns, a turn has steps (one request to the model each), a step has blocks: reasoning, text, a tool
call. All numbers are the host's own. Times are milliseconds since 1970 on the host's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block of a step is."""

    REASONING = "reasoning"
    TEXT = "text"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, order=True)
class StepId:
    """One request to the model: a step of a turn of a chat session."""

    session: str
    turn: int
    step: int


@dataclass(frozen=True, slots=True)
class UserMessage:
    """The user (or the host for them) said something; *message* is the id that its row has on the page."""

    session: str
    message: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A block of a step grew by *text*; an empty text says that the block has begun.

    *order* counts what was written in *attempt*; the host may send the same twice, and then in a :class:`Replay`.
    """

    step: StepId
    block: int
    kind: BlockKind
    text: str
    time: int
    attempt: str
    order: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """The host asks the model for *step*, perhaps again: what an earlier attempt wrote is void."""

    step: StepId
    attempt: str


@dataclass(frozen=True, slots=True)
class Replay:
    """All that *attempt* has written so far, up to but not including *next_order*: the page came late, or back."""

    step: StepId
    attempt: str
    next_order: int
    deltas: tuple[Delta, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block that is done. *started* and *ended* are None where the host does not say when it was written."""

    index: int
    kind: BlockKind
    text: str
    started: int | None = None
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A step's message is done: all of its blocks, in full."""

    step: StepId
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """A turn has ended; *reason* is ``completed`` or why it did not complete (``aborted``, ``error``, ...)."""

    session: str
    turn: int
    reason: str


Event = UserMessage | Delta | Attempt | Replay | Message | TurnEnd
