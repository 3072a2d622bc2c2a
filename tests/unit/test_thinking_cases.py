"""Thinking in text, case by case. The cases are in ``cases/thinking.txt``, whose head says how to write one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from _pytest.mark import ParameterSet
from thinkfold.core.thinking import ParsedThinking, Reading, ThinkingStream, detect_boundary, parse_thinking

CASES = Path(__file__).parent / "cases" / "thinking.txt"
ITEM = re.compile(r'(think|pending|body) ("(?:[^"\\]|\\.)*")(?:, |$)')


def read_cases() -> Iterator[tuple[str, str, str, list[str]]]:
    """Title, message, what comes then, and the lines of the outcome."""
    for block in CASES.read_text("utf-8").split("\n## ")[1:]:
        title, _, body = block.partition("\n")
        given, _, expected = body.partition("\n->\n")
        message = [line[2:] for line in given.splitlines() if line.startswith("|")]
        then = [line[2:] for line in given.splitlines() if line.startswith("+")]
        yield title, "\n".join(message), "\n".join(then), [line for line in expected.splitlines() if line]


def parsing_cases() -> Iterator[ParameterSet]:
    for title, message, _, outcome in read_cases():
        for line in outcome:
            when, _, items = line.partition(":")
            if when == "boundary":
                continue
            which, *streaming = when.split()
            for reading in get_args(Reading) if which == "both" else [which]:
                name = f"{title} - {reading}{' streaming' if streaming else ''}"
                yield pytest.param(message, reading, bool(streaming), items.strip(), id=name)


def boundary_cases() -> Iterator[ParameterSet]:
    for title, message, then, outcome in read_cases():
        if outcome[0].startswith("boundary"):
            yield pytest.param(message, then, outcome[0].split()[1], id=title)


def expected_of(items: str) -> ParsedThinking:
    found = [(name, json.loads(text)) for name, text in ITEM.findall(items)]
    assert "".join(match.group() for match in ITEM.finditer(items)) == items, "not understood"
    segments = [text for name, text in found if name == "think"]
    pending = next((text for name, text in found if name == "pending"), None)
    body = "".join(text for name, text in found if name == "body")
    return ParsedThinking(segments, pending, body, bool(segments or pending))


@pytest.mark.parametrize(("message", "reading", "streaming", "items"), [*parsing_cases()])
def test_case(message: str, reading: Reading, streaming: bool, items: str) -> None:
    expected = expected_of(items)
    assert parse_thinking(message, streaming=streaming, reading=reading) == expected
    stream = ThinkingStream(reading=reading)
    for character in message:
        stream.feed(character)
    assert (stream.result() if streaming else stream.close()) == expected


@pytest.mark.parametrize(("message", "then", "outcome"), [*boundary_cases()])
def test_boundary(message: str, then: str, outcome: str) -> None:
    boundary = detect_boundary(message, message + then)
    assert boundary.started == (outcome in ("started", "both"))
    assert boundary.ended == (outcome in ("ended", "both"))
