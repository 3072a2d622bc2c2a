"""Turns the stream of an OpenAI-compatible server into events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..foreign_json import read_json
from ..thinking import Piece, ThinkingSplitter
from .event import EventName, StreamEvent
from .fields import ToolCalls, chunk_of, delta_of, error_of, index_of, take_content, take_reasoning, usage_of
from .sse import Message, SseReader

LONGEST_MESSAGE = 16_000_000
"""Characters. Only an answer with a picture in it comes near."""


class OpenAIStream:
    r"""Decodes the body of a reply while it arrives, cut anywhere.

    >>> stream = OpenAIStream()
    >>> for event in stream.feed('data: {"choices": [{"delta": {"content": "<think>2+2</think>4"}}]}\n\n'):
    ...     print(event.event, event.data)
    reasoning 2+2
    text 4

    Nothing in a stream makes it raise: what is broken becomes an error event, and the stream goes on. With
    *thinking_first* a prompt template has opened the thinking already: the content starts in it, and only a
    closing tag will come. *longest* is how many characters of one message are kept at most.

    What was given out is never taken back. So where a message as a whole would be read otherwise than as it
    came (see :mod:`thinkfold.core.thinking`), it stays as it came: a thought that never ends is reasoning, and
    what stands before a closing tag that nothing opened is text.
    """

    def __init__(self, *, thinking_first: bool = False, longest: int = LONGEST_MESSAGE) -> None:
        self._reader = SseReader(longest)
        self._thinking_first = thinking_first
        self._choices: dict[int, _Choice] = {}
        self._id = ""
        self._usage: dict[str, Any] | None = None  # the last
        self._done = False  # the server said that the stream ends
        self._failed = False  # the server said that it failed
        self._closed = False

    def feed(self, piece: bytes | str) -> list[StreamEvent]:
        """The events that *piece* completes. Raises ``ValueError`` after :meth:`close`."""
        if self._closed:
            raise ValueError("the stream is closed")
        return [event for message in self._reader.feed(piece) for event in self._read(message)]

    def close(self) -> list[StreamEvent]:
        """The stream has ended: what was held back, and an error event if the server did not say that the answer
        has ended. May be called again."""
        if self._closed:
            return []
        events = [event for message in self._reader.close() for event in self._read(message)]
        events += self._flush()
        self._closed = True
        choices = self._choices.values()
        ended = any(choice.has_stopped for choice in choices) and not any(choice.is_open for choice in choices)
        if not (ended or self._done or self._failed):
            events.append(self._error("incomplete", "The stream ended before the answer did."))
        return events

    def _read(self, message: Message) -> Iterator[StreamEvent]:
        if message.too_long:
            yield self._error("too_long", "A message of the stream was too long to be read.")
            return
        for document in _documents(message.data):
            if isinstance(document, ValueError):
                yield self._error("broken_json", f"A message of the stream was not JSON: {document}")
            elif document is _DONE:
                yield from self._finish()
            elif isinstance(document, dict):
                yield from self._read_chunk(document, message.event)
            else:
                yield self._error("broken_json", "A message of the stream was no JSON object.")

    def _read_chunk(self, document: Mapping[str, Any], event: str) -> Iterator[StreamEvent]:
        chunk = chunk_of(document)
        if isinstance(chunk.get("id"), str | int):
            self._id = str(chunk["id"])
        error = error_of(chunk, event)
        if error is not None:
            self._failed = True
            yield StreamEvent(self._id, "error", error)
        choices = chunk.get("choices")
        for position, choice in enumerate(choices if isinstance(choices, list) else ()):
            if isinstance(choice, dict):
                yield from self._read_choice(position, choice)
        usage = usage_of(chunk)
        if usage is not None and usage != self._usage:
            self._usage = usage
            yield StreamEvent(self._id, "usage", usage)

    def _read_choice(self, position: int, choice: Mapping[str, Any]) -> Iterator[StreamEvent]:
        given = index_of(choice.get("index"))
        index = index_of(position) if given is None else given
        if index is None:
            return
        yield from self._choice(index).read(self._id, choice)
        if choice.get("error"):
            self._failed = True
            yield StreamEvent(self._id, "error", error_of(choice, "error"), index)

    def _choice(self, index: int) -> _Choice:
        if index not in self._choices:
            self._choices[index] = _Choice(index, thinking_first=self._thinking_first)
        return self._choices[index]

    def _finish(self) -> Iterator[StreamEvent]:
        """``[DONE]``: the end of every answer that was given no reason to end."""
        if self._done:
            return
        self._done = True
        yield from self._flush()
        if not self._failed:
            for choice in [*self._choices.values()] or [self._choice(0)]:
                yield from choice.stop(self._id, "stop")

    def _flush(self) -> Iterator[StreamEvent]:
        for choice in self._choices.values():
            yield from choice.flush(self._id)

    def _error(self, kind: str, words: str) -> StreamEvent:
        return StreamEvent(self._id, "error", {"message": words, "type": kind})


class _Choice:
    """One of the answers that a stream carries. *has_stopped*: it was said to end; *is_open*: something came, and
    since then it was not."""

    def __init__(self, index: int, *, thinking_first: bool) -> None:
        self.is_open = self.has_stopped = False
        self._index = index
        self._splitter = ThinkingSplitter(thinking_first=thinking_first)
        self._reasoning = _Pairs()
        self._text = _Pairs()
        self._has_text = False  # since the splitter was new
        self._tool_calls = ToolCalls()
        self._silent = True  # nothing came yet

    def read(self, identity: str, choice: Mapping[str, Any]) -> Iterator[StreamEvent]:
        """What the next piece says: thinking, text, tool calls, anything else, and why the answer ends."""
        delta = delta_of(choice)
        parts = take_content(delta)
        reasoning = take_reasoning(delta, told="".join(part.text for part in parts if part.is_thinking))
        if reasoning or (reasoning is not None and self._silent and not parts):
            yield from self._say(identity, "reasoning", self._reasoning.feed(reasoning), even_if_empty=not reasoning)
        for part in parts:
            if part.is_thinking:
                yield from self._say(identity, "reasoning", self._reasoning.feed(part.text))
            else:
                self._has_text = True
                yield from self._say_pieces(identity, self._splitter.feed(self._text.feed(part.text)))
        if calls := self._tool_calls.take(delta):
            yield from self.flush(identity)
            yield from self._say(identity, "tool_calls", calls)
        if delta and (delta.keys() != {"role"} or not (reasoning is not None or parts or calls)):
            yield StreamEvent(identity, "data", delta, self._index)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            yield from self.flush(identity)
            yield from self.stop(identity, reason)

    def flush(self, identity: str) -> Iterator[StreamEvent]:
        """What was held back. What comes after it is a new text: a tool call ends a thought, closed or not."""
        yield from self._say(identity, "reasoning", self._reasoning.flush())
        if self._has_text:
            rest = self._splitter.feed(self._text.flush())
            yield from self._say_pieces(identity, [*rest, *self._splitter.close()])
            self._splitter = ThinkingSplitter()
            self._has_text = False

    def stop(self, identity: str, reason: str) -> Iterator[StreamEvent]:
        """The end, once: some servers give their reason again with what they counted."""
        if self.is_open or not self.has_stopped:
            self.is_open, self.has_stopped = False, True
            self._silent = False
            self._tool_calls = ToolCalls()
            yield StreamEvent(identity, "stop", reason, self._index)

    def _say_pieces(self, identity: str, pieces: Iterable[Piece]) -> Iterator[StreamEvent]:
        for piece in pieces:
            yield from self._say(identity, "reasoning" if piece.is_thinking else "text", piece.text)

    def _say(self, identity: str, event: EventName, data: Any, *, even_if_empty: bool = False) -> Iterator[StreamEvent]:
        if data or even_if_empty:
            self.is_open, self._silent = True, False
            yield StreamEvent(identity, event, data, self._index)


class _Pairs:
    """Puts together again a character that was cut into two surrogates, as servers written in JavaScript do."""

    def __init__(self) -> None:
        self._waiting = ""  # the first half

    def feed(self, text: str) -> str:
        if not text:
            return ""
        if self._waiting and "\udc00" <= text[0] <= "\udfff":
            low = ord(text[0]) - 0xDC00
            text = chr(0x10000 + (ord(self._waiting) - 0xD800 << 10) + low) + text[1:]
        else:
            text = self._waiting + text
        self._waiting = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        return text[:-1] if self._waiting else text

    def flush(self) -> str:
        rest, self._waiting = self._waiting, ""
        return rest


_DONE = object()


def _documents(data: str) -> Iterator[Any]:
    """The JSON documents in a message, ``_DONE``, or the ``ValueError`` of one that is broken. Mostly one; a list's
    where an error comes in a list (Gemini), and one in a line where a server leaves out the empty lines."""
    if not data or data.isspace():
        return
    document = _document(data)
    if isinstance(document, ValueError) and "\n" in data:
        lines = [_document(line) for line in data.split("\n") if line and not line.isspace()]
        if any(not isinstance(line, ValueError) for line in lines):
            yield from lines
            return
    yield from document if isinstance(document, list) and document else [document]


def _document(text: str) -> Any:
    if text.strip() == "[DONE]":
        return _DONE
    try:
        return read_json(text)
    except ValueError as error:
        return error
