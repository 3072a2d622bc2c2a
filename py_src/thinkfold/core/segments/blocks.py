"""Reads Markdown line by line as it streams: what is code, what is a table, and where a block starts.

CommonMark's rules for blocks, and GitHub's for tables, as far as they decide that: quotes, lists, fences, headings,
rules, paragraphs with their lazy lines. Each line is read once, when it has ended, so it does not matter how the text
was split. Three things differ. HTML is text, as where thinking is drawn. Only what is fenced counts as code: thoughts
are full of lines that are indented for other reasons. A line of more than :data:`LONG` characters is read by its
beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

LONG = 1024
"""How many characters of a line are waited for, before what there is of it is given out."""


class Kind(Enum):
    """What a piece of text is."""

    PROSE = "prose"
    CODE = "code"
    TABLE = "table"


class Piece(NamedTuple):
    """A line with its end, or a part of a long one. At a *border* a segment may start."""

    text: str
    kind: Kind
    border: bool


class Blocks:
    """Reads a text in pieces of any size. What it gives, joined, is the text."""

    def __init__(self) -> None:
        self._line = ""  # what there is of a line that has not ended
        self._rest_of: Kind | None = None  # the kind of the long line whose beginning was given out
        self._head: _Head | None = None  # a line that the next one may make the head of a table
        self._containers: tuple[int, ...] = ()
        self._empty_item = False  # the innermost container is a list item of which only the marker is there
        self._fence = ""  # that is open
        self._leaf = _Leaf.NONE
        self._before = _Before.TEXT
        self._level = 0  # of the heading before
        self._blank = False  # whether the line before was blank

    def feed(self, text: str) -> Iterator[Piece]:
        """The pieces that are known now."""
        source = self._line + text
        if len(source) <= LONG and "\n" not in text and "\r" not in source:
            self._line = source
            return
        at = 0
        while True:
            ending = _LINE_END.search(source, at, at + LONG + 2)
            if ending and ending.start() - at <= LONG:
                if ending.group() == "\r" and ending.end() == len(source):
                    break  # a line feed may follow
                yield from self._read(source[at : ending.end()], ended=True)
                at = ending.end()
            elif len(source) - at > LONG:
                yield from self._read(source[at : at + LONG], ended=False)
                at += LONG
            else:
                break
        self._line = source[at:]

    def close(self) -> Iterator[Piece]:
        """The rest, and begin anew."""
        if self._line:
            yield from self._read(self._line, ended=True)
        yield from self._let_go()
        self.__init__()  # type: ignore[misc]

    def undecided(self) -> Iterator[Piece]:
        """What was not given yet, as it looks now."""
        if self._head:
            yield self._head.piece
        if not self._line:
            return
        kind = self._rest_of or (Kind.CODE if self._fence else Kind.TABLE if self._leaf is _Leaf.TABLE else Kind.PROSE)
        if kind is Kind.PROSE and _FENCE.match(self._line.lstrip(" \t>-+*")):
            kind = Kind.CODE
        yield Piece(self._line, kind, border=False)

    def _let_go(self) -> Iterator[Piece]:
        if self._head:
            yield self._head.piece
            self._head = None

    def _read(self, text: str, *, ended: bool) -> Iterator[Piece]:
        """The pieces that *text* completes: a line, or a part of a long one."""
        if self._rest_of:
            yield Piece(text, self._rest_of, border=False)
            self._rest_of = None if ended else self._rest_of
            return
        piece, head = self._read_line(text, ended=ended)
        self._rest_of = None if ended else piece.kind
        yield from self._let_go()
        if head:
            self._head = head
        else:
            yield piece

    def _read_line(self, text: str, *, ended: bool) -> tuple[Piece, _Head | None]:
        body = text.rstrip(" \t\r\n").expandtabs(4)
        matched, at = self._continued(body)
        if self._fence:
            if matched == len(self._containers):
                closing = _CLOSING.match(body, at) if ended else None
                if closing and closing[1].startswith(self._fence):
                    self._fence = ""
                return Piece(text, Kind.CODE, border=False), None
            self._fence = ""
        if _indent(body, at) == len(body) - at:
            return self._read_blank(text, matched), None
        containers, at = self._opened(body, matched, at, ended=ended)
        opened = len(containers) > matched
        line = body[at:]
        if matched < len(self._containers) and not opened and self._leaf is _Leaf.PARAGRAPH and _is_text(line, ended):
            self._blank = False
            return Piece(text, Kind.PROSE, border=False), None  # a lazy line
        if containers is not self._containers:
            starts = opened or _QUOTE in self._containers[matched:]
            self._leaf = _Leaf.NONE  # and so no table starts here
            self._containers = containers
        else:
            starts = False
        self._empty_item = opened and not line and containers[-1] != _QUOTE
        return self._read_leaf(text, line, starts=starts, ended=ended)

    def _continued(self, body: str) -> tuple[int, int]:
        """How many of the open containers the line is in, and where in the line their content is."""
        at = matched = 0
        for container in self._containers:
            indent = _indent(body, at)
            if container == _QUOTE:
                if indent > 3 or body[at + indent : at + indent + 1] != ">":
                    break
                at += indent + 1
                at += body[at : at + 1] == " "
            elif at + indent >= len(body):
                if self._empty_item and matched == len(self._containers) - 1:
                    break
            elif indent >= container:
                at += container
            else:
                break
            matched += 1
        return matched, at

    def _opened(self, body: str, matched: int, at: int, *, ended: bool) -> tuple[tuple[int, ...], int]:
        """The containers that the line is in when it has opened its own, and where in the line their content is."""
        containers = self._containers if matched == len(self._containers) else self._containers[:matched]
        paragraph = self._leaf is _Leaf.PARAGRAPH and containers is self._containers
        while len(containers) < _DEEPEST:
            indent = _indent(body, at)
            if indent > 3 or at + indent >= len(body):
                break
            if body[at + indent] == ">":
                at += indent + 1
                at += body[at : at + 1] == " "
                containers = (*containers, _QUOTE)
            else:
                marker = _ITEM.match(body, at + indent)
                if not marker or (ended and _RULE.match(body, at + indent)):
                    break
                if paragraph and (marker.end() == len(body) or marker[1] not in (None, "1")):
                    break  # it would be rare in prose that such a line is an item
                blanks = _indent(body, marker.end())
                content = marker.end() + (blanks if blanks < 5 else 1)
                containers = (*containers, max(content, marker.end() + 1) - at)
                at = min(content, len(body))
            paragraph = False
        return containers, at

    def _read_blank(self, text: str, matched: int) -> Piece:
        if matched < len(self._containers):
            self._containers = self._containers[:matched]
        self._empty_item = False
        self._leaf = _Leaf.NONE
        self._blank = True
        return Piece(text, Kind.PROSE, border=False)

    def _read_leaf(self, text: str, line: str, *, starts: bool, ended: bool) -> tuple[Piece, _Head | None]:
        """*line* is the content of *text* within its containers, and *starts* something if it opened one of them or
        left a quote."""
        leaf = self._leaf
        starts = starts or self._blank or self._before is _Before.BLOCK
        self._blank = False
        indent = _indent(line, 0)
        if indent > 3 or not line:
            self._leaf = leaf if leaf is _Leaf.PARAGRAPH and line else _Leaf.NONE
            return Piece(text, Kind.PROSE, self._border(_Before.TEXT, starts=starts)), None
        line = line[indent:]
        if self._head and leaf is _Leaf.PARAGRAPH and ended and _columns_below(line) == self._head.columns:
            return self._start_table(text), None
        piece = self._read_start(text, line, ended=ended)
        if piece:
            self._leaf = _Leaf.NONE
            return piece, None
        if leaf is _Leaf.TABLE:
            return Piece(text, Kind.TABLE, border=False), None
        self._leaf = _Leaf.PARAGRAPH
        columns = _columns(line) if ended else 0
        head_border = columns > 0 and self._border(_Before.TEXT, starts=True, look=True)
        piece = Piece(text, Kind.PROSE, self._border(_Before.TEXT, starts=starts))
        return piece, _Head(piece, columns, head_border) if columns else None

    def _read_start(self, text: str, line: str, *, ended: bool) -> Piece | None:
        """The line if it is a block of its own or begins a fence."""
        if fence := _FENCE.match(line):
            self._fence = fence[1] or fence[2]
            return Piece(text, Kind.CODE, self._border(_Before.BLOCK, starts=True))
        if heading := _HEADING.match(line):
            return Piece(text, Kind.PROSE, self._border(_Before.HEADING, starts=True, level=len(heading[1])))
        if self._leaf is _Leaf.PARAGRAPH and ended and _UNDERLINE.match(line):
            self._before, self._level = _Before.HEADING, 1 if line[0] == "=" else 2
            return Piece(text, Kind.PROSE, border=False)
        if ended and _RULE.match(line):
            return Piece(text, Kind.PROSE, self._border(_Before.RULE, starts=True))
        return None

    def _start_table(self, text: str) -> Piece:
        assert self._head
        head = self._head
        self._head = head._replace(piece=Piece(head.piece.text, Kind.TABLE, head.border))
        self._leaf = _Leaf.TABLE
        self._before = _Before.BLOCK
        return Piece(text, Kind.TABLE, border=False)

    def _border(self, block: _Before, *, starts: bool, level: int = 0, look: bool = False) -> bool:
        """Whether a segment may start with the line, which *starts* something or goes on, and is now the last of a
        *block* (unless this is only a *look*). A heading stays with what it heads, and a rule with what follows."""
        if self._before is _Before.HEADING:
            border = block is _Before.HEADING and level <= self._level
        elif self._before is _Before.RULE:
            border = block is _Before.RULE
        else:
            border = starts
        if not look:
            self._before, self._level = block, level
        return border


class _Leaf(Enum):
    """The block that the next line may go on."""

    NONE = 0
    PARAGRAPH = 1
    TABLE = 2


class _Before(Enum):
    """What the last line that was not blank belongs to, as far as it matters for what follows."""

    TEXT = 0
    HEADING = 1
    RULE = 2
    BLOCK = 3  # of code or a table


class _Head(NamedTuple):
    """A line of *columns* that is prose, or the head of a table, at which a segment may start at a *border*."""

    piece: Piece
    columns: int
    border: bool


_QUOTE = -1
"""A quote among the containers. The others are list items: how far their content is indented."""

_DEEPEST = 20
"""How deep containers nest. What a line opens beyond that is text, so that each line costs little."""

_LINE_END = re.compile(r"\r\n?|\n")
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?= |$)")
_RULE = re.compile(r"([-*_])(?: *\1){2,} *$")
_HEADING = re.compile(r"(#{1,6})(?= |$)")
_UNDERLINE = re.compile(r"(?:=+|-+) *$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_CLOSING = re.compile(r" {0,3}(`{3,}|~{3,}) *$")
_SPACES = re.compile(r" *")
_DELIMITERS = re.compile(r"\|? *:?-+:? *(?:\| *:?-+:? *)*\|?$")
_PIPE = re.compile(r"(?<!\\)\|")


def _indent(body: str, at: int) -> int:
    spaces = _SPACES.match(body, at)
    return spaces.end() - at if spaces else 0


def _is_text(line: str, ended: bool) -> bool:
    """Whether a line could go on a paragraph of whose containers it is not in all."""
    indent = _indent(line, 0)
    if indent > 3:
        return True
    line = line[indent:]
    return not (_FENCE.match(line) or _HEADING.match(line) or (ended and _RULE.match(line)))


def _columns(line: str) -> int:
    """How many columns a row of a table has, 0 if the line is none."""
    if "|" not in line or line == "|":
        return 0
    pipes = len(_PIPE.findall(line))
    return pipes + 1 - line.startswith("|") - (line.endswith("|") and not line.endswith("\\|"))


def _columns_below(line: str) -> int:
    """How many columns the line between the head of a table and its rows has, -1 if the line is none."""
    if not _DELIMITERS.match(line) or line[:2] in ("-", "- "):
        return -1
    return _columns(line) or 1
