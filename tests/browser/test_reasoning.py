"""How much of the model's thinking is shown: never, auto or always, and up to which length (seed 003)."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Locator, expect
from support.accessibility import violations
from support.extension import choose
from support.marks import visible_lines

LONG = "I weigh the matter with care and read on. " * 40
TAGS = "<think>Let me see.</think>\n\nThe answer."


def lines(chat: Chat) -> list[str]:
    """What shows, without times and the headers of groups."""
    return [line.partition(" · ")[0] for line in visible_lines(chat.page) if not line.startswith(("group", "control"))]


def sign(chat: Chat) -> Locator:
    return chat.page.locator("[data-thinkfold-thinking]:visible")


def block(chat: Chat) -> Locator:
    return chat.page.locator("[data-thinkfold-think] > button")


def rows(chat: Chat) -> Locator:
    """The lines of the host's own thoughts, in the order of the page."""
    return chat.page.locator("[data-variant=think] [data-disclosure-row]")


def heard(chat: Chat) -> list[str]:
    """What a screen reader was told since :func:`listen`."""
    return list(chat.page.evaluate("window.heard"))


def listen(chat: Chat) -> None:
    chat.page.evaluate(
        "() => { window.heard = []; const status = document.querySelector('[data-thinkfold-live]');"
        " new MutationObserver(() => heard.push(status.textContent.trim())).observe(status, {childList: true}); }"
    )


def test_never_shows_no_thinking_live_or_later(chat: Chat, browser: BrowserContext) -> None:
    choose(browser, showReasoning="never")
    chat.apply(*turn(1))
    assert lines(chat) == ["user: Question 1", "box: Bash Run 1.2 2 steps", "text: Between 1.2", "text: The answer."]
    chat.page.locator("[data-thinkfold-box]").click()
    chat.open_groups()
    assert [line for line in lines(chat) if "Think" in line] == []
    assert [line for line in lines(chat) if line.startswith("tool")] == ["tool: Bash Run 1.1", "tool: Bash Run 1.2"]
    chat.page.locator("[data-thinkfold-arrow]").click()
    chat.apply({"user": "Another"}, {"text": TAGS, "step": "2:1"}, {"tail": 2})
    expect(block(chat)).not_to_be_visible()
    assert lines(chat)[-2:] == ["user: Another", "text: The answer."]


@pytest.mark.parametrize("kind", ["row", "message"])
def test_never_while_a_thought_runs_a_calm_sign_stands_in_its_place(
    chat: Chat, browser: BrowserContext, kind: str, shots: Path
) -> None:
    choose(browser, showReasoning="never")
    chat.apply(*turn(1), {"user": "Go"})
    listen(chat)
    if kind == "row":
        chat.apply({"think": "Let me see", "step": "2:1", "state": "running"})
    else:
        chat.apply({"text": "<think>Let me see", "step": "2:1", "state": "running"})
    expect(sign(chat)).to_have_text("Thinking…")
    expect(sign(chat).locator("[aria-hidden=true]")).to_have_count(2)
    expect(sign(chat)).to_contain_text("2s", timeout=5000)
    box = sign(chat).bounding_box()
    assert box
    assert box["height"] <= 24
    assert heard(chat) == ["Thinking…"]  # once, and not every second
    assert "Let me see" not in " ".join(lines(chat))
    assert violations(chat.page)["aria-hidden-focus"] == 0
    for theme in ("light", "dark"):
        chat.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        chat.page.screenshot(path=shots / f"never-{chat.generation}-{kind}-{theme}.png")
    end = "\n\nMore of it." if kind == "row" else "</think>\n\nThe end."
    chat.apply({"append": end, "step": "2:1"}, {"step-state": "ok", "step": "2:1"})
    expect(sign(chat)).to_have_count(0)
    expect(chat.page.locator("[data-thinkfold-thinking]")).to_have_count(0)
    expect(rows(chat).last if kind == "row" else block(chat)).not_to_be_visible()
    chat.apply({"text": "The answer.", "step": "2:2"}, {"tail": 2})
    assert lines(chat)[-1] == "text: The answer."


def test_the_sign_is_still_where_motion_is_to_be_reduced(chat: Chat, browser: BrowserContext) -> None:
    choose(browser, showReasoning="never")
    chat.apply({"user": "Go"}, {"think": "Let me see", "step": "1:1", "state": "running"})
    dot = sign(chat).locator("i").first
    moving = "element => element.getAnimations().length"
    assert dot.evaluate(moving) == 1
    chat.page.emulate_media(reduced_motion="reduce")
    assert dot.evaluate(moving) == 0
    expect(dot).to_be_visible()


def test_below_the_box_while_the_turn_goes_on(chat: Chat, browser: BrowserContext) -> None:
    choose(browser, showReasoning="never")
    tools = [{"tool": "Bash", "id": f"c{n}", "summary": f"Run {n}", "state": "ok"} for n in (1, 2)]
    chat.apply({"user": "Go"}, *tools, {"think": "And now", "step": "1:2", "state": "running"})
    line = chat.page.locator("[data-thinkfold-box]").bounding_box()
    below = sign(chat).bounding_box()
    assert line
    assert below
    assert below["y"] > line["y"] + 10
    chat.apply({"step-state": "ok", "step": "1:2"}, {"tool": "Bash", "id": "c3", "summary": "Run 3", "state": "ok"})
    expect(chat.page.locator("[data-thinkfold-box]")).to_contain_text("Run 33 steps")
    expect(sign(chat)).to_have_count(0)


@pytest.mark.parametrize("text", ["<think>Only this.", "<think>Only this.</think>"])
def test_a_message_of_nothing_but_thinking_can_still_be_seen(chat: Chat, browser: BrowserContext, text: str) -> None:
    choose(browser, showReasoning="never")
    chat.apply({"user": "Go"}, {"text": text, "step": "1:1", "state": "running"})
    expect(sign(chat)).to_have_count(0 if text.endswith("</think>") else 1)
    chat.apply({"step-state": "ok", "step": "1:1"}, {"tail": 1})
    expect(sign(chat)).to_have_count(0)
    if text.endswith("</think>"):
        expect(block(chat)).to_have_attribute("aria-expanded", "false")
        block(chat).click()
    expect(chat.page.get_by_text("Only this.").locator("visible=true")).to_have_count(1)


def test_a_row_of_nothing_but_thinking_can_still_be_seen(chat: Chat, browser: BrowserContext) -> None:
    choose(browser, showReasoning="never")
    chat.apply({"user": "Go"}, {"think": "Only this.", "step": "1:1"})
    expect(rows(chat)).not_to_be_visible()
    chat.apply({"tail": 1, "ended": "stopped"})
    chat.open_groups()
    expect(rows(chat)).to_be_visible()


def test_always_opens_the_host_s_rows_outside_folded_boxes_and_those_in_a_box_when_it_opens(
    chat: Chat, browser: BrowserContext
) -> None:
    thought = {"think": "First this.\nThen that.", "step": "2:1", "state": "running"}
    chat.apply(*turn(1), {"user": "Go"}, thought)
    choose(browser, showReasoning="always")
    expect(rows(chat).last).to_have_attribute("aria-expanded", "true")
    expect(chat.page.get_by_text("Then that.")).to_be_visible()
    assert [row.get_attribute("aria-expanded") for row in rows(chat).all()] == ["false", "false", "true"]
    chat.page.locator("[data-thinkfold-box]").click()
    chat.open_groups()
    for number in range(2):
        expect(rows(chat).nth(number)).to_have_attribute("aria-expanded", "true")
    assert chat.page.evaluate("document.activeElement.matches('[data-disclosure-row]')") is False


@pytest.mark.parametrize("how", ["click", "Enter"])
def test_what_the_user_closed_stays_closed(chat: Chat, browser: BrowserContext, how: str) -> None:
    choose(browser, showReasoning="always")
    chat.apply({"user": "Go"}, {"think": "First this.", "step": "1:1", "state": "running"})
    expect(rows(chat)).to_have_attribute("aria-expanded", "true")
    rows(chat).click() if how == "click" else rows(chat).press(how)
    expect(rows(chat)).to_have_attribute("aria-expanded", "false")
    chat.apply({"append": "\nMore.", "step": "1:1"})
    choose(browser, showReasoning="auto")
    choose(browser, showReasoning="always", texts="latest")
    chat.apply({"append": "\nAnd more.", "step": "1:1"}, {"step-state": "ok", "step": "1:1"})
    chat.page.wait_for_timeout(300)
    expect(rows(chat)).to_have_attribute("aria-expanded", "false")


def test_what_the_user_opened_stays_open_and_what_we_opened_is_closed_again(
    chat: Chat, browser: BrowserContext
) -> None:
    for number in (1, 2):
        chat.apply({"user": f"Go {number}"}, {"think": f"Thought {number}", "step": f"{number}:1"})
        chat.apply({"text": "The answer.", "step": f"{number}:1"}, {"tail": number, "ended": "stopped"})
    chat.open_groups()
    rows(chat).first.click()
    for value, second in (("always", "true"), ("auto", "false"), ("always", "true")):
        choose(browser, showReasoning=value)
        expect(rows(chat).nth(1)).to_have_attribute("aria-expanded", second)
        expect(rows(chat).first).to_have_attribute("aria-expanded", "true")
    choose(browser, showReasoning="never")
    for number in range(2):
        expect(rows(chat).nth(number)).not_to_be_visible()
    choose(browser, showReasoning="auto")
    expect(rows(chat).first).to_have_attribute("aria-expanded", "true")
    expect(rows(chat).nth(1)).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("show", ["auto", "always"])
def test_thinking_in_a_message_closes_by_itself_past_the_limit_and_offers_all(
    chat: Chat, browser: BrowserContext, show: str, shots: Path
) -> None:
    choose(browser, showReasoning=show, openThoughtLimit=300)
    chat.apply({"user": "Go"}, {"text": "<think>Short.", "step": "1:1", "state": "running"})
    expect(block(chat)).to_have_attribute("aria-expanded", "true")
    expect(block(chat)).not_to_contain_text("Show all")
    chat.apply({"append": f" {LONG}", "step": "1:1"})
    expect(block(chat)).to_have_attribute("aria-expanded", "false")
    expect(block(chat)).to_contain_text("Show all")
    chat.page.screenshot(path=shots / f"cut-{chat.generation}-message.png")
    block(chat).click()
    expect(block(chat)).to_have_attribute("aria-expanded", "true")
    expect(block(chat)).not_to_contain_text("Show all")
    chat.apply({"append": f" {LONG}", "step": "1:1"})
    expect(block(chat)).to_have_attribute("aria-expanded", "true")  # as the user chose


def test_a_row_that_we_opened_closes_by_itself_past_the_limit_and_offers_all(
    chat: Chat, browser: BrowserContext, shots: Path
) -> None:
    choose(browser, showReasoning="always", openThoughtLimit=300)
    chat.apply({"user": "Go"}, {"think": "Short.", "step": "1:1", "state": "running"})
    expect(rows(chat)).to_have_attribute("aria-expanded", "true")
    chat.apply({"append": f" {LONG}", "step": "1:1"})
    expect(rows(chat)).to_have_attribute("aria-expanded", "false")
    expect(rows(chat)).to_have_attribute("data-thinkfold-more", "Show all")
    chat.page.screenshot(path=shots / f"cut-{chat.generation}-row.png")
    rows(chat).click()
    chat.apply({"append": f" {LONG}", "step": "1:1"})
    chat.page.wait_for_timeout(1200)
    expect(rows(chat)).to_have_attribute("aria-expanded", "true")  # as the user chose


@pytest.mark.parametrize("change", ["remove", "remount"])
def test_a_thought_that_goes_away_or_is_made_anew_while_it_grows(
    chat: Chat, browser: BrowserContext, change: str
) -> None:
    choose(browser, showReasoning="always")
    chat.apply(*turn(1), {"user": "Go"}, {"think": "Short.", "step": "2:1", "state": "running"})
    expect(rows(chat).last).to_have_attribute("aria-expanded", "true")
    chat.apply({change: chat.page.evaluate("demo.rows()")[-1]})
    if change == "remount":
        expect(rows(chat).last).to_have_attribute("aria-expanded", "true")
    chat.page.wait_for_timeout(1200)  # the clock that looks at its length has ticked
    choose(browser, showReasoning="auto")
    expect(chat.page.locator("html[data-thinkfold=on]")).to_be_attached()
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(1)


def test_thinking_that_is_read_does_not_close_under_the_reader_s_eyes(chat: Chat, browser: BrowserContext) -> None:
    choose(browser, openThoughtLimit=300)
    chat.apply(*turn(1, answer="An answer. " * 400), {"user": "Go"})
    chat.apply({"text": f"<think>{LONG[:900]}", "step": "2:1", "state": "running"})
    chat.page.locator("[data-conversation-scroll]").hover()
    block(chat).evaluate("element => element.scrollIntoView({block: 'center'})")
    chat.page.mouse.wheel(0, -120)
    chat.page.wait_for_timeout(300)
    before = block(chat).bounding_box()
    chat.apply({"append": f" {LONG} {LONG}", "step": "2:1"})
    expect(block(chat)).to_have_attribute("aria-expanded", "true")
    after = block(chat).bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) <= 1


def test_switching_keeps_what_one_reads_in_its_place(chat: Chat, browser: BrowserContext) -> None:
    for number in (1, 2, 3):
        step = f"{number}:1"
        chat.apply({"user": f"Question {number}"}, {"think": "A thought.\n" * 30, "step": step})
        chat.apply({"text": f"Answer {number}. " * 150, "step": step}, {"tail": number, "ended": "stopped"})
    read = chat.page.get_by_text("Answer 2").first
    read.evaluate("element => element.scrollIntoView({block: 'center'})")
    chat.page.wait_for_timeout(200)
    before = read.bounding_box()
    assert before
    for value in ("always", "never", "auto", "always"):
        choose(browser, showReasoning=value)
        if value == "always" and chat.generation == "0.1":
            expect(rows(chat).first).to_have_attribute("aria-expanded", "true")
        chat.page.wait_for_timeout(200)
        after = read.bounding_box()
        assert after
        assert abs(after["y"] - before["y"]) <= 2, value


def test_every_open_page_follows_the_popup_at_once(chat: Chat, popup_url: str) -> None:
    chat.apply(*turn(1, tools=1), {"user": "Go"}, {"text": TAGS, "step": "2:1"}, {"tail": 2})
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        choice = popup.get_by_label("How much thinking to show")
        expect(choice).to_have_value("auto")
        choice.select_option("never")
        expect(block(chat)).not_to_be_visible()
        choice.select_option("always")
        expect(block(chat)).to_have_attribute("aria-expanded", "true")


def test_the_popup_knows_what_an_older_version_stored(chat: Chat, browser: BrowserContext, popup_url: str) -> None:
    choose(browser, showReasoning="yes")
    chat.apply({"user": "Go"}, {"text": TAGS, "step": "1:1"}, {"tail": 1})
    expect(block(chat)).to_have_attribute("aria-expanded", "true")
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        expect(popup.get_by_label("How much thinking to show")).to_have_value("always")


def test_axe_finds_nothing_new_in_a_chat_with_a_sign_or_an_offer_of_all(chat: Chat, browser: BrowserContext) -> None:
    chat.apply(*turn(1), {"user": "Go"}, {"think": "Let me see", "step": "2:1", "state": "running"})
    chat.page.add_style_tag(content="[role=status][aria-live] { display: none }")  # the demo's: it changes its colour
    usual = violations(chat.page)
    choose(browser, showReasoning="never")
    expect(sign(chat)).to_have_count(1)
    assert violations(chat.page) <= usual
    choose(browser, showReasoning="always", openThoughtLimit=100)
    chat.apply({"append": f" {LONG}", "step": "2:1"})
    expect(rows(chat).last).to_have_attribute("data-thinkfold-more", "Show all")
    assert violations(chat.page) <= usual
