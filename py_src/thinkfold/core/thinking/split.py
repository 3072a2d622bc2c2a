"""Splits a message into thinking and text while it arrives, for those who cannot take back what they passed on.

Every character is read as it is read when it comes: :class:`ThinkingStream` says how. What may be part of a tag
is held back until that is decided; everything else is passed on at once, as it stands, and only the tags are left
out. So a message gives the same however it is cut. Where a later tag gives what came before another meaning (a
closing that nothing opened, a second closing), what was passed on stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from .dialects import TOLERANT, TagFinder
from .result import SpanKind
from .stream import ThinkingStream


class Piece(NamedTuple):
    """A piece of the message, never empty."""

    is_thinking: bool
    text: str


class ThinkingSplitter:
    """Takes a message apart, piece by piece.

    >>> splitter = ThinkingSplitter()
    >>> splitter.feed("<think>Two and two</th")
    [Piece(is_thinking=True, text='Two and two')]
    >>> splitter.feed("ink>Four")
    [Piece(is_thinking=False, text='Four')]

    With *thinking_first* the message starts in a thought, as if it had a tag before its first character.
    """

    def __init__(self, *, thinking_first: bool = False) -> None:
        self._stream = ThinkingStream(reading="tolerant")
        self._finder = TagFinder(TOLERANT)
        self._length = self._given = 0
        self._held = ""  # the text from there on
        if thinking_first:
            self._stream.feed(_OPENING)
            self._finder.feed(_OPENING)
            self._length = self._given = len(_OPENING)

    def feed(self, text: str) -> list[Piece]:
        """What can be passed on after the next piece. Raises ``ValueError`` after :meth:`close`."""
        spans: list[tuple[SpanKind, str]] = []
        for part in self._parts(text):
            self._stream.feed(part)
            self._held += part
            self._length += len(part)
            spans += self._release(self._length - self._stream.undecided())
        return _pieces(spans)

    def close(self) -> list[Piece]:
        """The message has ended: what was held back. A thought that is open still is thinking, unless nothing of
        it was passed on: then its tag was no tag. May be called again."""
        pending = self._stream.read_to_end()
        if pending is not None and pending.start >= self._given:
            self._stream.close()
        rest = self._release(self._length)
        self._stream.close()
        return _pieces(rest)

    def _parts(self, text: str) -> Iterator[str]:
        """*text*, cut where its reading may change, so that what comes before is passed on as it was read."""
        start = self._length
        ends = {tag.end - start for tag in self._finder.feed(text)}  # a tag counts with its last character or the next
        cuts = sorted({cut for end in ends for cut in (end - 1, end, end + 1) if 0 < cut < len(text)})
        at = 0
        for cut in [*cuts, len(text)]:
            while at < cut:
                end = min(cut, self._stream.steady_to(text, at))
                yield text[at:end]
                at = end

    def _release(self, end: int) -> list[tuple[SpanKind, str]]:
        """What stands between what was passed on and *end*."""
        if end <= self._given:
            return []
        start, held = self._given, self._held
        self._held, self._given = held[end - start :], end
        return [(span.kind, held[span.start - start : span.end - start]) for span in self._stream.spans(start, end)]


def _pieces(spans: list[tuple[SpanKind, str]]) -> list[Piece]:
    return [
        Piece(is_thinking, "".join(text for _, text in run))
        for is_thinking, run in groupby(spans, key=lambda span: span[0] is not SpanKind.BODY)
    ]


_OPENING = "<think>"
