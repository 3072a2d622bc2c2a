"""The settings in the browser's storage: read once, changed one by one, heard when another page changes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import js
from pyodide.ffi import JsException, create_proxy, to_js

from ..core.settings import migrate
from ..core.settings_file import KEPT_CHOICE


class Store:
    """What is stored, as far as it is settings: :attr:`stored`, by name.

    Use :meth:`read` to make one.
    """

    def __init__(self, stored: dict[str, object]) -> None:
        self.stored = stored

    @classmethod
    async def read(cls) -> Store:
        """Read what is stored, and bring it to the newest form."""
        store = cls(_settings_in((await js.chrome.storage.local.get(None)).to_py()))
        await store.replace(migrate(store.stored))
        return store

    async def replace(self, stored: dict[str, object]) -> bool:
        """Make the stored settings these, with the least writing. False when the browser refuses."""
        removed = [name for name in self.stored if name not in stored]
        changed = {
            name: value for name, value in stored.items() if name not in self.stored or value != self.stored[name]
        }
        area = js.chrome.storage.local
        try:
            if changed:
                await area.set(_object(changed))
            if removed:
                await area.remove(to_js(removed))
        except JsException:
            return False
        self.stored = dict(stored)
        return True

    def listen(self, on_change: Callable[[], object]) -> None:
        """Call *on_change* whenever what is stored has become other than :attr:`stored` was, here or elsewhere."""

        def hear(changes: Any, *_: Any) -> None:
            after = dict(self.stored)
            for name, change in _settings_in(changes.to_py(depth=1)).items():
                value: Any = getattr(change, "newValue", None)
                if value is None:
                    after.pop(name, None)
                else:
                    after[name] = value.to_py() if hasattr(value, "to_py") else value
            if after != self.stored:
                self.stored = after
                on_change()

        js.chrome.storage.local.onChanged.addListener(create_proxy(hear))


def _settings_in(stored: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if KEPT_CHOICE not in name}


def _object(values: dict[str, object]) -> Any:
    """A JavaScript object of objects, whatever is nested in it."""
    return to_js(values, dict_converter=js.Object.fromEntries)
