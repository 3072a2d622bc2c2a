"""The browser's find in page reaches what a box hides, and opens the box (F15)."""

from __future__ import annotations

import pytest
from conftest import Chat, turn
from playwright.sync_api import BrowserContext, expect
from support.extension import World, choose
from support.marks import visible_lines

EDGES = """
() => [...document.querySelectorAll("[data-chat-flow] *")]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > 0)
  .filter((element) => !element.closest("[data-thinkfold-hidden]"))
  .map((element) => Math.round(element.getBoundingClientRect().top * 10) / 10)
"""


def find(chat: Chat, words: str) -> None:
    """Let the browser look for *words* and go there: a text fragment does what the find bar does."""
    chat.page.goto(f"{chat.page.url.partition('#')[0]}#:~:text={words.replace(' ', '%20')}")


@pytest.mark.parametrize("words", ["Run 2.1", "Thought 2.2"])
def test_a_match_in_a_folded_box_opens_it_and_is_scrolled_to(chat: Chat, words: str) -> None:
    for number in (1, 2, 3):
        chat.apply(*turn(number, answer="An answer. " * 200))
    lines = chat.page.locator("[data-thinkfold-box]")
    chat.page.mouse.move(640, 300)
    find(chat, words)
    expect(lines.nth(1)).to_have_attribute("aria-expanded", "true")
    for other in (0, 2):
        expect(lines.nth(other)).to_have_attribute("aria-expanded", "false")
    expect(chat.page.get_by_text(words, exact=True).last).to_be_in_viewport()
    chat.page.locator("[data-thinkfold-arrow]").click()  # and it folds as ever
    expect(lines.nth(1)).to_have_attribute("aria-expanded", "false")
    assert not [line for line in visible_lines(chat.page) if line.startswith(("think", "tool"))]


def test_a_match_while_the_turn_runs_opens_the_box(chat: Chat) -> None:
    chat.apply(*turn(1)[:-2])
    line = chat.page.locator("[data-thinkfold-box]")
    find(chat, "Run 1.1")
    expect(line).to_have_attribute("aria-expanded", "true")
    chat.apply({"tool": "Bash", "id": "late", "summary": "Late", "state": "running"})
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(chat.page.get_by_text("Late", exact=True).last).to_be_visible()


def test_a_text_that_the_box_does_not_show_is_found_too(chat: Chat, browser: BrowserContext) -> None:
    choose(browser, texts="none")
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    expect(chat.page.get_by_text("Between 1.2")).not_to_be_visible()
    find(chat, "Between 1.2")
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(chat.page.get_by_text("Between 1.2")).to_be_visible()


def test_what_is_findable_leaves_no_gap_and_takes_no_focus(chat: Chat) -> None:
    """The column is where it would be if what is hidden were not there at all."""
    tools: list[dict[str, object]] = [
        {"tool": "Bash", "id": f"x{index}", "summary": f"More {index}", "state": "ok"} for index in range(3)
    ]
    chat.apply(*turn(1), {"user": "Again", "id": "u2"}, {"context": "system"}, *tools)
    chat.apply({"think": "First", "step": "2:1"}, {"text": "Between", "step": "2:1"}, {"think": "Then", "step": "2:1"})
    chat.apply({"text": "An answer.", "step": "2:1"}, {"tail": 2})
    page = chat.page
    page.wait_for_timeout(200)
    with_findable = page.evaluate(EDGES)
    assert len(with_findable) > 20
    page.add_style_tag(content="[data-thinkfold-hidden] { display: none !important; }")
    assert page.evaluate(EDGES) == with_findable
    page.locator("body").press("Tab")
    for _ in range(25):
        focused = page.evaluate("document.activeElement.closest('[data-thinkfold-hidden]') === null")
        assert focused
        page.keyboard.press("Tab")


def test_a_browser_without_it_hides_plainly(chat: Chat, browser: BrowserContext) -> None:
    page = chat.page
    choose(browser, enabled=False)
    page.reload()
    page.evaluate("demo.ready")
    World(page).evaluate("delete Document.prototype.onbeforematch")
    choose(browser, enabled=True)
    chat.apply(*turn(1))
    line = page.locator("[data-thinkfold-box]")
    expect(line).to_have_count(1, timeout=20_000)
    assert page.locator("[data-thinkfold-hidden]:not([data-thinkfold-hidden=''])").count() == 0
    assert page.locator("[data-thinkfold-findable]").count() == 0
    assert [each.split(":")[0] for each in visible_lines(page)] == ["user", "box", "text", "text"]
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")
