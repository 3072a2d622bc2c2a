"""What the options page says of what was just done, with a way back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pyscript import web, when

from ..page.live_region import LiveRegion
from ..page.words import word


class Notice:
    """The one notice of the page, which *live_region* says too. It stays until the next or until it is closed:
    nobody has to hurry."""

    def __init__(self, live_region: LiveRegion) -> None:
        self._element = web.page["notice"]
        self._live_region = live_region

    def say(self, text: str, undo: Callable[[], Awaitable[None]] | None = None) -> None:
        """Say what was done; *undo* is offered with it."""
        self._show(web.div(web.p(textContent=text)), undo)
        self._live_region.say(text)

    def warn(self, text: str, details: Sequence[str] = ()) -> None:
        """Say what could not be done, and why."""
        said = web.div(
            web.p(textContent=text), *([web.ul(*(web.li(textContent=each) for each in details))] if details else [])
        )
        said.setAttribute("role", "alert")
        self._show(said, None)

    def hide(self) -> None:
        """Say nothing any more."""
        self._element.replaceChildren()
        self._element.hidden = True

    def _show(self, said: Any, undo: Callable[[], Awaitable[None]] | None) -> None:
        close = web.button(textContent=word("optionsClose"), type="button")
        when("click", close)(lambda _event: self.hide())
        buttons = [close]
        if undo is not None:
            back = web.button(textContent=word("optionsUndo"), type="button")

            async def on_undo(_event: Any) -> None:
                await undo()

            when("click", back)(on_undo)
            buttons.insert(0, back)
        self._element.replaceChildren()
        self._element.hidden = False
        self._element.append(said, web.div(*buttons, classes=["buttons"]))
