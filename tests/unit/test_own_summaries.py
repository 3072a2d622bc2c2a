"""A model's own summaries, found in its thinking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.own_summaries import LONGEST, MARKS, OwnSummaryFinder

CASES = {
    "ended by the sentence": ("想想。【思考小结】先查日志。然后", ["先查日志。"]),
    "ended by the line": ("a\n【思考小结】先查日志\n然后", ["先查日志"]),
    "ended by the next mark": ("【思考小结】先查日志【思考小结】再改代码", ["先查日志", "再改代码"]),
    "ended by the thought": ("…【思考小结】先查日志", ["先查日志"]),
    "ended by its length": (f"【思考小结】{'长' * 300}", ["长" * LONGEST]),
    "the English mark, in any case": ("[thought summary] The log first. Then", ["The log first."]),
    "a point within a number or a name ends nothing": (
        "[Thought summary] Version 2.0.1 of file.py is it.\n",
        ["Version 2.0.1 of file.py is it."],
    ),
    "closing quotation marks stay with their sentence": ("【思考小结】他说“好！”然后走了", ["他说“好！”"]),
    "a colon and blanks after the mark are not a part of it": ("【思考小结】： 先查日志。", ["先查日志。"]),
    "nothing after the mark is no summary": ("【思考小结】\n\n后来", []),
    "no mark": ("思考小结：没有", []),
    "half a mark": ("【思考小结 没有", []),
    "several": ("【思考小结】一。二。【思考小结】三！", ["一。", "三！"]),
}


def found(pieces: list[str]) -> list[str]:
    finder = OwnSummaryFinder()
    return [each for piece in pieces for each in finder.feed(piece)] + finder.close()


@pytest.mark.parametrize("title", CASES)
def test_case_whole_and_one_character_at_a_time(title: str) -> None:
    text, wanted = CASES[title]
    assert found([text]) == wanted
    assert found([*text]) == wanted


@given(st.lists(st.sampled_from([*MARKS, *'【思考小结】[] .。!？\n"”a1长', "x" * 100]), max_size=30), st.randoms())
def test_the_splitting_does_not_matter(parts: list[str], random: object) -> None:
    text = "".join(parts)
    cuts = sorted(random.sample(range(len(text) + 1), min(4, len(text))))  # type: ignore[attr-defined]
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert found(pieces) == found([text]) == found([*text])
    assert all(len(each) <= LONGEST for each in found([text]))


def test_memory_is_bounded() -> None:
    finder = OwnSummaryFinder()
    for _ in range(200):
        finder.feed("x" * 1000)
    assert len(finder._rest) < 100
    finder.feed(MARKS[0])
    for _ in range(200):
        finder.feed("x" * 1000)
    assert len(finder._rest) < 100
