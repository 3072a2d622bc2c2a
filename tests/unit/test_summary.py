"""Summaries, case by case (``cases/summary.txt``), and what holds for every text (Hypothesis)."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import lines_after, read_cases
from thinkfold.core.segments import Segment, Segmenter
from thinkfold.core.summary import MOST_LINES, WIDTH, summarize

THOUGHTS = Path(__file__).parent / "thoughts"
CASES = [
    pytest.param(lines, expected, id=title)
    for title, lines, expected in read_cases(Path(__file__).parent / "cases" / "summary.txt")
]


def segment_of(text: str, start: int = 0) -> Segment:
    return Segment(text, 0.0, 0.0, 0.0, is_table=False, start=start, end=start + len(text), refine=False)


def parts_of(name: str) -> list[str]:
    return (THOUGHTS / f"{name}.md").read_text("utf-8").split("\n✂\n")


def case_segment(lines: list[str]) -> Segment:
    """The segment that the lines of a case stand for."""
    match lines[-1].split(" ", 2):
        case ["thought", name, number]:
            return segment_of(parts_of(name)[int(number) - 1], start=int(number) - 1)
        case ["=", times, text]:
            return segment_of(json.loads(text) * int(times))
    return segment_of(lines_after("|", [line for line in lines if line.startswith("|")]), start="later" in lines)


@pytest.mark.parametrize(("lines", "expected"), CASES)
def test_a_summary_tells_where_the_thought_went(lines: list[str], expected: str) -> None:
    assert summarize(case_segment(lines)) == expected


def test_every_part_of_every_thought_is_judged_in_a_case() -> None:
    judged = {tuple(case.values[0][0].split()[1:]) for case in CASES if case.values[0][0].startswith("thought ")}
    there = {
        (path.stem, str(number + 1)) for path in THOUGHTS.glob("*.md") for number in range(len(parts_of(path.stem)))
    }
    assert judged == there


@pytest.mark.parametrize("name", sorted(path.stem for path in THOUGHTS.glob("*.md")))
def test_a_thought_that_is_cut_while_it_streams_is_summed_up_throughout(name: str) -> None:
    text = "".join(parts_of(name))
    segmenter = Segmenter(min_tokens=150, max_tokens=300, code="keep-skip", table="keep-skip")
    segments = [*segmenter.feed(text), *segmenter.close()]
    assert len(segments) > 3
    for segment in segments:
        assert 1 <= len(summarize(segment).splitlines()) <= MOST_LINES


PIECES = [
    *(
        "So the cause is this. ",
        "Wait, no. ",
        "I'll go with it: ",
        "ok, ",
        "所以是这样。",
        "等等，不对。",
        "つまり",
        "结论：",
        "Also ",
    ),
    *(
        "\n",
        "\n\n",
        "\r\n",
        "# ",
        "- ",
        "1. ",
        "> ",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "```py\ndef f(x):\n",
        "```\n",
        "~~~",
    ),
    *(
        "`",
        "``",
        "**",
        "*",
        "_",
        "~~",
        "[a](b)",
        "![",
        "](",
        "…",
        "...",
        "! ",
        "? ",
        ":",
        "：",
        "\u202e",
        "\u200d",
        "\ud800",
    ),
    *(
        "word ",
        "an_identifier ",
        "path/to/file.py ",
        "CamelCase ",
        "x" * 170,
        "思" * 90,
        "   ",
        "\t",
        "\x00",
        "👩‍👩‍👧",
        "İ",
        "ﬁ",
    ),
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=40).map("".join)

UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
NO_LETTER = re.compile(r"\W|_")


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


@given(texts, st.booleans())
@example("a~~b~~c", False)
@example("**So** it **is**thus", True)
def test_a_summary_is_a_few_short_lines_of_the_texts_own_words(text: str, first: bool) -> None:
    segment = segment_of(text, start=0 if first else 9)
    summary = summarize(segment)
    assert summarize(segment) == summary
    lines = summary.split("\n") if summary else []
    assert len(lines) <= MOST_LINES
    own = NO_LETTER.sub("", text), NO_LETTER.sub("", LINK_TARGET.sub("", text))  # marks may stand within a word
    for line in lines:
        assert line == line.strip() != ""
        assert columns(line) <= WIDTH
        assert not [char for char in line if unicodedata.category(char) in UNSEEN or char in TURNING]
        for word in re.findall(r"[^\W\d_]+", line):
            assert word in own[0] or word in own[1]


@given(st.lists(st.sampled_from(["reader", "缓冲区", "Schlüssel", "ok", "so"]), min_size=1).map(" ".join))
def test_where_there_are_words_there_is_a_summary(text: str) -> None:
    assert summarize(segment_of(text))
