"""The text of a page's blocks, and what stands between two places of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from .tree import Element, Node, Text, collapsed, raw_block, read_tree
from .writer import Segment, Written, write

Range = tuple[int, int]
"""From one place in a source to another, in code points."""


@dataclass(frozen=True)
class BlockText:
    """One block of the page. *source* is its Markdown, with the page's words as they stand, unescaped."""

    tree: tuple[Element, ...]
    written: Written

    @property
    def source(self) -> str:
        """The block as Markdown, with the page's words as they stand."""
        return self.written.markdown

    def words(self, ranges: Sequence[Range]) -> int:
        """How much there is to see in *ranges* (ascending, in this block's source): characters that are not blank,
        and images, rules and the like."""
        segments = sum(len("".join(piece.text.text[start:end].split())) for piece, start, end in self._cut(ranges))
        return segments + sum(element.tag != "br" for element in _at(ranges, self.written.elements))

    def kept(self, ranges: Sequence[Range], unquoted: Set[Element]) -> tuple[Element, ...]:
        """The tree with what stands in *ranges*, and the quotes *unquoted* as no quotes."""
        pieces: dict[Text, list[Range]] = {}
        for piece, start, end in self._cut(ranges):
            known = pieces.setdefault(piece.text, [])
            goes_on = known and known[-1][1] == start
            known.append((known.pop()[0] if goes_on else start, end))
        kept = _Kept(pieces, {*_at(ranges, self.written.elements)}, unquoted)
        return tuple(node for block in self.tree for node in kept.of(block) if isinstance(node, Element))

    def _cut(self, ranges: Sequence[Range]) -> Iterator[tuple[Segment, int, int]]:
        """The words in *ranges*: a segment, and from where to where in its Text."""
        segments = self.written.segments
        for start, end in ranges:
            number = max(0, bisect_left(segments, start, key=lambda segment: segment.start) - 1)
            while number < len(segments) and segments[number].start < end:
                segment = segments[number]
                first = max(start - segment.start, 0)
                last = min(end - segment.start, segment.length)
                if first < last:
                    yield segment, segment.offset + first, segment.offset + last
                number += 1


def read_block(html: str) -> BlockText:
    """The text of a block of the page, given as its ``outerHTML``."""
    tree = read_tree(html)
    return BlockText(tree, write(tree, escaped=False))


def read_text(text: str) -> BlockText:
    """The text of a bare text node between the blocks, given as its ``textContent``.

    A tag alone on its line begins a block of HTML, up to the next blank line. A host that lets no HTML through
    draws such a block as it was written: what is in it is Markdown still.
    """
    tree = raw_block(text)
    return BlockText(tree, write(tree, escaped=False))


@dataclass(frozen=True)
class PageText:
    """The blocks of a message, one after the other."""

    blocks: tuple[BlockText, ...]

    @cached_property
    def source(self) -> str:
        """The message as Markdown, with the page's words as they stand, for the parser."""
        return _BETWEEN.join(block.source for block in self.blocks)

    @cached_property
    def places(self) -> tuple[Range, ...]:
        """From where to where in the source each block stands."""
        places: list[Range] = []
        start = 0
        for block in self.blocks:
            end = start + len(block.source)
            places.append((start, end))
            start = end + len(_BETWEEN)
        return tuple(places)

    def quotes(self, ranges: Sequence[Range]) -> set[Element]:
        """The quotes that have a mark in *ranges* (ascending)."""
        return {
            quote
            for block, (start, end) in zip(self.blocks, self.places, strict=True)
            if block.written.quote_marks
            for quote in _at(within(ranges, start, end), block.written.quote_marks)
        }

    def markdown(self, ranges: Sequence[Range], unquoted: Set[Element] = frozenset()) -> str:
        """What stands in *ranges* of the source (ascending), as Markdown to be rendered.

        The words come out as they stand on the page; emphasis, lists and quotes that are cut go on at the cut.
        Words that a cut parts from the code before them are Markdown: the code ended there, and the host did not
        know. The quotes *unquoted* are written without their marks.
        """
        kept: list[Element] = []
        number = max(0, bisect_left(self.places, ranges[0]) - 1) if ranges else len(self.blocks)
        while number < len(self.blocks) and self.places[number][0] < ranges[-1][1]:
            kept += self.blocks[number].kept(within(ranges, *self.places[number]), unquoted)
            number += 1
        return write(kept, escaped=True).markdown


_BETWEEN = "\n\n"


def within(ranges: Sequence[Range], start: int, end: int) -> list[Range]:
    """The parts of *ranges* (ascending) between *start* and *end*, counted from *start*."""
    result: list[Range] = []
    number = max(0, bisect_left(ranges, (start, start)) - 1)
    while number < len(ranges) and ranges[number][0] <= end:
        first, last = max(ranges[number][0], start), min(ranges[number][1], end)
        if first < last:
            result.append((first - start, last - start))
        number += 1
    return result


def _at(ranges: Sequence[Range], elements: Sequence[tuple[int, Element]]) -> Iterator[Element]:
    """The *elements* (each with its place, ascending) that stand in *ranges*."""
    for start, end in ranges:
        number = bisect_left(elements, start, key=_place)
        while number < len(elements) and elements[number][0] < end:
            yield elements[number][1]
            number += 1


def _place(element: tuple[int, Element]) -> int:
    return element[0]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Cuts a tree to what is kept: of each Text some *pieces*, some *elements* without words; all that holds them
    is kept too, but for the quotes that are *unquoted*."""

    pieces: Mapping[Text, Sequence[Range]]
    elements: Set[Element]
    unquoted: Set[Element]

    def of(self, node: Node) -> Sequence[Node]:
        if isinstance(node, Text):
            words = "".join(node.text[start:end] for start, end in self.pieces.get(node, ()))
            return [Text(collapsed(words))] if words else []
        if node in self.elements:
            return [node]
        if node.tag in ("pre", "code", "raw"):
            return list(self._verbatim(node))
        if node.tag == "table":
            return self._table(node)
        children = [kept for child in node.children for kept in self.of(child)]
        if node in self.unquoted:
            return children
        if node.tag == "ol":
            children = self._numbered(node)
        return [Element(node.tag, tuple(children), node.attributes)] if children else []

    def _verbatim(self, node: Element) -> Iterator[Node]:
        """Code that is cut ends at the cut; what comes after it is Markdown that the host took for code."""
        (text,) = node.children
        assert isinstance(text, Text)
        pieces = [text.text[start:end] for start, end in self.pieces.get(text, ())]
        if pieces and node.tag != "raw" and self.pieces[text][0][0] == 0:
            yield Element(node.tag, (Text(pieces.pop(0)),), node.attributes)
        rest = "".join(pieces)
        if node.tag == "code":
            yield Text(collapsed(rest), verbatim=True)
        else:
            yield from raw_block(rest)

    def _numbered(self, node: Element) -> list[Node]:
        number = int(node.attributes["start"])
        items: list[Node] = []
        for item in node.children:
            assert isinstance(item, Element)
            number = int(item.attributes.get("value", number))
            for kept in self.of(item):
                assert isinstance(kept, Element)
                items.append(Element("li", kept.children, {"value": str(number)}))
            number += 1
        return items

    def _table(self, node: Element) -> list[Node]:
        """The rows of which something is kept, and the head, without which there is no table."""
        rows: list[Element] = []
        for number, row in enumerate(node.children):
            assert isinstance(row, Element)
            cells = [
                Element("cell", tuple(kept for child in cell.children for kept in self.of(child)), cell.attributes)
                for cell in row.children
                if isinstance(cell, Element)
            ]
            if number == 0 or any(cell.children for cell in cells):
                rows.append(Element("tr", tuple(cells)))
        some = len(rows) > 1 or any(isinstance(cell, Element) and cell.children for cell in rows[0].children)
        return [Element("table", tuple(rows))] if rows and some else []
