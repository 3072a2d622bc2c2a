"""Reads server-sent events, as the WHATWG HTML standard has them (§9.2.6), from pieces cut anywhere.

Beyond the standard, because servers do it: the last message counts without its empty line, and a line that
starts like JSON is a message of its own (an error's plain body, or one JSON document to a line).
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NamedTuple


class Message(NamedTuple):
    """One message: the *event* it names, and its *data*, with a line break between its lines. *too_long*: it
    was longer than the reader keeps, and its data is lost."""

    event: str
    data: str
    too_long: bool = False


class SseReader:
    """Gives the messages of a stream. Keeps at most *limit* characters of one that is not complete."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._at_start = True
        self._after_cr = False
        self._line: list[str] = []  # the line that is not complete
        self._line_length = 0
        self._event = ""
        self._data: list[str] = []  # the lines of the message
        self._json: list[str] = []  # the lines of a JSON document
        self._length = 0  # of both
        self._skipping = False  # to the next empty line

    def feed(self, piece: bytes | str) -> Iterator[Message]:
        """The messages that *piece* completes."""
        if isinstance(piece, str):
            return self._read(self._decoder.decode(b"", final=True) + piece)
        return self._read(self._decoder.decode(piece))

    def close(self) -> Iterator[Message]:
        """The last message, if it lacked its end."""
        yield from self._read(self._decoder.decode(b"", final=True))
        yield from self._read("\n\n")

    def _read(self, text: str) -> Iterator[Message]:
        if not text:
            return
        if self._at_start:
            text = text.removeprefix("\ufeff")
            self._at_start = False
        if self._after_cr and text:
            text = text.removeprefix("\n")
            self._after_cr = False
        if "\r" in text:
            self._after_cr = text.endswith("\r")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        *lines, rest = text.split("\n")  # splitlines() would also split at U+2028
        for line in lines:
            yield from self._take(line)
            whole = "".join(self._line)
            self._line.clear()
            self._line_length = 0
            yield from self._read_line(whole)
        yield from self._take(rest)

    def _take(self, part: str) -> Iterator[Message]:
        """Keeps a part of a line, if there is room."""
        self._line_length += len(part)
        if not self._skipping and self._length + self._line_length > self._limit:
            yield Message(self._event, "", too_long=True)
            self._forget()
            self._line.clear()
            self._skipping = True
        if self._skipping:
            part = "x"[: self._line_length]  # whether the line is empty is all that matters
            self._line.clear()
        self._line.append(part)

    def _read_line(self, line: str) -> Iterator[Message]:
        if self._skipping:
            self._skipping = bool(line)
        elif not line:
            yield from self._end_json()
            yield from self._end_message()
        elif self._json or line.lstrip()[:1] in ("{", "["):
            name = line.partition(":")[0]
            if name not in _FIELDS:
                yield from self._read_json(line)
                return
            yield from self._end_json()
            self._read_field(line)
        else:
            self._read_field(line)

    def _read_field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._length += len(value) + 1
        elif name == "event":
            self._event = value

    def _read_json(self, line: str) -> Iterator[Message]:
        self._json.append(line)
        self._length += len(line) + 1
        if len(self._json) == 1 and line.rstrip()[-1:] in ("}", "]"):
            yield from self._end_json()

    def _end_json(self) -> Iterator[Message]:
        if self._json:
            yield Message("", "\n".join(self._json))
            self._length -= sum(len(line) + 1 for line in self._json)
            self._json.clear()

    def _end_message(self) -> Iterator[Message]:
        if self._data:
            yield Message(self._event, "\n".join(self._data))
        self._forget()

    def _forget(self) -> None:
        self._event = ""
        self._data.clear()
        self._json.clear()
        self._length = 0


_FIELDS = frozenset(("data", "event", "id", "retry", ""))  # "": a comment
