"""Whether a person who searches means a text."""

from __future__ import annotations

import unicodedata


def matches(query: str, text: str) -> bool:
    """True when every word of *query* is in *text*, whatever its case and accents. An empty query matches all."""
    simple = _simple(text)
    return all(word in simple for word in _simple(query).split())


def _simple(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
