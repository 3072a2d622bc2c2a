"""How much thinking is shown, case by case (``cases/reasoning.txt``)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import read_cases
from thinkfold.core.reasoning import HostThought, Length, Press, exceeds, look_of, press_of
from thinkfold.core.settings import Settings, settings_from
from thinkfold.core.tokens import count_tokens

CASES = [
    pytest.param(given_lines, expected, id=title)
    for title, given_lines, expected in read_cases(Path(__file__).parent / "cases" / "reasoning.txt")
]
CHOSEN = {"chosen-open": True, "chosen-closed": False}
PRESSED = {"we-opened": Press.OPEN, "we-closed": Press.CLOSE}


@pytest.mark.parametrize(("given_lines", "expected"), CASES)
def test_case(given_lines: list[str], expected: str) -> None:
    (kind, _, words), *others = (line.partition(":") for line in given_lines)
    stored = dict(line.removeprefix("set ").split(" = ") for line, _, _ in others)
    settings = settings_from(stored)
    known = set(words.split())
    running, long = "running" in known, "long" in known
    if kind == "block":
        chosen = next((CHOSEN[word] for word in known if word in CHOSEN), None)
        assert look_of(settings, running=running, chosen=chosen, is_long=lambda: long) == expected
        assert known <= {"running", "long", *CHOSEN}
        return
    pressed = next((PRESSED[word] for word in known if word in PRESSED), None)
    thought = HostThought("expanded" in known, pressed, "by-hand" in known)
    press = press_of(settings, thought, running=running, is_long=long, being_read="being-read" in known)
    assert (press or "nothing") == expected
    assert known <= {"running", "long", "expanded", "by-hand", "being-read", *PRESSED}


@pytest.mark.parametrize(("limit", "tokens", "too_long"), [(2000, 2000, False), (2000, 2000.5, True), (0, 1e9, False)])
def test_a_thought_is_too_long_past_the_limit_and_without_a_limit_never(
    limit: int, tokens: float, too_long: bool
) -> None:
    assert exceeds(Settings(open_thought_limit=limit), tokens) is too_long


@given(st.lists(st.text(alphabet="ab 思\n", max_size=20)), st.text(max_size=20))
def test_a_text_that_grows_has_as_many_tokens_as_if_it_had_come_at_once(pieces: list[str], another: str) -> None:
    length, text = Length(), ""
    for piece in pieces:
        text += piece
        assert length.of(text) == pytest.approx(count_tokens(text))
    assert length.of(another) == pytest.approx(count_tokens(another))
