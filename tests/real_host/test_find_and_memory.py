"""Find in page and the memory of opened boxes, on the real host (F14, F15)."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect
from support.extension import choose, kept_choices
from support.marks import visible_lines, wait_until_on

from .host import Host
from .versions import EVERY, FULL


@EVERY
def test_a_match_in_a_folded_box_opens_it(chat: Page, host: Host) -> None:
    for number in (1, 2):
        host.send(chat, f"few rounds {number}")
        host.wait_for_turn(chat, number)
    lines = chat.locator("[data-thinkfold-box]")
    expect(lines).to_have_count(2)
    chat.evaluate("location.hash = ''")
    chat.goto(f"{chat.url.partition('#')[0]}#:~:text=Read%20a")  # what the find bar does, by the address
    expect(lines.first).to_have_attribute("aria-expanded", "true")
    expect(lines.nth(1)).to_have_attribute("aria-expanded", "false")
    expect(chat.get_by_text("Read a", exact=True).first).to_be_in_viewport()
    lines.first.press("Enter")
    expect(lines.first).to_have_attribute("aria-expanded", "false")
    assert not [line for line in visible_lines(chat) if line.startswith(("think", "tool", "group"))]


@FULL
def test_an_opened_box_is_open_after_a_reload_and_in_another_tab(
    chat: Page, host: Host, browser: BrowserContext
) -> None:
    for number in (1, 2):
        host.send(chat, f"few rounds {number}")
        host.wait_for_turn(chat, number)
    lines = chat.locator("[data-thinkfold-box]")
    lines.nth(1).click()
    assert len(kept_choices(browser, "session")) == 1
    chat.reload()
    wait_until_on(chat)
    expect(lines).to_have_count(2, timeout=20_000)
    expect(lines.first).to_have_attribute("aria-expanded", "false")
    expect(lines.nth(1)).to_have_attribute("aria-expanded", "true")
    host.new_session(chat)
    host.send(chat, "few rounds 3")  # turn 1 of another chat session: nothing of the first one's
    host.wait_for_turn(chat, 1)
    expect(lines).to_have_attribute("aria-expanded", "false")


@FULL
def test_boxes_of_the_running_turn_can_be_open(chat: Page, host: Host, browser: BrowserContext) -> None:
    choose(browser, liveBoxes="open")
    host.send(chat, "slow rounds")
    line = chat.locator("[data-thinkfold-box]")
    expect(line).to_have_attribute("aria-expanded", "true", timeout=20_000)
    host.wait_for_turn(chat, 1)
    expect(line).to_have_attribute("aria-expanded", "false")
