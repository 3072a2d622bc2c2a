"""Markdown as HTML, case by case (``cases/markdown.txt``), and what holds for every text (Hypothesis)."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.cases import lines_after, read_cases
from thinkfold.core.markdown import ELEMENTS, GrowingMarkdown, Growth, render

CASES = [
    pytest.param(lines_after("|", lines), expected, id=title)
    for title, lines, expected in read_cases(Path(__file__).parent / "cases" / "markdown.txt")
]

PIECES = [
    *("# ", "- ", "1. ", "2) ", "> ", "    ", "\t", "***", "---", "===", "```", "~~~", "````", "\n", "\n\n", "  \n"),
    *("\r", "\r\n", "*", "**", "_", "~~", "`", "|", "| a | b |\n", "|---|:-:|\n", "\\", "&amp;", "&#106;", "\x00"),
    *(
        "[",
        "](",
        ")",
        "![a](https://b.c/d)",
        "[a](https://b.c)",
        "[a](javascript:x)",
        "[a]()",
        "<https://a.b>",
        "<javascript:x>",
    ),
    *("<script>", "<img src=x onerror=y>", "<a href='", "</p>", "&lt;", '"', "'", "a", "word ", "思考", "\ud800"),
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=25).map("".join)


@pytest.mark.parametrize(("markdown", "html"), CASES)
def test_case(markdown: str, html: str) -> None:
    assert render(markdown) == html + "\n"


class Checker(HTMLParser):
    """Fails at what is not on the list of elements and attributes, and at elements that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= ELEMENTS[tag]
        values = {name: value or "" for name, value in attrs}
        if tag == "a":
            assert re.match("(https?://|mailto:)", values["href"], re.IGNORECASE)
            assert values["target"] == "_blank"
            assert values["rel"] == "noopener noreferrer nofollow"
        assert values.get("align", "left") in ("left", "center", "right")
        assert values.get("start", "0").isdigit()
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


@settings(deadline=None, max_examples=400)
@given(texts)
def test_whatever_a_model_writes_only_listed_elements_come_of_it(text: str) -> None:
    checker = Checker()
    checker.feed(render(text))
    checker.close()
    assert checker.open == []


@settings(deadline=None, max_examples=400)
@given(texts.filter(lambda text: "]:" not in text), st.lists(st.integers(1, 9), min_size=1, max_size=8))
@example("para\n#x", [1])  # an empty heading for a moment
@example("a\n| b | c |\n|---|-x", [1])  # a table for a moment
@example("- a\n\n- b\n", [1])
@example("a\r\nb\r\n\r\nc", [1])
def test_a_text_that_grows_looks_at_every_moment_like_the_text_so_far(text: str, sizes: list[int]) -> None:
    growing = GrowingMarkdown()
    settled = ""
    at = number = 0
    while at < len(text):
        at, number = at + sizes[number % len(sizes)], number + 1
        growth = growing.update(text[:at])
        assert not growth.restarted
        settled += growth.settled
        assert settled + growth.tail == render(text[:at])


def test_what_is_complete_settles_and_is_given_once() -> None:
    growing = GrowingMarkdown()
    assert growing.update("# a\n\nb\n").settled == "<h1>a</h1>\n"
    growth = growing.update("# a\n\nb\n\n- c\n")
    assert (growth.settled, growth.tail) == ("<p>b</p>\n", "<ul>\n<li>c</li>\n</ul>\n")
    assert growing.update("# a\n\nb\n\n- c\n- d").settled == ""


def test_another_text_starts_anew() -> None:
    growing = GrowingMarkdown()
    growing.update("[a]: https://b.c\n\nd\n\ne\n")
    growth = growing.update("[a]\n\nf\n")
    assert growth == Growth("<p>[a]</p>\n", "<p>f</p>\n", restarted=True)  # what was defined is forgotten


def test_a_last_block_that_changes_does_not_start_the_text_anew() -> None:
    growing = GrowingMarkdown()
    assert growing.update("a\n\n```\nb\n```").settled == "<p>a</p>\n"
    growth = growing.update("a\n\n```\nb\nc\n```")
    assert growth == Growth("", "<pre><code>b\nc\n</code></pre>\n", restarted=False)


def test_a_last_block_that_joins_a_settled_one_starts_the_text_anew() -> None:
    growing = GrowingMarkdown()
    assert growing.update("a\n# b\n").settled == "<p>a</p>\n"
    growth = growing.update("a\n#b\n")
    assert growth == Growth("", "<p>a\n#b</p>\n", restarted=True)


def test_a_settled_definition_makes_links_in_later_blocks() -> None:
    growing = GrowingMarkdown()
    growing.update("[a]: https://b.c\n\nd\n\ne\n")
    assert "href" in growing.update("[a]: https://b.c\n\nd\n\ne\n\n[a]").tail


def test_a_definition_does_not_change_what_has_settled() -> None:
    growing = GrowingMarkdown()
    assert growing.update("[a]\n\nb\n").settled == "<p>[a]</p>\n"
    assert not growing.update("[a]\n\nb\n\n[a]: https://b.c\n").restarted
