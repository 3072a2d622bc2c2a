"""The extension is updated, switched off or installed while chat pages are open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.extension import worker_of
from support.marks import marks_left, visible_lines, wait_until_on

from tools.browser import extension_id, open_browser

FOLDED = ["user", "box", "text", "text"]


@dataclass
class Manager:
    """The browser's own page of extensions, on which a person does these things."""

    page: Page

    def update(self) -> None:
        """Load the extension anew, as an update does."""
        self.page.evaluate("chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})")
        self.page.evaluate("id => chrome.developerPrivate.reload(id, {failQuietly: true})", extension_id())

    def enable(self, enabled: bool) -> None:
        """Switch the extension on or off."""
        self.page.evaluate(
            "([id, on]) => new Promise((done) => chrome.management.setEnabled(id, on, done))", [extension_id(), enabled]
        )


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[BrowserContext]:
    """A browser of its own: what is done to the extension here is no other test's business."""
    with open_browser(playwright, viewport={"width": 1280, "height": 900}) as context:
        yield context


@pytest.fixture
def manager(browser: BrowserContext) -> Iterator[Manager]:
    page = browser.new_page()
    page.goto("chrome://extensions")
    yield Manager(page)
    page.close()


def kinds(page: Page) -> list[str]:
    return [line.split(":")[0] for line in visible_lines(page)]


def test_an_update_under_an_open_page_goes_on_without_a_reload(chat: Chat, manager: Manager) -> None:
    chat.apply(*turn(1))
    page = chat.page
    page.evaluate("document.querySelector('[data-thinkfold-box]').isOld = true")
    manager.update()
    page.wait_for_function("(e => e && !e.isOld)(document.querySelector('[data-thinkfold-box]'))", timeout=20_000)
    assert kinds(page) == FOLDED
    for number in range(100):  # the old script, if it still listened, would now call an extension that is gone
        chat.apply({"user": f"Question {number}", "id": f"again{number}", "turn": number + 2})
    chat.apply({"remove": chat.page.evaluate("demo.rows()")[-1]})
    line = page.locator("[data-thinkfold-box]")
    expect(line).to_have_count(1)
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")  # once, not opened and folded by two scripts
    assert page.locator("[data-thinkfold-live]").count() == 1
    assert [each.url for each in page.context.pages if "welcome" in each.url] == []  # an update is no news


def test_a_page_that_gets_the_script_twice_has_one_that_answers(chat: Chat, popup_url: str) -> None:
    chat.apply(*turn(1))
    page = chat.page
    page.evaluate("document.querySelector('[data-thinkfold-box]').isOld = true")
    page.bring_to_front()
    worker_of(page.context).evaluate(
        """async () => {
            const [{ js: files }] = chrome.runtime.getManifest().content_scripts;
            const [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true});
            await chrome.scripting.executeScript({target: {tabId: tab.id}, files});
        }"""
    )
    page.wait_for_function("(e => e && !e.isOld)(document.querySelector('[data-thinkfold-box]'))", timeout=20_000)
    with opened_popup(chat, popup_url) as popup:
        expect(popup.get_by_role("status")).to_contain_text("in 1 box folded")
        for checked in (False, True):
            popup.get_by_role("switch", name="Fold agent steps").set_checked(checked)
            expect(page.locator("[data-thinkfold-box]")).to_have_count(int(checked))
    page.locator("[data-thinkfold-box]").click()
    expect(page.locator("[data-thinkfold-box]")).to_have_attribute("aria-expanded", "true")
    assert page.locator("[data-thinkfold-live]").count() == 1


def test_switched_off_in_the_browser_nothing_stays_hidden_and_nothing_breaks(chat: Chat, manager: Manager) -> None:
    chat.apply(*turn(1)[:-1])  # the turn runs, so that the clock does too
    page = chat.page
    manager.enable(False)
    try:
        chat.apply(*turn(2))
        for number in range(100):
            chat.apply({"tool": "Bash", "id": f"more{number}", "summary": "More", "state": "ok"})
        boxes = page.locator("[data-thinkfold-box]")
        if boxes.count():
            boxes.first.click()
        expect(page.locator("html[data-thinkfold]")).to_have_count(0)
        assert marks_left(page) == []
        assert sum(line.startswith("tool: Bash More") for line in visible_lines(page)) == 100
    finally:
        manager.enable(True)


def test_a_page_without_the_script_is_told_to_be_loaded_again(chat: Chat, manager: Manager, popup_url: str) -> None:
    page = chat.page
    manager.enable(False)
    page.reload()
    page.evaluate("demo.ready")
    chat.apply(*turn(1))
    manager.enable(True)
    page.bring_to_front()
    popup = page.context.new_page()
    popup.goto(popup_url)
    tab = popup.evaluate("async () => (await chrome.tabs.query({url: 'http://127.0.0.1/*'}))[0].id")
    popup.goto(f"{popup_url}?tab={tab}")
    expect(popup.get_by_role("status")).to_contain_text("Reload the page")
    page.reload()
    page.evaluate("demo.ready")
    wait_until_on(page)
    chat.apply(*turn(1))
    assert kinds(page) == FOLDED
    expect(popup.get_by_role("status")).to_contain_text("in 1 box folded")
    popup.close()
    assert worker_of(page.context)
