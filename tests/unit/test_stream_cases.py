"""Streams of replies, case by case. The cases are in ``cases/stream.txt``, whose head says how to write one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from support.cases import read_cases
from thinkfold.core.stream import OpenAIStream, StreamEvent, joined

CASES = Path(__file__).parent / "cases"
UNSEEN = re.compile("[\u2028\ud800-\udfff]")


def messages_of(given: list[str], cut: int | None = None) -> Iterator[str]:
    """The stream that a case gives; with *cut*, its content in pieces of so many characters."""
    for line in given:
        mark, rest = line[:1], line[2:]
        if mark == "<":
            yield json.loads(rest)
            continue
        chunk = json.loads(rest)
        if mark == "+":
            content = chunk.get("content")
            if cut and isinstance(content, str):
                for at in range(0, len(content), cut):
                    piece = {"choices": [{"index": 0, "delta": {"content": content[at : at + cut]}}]}
                    yield f"data: {json.dumps(piece)}\n\n"
                chunk = {name: value for name, value in chunk.items() if name != "content"}
            chunk = {"choices": [{"index": 0, "delta": chunk, "finish_reason": None}]}
        elif mark == ".":
            chunk = {"choices": [{"index": 0, "delta": {}, "finish_reason": chunk}]}
        else:
            assert mark == "|", f"not understood: {line}"
        yield f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"


def decoded(*pieces: bytes | str, **options: Any) -> list[StreamEvent]:
    stream = OpenAIStream(**options)
    return [event for piece in pieces for event in stream.feed(piece)] + stream.close()


def shown(events: list[StreamEvent]) -> list[str]:
    """The events as a case writes them."""
    return [
        f"{event.event}{f'#{event.choice}' if event.choice else ''} {written(event)}"
        for event in joined(events)
        if event.event != "data" or event.data != {"role": "assistant"}
    ]


def written(event: StreamEvent) -> str:
    data = event.data
    if event.event == "error" and data.get("type") in ("broken_json", "too_long", "incomplete"):
        return str(data["type"])
    if event.event == "tool_calls":
        return ", ".join(
            f"{call['index']} {call['id']} {call['function']['name']}({call['function']['arguments']})" for call in data
        )
    return UNSEEN.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(data, ensure_ascii=False))


def cases() -> Iterator[ParameterSet]:
    for title, given, outcome in read_cases(CASES / "stream.txt"):
        lines = [line for line in given if line]
        options = {"thinking_first": True} if lines[0] == "thinking first" else {}
        yield pytest.param(lines[1:] if options else lines, options, outcome.splitlines(), id=title)


@pytest.mark.parametrize(("given", "options", "outcome"), [*cases()])
def test_case(given: list[str], options: dict[str, bool], outcome: list[str]) -> None:
    body = "".join(messages_of(given))
    sent = body.encode("utf-8", "surrogatepass")
    assert shown(decoded(body, **options)) == outcome
    assert decoded(sent, **options) == decoded(body, **options)
    assert decoded(*(sent[at : at + 1] for at in range(len(sent))), **options) == decoded(body, **options)
    for cut in (1, 2, 7):
        assert shown(decoded("".join(messages_of(given, cut)), **options)) == outcome


def test_the_example_of_seed_003_comes_out_as_the_seed_has_it() -> None:
    reply = (CASES / "seed_003_reply.txt").read_bytes()
    assert "".join(event.to_sse() for event in decoded(reply)) == (CASES / "seed_003_events.txt").read_text("utf-8")


def test_a_thought_starts_and_ends_where_its_kind_of_event_does() -> None:
    given = next(given for title, given, _ in read_cases(CASES / "stream.txt") if title.startswith("A tool call ends"))
    order: list[str] = []
    thinking = False
    for event in decoded(*messages_of([line for line in given if line])):
        if thinking != (event.event == "reasoning"):
            order.append("thinking-end" if thinking else "thinking-start")
            thinking = not thinking
        order.append(event.event)
    assert order == [
        *("thinking-start", "reasoning", "thinking-end", "tool_calls", "stop"),
        *("thinking-start", "reasoning", "thinking-end", "text", "stop"),
    ]


def test_the_events_name_their_reply() -> None:
    events = decoded('data: {"id": "a", "choices": [{"delta": {"content": "b"}}]}\n\ndata: [DONE]\n\n')
    assert [(event.id, event.event) for event in events] == [("a", "text"), ("a", "stop")]


@pytest.mark.parametrize(
    ("event", "data"),
    [
        (StreamEvent("1", "text", "a\u2028\nb"), '"a\u2028\\nb"'),
        (StreamEvent("1", "text", "\ud83d"), '"\\ud83d"'),
        (StreamEvent("1", "usage", {"completion_tokens": 7}), '{"completion_tokens":7}'),
    ],
)
def test_an_event_is_written_so_that_it_can_be_sent_and_read_again(event: StreamEvent, data: str) -> None:
    assert event.to_sse().encode() == f"id: 1\nevent: {event.event}\ndata: {data}\n\n".encode()


def test_an_id_cannot_write_lines_of_its_own() -> None:
    assert StreamEvent("1\nevent: stop", "text", "a", choice=1).to_sse().splitlines()[1] == "event: text"
    assert re.match(r"id: .*#1\n", StreamEvent("1\r\n", "text", "a", choice=1).to_sse())


def test_a_closed_stream_takes_no_more() -> None:
    stream = OpenAIStream()
    assert [event.data["type"] for event in stream.close()] == ["incomplete"]
    assert stream.close() == []
    with pytest.raises(ValueError, match="closed"):
        stream.feed(b"")
