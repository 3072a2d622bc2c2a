"""JSON of somebody else's: what is nested too deep is refused before Python reads it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.foreign_json import DEEPEST, is_too_deep, read_json


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, "[[" * DEEPEST + "]]" * DEEPEST, '["\\"", ' * 101])
def test_what_is_nested_too_deep_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="nested"):
        read_json(text)


@pytest.mark.parametrize("text", ["[]" * 300, json.dumps("[" * 300), json.dumps(["{" * 300, '"' * 300, "\\" * 301])])
def test_many_brackets_are_not_deep(text: str) -> None:
    assert not is_too_deep(text)


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=200))
def test_what_is_not_too_deep_is_read(value: object) -> None:
    assert read_json(json.dumps(value)) == value
