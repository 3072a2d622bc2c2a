"""Estimates of tokens, case by case and for every text. The cases are in ``cases/tokens.txt``, which says how."""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import read_cases
from thinkfold.core.tokens import TokenCounter, count_tokens

CASES = Path(__file__).parent / "cases" / "tokens.txt"

CHARACTERS = [
    "a",
    "É",
    "Z",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "\u3000",
    "1",
    "２",
    "_",
    ".",
    "((",
    "`",
    "—",
    "。",
    "思",
    "の",
]
RARER = [
    "ネ",
    "한",
    "ж",
    "ω",
    "ไ",
    "ｗ",
    "🚀",
    "\u200d",
    "\ufe0f",
    "🏽",
    "🇩",
    "\u0301",
    "\ud83d",
    "\ude80",
    "\x00",
    "\U00020000",
]
LONG = [
    "word " * 30,
    "W" * 70,
    " " * 70,
    "=" * 70,
    "|-" * 40,
    "\n" * 70,
    "思" * 70,
    "한" * 70,
    "ж" * 70,
    "ω" * 70,
    "。" * 70,
]
surrogates = st.text(st.characters(categories=["Cs"]), max_size=3)
pieces = st.one_of(st.sampled_from(CHARACTERS), st.sampled_from(RARER), st.sampled_from(LONG), st.text(), surrogates)
texts = st.lists(pieces, max_size=30).map("".join)
splits = st.lists(st.integers(1, 80), min_size=1, max_size=10)


def deltas_of(text: str, sizes: list[int]) -> list[str]:
    """*text* cut into pieces of these sizes, again and again."""
    ends = [0, *accumulate(sizes[number % len(sizes)] for number in range(len(text)))]
    return [text[start:end] for start, end in pairwise(ends) if start < len(text)]


@pytest.mark.parametrize(
    ("deltas", "expected"), [pytest.param(given, expected, id=title) for title, given, expected in read_cases(CASES)]
)
def test_case(deltas: list[str], expected: str) -> None:
    least, most = map(float, expected.split(" to "))
    counter = TokenCounter()
    for delta in deltas:
        counter.feed(json.loads(delta))
    assert least <= counter.tokens <= most


@given(texts, splits)
@example("思考 🚀👩‍🚀 getHTTPHeader(x)\n\n    1234567", [1])
def test_however_a_text_is_cut_it_counts_the_same(text: str, sizes: list[int]) -> None:
    counter = TokenCounter()
    added = [counter.feed(delta) for delta in deltas_of(text, sizes)]
    assert counter.tokens == pytest.approx(count_tokens(text))
    assert sum(added) == pytest.approx(counter.tokens)


@given(texts)
def test_no_text_gets_cheaper_by_what_follows(text: str) -> None:
    counter = TokenCounter()
    assert all(counter.feed(character) >= -1e-9 for character in text)


@given(texts)
def test_every_text_costs_something_and_no_character_more_than_four_tokens(text: str) -> None:
    assert len(text) / 100 <= count_tokens(text) <= 4 * len(text)


@pytest.mark.parametrize("unit", [*CHARACTERS, *RARER])
def test_a_counter_holds_no_more_for_a_longer_text(unit: str) -> None:
    counter = TokenCounter()
    for _ in range(300):
        counter.feed(unit)
    held = sum(len(part) for part in vars(counter).values() if isinstance(part, str))
    assert 0 < held <= 200


def test_an_empty_delta_adds_nothing() -> None:
    counter = TokenCounter()
    counter.feed("wor")
    assert counter.feed("") == 0
    counter.feed("d")
    assert counter.tokens == count_tokens("word")


def test_a_large_text_counts_as_the_sum_of_its_lines() -> None:
    line = "The header is read twice, so I look at `read_header` again: 思考一下。\n"
    assert count_tokens(line * 3000) == pytest.approx(3000 * count_tokens(line))
