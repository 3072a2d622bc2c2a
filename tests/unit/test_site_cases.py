"""Sites that a user wants to add, case by case (``cases/sites.txt``), and what is read of those that are stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import read_cases
from thinkfold.core.sites import PREFIX, Site, sites_from, validate_site

CASES = [
    pytest.param(dict(line.split(":", 1) for line in lines if line), expected, id=title)
    for title, lines, expected in read_cases(Path(__file__).parent / "cases" / "sites.txt")
]


@pytest.mark.parametrize(("given_words", "expected"), CASES)
def test_case(given_words: dict[str, str], expected: str) -> None:
    words = {name: value.strip() for name, value in given_words.items()}
    selector = words.get("selector", "")
    used = [Site(*words["used"].split(" ", 1))] if "used" in words else []
    site = Site(words["origin"], selector)
    problems = validate_site(site, words["address"], is_selector="[[" not in selector, used=used)
    said = [" ".join((*each.names, each.key, *each.arguments)) for each in problems]
    assert "\n".join(said) == expected


def test_stored_sites_are_read_by_their_origins_and_what_is_none_is_passed_over() -> None:
    stored = {
        "site/https://b.example": {"selector": ".message", "on": False},
        "site/https://a.example": {"selector": 7},
        "site/https://c.example": "nonsense",
        "box/1": {"on": True},
        "texts": "all",
    }
    assert sites_from(stored) == [Site("https://a.example"), Site("https://b.example", ".message", on=False)]


@given(
    st.dictionaries(st.text().map(PREFIX.__add__), st.none() | st.dictionaries(st.text(), st.text() | st.integers()))
)
def test_nothing_that_is_stored_raises(stored: dict[str, object]) -> None:
    assert len(sites_from(stored)) <= len(stored)
