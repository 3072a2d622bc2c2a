"""The words that the extension shows: from ``_locales``, in the browser's language or the one that the user chose.

The browser picks the messages of its own language by itself (``chrome.i18n``); those of another are given to
:func:`use`. Each file says its own language, so that numbers and plurals are of the language of the words also
where the browser's language is one that we have no words in.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import js
from pyodide.ffi import to_js

from ..core.messages import Messages, in_plural_form, message

_WRITTEN_WITHOUT_BLANKS = ("ja", "zh")
_BETTER_SHORT_THAN_NARROW = ("de", "ja")
"""Narrow units are "h" beside "Min." in German, and Latin letters in Japanese."""

_chosen: Messages | None = None


def use(messages: Messages | None) -> None:
    """Take the words from *messages*, a whole ``messages.json``; None for those that the browser picks."""
    global _chosen  # noqa: PLW0603
    _chosen = messages
    for kept in (_language, _plural_rules, _number_format, _unit_format):
        kept.cache_clear()


def word(key: str, *substitutions: str) -> str:
    """The message *key*; empty when there is none."""
    if _chosen is not None:
        return message(_chosen, key, substitutions)
    return str(js.chrome.i18n.getMessage(key, to_js(substitutions)))


def counted(key: str, count: int) -> str:
    """The message ``key_one``, ``key_other`` and so on as the language's plural rule says, with the number in it."""
    return in_plural_form(word, key, _plural_rules().select(count), number(count))


def number(count: int) -> str:
    """A whole number as the language writes it: "12,345"."""
    return str(count) if count < 1000 else str(_number_format().format(count))


def duration(seconds: int) -> str:
    """A length of time in few letters: "9s", "1m 23s", "1h 2m"."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    parts = {"hour": hours, "minute": minutes} if hours else {"minute": minutes, "second": left}
    shown = {unit: amount for unit, amount in parts.items() if amount}
    text = " ".join(str(_unit_format(unit).format(amount)) for unit, amount in (shown or {"second": 0}).items())
    return "".join(text.split()) if _language() in _WRITTEN_WITHOUT_BLANKS else text


@cache
def _language() -> str:
    return word("language")


@cache
def _plural_rules() -> Any:
    return js.Intl.PluralRules.new(_language())


@cache
def _number_format() -> Any:
    return js.Intl.NumberFormat.new(_language())


@cache
def _unit_format(unit: str) -> Any:
    from .dom import options

    display = "short" if _language() in _BETTER_SHORT_THAN_NARROW else "narrow"
    return js.Intl.NumberFormat.new(_language(), options(style="unit", unit=unit, unitDisplay=display))
