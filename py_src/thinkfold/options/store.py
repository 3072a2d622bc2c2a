"""The settings in the browser's storage: read once, changed one by one, heard when another page changes them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import js
from pyodide.ffi import JsException, create_proxy, to_js

from ..core.settings import migrate
from ..core.settings_file import KEPT_CHOICE


class Store:
    """What is stored, as far as it is settings: :attr:`stored`, by name. It is what was last asked for, while the
    browser is still writing it.

    Use :meth:`read` to make one.
    """

    def __init__(self, stored: dict[str, object]) -> None:
        self.stored = stored
        self._writing = 0
        self._written = 0

    @classmethod
    async def read(cls) -> Store:
        """Read what is stored, and bring it to the newest form."""
        store = cls(await _read())
        await store.replace(migrate(store.stored))
        return store

    async def replace(self, stored: dict[str, object]) -> bool:
        """Make the stored settings these, with the least writing. False when the browser refuses; then
        :attr:`stored` is what it has."""
        before, self.stored = self.stored, dict(stored)
        removed = [name for name in before if name not in stored]
        changed = {name: value for name, value in stored.items() if name not in before or value != before[name]}
        area = js.chrome.storage.local
        self._writing += 1
        self._written += 1
        try:
            if changed:
                await area.set(to_js(changed, dict_converter=js.Object.fromEntries))
            if removed:
                await area.remove(to_js(removed))
        except JsException:
            self.stored = await _read()
            return False
        finally:
            self._writing -= 1
        return True

    def listen(self, on_change: Callable[[], Awaitable[None]]) -> None:
        """Call *on_change* when another page has changed what is stored."""

        async def hear(*_: object) -> None:
            # News of our own writes comes late, when the user may be further already: so what is stored is asked for
            # when nothing is being written.
            written = self._written
            stored = await _read()
            if not self._writing and written == self._written and stored != self.stored:
                self.stored = stored
                await on_change()

        js.chrome.storage.local.onChanged.addListener(create_proxy(hear))


async def _read() -> dict[str, object]:
    stored = (await js.chrome.storage.local.get(None)).to_py()
    return {name: value for name, value in stored.items() if KEPT_CHOICE not in name}
