"""The box on the real DSH Web, with a scripted model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.marks import marks_left, visible_lines, wait_until_on
from support.sampling import faults, start_sampling, stop_sampling

from tools.browser import open_browser

from .conftest import ANSWER
from .host import Host

ROWS = "() => [...document.querySelectorAll('[data-chat-flow-kind]')].map(row => row.dataset.chatFlowKey)"


@pytest.fixture
def chat(page: Page, host: Host) -> Iterator[Page]:
    """The host's page with a new session, and Python up."""
    host.open(page)
    wait_until_on(page)
    page.get_by_role("button", name="New session").first.click()
    expect(page.locator("[data-chat-flow-kind]")).to_have_count(0)
    yield page


def test_a_turn_of_several_rounds(chat: Page, host: Host, shots: Path) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    line = chat.locator("[data-thinkfold-box]")

    # One folded box whose tool line names the latest item; the texts inside in full; the answer outside.
    expect(line).to_have_count(1)
    expect(line).to_have_attribute("aria-expanded", "false")
    lines = visible_lines(chat)
    assert re.fullmatch(r"box: Think I have it all. 8 steps( · \d+s)?", lines[1])
    assert lines[:1] + lines[2:] == [
        "user: few rounds " + lines[0].removeprefix("user: few rounds "),
        "text: First I look at what is there.",
        "text: Halfway: two files are read. a is short b is short",
        ANSWER,
    ]
    inside = '[data-thinkfold-frame] [class*="_markdown_"], [class*="_markdown_"][data-thinkfold-frame]'
    expect(chat.locator(inside)).to_have_count(2)
    chat.screenshot(path=shots / "host-folded.png")

    # Expanding shows all rows in their order; the rows themselves are still the host's.
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")
    assert [line.split(" ")[0] for line in visible_lines(chat)] == [
        *["user:", "box:", "think:", "text:", "tool:", "think:", "tool:", "tool:", "text:", "tool:", "think:", "text:"]
    ]
    chat.screenshot(path=shots / "host-expanded.png")
    chat.locator("[data-thinkfold-arrow]").click()
    expect(line).to_have_attribute("aria-expanded", "false")


def test_a_plain_answer_is_left_alone(chat: Page, host: Host) -> None:
    host.send(chat, "just answer")
    host.wait_for_turn(chat, 1)
    expect(chat.locator("[data-thinkfold-box], [data-thinkfold-frame], [data-thinkfold-hidden]")).to_have_count(0)


def test_history_is_folded_on_load_and_after_switching_sessions(chat: Page, host: Host) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    host.send(chat, "few rounds again")
    host.wait_for_turn(chat, 2)
    chat.reload()
    wait_until_on(chat)
    boxes = chat.locator("[data-thinkfold-box]")
    expect(boxes).to_have_count(2, timeout=20_000)
    assert [line for line in visible_lines(chat) if line.startswith("box")] == [
        "box: Think I have it all. 8 steps",
        "box: Think I have it all. 7 steps",  # the host injects its context only once
    ]
    assert [line for line in visible_lines(chat) if line.startswith(("think", "tool"))] == []
    chat.get_by_role("tab", name="Trajectory").click()
    expect(boxes).to_have_count(0)
    chat.get_by_role("tab", name="Chat").click()
    expect(boxes).to_have_count(2)
    chat.get_by_role("button", name="New session").first.click()
    expect(boxes).to_have_count(0)


def test_no_painted_frame_of_a_streamed_turn_shows_two_tools_or_misses_a_text(chat: Page, host: Host) -> None:
    start_sampling(chat)
    host.send(chat, "eight rounds")
    host.wait_for_turn(chat, 1)
    frames = stop_sampling(chat)
    last = frames[-1][0]
    assert len(frames) > 100
    assert (last["tools"], last["texts"], last["folded"]) == (17, 5, 1)  # 9 calls, 7 thoughts, 1 context row
    assert faults(frames, 0) == []


def test_the_sampler_notices_a_host_without_the_extension(playwright: Playwright, host: Host) -> None:
    """The check of the test above can fail."""
    with open_browser(playwright, extension=False) as bare:
        from support.sampling import SAMPLER

        bare.add_init_script(SAMPLER)
        page = bare.new_page()
        host.open(page)
        page.get_by_role("button", name="New session").first.click()
        start_sampling(page)
        host.send(page, "eight rounds")
        host.wait_for_turn(page, 1)
        assert any("tool items show" in fault for fault in faults(stop_sampling(page), 0))


def test_off_leaves_exactly_what_the_bare_host_shows(
    chat: Page, host: Host, browser: BrowserContext, playwright: Playwright, popup_url: str
) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    chat.locator("[data-thinkfold-box]").click()
    popup = browser.new_page()
    popup.goto(popup_url)
    popup.get_by_role("switch").click()
    expect(chat.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(chat) == []
    chat.reload()  # both pages below show the same history
    html = "() => document.querySelector('[data-chat-flow]').outerHTML"
    chat.wait_for_selector("[data-chat-flow-kind=turn-tail]")
    chat.wait_for_timeout(500)
    off = chat.evaluate(html)
    popup.get_by_role("switch").click()
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(1, timeout=20_000)
    popup.get_by_role("switch").click()
    expect(chat.locator("html[data-thinkfold]")).to_have_count(0)
    assert chat.evaluate(html) == off  # folded and unfolded again, without a reload, to the letter
    popup.get_by_role("switch").click()
    popup.close()


def test_the_host_goes_on_as_ever_under_the_marks(chat: Page, host: Host) -> None:
    """A second turn renders after boxes were folded, opened and closed; the keys are all there, in order."""
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    chat.locator("[data-thinkfold-box]").click()
    host.send(chat, "few rounds once more")
    host.wait_for_turn(chat, 2)
    chat.locator("[data-thinkfold-arrow]").click()
    keys = chat.evaluate(ROWS)
    assert len(keys) == len(set(keys))
    steps = [key for key in keys if "assistant-step" in key]
    assert steps == [f"14:assistant-step{turn}:{step}" for turn in (1, 2) for step in (1, 2, 3, 4)]
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(2)


def test_dark_theme(playwright: Playwright, host: Host, shots: Path) -> None:
    with open_browser(playwright, viewport={"width": 1280, "height": 900}, color_scheme="dark") as dark:
        page = dark.new_page()
        host.open(page)
        wait_until_on(page)
        page.get_by_role("button", name="New session").first.click()
        host.send(page, "few rounds")
        host.wait_for_turn(page, 1)
        page.screenshot(path=shots / "host-folded-dark.png")
        border, background = page.evaluate(
            "() => [getComputedStyle(document.querySelector('[data-thinkfold-frame]')).borderTopColor,"
            " getComputedStyle(document.querySelector('[data-phase]')).backgroundColor]"
        )
        assert border == "rgba(255, 255, 255, 0.12)"  # the host's own border colour in its dark theme
        assert background != "rgb(255, 255, 255)"
