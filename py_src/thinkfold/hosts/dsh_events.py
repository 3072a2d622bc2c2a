"""Reads what DSH sends to its own page, as ``tap.js`` copied it, into the events of :mod:`thinkfold.core.events`.

Two protocols, as seen on the running hosts::

    0.1.0          /api/events.mux      {method: "session/event", payload: {sessionId, event}}
                   /api/session.history a reply {result: {value: {events: [{event}]}}}
    from 0.1.2 on  /api/remote.mux      {type: "item", streamId, value}, where value is
                                          {type: "snapshot", header: {id}, records: [{event}], assistantStream?}
                                          {type: "event", event}
                   /api/session/page    a reply {result: {value: {records: [{event}]}}}
    an event       {type, seq, time, data}; seq counts the events of a session without a gap
                   turn/end  user/message  assistant/message  step/start
                   assistant/chunk {turn, step, chunk}                                     up to 0.1.2
                   chunkrow/reasoning-chunks {turn, step, index, dt, texts}                0.1.2, in a snapshot: one
                                                                                           event for each of texts
    from 0.1.5 on  chunks are not events: {type: "assistant-stream", frame}, where frame is
                   {type: "start", attemptId, turn, step}  {type: "chunk", attemptId, index, time, chunk}  {type: "end"}
                   and a snapshot in mid-step has assistantStream.activeAttempt {attemptId, turn, step, nextIndex,
                   stream: [{type: "chunk", time, chunk} or {type: "reasoning-chunks", time0, index, dt, texts}]};
                   a finished assistant/message has the same stream
    a chunk        block-start {index, blockType}  reasoning-delta {index, text}  text-delta {index, text}

Invariants
----------
* What a frame has that we do not know, or has not that we expect, is passed over: no frame raises.
* An event that came before, by its seq, is not given again, but as a part of a :class:`Replay` or a :class:`Message`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..core.events import (
    Attempt,
    Block,
    BlockKind,
    Delta,
    Event,
    Message,
    Replay,
    StepId,
    TurnEnd,
    UserMessage,
)
from ..core.foreign_json import read_json

_RS = "\x1e"
_KINDS = {"reasoning": BlockKind.REASONING, "text": BlockKind.TEXT, "tool-call": BlockKind.TOOL}
_KIND_OF_DELTA = {"reasoning-delta": BlockKind.REASONING, "text-delta": BlockKind.TEXT}
_KIND_OF_RUN = {"reasoning-chunks": BlockKind.REASONING, "text-chunks": BlockKind.TEXT}
_ROW = "chunkrow/"
_UNTOLD = re.compile(r'"type":\s*"(?:tool-call-delta|session/projection)"|"method":\s*"(?:host|session/queue)')
"""In the head of a frame: nothing in it is for us, so it is not parsed. Long commands stream in many such frames."""
_HEAD = 420

Json = dict[str, Any]


class DshEvents:
    """Reads one page's records in the order in which they came."""

    def __init__(self) -> None:
        self._session_of: dict[str, str] = {}  # stream → session
        self._next_seq: dict[str, int] = {}  # session → the seq that comes next
        self._step_of: dict[str, StepId] = {}  # attempt → step

    def read(self, records: str) -> list[Event]:
        """The events in *records*, as ``tap.js`` joins them."""
        events: list[Event] = []
        for record in records.split(_RS + _RS):
            kind, text = record[:1], record[1:]
            try:
                if kind == "f" and not _UNTOLD.search(text, 0, _HEAD):
                    events.extend(self._read_frame(read_json(text)))
                elif kind == "r":
                    request, _, reply = text.partition(_RS)
                    events.extend(self._read_reply(read_json(request), read_json(reply)))
                elif kind == "c":
                    self._session_of.clear()
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # no frame of a shape that we know
        return events

    def _read_frame(self, frame: Json) -> Iterator[Event]:
        if frame.get("method") == "session/event":
            payload = frame["payload"]
            yield from self._read_live(str(payload["sessionId"]), payload["event"])
        elif frame.get("type") == "item":
            value = frame["value"]
            if value["type"] == "snapshot":
                session = self._session_of[frame["streamId"]] = str(value["header"]["id"])
                yield from self._read_history(session, value.get("records", ()))
                active = (value.get("assistantStream") or {}).get("activeAttempt")
                if active:
                    yield self._read_active(session, active)
            elif value["type"] == "event" and frame["streamId"] in self._session_of:
                yield from self._read_live(self._session_of[frame["streamId"]], value["event"])
            elif value["type"] == "assistant-stream" and frame["streamId"] in self._session_of:
                yield from self._read_stream(self._session_of[frame["streamId"]], value["frame"])

    # -- live ------------------------------------------------------------------------------------------

    def _read_live(self, session: str, event: Json) -> Iterator[Event]:
        seq = int(event["seq"])
        if seq < self._next_seq.get(session, 0):
            return
        self._next_seq[session] = seq + 1
        if event["type"] == "step/start":
            yield Attempt(_step(session, event["data"]), "")
        elif event["type"] == "assistant/chunk":
            data = event["data"]
            yield from _deltas(_step(session, data), data["chunk"], int(event["time"]), "", seq)
        else:
            yield from _read_settled(session, event)

    def _read_stream(self, session: str, frame: Json) -> Iterator[Event]:
        attempt = str(frame["attemptId"])
        if frame["type"] == "start":
            self._step_of = {attempt: _step(session, frame)}  # the one before has ended
            yield Attempt(self._step_of[attempt], attempt)
        elif frame["type"] == "chunk" and attempt in self._step_of:
            order = int(frame["index"])
            yield from _deltas(self._step_of[attempt], frame["chunk"], int(frame["time"]), attempt, order)

    def _read_active(self, session: str, active: Json) -> Replay:
        attempt = str(active["attemptId"])
        step = _step(session, active)
        self._step_of[attempt] = step
        deltas = tuple(_unpack(step, active.get("stream", ()), attempt))
        return Replay(step, attempt, int(active["nextIndex"]), deltas)

    # -- history ---------------------------------------------------------------------------------------

    def _read_reply(self, request: Json, reply: Json) -> Iterator[Event]:
        payload = request["payload"]
        session = payload.get("sessionId") or payload["args"]["request"]["address"]["sessionId"]
        value = reply["result"]["value"]
        yield from self._read_history(str(session), value.get("events") or value.get("records") or ())

    def _read_history(self, session: str, records: Iterable[Json]) -> Iterator[Event]:
        """Messages that are done, and what the last step has so far. Chunks of a message that is done are only asked
        when they were written."""
        chunks: dict[StepId, list[Delta]] = {}
        last = -1
        for record in records:
            event = record.get("event") or record
            last = int(event["seq"])
            kind, data = event["type"], event.get("data") or {}
            if kind == "step/start":
                chunks.pop(_step(session, data), None)
            elif kind == "assistant/chunk":
                step = _step(session, data)
                chunks.setdefault(step, []).extend(_deltas(step, data["chunk"], int(event["time"]), "", last))
            elif kind.startswith(_ROW):
                step, run = _step(session, data), {**data, "type": kind[len(_ROW) :], "time0": event["time"]}
                chunks.setdefault(step, []).extend(_unpack(step, [run], "", last))
                last += len(data.get("texts") or data.get("args") or [0]) - 1
            elif kind == "assistant/message":
                yield from _read_settled(session, event, chunks.pop(_step(session, data), []))
            else:
                yield from _read_settled(session, event)
        for step, deltas in chunks.items():
            yield Replay(step, "", last + 1, tuple(deltas))
        self._next_seq[session] = max(self._next_seq.get(session, 0), last + 1)


def _read_settled(session: str, event: Json, deltas: Iterable[Delta] = ()) -> Iterator[Event]:
    """An event that means the same live and in history. *deltas* are those of a message, where they are known."""
    data = event.get("data") or {}
    if event["type"] == "user/message":
        yield UserMessage(session, str(data["id"]))
    elif event["type"] == "turn/end":
        yield TurnEnd(session, int(data["turn"]), str((data.get("reason") or {}).get("kind") or "completed"))
    elif event["type"] == "assistant/message":
        step = _step(session, data)
        times: dict[int, tuple[int, int]] = {}
        for delta in deltas or _unpack(step, data.get("stream") or (), ""):
            times[delta.block] = (times.get(delta.block, (delta.time, 0))[0], delta.time)
        content = data["message"]["content"]
        blocks = (
            Block(index, _KINDS[part["type"]], str(part.get("text") or ""), *times.get(index, (None, None)))
            for index, part in enumerate(content)
            if part["type"] in _KINDS
        )
        yield Message(step, tuple(blocks))


def _step(session: str, data: Json) -> StepId:
    return StepId(session, int(data["turn"]), int(data["step"]))


def _deltas(step: StepId, chunk: Json, time: int, attempt: str, order: int) -> Iterator[Delta]:
    kind = _KIND_OF_DELTA.get(chunk["type"])
    if kind is not None:
        yield Delta(step, int(chunk["index"]), kind, str(chunk["text"]), time, attempt, order)
    elif chunk["type"] == "block-start" and chunk.get("blockType") in _KINDS:
        yield Delta(step, int(chunk["index"]), _KINDS[chunk["blockType"]], "", time, attempt, order)


def _unpack(step: StepId, stream: Iterable[Json], attempt: str, first: int = 0) -> Iterator[Delta]:
    """The deltas of a packed stream, counted from *first* on."""
    order = first
    for part in stream:
        kind = _KIND_OF_RUN.get(part["type"])
        if part["type"] == "chunk":
            yield from _deltas(step, part["chunk"], int(part["time"]), attempt, order)
            order += 1
        elif kind is not None:
            time = int(part["time0"])
            for text, gap in zip(part["texts"], [0, *part["dt"]], strict=False):
                time += int(gap)
                yield Delta(step, int(part["index"]), kind, str(text), time, attempt, order)
                order += 1
        else:
            order += len(part.get("args") or [0])
