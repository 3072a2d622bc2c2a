"""The rows of a chat, as a host file reads them: plain, frozen, and the same for every host.

A row is one node of the conversation. Most rows are one thing; a *step* is one reply of the model and has
parts, in order: thoughts and prose.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RowKind(StrEnum):
    """What a row is, in our own words. A host file translates its kinds into these."""

    USER = "user"
    STEERING = "steering"
    STEP = "step"
    TOOL = "tool"
    CONTEXT = "context"
    RETRY = "retry"
    COMPACTION = "compaction"
    WORKFLOW = "workflow"
    WAITING = "waiting"
    """A row that cannot go on without the user: an approval, a question."""
    COMMAND = "command"
    ERROR = "error"
    MAX_TOKENS = "max-tokens"
    FOLD = "fold"
    """The control by which a host folds a turn itself. Its state is ``open`` or ``closed``, or ``none`` while the
    host does not fold the turn."""
    TAIL = "tail"
    """The row that closes a turn."""
    UNKNOWN = "unknown"
    """A kind that the host file has never heard of. It stays visible."""


class PartKind(StrEnum):
    """What a part of a step is."""

    THINK = "think"
    UNSEEN = "unseen"
    """A thought that is not to be shown (:mod:`reasoning`). No host file reads one as such."""
    TEXT = "text"
    """Prose or an image. Only parts that show something are read as text."""
    NOTE = "note"
    """Anything else that the host draws in a step (a "stopped" mark): neither text nor tool."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a step."""

    kind: PartKind
    state: str = "ok"
    """``running`` while it is being written, else the host's word for how it ended."""


@dataclass(frozen=True, slots=True)
class Row:
    """One node of the conversation.

    *key* is the host's own identity of the row, unique on the page. *turn* is the number of its turn where
    the host says it, else None. *state* is ``running`` or how it ended (a step is running while it streams).
    *group* is the key of the group of rows that the host draws it in, None where it stands alone.
    *hidden* is true while the host's own fold hides it.
    """

    key: str
    kind: RowKind
    turn: int | None = None
    parts: tuple[Part, ...] = ()
    state: str = "ok"
    group: str | None = None
    hidden: bool = False
