from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page
from support.extension import World, front_tab
from support.marks import wait_until_on
from support.turns import turn  # noqa: F401 (the tests take it from here)

from tools.demo import demo_server


@pytest.fixture(scope="session")
def demo_url() -> Iterator[str]:
    with demo_server() as address:
        yield address


class Chat:
    """The demo page, empty, to be filled event by event (``demo/README.md`` lists the events). *used* says whether
    Thinkfold is used on its site."""

    def __init__(self, page: Page, url: str, generation: str = "0.1", *, used: bool = True) -> None:
        self.page = page
        self.generation = generation
        page.goto(f"{url}?paused=1&generation={generation}")
        page.evaluate("demo.ready")
        if used:
            wait_until_on(page)

    def open_groups(self) -> None:
        """Open the groups in which the newer host draws the rows of a finished turn."""
        closed = self.page.locator("[data-process-activity][aria-expanded=false]:visible")
        for _ in range(closed.count()):
            closed.first.click()

    def process_rows(self) -> list[str]:
        """The keys of the rows of a chat of one turn, without the user's message and the host's own control."""
        return [key for key in self.page.evaluate("demo.rows()")[1:] if "turn-process" not in key]

    def apply(self, *events: dict[str, object]) -> None:
        """Apply events at once."""
        self.page.evaluate(f"demo.apply({json.dumps(events)})")

    def play(self, *events: dict[str, object], speed: float = 1) -> None:
        """Stream events, and wait for the end."""
        self.page.evaluate(f"demo.play({json.dumps(events)}, {{speed: {speed}}})")


@contextmanager
def opened_popup(chat: Chat, popup_url: str) -> Iterator[Page]:
    """The popup, as a page that speaks of the chat's tab."""
    tab = front_tab(chat.page)
    popup = chat.page.context.new_page()
    popup.goto(f"{popup_url}?tab={tab}")
    try:
        yield popup
    finally:
        popup.close()


@pytest.fixture(params=["0.1", "0.2"])
def chat(page: Page, demo_url: str, request: pytest.FixtureRequest) -> Chat:
    """The chat in the shape of each generation of the host."""
    return Chat(page, demo_url, request.param)


@pytest.fixture
def python(chat: Chat) -> World:
    """A second Python from the same snapshot; the extension's own is not reachable, and stays so."""
    world = World(chat.page)
    world.evaluate(
        """(async () => {
            const folder = chrome.runtime.getURL("python/");
            const { loadPython } = await import(folder + "load.mjs");
            globalThis.testPython = await loadPython(folder);
        })()"""
    )
    return world
