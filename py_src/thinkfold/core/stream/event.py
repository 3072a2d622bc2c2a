"""What an event is, and how it is written (seed 003)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

EventName = Literal["reasoning", "text", "tool_calls", "usage", "stop", "error", "data"]


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One thing that a reply says. *id* is the reply's own, or empty. *choice* counts the answers from 0, where
    several were asked for.

    ========== ============================================================================================
    event      data
    ========== ============================================================================================
    reasoning  a piece of the thinking, a string
    text       a piece of the answer, a string
    tool_calls a list of pieces of tool calls: ``{"index", "id", "type", "function": {"name", "arguments"}}``
    stop       why the answer ends, a string
    usage      what the server counted, as it came
    error      ``{"message", "type", …}``: the server's own, or ``"broken_json"``, ``"too_long"``,
               ``"incomplete"`` (the stream ended, the answer did not)
    data       what a piece of the answer holds beyond that
    ========== ============================================================================================
    """

    id: str
    event: EventName
    data: Any
    choice: int = 0

    def to_sse(self) -> str:
        r"""The event as seed 003 writes it, with the empty line after it. Where there are several answers, the
        id of the second is followed by ``#1``.

        >>> StreamEvent("1", "reasoning", "您好").to_sse()
        'id: 1\nevent: reasoning\ndata: "您好"\n\n'
        """
        identity = _NOT_IN_AN_ID.sub("", self.id) + (f"#{self.choice}" if self.choice else "")
        data = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        data = _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", data)
        return f"id: {identity}\nevent: {self.event}\ndata: {data}\n\n"


def joined(events: Iterable[StreamEvent]) -> list[StreamEvent]:
    """The events with each run of reasoning, and of text, in one piece and none empty.

    So every reasoning event in the list is one thought. A thought starts with its first piece and ends with the
    next text, tool call, stop or error of the same choice; usage and data do not end it.

    >>> [event.data for event in joined([StreamEvent("1", "text", "4"), StreamEvent("1", "text", "2")])]
    ['42']
    """
    result: list[StreamEvent] = []
    pieces: dict[int, list[str]] = {}  # by place in the result
    running: dict[int, int] = {}  # by choice, the place of what may go on
    for event in events:
        if event.event in ("usage", "data"):
            result.append(event)
        elif event.event in ("reasoning", "text"):
            if not event.data:
                continue
            at = running.get(event.choice)
            if at is None or result[at].event != event.event:
                at = running[event.choice] = len(result)
                result.append(event)
            pieces.setdefault(at, []).append(event.data)
        else:
            running.pop(event.choice, None)
            result.append(event)
    for at, strings in pieces.items():
        result[at] = replace(result[at], data="".join(strings))
    return result


_NOT_IN_AN_ID = re.compile("[\r\n\0\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
