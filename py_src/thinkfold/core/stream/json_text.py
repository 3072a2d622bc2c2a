"""Reads JSON that a stranger wrote."""

from __future__ import annotations

import json
import re
from typing import Any

MOST_NESTED = 100
"""How deep objects and lists may lie in each other. Python's own limit depends on who calls, and on WebAssembly's
stack there may be none."""


def read_json(text: str) -> Any:
    """The document in *text*. A number that JSON does not know, or that is infinite, is None.

    Raises ``ValueError`` if it is broken, or nested too deeply.
    """
    if text.count("{") + text.count("[") > MOST_NESTED and _depth(text) > MOST_NESTED:
        raise ValueError("nested too deeply")
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _depth(text: str) -> int:
    depth = deepest = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        if match.group() in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif match.group() in "}]":
            depth -= 1
    return deepest


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if abs(number) != float("inf") else None


def _nothing(name: str) -> None:
    del name


_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[][{}]', re.DOTALL)
_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_nothing)
