"""Keeps the user's choices for boxes in the browser's storage, for as long as the settings say (F14).

``boot.js`` reads what is kept while Python starts; the service worker lets pages use the storage that lasts
until the browser closes, and moves what is kept when the setting changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import js
from pyodide.ffi import create_proxy, to_js

from ..core.choices import Change, Choices
from ..core.settings import Remember
from .dom import options

_AREAS = {Remember.BROWSER: "session", Remember.ALWAYS: "local"}


class Memory:
    """The choices of this page. *on_failure* is called when the storage takes no more."""

    def __init__(self, on_failure: Callable[[], None]) -> None:
        self.choices = Choices()
        self._remember = Remember.PAGE
        self._failed = create_proxy(lambda _error: on_failure())

    def load(self, stored: Mapping[str, object], remember: Remember) -> None:
        """Take what ``boot.js`` read from the storage that *remember* names."""
        self._remember = remember
        self._write(self.choices.load(stored))

    def keep(self, remember: Remember) -> None:
        """From now on keep choices for so long, those that were made before with them."""
        if remember is not self._remember:
            self._remember = remember
            self._write(Change(self.choices.all(), []))

    def choose(self, boxes: Iterable[Iterable[str]], expanded: bool | None) -> None:
        """Note that the user opened (True) or folded (False) boxes, each given by its names, or chose nothing any
        more (None)."""
        changes = [self.choices.choose(names, expanded, js.Date.now()) for names in boxes]
        self._write(
            Change(
                {key: value for change in changes for key, value in change.write.items()},
                [key for change in changes for key in change.remove],
            )
        )

    def _write(self, change: Change) -> None:
        if self._remember is Remember.PAGE:
            return
        area = getattr(js.chrome.storage, _AREAS[self._remember])
        if change.remove:
            self._expect(area.remove(to_js(change.remove)))
        if change.write:
            self._expect(area.set(options(**change.write)))

    def _expect(self, promise: object) -> None:
        """What the storage refuses is known to this page all the same."""
        promise.catch(self._failed)  # type: ignore[attr-defined]
