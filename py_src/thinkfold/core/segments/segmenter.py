"""Puts the pieces of a thought together into segments.

What is known at every moment: the text of the segment in progress is at most *max_tokens* and one line long, except
for a single block of code or a table, which is never cut. What is ignored is counted and not stored.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..graphemes import border_after, border_before
from ..tokens import TokenCounter, count_tokens
from .blocks import LONG, Blocks, Kind, Piece
from .sentences import last_place, last_word_end


class Keep(StrEnum):
    """What is done with code, or with tables (seed 004)."""

    IGNORE = "ignore"
    KEEP_SKIP = "keep-skip"
    KEEP_REFINE = "keep-refine"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a thought.

    *text* is what is kept of the stretch [*start*, *end*) of the thought (in code points); it is empty if all of it
    is ignored. *tokens* are those of the text, *raw_tokens* those of the stretch. *code_share* is the part of the
    text's characters, from 0 to 1, that stands in fences, their first and last lines included and blanks around them
    not. *is_table*: the text is one or more tables and nothing else. *refine*: it may be given to a model, because at
    most half of it is code or tables that are kept without refining.
    """

    text: str
    tokens: float
    raw_tokens: float
    code_share: float
    is_table: bool
    start: int
    end: int
    refine: bool


class Segmenter:
    """Cuts a thought into segments while it streams.

    The segments do not depend on how the thought is split. They follow each other without a gap: the next one's start
    is the end of the one before. A segment that is longer than *max_tokens* is a single block of code, a table, or a
    single character of a very small limit.

    Raises ValueError for a limit that is not above 0 and for an unknown *code* or *table*.
    """

    def __init__(
        self,
        min_tokens: float = 1500,
        max_tokens: float = 3000,
        code: Keep | str = Keep.IGNORE,
        table: Keep | str = Keep.IGNORE,
    ) -> None:
        if not max_tokens > 0:
            raise ValueError(f"max_tokens must be above 0: {max_tokens}")
        self._min = min(min_tokens, max_tokens)
        self._max = max_tokens
        self._most = int(max_tokens * _MOST_CHARACTERS) + LONG
        self._modes = {Kind.PROSE: Keep.KEEP_REFINE, Kind.CODE: Keep(code), Kind.TABLE: Keep(table)}
        self._blocks = Blocks()
        self._raw = TokenCounter()
        self._start = 0
        self._left_out_last = False  # the last line that was not blank was left out
        self._begin("", [], [])

    def feed(self, text: str) -> list[Segment]:
        """Read on; gives the segments that are complete now."""
        self._raw.feed(text)
        segments: list[Segment] = []
        for piece in self._blocks.feed(text):
            self._add(piece, segments)
        return segments

    def close(self) -> list[Segment]:
        """The rest, because the thought has ended or something else comes between. What is fed then starts anew, in no
        code and no list; its offsets go on."""
        segments: list[Segment] = []
        for piece in self._blocks.close():
            self._add(piece, segments)
        if self._length or self._left_out:
            segments.append(self._cut(self._length, self._counter.tokens))
        self._left_out_last = False
        return segments

    @property
    def raw_tokens(self) -> float:
        """The tokens of all that was fed, ignored code and tables included."""
        return self._raw.tokens

    @property
    def open_text(self) -> str:
        """The text of the segment in progress, to its last character, without what is ignored."""
        undecided = (piece.text for piece in self._blocks.undecided() if self._modes[piece.kind] is not Keep.IGNORE)
        return self._text() + "".join(undecided)

    def _begin(self, text: str, runs: list[_Run], left_out: list[_LeftOut]) -> None:
        """A new segment that starts with *text*."""
        self._pieces = [text]
        self._length = len(text)
        self._runs = runs
        self._left_out = left_out
        self._counter = TokenCounter()
        self._counter.feed(text)
        self._known = (0, 0.0)  # a place in the text that is within the limit, and its tokens
        self._is_blank = not text.strip()
        self._ends_blank = self._is_blank
        self._is_oversize = False

    def _text(self) -> str:
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def _add(self, piece: Piece, segments: list[Segment]) -> None:
        if piece.border and self._counter.tokens >= self._min and not self._is_blank:
            segments.append(self._cut(self._length, self._counter.tokens))
        blank = not piece.text.strip(" \t\r\n")
        if self._modes[piece.kind] is Keep.IGNORE:
            self._left_out_last = True
            self._leave_out(piece.text)
        elif blank and self._left_out_last and self._ends_blank:
            self._leave_out(piece.text)  # one blank line is enough where something was left out
        else:
            self._append(piece, blank=blank)
            while self._counter.tokens > self._max or self._length > self._most:
                segment = self._forced()
                if segment is None:
                    break
                segments.append(segment)

    def _leave_out(self, text: str) -> None:
        if not self._left_out or self._left_out[-1].at != self._length:
            self._left_out.append(_LeftOut(self._length, TokenCounter()))
        self._left_out[-1].characters += len(text)
        self._left_out[-1].counter.feed(text)

    def _append(self, piece: Piece, *, blank: bool) -> None:
        if not self._is_oversize:
            self._known = (self._length, self._counter.tokens)
        self._pieces.append(piece.text)
        self._counter.feed(piece.text)
        if self._is_blank and piece.kind is not Kind.PROSE:
            self._runs = [_Run(piece.kind, 0)]  # blank lines before a block go with it
        elif not self._runs or self._runs[-1].kind is not piece.kind or (piece.border and piece.kind is not Kind.PROSE):
            self._runs.append(_Run(piece.kind, self._length))
        self._length += len(piece.text)
        self._ends_blank = blank and (self._length == len(piece.text) or self._pieces[-2][-1:] in "\r\n")
        if not blank:
            self._is_blank = self._left_out_last = False

    def _forced(self) -> Segment | None:
        """The segment that must end because it is too long; None if it is one block or character and goes on."""
        first = self._runs[0]
        if first.kind is not Kind.PROSE and len(self._runs) == 1:
            self._is_oversize = True
            return None
        if self._is_oversize:  # blank lines follow, which go with it, if they are not too many
            end = self._runs[1].start
            return self._cut(end, count_tokens(self._text()[:end])) if self._length - end > LONG else None
        text = self._text()
        limit = self._limit(text)
        while True:
            place = self._place(text, limit)
            if place is None:
                return None
            tokens = count_tokens(text[:place])
            if tokens <= self._max or place > limit:
                return self._cut(place, tokens)
            limit = place - 1

    def _limit(self, text: str) -> int:
        """How many characters of *text* are within the limit."""
        start, tokens = self._known
        rest = text[start:]
        fitting = bisect_right(range(1, len(rest) + 1), self._max, key=lambda n: tokens + count_tokens(rest[:n]))
        return min(start + fitting, self._most)

    def _place(self, text: str, limit: int) -> int | None:
        """Where to cut, up to *limit* if it can be: not in a block, best at the end of a sentence or line."""
        number = bisect_right(self._runs, limit, key=lambda run: run.start) - 1
        run = self._runs[number]
        if run.kind is not Kind.PROSE:
            return run.start or (self._runs[number + 1].start if number + 1 < len(self._runs) else None)
        place = last_place(text, run.start, limit) or run.start or last_word_end(text, limit)
        if not place:
            place = border_before(text, limit) or border_after(text, limit)
        if place == len(text):  # one character, which may go on
            return place if place > LONG else None
        return place

    def _cut(self, place: int, tokens: float) -> Segment:
        """The segment up to *place* in the text; the rest begins the next one."""
        whole = self._text()
        text = whole[:place]
        left_out = [each for each in self._left_out if each.at <= place]
        sizes = dict.fromkeys(Kind, 0)
        ends = [run.start for run in self._runs[1:]] + [len(whole)]
        rest: list[_Run] = []
        for run, end in zip(self._runs, ends, strict=False):  # without a run there is no text
            sizes[run.kind] += len(text[run.start : end].strip())
            if end > place:
                rest.append(_Run(run.kind, max(0, run.start - place)))
        size = sum(sizes.values())
        skipped = sum(sizes[kind] for kind in Kind if self._modes[kind] is Keep.KEEP_SKIP)
        segment = Segment(
            text=text,
            tokens=tokens,
            raw_tokens=tokens + sum(each.counter.tokens for each in left_out),
            code_share=sizes[Kind.CODE] / size if size else 0.0,
            is_table=0 < sizes[Kind.TABLE] == size,
            start=self._start,
            end=self._start + place + sum(each.characters for each in left_out),
            refine=size > 0 and skipped * 2 <= size,
        )
        self._start = segment.end
        following = self._left_out[len(left_out) :]
        for each in following:
            each.at -= place
        self._begin(whole[place:], rest, following)
        return segment


class _Run(NamedTuple):
    """Where in the text prose, a block of code or a table starts."""

    kind: Kind
    start: int


@dataclass(slots=True)
class _LeftOut:
    """What was left out at a place of the text."""

    at: int
    counter: TokenCounter
    characters: int = 0


_MOST_CHARACTERS = 16
"""How many characters count as a token at least, on the whole: a run of blanks may have next to none, and must not
be stored without end."""
