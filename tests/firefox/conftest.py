from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from support.firefox import Firefox, NoFirefox, Tab, find_firefox, open_firefox
from support.sampling import SAMPLER

from tools.demo import demo_server


@pytest.fixture(scope="session")
def demo_url() -> Iterator[str]:
    with demo_server() as address:
        yield address


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    """A Firefox with the extension, one for each test file. Without any Firefox no test of this folder can run."""
    try:
        find_firefox()
    except NoFirefox as error:
        pytest.exit(str(error), returncode=1)
    with open_firefox() as started:
        started.add_init_script(SAMPLER)
        yield started


@pytest.fixture
def tab(firefox: Firefox) -> Iterator[Tab]:
    """A fresh tab. The test fails when its console had an error."""
    fresh = firefox.new_tab()
    yield fresh
    fresh.goto("about:blank")
    assert not fresh.errors
    fresh.goto(firefox.popup_url)  # what a test chose is not the next one's choice
    fresh.evaluate("Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear()])")
    fresh.close()


class Chat:
    """The demo page, empty, to be filled event by event (``demo/README.md`` lists the events)."""

    def __init__(self, tab: Tab, url: str, generation: str) -> None:
        self.tab = tab
        self.url = f"{url}?paused=1&generation={generation}"
        self.open()

    def open(self) -> None:
        """Load the page, or load it anew; it is empty then."""
        self.tab.bring_to_front()  # what is behind another tab is slow
        self.tab.goto(self.url)
        self.tab.evaluate("demo.ready")

    def apply(self, *events: dict[str, object]) -> None:
        """Apply events at once."""
        self.tab.evaluate(f"demo.apply({json.dumps(events)})")

    def states(self) -> list[str]:
        """Each box's ``aria-expanded``."""
        boxes = "[...document.querySelectorAll('[data-thinkfold-box]')]"
        return list(self.tab.evaluate(f"{boxes}.map((box) => box.getAttribute('aria-expanded'))"))

    def wait_for_states(self, *states: str) -> None:
        """Wait until there are these boxes, in these states."""
        boxes = "[...document.querySelectorAll('[data-thinkfold-box]')]"
        self.tab.wait_for(f"{boxes}.map((box) => box.getAttribute('aria-expanded')).join() === {','.join(states)!r}")


def wait_until_on(tab: Tab) -> None:
    """Wait until Python is up and has folded what is there."""
    tab.wait_for("document.documentElement.dataset.thinkfold === 'on'")


@pytest.fixture
def chat(tab: Tab, demo_url: str) -> Iterator[Chat]:
    """The chat in the shape of the newest generation of the host."""
    opened = Chat(tab, demo_url, "0.2")
    wait_until_on(tab)
    yield opened


@pytest.fixture
def popup(firefox: Firefox, chat: Chat) -> Iterator[Tab]:
    """The popup, as a page that speaks of the chat's tab."""
    page = firefox.new_tab()
    page.goto(firefox.popup_url)
    (number,) = [each["id"] for each in page.evaluate("chrome.tabs.query({})") if each.get("url") == chat.url]
    page.goto(f"{firefox.popup_url}?tab={number}")
    page.wait_for("document.querySelector('#status').textContent")
    yield page
    page.close()
    assert not page.errors
