"""Where the code of a Markdown text is, by CommonMark's own rules: fences, indented code and code spans.

markdown-it-py's rules decide, and only as far as they are needed: a text without tags is not looked at, and of
one with tags only the blocks that hold a tag or may hold a fence. A *fresh line* is where reading may start
without knowing what came before: it follows a blank line, starts at the margin, and is in no fence; whatever
list, quote or paragraph was open ends there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.backticks import backtick
from markdown_it.token import Token


class Kind(Enum):
    """The kinds of code."""

    FENCE = "fence"
    INDENTED = "indented code"
    SPAN = "code span"


class Code(NamedTuple):
    """Code from *start* to *end*, in the outermost block that starts at *block*. A fence is *closed* once its
    closing line is there, a span once no more text can undo it."""

    start: int
    end: int
    kind: Kind
    block: int
    closed: bool = True


class Reading(NamedTuple):
    """The code of a text in order, as far as it was asked for, and the last place from where the text could be
    read on alone, whatever follows: the start of a block."""

    code: list[Code]
    resume: int


def find_code(text: str, positions: Sequence[int], *, more: bool) -> Reading:
    """The code around *positions* (ascending offsets), and every fence before the last of them.

    *text* starts on a fresh line. With *more*, it may still go on: a code span that is open at its end counts
    as one, so that a tag in it is not taken for a tag for a moment.
    """
    if not positions:
        return Reading([], 0)
    if not any(sign in text for sign in ("`", "~~~", "    ", "\t")):
        return Reading([], _fresh_line_before(text, 0, len(text)))
    source = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    end = _fresh_line_after(source, positions[-1])
    return _Blocks(source[:end], positions, may_go_on=more and end == len(source)).read()


class _Blocks:
    """Goes through the blocks of the outermost level, from one that matters to the next."""

    def __init__(self, source: str, positions: Sequence[int], *, may_go_on: bool) -> None:
        self.source = source
        self.positions = positions
        self.may_go_on = may_go_on
        self.state = StateBlock(source, _MARKDOWN, {}, [])
        self.starts = list(self.state.bMarks)  # of the lines, and the end of the text
        # Only these can end the block before them: of an unfinished "- " or "===" more may come.
        self.complete_lines = source.count("\n") if may_go_on else self.state.lineMax
        self.code: list[Code] = []

    def read(self) -> Reading:
        last = self.positions[-1]
        block = line = 0
        ticks = tildes = -1  # the next characters that may be a fence
        while self.starts[line] <= last:
            at = self.starts[line]
            ticks = ticks if ticks >= at else self._next("```", at)
            tildes = tildes if tildes >= at else self._next("~~~", at)
            following = self.positions[bisect_right(self.positions, at - 1)]
            line = self._line_of(_fresh_line_before(self.source, at, min(following, ticks, tildes)))
            line = self.state.skipEmptyLines(line)
            block = line if line < self.complete_lines else block
            line = self._read_block(line)
        return Reading(self.code, self._resume(block, line))

    def _next(self, sign: str, start: int) -> int:
        at = self.source.find(sign, start)
        return at if at >= 0 else len(self.source)

    def _line_of(self, position: int) -> int:
        return bisect_right(self.starts, position, hi=len(self.starts) - 1) - 1

    def _read_block(self, line: int) -> int:
        """Notes the code of the block that starts on *line*; gives the line after it."""
        block = self.starts[line]
        self.state.line = line
        self.state.tokens.clear()
        for rule in _MARKDOWN.block.ruler.getRules(""):
            if rule(self.state, line, self.state.lineMax, False):
                break
        for token in self.state.tokens:
            if token.map is None:
                continue
            first, end = token.map
            if token.type == "fence":
                closed = end - first == token.content.count("\n") + 2 and token.content[-1:] in ("", "\n")
                self.code.append(Code(self.starts[first], self.starts[end], Kind.FENCE, block, closed))
            elif token.type == "code_block":
                self.code.append(Code(self.starts[first], self.starts[end], Kind.INDENTED, block))
            elif token.type == "inline" and "`" in token.content and self._matters(first, end):
                self._read_spans(token, first, end, block)
        return self.state.line

    def _matters(self, first: int, end: int) -> bool:
        index = bisect_right(self.positions, self.starts[first] - 1)
        return index < len(self.positions) and self.positions[index] < self.starts[end]

    def _read_spans(self, token: Token, first: int, end: int, block: int) -> None:
        noted: dict[str, Any] = {"spans": [], "literal": None}
        _MARKDOWN.inline.parse(token.content, _MARKDOWN, noted, [])
        offsets = self._offsets(token.content, first)
        goes_on = self.may_go_on and end >= self.complete_lines
        open_from: int | None = noted["literal"] if goes_on else None
        open_address = _OPEN_ADDRESS.search(token.content)
        undoable_from = open_address.start() if open_address else len(token.content)
        for start, stop in noted["spans"]:
            if open_from is not None and start > open_from:
                break
            # More backticks may come, or the end of an address in angle brackets around the span.
            closed = not goes_on or stop < undoable_from
            self.code.append(Code(offsets.of(start), offsets.of(stop - 1) + 1, Kind.SPAN, block, closed))
        if open_from is not None:
            self.code.append(Code(offsets.of(open_from), self.starts[end], Kind.SPAN, block, closed=False))

    def _offsets(self, content: str, first: int) -> _Offsets:
        """Where in the source each line of the content of a paragraph or heading stands. Its blanks at either
        side, and what marks the containers around it, are not in the content."""
        lines: list[int] = []
        shifts: list[int] = []
        at, number = 0, first
        for line in content.split("\n"):
            text = line.strip(" \t")
            found = self.source.rfind(text, self.starts[number], self.starts[number + 1])
            while found < 0 and not lines and number + 2 < len(self.starts):  # a first line of rare blanks is cut off
                number += 1
                found = self.source.rfind(text, self.starts[number], self.starts[number + 1])
            number += 1
            lines.append(at)
            shifts.append(found - at - (len(line) - len(line.lstrip(" \t"))))
            at += len(line) + 1
        return _Offsets(lines, shifts)

    def _resume(self, block: int, line: int) -> int:
        """The start of the next block if there is one for certain, else of the last that was read."""
        following = self.state.skipEmptyLines(line)
        if following < self.complete_lines:
            return self.starts[following]
        open_fence = bool(self.code) and self.code[-1].kind is Kind.FENCE and not self.code[-1].closed
        return self.starts[block] if self.may_go_on or open_fence else len(self.source)


class _Offsets(NamedTuple):
    lines: list[int]
    shifts: list[int]

    def of(self, offset: int) -> int:
        return offset + self.shifts[bisect_right(self.lines, offset) - 1]


def _fresh_line_before(source: str, low: int, high: int) -> int:
    """The last fresh line after *low* and not after *high*, if no fence starts between them; else *low*."""
    for _ in range(_TRIES):
        blank = source.rfind("\n\n", low, high)
        if blank < 0:
            break
        if source[blank + 2 : blank + 3] not in ("", " ", "\t", "\n"):
            return blank + 2
        high = blank + 1
    return low


def _fresh_line_after(source: str, position: int) -> int:
    """The first fresh line after *position*, or the end. (Or within a fence that is open at *position*: then
    what comes before it is not affected.)"""
    for _ in range(_TRIES):
        blank = source.find("\n\n", position)
        if blank < 0:
            break
        if source[blank + 2 : blank + 3] not in ("", " ", "\t", "\n"):
            return blank + 2
        position = blank + 1
    return len(source)


_OPEN_ADDRESS = re.compile(r"<[^<>\s]*+\Z")

_TRIES = 16
"""How many blank lines to look at in search of a fresh line. To give up is right too, only slower."""


def _noting_backtick(state: StateInline, silent: bool) -> bool:
    """markdown-it's rule for code spans, which also notes where the spans are: its tokens do not say it."""
    start, count = state.pos, len(state.tokens)
    matched = backtick(state, silent)
    if matched and not silent:
        if len(state.tokens) > count and state.tokens[-1].type == "code_inline":
            state.env["spans"].append((start, state.pos))
        elif state.env["literal"] is None:
            state.env["literal"] = start
    return matched


def _markdown() -> MarkdownIt:
    """The rules that decide what is code. HTML is off, as where thinking and answer are drawn: a ``<think>``
    alone on its line would else begin a block of HTML, in which there are no fences. Links are left out: they
    matter only for a backtick within a link's address, and their search is not linear."""
    markdown = MarkdownIt("zero")
    markdown.enable(["blockquote", "code", "fence", "heading", "hr", "lheading", "list"])
    markdown.enable(["autolink", "backticks", "escape"])
    markdown.inline.ruler.at("backticks", _noting_backtick)
    return markdown


_MARKDOWN = _markdown()
