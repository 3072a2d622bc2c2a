"""Reads JSON that somebody else wrote.

Python's own reader calls itself for each list in a list. In the browser the stack ends before Python notices, which
ends Python altogether, so what is nested deeper than anybody needs is refused before it is read.
"""

from __future__ import annotations

import json
import re
from typing import Any

DEEPEST = 100
"""So many lists and objects may be in each other."""


def read_json(text: str) -> Any:
    """The value of *text*. A number that JSON does not know, or that is infinite, is None.

    Raises ValueError where it is no JSON, or nested too deep.
    """
    if is_too_deep(text):
        raise ValueError("nested too deep")
    try:
        return _DECODER.decode(text)
    except RecursionError:  # the caller is deep in calls itself
        raise ValueError("nested too deep") from None


def is_too_deep(text: str) -> bool:
    """True when lists and objects are in each other more than :data:`DEEPEST` deep, also where the JSON is wrong."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = deepest = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        if found.group() in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif found.group() in "]}":
            depth -= 1
    return deepest > DEEPEST


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if abs(number) != float("inf") else None


def _nothing(_name: str) -> None:
    return None


_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[][{}]', re.DOTALL)
_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_nothing)
