"""What the user opened is remembered for as long as the user wants (F14)."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.extension import World, bring_script, choose, forget_all, kept_choices, worker_of
from support.marks import marks_left, visible_lines, wait_until_on

from tools.browser import open_browser


def open_chat(page: Page, chat: Chat, *turns: int) -> list[str]:
    """Load the chat anew in *page*; the state of each box."""
    page.goto(chat.page.url)
    page.evaluate("demo.ready")
    wait_until_on(page)
    again = Chat(page, chat.page.url.partition("?")[0], chat.generation)
    for number in turns:
        again.apply(*turn(number))
    boxes = page.locator("[data-thinkfold-box]")
    expect(boxes).to_have_count(len(turns))
    return [str(box.get_attribute("aria-expanded")) for box in boxes.all()]


def test_an_opened_box_is_open_after_a_reload_and_a_folded_one_is_not(chat: Chat) -> None:
    chat.apply(*turn(1), *turn(2))
    boxes = chat.page.locator("[data-thinkfold-box]")
    boxes.nth(1).click()
    assert open_chat(chat.page, chat, 1, 2) == ["false", "true"]
    boxes.nth(1).press("Enter")
    assert open_chat(chat.page, chat, 1, 2) == ["false", "false"]


def test_for_the_page_only(chat: Chat, browser: BrowserContext) -> None:
    choose(browser, remember="page")
    chat.apply(*turn(1))
    chat.page.locator("[data-thinkfold-box]").click()
    assert kept_choices(browser, "session") == kept_choices(browser, "local") == {}
    assert open_chat(chat.page, chat, 1) == ["false"]


@pytest.mark.parametrize(("remember", "state"), [("browser", "false"), ("always", "true")])
def test_after_the_browser_was_closed(
    playwright: Playwright, demo_url: str, tmp_path: Path, remember: str, state: str
) -> None:
    with open_browser(playwright, profile=tmp_path) as browser:
        choose(browser, remember=remember)
        chat = Chat(browser.new_page(), demo_url)
        chat.apply(*turn(1))
        chat.page.locator("[data-thinkfold-box]").click()
        assert open_chat(chat.page, chat, 1) == ["true"]
    with open_browser(playwright, profile=tmp_path) as browser:
        assert open_chat(browser.new_page(), Chat(browser.new_page(), demo_url), 1) == [state]


def test_several_tabs_keep_what_each_opened(chat: Chat, browser: BrowserContext) -> None:
    chat.apply(*turn(1), *turn(2), *turn(3))
    second = browser.new_page()
    assert open_chat(second, chat, 1, 2, 3) == ["false", "false", "false"]
    chat.page.locator("[data-thinkfold-box]").nth(0).click()
    second.locator("[data-thinkfold-box]").nth(2).click()
    expect(chat.page.locator("[data-thinkfold-box]").nth(2)).to_have_attribute("aria-expanded", "false")
    assert open_chat(chat.page, chat, 1, 2, 3) == ["true", "false", "true"]
    second.close()


def test_forgetting_is_one_click(chat: Chat, browser: BrowserContext, popup_url: str) -> None:
    chat.apply(*turn(1))
    chat.page.locator("[data-thinkfold-box]").click()
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        popup.get_by_role("button", name="Forget them now").click()
        expect(popup.get_by_role("button", name="Forgotten")).to_be_visible()
    assert kept_choices(browser, "session") == {}
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_attribute("aria-expanded", "true")  # it stays as it is
    assert open_chat(chat.page, chat, 1) == ["false"]


def test_what_is_kept_moves_along_when_the_setting_changes(chat: Chat, browser: BrowserContext, popup_url: str) -> None:
    chat.apply(*turn(1))
    chat.page.locator("[data-thinkfold-box]").click()
    assert len(kept_choices(browser, "session")) == 1
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        remember = popup.get_by_label("Remember which boxes I opened")
        expect(remember).to_have_value("browser")
        for value, there, gone in (("always", "local", "session"), ("browser", "session", "local")):
            remember.select_option(value)
            popup.wait_for_function(
                f"async () => Object.keys(await chrome.storage.{there}.get(null)).some(name => name.startsWith('box/'))"
                f" && !Object.keys(await chrome.storage.{gone}.get(null)).some(name => name.startsWith('box/'))"
            )
        remember.select_option("page")
        popup.wait_for_function("async () => !Object.keys(await chrome.storage.session.get(null)).length")
    assert open_chat(chat.page, chat, 1) == ["false"]


def test_a_full_storage_is_said_and_the_box_opens_all_the_same(chat: Chat, popup_url: str) -> None:
    World(chat.page).evaluate("chrome.storage.session.set = () => Promise.reject(new Error('QUOTA_BYTES exceeded'))")
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")
    with opened_popup(chat, popup_url) as popup:
        expect(popup.get_by_role("status")).to_contain_text("storage is full")


def hold_back(page: Page, function: str, answer: str = "") -> World:
    """The extension's world in *page*, in which *function* answers only at ``answerNow()``, with *answer* if given."""
    world = World(page)
    owner = function.rpartition(".")[0]
    answer = answer or f"real.call({owner}, ...asked)"
    world.evaluate(
        f"(() => {{ const real = {function}, waiting = []; globalThis.answerNow = () => waiting.map((each) => each());"
        f" {function} = (...asked) => new Promise((done) => waiting.push(() => done({answer}))); }})()"
    )
    return world


@pytest.mark.parametrize("slow", ["chrome.storage.session.get", "chrome.runtime.sendMessage"])
def test_boxes_come_before_an_answer_that_is_late_and_open_when_it_has_come(
    chat: Chat, browser: BrowserContext, slow: str
) -> None:
    chat.apply(*turn(1), *turn(2))
    lines = chat.page.locator("[data-thinkfold-box]")
    lines.nth(1).click()
    assert len(kept_choices(browser, "session")) == 1
    set_access = "accessLevel => chrome.storage.session.setAccessLevel({accessLevel})"
    worker_of(browser).evaluate(set_access, "TRUSTED_CONTEXTS")  # as before the service worker has run
    try:
        world = hold_back(chat.page, slow)
        bring_script(chat.page)
        expect(lines.nth(1)).to_have_attribute("aria-expanded", "false", timeout=20_000)
        lines.nth(0).click()
    finally:
        worker_of(browser).evaluate(set_access, "TRUSTED_AND_UNTRUSTED_CONTEXTS")
    world.evaluate("answerNow()")
    expect(lines.nth(1)).to_have_attribute("aria-expanded", "true")
    expect(lines.nth(0)).to_have_attribute("aria-expanded", "true")


def test_settings_that_come_late_are_followed_all_the_same(chat: Chat) -> None:
    chat.apply(*turn(1)[:-1])
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(1)
    before = visible_lines(chat.page)
    world = hold_back(chat.page, "chrome.storage.local.get", answer="{enabled: false}")
    chat.page.evaluate("document.querySelector('[data-thinkfold-box]').isOld = true")
    bring_script(chat.page)
    chat.page.wait_for_function("(e => e && !e.isOld)(document.querySelector('[data-thinkfold-box]'))", timeout=20_000)
    assert visible_lines(chat.page) == before
    world.evaluate("answerNow()")
    expect(chat.page.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(chat.page) == []


def test_a_storage_that_cannot_be_read_leaves_the_settings_as_they_come(chat: Chat) -> None:
    World(chat.page).evaluate("chrome.storage.local.get = () => Promise.reject(new Error('Corruption'))")
    chat.page.evaluate("document.documentElement.removeAttribute('data-thinkfold')")
    bring_script(chat.page)
    wait_until_on(chat.page)


def test_no_word_of_the_chat_is_kept(chat: Chat, browser: BrowserContext) -> None:
    chat.apply(*turn(1, answer="zebrafish"))
    chat.page.locator("[data-thinkfold-box]").click()
    (entry,) = kept_choices(browser, "session").values()
    for word in ("Question", "Thought", "Between", "Run", "zebrafish"):
        assert word not in str(entry)
    forget_all(browser)
