"""The observed time of a box: how long this page has seen it at work (F4).

A chat that is loaded from history has no time, because none was observed; a made-up number would mislead.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Stopwatch:
    """Times one box. Feed it with :meth:`observe`; all times are seconds on one monotonic clock."""

    started: float | None = None
    stopped: float | None = field(default=None)

    def observe(self, live: bool, now: float) -> None:
        """Note that the box is live (may still grow) or not at the time *now*."""
        if live:
            if self.started is None:
                self.started = now
            self.stopped = None
        elif self.started is not None and self.stopped is None:
            self.stopped = now

    @property
    def ticking(self) -> bool:
        """True while the time goes on, so that the page needs to paint it again."""
        return self.started is not None and self.stopped is None

    def seconds(self, now: float) -> int | None:
        """Whole seconds so far, or None when nothing was observed."""
        if self.started is None:
            return None
        return max(0, int((self.stopped if self.stopped is not None else now) - self.started))
