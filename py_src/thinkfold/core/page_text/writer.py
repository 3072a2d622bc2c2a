"""Writes a tree as Markdown.

Two kinds of Markdown come of one tree. The *source* has the page's words as they stand, so that the parser meets
the tags in them, and notes the place of each. Markdown to be *rendered* has them escaped, so that they come out
again as they stood: what was no emphasis on the page is none then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from markdown_it.common.utils import isValidEntityCode

from .tree import HEADINGS, Element, Node, Text


class Segment(NamedTuple):
    """Where in the Markdown a stretch of a Text stands: *length* characters from *start*."""

    start: int
    length: int
    text: Text
    offset: int


@dataclass(frozen=True, slots=True)
class Written:
    """Markdown, with the places of all that is in it, in order.

    *segments*: of words; the blanks that Markdown does not keep have none. *elements*: where an element without
    words in it stands. *quote_marks*: of each ``>``, and whose it is.
    """

    markdown: str
    segments: Sequence[Segment]
    elements: Sequence[tuple[int, Element]]
    quote_marks: Sequence[tuple[int, Element]]


def write(blocks: Sequence[Element], *, escaped: bool) -> Written:
    """*blocks* as Markdown, with the words *escaped* or as they stand."""
    writer = _Writer(escaped, set() if escaped else _runs_of_backticks(blocks))
    writer.blocks(blocks)
    return Written("".join(writer.parts), writer.segments, writer.elements, writer.quote_marks)


class _Mark(NamedTuple):
    """What opens an emphasis or a link."""

    sign: str
    emphasis: bool


@dataclass(slots=True)
class _Writer:
    escaped: bool
    runs: set[int]  # lengths of the runs of backticks in the words, none of which may be taken for the end of code
    parts: list[str] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    elements: list[tuple[int, Element]] = field(default_factory=list)
    quote_marks: list[tuple[int, Element]] = field(default_factory=list)
    length: int = 0
    margin: list[tuple[str, Element | None]] = field(default_factory=list)  # what each line begins with
    one_line: bool = False  # in a heading or a cell, where no line may end
    in_heading: bool = False
    line_starts: bool = True  # nothing but the margin is on the line yet
    blank: tuple[str, Node, int] | None = None  # a blank or break that comes before the next word, if one comes
    opening: list[_Mark] = field(default_factory=list)  # marks that come before the next word
    after_emphasis: bool = False

    # Blocks.

    def blocks(self, blocks: Sequence[Element], *, tight: bool = False, around: str = "") -> None:
        """*blocks* with blank lines between them, or in a *tight* list's item only where they would else be one.
        *around* has the marks of the list around them."""
        bullets = around
        for number, block in enumerate(blocks):
            before = blocks[number - 1] if number else None
            if before is not None:
                self.new_line(blank=not tight or _would_join(before, block))
            # A list needs another mark right after a list of the same kind, and at the start of an item: three
            # like marks on a line would be a rule.
            another = bullets == _BULLETS[0] and (before is None or before.tag == block.tag)
            bullets = _BULLETS[another]
            self.block(block, bullets)

    def block(self, block: Element, bullets: str) -> None:
        if block.tag in ("p", "plain"):
            self.line_starts = True
            self.inlines(block.children)
            self.end_inlines()
        elif block.tag in HEADINGS:
            self.empty(block)
            self.put("#" * int(block.tag[1]) + " ")
            with self.within_a_line():
                self.in_heading = True
                self.inlines(block.children)
                self.in_heading = False
        elif block.tag == "blockquote":
            self.empty(block)
            self.quote_mark(block)
            self.put(" ")
            self.contained((("> ", block),), block)
        elif block.tag in ("ul", "ol"):
            self.items(block, bullets)
        elif block.tag == "pre":
            self.code_block(block)
        elif block.tag == "raw":
            self.raw(block)
        elif block.tag == "hr":
            self.element(block, "___")
        elif block.tag == "table":
            self.table(block)
        else:
            self.blocks([child for child in block.children if isinstance(child, Element)])

    def contained(
        self, margin: Sequence[tuple[str, Element | None]], block: Element, *, tight: bool = False, around: str = ""
    ) -> None:
        self.margin += margin
        self.blocks([child for child in block.children if isinstance(child, Element)], tight=tight, around=around)
        del self.margin[-len(margin) :]

    def items(self, block: Element, bullets: str) -> None:
        items = [item for item in block.children if isinstance(item, Element)]
        tight = not any(child.tag == "p" for item in items for child in item.children if isinstance(child, Element))
        number = int(block.attributes.get("start", "1"))
        for position, item in enumerate(items):
            if position:
                self.new_line(blank=not tight)
            number = int(item.attributes.get("value", number))
            mark = f"{min(number, 999_999_999)}{bullets[1]} " if block.tag == "ol" else f"{bullets[0]} "
            number += 1
            self.empty(item)
            self.put(mark)
            self.contained(((" " * len(mark), None),), item, tight=tight, around=bullets)

    def code_block(self, block: Element) -> None:
        (text,) = block.children
        assert isinstance(text, Text)
        code = text.text.removesuffix("\n")
        fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(code)), default=0))
        self.put(fence + block.attributes.get("language", ""))
        self.new_line()
        if code:
            self.lines(text, code)
            self.new_line()
        else:
            self.elements.append((self.length, block))
        self.put(fence)

    def raw(self, block: Element) -> None:
        (text,) = block.children
        assert isinstance(text, Text)
        self.lines(text, text.text)

    def lines(self, text: Text, content: str) -> None:
        offset = 0
        for number, line in enumerate(content.split("\n")):
            if number:
                self.segments.append(Segment(self.length, 1, text, offset - 1))
                self.new_line()
            self.segment(text, offset, line, line)
            offset += len(line) + 1

    def table(self, block: Element) -> None:
        rows = [_cells(row) for row in block.children if isinstance(row, Element)]
        for number, row in enumerate(rows):
            if number:
                self.new_line()
            self.put("|")
            for cell in row:
                self.put(" ")
                with self.within_a_line():
                    self.inlines(cell.children)
                self.put(" |")
            if number == 0:
                self.new_line()
                self.put("|" + "".join(f" {_RULES.get(cell.attributes.get('align', ''), '---')} |" for cell in row))

    # Inlines.

    def inlines(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            if isinstance(node, Text):
                self.words(node)
            elif node.tag in ("em", "strong", "del"):
                self.emphasis(node)
            elif node.tag == "a":
                self.link(node)
            elif node.tag == "code":
                self.code_span(node)
            elif node.tag == "br":
                if not self.line_starts:
                    self.blank = " " if self.one_line else "  \n", node, 0
            elif node.tag == "img":
                self.begin_word()
                alternative = " ".join(node.attributes["alt"].split())
                self.element(node, f"![{_ESCAPED.sub(_escaped, alternative)}]({_address(node.attributes['src'])})")
            elif node.tag == "checkbox":
                self.begin_word()
                self.element(node, f"[{node.attributes['checked']}]")
            else:
                self.inlines(node.children)

    def words(self, node: Text) -> None:
        text = node.text
        if not text:
            return
        first = len(text) - len(text.lstrip(" \n"))
        last = len(text.rstrip(" \n"))
        if first:
            self.later_blank(text[first - 1], node, first - 1)
        if first >= last:
            return
        offset = first
        for number, line in enumerate(text[first:last].split("\n")):
            if number:
                self.later_blank("\n", node, offset - 1)
            if line:
                self.begin_word()
                self.segment(node, offset, line, line if node.verbatim else self.as_written(line))
                self.after_emphasis = False
            offset += len(line) + 1
        if last < len(text):
            self.later_blank(text[last], node, last)

    def later_blank(self, blank: str, text: Text, offset: int) -> None:
        if not self.line_starts and (self.blank is None or (blank == "\n" and isinstance(self.blank[1], Text))):
            self.blank = " " if self.one_line else blank, text, offset

    def begin_word(self) -> None:
        """Write what was put off until a word comes: a blank, and the marks that open with the word. So no
        emphasis begins or ends with a blank, which Markdown would not take for one."""
        if self.blank is not None:
            blank, node, offset = self.blank
            self.blank = None
            if isinstance(node, Text):
                self.segments.append(Segment(self.length, 1, node, offset))
            else:
                self.elements.append((self.length, node))
            self.put(blank.removesuffix("\n"))
            if blank.endswith("\n"):
                self.new_line()
            self.after_emphasis = False
        for mark in self.opening:
            if self.escaped and mark.emphasis and not self.line_starts and _is_letter(self.parts[-1][-1]):
                # After a letter it might not open: an entity ends with a punctuation mark.
                letter = self.parts[-1][-1]
                self.parts[-1] = self.parts[-1][:-1] + f"&#{ord(letter)};"
            self.put(mark.sign)
            self.after_emphasis = False
        self.opening.clear()

    def as_written(self, line: str) -> str:
        if not self.escaped:
            return line
        written = (_ESCAPED_IN_HEADING if self.in_heading else _ESCAPED).sub(_escaped, line)
        if self.line_starts:
            written = _LINE_START.sub(r"\1\\\2", written, count=1)
        elif written[0] in ".)":
            written = "\\" + written  # of "1." the number may be on the page's other side of a cut
        if self.after_emphasis and _is_letter(written[0]):
            written = f"&#{ord(written[0])};" + written[1:]
        return written

    def emphasis(self, node: Element) -> None:
        written = self.parts[-1] if self.parts and self.blank is None else ""
        before = self.opening[-1].sign if self.opening else written
        sign = {"em": "*", "strong": "**", "del": "~~"}[node.tag]
        if before.endswith("*"):
            sign = sign.replace("*", "_")
        self.marked(_Mark(sign, emphasis=True), node, sign)

    def link(self, node: Element) -> None:
        title = " ".join(node.attributes["title"].split())
        title = f' "{_ESCAPED_IN_ADDRESS.sub(_escaped, title)}"' if title else ""
        self.marked(_Mark("[", emphasis=False), node, f"]({_address(node.attributes['href'])}{title})")

    def marked(self, mark: _Mark, node: Element, closing: str) -> None:
        self.opening.append(mark)
        depth = len(self.opening)
        self.inlines(node.children)
        if len(self.opening) >= depth:  # no word came
            self.opening.pop()
        else:
            self.put(closing)
            self.after_emphasis = mark.emphasis

    def code_span(self, node: Element) -> None:
        (text,) = node.children
        assert isinstance(text, Text)
        code = text.text.replace("\n", " ")
        if text.verbatim:
            self.words(text)
            return
        if not code:
            return
        self.begin_word()
        taken = self.runs.union(map(len, _BACKTICKS.findall(code)))
        ticks = "`" * next(length for length in count(1) if length not in taken)
        if self.escaped and self.parts and self.parts[-1].endswith("`"):
            self.put("&#8288;")  # nothing to see, between the marks of two spans
        padding = " " if code[0] == "`" or code[-1] == "`" or (code[0] == code[-1] == " " and code.strip()) else ""
        self.put(ticks + padding)
        in_cell = self.one_line and not self.in_heading
        self.segment(text, 0, code, code.replace("|", "\\|") if self.escaped and in_cell else code)
        self.put(padding + ticks)

    def end_inlines(self) -> None:
        self.blank = None
        self.after_emphasis = False

    @contextmanager
    def within_a_line(self) -> Iterator[None]:
        self.line_starts, self.one_line = True, True
        yield
        self.one_line = False
        self.end_inlines()

    # Characters.

    def element(self, element: Element, markup: str) -> None:
        self.elements.append((self.length, element))
        self.put(markup)

    def empty(self, block: Element) -> None:
        if not block.children:
            self.elements.append((self.length, block))

    def segment(self, text: Text, offset: int, words: str, written: str) -> None:
        self.segments.append(Segment(self.length, len(words), text, offset))
        self.put(written)

    def quote_mark(self, quote: Element) -> None:
        self.quote_marks.append((self.length, quote))
        self.put(">")

    def new_line(self, *, blank: bool = False) -> None:
        self.put("\n")
        if blank:
            last = max((n for n, (_, quote) in enumerate(self.margin) if quote is not None), default=-1)
            for number, (sign, quote) in enumerate(self.margin[: last + 1]):
                if quote is not None:
                    self.quote_mark(quote)
                self.put("" if number == last else sign.removeprefix(">"))
            self.put("\n")
        for sign, quote in self.margin:
            if quote is not None:
                self.quote_mark(quote)
            self.put(sign.removeprefix(">"))
        self.line_starts = True

    def put(self, characters: str) -> None:
        if characters:
            self.parts.append(characters)
            self.length += len(characters)
            self.line_starts = False


_BULLETS = ("-.", "*)")
_BACKTICKS = re.compile("`+")
_RULES = {"left": ":--", "center": ":-:", "right": "--:"}

# What is special anywhere, and blanks that Markdown would take for its own at the edge of a paragraph.
_ESCAPED = re.compile(r"[\\`*_\[\]<&~|]|!$|[^\S\x00-\x9f]")
_ESCAPED_IN_HEADING = re.compile(_ESCAPED.pattern + "|#")
_ESCAPED_IN_ADDRESS = re.compile(r"[\\`*_\[\]<>&~|()\"]|\s")
_LINE_START = re.compile(r"^([0-9]{0,9}(?=[.)])|(?=[-+=#>:]))(.)")


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    return f"&#{ord(character)};" if character.isspace() else "\\" + character


def _address(address: str) -> str:
    return _ESCAPED_IN_ADDRESS.sub(_escaped, re.sub(r"\s", "%20", address))


def _is_letter(character: str) -> bool:
    """True if emphasis might not begin or end beside it, and it can be written as an entity, beside which it does."""
    if character.isspace() or (character.isascii() and not character.isalnum()):
        return False
    return isValidEntityCode(ord(character))


def _would_join(before: Element, block: Element) -> bool:
    """True if *block* would become part of *before*, were there no blank line between them."""
    if block.tag in ("p", "plain"):
        return before.tag not in ("pre", "hr", *HEADINGS)
    if block.tag == before.tag or (block.tag == "table" and before.tag in ("blockquote", "ul", "ol")):
        return True
    if block.tag in ("ul", "ol") and before.tag in ("p", "plain", "ul", "ol", "blockquote"):
        first = block.children[0] if block.children else None
        number = block.attributes.get("start", "1") if block.tag == "ol" else "1"
        return not isinstance(first, Element) or not first.children or first.attributes.get("value", number) != "1"
    return False


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row.children if isinstance(cell, Element)]


def _runs_of_backticks(nodes: Sequence[Node]) -> set[int]:
    runs: set[int] = set()
    for node in nodes:
        if isinstance(node, Text):
            runs.update(map(len, _BACKTICKS.findall(node.text)))
        elif node.tag not in ("code", "pre"):
            runs |= _runs_of_backticks(node.children)
    return runs
