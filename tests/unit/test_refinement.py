"""Refinement by a small model: which one, what it is asked, what is made of its reply, and when it is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime, formatdate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import read_cases
from thinkfold.core.events import StepId
from thinkfold.core.graphemes import is_border
from thinkfold.core.recorder import SummedUp, ThoughtId
from thinkfold.core.refinement import (
    INPUT_TOKENS,
    INSTRUCTION,
    Failure,
    Job,
    Queue,
    Refined,
    RefineTrim,
    Reply,
    choose_model,
    failure_of,
    read_models,
    request_body,
    trim,
    wait_of,
    without_refused,
)
from thinkfold.core.refinement.queue import LONGEST_PAUSE, LONGEST_WAIT, MOST_OF_HISTORY, MOST_WAITING
from thinkfold.core.refinement.reply import SHOWN_TOKENS
from thinkfold.core.refinement.request import GAP
from thinkfold.core.schema import Text
from thinkfold.core.settings import SCHEMA, Settings, without_foreign_key
from thinkfold.core.tokens import count_tokens

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "cases"
MODELS = [*read_cases(CASES / "models.txt")]
REPLIES = [*read_cases(CASES / "refined.txt")]
ASKED = {"messages": [{"role": "user", "content": "one two three four five six seven eight nine ten"}]}  # 10 tokens


# -- which model ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("title", "given", "expected"), MODELS, ids=[title for title, *_ in MODELS])
def test_the_smallest_model_that_chats_is_chosen(title: str, given: list[str], expected: str) -> None:
    lines = [line[2:] for line in given]
    offered = read_models("\n".join(lines)) if lines and lines[0][0] in "{[" else lines
    chosen = choose_model(offered)
    assert (" ".join(filter(None, (chosen.key, chosen.model, chosen.reason))) if chosen else "none") == expected


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["data", "models", "id", "name"]), inner),
    )
)
def test_no_list_of_models_raises(reply: Any) -> None:
    assert all(isinstance(name, str) and name for name in read_models(json.dumps(reply)))


@given(st.lists(st.text(alphabet="abnimo-:.0123456789xe", min_size=1)))
def test_the_choice_is_one_of_those_that_are_offered_and_the_same_in_any_order(offered: list[str]) -> None:
    chosen = choose_model(offered)
    assert chosen is None or chosen.model in offered
    assert (chosen is None) == (choose_model(offered[::-1]) is None)


# -- what is asked -------------------------------------------------------------------------------------

LONG = "".join(f"Sentence {number} of a long thought. " for number in range(600))


def test_a_short_piece_is_sent_as_it_is() -> None:
    for how in RefineTrim:
        assert trim("A short piece.", how) == "A short piece."


def test_a_long_piece_is_sent_by_its_start_and_its_end() -> None:
    sent = trim(LONG, RefineTrim.HEADTAIL)
    head, tail = sent.split(GAP)
    assert LONG.startswith(head) and LONG.rstrip().endswith(tail.rstrip())
    assert 0.9 * INPUT_TOKENS < count_tokens(sent) < 1.05 * INPUT_TOKENS
    assert 0.27 < count_tokens(head) / count_tokens(head + tail) < 0.33


def test_or_by_its_end_alone_or_in_full() -> None:
    tail = trim(LONG, RefineTrim.TAIL)
    assert tail.startswith("[…]\n") and LONG.endswith(tail.partition("\n")[2])
    assert 0.9 * INPUT_TOKENS < count_tokens(tail) < 1.05 * INPUT_TOKENS
    assert trim(LONG, RefineTrim.FULL) == LONG


CHARACTERS = [
    *"ab .,\n",
    "é",
    "e\u0301",
    "中",
    "한",
    "👩\u200d👩\u200d👧",
    "🇩🇪",
    "👍🏽",
    "\r\n",
    "क्षि",
    "\ud83d",
    "\udc4d",
]
TEXTS = st.lists(st.sampled_from(CHARACTERS), max_size=60).map(lambda parts: "".join(parts) * 4)


@given(TEXTS, st.sampled_from(RefineTrim), st.integers(4, 40))
def test_what_is_sent_is_a_start_and_an_end_that_take_no_character_apart(
    text: str, how: RefineTrim, limit: int
) -> None:
    sent = trim(text, how, limit)
    if sent == text:
        return
    assert how is not RefineTrim.FULL
    gap = GAP.lstrip() if sent.startswith(GAP.lstrip()) else GAP
    assert any(
        text.startswith(head)
        and text.endswith(tail)
        and (is_border(text, len(head)) or text[len(head)].isspace())
        and is_border(text, len(text) - len(tail))
        and len(head) + len(tail) <= len(text)
        for head, tail in [(sent[:at], sent[at + len(gap) :]) for at in range(len(sent)) if sent.startswith(gap, at)]
    )
    assert count_tokens(sent) <= limit * 1.2 + count_tokens(gap) + 2


def test_the_request_streams_within_the_budget_and_asks_what_it_cost() -> None:
    body = request_body("m", "A piece.", prompt=" \n", budget=512, how=RefineTrim.HEADTAIL)
    assert body["messages"] == [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": "A piece."}]
    assert (body["model"], body["max_tokens"], body["stream"], body["stream_options"]) == (
        *("m", 512, True),
        {"include_usage": True},
    )
    assert (
        request_body("m", "A.", prompt="Briefly.", budget=1, how=RefineTrim.FULL)["messages"][0]["content"]
        == "Briefly."
    )


@given(st.text())
def test_half_characters_are_not_sent(text: str) -> None:
    content = request_body("m", "\ud83d" + text, prompt="", budget=1, how=RefineTrim.FULL)["messages"][1]["content"]
    content.encode()


@pytest.mark.parametrize(
    ("complaint", "gone", "come"),
    [
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
        ('{"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs"}]}', "stream_options", None),
    ],
)
def test_what_a_server_refuses_is_said_otherwise(complaint: str, gone: str, come: str | None) -> None:
    body = request_body("m", "A piece.", prompt="", budget=512, how=RefineTrim.HEADTAIL)
    otherwise = without_refused(body, complaint)
    assert otherwise is not None and otherwise.keys() ^ body.keys() == {gone, *([come] if come else [])}
    assert without_refused(otherwise, complaint) is None
    assert without_refused(body, "The model does not exist.") is None


# -- what comes back -----------------------------------------------------------------------------------


def outcome_of(pieces: Sequence[str], budget: int) -> Refined | Failure:
    reply = Reply(ASKED, budget=budget)
    for piece in pieces:
        if reply.feed(piece):
            break
    return reply.close()


def written(given: list[str]) -> tuple[int, str]:
    """The budget and the reply of a case."""
    budget, text = 100, ""
    for line in given:
        kind, _, rest = line.partition(" ")
        if kind == "budget":
            budget = int(rest)
        elif kind == "=":
            times, _, string = rest.partition(" ")
            text = text.removesuffix("\n") + json.loads(string) * int(times)
        else:
            text += rest + "\n"
    return budget, text


def said(outcome: Refined | Failure) -> str:
    if isinstance(outcome, Refined):
        return f"refined {outcome.tokens:.0f}\n{outcome.text}"
    return " ".join((outcome.key, *outcome.arguments))


@pytest.mark.parametrize(("title", "given", "expected"), REPLIES, ids=[title for title, *_ in REPLIES])
@pytest.mark.parametrize("size", [1, 7, 10_000_000])
def test_a_reply_becomes_a_summary_or_a_reason(title: str, given: list[str], expected: str, size: int) -> None:
    budget, text = written(given)
    if size < 100 and len(text) > 3000:
        size = 100
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert said(outcome_of(pieces, budget)) == expected


@given(
    st.lists(
        st.sampled_from(
            [
                "data: ",
                "{",
                '{"choices": [{"delta": {"content": "a"}}]}',
                '"error": 1}',
                "\n",
                "\n\n",
                "[DONE]",
                "<html>",
                "data: [1]",
                "null",
                '{"error": null}',
                '{"usage": {"total_tokens": 1e400}}',
            ]
        )
        | st.text()
    )
)
def test_no_reply_raises_and_each_has_an_outcome(pieces: list[str]) -> None:
    outcome = outcome_of(pieces, 100)
    if isinstance(outcome, Refined):
        assert outcome.text and outcome.tokens > 0 and count_tokens(outcome.text) <= SHOWN_TOKENS * 1.2
    else:
        assert outcome.key.startswith("refineFailed")


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (
            401,
            '{"error": {"message": "Incorrect API key provided: sk-1234"}}',
            Failure("refineFailedKey", for_all=True),
        ),
        (403, "", Failure("refineFailedForbidden", for_all=True)),
        (
            404,
            '{"error": {"message": "model \\"x\\" not found"}}',
            Failure("refineFailedNotFound", ('model "x" not found',), for_all=True),
        ),
        (404, "<html><h1>404</h1></html>", Failure("refineFailedNotFound", ("–",), for_all=True)),
        (429, '{"error": "slow down"}', Failure("refineFailedBusy", passes=True)),
        (500, '{"error": "out of memory"}', Failure("refineFailedStatus", ("500", "out of memory"), passes=True)),
        (503, "<html>", Failure("refineFailedStatus", ("503", "–"), passes=True)),
        (400, '{"detail": "no such thing"}', Failure("refineFailedStatus", ("400", "no such thing"))),
        (422, '{"detail": [{"loc": ["body"]}]}', Failure("refineFailedStatus", ("422", "–"))),
    ],
)
def test_a_status_says_whether_to_ask_again(status: int, body: str, expected: Failure) -> None:
    assert failure_of(status, body) == expected


NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3),
        (" 120 ", 120),
        ("0", 0),
        (format_datetime(NOW.replace(minute=1), usegmt=True), 60),
        (formatdate(NOW.timestamp() - 99, usegmt=True), 0),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("9" * 40, None),
        ("Mon, 99 Nov 2026 12:00:00 GMT", None),
        ("", None),
    ],
)
def test_a_server_says_how_long_to_wait_in_seconds_or_as_a_date(header: str, seconds: float | None) -> None:
    assert wait_of(header, NOW.timestamp()) == seconds


@given(st.text())
def test_no_wait_raises(header: str) -> None:
    wait_of(header, 0)


# -- when it is asked ----------------------------------------------------------------------------------


def job(turn: int, *, place: int = 0, live: bool = True, session: str = "s") -> Job:
    return Job(ThoughtId(StepId(session, turn, 1), 0), place, "text", SummedUp("", 1, 1, 0, False), live)


def filled(*jobs: Job) -> Queue:
    queue = Queue()
    for each in jobs:
        assert queue.add(each, 0) == []
    return queue


BUSY = Failure("refineFailedBusy", passes=True)
KEY = Failure("refineFailedKey", for_all=True)
EMPTY = Failure("refineFailedEmpty")


def test_one_is_asked_at_a_time_in_the_order_of_the_stream() -> None:
    first, second = job(1), job(1, place=1)
    queue = filled(first, second)
    assert queue.next(0, "s") is first
    assert queue.next(0, "s") is None
    queue.done()
    assert queue.next(0, "s") is second


def test_what_streams_comes_before_the_history_and_of_that_the_newest_first() -> None:
    old, new_b, new_a, live = job(1, live=False), job(2, place=1, live=False), job(2, live=False), job(3)
    queue = filled(old, new_b, new_a, live)
    order = []
    while each := queue.next(0, "s"):
        order.append(each)
        queue.done()
    assert order == [live, new_a, new_b, old]


def test_of_the_history_only_the_open_session_is_refined_and_only_so_much() -> None:
    others, ours = [job(1, live=False, session="other")], [job(turn, live=False) for turn in range(MOST_OF_HISTORY + 5)]
    queue = filled(*others, *ours)
    done = 0
    while queue.next(0, "s"):
        queue.done()
        done += 1
    assert done == MOST_OF_HISTORY
    assert queue.next(0, None) is None
    assert queue.next(0, "other") is others[0]


def test_when_too_much_waits_the_least_urgent_is_given_up_with_a_reason() -> None:
    queue = filled(*(job(turn, live=False) for turn in range(1, MOST_WAITING + 1)))
    assert [(each.thought.step.turn, failure.key) for each, failure in queue.add(job(99), 0)] == [
        (1, "refineFailedFull")
    ]
    assert len(queue) == MOST_WAITING


def test_a_busy_server_is_asked_once_more_after_a_while() -> None:
    first, second = job(1), job(2)
    queue = filled(first, second)
    assert queue.next(0, "s") is first
    assert queue.failed(BUSY, None, now=0) == []
    assert queue.next(1, "s") is None
    assert queue.wait(1) == 1
    assert queue.next(2, "s") is first
    assert queue.failed(BUSY, None, now=2) == [(first, BUSY)]
    assert queue.next(3.9, "s") is None  # the next one waits too
    assert queue.next(4, "s") is second


def test_the_server_says_how_long() -> None:
    queue = filled(job(1))
    queue.next(0, "s")
    assert queue.failed(BUSY, 30, now=0) == []
    assert queue.next(29, "s") is None
    assert queue.next(30, "s") is not None


def test_a_server_that_wants_to_be_left_alone_for_long_is_left_alone() -> None:
    first, second, third = job(1), job(2), job(3)
    queue = filled(first, second)
    queue.next(0, "s")
    assert queue.failed(BUSY, LONGEST_WAIT + 1, now=0) == [(first, BUSY), (second, BUSY)]
    assert queue.add(third, now=30) == [(third, BUSY)]
    assert queue.add(third, now=LONGEST_WAIT + 1) == []
    assert queue.next(LONGEST_WAIT + 1, "s") is third
    queue.failed(BUSY, 1e9, now=100)
    assert queue.wait(100) == LONGEST_PAUSE


def test_what_would_fail_for_all_is_not_asked_for_each() -> None:
    jobs = [job(turn) for turn in range(3)]
    queue = filled(*jobs)
    queue.next(0, "s")
    assert queue.failed(KEY, None, 0) == [(each, KEY) for each in jobs]
    assert queue.add(job(9), 0) == []  # and the next is tried: the user may have set another key


def test_what_fails_for_one_leaves_the_others() -> None:
    first, second = job(1), job(2)
    queue = filled(first, second)
    queue.next(0, "s")
    assert queue.failed(EMPTY, None, 0) == [(first, EMPTY)]
    assert queue.next(0, "s") is second


def test_a_thought_that_ends_badly_takes_its_own_jobs_along_and_no_others() -> None:
    ours, theirs = [job(1), job(1, place=1)], [job(2), job(1, session="other")]
    queue = filled(*ours, *theirs)
    assert queue.next(0, "s") is ours[0]
    assert queue.cancel(lambda each: each.thought == ours[0].thought)  # the request must end
    assert queue.failed(BUSY, None, 0) == []  # what comes of it is nobody's
    rest = []
    while each := queue.next(0, "s"):
        rest.append(each)
        queue.done()
    assert rest == theirs
    queue = filled(*ours, *theirs)
    queue.next(0, "s")
    assert not queue.cancel(lambda each: each.thought == theirs[0].thought)
    assert queue.running is ours[0]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(1, 5), st.booleans()),
        st.tuples(st.just("next"), st.integers(0, 50), st.booleans()),
        st.tuples(st.just("done"), st.just(0), st.booleans()),
        st.tuples(st.just("fail"), st.sampled_from([0, 5, 30, 5000]), st.booleans()),
        st.tuples(st.just("cancel"), st.integers(1, 5), st.booleans()),
    ),
    max_size=80,
)


@given(STEPS)
def test_every_job_ends_once_and_none_is_asked_more_than_twice(steps: list[tuple[str, int, bool]]) -> None:
    queue, now = Queue(), 0.0
    added: list[Job] = []
    ended: list[Job] = []
    asked: list[Job] = []
    for step, value, flag in steps:
        match step:
            case "add":
                added.append(job(value, live=flag))
                ended += [each for each, _ in queue.add(added[-1], now)]
            case "next":
                now += value
                if each := queue.next(now, "s"):
                    asked.append(each)
            case "done":
                ended += [queue.running] if queue.running else []
                queue.done()
            case "fail":
                ended += [each for each, _ in queue.failed(BUSY if flag else KEY, value, now)]
            case "cancel":
                before = [*queue._waiting, *([queue.running] if queue.running else [])]
                queue.cancel(lambda each, turn=value: each.thought.step.turn == turn)  # type: ignore[misc]
                ended += [each for each in before if each.thought.step.turn == value]
        assert len(queue) <= MOST_WAITING + 1
    assert all(asked.count(each) <= 2 for each in asked)
    left = [*queue._waiting, *([queue.running] if queue.running else [])]
    assert sorted(map(id, [*ended, *left])) == sorted(map(id, added))


# -- where the key is ----------------------------------------------------------------------------------


def test_no_secret_is_given_to_the_page_of_a_chat() -> None:
    boot = (ROOT / "browser_ext" / "boot.js").read_text("utf-8")
    _, _, listed = boot.partition("const SECRETS = ")
    assert json.loads(listed.partition(";")[0]) == [each.name for each in SCHEMA if each.is_secret]


def test_nothing_is_refined_until_there_is_an_address() -> None:
    assert (Settings().refine, Settings().refine_address, Settings().refine_model) == (True, "", "auto")
    assert all(len(each.default) <= each.kind.maximum for each in SCHEMA if isinstance(each.kind, Text))


A, B = "https://a.example/v1", "https://b.example/v1"


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        ({"refineKey": "k"}, {"refineAddress": A, "refineKey": "k"}, True),  # entered ahead of its address
        ({"refineAddress": A, "refineKey": "k"}, {"refineAddress": "https://A.example/v2", "refineKey": "k"}, True),
        ({"refineAddress": A, "refineKey": "k"}, {"refineAddress": A, "refineKey": "k", "texts": "none"}, True),
        ({"refineAddress": A, "refineKey": "k"}, {"refineAddress": B, "refineKey": "other"}, True),  # comes with it
        ({"refineAddress": A}, {"refineAddress": A, "refineKey": "k"}, True),
        ({"refineAddress": A, "refineKey": "k"}, {"refineAddress": B, "refineKey": "k"}, False),
        (
            {"refineAddress": A, "refineKey": "k"},
            {"refineAddress": "https://a.example:8443/v1", "refineKey": "k"},
            False,
        ),
        ({"refineAddress": A, "refineKey": "k"}, {"refineAddress": "http://a.example/v1", "refineKey": "k"}, False),
        ({"refineAddress": A, "refineKey": "k"}, {"refineAddress": "", "refineKey": "k"}, False),
        ({"refineAddress": A, "refineKey": "k"}, {"refineKey": "k"}, False),
    ],
)
def test_a_key_goes_only_to_the_origin_that_it_was_entered_for(
    before: dict[str, object], after: dict[str, object], stays: bool
) -> None:
    rest = {name: value for name, value in after.items() if name != "refineKey"}
    assert without_foreign_key(before, after) == (after if stays else rest)
