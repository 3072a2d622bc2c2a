"""The extension is updated, switched off or installed while chat pages are open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.extension import bring_script, worker_of
from support.marks import marks_left, visible_lines, wait_until_on

from tools.browser import extension_id, open_browser

FOLDED = ["user", "box", "text", "text"]

ROWS = (
    "<div data-phase=active><div data-chat-flow>"
    + "".join(f"<div data-chat-flow-kind=tool-call data-chat-flow-key=c{n}><div>Tool {n}</div></div>" for n in range(3))
    + "</div></div>"
)


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
    bring_script(page)
    page.wait_for_function("(e => e && !e.isOld)(document.querySelector('[data-thinkfold-box]'))", timeout=20_000)
    with opened_popup(chat, popup_url) as popup:
        expect(popup.get_by_role("status")).to_contain_text("in 1 box folded")
        for checked in (False, True):
            popup.get_by_role("switch", name="Fold agent steps").set_checked(checked)
            expect(page.locator("[data-thinkfold-box]")).to_have_count(int(checked))
    page.locator("[data-thinkfold-box]").click()
    expect(page.locator("[data-thinkfold-box]")).to_have_attribute("aria-expanded", "true")
    assert page.locator("[data-thinkfold-live]").count() == 1


@pytest.mark.parametrize("image", ["", "<img src='never'>"], ids=["loaded", "loading"])
@pytest.mark.parametrize("chat", ["<div data-phase=hero></div>", ROWS], ids=["start page", "chat"])
def test_a_script_that_comes_late_starts_whatever_the_page_shows_and_however_far_it_has_loaded(
    page: Page, demo_url: str, chat: str, image: str
) -> None:
    """The first sign of a chat, an animation's start, is long over."""
    page.route("**/early", lambda route: route.fulfill(body=f"<!doctype html>{chat}{image}", content_type="text/html"))
    page.route("**/never", lambda route: None)
    page.goto(f"{demo_url}early", wait_until="commit")
    wait_until_on(page)
    assert page.evaluate("document.readyState") == ("interactive" if image else "complete")
    page.evaluate("document.querySelector('[data-thinkfold-live]').isOld = true")
    bring_script(page)
    page.wait_for_function("(e => e && !e.isOld)(document.querySelector('[data-thinkfold-live]'))", timeout=20_000)
    wait_until_on(page)
    assert page.locator("[data-thinkfold-box]").count() == (chat == ROWS)


@pytest.fixture
def slow_url() -> Iterator[tuple[str, Event]]:
    """The address of a chat that has begun to come, and the event that makes the rest of it come."""
    rest = Event()

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.flush()
            rest.wait(20)
            self.wfile.write(f"<!doctype html><link rel=icon href=data:,>{ROWS}".encode())

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", rest
        rest.set()
        server.shutdown()


def test_a_page_that_begins_to_load_while_the_extension_is_installed_gets_the_script_once(
    page: Page, manager: Manager, slow_url: tuple[str, Event]
) -> None:
    address, rest = slow_url
    page.add_init_script(
        "window.scripts = 0; document.addEventListener('thinkfold-new-script', () => window.scripts++)"
    )
    page.goto(address, wait_until="commit")
    manager.update()
    manager.page.wait_for_timeout(1500)  # in which the service worker asks each tab for the script
    rest.set()
    wait_until_on(page)
    page.wait_for_load_state()
    expect(page.locator("[data-thinkfold-box]")).to_have_count(1)
    page.wait_for_timeout(500)  # in which a second script would come
    assert page.evaluate("scripts") == 1


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
