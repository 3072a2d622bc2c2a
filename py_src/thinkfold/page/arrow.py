"""The arrow at the left of an expanded box: two arrows that point at each other, and collapse it (F9).

A strip of ours, right before the tool line, spans the box from its first to its last framed element by CSS
anchor positioning, and the button in it is sticky: it travels with the viewport and never leaves the box. It
stands where the Tab key should find it.
Nothing is measured. Browsers without anchor positioning do not show the strip; there the tool line, which
stays at the top of an expanded box, collapses it.
"""

from __future__ import annotations

import js

from . import words
from .dom import Element

MARK = "data-thinkfold-arrow"
STRIP = "data-thinkfold-strip"


class Arrow:
    """The collapse button of one expanded box. Anchor names are unique by *serial*."""

    def __init__(self, box: str, serial: int) -> None:
        self.box = box
        self.top, self.bottom = f"--thinkfold-top-{serial}", f"--thinkfold-bottom-{serial}"
        self._strip = js.document.createElement("div")
        self._strip.setAttribute(STRIP, "")
        self._strip.style.cssText = f"position-anchor: {self.top}; bottom: anchor({self.bottom} bottom)"
        button = js.document.createElement("button")
        button.setAttribute("type", "button")
        button.setAttribute(MARK, box)
        label = words.word("collapse")
        button.setAttribute("aria-label", label)
        button.setAttribute("title", label)
        self._strip.append(button)
        self._anchored: list[Element] = []

    def stand_before(self, line: Element) -> None:
        """Stand right before the tool line."""
        if not self._strip.isConnected:
            line.before(self._strip)

    def anchor(self, top: Element, bottom: Element) -> None:
        """Span from the upper edge of *top* to the lower edge of *bottom*."""
        if self._anchored and self._anchored[0] == top and self._anchored[1] == bottom:
            return
        self._release()
        self._anchored = [top, bottom]
        if top == bottom:
            top.style.anchorName = f"{self.top}, {self.bottom}"
        else:
            top.style.anchorName = self.top
            bottom.style.anchorName = self.bottom

    def remove(self) -> None:
        """Take the strip and the anchors' names away."""
        self._release()
        self._strip.remove()

    def _release(self) -> None:
        for element in self._anchored:
            element.style.removeProperty("anchor-name")
            if not element.getAttribute("style"):
                element.removeAttribute("style")
        self._anchored = []
