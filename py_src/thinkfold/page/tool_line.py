"""Draws the tool line: the one line that stands for all tool items of a box (F3, F4).

A line is made once by cloning a template of our own and then only told what changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import js
from pyodide.ffi import to_js

from . import words
from .dom import Element, set_attributes

MARK = "data-thinkfold-box"
PART = "data-thinkfold-part"


@dataclass(slots=True)
class LineText:
    """What a tool line says. *elapsed* is in whole seconds, None where no time was observed."""

    title: str
    summary: str
    steps: int
    elapsed: int | None


class ToolLine:
    """One tool line on the page; :attr:`element` is its button."""

    def __init__(self, box: str, template: Element) -> None:
        self.element = template.cloneNode(True)
        self.element.setAttribute(MARK, box)
        parts = self.element.children
        self._icon, self._title, self._summary, self._count = parts[0], parts[1], parts[2], parts[3]
        self._text = LineText("", "", 0, None)
        self._attributes: dict[str, str] = {}
        self.controls: object = None
        """What the line was told to control; the painter compares it like :attr:`icon_of`."""
        self.icon_of: object = None
        """What the icon was drawn from; the painter compares it to know when to draw it again."""

    def set_attributes(self, attributes: dict[str, str]) -> None:
        """Give the button exactly these attributes besides its own mark."""
        if attributes != self._attributes:
            set_attributes(self.element, self._attributes, attributes)
            self._attributes = attributes

    def set_controlled(self, elements: list[Element]) -> None:
        """Name what the button opens and folds (``aria-controls``), where the browser takes elements: the host's
        own have no identities, and get none from us."""
        if hasattr(self.element, "ariaControlsElements"):
            self.element.ariaControlsElements = to_js(elements)

    def set_text(self, text: LineText) -> None:
        """Show *text*, writing only what differs."""
        old, self._text = self._text, text
        if text.title != old.title:
            self._title.textContent = text.title
        if text.summary != old.summary:
            self._summary.textContent = text.summary
        if (text.steps, text.elapsed) != (old.steps, old.elapsed):
            self._count.textContent = count_text(text.steps, text.elapsed)

    def set_summary(self, summary: str) -> None:
        """Follow the host's words while they grow."""
        if summary != self._text.summary:
            self._text.summary = summary
            self._summary.textContent = summary

    def set_elapsed(self, elapsed: int | None) -> None:
        """Show another time."""
        if elapsed != self._text.elapsed:
            self._text.elapsed = elapsed
            self._count.textContent = count_text(self._text.steps, elapsed)

    def set_icon(self, icon: Element | None) -> None:
        """Draw a copy of the host's small picture."""
        copy = icon.cloneNode(True) if icon else None
        self._icon.replaceChildren(*([copy] if copy else []))


def count_text(steps: int, elapsed: int | None) -> str:
    """ "9 steps · 14s", or without the time where none, or less than a second, was observed."""
    count = words.counted("steps", steps)
    return f"{count} · {words.duration(elapsed)}" if elapsed else count


def make_template() -> Element:
    """The line without its words, to be cloned."""
    button = js.document.createElement("button")
    button.setAttribute("type", "button")
    for name in ("icon", "title", "summary", "count"):
        span = js.document.createElement("span")
        span.setAttribute(PART, name)
        if name == "icon":
            span.setAttribute("aria-hidden", "true")
        button.append(span)
    return button
