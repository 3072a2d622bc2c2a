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

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")


def read_json(text: str) -> Any:
    """The value of *text*. Raises ValueError where it is no JSON, or nested too deep."""
    if is_too_deep(text):
        raise ValueError("nested too deep")
    return json.loads(text)


def is_too_deep(text: str) -> bool:
    """True when lists and objects are in each other more than :data:`DEEPEST` deep, also where the JSON is wrong."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest > DEEPEST
