"""Settings as a file, case by case (``cases/settings_file.txt``), and what holds for all (Hypothesis)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import lines_after, read_cases
from thinkfold.core import settings_file
from thinkfold.core.schema import Text, TextKind
from thinkfold.core.search import matches
from thinkfold.core.settings import SCHEMA, settings_from
from thinkfold.core.settings_file import MAXIMUM_CHARACTERS, RefusedFile, read_file, write_file

CASES = [
    pytest.param(json.loads(lines_after("s", lines) or "{}"), lines_after("|", lines), expected, id=title)
    for title, lines, expected in read_cases(Path(__file__).parent / "cases" / "settings_file.txt")
]


def problems(text: str, stored: dict[str, object]) -> list[str]:
    with pytest.raises(RefusedFile) as refused:
        read_file(text, stored)
    return [
        f"{each.line} {each.name} {' '.join((each.problem.key, *each.problem.arguments))}"
        for each in refused.value.problems
    ]


@pytest.mark.parametrize(("stored", "text", "expected"), CASES)
def test_case(stored: dict[str, object], text: str, expected: str) -> None:
    if expected.startswith("{"):
        assert json.dumps(read_file(text, stored)) == expected
    else:
        assert "\n".join(problems(text, stored)) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (" " * MAXIMUM_CHARACTERS + "{}", "problemTooLarge"),
        ("[" * 200_000, "problemTooLarge"),
        ('{"texts": ' + '{"a":' * 150 + "1" + "}" * 151, "problemTooLarge"),
        ('{"minimumSteps": ' + "9" * 5000 + "}", "problemJson"),
    ],
    ids=["too large", "nested too deep", "a right one nested too deep", "a number of thousands of digits"],
)
def test_a_hostile_file_is_refused(text: str, problem: str) -> None:
    assert problems(text, {}) == [f"1  {problem}"]


SECRETS = {each.name for each in SCHEMA if each.is_secret}


@given(
    st.dictionaries(
        st.sampled_from([*(each.name for each in SCHEMA), "another", "box/1"]),
        st.none() | st.text(max_size=5) | st.integers() | st.booleans() | st.lists(st.text()),
    )
)
def test_what_is_exported_can_be_imported_and_means_the_same_but_for_secrets(stored: dict[str, object]) -> None:
    taken = read_file(write_file(stored), {})
    assert settings_from(taken) == settings_from({name: stored[name] for name in stored.keys() - SECRETS})
    assert not taken.keys() & SECRETS
    assert taken.get("another") == stored.get("another")
    assert "box/1" not in taken


@given(st.text())
def test_no_text_raises_anything_but_a_refusal(text: str) -> None:
    with pytest.raises(RefusedFile):
        read_file(text, {})


def test_brackets_in_words_nest_nothing() -> None:
    words = 'a "quoted\\" ' + "[" * 60 + "{" * 60
    assert read_file(json.dumps({"texts": "all", "another": words}), {})["another"] == words


def test_a_secret_is_never_exported(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = replace(SCHEMA[1], kind=Text(100, TextKind.SECRET))
    monkeypatch.setattr(settings_file, "SCHEMA", (SCHEMA[0], secret, *SCHEMA[2:]))
    exported = json.loads(write_file({secret.name: "sk-1", "enabled": False}))
    assert secret.name not in exported
    assert exported["enabled"] is False


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("", "anything", True),
        ("  ", "anything", True),
        ("BOX open", "Remember which boxes I opened", True),
        ("open box", "Remember which boxes I opened", True),
        ("box closed", "Remember which boxes I opened", False),
        ("reflexion", "Réflexion dans les messages", True),
        ("小结", "为长思考生成小结", True),
        ("strasse", "Straße", True),
    ],
)
def test_a_search_finds_what_has_all_its_words(query: str, text: str, expected: bool) -> None:
    assert matches(query, text) is expected
