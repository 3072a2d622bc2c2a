"""The words that the extension shows, from ``_locales``.

The message ``language`` names the language of the words, which is not the browser's where we do not speak that one.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import js
from pyodide.ffi import to_js


def word(key: str, *substitutions: str) -> str:
    """The message *key* in the browser's language."""
    return str(js.chrome.i18n.getMessage(key, to_js(substitutions)))


def counted(key: str, count: int) -> str:
    """The message ``key_one`` or ``key_other`` as the plural rule of our words says, with the number in it."""
    form = _plural_rules().select(count)
    return word(f"{key}_{form}", str(count)) or word(f"{key}_other", str(count))


@cache
def _plural_rules() -> Any:
    return js.Intl.PluralRules.new(word("language"))


def duration(seconds: int) -> str:
    """A length of time in few letters: "9s", "1m 23s", "1h 2m"."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    parts = {"hours": hours, "minutes": minutes} if hours else {"minutes": minutes, "seconds": left}
    shown = {unit: amount for unit, amount in parts.items() if amount}
    return " ".join(_amount(unit[:-1], amount) for unit, amount in (shown or {"seconds": 0}).items())


def _amount(unit: str, amount: int) -> str:
    return str(_unit_format(unit).format(amount))


@cache
def _unit_format(unit: str) -> Any:
    from .dom import options

    style = options(style="unit", unit=unit, unitDisplay="narrow")
    return js.Intl.NumberFormat.new(word("language"), style)
