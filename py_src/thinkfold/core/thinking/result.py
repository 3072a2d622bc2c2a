"""What a reading gives: thinking and body as text, and where in the source each stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import takewhile

from .dialects import Dialect, Tag
from .reader import Block


class SpanKind(Enum):
    """What a stretch of the source is. ``TAG`` is what neither thinking nor body shows: the tags and, in the
    tolerant reading, the blank space and the markup that go with them."""

    BODY = "body"
    THINKING = "thinking"
    PENDING = "pending"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class Span:
    """The source from *start* to *end*, in code points. *segment* is the index in ``segments`` of thinking."""

    kind: SpanKind
    start: int
    end: int
    segment: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedThinking:
    """A message, taken apart (seed 000 §4.4).

    *segments* are the closed pieces of thinking in order, *pending* the thinking that is still open (None where
    none is, and always None once the message has ended), *body* the rest. Each character of the source is in
    exactly one of *spans*, and these follow each other without a gap. *has_thinking*: there is a segment, or
    pending is not empty (in the tolerant reading: not blank).

    *unfinished* is how many of the last characters, of the pending thinking or else the body, may be the
    beginning of a tag. A page that draws a stream leaves them out until the next piece decides.
    """

    segments: list[str]
    pending: str | None
    body: str
    has_thinking: bool
    spans: tuple[Span, ...] = field(default=(), compare=False)
    unfinished: int = field(default=0, compare=False)


def seed_result(
    text: str, blocks: Sequence[Block], pending: Tag | None, inner: Sequence[Tag], unfinished: int
) -> ParsedThinking:
    """Everything verbatim, without the tags. What follows an open tag, but for the pairs in it, is pending."""
    del inner  # text, like everything between two tags
    spans: list[Span] = []
    segments: list[str] = []

    def rest(start: int, end: int) -> None:
        if pending is None or end <= pending.start:
            spans.append(Span(SpanKind.BODY, start, end))
        elif start >= pending.end:
            spans.append(Span(SpanKind.PENDING, start, end))
        else:
            spans.append(Span(SpanKind.BODY, start, pending.start))
            spans.append(Span(SpanKind.TAG, pending.start, pending.end))
            spans.append(Span(SpanKind.PENDING, pending.end, end))

    at = 0
    for opening, closing in blocks:
        assert opening is not None
        rest(at, opening.start)
        spans.append(Span(SpanKind.TAG, opening.start, opening.end))
        spans.append(Span(SpanKind.THINKING, opening.end, closing.start, len(segments)))
        spans.append(Span(SpanKind.TAG, closing.start, closing.end))
        segments.append(text[opening.end : closing.start])
        at = closing.end
    rest(at, len(text))
    open_text = _joined(text, spans, SpanKind.PENDING) if pending is not None else None
    return ParsedThinking(
        segments,
        open_text,
        _joined(text, spans, SpanKind.BODY),
        bool(segments or open_text),
        tuple(span for span in spans if span.start < span.end),
        unfinished,
    )


def tolerant_result(
    text: str, blocks: Sequence[Block], pending: Tag | None, inner: Sequence[Tag], unfinished: int
) -> ParsedThinking:
    """As a person would want to see it: thinking without the blank space around it and the tags in it, none where
    it is blank, and a body that does not start with blank lines."""
    if not blocks and pending is None:
        return ParsedThinking([], None, text, False, (Span(SpanKind.BODY, 0, len(text)),) if text else (), unfinished)
    builder = _Builder(text, inner)
    at = 0
    for opening, closing in blocks:
        builder.body(at, opening.start if opening is not None else 0)
        builder.thinking(opening.end if opening is not None else 0, closing.start, closing.dialect)
        at = closing.end
    if pending is None:
        builder.body(at, len(text))
        return builder.result(None, unfinished)
    builder.body(at, pending.start)
    return builder.result(builder.pending(pending.end, pending.dialect), unfinished)


def verbatim_spans(
    blocks: Iterable[Block], pending: Tag | None, inner: Iterable[Tag], start: int, end: int
) -> list[Span]:
    """Body, thinking and pending thinking between *start* and *end*, without the tags; *blocks* and *inner* from
    the newest back. Of the spans the *segment* is not given."""
    tags = [*takewhile(lambda tag: tag.end > start, inner)]  # taken from its end
    spans: list[Span] = []

    def add(kind: SpanKind, first: int, last: int) -> None:
        first, last = max(first, start), min(last, end)
        if first < last:
            spans.append(Span(kind, first, last))

    def add_thinking(kind: SpanKind, first: int, last: int, dialect: Dialect) -> None:
        while tags and tags[-1].start < last:
            tag = tags.pop()
            if tag.start >= first and tag.dialect is dialect:
                add(kind, first, tag.start)
                first = tag.end
        add(kind, first, last)

    at = start
    for opening, closing in [*takewhile(lambda block: block.closing.end > start, blocks)][::-1]:
        add(SpanKind.BODY, at, opening.start if opening is not None else 0)
        add_thinking(SpanKind.THINKING, opening.end if opening is not None else 0, closing.start, closing.dialect)
        at = closing.end
    if pending is None:
        add(SpanKind.BODY, at, end)
    else:
        add(SpanKind.BODY, at, pending.start)
        add_thinking(SpanKind.PENDING, pending.end, end, pending.dialect)
    return spans


class _Builder:
    """Collects what is shown; what lies between goes with the tags."""

    def __init__(self, text: str, inner: Sequence[Tag]) -> None:
        self._text = text
        self._inner = inner
        self._next_inner = 0
        self._shown: list[Span] = []
        self._segments: list[str] = []
        self._at_paragraph = True  # nothing before, or a blank line

    def body(self, start: int, end: int) -> None:
        if self._at_paragraph:
            start = self._without_blank_lines(start, end)
        if start < end:
            self._shown.append(Span(SpanKind.BODY, start, end))
            self._at_paragraph = _ENDS_PARAGRAPH.search(self._text, max(start, end - _NEAR), end) is not None

    def thinking(self, start: int, end: int, dialect: Dialect) -> None:
        pieces = self._pieces(start, end, dialect)
        while pieces:
            first, last = pieces.pop()
            last = first + len(self._text[first:last].rstrip())
            if first < last:
                pieces.append((first, last))
                break
        if pieces:
            number = len(self._segments)
            self._shown += (Span(SpanKind.THINKING, first, last, number) for first, last in pieces)
            self._segments.append("".join(self._text[first:last] for first, last in pieces))

    def pending(self, start: int, dialect: Dialect) -> str:
        pieces = self._pieces(start, len(self._text), dialect)
        self._shown += (Span(SpanKind.PENDING, first, last) for first, last in pieces)
        return "".join(self._text[first:last] for first, last in pieces)

    def _pieces(self, start: int, end: int, dialect: Dialect) -> list[tuple[int, int]]:
        """The thinking between *start* and *end*, without blank lines before it and what is markup."""
        if dialect.preface and (preface := re.compile(dialect.preface, re.IGNORECASE).match(self._text, start, end)):
            start = preface.end()
        pieces: list[tuple[int, int]] = []
        for first, last in self._between_inner(start, end, dialect):
            text_starts = first if pieces else self._without_blank_lines(first, last)
            if text_starts < last:
                pieces += self._unquoted(text_starts, last) if dialect.quoted else [(text_starts, last)]
        return pieces

    def _between_inner(self, start: int, end: int, dialect: Dialect) -> Iterator[tuple[int, int]]:
        while self._next_inner < len(self._inner) and self._inner[self._next_inner].start < end:
            tag = self._inner[self._next_inner]
            self._next_inner += 1
            if tag.start >= start and tag.dialect is dialect:
                yield start, tag.start
                start = tag.end
        yield start, end

    def _unquoted(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The lines, without the marks of a block quote."""
        while start < end:
            line_end = self._text.find("\n", start, end) + 1 or end
            mark = _QUOTE_MARK.match(self._text, start, line_end)
            yield (mark.end() if mark else start), line_end
            start = line_end

    def _without_blank_lines(self, start: int, end: int) -> int:
        at_margin = start == 0 or self._text[start - 1] == "\n"  # then a first line's indentation may mean code
        match = (_BLANK_LINES if at_margin else _REST_OF_LINE_AND_BLANK_LINES).match(self._text, start, end)
        return match.end() if match else start

    def result(self, pending: str | None, unfinished: int) -> ParsedThinking:
        spans: list[Span] = []
        at = 0
        for span in [*self._shown, Span(SpanKind.TAG, len(self._text), len(self._text))]:
            if at < span.start:
                spans.append(Span(SpanKind.TAG, at, span.start))
            if span.start < span.end:
                spans.append(span)
            at = span.end
        has_thinking = bool(self._segments or (pending and not pending.isspace()))
        body = _joined(self._text, spans, SpanKind.BODY)
        return ParsedThinking(self._segments, pending, body, has_thinking, tuple(spans), unfinished)


def _joined(text: str, spans: Sequence[Span], kind: SpanKind) -> str:
    return "".join(text[span.start : span.end] for span in spans if span.kind is kind)


_BLANK_LINES = re.compile(r"(?:[ \t]*+\r?\n)*+(?:[ \t\r]++\Z)?")
_REST_OF_LINE_AND_BLANK_LINES = re.compile(r"[ \t]*+(?:\r?\n(?:[ \t]*+\r?\n)*+)?(?:[ \t\r]++\Z)?")
_ENDS_PARAGRAPH = re.compile(r"\n[ \t\r]*\n[ \t\r]*\Z")
_QUOTE_MARK = re.compile(r"[ \t]*+>[ \t]?")
_NEAR = 200
