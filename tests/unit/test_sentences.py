"""Where sentences end, case by case (``cases/sentences.txt``), and what holds for every text (Hypothesis)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import lines_after, read_cases
from thinkfold.core.sentences import sentence_ends

CASES = [
    pytest.param(lines_after("|", lines), expected.splitlines(), id=title)
    for title, lines, expected in read_cases(Path(__file__).parent / "cases" / "sentences.txt")
]


@pytest.mark.parametrize(("text", "sentences"), CASES)
def test_a_text_is_divided_into_its_sentences(text: str, sentences: list[str]) -> None:
    ends = [*sentence_ends(text), len(text)]
    parts = [text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]
    assert [part for part in parts if part] == sentences


@given(
    st.lists(st.sampled_from(["a", "B", " ", ".", "!", "…", "。", "？", "`", '"', ")", "**", "1", "no", "\n"])).map(
        "".join
    )
)
def test_ends_ascend_and_each_follows_a_mark(text: str) -> None:
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    for start, end in zip([0, *ends], ends, strict=False):
        assert set(text[start:end]) & set(".!?…。？")
