"""The block that shows the thinking of a message (seed 000 §6): a header that says how long and how much, and the
thinking itself, rendered as Markdown when it is open.
"""

from __future__ import annotations

from dataclasses import dataclass

import js

from ..core.markdown import GrowingMarkdown
from ..core.reasoning import Look
from ..core.smoothing import Smoother
from ..hosts import Label
from . import words
from .dom import Element, now

MARK = "data-thinkfold-think"
_PART = "data-thinkfold-think-part"
_STATE = "data-thinkfold-state"


_DELAY = 0.4
"""Seconds by which thinking that comes in bursts may be shown later, so that it comes evenly (seed 003)."""
_BETWEEN_DRAWS = 0.08
"""Seconds: drawing Markdown anew for each paint would cost more than it shows."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a block shows. *seconds* were observed (None: none were), *running* while more of it arrives."""

    markdown: str
    characters: int
    seconds: int | None
    running: bool


class ThinkBlock:
    """One block; :attr:`element` is ours and stands before the message's text."""

    def __init__(self) -> None:
        self.element = js.document.createElement("div")
        self.element.setAttribute(MARK, "")
        self._button = js.document.createElement("button")
        self._button.setAttribute("type", "button")
        self._chevron, self._icon = _part("chevron"), _part("icon")
        self._icon.textContent = "💭"
        for decoration in (self._chevron, self._icon):
            decoration.setAttribute("aria-hidden", "true")
        self._title, self._detail, self._latest = _part("title"), _part("detail"), _part("latest")
        self._more = _part("more")
        self._button.append(self._chevron, self._icon, self._title, self._detail, self._more)
        self._body = _part("body", "div")
        self._tail = js.document.createElement("div")
        self._body.append(self._tail)
        self._latest.hidden = True
        self.element.append(self._button, self._latest, self._body)
        self._thinking: Thinking | None = None
        self._look: Look | None = None
        self._growing = GrowingMarkdown()
        self._drawn = ""
        self._smoother: Smoother | None = None  # while something waits to be shown
        self._target = ""  # all that is to be shown
        self._drawn_at = 0.0

    @property
    def label(self) -> Label:
        """How the tool line names it."""
        return Label(words.word("thinking"), self._latest.textContent, self._icon, self._latest)

    def show(self, thinking: Thinking, look: Look, *, smooth: bool = False) -> None:
        """Show *thinking*, writing only what differs. With *smooth* what is new of it comes evenly, by
        :meth:`draw_due`."""
        before, self._thinking = self._thinking, thinking
        if before is None or before.running != thinking.running:
            self.element.setAttribute(_STATE, "running" if thinking.running else "ok")
            self._title.textContent = words.word("thinkingNow" if thinking.running else "thinking")
        if before is None or (before.seconds, before.characters) != (thinking.seconds, thinking.characters):
            self._detail.textContent = "".join(f" · {words}" for words in _details(thinking))
        if before is None or before.markdown != thinking.markdown:
            self._latest.textContent = _latest_line(thinking)
        is_open = look is Look.OPEN
        if look != self._look:
            self._look = look
            self._more.textContent = words.word("thinkingShowAll") if look is Look.CUT else ""
            self._button.setAttribute("aria-expanded", str(is_open).lower())
            self._button.setAttribute("title", words.word("thinkingHide" if is_open else "thinkingShow"))
            self._body.hidden = not is_open
        if is_open and smooth and thinking.running and before is not None and before.running:
            self._take(thinking.markdown)
        elif is_open:
            self._smoother = None
            self._draw(thinking.markdown)

    @property
    def waits(self) -> bool:
        """True while something is still to be shown."""
        return self._smoother is not None

    def draw_due(self) -> None:
        """Show what is due of what waits; all of it where nobody sees the page."""
        moment = now()
        if self._smoother is None or moment - self._drawn_at < _BETWEEN_DRAWS:
            return
        self._drawn_at = moment
        due = self._smoother.flush() if js.document.hidden else self._smoother.due(moment * 1000)
        self._draw(self._drawn + due)
        if self._smoother.idle:
            self._smoother = None

    def _take(self, markdown: str) -> None:
        """Have *markdown* shown evenly, if it goes on from what is shown."""
        known = self._target if self._smoother is not None else self._drawn
        if not markdown.startswith(known) or js.document.hidden:
            self._smoother = None
            self._draw(markdown)
        elif len(markdown) > len(known):
            self._smoother = self._smoother or Smoother(delay_ms=_DELAY * 1000)
            self._smoother.push(markdown[len(known) :], now() * 1000)
        self._target = markdown

    def write_anew(self) -> None:
        """Forget what the header says, so that :meth:`show` writes it again."""
        self._thinking = self._look = None

    def _draw(self, markdown: str) -> None:
        if markdown == self._drawn:
            return
        self._drawn = markdown
        growth = self._growing.update(markdown)
        if growth.restarted:
            self._body.replaceChildren(self._tail)
        # The renderer writes all HTML of it: what the model wrote is text to it, and cannot become an element.
        self._tail.insertAdjacentHTML("beforebegin", growth.settled)
        self._tail.innerHTML = growth.tail


def _part(name: str, tag: str = "span") -> Element:
    element = js.document.createElement(tag)
    element.setAttribute(_PART, name)
    return element


def _details(thinking: Thinking) -> list[str]:
    details = [words.counted("characters", thinking.characters)]
    if thinking.seconds is not None and not thinking.running:
        time = words.duration(thinking.seconds) if thinking.seconds else words.word("underOneSecond")
        details.insert(0, words.word("thinkingObserved", time))
    elif thinking.seconds:
        details.insert(0, words.duration(thinking.seconds))
    return details


def _latest_line(thinking: Thinking) -> str:
    """The latest line of thinking that goes on, the first line of one that has ended."""
    lines = [line for line in thinking.markdown.splitlines() if line.strip()]
    return lines[-1 if thinking.running else 0].strip() if lines else ""
