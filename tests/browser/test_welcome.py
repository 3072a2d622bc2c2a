"""The first minutes: the page that welcomes who has just installed the extension, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.accessibility import violations

from tools.browser import EXTENSION, extension_id, open_browser

LANGUAGES = sorted(path.name for path in (EXTENSION / "_locales").iterdir())
WELCOME = f"chrome-extension://{extension_id()}/welcome.html"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def text(language: str, key: str) -> str:
    words = json.loads((EXTENSION / "_locales" / language / "messages.json").read_text("utf-8"))
    return str(words[key]["message"])


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[BrowserContext]:
    """A browser in which the extension was just installed, as it is then."""
    with open_browser(playwright, welcome=True, viewport={"width": 1280, "height": 800}) as context:
        yield context


@pytest.fixture
def welcome(page: Page) -> Iterator[Page]:
    """The page for one who wants no motion: its example is there at once."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(WELCOME)
    expect(page.locator("#preview").get_by_text(text("en", "previewAnswer"))).to_be_visible(timeout=20_000)
    yield page
    page.set_viewport_size({"width": 1280, "height": 800})


def test_it_opens_by_itself_once_and_plays_a_chat_that_is_folded_by_the_real_code(browser: BrowserContext) -> None:
    if not any(page.url == WELCOME for page in browser.pages):
        browser.wait_for_event("page", lambda page: page.url == WELCOME)
    (page,) = [page for page in browser.pages if page.url == WELCOME]
    page.bring_to_front()
    chat = page.locator("#preview")
    expect(page.get_by_role("heading", level=1)).to_have_text(text("en", "welcomeTitle"))
    box = chat.locator("[data-thinkfold-box]")
    expect(box).to_have_attribute("data-thinkfold-state", "running", timeout=20_000)
    expect(chat.get_by_text(text("en", "previewAnswer"))).to_be_visible(timeout=20_000)
    expect(box).to_have_attribute("data-thinkfold-state", "ok")
    expect(box).to_contain_text("4 steps")
    page.get_by_role("button", name="Play again").click()
    expect(box).to_have_count(0)
    expect(box).to_have_attribute("data-thinkfold-state", "running", timeout=20_000)
    page.close()


def test_without_motion_the_example_stands_still_and_its_box_opens(welcome: Page) -> None:
    chat = welcome.locator("#preview")
    box = chat.locator("[data-thinkfold-box]")
    expect(chat.get_by_text("strftime")).not_to_be_visible()
    box.click()
    expect(chat.get_by_text("strftime")).to_be_visible()
    chat.get_by_role("button", name=text("en", "collapse")).click()
    expect(box).to_have_attribute("aria-expanded", "false")
    with welcome.expect_navigation(url="**/options.html"):
        welcome.get_by_role("link", name="All settings").click()
    welcome.get_by_role("link", name="What is new").click()
    expect(welcome.get_by_role("heading", level=1)).to_have_text("Changelog")


TOO_WIDE = """() => [...document.querySelectorAll("main *")]
    .filter((element) => !element.closest("#preview") && getComputedStyle(element).display !== "inline")
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_one_screen_in_every_language_and_axe_finds_nothing(welcome: Page, language: str) -> None:
    welcome.evaluate("language => chrome.storage.local.set({language})", language)
    welcome.reload()
    expect(welcome.locator("html")).to_have_attribute("lang", language)
    for element in welcome.locator("[data-message]").all():
        expect(element).to_have_text(text(language, element.get_attribute("data-message") or ""))
    expect(welcome.locator("#preview").get_by_text(text(language, "previewAnswer"))).to_be_visible(timeout=20_000)
    assert welcome.evaluate("document.documentElement.scrollHeight") <= 800
    for scheme in SCHEMES:
        welcome.emulate_media(color_scheme=scheme)
        assert violations(welcome) == {}
    welcome.set_viewport_size({"width": 360, "height": 800})
    assert welcome.evaluate("document.documentElement.scrollWidth") <= 360
    assert welcome.evaluate(TOO_WIDE) == []
