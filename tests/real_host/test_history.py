"""A long session, older pages, other views, other tabs: every box is right, and an opened one stays open (F13)."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from support.marks import marks_on_rows, visible_lines, wait_until_on

from .host import Host
from .model_server import Reply, bash
from .versions import FULL

TURNS = 200

ROUNDS = [
    Reply(think="A thought.", tools=[bash("true", "Look")]),
    Reply(text="In between.", tools=[bash("true", "Look again")]),
    Reply(text="The answer."),
]

SLOW = Reply(think="And on. " * 600, tools=[bash("true", "At last")], pause=0.03)


@pytest.fixture(autouse=True)
def scripts(host: Host) -> None:
    host.model.script("short turn", ROUNDS)
    host.model.script("slow turn", [*ROUNDS[:2], SLOW, *ROUNDS[1:]])


def boxes_of(page: Page) -> Locator:
    return page.locator("[data-thinkfold-box]")


def short_turn(number: int) -> list[str]:
    """What shows of a folded turn, without its numbers of steps."""
    return [f"user: short turn {number}", "box", "text: In between.", "text: The answer."]


def folded_lines(page: Page) -> list[str]:
    """The visible lines, of boxes only that they are there, of users without the time of day."""
    lines = []
    for line in visible_lines(page):
        kind, _, words = line.partition(": ")
        lines.append("box" if kind == "box" else f"user: {words[:-6]}" if kind == "user" and words[-3] == ":" else line)
    return lines


def assert_nothing_is_there_twice(page: Page) -> None:
    keys = page.locator("[data-chat-flow-kind]").evaluate_all("rows => rows.map(row => row.dataset.chatFlowKey)")
    ids = boxes_of(page).evaluate_all("boxes => boxes.map(box => box.dataset.thinkfoldBox)")
    assert [name for name, times in Counter([*keys, *ids]).items() if times > 1] == []


@FULL
def test_two_hundred_turns_fold_page_by_page(chat: Page, host: Host) -> None:
    host.play(chat, [f"short turn {number}" for number in range(1, TURNS + 1)])
    wait_until_on(chat)
    users = chat.locator("[data-chat-flow-kind=user]")
    older = chat.get_by_role("button", name="Load earlier")
    expect(boxes_of(chat).last).to_be_visible()
    loaded = users.count()
    assert 5 < loaded < TURNS  # a page of the host's
    assert folded_lines(chat)[-4 * loaded :] == [
        line for number in range(TURNS - loaded + 1, TURNS + 1) for line in short_turn(number)
    ]
    opened = boxes_of(chat).last
    opened.click()
    while older.count():
        before = users.count()
        older.evaluate("button => button.click()")
        expect(users).not_to_have_count(before)
        assert boxes_of(chat).count() - users.count() in (0, 1)  # a page may begin in the middle of a turn
    expect(users).to_have_count(TURNS)
    assert_nothing_is_there_twice(chat)
    expect(opened).to_have_attribute("aria-expanded", "true")
    expect(chat.locator("[data-thinkfold-box][aria-expanded=true]")).to_have_count(1)
    chat.locator("[data-thinkfold-arrow]").click()
    assert folded_lines(chat) == [line for number in range(1, TURNS + 1) for line in short_turn(number)]


@FULL
def test_an_opened_box_stays_open_through_views_sessions_and_pages(chat: Page, host: Host) -> None:
    host.play(chat, [f"short turn {number}" for number in range(1, 4)])
    boxes = boxes_of(chat)
    expect(boxes).to_have_count(3)
    boxes.nth(1).click()

    def assert_as_before() -> None:
        expect(boxes).to_have_count(3)
        for number, expanded in enumerate(("false", "true", "false")):
            expect(boxes.nth(number)).to_have_attribute("aria-expanded", expanded)
        assert_nothing_is_there_twice(chat)

    assert_as_before()
    chat.get_by_role("tab", name="Trajectory").click()
    expect(boxes).to_have_count(0)
    chat.get_by_role("tab", name="Chat").click()
    assert_as_before()
    host.new_session(chat)
    host.send(chat, "short turn 10")
    host.wait_for_turn(chat, 1)
    expect(boxes).to_have_count(1)
    expect(boxes).to_have_attribute("aria-expanded", "false")
    chat.get_by_text(host.model.title).nth(1).click()  # the newest session stands first
    assert_as_before()
    chat.locator("[data-thinkfold-arrow]").click()
    assert folded_lines(chat) == [line for number in range(1, 4) for line in short_turn(number)]


@FULL
def test_a_page_opened_in_the_middle_of_a_turn_folds_it_to_its_end(
    chat: Page, browser: BrowserContext, host: Host
) -> None:
    host.send(chat, "short turn 1")
    host.wait_for_turn(chat, 1)
    host.send(chat, "slow turn")
    running = "[data-thinkfold-box][data-thinkfold-state=running]"
    expect(chat.locator(running)).to_have_count(1, timeout=20_000)
    second = browser.new_page()
    host.open(second)
    if not second.locator("[data-chat-flow-kind]").count():
        second.get_by_text(host.model.title).first.click()
    expect(second.locator(running)).to_have_count(1, timeout=20_000)
    boxes_of(second).last.click()  # in this page only
    for page in (chat, second):
        host.wait_for_turn(page, 2, timeout=90)
        expect(boxes_of(page)).to_have_count(2)
        expect(page.locator(running)).to_have_count(0)
        assert_nothing_is_there_twice(page)
    states = "boxes => boxes.map(box => box.getAttribute('aria-expanded'))"
    assert boxes_of(chat).evaluate_all(states) == ["false", "false"]
    assert boxes_of(second).evaluate_all(states) == ["false", "true"]
    second.locator("[data-thinkfold-arrow]").click()
    assert folded_lines(chat) == folded_lines(second)
    assert folded_lines(chat)[:4] == short_turn(1)
    second.close()
    host.new_session(chat)
    leftovers = marks_on_rows(chat)
    assert leftovers == []
