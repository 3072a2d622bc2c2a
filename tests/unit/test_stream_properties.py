"""What holds for every stream, whatever is in it (Hypothesis), and for streams made to do harm."""

from __future__ import annotations

import json
import re
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_stream_cases import decoded, shown
from test_thinking_properties import splits, texts
from thinkfold.core.foreign_json import DEEPEST
from thinkfold.core.stream import OpenAIStream
from thinkfold.core.thinking import Piece, ThinkingSplitter
from thinkfold.core.thinking.dialects import TOLERANT

NAMES = [
    "choices",
    "delta",
    "content",
    "reasoning",
    "reasoning_details",
    "tool_calls",
    "function",
    "arguments",
    "usage",
]
NAMES += ["index", "id", "error", "message", "finish_reason", "type", "text", "thinking", "done", "object", "name"]
WORDS = ["stop", "thinking", "text", "<think>", "</think>", "[DONE]", "error", "\ud83d", ""]

leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(WORDS), st.text(max_size=4))
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)
deltas = st.dictionaries(st.sampled_from(NAMES), documents, max_size=4)
choices = st.dictionaries(st.sampled_from(NAMES), documents, max_size=2)
chunks = st.builds(
    lambda choice, delta, rest: {**rest, "choices": [{**choice, "delta": delta}]}, choices, deltas, choices
)
LINE_ENDS = st.sampled_from(["\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\r\r"])
messages = st.one_of(
    st.builds(lambda chunk: f"data: {json.dumps(chunk)}", chunks | documents),
    st.builds(json.dumps, chunks | documents),
    st.sampled_from(["data: [DONE]", "data", "data:", "event: error", ": ping", "{", "}", "[", "\ufeff", "data: {"]),
    st.text(max_size=5),
)
bodies = st.lists(st.tuples(messages, LINE_ENDS).map("".join), max_size=8).map("".join)


@settings(max_examples=300)
@given(bodies, splits)
@example('data: {"choices": null, "id": "\\ud83d"}\n', [1])
def test_no_stream_raises_and_it_says_the_same_however_it_is_cut(body: str, sizes: list[int]) -> None:
    sent = body.encode("utf-8", "replace")
    pieces, at = [], 0
    while at < len(sent):
        pieces.append(sent[at : at + sizes[len(pieces) % len(sizes)]])
        at += len(pieces[-1])
    events = decoded(*pieces)
    assert repr(events) == repr(decoded(sent))
    for event in events:
        assert event.data not in (None, [])
        lines = event.to_sse().encode().decode().split("\n")
        assert [line.partition(":")[0] for line in lines] == ["id", "event", "data", "", ""]
        json.loads(lines[2].removeprefix("data: "), parse_constant=pytest.fail)


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_noise_never_raises(noise: bytes | str) -> None:
    assert decoded(noise)[-1].event in ("error", "stop")


def split(text: str, sizes: list[int]) -> list[Piece]:
    splitter = ThinkingSplitter()
    pieces: list[Piece] = []
    at = number = 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        pieces += splitter.feed(text[at : at + size])
        at, number = at + size, number + 1
    return joined_pieces(pieces + splitter.close())


def joined_pieces(pieces: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        assert piece.text
        if joined and joined[-1].is_thinking == piece.is_thinking:
            joined[-1] = Piece(piece.is_thinking, joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return joined


@settings(max_examples=500)
@given(texts, splits)
@example("`<think>a\n\nb", [20])
@example("<think ◁/think▷", [20])
@example("a <think>\n\nb", [4])
def test_a_message_is_split_the_same_however_it_is_cut(text: str, sizes: list[int]) -> None:
    assert split(text, sizes) == split(text, [1]) == split(text, [len(text) + 1])


@given(texts, splits)
@example("###Thinking \t\r\nb", [1])
def test_the_text_that_went_in_comes_out_without_whole_tags(text: str, sizes: list[int]) -> None:
    pattern, at = "", 0
    for tag in TOLERANT.tags(text):
        pattern += f"{re.escape(text[at : tag.start])}(?:{re.escape(text[tag.start : tag.end])})?"
        at = tag.end
    pattern += re.escape(text[at:])
    assert re.fullmatch(pattern, "".join(piece.text for piece in split(text, sizes)))


@given(texts)
def test_only_what_may_be_a_tag_is_held_back(text: str) -> None:
    splitter = ThinkingSplitter()
    given_out = sum(len(piece.text) for piece in splitter.feed(text))
    tags = sum(tag.end - tag.start for tag in TOLERANT.tags(text))
    assert len(text) - given_out <= tags + TOLERANT.unfinished(text) + len(text) - len(text.rstrip(" \t"))


@given(st.text(alphabet=st.characters(exclude_characters="<[◁#")), splits)
def test_text_without_a_tag_comes_at_once(text: str, sizes: list[int]) -> None:
    splitter = ThinkingSplitter()
    at = number = 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        assert splitter.feed(text[at : at + size]) == [Piece(False, text[at : at + size])]
        at, number = at + size, number + 1


def test_a_closed_message_takes_no_more() -> None:
    splitter = ThinkingSplitter()
    assert splitter.feed("<think>a</thi") == [Piece(True, "a")]
    assert splitter.close() == [Piece(True, "</thi")]
    assert splitter.close() == []
    with pytest.raises(ValueError, match="closed"):
        splitter.feed("b")


def content(*texts: str) -> str:
    return "".join(f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n" for text in texts)


def kept(stream: OpenAIStream) -> int:
    """How many characters the stream's reader keeps."""
    return sum(map(len, stream._reader._line)) + sum(map(len, stream._reader._data))


@pytest.mark.parametrize("start", ["data: ", "", ": ", "{", "x" * 90 + "\ndata: ", "data: a\ndata: "])
def test_a_line_without_end_is_forgotten_said_once_and_followed_by_what_comes_next(start: str) -> None:
    stream = OpenAIStream(longest=100)
    events = stream.feed(start)
    for _ in range(100):
        events += stream.feed("x" * 7)
        assert kept(stream) <= 100
    events += stream.feed("\ndata: the rest of the message\n\n" + content("a"))
    assert shown(events) == ["error too_long", 'text "a"']


def test_long_messages_one_after_the_other_are_not_one_that_is_too_long() -> None:
    events = decoded(*[": a comment\n"] * 50, content(*"abc" * 20), "data: [DONE]\n", longest=100)
    assert shown(events) == ['text "' + "abc" * 20 + '"', 'stop "stop"']


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"choices":['])
@pytest.mark.parametrize("prefix", ["data: ", ""])
def test_deep_nesting_is_an_error_and_the_stream_goes_on(opening: str, prefix: str) -> None:
    events = decoded(prefix + opening * 100_000 + "\n\n", content("a"), "data: [DONE]\n\n")
    assert shown(events) == ["error broken_json", 'text "a"', 'stop "stop"']


def test_what_is_nested_less_deeply_is_read_and_brackets_in_text_do_not_count() -> None:
    nested: object = "a"
    for _ in range(DEEPEST - 10):
        nested = [nested]
    chunk = {"choices": [{"delta": {"annotations": nested, "content": '[{"' * 1000}, "finish_reason": "stop"}]}
    assert [event.event for event in decoded(f"data: {json.dumps(chunk)}\n\n")] == ["text", "data", "stop"]


def test_a_number_of_a_million_digits_is_an_error() -> None:
    assert shown(decoded(f"data: {'9' * 1_000_000}\n\n")) == ["error broken_json", "error incomplete"]


def test_a_hundred_thousand_answers_at_once_are_not_kept() -> None:
    many = ",".join(["{}"] * 100_000)
    stream = OpenAIStream()
    assert stream.feed(f'data: {{"choices": [{many}]}}\n\n') == []
    assert len(stream._choices) == 1_000


def test_a_long_thought_comes_piece_by_piece_and_leaves_nothing_behind() -> None:
    pieces = [f"{number:09}\n" for number in range(20_000)]
    sent = [f"data: {json.dumps({'choices': [{'delta': {'reasoning_content': piece}}]})}\n\n" for piece in pieces]
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    stream = OpenAIStream()
    assert all(
        [event.data for event in stream.feed(message)] == [piece] for message, piece in zip(sent, pieces, strict=True)
    )
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100_000  # a stream keeps no reasoning
    assert shown(decoded("".join(sent), "data: [DONE]\n\n")) == [
        f"reasoning {json.dumps(''.join(pieces))}",
        'stop "stop"',
    ]
