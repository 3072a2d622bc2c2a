"""Makes text that comes in bursts come out evenly.

>>> smoother = Smoother(delay_ms=100)
>>> smoother.push("abcdefghij", now=0)
>>> smoother.due(now=50), smoother.due(now=75), smoother.due(now=100)
('abcde', 'fg', 'hij')

The pace is the slowest at which nothing waits longer than *delay_ms*: a first burst is drawn over the whole delay,
and while bursts go on the pace comes near that of the arrival, however uneven they are. When the stream ends, or
nobody sees the page, :meth:`Smoother.flush` gives all at once.

There is no clock here: *now* is the caller's, in milliseconds, and goes forwards (earlier counts as unchanged).
What is shown depends on what came when, and not on how often one asks.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from .graphemes import is_border


class _Deadline(NamedTuple):
    """All text before *end*, counted from the first character of the stream, is to be shown at *at*."""

    at: float
    end: int


class Smoother:
    """Text waiting to be shown. *delay_ms* is how late it may be; with 0 nothing waits."""

    def __init__(self, *, delay_ms: float) -> None:
        if not delay_ms >= 0:
            raise ValueError("the delay is a number of milliseconds")
        self._delay = delay_ms
        self._text = ""  # what waits
        self._new: list[str] = []  # and what came since
        self._shown = self._length = 0  # from the first character of the stream
        self._deadlines: deque[_Deadline] = deque()
        self._now = float("-inf")
        self._reached = 0.0  # where the pace has got to, in characters
        self._must = 0  # and where it has to be

    @property
    def idle(self) -> bool:
        """True while nothing waits: no timer is needed."""
        return self._shown == self._length

    def push(self, text: str, now: float) -> None:
        """Takes the next piece, which came at *now*."""
        self._advance(now)
        if not text:
            return
        self._new.append(text)
        self._length += len(text)
        deadline = self._now + self._delay
        if self._deadlines and deadline - self._deadlines[-1].at < self._delay / _MOST_DEADLINES:
            deadline = self._deadlines.pop().at  # a little too early is in time too
        self._deadlines.append(_Deadline(deadline, self._length))

    def due(self, now: float) -> str:
        """What is to be shown at *now*, after what was given before."""
        self._advance(now)
        text = self._text = "".join([self._text, *self._new])
        self._new.clear()
        must = _boundary_after(text, self._must - self._shown)
        return self._show(max(must, _boundary_before(text, int(self._reached) - self._shown)))

    def flush(self) -> str:
        """All that waits."""
        self._text = "".join([self._text, *self._new])
        self._new.clear()
        self._deadlines.clear()
        self._reached = self._length
        return self._show(len(self._text))

    def _advance(self, now: float) -> None:
        """Goes on to *now*, from deadline to deadline."""
        now = max(now, self._now)
        while self._deadlines:
            tightest = max(self._deadlines, key=self._pace)
            if tightest.at > now:
                self._reached += self._pace(tightest) * (now - self._now)
                self._drop_met()
                break
            self._now, self._reached = max(tightest.at, self._now), tightest.end
            self._drop_met()
        self._now = now

    def _drop_met(self) -> None:
        while self._deadlines and self._deadlines[0].end <= self._reached:
            self._must = self._deadlines.popleft().end

    def _pace(self, deadline: _Deadline) -> float:
        """Characters in a millisecond, to meet the deadline."""
        left = deadline.at - self._now
        return (deadline.end - self._reached) / left if left > 0 else float("inf")

    def _show(self, count: int) -> str:
        count = max(count, 0)
        shown, self._text = self._text[:count], self._text[count:]
        self._shown += len(shown)
        return shown


def _boundary_before(text: str, at: int) -> int:
    """The last place up to *at* where a character starts that a person sees as one."""
    at = min(at, len(text))
    lowest = max(0, at - _LONGEST_CHARACTER)
    while lowest < at and not is_border(text, at):
        at -= 1
    return at


def _boundary_after(text: str, at: int) -> int:
    """The first such place from *at* on."""
    highest = min(len(text), at + _LONGEST_CHARACTER)
    while at < highest and not is_border(text, at):
        at += 1
    return at


_MOST_DEADLINES = 16
"""At the same time: pieces that come closely together share one."""

_LONGEST_CHARACTER = 100
"""Code points. A pile of accents that is higher may be cut."""
