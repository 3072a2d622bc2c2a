"""Reads a message whole, or as it streams in, with the same result."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from .code import find_code
from .dialects import SEED, TOLERANT, Dialects, Role, Tag, TagFinder
from .reader import Block, State, cells, seed_pending, seed_step, tolerant_pending, tolerant_step, without_open
from .result import ParsedThinking, Span, seed_result, tolerant_result, verbatim_spans
from .signs import Sign, Signs, Strength, seed_signs, tolerant_signs

Reading = Literal["seed", "tolerant"]
"""``"seed"`` is seed 000 to the letter; ``"tolerant"`` is for what people meet, and the page's own."""


class _Rules(NamedTuple):
    dialects: Dialects
    signs: Callable[..., Signs]
    step: Callable[[State, Sign], State]
    pending: Callable[[State], Tag | None]
    result: Callable[[str, Sequence[Block], Tag | None, Sequence[Tag], int], ParsedThinking]


_RULES: dict[Reading, _Rules] = {
    "seed": _Rules(SEED, seed_signs, seed_step, seed_pending, seed_result),
    "tolerant": _Rules(TOLERANT, tolerant_signs, tolerant_step, tolerant_pending, tolerant_result),
}


class ThinkingStream:
    """Takes a message apart while it arrives.

    >>> stream = ThinkingStream(reading="tolerant")
    >>> stream.feed("<think>Two and two")
    >>> stream.result().pending
    'Two and two'
    >>> stream.feed(" is four.</think>Four.")
    >>> stream.close().body
    'Four.'

    Feeding costs time in proportion to what is fed; :meth:`result` in proportion to the message, because it
    copies the text (call it once per frame, not once per piece).

    What can no longer change is read once. The last block of Markdown may be read again when a tag arrives in
    it, up to an allowance in proportion to the message. In a message that uses it up (hundreds of tags in one
    block of many kilobytes) a tag may be taken for text until more has arrived, or until :meth:`close`.
    """

    def __init__(self, *, reading: Reading = "seed") -> None:
        self._rules = _RULES[reading]
        self._finder = TagFinder(self._rules.dialects)
        self._settled: list[str] = []  # the text before the part that may be read again
        self._open: list[str] = []  # that part
        self._open_start = 0
        self._state = State()  # at its start
        self._tags: list[Tag] = []  # in it
        self._now = self._state  # at its end
        self._stale = self._at_edge = self._in_open_code = False  # see Signs
        self._length = 0
        self._first: int | None = None  # the first character that is not blank
        self._spent = 0  # characters of Markdown read
        self._closed = False

    def feed(self, text: str) -> None:
        """The next piece of the message, of any length. Raises ``ValueError`` after :meth:`close`."""
        if self._closed:
            raise ValueError("the stream is closed")
        self._take(text)
        if self._stale and self._spent + self._length - self._open_start <= _ALLOWANCE + _SHARE * self._length:
            self._read(more=True)

    def result(self) -> ParsedThinking:
        """The message so far; after :meth:`close`, as it is."""
        text = "".join([*self._settled, *self._open])
        self._settled, self._open = [text[: self._open_start]], [text[self._open_start :]]
        blocks = list(cells(self._now.blocks))[::-1]
        inner = list(cells(self._now.inner))[::-1]
        if self._closed:
            return self._rules.result(text, blocks, None, inner, 0)
        return self._rules.result(text, blocks, self._rules.pending(self._now), inner, self._finder.unfinished())

    def close(self) -> ParsedThinking:
        """The message has ended: what is still open is body (seed 000 §6.5). May be called again."""
        if not self._closed:
            self._read(more=False)
            self._now = without_open(self._now)
            self._closed = True
        return self.result()

    def read_to_end(self) -> Tag | None:
        """Reads what there is as if no more came. Gives the tag of the thought that is open then."""
        self._read(more=False)
        return self._rules.pending(self._now)

    def spans(self, start: int, end: int) -> list[Span]:
        """What the message shows from *start* to *end*, every character as it stands, without the tags. Costs time
        in proportion to what was found since *start*."""
        now = self._now
        return verbatim_spans(cells(now.blocks), self._rules.pending(now), cells(now.inner), start, end)

    def undecided(self) -> int:
        """How many of the last characters are a tag, or its beginning, that the next characters decide about."""
        edge = self._length - self._tags[-1].start if self._at_edge and not self._stale and self._tags else 0
        return max(edge, self._finder.unfinished())

    def steady_to(self, text: str, start: int) -> int:
        """How far into *text*, the next piece, one can go from *start* before what came earlier may be read
        differently, if no tag comes."""
        if self._stale or not (self._at_edge or self._in_open_code):
            return len(text)
        sign = None if self._at_edge else _CODE_SIGNS.search(text, start + 1)
        return start + 1 if self._at_edge else sign.start() if sign else len(text)

    def _take(self, text: str) -> None:
        """Finds the tags of the next piece, and whether the open part must be read again."""
        if self._first is None and text and not text.isspace():
            self._first = self._length + len(text) - len(text.lstrip())
        self._open.append(text)
        self._length += len(text)
        found = [tag for tag in self._finder.feed(text) if self._may_stand_here(tag)]
        self._tags += found
        self._stale |= bool(found) or (self._at_edge and bool(text))
        self._stale |= self._in_open_code and _CODE_SIGNS.search(text) is not None

    def _may_stand_here(self, tag: Tag) -> bool:
        return not tag.dialect.leads or tag.role is not Role.OPENING or tag.start == self._first

    def _read(self, *, more: bool) -> None:
        """Reads the open part, and settles what more text cannot change."""
        text = "".join(self._open)
        self._open = [text]
        self._spent += len(text)
        self._stale = self._at_edge = self._in_open_code = False
        resume = self._pair(text, more=more)
        if more and resume > self._open_start:
            self._settled.append(text[: resume - self._open_start])
            self._open = [text[resume - self._open_start :]]
            self._open_start = resume
            self._tags = self._tags[bisect_left(self._tags, resume, key=_start) :]

    def _pair(self, text: str, *, more: bool) -> int:
        """Takes the signs in *text*, the open part. Gives the place from where alone it may need to be read again,
        and keeps the state there.

        Where a closing within code counts, the code ends with it, and the rest is read anew from there.
        """
        start = self._open_start
        state = self._state
        resume = start
        history: list[tuple[int, State]] = []  # the state before each sign, of the first round
        for round_ in range(_MOST_ROUNDS):
            rest = text[start - self._open_start :]
            tags = self._tags[bisect_left(self._tags, start, key=_start) :]
            code = find_code(rest, [tag.start - start for tag in tags], more=more)
            signs = self._rules.signs(rest, start, tags, code.code, more=more)
            self._at_edge |= signs.at_edge
            self._in_open_code |= signs.in_open_code
            if round_ == 0:
                resume = start + code.resume
            ended_at: int | None = None
            for sign in signs.signs:
                if round_ == 0:
                    history.append((sign.start, state))
                if sign.strength is Strength.IN_CODE and sign.tag is not None:
                    if state.pending is None or state.pending.opening.dialect is not sign.tag.dialect:
                        continue
                    better = sign.followed is not None and sign.followed.role is Role.CLOSING
                    if round_ == 0 and not (better and sign.followed is not None and sign.followed.end <= resume):
                        resume = min(resume, sign.block)  # a later closing may be better
                    if better:
                        continue
                    ended_at = sign.tag.end
                state = self._rules.step(state, sign)
                if ended_at is not None:
                    break
            if ended_at is None:
                break
            start = ended_at
        self._now = state
        self._state = next((before for at, before in history if at >= resume), state)
        return resume


def parse_thinking(content: str, *, streaming: bool, reading: Reading = "seed") -> ParsedThinking:
    """Takes a whole message apart, or with *streaming* what has arrived of it (seed 000 §4)."""
    stream = ThinkingStream(reading=reading)
    stream._take(content)
    if not streaming:
        return stream.close()
    stream._read(more=True)
    return stream.result()


def may_hold_thinking(text: str, *, streaming: bool = False) -> bool:
    """False where a tolerant reading of *text* cannot find a tag; a fast look. With *streaming*, True also where
    the last characters may become one."""
    return next(TOLERANT.tags(text), None) is not None or (streaming and TOLERANT.unfinished(text) > 0)


class Boundary(NamedTuple):
    """Whether the first tag of its kind came: thinking has *started*, has *ended*."""

    started: bool
    ended: bool


def detect_boundary(prev: str, next: str, *, reading: Reading = "seed") -> Boundary:
    """What happened for the first time as a streaming message grew from *prev* to *next* (seed 000 §4.4)."""
    before = parse_thinking(prev, streaming=True, reading=reading)
    after = parse_thinking(next, streaming=True, reading=reading)
    return Boundary(
        started=_has_started(after) and not _has_started(before),
        ended=bool(after.segments) and not before.segments,
    )


def _has_started(parsed: ParsedThinking) -> bool:
    return bool(parsed.segments) or parsed.pending is not None


def _start(tag: Tag) -> int:
    return tag.start


_CODE_SIGNS = re.compile("[`>\n\r]")
"""What may end code, or undo it."""

_ALLOWANCE = 1 << 18
_SHARE = 4
"""A stream may read ``_ALLOWANCE`` characters of Markdown again, and ``_SHARE`` times its own length."""

_MOST_ROUNDS = 16
"""How often a closing within code may end that code. A message that needs more is made to be slow."""
