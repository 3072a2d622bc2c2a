"""Draws the segments of a thought with what they say; the panel and the view share it. All of it is text: what a
model wrote never becomes an element."""

from __future__ import annotations

from collections.abc import Sequence

import js

from ..core.recorder import SummedUp, Thought
from . import words
from .dom import Element

_PART = "data-thinkfold-summary-part"


def part(name: str, tag: str = "span", text: str = "") -> Element:
    """An element of ours with a name for the stylesheet."""
    element = js.document.createElement(tag)
    element.setAttribute(_PART, name)
    if text:
        element.textContent = text
    return element


def button(name: str, text: str, title: str = "") -> Element:
    """A button of ours."""
    element = part(name, "button", text)
    element.setAttribute("type", "button")
    if title:
        element.setAttribute("title", title)
    return element


class OwnList:
    """The summaries that a model put into its own thinking; :attr:`element` is there when there are some."""

    def __init__(self) -> None:
        self.element = part("own", "ul")
        self.element.hidden = True
        self._shown = 0

    def show(self, own: Sequence[str]) -> bool:
        """Show them. True when there are more than before."""
        grew = len(own) > self._shown
        if len(own) < self._shown:
            self.element.replaceChildren()
            self._shown = 0
        for text in own[self._shown :]:
            self.element.append(part("said", "li", text))
        self._shown = len(own)
        self.element.hidden = not own
        self.element.setAttribute("aria-label", words.word("ownSummaries"))
        return grew


class SummaryList:
    """The segments of one thought as a list; :attr:`element` is it."""

    def __init__(self) -> None:
        self.element = part("segments", "ol")
        self._shown: list[tuple[str, str]] = []

    def show(self, segments: Sequence[SummedUp], first: int = 0) -> bool:
        """Show *segments*, of which the first has number *first* (from 0). True when there are more than before."""
        wanted = [(segment.refined or segment.summary, size_of(segment)) for segment in segments]
        grew = len(wanted) > len(self._shown) or first + 1 != int(self.element.getAttribute("start") or 1)
        if first + 1 != int(self.element.getAttribute("start") or 1):
            self.element.setAttribute("start", str(first + 1))
            self.element.replaceChildren()
            self._shown = []
        for index, (text, size) in enumerate(wanted):
            if index < len(self._shown) and self._shown[index] == (text, size):
                continue
            item = js.document.createElement("li")
            item.append(part("said", "p", text or words.word("summaryNothing")), part("size", "span", size))
            old = self.element.children[index] if index < len(self._shown) else None
            if old:
                old.replaceWith(item)
            else:
                self.element.append(item)
        self._shown = wanted
        return grew


def size_of(segment: SummedUp) -> str:
    """ "≈ 1,500 tokens", with what else is to be known of a segment."""
    details = [tokens(segment.raw_tokens)]
    if segment.is_table:
        details.append(words.word("segmentTable"))
    elif segment.code_share >= 0.01:
        details.append(words.word("segmentCode", words.number(round(100 * segment.code_share))))
    if segment.refined:
        details.append(words.word("segmentRefined", tokens(segment.refined_tokens)))
    elif segment.unrefined:
        details.append(words.word("segmentUnrefined", words.word(*segment.unrefined)))
    return " · ".join(details)


def tokens(count: float) -> str:
    """ "≈ 1,500 tokens": an estimate, so only its first two or three digits."""
    return words.counted("tokens", rounded(count))


def rounded(count: float) -> int:
    """A count to two digits below a thousand, to three from there on, so that it is no more exact than it can be."""
    whole = round(count)
    digits = len(str(whole)) - (2 if whole < 1000 else 3)
    return round(whole, -digits) if digits > 0 else whole


def measure_of(thought: Thought) -> str:
    """ "9s · ≈ 340 tokens": how long a thought took and how long it is."""
    seconds = thought.seconds
    return " · ".join(([words.duration(seconds)] if seconds else []) + [tokens(thought.tokens)])
