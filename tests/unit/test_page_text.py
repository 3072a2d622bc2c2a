"""The page read back, case by case (``cases/page_text.txt``), and what holds for every page (Hypothesis)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from support.cases import read_cases
from test_markdown import texts
from thinkfold.core.markdown import render
from thinkfold.core.page_text import BlockKind, Division, PageText, divide, read_block, read_text
from thinkfold.core.thinking import parse_thinking

ALL = [*read_cases(Path(__file__).parent / "cases" / "page_text.txt")]
READING = [pytest.param(lines, end, id=title) for title, lines, end in ALL if not end.startswith("blocks:")]
DIVIDING = [pytest.param(lines, end, id=title) for title, lines, end in ALL if end.startswith("blocks:")]


def page_of(lines: Sequence[str]) -> PageText:
    blocks: list[str] = []
    for line in lines:
        if line.startswith(("|", "=")):
            blocks.append(line)
        elif line.startswith("+"):
            blocks[-1] += "\n" + line[2:]
    readers = {"|": read_block, "=": read_text}
    return PageText(tuple(readers[block[0]](block[2:]) for block in blocks))


def divided(page: PageText, *, streaming: bool = False) -> Division:
    return divide(page, parse_thinking(page.source, streaming=streaming, reading="tolerant"))


@pytest.mark.parametrize(("lines", "source"), READING)
def test_reading(lines: list[str], source: str) -> None:
    page = page_of(lines)
    assert page.source.rstrip() == source  # an empty item ends with a blank
    assert [page.source[start:end] for start, end in page.places] == [block.source for block in page.blocks]


@pytest.mark.parametrize(("lines", "outcome"), DIVIDING)
def test_dividing(lines: list[str], outcome: str) -> None:
    page = page_of(lines)
    division = divided(page, streaming="streaming" in lines)
    found = ["blocks: " + ", ".join(block.kind.value for block in division.blocks)]
    if division.thinking:
        found.append("think: " + json.dumps(division.thinking, ensure_ascii=False))
    mixed = [block.body for block in division.blocks if block.kind is BlockKind.MIXED]
    found += ["mixed: " + json.dumps(body, ensure_ascii=False) for body in mixed]
    assert found == outcome.splitlines()
    readable = [division for division, block in zip(division.blocks, page.blocks, strict=True) if block.source]
    assert division.has_body == any(block.kind is not BlockKind.THINKING for block in readable)


def test_characters_are_code_points_as_the_parser_counts_them() -> None:
    page = page_of(["| <p>&lt;think&gt;a<b>😀</b>&lt;/think&gt;b&lt;think&gt;cd</p>"])
    parsed = parse_thinking(page.source, streaming=True, reading="tolerant")
    assert (parsed.segments, parsed.pending) == (["a**😀**"], "cd")
    assert divide(page, parsed).characters == 8


def test_a_page_of_nothing_but_thinking_has_no_body() -> None:
    assert not divided(page_of(["| <p>&lt;think&gt;a&lt;/think&gt;</p>"])).has_body
    assert not divided(page_of([])).has_body


def shape(html_text: str) -> str:
    """HTML as a page shows it: blanks at the edges of an element, runs of blanks and empty paragraphs do not count."""
    html_text = re.sub(r"\s*(<[^>]*>)\s*", r"\1", re.sub(r"[ \t\n\f\r]+", " ", html_text))
    return html_text.replace("\u2060", "").replace("<p></p>", "")


def whole(page: PageText) -> str:
    return page.markdown([(0, len(page.source))])


# Markdown whose words have no meaning of their own, so that a source needs no escapes.
words = st.lists(st.sampled_from(["a", "word", "思考", "Ärger,", "x.", "7", "😀"]), min_size=1, max_size=4).map(
    " ".join
)
inlines = st.recursive(
    words,
    lambda inner: st.one_of(
        st.tuples(words, inner, words).map(" ".join),
        st.builds("*{}*".format, words),
        st.builds("**{}**".format, inner.filter(lambda text: "*" not in text)),
        st.builds("~~{}~~".format, inner.filter(lambda text: "~" not in text)),
        st.builds("[{}](https://a.b/c?d=1&e=2)".format, inner.filter(lambda text: "](" not in text)),
        st.builds("`{}`".format, st.sampled_from(["<b>", "*a*", "c d", "&amp;"])),
        st.builds("{}  \n{}".format, words, words),
    ),
    max_leaves=4,
)


def indented(text: str, first: str, margin: str) -> str:
    return first + text.replace("\n", "\n" + margin)


blocks = st.recursive(
    st.one_of(
        inlines,
        st.builds("## {}".format, words),
        st.builds("```py\n{}\n```".format, st.sampled_from(["a", "# b\n\n- c", "    d", "<think>"])),
        st.just("| a | b |\n|---|--:|\n| *c* | `d` |"),
        st.just("***"),
    ),
    lambda inner: st.one_of(
        st.builds(lambda each: indented(each, "> ", "> "), inner),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda items: "\n".join(indented(item, "- ", "  ") for item in items)
        ),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda items: "\n\n".join(indented(item, f"{number}. ", "   ") for number, item in enumerate(items, 4))
        ),
        st.lists(inner, min_size=1, max_size=3).map("\n\n".join),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(blocks)
def test_a_page_read_back_looks_as_it_did(markdown: str) -> None:
    page = PageText((read_block(render(markdown)),))
    assert shape(render(page.source)) == shape(render(markdown))
    assert shape(render(whole(page))) == shape(render(markdown))


CONTROLS = re.compile(
    r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)  # Markdown cannot say them everywhere


@settings(deadline=None, max_examples=300)
@given(texts.filter(lambda text: not CONTROLS.search(text)))
def test_whatever_words_a_page_has_come_out_as_they_stand(text: str) -> None:
    drawn = render(text)
    assume(not re.search(r"<(em|strong|s)>(?:(?!</\1>).)*<\1>", drawn, re.DOTALL))  # twice the same: no sure Markdown
    read_back = render(whole(PageText((read_block(drawn),))))
    # A line break at the edge of a block, or right after another, has no Markdown.
    assert shape(read_back.replace("<br>", " ")) == shape(drawn.replace("<br>", " "))


TAGS = ["<think>", "</think>", "[THINK]", "[/THINK]", "<thi", "\n", "\n\n", "- ", "> ", "**", "`", "```\n", "a", "b "]
tagged = st.lists(st.sampled_from(TAGS), max_size=25).map("".join)


def top_level(markup: str) -> Iterator[str]:
    """The blocks of *markup*, one by one."""
    depth = start = 0
    for tag in re.finditer(r"<(/?)\w+[^>]*>", markup):
        if tag[0] not in ("<br>", "<hr>"):
            depth += -1 if tag[1] else 1
        if depth == 0:
            yield markup[start : tag.end()].strip()
            start = tag.end()


def letters(markup: str) -> str:
    return "".join(re.findall("[ab]", re.sub(r"<[^>]*>", "", markup)))


@settings(deadline=None, max_examples=300)
@given(tagged, st.booleans())
@example("<think>`a</think>b`", False)
@example("<think>\n```\na\n</think>\nb\n```\nb", False)
def test_no_word_is_lost_or_shown_twice(text: str, streaming: bool) -> None:
    drawn = [*top_level(render(text))]
    page = PageText(tuple(map(read_block, drawn)))
    parsed = parse_thinking(page.source, streaming=streaming, reading="tolerant")
    division = divide(page, parsed)
    shown = [
        render(division.thinking),
        *(
            render(block.body) if block.kind is BlockKind.MIXED else each
            for each, block in zip(drawn, division.blocks, strict=True)
            if block.kind is not BlockKind.THINKING
        ),
    ]
    assert sorted("".join(map(letters, shown))) == sorted(letters("".join(drawn)))
