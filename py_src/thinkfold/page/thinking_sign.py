"""The sign that stands in the place of a thought that runs and is never shown: three calm dots, and the time.

A screen reader hears "Thinking" once, when the sign comes; the time that ticks is for the eyes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import js

from ..core.elapsed import Stopwatch
from ..core.items import Place
from . import words
from .dom import Attachments, Element, Interval, now
from .rows import Rows

MARK = "data-thinkfold-thinking"
_PART = "data-thinkfold-thinking-part"


class ThinkingSigns:
    """The signs in one flow. *say* tells screen readers; *painted* is called after a sign ticked."""

    def __init__(
        self, rows: Rows, attached: Attachments, say: Callable[[str], None], painted: Callable[[], None]
    ) -> None:
        self._rows = rows
        self._say = say
        self._painted = painted
        self._signs: dict[Place, _Sign] = {}
        self._clock = Interval(attached, self._tick, 1000)

    def show(self, keys: Iterable[str], places: Iterable[Place]) -> None:
        """Have signs at exactly *places* in the rows *keys*."""
        wanted = {*places}
        if not (wanted or self._signs):
            return
        of_turn = {*keys}
        for place in [place for place in self._signs if place.key in of_turn and place not in wanted]:
            self._signs.pop(place).element.remove()
        for place in wanted:
            sign = self._signs.get(place)
            if sign is None:
                sign = self._signs[place] = _Sign()
                self._say(words.word("thinkingNow"))
            for thought in self._rows.elements(place.key, place.part):
                sign.stand_before(thought)

    def settle(self) -> None:
        """The clock runs only while there is a sign."""
        self._clock.want(bool(self._signs))

    def write_anew(self) -> None:
        """The language is another one."""
        for sign in self._signs.values():
            sign.write()

    def clear(self) -> None:
        """Take all of them away."""
        for sign in self._signs.values():
            sign.element.remove()
        self._signs.clear()

    def _tick(self) -> None:
        for place in [place for place, sign in self._signs.items() if not sign.element.isConnected]:
            del self._signs[place]  # the host took the row away
        for sign in self._signs.values():
            sign.tick()
        self._painted()


class _Sign:
    def __init__(self) -> None:
        self.element = js.document.createElement("div")
        self.element.setAttribute(MARK, "")
        dots, self._title, self._time = (js.document.createElement("span") for _ in range(3))
        for part, name in ((dots, "dots"), (self._title, "title"), (self._time, "time")):
            part.setAttribute(_PART, name)
        for part in (dots, self._time):
            part.setAttribute("aria-hidden", "true")
        dots.append(*(js.document.createElement("i") for _ in range(3)))
        self.element.append(dots, self._title, self._time)
        self._watch = Stopwatch()
        self._watch.observe(True, now())
        self.write()

    def write(self) -> None:
        self._title.textContent = words.word("thinkingNow")
        self.tick()

    def tick(self) -> None:
        seconds = self._watch.seconds(now())
        self._time.textContent = words.duration(seconds) if seconds else ""

    def stand_before(self, thought: Element) -> None:
        if not self.element.isConnected or self.element.nextSibling != thought:
            thought.before(self.element)
