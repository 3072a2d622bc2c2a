"""Text in bursts comes out evenly."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.smoothing import Smoother

CHARACTERS = [
    *("a", "é", "e\u0301", "思", "\r\n", "\n", "\ud83d\ude00", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "नि", "각", "한"),
    *("\u1112\u1161\u11ab", "🏴\U000e0067\U000e0062\U000e007f", "1\ufe0f\u20e3", "க்ஷ", "z" + "\u0300" * 20),
]
words = st.lists(st.sampled_from(CHARACTERS), max_size=12).map("".join)
steps = st.lists(st.tuples(st.floats(0, 300), st.none() | words | st.text(max_size=9)), max_size=20)
delays = st.sampled_from([0, 1, 50, 400])


@given(steps, delays)
def test_what_comes_out_is_what_went_in_and_never_later_than_the_delay(
    steps: list[tuple[float, str | None]], delay: int
) -> None:
    smoother = Smoother(delay_ms=delay)
    now, shown, given = 0.0, "", ""
    arrivals: list[tuple[float, int]] = []  # when how many characters had come
    for passed, text in steps:
        now += passed
        if text is None:
            shown += smoother.due(now)
            assert given.startswith(shown)
            assert len(shown) >= max([length for came, length in arrivals if came + delay <= now], default=0)
        else:
            smoother.push(text, now)
            given += text
            arrivals.append((now, len(given)))
        assert smoother.idle == (shown == given)
    if len(steps) % 2:
        assert shown + smoother.flush() == given
    else:
        assert shown + smoother.due(now + delay) == given
    assert smoother.idle
    assert smoother.flush() == smoother.due(now) == ""


@given(st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=12), st.lists(st.floats(0, 100), max_size=30))
def test_a_character_that_is_several_code_points_is_never_cut(characters: list[str], moments: list[float]) -> None:
    text = "".join(characters)
    starts = {sum(map(len, characters[:number])) for number in range(len(characters) + 1)}
    smoother = Smoother(delay_ms=100)
    smoother.push(text, 0)
    shown = 0
    for now in sorted(moments):
        shown += len(smoother.due(now))
        assert shown in starts


@pytest.mark.parametrize("character", [each for each in CHARACTERS if len(each) > 1])
def test_a_character_cut_by_the_network_is_shown_whole(character: str) -> None:
    for cut in range(1, len(character)):
        smoother = Smoother(delay_ms=100)
        smoother.push(f"a{character[:cut]}", 0)
        smoother.push(f"{character[cut:]}b", 50)
        shown = ""
        for now in range(151):
            shown += smoother.due(now)
            assert shown in ("", "a", f"a{character}", f"a{character}b")
            assert now < 100 or len(shown) > cut  # what came first is not late
        assert shown == f"a{character}b"


def shown_every_frame(arrivals: list[tuple[float, str]], delay: float) -> list[int]:
    """How many characters each frame of 20 ms shows, while they come."""
    smoother = Smoother(delay_ms=delay)
    counts = []
    for now in range(0, int(arrivals[-1][0]), 20):
        for came, text in arrivals:
            if now - 20 < came <= now:
                smoother.push(text, came)
        counts.append(len(smoother.due(now)))
    return counts


def test_even_bursts_come_out_at_an_even_pace() -> None:
    counts = shown_every_frame([(at, "x" * 100) for at in range(0, 4001, 200)], delay=400)
    assert set(counts[60:]) <= {9, 10, 11}  # 100 in 200 ms


def test_uneven_bursts_come_out_evenly() -> None:
    choose = random.Random(1)
    arrivals = [(at + choose.randrange(-90, 90), "x" * choose.randrange(20, 180)) for at in range(100, 20_000, 200)]
    counts = shown_every_frame(arrivals, delay=600)[60:]
    assert min(counts) >= 1
    assert max(counts) <= 20  # each burst alone is 20 to 180


def test_the_pace_adapts_when_the_stream_becomes_faster() -> None:
    slow = [(at, "x" * 10) for at in range(0, 2000, 100)]
    fast = [(at, "x" * 100) for at in range(2000, 4001, 100)]
    counts = shown_every_frame(slow + fast, delay=300)
    assert set(counts[40:100]) <= {1, 2, 3}
    assert set(counts[-40:]) <= {19, 20, 21}


def test_what_is_shown_does_not_depend_on_how_often_one_asks() -> None:
    often, once = Smoother(delay_ms=300), Smoother(delay_ms=300)
    shown = ""
    for now in range(500):
        if now % 90 == 0:
            often.push("word ", now)
            once.push("word ", now)
        shown += often.due(now)
    assert shown == once.due(499)


def test_all_is_there_at_once_when_the_stream_ends() -> None:
    smoother = Smoother(delay_ms=1000)
    smoother.push("abc", 0)
    smoother.push("def", 10)
    assert not smoother.idle
    assert smoother.flush() == "abcdef"
    assert smoother.idle


def test_a_clock_that_goes_back_changes_nothing() -> None:
    smoother = Smoother(delay_ms=100)
    smoother.push("abcd", 1000)
    assert smoother.due(1050) == "ab"
    assert smoother.due(0) == ""
    smoother.push("e", 500)
    assert smoother.due(1100) == "cd"
    assert smoother.due(1150) == "e"


def test_a_delay_is_not_negative() -> None:
    with pytest.raises(ValueError, match="delay"):
        Smoother(delay_ms=-1)
