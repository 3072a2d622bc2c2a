"""A thought in segments, case by case. The cases are in ``cases/segments.txt``, whose head says how to write one."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet
from support.cases import lines_after, read_cases
from thinkfold.core.segments import Segment, Segmenter
from thinkfold.core.tokens import count_tokens

CASES = Path(__file__).parent / "cases" / "segments.txt"
OPTION = re.compile(r'(min|max|code|table) ("(?:[^"\\]|\\.)*"|[\w-]+)(?:, |$)')


class Case(NamedTuple):
    thought: str
    min_tokens: float
    max_tokens: float
    code: str
    table: str

    def segmenter(self) -> Segmenter:
        return Segmenter(self.min_tokens, self.max_tokens, self.code, self.table)


def case_of(given: list[str]) -> Case:
    written = lines_after("=", given)
    assert "".join(match.group() for match in OPTION.finditer(written)) == written, f"not understood: {written}"
    options = {
        "min": "0",
        "max": "1000",
        "code": "keep-refine",
        "table": "keep-refine",
        **dict(OPTION.findall(written)),
    }
    limits = [json.loads(options[name]) for name in ("min", "max")]
    lowest, highest = (count_tokens(limit) if isinstance(limit, str) else limit for limit in limits)
    on = "".join(json.loads(line[2:]) for line in given if line.startswith(":"))
    return Case(lines_after("|", given) + on, lowest, highest, options["code"], options["table"])


def described(segment: Segment) -> str:
    if not segment.text.strip():
        kind = "nothing"
    elif segment.is_table:
        kind = "table"
    else:
        kind = {0: "prose", 1: "code"}.get(segment.code_share, "mixed")
    skipped = ", skipped" if kind != "nothing" and not segment.refine else ""
    left_out = ", left out" if segment.raw_tokens > segment.tokens else ""
    return f"{kind} {readable(segment.text)}{skipped}{left_out}"


def readable(text: str) -> str:
    """As JSON, in which only what cannot be seen is escaped."""
    return "".join(
        character if character.isprintable() or character == "\u200d" else json.dumps(character)[1:-1]
        for character in json.dumps(text, ensure_ascii=False)
    )


def fed(case: Case, size: Callable[[], int]) -> list[Segment]:
    segmenter = case.segmenter()
    segments = []
    at = 0
    while at < len(case.thought):
        end = at + size()
        segments += segmenter.feed(case.thought[at:end])
        at = end
    return segments + segmenter.close()


def whole(case: Case) -> list[Segment]:
    return fed(case, lambda: len(case.thought))


def cases() -> Iterator[ParameterSet]:
    for title, given, outcome in read_cases(CASES):
        yield pytest.param(case_of(given), outcome.splitlines(), id=title)


@pytest.mark.parametrize(("case", "outcome"), [*cases()])
def test_case(case: Case, outcome: list[str]) -> None:
    segments = whole(case)
    assert [described(segment) for segment in segments] == outcome
    assert fed(case, lambda: 1) == segments
    chance = random.Random(case.thought)
    for longest in (3, 9, 40):
        assert fed(case, lambda: chance.randint(1, longest)) == segments  # noqa: B023
