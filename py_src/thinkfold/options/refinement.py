"""What the options page does for refinement: the browser's permission for the model's address, and a trial."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import js
from pyodide.ffi import JsException
from pyscript import web, when

from ..core.refinement import Refined
from ..core.settings import Settings
from ..page.dom import Attachments, now, options, to_array
from ..page.small_model import Answer, SmallModel
from ..page.words import number, word

ADDRESS = "refineAddress"
"""The name of the setting with the address."""


class Permission:
    """The browser's permission to call the host of an address, and no other. A browser asks its user for it, and only
    while it handles what the user did."""

    def __init__(self) -> None:
        self._asked: tuple[str, Any] = ("", None)

    def ask(self, address: object) -> None:
        """Ask for it, if *address* is one. What the user says, :meth:`granted` tells."""
        pattern = _pattern_of(str(address))
        if pattern:
            self._asked = (pattern, js.chrome.permissions.request(_origins(pattern)))

    async def granted(self, address: str) -> bool:
        """True when the address may be called; also for none."""
        pattern = _pattern_of(address)
        if not pattern:
            return True
        try:
            asked, answer = self._asked
            if asked == pattern:
                self._asked = ("", None)
                return bool(await answer)
            return bool(await js.chrome.permissions.contains(_origins(pattern)))
        except JsException:  # nothing that the browser knows as a host
            return False

    async def give_back(self, address: str, kept: str) -> None:
        """Give the permission for *address* back, unless it serves *kept* too, or scripts of ours run there."""
        pattern = _pattern_of(address)
        if not pattern or pattern == _pattern_of(kept):
            return
        scripts = await js.chrome.scripting.getRegisteredContentScripts()
        if any(pattern in script.matches.to_py() for script in scripts):
            return
        try:
            await js.chrome.permissions.remove(_origins(pattern))
        except JsException:
            return  # it is one that every installation has


class RefinementTest:
    """A button that has the model sum up a few words, and what came of it. *settings* gives those that are stored."""

    def __init__(self, settings: Callable[[], Settings], permission: Permission) -> None:
        self._settings = settings
        self._permission = permission
        self._model = SmallModel(settings(), Attachments(_throw))
        self._button = web.button(textContent=word("refineTest"), type="button", id="refine-test")
        self._said = web.p(id="refine-said", classes=["help"])
        self._said.setAttribute("role", "status")
        self.row = web.div(
            web.div(web.p(textContent=word("refineTestHelp"), classes=["help"]), self._said, classes=["said"]),
            web.div(web.span(self._button, classes=["field"]), classes=["given"]),
            classes=["setting"],
        )
        # After an import the browser was not asked yet, and it may be asked only while it handles the click.
        when("click", self._button)(lambda _event: permission.ask(settings().refine_address))
        when("click", self._button)(self._on_click)

    async def _on_click(self, _event: Any) -> None:
        settings = self._settings()
        self._said.textContent = word("refineTestAsking")
        await self._permission.granted(settings.refine_address)  # if not, the service worker says so
        started = now()
        self._model.set_settings(settings)
        self._model.ask(word("refineTestPassage"), lambda answer: self._say(answer, now() - started))

    def _say(self, answer: Answer, seconds: float) -> None:
        chosen = word(answer.chosen.key, answer.chosen.model, answer.chosen.reason) if answer.chosen else ""
        if isinstance(answer.outcome, Refined):
            said = word("refineTestAnswered", answer.outcome.text, number(round(seconds * 1000)))
        else:
            said = word(answer.outcome.key, *answer.outcome.arguments)
        self._said.textContent = " ".join(each for each in (chosen, said) if each)


def _pattern_of(address: str) -> str:
    """The pattern by which a browser knows the host of an address; empty for none. Browsers' patterns have no port."""
    found = re.fullmatch(r"(https?)://(\[[^\]]+\]|[^/:?#@]+)(?::\d+)?(?:[/?#].*)?", address.strip())
    return f"{found[1]}://{found[2]}/*" if found else ""


def _origins(pattern: str) -> Any:
    return options(origins=to_array([pattern]))


def _throw(error: BaseException) -> None:
    raise error
