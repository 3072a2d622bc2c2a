"""Opening and folding keep what one looks at in its place (F8), and the keyboard's way (F7)."""

from __future__ import annotations

from conftest import Chat, turn
from playwright.sync_api import Locator, expect


def lower_edge(chat: Chat, number: int) -> float:
    edges = chat.page.locator('[data-thinkfold-frame~="bottom"]').all()
    box = edges[number].bounding_box()
    assert box
    return box["y"] + box["height"]


def long_chat(chat: Chat, tools: int = 4) -> Locator:
    """Three turns that do not fit the window; the second one's line."""
    for number in (1, 2, 3):
        chat.apply(*turn(number, tools=tools, answer="An answer. " * 250))
    return chat.page.locator("[data-thinkfold-box]").nth(1)


def test_a_box_opens_upwards_while_one_reads_in_the_middle(chat: Chat) -> None:
    line = long_chat(chat)
    line.evaluate("element => element.scrollIntoView({block: 'center'})")
    chat.page.wait_for_timeout(200)
    before = lower_edge(chat, 1)
    line.click()
    chat.page.wait_for_timeout(300)
    assert abs(lower_edge(chat, 1) - before) <= 2
    arrow = chat.page.locator("[data-thinkfold-arrow]")
    arrow.click()
    chat.page.wait_for_timeout(300)
    assert abs(lower_edge(chat, 1) - before) <= 2


def test_a_box_opens_upwards_while_the_page_follows_its_foot(chat: Chat) -> None:
    long_chat(chat)
    chat.page.wait_for_timeout(200)
    last = chat.page.locator("[data-thinkfold-box]").nth(2)
    before = lower_edge(chat, 2)
    last.evaluate("element => element.click()")
    chat.page.wait_for_timeout(300)
    assert abs(lower_edge(chat, 2) - before) <= 2
    at_foot = "() => { const s = document.querySelector('[data-conversation-scroll]');"
    assert chat.page.evaluate(at_foot + " return s.scrollHeight - s.clientHeight - s.scrollTop < 2; }")


def test_folded_from_its_middle_the_box_comes_to_the_pointer(chat: Chat) -> None:
    chat.page.set_viewport_size({"width": 1280, "height": 500})
    line = long_chat(chat, tools=14)
    line.evaluate("element => element.scrollIntoView({block: 'center'})")
    line.click()
    if chat.generation == "0.2":
        chat.open_groups()
    line.evaluate("element => element.scrollIntoView({block: 'start'})")
    chat.page.wait_for_timeout(200)
    arrow = chat.page.locator("[data-thinkfold-arrow]")
    box = arrow.bounding_box()
    assert box
    pointer = box["y"] + box["height"] / 2
    arrow.click()
    chat.page.wait_for_timeout(300)
    top = chat.page.locator('[data-thinkfold-frame~="top"]').nth(1).bounding_box()
    assert top
    assert top["y"] - 2 <= pointer <= lower_edge(chat, 1) + 2


def test_escape_folds_and_gives_the_focus_back_to_the_line(chat: Chat) -> None:
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    line.focus()
    chat.page.keyboard.press("Enter")
    expect(line).to_have_attribute("aria-expanded", "true")
    chat.open_groups()
    chat.page.locator("[data-chat-call-id] [role=button]").first.focus()
    chat.page.keyboard.press("Escape")
    expect(line).to_have_attribute("aria-expanded", "false")
    expect(line).to_be_focused()
