"""What holds for the segments of every thought, whatever is in it (Hypothesis)."""

from __future__ import annotations

import re
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import accumulate, chain, cycle, pairwise, repeat
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.rules_block.table import table as table_rule
from thinkfold.core.graphemes import is_border
from thinkfold.core.segments import Keep, Segment, Segmenter
from thinkfold.core.segments.blocks import Blocks, Kind
from thinkfold.core.tokens import count_tokens

MARKDOWN = [
    "`",
    "``",
    "```",
    "~~~",
    "````",
    "```py\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "    ",
    "\t",
    "> ",
    "- ",
    "1. ",
    "# ",
]
LINES = [
    "===\n",
    "---\n",
    "***\n",
    "| a | b |\n",
    "|---|---|\n",
    "|-|\n",
    "a|b\n",
    "- [ ] x\n",
    "## Heading\n",
    "> quoted\n",
]
PROSE = ["word ", "It is done. ", "完成了。", "“好。”", "3.14 ", "e.g. ", "...", "\x00", "\u2028", "\x85", "\xa0"]
LENGTHS = ["x" * 300, "字" * 300, " " * 300, "\n" * 300, "word " * 300, "```\n" + "code\n" * 100 + "```\n"]
CHARACTERS = [
    "👩\u200d🚀",
    "🇩🇪",
    "🇫🇷",
    "e\u0301\u0323",
    "\u1100\u1161\u11a8",
    "한",
    "👍🏽",
    "☎\ufe0f",
    "क्षि",
    "กำ",
    "ｶﾞ",
    "\ud83d\ude00",
    "\ud83d\udc69\u200d\ud83d\ude80",
    "\ud83d\udc4d\ud83c\udffd",
    "\ud83c\udde9\ud83c\uddea",
    "🏴\U000e0067\U000e0062\U000e007f",
    "\r\n",
    "a",
    "字",
    "。",
    "…",
    "!",
    " ",
]
"""Each is one for a reader, whatever stands beside it."""

pieces = st.one_of(*map(st.sampled_from, (MARKDOWN, LINES, PROSE, LENGTHS, CHARACTERS)), st.text(max_size=3))
thoughts = st.lists(pieces, max_size=40).map("".join)
splits = st.lists(st.one_of(st.integers(1, 30), st.integers(1000, 1100)), min_size=1, max_size=10)
limits = st.tuples(st.sampled_from([0, 1, 15, 100]), st.sampled_from([1, 4, 20, 100, 1000]))
keeps = st.sampled_from(Keep)
kept = st.sampled_from([Keep.KEEP_SKIP, Keep.KEEP_REFINE])


def fed(segmenter: Segmenter, pieces: list[str]) -> list[Segment]:
    return [segment for piece in pieces for segment in segmenter.feed(piece)] + segmenter.close()


def split(text: str, sizes: list[int]) -> list[str]:
    ends = [0]
    for size in cycle(sizes):
        if ends[-1] >= len(text):
            break
        ends.append(ends[-1] + size)
    return [text[start:end] for start, end in pairwise(ends)]


@given(thoughts, splits, limits, keeps, keeps)
@example("a\r", [1], (0, 100), Keep.IGNORE, Keep.IGNORE)
@example("x" * 1024 + "\r\n", [1024], (0, 100), Keep.IGNORE, Keep.IGNORE)
def test_the_segments_do_not_depend_on_how_a_thought_is_split(
    thought: str, sizes: list[int], limits: tuple[float, float], code: Keep, table: Keep
) -> None:
    whole = fed(Segmenter(*limits, code, table), [thought])
    assert fed(Segmenter(*limits, code, table), split(thought, sizes)) == whole
    assert fed(Segmenter(*limits, code, table), [*thought]) == whole


@given(thoughts, limits, keeps, keeps)
def test_the_stretches_follow_each_other_and_cover_the_thought(
    thought: str, limits: tuple[float, float], code: Keep, table: Keep
) -> None:
    segments = fed(Segmenter(*limits, code, table), [thought])
    places = [0, *(segment.end for segment in segments)]
    assert [segment.start for segment in segments] == places[:-1]
    assert places[-1] == len(thought)
    assert all(segment.start < segment.end for segment in segments)
    assert all(0 <= segment.code_share <= 1 for segment in segments)
    assert all(segment.raw_tokens >= segment.tokens for segment in segments)


@given(thoughts, limits, kept, kept)
def test_nothing_is_lost_where_all_is_kept(thought: str, limits: tuple[float, float], code: Keep, table: Keep) -> None:
    segments = fed(Segmenter(*limits, code, table), [thought])
    assert all(segment.text == thought[segment.start : segment.end] for segment in segments)
    assert "".join(segment.text for segment in segments) == thought
    assert all(segment.raw_tokens == segment.tokens for segment in segments)


@given(thoughts, limits, keeps, keeps)
def test_what_is_kept_is_in_the_thought_line_by_line(
    thought: str, limits: tuple[float, float], code: Keep, table: Keep
) -> None:
    for segment in fed(Segmenter(*limits, code, table), [thought]):
        rest = iter(thought[segment.start : segment.end])
        assert all(character in rest for character in segment.text)  # in its order


@given(thoughts, limits, keeps, keeps)
def test_only_one_block_or_character_is_longer_than_the_limit(
    thought: str, limits: tuple[float, float], code: Keep, table: Keep
) -> None:
    for segment in fed(Segmenter(*limits, code, table), [thought]):
        assert segment.tokens == pytest.approx(count_tokens(segment.text), abs=1)
        if segment.tokens > limits[1]:
            assert len(blocks_of(segment.text)) == 1 or len(segment.text) < 20
            assert segment.is_table or segment.code_share == 1 or len(segment.text) < 20


def blocks_of(text: str) -> list[str]:
    """The blocks of code, and the tables, of a text that begins with none open."""
    blocks: list[str] = []
    reader = Blocks()
    before = Kind.PROSE
    for piece in [*reader.feed(text), *reader.close()]:
        if piece.kind is not Kind.PROSE:
            if piece.border or piece.kind is not before:
                blocks.append("")
            blocks[-1] += piece.text
        before = piece.kind
    return blocks


@given(st.lists(st.sampled_from(CHARACTERS), max_size=60), st.sampled_from([1, 4, 20, 60]))
def test_no_character_is_taken_apart(characters: list[str], limit: float) -> None:
    ends = {*accumulate(map(len, characters))}
    assert all(segment.end in ends for segment in fed(Segmenter(limit, limit), ["".join(characters)]))


@given(st.lists(st.sampled_from(CHARACTERS), max_size=10))
def test_a_border_of_characters_is_between_two_and_nowhere_else(characters: list[str]) -> None:
    text = "".join(characters)
    assert [at for at in range(1, len(text) + 1) if is_border(text, at)] == [*accumulate(map(len, characters))]


@pytest.mark.parametrize("length", [1022, 1023, 1024, 1025])
def test_the_end_of_a_long_line_is_one_line_end(length: int) -> None:
    assert len(fed(Segmenter(0, 10_000), ["x" * length + "\r\nThe same paragraph."])) == 1


CONTAINERS = ["", "", "", "> ", "- ", "  ", "1. ", "   ", "> > ", "> - ", "      "]
CONTENTS = [
    "",
    "text",
    "```",
    "```py",
    "~~~",
    "````",
    "``",
    "# heading",
    "---",
    "===",
    "- item",
    "code `a|b`",
    "| a | b",
]
TABLES = ["| a | b |\n{0}|---|---|", "a|b\n{0}-|-", "a|b|c\n{0}-|-", "| a |\n{0}|:-:|"]
nested_lines = st.lists(
    st.builds(
        lambda container, content: container + content.format(container.replace("-", " ").replace("1.", "  ")),
        st.sampled_from(CONTAINERS),
        st.sampled_from(CONTENTS + TABLES),
    ),
    max_size=12,
).map("\n".join)


def markdown_it() -> MarkdownIt:
    """CommonMark and GitHub's tables. markdown-it's own order takes ``# a|b`` and ``- a|b`` for the head of a table."""
    markdown = MarkdownIt("commonmark", {"html": False}).disable(["reference"])
    markdown.block.ruler.before("lheading", "table in its place", table_rule, {"alt": ["paragraph", "reference"]})
    return markdown


def markdown_it_kinds(text: str) -> list[tuple[int, Kind]]:
    """For each line the number and the kind of the block that it is in."""
    lines = [(-1, Kind.PROSE)] * (text.count("\n") + 1)
    kinds = {"fence": Kind.CODE, "table_open": Kind.TABLE}
    for number, token in enumerate(markdown_it().parse(text)):
        if token.type in kinds and token.map:
            lines[slice(*token.map)] = [(number, kinds[token.type])] * (token.map[1] - token.map[0])
    return lines


LAZY_TABLE = re.compile(r"^ {0,3}>.*\n(?:(?! {0,3}>).+\n)*(?! {0,3}>).*\|.*\n[^\n]*-", re.MULTILINE)
"""A table right after a quote, without a mark of the quote: markdown-it takes its head for a line of the quote's
paragraph and for a table's head too. We take it for the paragraph's."""


@given(nested_lines.filter(lambda text: text == text.rstrip(" \n") and not LAZY_TABLE.search(text)))
@example("- ```\n  code\n- ```\n  code")
@example("> ```\n> code\ntext")
def test_code_and_tables_are_where_markdown_it_finds_them_and_no_segment_ends_in_them(text: str) -> None:
    lines = markdown_it_kinds(text)
    reader = Blocks()
    pieces = [*reader.feed(text), *reader.close()]
    assert "".join(piece.text for piece in pieces) == text
    if text:
        assert [piece.kind for piece in pieces] == [kind for _, kind in lines]
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    inside = {starts[at] for at, (one, other) in enumerate(pairwise(lines), 1) if one == other and one[0] >= 0}
    for limit in (1, 10, 1000):
        segments = fed(Segmenter(0, limit, Keep.KEEP_SKIP, Keep.KEEP_REFINE), [text])
        for end in (segment.end for segment in segments[:-1]):
            assert end not in inside
            assert end in starts or lines[text.count("\n", 0, end)][0] < 0


@given(thoughts, thoughts, splits)
def test_after_closing_a_thought_goes_on_as_a_new_one(first: str, second: str, sizes: list[int]) -> None:
    segmenter = Segmenter(0, 20)
    before = fed(segmenter, split(first, sizes))
    after = fed(segmenter, split(second, sizes))
    assert before == fed(Segmenter(0, 20), [first])
    anew = fed(Segmenter(0, 20), [second])
    assert [segment.text for segment in after] == [segment.text for segment in anew]
    assert [(segment.start, segment.end) for segment in after] == [
        (segment.start + len(first), segment.end + len(first)) for segment in anew
    ]
    assert segmenter.close() == []


@given(thoughts, splits, keeps)
def test_the_tokens_of_a_thought_count_all_of_it(thought: str, sizes: list[int], code: Keep) -> None:
    segmenter = Segmenter(code=code, table=code)
    fed(segmenter, split(thought, sizes))
    assert segmenter.raw_tokens == pytest.approx(count_tokens(thought), abs=1)


@given(thoughts, kept)
def test_the_text_in_progress_is_all_that_was_not_given(thought: str, keep: Keep) -> None:
    segmenter = Segmenter(10, 50, keep, keep)
    given = ""
    for at, character in enumerate(thought, 1):
        given += "".join(segment.text for segment in segmenter.feed(character))
        assert given + segmenter.open_text == thought[:at]


@given(st.lists(st.sampled_from([*LINES, *PROSE, "text\n", "```py\n", "```\n", "\n"]), max_size=30).map("".join))
def test_no_ignored_code_is_in_the_text_in_progress(before: str) -> None:
    segmenter = Segmenter()
    segmenter.feed(before + "\n" * 2)
    is_open = "CODE" not in segmenter.open_text and segmenter.feed("CODE") == [] and "CODE" not in segmenter.open_text
    segmenter = Segmenter()
    segmenter.feed(before + "\n" * 2 + "CODE\nmore CODE\n")
    texts = [segment.text for segment in segmenter.close()]
    assert is_open == all("CODE" not in text for text in texts)


def growth(segmenter: Segmenter, pieces: Iterator[str]) -> int:
    """How much more memory is in use, in bytes, after all pieces than after the first 200."""
    tracemalloc.start()
    used = []
    for number, piece in enumerate(pieces, 1):
        segmenter.feed(piece)
        if number == 200:
            used.append(tracemalloc.get_traced_memory()[0])
    used.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    return used[1] - used[0]


@pytest.mark.parametrize(
    ("beginning", "unit"),
    [
        ("```\n", "code line = 1\n"),
        ("```\n", "code"),
        ("~~~\n", "```\n"),
        ("a | b\n---|---\n", "1 | 2\n"),
        ("a | b\n---|---\n", "1 | 2"),
        ("", "```py\ncode\n```\n\n"),
        ("", "Text. "),
        ("", "\n"),
        ("", " "),
        ("", "\u0301"),
    ],
)
def test_an_endless_thought_takes_little_memory_where_code_is_ignored(beginning: str, unit: str) -> None:
    piece = unit * (100 // len(unit))

    pieces = chain([beginning], repeat(piece, 1000))
    assert growth(Segmenter(10, 20), pieces) < 20_000  # for some 80,000 characters


def test_an_endless_fence_is_stored_where_code_is_kept() -> None:
    assert growth(Segmenter(10, 20, code="keep-skip"), chain(["```\n"], repeat("code line = 1\n" * 7, 1000))) > 80_000


def test_a_long_stream_costs_the_same_for_each_piece() -> None:
    """Seed 004, and the report that all of the thought was read again for each piece: here calls are counted, of
    Python and of its library."""
    text = "".join(f"{number:09d}{' ' if number % 8 else chr(10)}" for number in range(20_000))
    deltas = [text[at : at + 10] for at in range(0, len(text), 10)]
    halves = [calls(deltas[:10_000]), calls(deltas)]
    assert halves[1] < 2.2 * halves[0]
    assert fed(Segmenter(), deltas) == fed(Segmenter(), [text])


def calls(deltas: list[str]) -> int:
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    segmenter = Segmenter()
    sys.setprofile(note)
    try:
        for delta in deltas:
            segmenter.feed(delta)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
def test_a_limit_of_nothing_is_an_error(limit: float) -> None:
    with pytest.raises(ValueError, match="max_tokens"):
        Segmenter(1, limit)


def test_an_unknown_choice_is_an_error() -> None:
    with pytest.raises(ValueError, match="sometimes"):
        Segmenter(code="sometimes")
