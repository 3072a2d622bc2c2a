"""Settings as the browser's storage has them, case by case (``cases/settings.txt``), and what holds for all of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import lines_after, read_cases
from thinkfold.core.schema import Group, Text, TextKind, schema_of, setting
from thinkfold.core.settings import SCHEMA, Settings, migrate, settings_from, validate

from tools import settings_table

CASES = [
    pytest.param(json.loads(lines_after("|", lines)), expected, id=title)
    for title, lines, expected in read_cases(Path(__file__).parent / "cases" / "settings.txt")
]

stored_values = st.dictionaries(
    st.sampled_from([*(each.name for each in SCHEMA), "version", "another"]),
    st.none() | st.text(max_size=5) | st.floats() | st.integers() | st.booleans() | st.lists(st.text()),
)


@pytest.mark.parametrize(("stored", "expected"), CASES)
def test_case(stored: dict[str, object], expected: str) -> None:
    problems = [f"{' '.join(each.names)}: {' '.join((each.key, *each.arguments))}" for each in validate(stored)]
    read, usual = settings_from(stored), Settings()
    values = {each.name: (getattr(read, each.name), getattr(usual, each.name)) for each in fields(Settings)}
    reads = [f"reads {name} {value}" for name, (value, default) in values.items() if value != default]
    assert "\n".join([*problems, *reads]) == expected


@given(stored_values)
def test_nothing_that_is_stored_raises_and_what_a_page_reads_is_right(stored: dict[str, object]) -> None:
    read = settings_from(stored)
    assert validate({each.name: getattr(read, each.field) for each in SCHEMA}) == []


@given(stored_values)
def test_what_is_right_is_read_as_it_stands(stored: dict[str, object]) -> None:
    wrong = {name for problem in validate(stored) for name in problem.names}
    read, current = settings_from(stored), migrate(stored)
    for each in SCHEMA:
        if each.name in stored and each.name not in wrong and not any(name.startswith("segment") for name in stored):
            assert getattr(read, each.field) == current[each.name]


def test_the_defaults_have_no_problem() -> None:
    assert validate({each.name: each.default for each in SCHEMA}) == []


def test_the_settings_of_a_group_stand_together_and_the_groups_in_their_order() -> None:
    order = [*Group]
    assert [each.group for each in SCHEMA] == sorted((each.group for each in SCHEMA), key=order.index)


@dataclass(frozen=True)
class WithTexts:
    """Settings of every kind of text."""

    words: str = setting("", Group.REFINEMENT, Text(10))
    address: str = setting("", Group.REFINEMENT, Text(40, TextKind.ADDRESS))
    key: str = setting("", Group.REFINEMENT, Text(10, TextKind.SECRET))


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("words", "two\nlines", ""),
        ("words", "eleven char", "problemText"),
        ("words", 7, "problemText"),
        ("address", "", ""),
        ("address", "https://api.example.com/v1", ""),
        ("address", "http://127.0.0.1:8000", ""),
        ("address", "javascript:alert(1)", "problemAddress"),
        ("address", "https://user:word@example.com", "problemAddress"),
        ("address", "https://a b", "problemAddress"),
        ("address", "https://", "problemAddress"),
        ("address", "https://" + 40 * "a", "problemText"),
        ("key", "sk-1_2", ""),
        ("key", "sk 1", "problemSecret"),
        ("key", "sk1\n", "problemSecret"),
        ("key", "schlüssel", "problemSecret"),
    ],
)
def test_a_text_is_of_its_kind(field: str, value: object, problem: str) -> None:
    declared = next(each for each in schema_of(WithTexts) if each.field == field)
    found = declared.kind.problem(value)
    assert (found.key if found else "") == problem
    assert declared.kind.read(value, "default") == ("default" if problem else value)


def test_only_a_key_is_a_secret() -> None:
    assert [each.field for each in schema_of(WithTexts) if each.is_secret] == ["key"]


def test_settings_of_an_older_form_are_brought_to_the_newest_and_other_names_are_kept() -> None:
    def rename(stored: dict[str, object]) -> dict[str, object]:
        return {("texts" if name == "words" else name): value for name, value in stored.items()}

    def shorten(stored: dict[str, object]) -> dict[str, object]:
        return {**stored, "texts": str(stored.get("texts", "all")).strip()}

    both = (rename, shorten)
    newest = {"texts": "none", "another": 1, "version": 3}
    assert migrate({"words": " none", "another": 1}, both) == newest
    assert migrate({"texts": " none", "another": 1, "version": 2}, both) == newest
    assert migrate(newest, both) == newest


def test_settings_of_a_form_that_does_not_exist_yet_stay_as_they_are() -> None:
    assert migrate({"texts": "none", "version": 9}) == {"texts": "none", "version": 9}


@pytest.mark.parametrize("version", [0, -1, "2", None, True, 1.5])
def test_a_version_that_is_none_is_the_first(version: object) -> None:
    assert migrate({"version": version}, (lambda stored: {**stored, "migrated": True},))["migrated"] is True


def test_the_table_of_settings_is_what_the_schema_gives() -> None:
    assert settings_table.FILE.read_text("utf-8") == settings_table.table(), "run python -m tools.settings_table"
