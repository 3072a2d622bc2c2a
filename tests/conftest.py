"""One Chromium for all tests of a run; each test gets a page of its own in a fresh profile where it asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Playwright, sync_playwright
from support.extension import forget_all
from support.sampling import SAMPLER

from tools.browser import extension_id, open_browser


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[BrowserContext]:
    """A browser with the extension, one for each test file."""
    with open_browser(playwright, viewport={"width": 1280, "height": 900}) as context:
        context.add_init_script(SAMPLER)
        yield context


@pytest.fixture
def page(browser: BrowserContext) -> Iterator[Page]:
    """A fresh tab. The test fails when the page's console had an error."""
    tab = browser.new_page()
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text[:500])

    tab.on("console", note)
    tab.on("pageerror", lambda error: errors.append(str(error)[:500]))
    yield tab
    tab.close()
    forget_all(browser)  # what a test chose is not the next one's choice
    assert not errors


@pytest.fixture
def popup_url() -> str:
    return f"chrome-extension://{extension_id()}/popup.html"


@pytest.fixture
def shots(request: pytest.FixtureRequest) -> Path:
    """A folder for pictures to look at, outside git."""
    folder = Path(request.config.rootpath) / ".cache" / "shots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
