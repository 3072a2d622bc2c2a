"""The extension in Firefox, on the demo page: what differs there from Chromium, and that the rest works."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Chat, wait_until_on
from support.firefox import Firefox, Tab
from support.marks import marks_left, visible_lines
from support.sampling import faults, start_sampling, stop_sampling
from support.turns import turn

FOLDED = ["user: Question 1", "box: Bash Run 1.2 4 steps", "text: Between 1.2", "text: The answer."]
LINE, ARROW = "[data-thinkfold-box]", "[data-thinkfold-arrow]"
EDGE = "document.querySelector('[data-thinkfold-frame~=bottom]').getBoundingClientRect().bottom"
GEOMETRY = """() => ["[data-thinkfold-arrow]", "[data-thinkfold-frame~=top]", "[data-thinkfold-frame~=bottom]"]
  .map((selector) => document.querySelector(selector).getBoundingClientRect())
  .map(({ x, y, width, height }) => ({ middle: x + width / 2, left: x, top: y, bottom: y + height }))"""


@pytest.mark.parametrize("generation", ["0.1", "0.2"])
def test_a_turn_is_one_box_that_a_click_opens_and_the_arrow_folds(
    tab: Tab, demo_url: str, generation: str, shots: Path
) -> None:
    chat = Chat(tab, demo_url, generation)
    wait_until_on(tab)
    chat.apply(*turn(1))
    assert visible_lines(tab) == FOLDED
    tab.click(LINE)
    chat.wait_for_states("true")
    kinds = [line.split(":")[0] for line in visible_lines(tab)]
    rows = ["think", "tool", "think", "text", "tool"] if generation == "0.1" else ["group", "text", "group"]
    assert kinds == ["user", "box", *rows, "text"]
    tab.screenshot(shots / f"firefox-{generation}.png")
    tab.click(ARROW)
    chat.wait_for_states("false")
    assert visible_lines(tab) == FOLDED


def test_the_arrow_stands_astride_the_left_edge_and_within_the_box(chat: Chat) -> None:
    chat.apply(*turn(1, tools=12))
    chat.tab.click(LINE)
    chat.wait_for_states("true")
    arrow, top, bottom = chat.tab.evaluate(GEOMETRY)
    assert abs(arrow["middle"] - top["left"]) < 1.5
    assert top["top"] <= arrow["top"] < arrow["bottom"] <= bottom["bottom"]


def test_an_opened_box_keeps_its_lower_edge_on_screen(chat: Chat) -> None:
    chat.apply({"user": "Long", "id": "u0"}, {"text": "Words. " * 3000, "step": "0:1"}, {"tail": 0}, *turn(1, tools=12))
    chat.tab.evaluate(f"document.querySelector('{LINE}').scrollIntoView({{block: 'center'}})")
    before = chat.tab.evaluate(EDGE)
    chat.tab.click(LINE)
    chat.wait_for_states("true")
    assert abs(chat.tab.evaluate(EDGE) - before) < 1


def test_no_painted_frame_of_a_streamed_turn_shows_two_tools_or_misses_a_text(chat: Chat) -> None:
    start_sampling(chat.tab)
    chat.apply({"user": "Go", "id": "u1"})
    for index in range(1, 9):
        step = f"1:{index}"
        chat.apply({"think": f"Part {index}.", "step": step}, {"text": f"Part {index} is right.", "step": step})
        chat.apply({"tool": "Bash", "id": f"c{index}", "summary": f"Read {index}", "state": "ok"})
        chat.tab.evaluate("new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))")
    chat.apply({"text": "All parts are right.", "step": "1:9"}, {"tail": 1})
    frames = stop_sampling(chat.tab)
    assert max(frame[0]["tools"] for frame in frames if frame) == 16
    assert faults(frames, 0) == []


def test_thinking_in_a_message_is_a_block_before_the_answer(chat: Chat) -> None:
    header = "[data-thinkfold-think] > button"
    chat.apply({"user": "Go"}, {"text": "<think>\nLet me *see*.\n</think>\n\nThe answer.", "step": "1:1"}, {"tail": 1})
    assert visible_lines(chat.tab)[-1] == "text: The answer."
    chat.tab.click(header)
    chat.tab.wait_for(f"document.querySelector('{header}').getAttribute('aria-expanded') === 'true'")
    assert chat.tab.evaluate("document.querySelector('[data-thinkfold-think] em').innerText") == "see"


def test_an_opened_box_is_open_after_a_reload_until_it_is_forgotten(chat: Chat, popup: Tab) -> None:
    """Firefox lets no page at the session's storage: the background page keeps it."""

    def open_again(state: str) -> None:
        chat.open()
        wait_until_on(chat.tab)
        chat.apply(*turn(1))
        chat.wait_for_states(state)

    chat.apply(*turn(1))
    chat.tab.click(LINE)
    chat.wait_for_states("true")
    open_again("true")
    popup.bring_to_front()
    popup.wait_for("document.getElementById('status').textContent.includes('open')")  # it is of the chat as it is now
    popup.click("summary")
    popup.click("#forget")
    popup.wait_for("chrome.storage.session.get(null).then((kept) => !Object.keys(kept).length)")
    open_again("false")
    popup.evaluate("chrome.storage.local.set({remember: 'always'})")
    chat.tab.click(LINE)
    chat.wait_for_states("true")
    open_again("true")
    assert popup.evaluate("chrome.storage.session.get(null)") == {}


def test_the_popup_counts_and_switches_off_and_on(chat: Chat, popup: Tab) -> None:
    chat.apply(*turn(1))
    popup.wait_for("document.querySelector('#status').textContent.includes('4 steps in 1 box')")
    popup.click("#enabled")
    chat.tab.wait_for("!document.documentElement.hasAttribute('data-thinkfold')")
    assert marks_left(chat.tab) == []
    popup.click("#enabled")
    chat.wait_for_states("false")
    popup.click("#unfold-all")
    chat.wait_for_states("true")


def test_another_language_is_spoken_at_once(chat: Chat, popup: Tab) -> None:
    chat.apply(*turn(1))
    popup.click("summary")
    popup.evaluate("document.querySelector('[data-setting=language]').value = 'de'")
    popup.evaluate("document.querySelector('[data-setting=language]').dispatchEvent(new Event('change'))")
    chat.tab.wait_for(f"document.querySelector('{LINE}')?.innerText.includes('4 Schritte')")


def test_the_keyboard_shortcuts_fold_and_unfold_all_boxes(firefox: Firefox, chat: Chat) -> None:
    chat.apply(*turn(1), *turn(2))
    chat.tab.bring_to_front()
    keys = "document.querySelectorAll('keyset[id^=ext-keyset-id-thinkfold] > key')"
    bound = f"[...{keys}].map((key) => [key.getAttribute('modifiers'), key.getAttribute('keycode')])"
    assert firefox.in_window(bound) == [["alt,shift", "VK_COMMA"], ["alt,shift", "VK_PERIOD"]]
    firefox.in_window(f"{keys}[1].doCommand()")  # keys that a driver presses reach the page, not the window
    chat.wait_for_states("true", "true")
    firefox.in_window(f"{keys}[0].doCommand()")
    chat.wait_for_states("false", "false")


def test_the_find_bar_reaches_into_a_folded_box_and_opens_it(firefox: Firefox, chat: Chat) -> None:
    chat.apply(*turn(1), *turn(2), *turn(3))
    chat.tab.bring_to_front()
    firefox.in_window(
        "gFindBarPromise.then(() => { gFindBar.open(); gFindBar._findField.value = 'Thought 2.1'; gFindBar._find(); })"
    )
    chat.wait_for_states("false", "true", "false")


def test_an_extension_that_is_removed_leaves_nothing_in_an_open_page(firefox: Firefox, chat: Chat) -> None:
    """Firefox ends its scripts without a word; the page's own world takes away what they left."""
    thinking = {"text": "<think>Hm.</think> Yes.", "step": "2:1"}
    chat.apply(*turn(1), {"user": "Question 2", "id": "u2"}, thinking, {"tail": 2})
    chat.tab.click(LINE)
    chat.wait_for_states("true")
    firefox.uninstall()
    try:
        chat.tab.wait_for("!document.querySelector('[data-thinkfold-box]')")
        assert marks_left(chat.tab) == []
        assert visible_lines(chat.tab)[-1] == "text: <think>Hm.</think> Yes."
    finally:
        firefox.install()
    chat.wait_for_states("false")  # and the page that was open is folded again


def test_an_update_under_an_open_page_goes_on_without_a_reload(firefox: Firefox, chat: Chat) -> None:
    chat.apply(*turn(1), *turn(2))
    chat.tab.evaluate(f"document.querySelector('{LINE}').isOld = true")
    firefox.install()
    chat.tab.wait_for(f"((line) => line && !line.isOld)(document.querySelector('{LINE}'))")
    chat.wait_for_states("false", "false")
    chat.tab.click(LINE)
    chat.wait_for_states("true", "false")
    assert chat.tab.evaluate("document.querySelectorAll('[data-thinkfold-live]').length") == 1
