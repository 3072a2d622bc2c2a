"""Divides a segment into its blocks: headings, paragraphs, list points, code and tables.

A thought is Markdown written in haste, so this reads lines and not CommonMark: what it takes wrongly costs a
summary some of its sense and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from .plain import columns


class BlockKind(Enum):
    """The kinds of blocks."""

    HEADING = auto()
    PARAGRAPH = auto()
    POINT = auto()
    CODE = auto()
    TABLE = auto()


@dataclass(slots=True)
class Block:
    """A block without its marks (a heading's ``#``, a point's ``-``, a fence); of a fence also its *language*.

    *lines* are the lines of code and tables, else the sentences' own: a line that only wraps is joined.
    """

    kind: BlockKind
    lines: list[str]
    language: str = ""


_FENCE = re.compile(r"\s{0,12}(?:>\s?)?(`{3,}|~{3,})\s*([\w+#.-]*)")
_HEADING = re.compile(r" {0,3}#{1,6}\s+(\S.*)")
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)([^*_]{1,80}?)[:：]?(?:\*\*|__)\s?[:：]?\s*$")
_POINT = re.compile(
    r"\s*(?:[-+*•·]\s+|\(?(?:\d{1,3}|[a-z])\)\s+|\d{1,3}\.\s+|\d{1,3}、\s*|（\d{1,3}）\s*|[①-⑳]\s*)"
    r"(?:\[[ xX]\]\s+)?(?=\S)"
)
_RULE_SIGNS = frozenset("-=_* \t")
_DIVIDER_SIGNS = frozenset("|-: \t")
_WRAPPED_FROM = 50
"""A line of so many columns without a full stop has been wrapped, if the text is wrapped at all, …"""
_WRAPPED_TO = 120
"""… that is, has no longer line."""
_LONGEST_JOINED = 2_000


def read_blocks(text: str) -> list[Block]:
    """The blocks of *text*, in order. Linear time."""
    return list(_Reader(text).read())


class _Reader:
    """Goes through the lines once; *block* is the paragraph or point that the next line may go on."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.is_wrapped = all(len(line) <= _WRAPPED_TO for line in self.lines)
        self.at = 0
        self.block: Block | None = None

    def read(self) -> Iterator[Block]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if fence := _FENCE.match(line):
                self.block = None
                yield self._code(fence)
            elif not line.strip():
                self.block = None
            elif self._begins_table(line):
                self.block = None
                yield self._table(line)
            elif set(line) <= _RULE_SIGNS:
                self.block = None
            elif heading := _HEADING.match(line) or _BOLD_LINE.match(line):
                self.block = None
                yield Block(BlockKind.HEADING, [heading[1].rstrip("# ")])
            elif point := _POINT.match(line):
                self.block = Block(BlockKind.POINT, [line[point.end() :]])
                yield self.block
            elif self.block is None:
                self.block = Block(BlockKind.PARAGRAPH, [_unquoted(line)])
                yield self.block
            else:
                _go_on(self.block, _unquoted(line), is_wrapped=self.is_wrapped)

    def _code(self, fence: re.Match[str]) -> Block:
        code = Block(BlockKind.CODE, [], fence[2])
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            sign = line.strip("> \t\r")
            if sign.startswith(fence[1]) and not sign.strip(fence[1][0]):
                break
            code.lines.append(line)
        return code

    def _begins_table(self, line: str) -> bool:
        if "|" not in line or self.at >= len(self.lines):
            return False
        divider = self.lines[self.at]
        return "-" in divider and "|" in divider and set(divider) <= _DIVIDER_SIGNS

    def _table(self, head: str) -> Block:
        table = Block(BlockKind.TABLE, [head])
        self.at += 1  # the divider
        while self.at < len(self.lines) and "|" in self.lines[self.at]:
            table.lines.append(self.lines[self.at])
            self.at += 1
        return table


def _unquoted(line: str) -> str:
    return line.lstrip("> \t").rstrip()


def _go_on(block: Block, line: str, *, is_wrapped: bool) -> None:
    """Adds *line*: to the line before it where that one only wraps, else as the next."""
    last = block.lines[-1].rstrip()
    ended = last.endswith((".", "!", "?", ":", "。", "！", "？", "：", "；", ";")) or len(last) > _LONGEST_JOINED
    if is_wrapped and not ended and columns(last[-_WRAPPED_FROM:]) >= _WRAPPED_FROM:
        joint = "" if last[-1:] > "\u2e7f" and line[:1] > "\u2e7f" else " "
        block.lines[-1] = last + joint + line
    else:
        block.lines.append(line)
