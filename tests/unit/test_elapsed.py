from __future__ import annotations

from thinkfold.core.elapsed import Stopwatch


def test_a_chat_from_history_has_no_time() -> None:
    watch = Stopwatch()
    watch.observe(False, 10.0)
    assert watch.seconds(99.0) is None
    assert not watch.ticking


def test_time_runs_while_the_box_is_live_and_stops_with_it() -> None:
    watch = Stopwatch()
    watch.observe(True, 10.0)
    assert watch.seconds(13.9) == 3
    watch.observe(False, 15.0)
    assert watch.seconds(60.0) == 5
    assert not watch.ticking


def test_a_box_that_goes_on_after_a_text_goes_on_counting_from_its_start() -> None:
    watch = Stopwatch()
    watch.observe(True, 10.0)
    watch.observe(False, 15.0)
    watch.observe(True, 20.0)
    assert watch.seconds(21.0) == 11
    assert watch.ticking


def test_a_clock_that_steps_back_never_shows_a_negative_time() -> None:
    watch = Stopwatch()
    watch.observe(True, 10.0)
    assert watch.seconds(9.0) == 0
