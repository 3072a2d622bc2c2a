"""The popup's choices: each takes effect at once on the open page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import Page, expect
from support.accessibility import violations
from support.extension import worker_of
from support.marks import visible_lines

RUNNING: list[dict[str, object]] = [
    {"user": "Go", "id": "u1"},
    {"tool": "Bash", "id": "c1", "summary": "Run 1", "state": "ok"},
    {"tool": "Bash", "id": "c2", "summary": "Run 2", "state": "ok"},
    {"text": "First text", "step": "1:1"},
    {"context": "system"},
    {"tool": "Bash", "id": "c3", "summary": "Run 3", "state": "ok"},
    {"text": "Second text", "step": "1:2"},
    {"tool": "Bash", "id": "c4", "summary": "Run 4", "state": "running"},
]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture
def popup(chat: Chat, popup_url: str) -> Iterator[Page]:
    with opened_popup(chat, popup_url) as opened:
        opened.get_by_text("Choices").click()
        yield opened


def lines(chat: Chat) -> list[str]:
    """What shows, without times and the headers of groups."""
    return [line.partition(" · ")[0] for line in visible_lines(chat.page) if not line.startswith("group")]


def test_all_texts_the_latest_or_none(chat: Chat, popup: Page) -> None:
    chat.apply(*RUNNING)
    choice = popup.get_by_label("Texts in a folded box")
    shown = {"all": ["First text", "Second text"], "latest": ["Second text"], "none": []}
    for value in ("latest", "none", "all", "none"):
        choice.select_option(value)
        expect(chat.page.locator('[class*="_markdown_"]:visible')).to_have_text(shown[value])
        assert len([line for line in lines(chat) if line.startswith("box")]) == 1
    chat.apply({"text": "The answer.", "step": "1:3"}, {"tail": 1})
    expect(chat.page.get_by_text("The answer.")).to_be_visible()


def test_boxes_of_a_running_turn_open_or_folded(chat: Chat, popup: Page) -> None:
    chat.apply(*RUNNING)
    box = chat.page.locator("[data-thinkfold-box]")
    expect(box).to_have_attribute("aria-expanded", "false")
    popup.get_by_label("Boxes while the agent works").select_option("open")
    expect(box).to_have_attribute("aria-expanded", "true")
    chat.apply({"text": "More words", "step": "1:3"})  # a text after the tools does not fold it
    expect(box).to_have_attribute("aria-expanded", "true")
    chat.page.locator("[data-thinkfold-arrow]").click()
    expect(box).to_have_attribute("aria-expanded", "false")
    chat.apply({"tool": "Bash", "id": "c5", "summary": "Run 5", "state": "running"})
    expect(box).to_have_attribute("aria-expanded", "false")  # as the user folded it
    box.click()
    chat.apply({"tool-state": "ok", "id": "c5"}, {"text": "The answer.", "step": "1:4"}, {"tail": 1})
    expect(box).to_have_attribute("aria-expanded", "true")  # as the user opened it
    chat.apply(*turn(2))
    expect(box.nth(1)).to_have_attribute("aria-expanded", "false")  # a finished turn that nobody touched


def test_context_rows_inside_or_outside(chat: Chat, popup: Page) -> None:
    chat.apply(*RUNNING)
    boxes = chat.page.locator("[data-thinkfold-box]")
    context = chat.page.locator("[data-chat-flow-kind=context]")
    expect(boxes).to_have_count(1)
    popup.get_by_label("Injected context").select_option("outside")
    expect(boxes).to_have_count(2)
    expect(context.locator("[data-disclosure-row]")).to_be_visible()
    popup.get_by_label("Injected context").select_option("inside")
    expect(boxes).to_have_count(1)
    expect(context.locator("[data-disclosure-row]")).not_to_be_visible()


def test_the_smallest_box(chat: Chat, popup: Page) -> None:
    chat.apply({"user": "Go", "id": "u1"}, *RUNNING[1:3], {"text": "The answer.", "step": "1:1"}, {"tail": 1})
    boxes = chat.page.locator("[data-thinkfold-box]")
    field = popup.get_by_label("Fold from this many steps on")
    expect(boxes).to_have_count(1)
    field.fill("3")
    field.press("Tab")
    expect(boxes).to_have_count(0)
    for refused in ("0", "51", ""):
        field.fill(refused)
        field.press("Tab")
        assert worker_of(chat.page.context).evaluate("chrome.storage.local.get('minimumSteps')") == {"minimumSteps": 3}
    field.fill("2")
    field.press("Tab")
    expect(boxes).to_have_count(1)


def test_the_host_can_keep_its_own_fold(chat: Chat, popup: Page) -> None:
    chat.apply(*turn(1))
    boxes = chat.page.locator("[data-thinkfold-box]")
    expect(boxes).to_have_count(1)
    choice = popup.get_by_label("Finished turns that DSH folds itself")
    choice.select_option("stand back")
    expect(boxes).to_have_count(1 if chat.generation == "0.1" else 0)  # 0.1 has no fold of its own
    popup.reload()
    expect(choice).to_have_value("stand back")
    popup.get_by_text("Choices").click()
    choice.select_option("take over")
    expect(boxes).to_have_count(1)


def test_fold_all_and_unfold_all_keep_what_one_reads_in_its_place(chat: Chat, popup: Page) -> None:
    for number in (1, 2, 3):
        chat.apply(*turn(number, tools=4, answer="An answer. " * 250))
    boxes = chat.page.locator("[data-thinkfold-box]")
    read = chat.page.get_by_text("Question 2")
    read.evaluate("element => element.scrollIntoView({block: 'center'})")
    chat.page.wait_for_timeout(200)
    before = read.bounding_box()
    assert before
    for button, state in (("Unfold all", "true"), ("Fold all", "false")):
        popup.get_by_role("button", name=button, exact=True).click()
        for number in range(3):
            expect(boxes.nth(number)).to_have_attribute("aria-expanded", state)
        after = read.bounding_box()
        assert after
        assert abs(after["y"] - before["y"]) <= 2


@pytest.mark.parametrize(
    ("command", "key", "state"), [("unfold-all", "Period", "true"), ("fold-all", "Comma", "false")]
)
def test_keyboard_shortcuts_do_the_same(chat: Chat, command: str, key: str, state: str) -> None:
    chat.apply(*turn(1), *turn(2))
    boxes = chat.page.locator("[data-thinkfold-box]")
    boxes.first.click()
    worker = worker_of(chat.page.context)
    shortcuts = worker.evaluate("chrome.commands.getAll()")
    assert {each["name"]: each["shortcut"] for each in shortcuts}[command] == f"Alt+Shift+{key}"
    chat.page.bring_to_front()
    # The browser takes the keys before a test can send them; this is the event that they cause.
    worker.evaluate(
        "async (command) => { const [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true});"
        " chrome.commands.onCommand.dispatch(command, tab); }",
        command,
    )
    for number in range(2):
        expect(boxes.nth(number)).to_have_attribute("aria-expanded", state)


def test_a_page_without_a_chat_offers_nothing_to_fold(popup_url: str, page: Page) -> None:
    page.goto(popup_url)
    expect(page.get_by_role("button", name="Fold all", exact=True)).to_be_disabled()


def test_axe_finds_nothing_in_the_popup(popup: Page) -> None:
    for scheme in SCHEMES:
        popup.emulate_media(color_scheme=scheme)
        assert violations(popup) == {}


def test_the_popup_opens_the_summaries_in_the_page(chat: Chat, popup: Page) -> None:
    chat.apply(*RUNNING)
    view = chat.page.locator("[data-thinkfold-summaries]")
    expect(view).to_have_count(0)
    popup.get_by_role("button", name="Summaries").click()
    expect(view).to_be_visible()


def test_the_popup_opens_the_browser_s_page_of_shortcuts(chat: Chat, popup: Page) -> None:
    with chat.page.context.expect_page() as opened:
        popup.get_by_role("button", name="Keyboard shortcuts").click()
    expect(opened.value).to_have_url("chrome://extensions/shortcuts")
    opened.value.close()
