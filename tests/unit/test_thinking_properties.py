"""What holds for every text, whatever is in it (Hypothesis)."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from thinkfold.core.thinking import ParsedThinking, Reading, SpanKind, ThinkingStream, parse_thinking
from thinkfold.core.thinking.code import find_code

TAGS = [
    *(f"<{slash}{name}>" for name in ("think", "thinking", "THOUGHT", "seed:think") for slash in ("", "/")),
    '<think time="3">',
    "</think\n>",
    "[THINK]",
    "[/THINK]",
    "◁think▷",
    "◁/think▷",
    '<details type="reasoning">',
    "<details>",
    "<summary>s</summary>",
    "</details>",
    "<|channel|>analysis<|message|>",
    "<|end|><|start|>assistant<|channel|>final<|message|>",
    "###Thinking\n",
    "###Response\n",
]
MARKDOWN = ["`", "``", "```", "~~~", "````", "\n", "\n\n", "\r\n", "\r", "    ", "\t", "> ", "- ", "1. ", "# ", "==="]
WORDS = ["a", "word ", " ", "<", "\\", '"', "<https://a.b", ">", "\x00", "\ud800", "思考", "text.\n", "[a](b)"]

readings = st.sampled_from(["seed", "tolerant"])
pieces = st.one_of(st.sampled_from(TAGS), st.sampled_from(MARKDOWN), st.sampled_from(WORDS), st.text(max_size=3))
texts = st.lists(pieces, max_size=30).map("".join)
splits = st.lists(st.integers(1, 9), min_size=1, max_size=10)


def streamed(text: str, sizes: list[int], reading: Reading) -> ThinkingStream:
    stream = ThinkingStream(reading=reading)
    at = number = 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        stream.feed(text[at : at + size])
        at, number = at + size, number + 1
        whole = parse_thinking(text[:at], streaming=True, reading=reading)
        assert stream.result() == whole
        assert stream.result().spans == whole.spans
    return stream


@settings(deadline=None)
@given(texts, splits, readings)
@example("<think>\n```\na\n</think>\nb\n```\n</think>c", [1], "tolerant")
def test_a_stream_shows_at_every_moment_what_its_text_so_far_shows(
    text: str, sizes: list[int], reading: Reading
) -> None:
    result = streamed(text, sizes, reading).close()
    whole = parse_thinking(text, streaming=False, reading=reading)
    assert result == whole
    assert result.spans == whole.spans


def test_a_stream_made_to_be_slow_ends_like_its_whole() -> None:
    text = "`" + ("<think>a</think>" + "word " * 20) * 300 + "\n\n<think>b</think>c"
    stream = ThinkingStream(reading="tolerant")
    for at in range(0, len(text), 12):
        stream.feed(text[at : at + 12])
    assert stream.close() == parse_thinking(text, streaming=False, reading="tolerant")
    assert len(stream.result().segments) == 301


@given(texts, readings, st.booleans())
def test_every_character_is_thinking_body_or_part_of_a_tag_and_shown_once(
    text: str, reading: Reading, streaming: bool
) -> None:
    parsed = parse_thinking(text, streaming=streaming, reading=reading)
    assert "".join(text[span.start : span.end] for span in parsed.spans) == text
    assert all(before.end == after.start for before, after in zip(parsed.spans, parsed.spans[1:], strict=False))
    assert shown(text, parsed, SpanKind.BODY) == parsed.body
    assert shown(text, parsed, SpanKind.PENDING) == (parsed.pending or "")
    for number, segment in enumerate(parsed.segments):
        assert shown(text, parsed, SpanKind.THINKING, number) == segment


def shown(text: str, parsed: ParsedThinking, kind: SpanKind, segment: int | None = None) -> str:
    return "".join(text[s.start : s.end] for s in parsed.spans if s.kind is kind and s.segment == segment)


@given(texts)
def test_between_two_tags_of_the_seed_nothing_is_left_out(text: str) -> None:
    parsed = parse_thinking(text, streaming=False)
    tags = [text[span.start : span.end] for span in parsed.spans if span.kind is SpanKind.TAG]
    assert all(tag.strip("</>").lower() in ("think", "thinking", "reasoning") for tag in tags)


@given(texts, readings)
def test_a_finished_message_has_nothing_pending(text: str, reading: Reading) -> None:
    assert parse_thinking(text, streaming=False, reading=reading).pending is None


@given(st.text(alphabet=st.characters(exclude_characters="<[◁#")), readings, st.booleans())
def test_a_text_without_a_tag_comes_back_identical(text: str, reading: Reading, streaming: bool) -> None:
    assert parse_thinking(text, streaming=streaming, reading=reading) == ParsedThinking([], None, text, False)


@given(st.sampled_from(TAGS), st.sampled_from(TAGS), readings, st.integers(1, 5), st.booleans())
def test_code_is_never_read(first: str, last: str, reading: Reading, length: int, streaming: bool) -> None:
    sample = f"{first}a{last}".replace("\n", "")
    ticks, tildes = "`" * (length + 2), "~" * (length + 2)
    for code in (
        f"Code:\n{ticks}\n{sample}\n{ticks}\nEnd.",
        f"Code:\n\n> {tildes} html\n> {sample}\n> {tildes}\n",
        f"1. Code:\n\n   {ticks}\n   {sample}",
        f"Code:\n\n    {sample}\n\nEnd.",
        f"Code: {'`' * length}{sample}{'`' * length}, end.",
    ):
        assert parse_thinking(code, streaming=streaming, reading=reading) == ParsedThinking([], None, code, False)


MARK = "\ue000"  # stands in for a tag: no rule of Markdown knows it


@settings(deadline=None)
@given(texts, texts)
@example("\xa0\n`", "`")
@example("para `\n", "\n- `")
def test_code_is_where_a_whole_run_of_markdown_it_finds_it(before: str, after: str) -> None:
    before, after = (re.sub(r"[<[\ue000]", "", text) for text in (before, after))  # no links, no tags
    text = f"{before}{MARK}{after}"
    code = find_code(text, [len(before)], more=False).code
    assert any(each.start <= len(before) < each.end for each in code) == marked_in_code(text)


def marked_in_code(text: str) -> bool:
    markdown = MarkdownIt("commonmark", {"html": False}).disable(["reference", "link", "image"])
    for token in markdown.parse(text):
        if token.type in ("fence", "code_block") and MARK in token.content + token.info:
            return True
        if any(child.type == "code_inline" and MARK in child.content for child in token.children or ()):
            return True
    return False
