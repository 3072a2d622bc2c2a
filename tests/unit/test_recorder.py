"""What the recorder knows of a chat, from the records of real hosts and from events in every order.

``tests/unit/events`` has what each host sent for the same chat: a turn of two rounds, a turn that the user stopped,
and one during which the page was reloaded (``RELOAD``). All words are of a scripted model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.events import (
    Attempt,
    Block,
    BlockKind,
    Delta,
    Event,
    Message,
    Replay,
    StepId,
    TurnEnd,
    UserMessage,
)
from thinkfold.core.recorder import Limits, Recorder, State, Thought
from thinkfold.hosts.dsh_events import DshEvents

RECORDS = Path(__file__).parent / "events"
HOSTS = sorted(path.stem for path in RECORDS.glob("*.jsonl"))
SESSION = "s"
STEP = StepId(SESSION, 1, 1)


def records_of(host: str) -> tuple[list[str], list[str]]:
    """What a host sent before and after the reload."""
    lines = [json.loads(line) for line in (RECORDS / f"{host}.jsonl").read_text("utf-8").splitlines()]
    reload = lines.index("RELOAD")
    return lines[:reload], lines[reload + 1 :]


def batched(records: Sequence[str], size: int) -> list[str]:
    return ["\x1e\x1e".join(records[at : at + size]) for at in range(0, len(records), size)]


class Page:
    """One page's reader and recorder; sessions have nothing stored, unless *stored* says so."""

    def __init__(self, stored: Iterable[Thought] = (), limits: Limits | None = None) -> None:
        self.reader = DshEvents()
        self.recorder = Recorder(limits or Limits())
        self.stored = [thought.to_record() for thought in stored]

    def hear(self, batches: Iterable[str]) -> Page:
        for batch in batches:
            self.take(self.reader.read(batch))
        return self

    def take(self, events: Iterable[Event]) -> Page:
        for session in self.recorder.take(events):
            self.recorder.load(session, self.stored)
        while self.recorder.work():
            pass
        return self

    @property
    def session(self) -> str:
        return next(iter(self.recorder._thoughts))

    def thoughts(self) -> list[Thought]:
        return self.recorder.thoughts(self.session)


def seen(thoughts: Iterable[Thought]) -> list[tuple[int, int, int, str]]:
    return [(t.id.step.turn, t.id.step.step, t.characters, t.state.value) for t in thoughts]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_every_host_tells_of_the_same_thoughts_live(host: str, size: int) -> None:
    before, _ = records_of(host)
    page = Page().hear(batched(before, size))
    thoughts = seen(page.thoughts())
    assert thoughts[:2] == [(1, 1, 31, "done"), (1, 2, 12, "done")]
    assert [(turn, step, state) for turn, step, _, state in thoughts[2:]] == [(2, 1, "stopped"), (3, 1, "running")]
    assert 0 < thoughts[2][2] < 420
    assert page.recorder.running(page.session) is page.thoughts()[-1]
    assert all(thought.started is not None and thought.ended is not None for thought in page.thoughts())


@pytest.mark.parametrize("host", HOSTS)
def test_a_page_that_comes_in_mid_thought_makes_up_for_what_it_missed(host: str) -> None:
    before, after = records_of(host)
    live = seen(Page().hear(batched(before, 5)).thoughts())
    late = Page().hear(batched(after, 3))
    assert seen(late.thoughts()) == [*live[:3], (3, 1, 420, "done")]
    texts, whole = late.recorder.texts_of(late.thoughts()[-1].id.step)
    assert (texts, whole) == (["<think>More.</think>Done."], True)


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_stored_is_not_read_again(host: str) -> None:
    before, after = records_of(host)
    stored = Page().hear(batched(before, 5)).thoughts()[:3]
    stored[0].segments[0].refined = "As a model put it."
    page = Page(stored).hear(batched(after, 5))
    assert page.thoughts()[0].segments[0].refined == "As a model put it."
    assert len(page.thoughts()) == 4
    assert all(new.thought.step.turn == 3 for new in page.recorder.new_segments)


@pytest.mark.parametrize("host", HOSTS)
def test_the_history_and_the_stream_tell_the_same_of_a_finished_turn(host: str) -> None:
    before, after = records_of(host)
    live, history = (Page().hear(batched(each, 5)).thoughts()[0] for each in (before, after))
    assert live.to_record() == {**history.to_record(), "started": live.started, "ended": live.ended}
    assert abs((history.seconds or 0) - (live.seconds or 0)) <= 1


@pytest.mark.parametrize("host", HOSTS)
def test_hearing_everything_twice_changes_nothing(host: str) -> None:
    before, after = records_of(host)
    once = Page().hear(batched([*before, "c", *after], 4))
    twice = Page().hear(batched([*before, "c", *after, "c", *after], 4))
    assert seen(once.thoughts()) == seen(twice.thoughts())


@pytest.mark.parametrize("host", HOSTS)
def test_the_session_is_known_by_its_user_messages(host: str) -> None:
    before, _ = records_of(host)
    page = Page()
    events = page.reader.read("\x1e\x1e".join(before))
    messages = [event.message for event in events if isinstance(event, UserMessage)]
    page.take(events)
    assert page.recorder.session_of(["unknown", messages[-1]]) == page.session
    assert page.recorder.session_of(["unknown"]) is None


@pytest.mark.parametrize("host", HOSTS)
@given(data=st.data())
def test_no_record_raises_however_broken(host: str, data: st.DataObject) -> None:
    before, after = records_of(host)
    record = data.draw(st.sampled_from([*before, *after]))
    at = data.draw(st.integers(0, len(record)))
    broken = record[:at] + data.draw(st.text(max_size=3)) + record[at + data.draw(st.integers(0, 9)) :]
    Page().hear([broken, "f" + "[" * 100_000, "f7", "fnull", "r", "r{}\x1e{}", "", "x"])


# -- events in every order -----------------------------------------------------------------------------


def delta(text: str, order: int, block: int = 0, kind: BlockKind = BlockKind.REASONING, attempt: str = "a") -> Delta:
    return Delta(STEP, block, kind, text, 1000 * order, attempt, order)


def message(*blocks: tuple[BlockKind, str]) -> Message:
    return Message(STEP, tuple(Block(index, kind, text) for index, (kind, text) in enumerate(blocks)))


REASONING, TEXT, TOOL = BlockKind.REASONING, BlockKind.TEXT, BlockKind.TOOL


def test_a_new_attempt_at_a_step_makes_the_old_one_void() -> None:
    page = Page().take(
        [Attempt(STEP, "a"), delta("Wrong way.", 1), Attempt(STEP, "b"), delta("Right.", 1, attempt="b")]
    )
    assert seen(page.thoughts()) == [(1, 1, 6, "running")]


def test_a_host_that_begins_the_blocks_again_without_a_word_makes_the_old_ones_void() -> None:
    page = Page().take([delta("", 1), delta("Wrong.", 2), delta("", 3), delta("Right way.", 4)])
    assert seen(page.thoughts()) == [(1, 1, 10, "running")]


def test_a_block_change_ends_the_segment_and_the_thought() -> None:
    page = Page().take([delta("A thought.", 1), delta("Text", 2, 1, TEXT)])
    thought = page.thoughts()[0]
    assert (thought.state, [segment.summary for segment in thought.segments]) == (State.DONE, ["A thought."])
    assert page.recorder.running(SESSION) is None


def test_two_thoughts_of_a_step_are_two() -> None:
    events = [delta("One.", 1), delta("Text", 2, 1, TEXT), delta("Three.", 3, 2)]
    done = message((REASONING, "One."), (TEXT, "Text"), (REASONING, "Three."))
    assert seen(Page().take([*events, done]).thoughts()) == [(1, 1, 4, "done"), (1, 1, 6, "done")]
    assert seen(Page().take([done]).thoughts()) == [(1, 1, 4, "done"), (1, 1, 6, "done")]


def test_a_thought_counts_as_stopped_only_where_the_turn_ended_in_it() -> None:
    aborted = TurnEnd(SESSION, 1, "aborted")
    in_thought = Page().take([delta("A thou", 1), message((REASONING, "A thou")), aborted])
    assert seen(in_thought.thoughts()) == [(1, 1, 6, "stopped")]
    in_text = Page().take([delta("A thought.", 1), message((REASONING, "A thought."), (TEXT, "And te")), aborted])
    assert seen(in_text.thoughts()) == [(1, 1, 10, "done")]
    without_message = Page().take([delta("A thou", 1), aborted])
    assert seen(without_message.thoughts()) == [(1, 1, 6, "stopped")]


def test_an_empty_block_is_no_thought_and_takes_no_number() -> None:
    live = Page().take([delta("", 1), delta("", 2, 1), delta("Real.", 3, 1)])
    read = Page().take([message((REASONING, ""), (REASONING, "Real."))])
    assert [thought.id for thought in live.thoughts()] == [thought.id for thought in read.thoughts()]
    assert [thought.id.number for thought in read.thoughts()] == [0]


def test_the_limits_say_when_a_thought_is_long() -> None:
    text = "A sentence of some words. " * 40
    long = Page(limits=Limits(long=100)).take([message((REASONING, text))]).thoughts()[0]
    short = Page(limits=Limits(long=1000)).take([message((REASONING, text))]).thoughts()[0]
    assert (long.is_long, short.is_long) == (True, False)


def test_a_thought_that_is_read_again_is_as_one_that_was_followed() -> None:
    text = "".join(
        f"## Part {number}\n\nSo this is what part {number} comes to. {'And more of it. ' * 40}\n\n"
        for number in range(9)
    )
    limits = Limits(long=200, minimum=150, maximum=300)
    followed = Page(limits=limits).take([delta(text[at : at + 11], at) for at in range(0, len(text), 11)])
    followed.take([message((REASONING, text))])
    read = Page(limits=limits).take([message((REASONING, text))])
    assert followed.thoughts()[0].segments == read.thoughts()[0].segments != []


@given(st.data())
def test_whatever_is_missed_or_comes_twice_the_message_has_the_last_word(data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=8))
    deltas = [delta(piece, order) for order, piece in enumerate(pieces)]
    heard = [each for each in deltas if data.draw(st.booleans())]
    again = data.draw(st.lists(st.sampled_from(deltas), max_size=4))
    known = data.draw(st.integers(0, len(deltas)))
    replay = [Replay(STEP, "a", known, tuple(deltas[:known]))] if known else []
    at = data.draw(st.integers(0, len(heard)))
    events = [*heard[:at], *replay, *heard[at:], *again]
    text = "".join(pieces)
    page = Page().take(events)
    if replay and heard[at:] == deltas[known:] and heard[:at] == deltas[: len(heard[:at])]:
        assert page.thoughts()[0].characters == len(text)
    page.take([message((REASONING, text))])
    assert seen(page.thoughts()) == [(1, 1, len(text), "done")]


def test_what_the_user_deleted_is_gone_but_for_what_is_being_written() -> None:
    other = StepId(SESSION, 2, 1)
    page = Page().take([message((REASONING, "Old.")), Delta(other, 0, REASONING, "New", 1, "a", 1)])
    page.recorder.forget(SESSION)
    page.take([Delta(other, 0, REASONING, "er.", 2, "a", 2)])
    assert seen(page.thoughts()) == [(2, 1, 6, "running")]


def test_what_the_user_deleted_does_not_come_back_with_the_host_s_history() -> None:
    history = [message((REASONING, "Old."))]
    page = Page().take(history)
    record = page.recorder.forget(SESSION)
    assert page.recorder.changed == {thought.id for thought in Page().take(history).thoughts()}
    again = Page()
    again.recorder.load(SESSION, [record])
    again.take([*history, Message(StepId(SESSION, 2, 1), (Block(0, REASONING, "New."),))])
    assert seen(again.thoughts()) == [(2, 1, 4, "done")]


def test_what_was_not_heard_while_it_was_switched_off_comes_with_the_message() -> None:
    page = Page().take([Delta(STEP, 0, REASONING, "Begun, ", 1, "", 1)])
    page.recorder.lose_track()
    assert page.thoughts() == []
    page.take([Delta(STEP, 0, REASONING, "the end.", 3, "", 9)])
    page.take([message((REASONING, "Begun, and not heard, the end."))])
    assert seen(page.thoughts()) == [(1, 1, 30, "done")]


def test_work_is_done_in_slices() -> None:
    page = Page()
    text = "Some words of a thought. " * 4000  # 100,000 characters
    for session in page.recorder.take([message((REASONING, text))]):
        page.recorder.load(session, [])
    slices = 0
    while page.recorder.work():
        slices += 1
        assert page.thoughts()[0].characters <= slices * 4000
    assert slices == 25


def test_stored_records_of_another_shape_are_passed_over() -> None:
    page = Page()
    page.recorder.take([UserMessage(SESSION, "m")])
    page.recorder.load(SESSION, [{}, {"session": SESSION}, {"segments": 7}, {"session": SESSION, "turn": "x"}])
    assert page.thoughts() == []
