from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from support.marks import wait_until_on

from tools.demo import demo_server


@pytest.fixture(scope="session")
def demo_url() -> Iterator[str]:
    with demo_server() as address:
        yield address


class Chat:
    """The demo page, empty, to be filled event by event (``demo/README.md`` lists the events)."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.goto(f"{url}?paused=1")
        page.evaluate("demo.ready")
        wait_until_on(page)

    def apply(self, *events: dict[str, object]) -> None:
        """Apply events at once."""
        self.page.evaluate(f"demo.apply({json.dumps(events)})")

    def play(self, *events: dict[str, object], speed: float = 1) -> None:
        """Stream events, and wait for the end."""
        self.page.evaluate(f"demo.play({json.dumps(events)}, {{speed: {speed}}})")


@pytest.fixture
def chat(page: Page, demo_url: str) -> Chat:
    return Chat(page, demo_url)
