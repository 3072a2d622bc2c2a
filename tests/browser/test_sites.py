"""Sites that the user chose: a DSH elsewhere, any chat page by a selector of its messages, and a switch for each site.

The browser's own dialog for access cannot be pressed here. The profile is that of a user who has allowed the sites
once before, so the browser says yes to the same question by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.accessibility import violations
from support.extension import allow, status_of, worker_of
from support.marks import marks_left, visible_lines

from tools.browser import close_welcome, extension_id, open_browser

OPTIONS = f"chrome-extension://{extension_id()}/options.html"
FLAGS = ["--host-resolver-rules=MAP *.test 127.0.0.1"]
SITE = "http://dsh.test/*"


def make_profile(playwright: Playwright, profile: Path) -> None:
    """A profile in which the extension was installed and SITE allowed once."""
    with open_browser(playwright, profile=profile) as context:
        close_welcome(context)
    allow(profile, SITE)


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    profile = tmp_path_factory.mktemp("profile")
    make_profile(playwright, profile)
    size = {"width": 1280, "height": 900}
    with open_browser(playwright, profile=profile, flags=FLAGS, viewport=size) as context:
        yield context


@pytest.fixture
def elsewhere(demo_url: str) -> str:
    """The address of a DSH that is not on this computer, as far as the browser knows."""
    return demo_url.replace("127.0.0.1", "dsh.test")


@pytest.fixture
def chat(page: Page, elsewhere: str) -> Iterator[Chat]:
    """The chat elsewhere; afterwards its site is no longer used."""
    opened = Chat(page, elsewhere, used=False)
    opened.apply(*turn(1))
    yield opened
    worker_of(page.context).evaluate("chrome.storage.local.clear()")
    expect_no_site(page)


@pytest.fixture
def options(browser: BrowserContext) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(OPTIONS)
    expect(page.locator("#settings")).to_have_attribute("aria-busy", "false", timeout=20_000)
    yield page
    page.close()


def add_site(options: Page, address: str, selector: str = "") -> None:
    options.get_by_label("Address of another chat page").fill(address)
    options.get_by_label("CSS selector of its messages").fill(selector)
    options.get_by_role("button", name="Add", exact=True).click()


def registered(page: Page) -> list[dict[str, object]]:
    found: list[dict[str, object]] = worker_of(page.context).evaluate("chrome.scripting.getRegisteredContentScripts()")
    return sorted(found, key=lambda script: str(script["world"]))


def allowed(page: Page) -> list[str]:
    found: dict[str, list[str]] = worker_of(page.context).evaluate("chrome.permissions.getAll()")
    return sorted(found["origins"])


def expect_no_site(page: Page) -> None:
    """Wait until nothing but this computer is used or allowed."""
    wait = """async () => {
        for (let tries = 0; tries < 100; tries += 1) {
            const { origins } = await chrome.permissions.getAll();
            const scripts = await chrome.scripting.getRegisteredContentScripts();
            if (!scripts.length && origins.length === 2) return true;
            await new Promise((done) => setTimeout(done, 50));
        }
        return false;
    }"""
    assert worker_of(page.context).evaluate(wait)
    assert allowed(page) == ["http://127.0.0.1/*", "http://localhost/*"]


def expect_folded(chat: Chat) -> None:
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(1, timeout=20_000)


def expect_untouched(chat: Chat) -> None:
    expect(chat.page.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(chat.page) == []
    assert sum(line.startswith("tool: ") for line in visible_lines(chat.page)) >= 2


# -- a DSH elsewhere -----------------------------------------------------------------------------------


def test_a_site_that_nobody_chose_gets_no_script(chat: Chat) -> None:
    expect_untouched(chat)
    assert status_of(chat.page) is None
    assert registered(chat.page) == []


def test_used_from_the_popup_the_open_page_is_folded_at_once_and_after_a_reload(
    chat: Chat, popup_url: str, elsewhere: str
) -> None:
    with opened_popup(chat, popup_url) as popup:
        # The browser tells a real popup the address of its tab; a page of ours must be allowed to read the site first.
        popup.evaluate("origin => chrome.permissions.request({origins: [origin]})", f"{elsewhere}*")
        use = popup.get_by_role("button", name="Use on this site")
        expect(use).to_be_visible()
        expect(popup.get_by_role("status")).to_have_text("Thinkfold is not used on this site.")
        expect(popup.get_by_role("button", name="Fold all", exact=True)).not_to_be_visible()
        assert violations(popup) == {}
        use.click()
        expect_folded(chat)
        expect(popup.get_by_role("status")).to_contain_text("in 1 box folded")
        expect(use).not_to_be_visible()
        expect(popup.get_by_role("switch", name="On this site")).to_be_checked()
    chat.page.reload()
    chat.page.evaluate("demo.ready")
    chat.apply(*turn(1))
    expect_folded(chat)


def test_what_is_asked_for_is_this_site_alone_and_both_worlds_get_their_scripts(
    chat: Chat, options: Page, elsewhere: str
) -> None:
    add_site(options, elsewhere)
    expect(options.locator("#notice")).to_contain_text("Thinkfold is now used on http://dsh.test")
    expect_folded(chat)
    pattern = f"{elsewhere}*"
    assert allowed(options) == ["http://127.0.0.1/*", pattern, "http://localhost/*"]
    isolated, main = registered(options)
    assert [isolated["world"], main["world"]] == ["ISOLATED", "MAIN"]
    assert isolated["matches"] == main["matches"] == [pattern]
    assert isolated["css"] == ["thinkfold.css"]
    assert "tap.js" in str(main["js"])


def test_removed_on_the_options_page_the_open_page_stops_and_the_access_is_given_back(
    chat: Chat, options: Page, elsewhere: str
) -> None:
    add_site(options, elsewhere)
    expect_folded(chat)
    origin = elsewhere.rstrip("/")
    options.get_by_role("button", name=f"Remove {origin}").click()
    expect_untouched(chat)
    expect_no_site(options)
    expect(options.get_by_text(origin, exact=True)).to_have_count(0)
    chat.apply(*turn(2))
    expect_untouched(chat)
    add_site(options, elsewhere)  # and once more, in the page that has been let go
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(2, timeout=20_000)


def test_access_that_is_taken_away_in_the_browser_removes_the_site(chat: Chat, options: Page, elsewhere: str) -> None:
    add_site(options, elsewhere)
    expect_folded(chat)
    options.evaluate("origin => chrome.permissions.remove({origins: [origin]})", f"{elsewhere}*")
    expect_untouched(chat)
    expect(options.get_by_role("button", name="Remove")).to_have_count(0)
    expect_no_site(options)


def test_a_site_is_used_after_the_browser_was_closed(playwright: Playwright, tmp_path: Path, elsewhere: str) -> None:
    make_profile(playwright, tmp_path)
    with open_browser(playwright, profile=tmp_path, flags=FLAGS) as context:
        options = context.new_page()
        options.goto(OPTIONS)
        add_site(options, elsewhere)
        expect(options.locator("#notice")).to_contain_text("is now used")
    with open_browser(playwright, profile=tmp_path, flags=FLAGS) as context:
        chat = Chat(context.new_page(), elsewhere)
        chat.apply(*turn(1))
        expect_folded(chat)


# -- a switch for each site ----------------------------------------------------------------------------


def test_off_on_this_site_the_page_is_as_it_was_also_after_a_reload(
    page: Page, demo_url: str, popup_url: str, browser: BrowserContext
) -> None:
    chat = Chat(page, demo_url)
    other = Chat(browser.new_page(), demo_url.replace("127.0.0.1", "localhost"))
    for each in (chat, other):
        each.apply(*turn(1))
    with opened_popup(chat, popup_url) as popup:
        switch = popup.get_by_role("switch", name="On this site")
        expect(switch).to_be_checked()
        expect(popup.locator("#origin")).to_have_text(demo_url.split("/")[2])
        switch.click()
        expect_untouched(chat)
        expect(popup.get_by_role("status")).to_have_text("Off. Chats look as they were.")
        expect_folded(other)
        page.reload()
        page.evaluate("demo.ready")
        chat.apply(*turn(1))
        page.wait_for_timeout(1000)
        expect_untouched(chat)
        switch.click()
        expect_folded(chat)
        popup.get_by_role("switch", name="Fold agent steps").click()
        expect(switch).to_be_disabled()
    other.page.close()


def test_off_on_a_site_python_does_not_start_there(page: Page, demo_url: str, browser: BrowserContext) -> None:
    worker_of(browser).evaluate(
        "origin => chrome.storage.local.set({[`site/${origin}`]: {selector: '', on: false}})", demo_url.rstrip("/")
    )
    chat = Chat(page, demo_url, used=False)
    chat.apply(*turn(1))
    page.wait_for_timeout(1000)
    status = status_of(page)
    assert status
    assert "summaries" not in status  # which Python alone tells
    assert status["state"] == "off"


# -- the list and its form -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "selector", "said"),
    [
        ("dsh.example", "", "This must be an address that begins with http:// or https://."),
        ("", ".message", "This must be an address that begins with http:// or https://."),
        ("http://127.0.0.1:8080/x", "", "Thinkfold is used on http://127.0.0.1:8080 already."),
        ("https://chat.example", "a[[", "This is no CSS selector."),
        ("https://chat.example", "p, body", "This means the whole page. Name the element of a single message."),
    ],
)
def test_a_site_that_cannot_be_is_refused_beside_its_field(
    options: Page, address: str, selector: str, said: str
) -> None:
    add_site(options, address, selector)
    expect(options.locator(".add-site .problem:visible")).to_have_text(said)
    assert worker_of(options.context).evaluate("chrome.storage.local.get(null).then(s => Object.keys(s))") in (
        [],
        ["version"],
    )


def test_axe_finds_nothing_in_the_list_and_the_search_finds_it(options: Page) -> None:
    worker_of(options.context).evaluate(
        "chrome.storage.local.set({'site/https://chat.example': {selector: '.message', on: true}})"
    )
    expect(options.get_by_role("switch", name="Use on https://chat.example")).to_be_checked()
    add_site(options, "nothing", "a[[")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        options.emulate_media(color_scheme=scheme)
        assert violations(options) == {}
    options.get_by_role("searchbox").fill("chat.example")
    expect(options.locator("h2:visible")).to_have_text(["Websites", "Preview"])
    options.get_by_role("switch", name="Use on https://chat.example").uncheck()
    options.wait_for_function(
        "async name => (await chrome.storage.local.get(name))[name].on === false", arg="site/https://chat.example"
    )
    expect(options.get_by_text("Thinking in the messages that .message finds")).to_be_visible()
    worker_of(options.context).evaluate("chrome.storage.local.clear()")


# -- any chat page, by a selector ----------------------------------------------------------------------

TAGGED = """<!doctype html><title>A chat</title><main style="font: 16px sans-serif">
<div class="message"><p>Is &lt;think&gt; a tag?</p></div>
<div class="message"><div class="body"><p>&lt;think&gt;The user greets.&lt;/think&gt;</p><p>Hello.</p></div></div>
<div class="message"><div class="body"><p>Plain words.</p></div></div></main>"""
BARE = "<think>\nNo Markdown here.\n</think>\nFirst line.\nSecond line."
"""A message of a page that draws no Markdown: text alone, in lines."""
ONLY_PYTHON = "default-src 'none'; script-src 'wasm-unsafe-eval'; style-src 'unsafe-inline'"
"""A page's policy that lets the page itself load nothing."""
NO_PYTHON = "default-src 'none'; style-src 'unsafe-inline'"
BLOCK = "[data-thinkfold-think]"


@pytest.fixture
def tagged(page: Page, demo_url: str) -> Page:
    """A page of messages that is no DSH, with a strict policy of its own."""
    open_tagged(page, f"{demo_url.replace('127.0.0.1', 'dsh.test')}tagged", ONLY_PYTHON)
    return page


def open_tagged(page: Page, address: str, policy: str) -> None:
    headers = {"Content-Security-Policy": policy}
    page.route(address, lambda route: route.fulfill(body=TAGGED, content_type="text/html", headers=headers))
    page.goto(address)


@pytest.fixture
def chosen(tagged: Page, options: Page) -> Iterator[Page]:
    """It, with its site added by the options page."""
    add_site(options, tagged.url, ".message")
    expect(tagged.locator(BLOCK)).to_have_count(1, timeout=20_000)
    yield tagged
    worker_of(tagged.context).evaluate("chrome.storage.local.clear()")
    expect_no_site(tagged)


def add_message(page: Page, text: str) -> None:
    page.evaluate(
        "text => { const message = document.createElement('div'); message.className = 'message';"
        " message.innerHTML = '<div class=body><p></p></div>'; message.querySelector('p').textContent = text;"
        " document.querySelector('main').append(message); }",
        text,
    )


def grow(page: Page, text: str) -> None:
    page.evaluate("text => [...document.querySelectorAll('.message p')].at(-1).firstChild.appendData(text)", text)


def expect_seen(page: Page, *lines: str) -> None:
    """Wait until these are the last lines that a person reads, without the icons and the lengths of blocks."""
    wait = """async (expected) => {
        let lines = [];
        for (let tries = 0; tries < 100; tries += 1) {
            lines = document.querySelector("main").innerText.split("\\n").map((line) => line.split(" · ")[0].trim());
            lines = lines.filter((line) => line && line !== "💭").slice(-expected.length);
            if (JSON.stringify(lines) === JSON.stringify(expected)) break;
            await new Promise((done) => setTimeout(done, 50));
        }
        return lines;
    }"""
    assert page.evaluate(wait, [*lines]) == [*lines]


def test_a_message_with_thinking_gets_a_block_and_the_others_get_nothing(chosen: Page, options: Page) -> None:
    expect_seen(chosen, "Is <think> a tag?", "Thinking", "Hello.", "Plain words.")
    chosen.locator(BLOCK).get_by_role("button").click()
    expect_seen(chosen, "Is <think> a tag?", "Thinking", "The user greets.", "Hello.", "Plain words.")
    chosen.locator(BLOCK).get_by_role("button").click()
    expect_seen(chosen, "Is <think> a tag?", "Thinking", "Hello.", "Plain words.")
    isolated, main = registered(options)
    assert isolated["js"] == ["words.js", "sites.js", "boot.js"]
    assert main["js"] == ["leftovers.js"]  # nothing of the page's own is wrapped


def test_thinking_that_streams_stands_open_and_what_is_left_open_is_no_thinking(chosen: Page) -> None:
    add_message(chosen, "<think>First")
    block = chosen.locator(BLOCK).last
    expect(block).to_have_attribute("data-thinkfold-state", "running")
    expect(block.get_by_role("button")).to_have_attribute("aria-expanded", "true")
    grow(chosen, " and second.")
    expect_seen(chosen, "Thinking…", "First and second.")
    grow(chosen, "</think>The answer")
    expect(block).to_have_attribute("data-thinkfold-state", "ok")
    expect(block.get_by_role("button")).to_have_attribute("aria-expanded", "false")
    grow(chosen, " grows.")
    expect_seen(chosen, "Thinking", "The answer grows.")
    add_message(chosen, "<think>Left open")
    expect(chosen.locator(BLOCK)).to_have_count(3)
    expect(chosen.locator(BLOCK)).to_have_count(2, timeout=15_000)
    expect_seen(chosen, "<think>Left open")


def test_a_message_that_is_bare_text_is_taken_apart_too(chosen: Page) -> None:
    chosen.evaluate(
        "text => { const message = document.createElement('div'); message.className = 'message';"
        " message.style.whiteSpace = 'pre-wrap'; message.textContent = text;"
        " document.querySelector('main').append(message); }",
        BARE,
    )
    expect(chosen.locator(BLOCK)).to_have_count(2)
    expect_seen(chosen, "Thinking", "First line.", "Second line.")
    title = chosen.locator(BLOCK).last.locator("[data-thinkfold-think-part=title]")
    assert title.evaluate("element => getComputedStyle(element).fontSize") == "14px"


def test_a_page_that_draws_a_message_anew_keeps_its_block(chosen: Page) -> None:
    chosen.evaluate(
        "document.querySelectorAll('.message')[1].innerHTML ="
        " '<div class=body><p>&lt;think&gt;Anew.&lt;/think&gt;</p><p>Hello again.</p></div>'"
    )
    expect(chosen.locator(BLOCK)).to_have_count(1)
    expect_seen(chosen, "Is <think> a tag?", "Thinking", "Hello again.", "Plain words.")
    chosen.evaluate("document.querySelectorAll('.message')[1].remove()")
    expect(chosen.locator(BLOCK)).to_have_count(0)


def test_off_the_page_is_exactly_its_own_again(chosen: Page, options: Page, browser: BrowserContext) -> None:
    as_it_was = chosen.evaluate(
        "html => { const page = new DOMParser().parseFromString(html, 'text/html'); return page.body.outerHTML; }",
        TAGGED,
    )
    options.get_by_role("switch", name="Use on").uncheck()
    expect(chosen.locator(BLOCK)).to_have_count(0)
    assert marks_left(chosen) == []
    assert chosen.evaluate("document.body.outerHTML") == as_it_was
    options.get_by_role("switch", name="Use on").check()
    expect(chosen.locator(BLOCK)).to_have_count(1)
    worker_of(browser).evaluate("chrome.storage.local.set({enabled: false})")
    expect(chosen.locator(BLOCK)).to_have_count(0)
    assert chosen.evaluate("document.body.outerHTML") == as_it_was


def test_the_popup_counts_the_blocks_of_such_a_page(chosen: Page, popup_url: str, browser: BrowserContext) -> None:
    chosen.bring_to_front()
    tab = worker_of(browser).evaluate("chrome.tabs.query({url: 'http://dsh.test/*'}).then(([tab]) => tab.id)")
    popup = browser.new_page()
    popup.goto(f"{popup_url}?tab={tab}")
    expect(popup.get_by_role("status")).to_have_text("1 thought in blocks of their own on this page.")
    expect(popup.get_by_role("button", name="Fold all", exact=True)).not_to_be_visible()
    popup.close()


def test_a_page_of_this_computer_can_be_such_a_page_and_waits_for_a_message(
    page: Page, options: Page, demo_url: str
) -> None:
    page.route("**/later", lambda route: route.fulfill(body="<!doctype html><main></main>", content_type="text/html"))
    address = f"{demo_url.replace('127.0.0.1', 'localhost')}later"
    add_site(options, address, ".message")
    expect(options.locator("#notice")).to_contain_text("is now used")
    page.goto(address)
    page.wait_for_timeout(500)
    status = status_of(page)
    assert status
    assert "summaries" not in status  # which Python alone tells
    add_message(page, "<think>Late.</think>Hello.")
    expect(page.locator(BLOCK)).to_have_count(1, timeout=20_000)
    expect(page.get_by_text("Hello.", exact=True)).to_be_visible()
    assert registered(options) == []  # the manifest's scripts are there


def test_a_page_whose_policy_forbids_python_is_left_alone_and_the_popup_says_why(
    page: Page, options: Page, demo_url: str, popup_url: str
) -> None:
    open_tagged(page, f"{demo_url.replace('127.0.0.1', 'localhost')}tagged", NO_PYTHON)
    add_site(options, page.url, ".message")
    expect(options.locator("#notice")).to_contain_text("is now used")
    expect(page.locator("html[data-thinkfold]")).to_have_count(0)
    status = status_of(page)
    assert status
    assert (status["state"], status["blocked"]) == ("failed", True)
    tab = worker_of(page.context).evaluate("chrome.tabs.query({url: 'http://localhost/*'}).then(([tab]) => tab.id)")
    options.goto(f"{popup_url}?tab={tab}")
    expect(options.get_by_role("status")).to_contain_text("security policy forbids WebAssembly")
    expect(options.get_by_role("button", name="Copy report")).to_be_visible()
