"""Says of each block of a message whether it is thinking, body or both, and what is to be drawn in its place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from ..thinking import ParsedThinking, Span, SpanKind
from .text import BlockText, PageText, Range, within


class BlockKind(Enum):
    """``BODY``: the host's block stays as it is. ``THINKING``: nothing of it is body, so it is hidden. ``MIXED``:
    it is hidden, and its body is drawn instead."""

    BODY = "body"
    THINKING = "thinking"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class BlockDivision:
    """A block of the page; *body* is the Markdown of the body in a mixed one, and empty in others."""

    kind: BlockKind
    body: str = ""


@dataclass(frozen=True, slots=True)
class Division:
    """A message of the page, divided.

    *blocks* are in the page's order. *thinking* is the Markdown of all thinking, with what is still pending;
    *characters* how much that is, in Unicode code points, as the parser counts. *has_body*: there is something to
    read, or an image or rule to see, beside the thinking.
    """

    blocks: tuple[BlockDivision, ...]
    thinking: str
    characters: int
    has_body: bool


def divide(page: PageText, parsed: ParsedThinking) -> Division:
    """Divide *page* as *parsed*, which is a reading of its source, says.

    What may be the beginning of a tag is drawn in no block of ours before more of the message decides.
    """
    drawn = len(page.source) - parsed.unfinished
    body = [(span.start, span.end) for span in parsed.spans if span.kind is SpanKind.BODY]
    # A dialect whose thinking is a quote has the marks of it for a part of its tags.
    unquoted = page.quotes([(span.start, span.end) for span in parsed.spans if span.kind is SpanKind.TAG])
    blocks: list[BlockDivision] = []
    has_body = False
    for block, (start, end) in zip(page.blocks, page.places, strict=True):
        inside = within(body, start, end)
        kind = _kind(block, inside, around=_kind_at(parsed.spans, start))
        has_body |= block.words(inside) > 0
        cut = [(start + first, start + last) for first, last in within(body, start, min(end, drawn))]
        blocks.append(BlockDivision(kind, page.markdown(cut, unquoted) if kind is BlockKind.MIXED else ""))
    thoughts = (page.markdown(thought, unquoted) for thought in _thoughts(parsed, drawn))
    characters = sum(map(len, parsed.segments)) + len(parsed.pending or "")
    return Division(tuple(blocks), "\n\n".join(filter(None, thoughts)), characters, has_body)


def _kind(block: BlockText, body: Sequence[Range], *, around: SpanKind) -> BlockKind:
    whole = block.words([(0, len(block.source))])
    seen = block.words(body)
    if whole == 0:  # nothing that can be read: it goes with what is around it
        return BlockKind.BODY if around is SpanKind.BODY else BlockKind.THINKING
    if seen == whole:
        return BlockKind.BODY
    return BlockKind.MIXED if seen else BlockKind.THINKING


def _kind_at(spans: Sequence[Span], place: int) -> SpanKind:
    number = bisect_right(spans, place, key=lambda span: span.end)
    return spans[number].kind if number < len(spans) else SpanKind.BODY


def _thoughts(parsed: ParsedThinking, drawn: int) -> Iterator[list[Range]]:
    """Where each segment stands, and at last what is pending."""

    def number(span: Span) -> int:
        return len(parsed.segments) if span.segment is None else span.segment

    spans = (span for span in parsed.spans if span.kind in (SpanKind.THINKING, SpanKind.PENDING))
    for _, thought in groupby(sorted(spans, key=number), key=number):
        yield [(span.start, min(span.end, drawn)) for span in thought]
