"""A chat of one turn that an agent works on: it plays once, and again when the user wants it."""

from __future__ import annotations

import asyncio
from typing import Any

import js
from pyscript import web, when

from ..core.settings import Settings
from ..hosts.dsh import Dsh
from ..options.sample import flow_of, line, row, said, step
from ..page.flow import Flow
from ..page.live_region import LiveRegion
from ..page.memory import Memory
from ..page.words import word

_TOOL_SECONDS = 0.9
_LETTER_SECONDS = 0.018
_PAUSE = 0.5

_TURN = (
    ("Bash", "git log --oneline report"),
    "previewFirst",
    ("Grep", "strftime"),
    ("Edit", "report/dates.py"),
    "previewSecond",
    ("Bash", "pytest report"),
    "previewAnswer",
)
"""The steps in their order: a tool's title and summary, or the key of what the agent says."""


class Example:
    """The chat in the page's ``#preview``. What is opened in it is said to *live_region*, and not remembered."""

    def __init__(self, live_region: LiveRegion) -> None:
        self._live_region = live_region
        self._flow: Flow | None = None
        self._playing: asyncio.Task[None] | None = None
        self._hurries = bool(js.matchMedia("(prefers-reduced-motion: reduce)").matches)
        when("click", web.page["again"])(self.play)
        web.page["again"].disabled = False

    async def play(self, _event: Any = None) -> None:
        """Begin from the start; with reduced motion, show the end."""
        if self._playing is not None:
            self._playing.cancel()
        if self._flow is not None:
            self._flow.close()
        self._chat = flow_of([row("user", "input-message1", said(word("previewQuestion")))])
        web.page["preview"].replaceChildren(self._chat._dom_element)
        self._flow = Flow(
            self._chat._dom_element,
            Dsh(),
            Memory(lambda: None),
            Settings(),
            on_error=_raise,
            on_change=lambda: None,
            say=self._live_region.say,
        )
        self._flow.open()
        self._playing = asyncio.ensure_future(self._play_turn())

    async def _play_turn(self) -> None:
        await self._wait(_PAUSE)
        for number, each in enumerate(_TURN):
            if isinstance(each, str):
                await self._say(number, word(each))
            else:
                await self._call(number, *each)
        self._chat.append(row("turn-tail", "turn-tail1", web.div()))

    async def _call(self, number: int, title: str, summary: str) -> None:
        """A tool that runs for a while."""
        call = line(title, summary, "running")
        self._chat.append(row("tool-call", f"tool-callc{number}", call))
        await self._wait(_TOOL_SECONDS)
        call.setAttribute("data-state", "ok")

    async def _say(self, number: int, text: str) -> None:
        """A text that comes word by word."""
        message = step("")
        self._chat.append(row("assistant-step", f"assistant-step1:{number}", message))
        (paragraph,) = message.find("p")
        for place in range(0, len(text), 3):
            paragraph.textContent = text[: place + 3]
            await self._wait(3 * _LETTER_SECONDS)
        await self._wait(_PAUSE)

    async def _wait(self, seconds: float) -> None:
        if not self._hurries:
            await asyncio.sleep(seconds)


def _raise(error: BaseException) -> None:
    """The page's console says what broke."""
    raise error
