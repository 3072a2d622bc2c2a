"""Messages of a ``_locales`` file, filled in as the browser does it, and the plural form that a number takes.

The browser itself fills in the messages of its own language only; those of a language that the user chose are
filled in here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Messages = Mapping[str, Mapping[str, Any]]
"""A ``messages.json``: key → ``message`` and, where it has any, ``placeholders``: name → ``content``."""

_PLACEHOLDER = re.compile(r"\$(\w+)\$", re.ASCII)
_SUBSTITUTION = re.compile(r"\$(\$+|[1-9])")


def message(messages: Messages, key: str, substitutions: Sequence[str]) -> str:
    """The message *key*, filled in; empty when there is none.

    ``$NAME$`` stands for the content of that placeholder, in it ``$1`` to ``$9`` for the *substitutions*, ``$$`` for
    a dollar sign. What has no value is empty.
    """
    entry = messages.get(key)
    if entry is None:
        return ""
    contents = {name.lower(): str(each["content"]) for name, each in entry.get("placeholders", {}).items()}
    text = _PLACEHOLDER.sub(lambda match: contents.get(match[1].lower(), ""), str(entry["message"]))

    def value(match: re.Match[str]) -> str:
        what = match[1]
        if what.startswith("$"):
            return what
        return substitutions[int(what) - 1] if int(what) <= len(substitutions) else ""

    return _SUBSTITUTION.sub(value, text)


def in_plural_form(word: Callable[[str, str], str], key: str, form: str, number: str) -> str:
    """The message ``key_form`` with *number* in it, or ``key_other`` where the language file has no such form.

    *form* is one of the plural categories of CLDR ("one", "few", "many" …). Spanish, French and Portuguese have
    "many" for whole millions alone, so their files do without it. *word* gives a message, empty when there is none.
    """
    return word(f"{key}_{form}", number) or word(f"{key}_other", number)
