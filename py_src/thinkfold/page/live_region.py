"""Tells screen readers what the user just did to a box, and nothing else (F7)."""

from __future__ import annotations

import js

from .dom import Element

MARK = "data-thinkfold-live"


class LiveRegion:
    """A status line that is heard and not seen, in *parent*."""

    def __init__(self, parent: Element) -> None:
        self._element = js.document.createElement("div")
        self._element.setAttribute(MARK, "")
        self._element.setAttribute("role", "status")
        parent.append(self._element)

    def say(self, words: str) -> None:
        """Say *words*, also when they were the last that were said."""
        again = self._element.textContent == words
        self._element.textContent = f"{words}\u00a0" if again else words

    def remove(self) -> None:
        """Take it away."""
        self._element.remove()
