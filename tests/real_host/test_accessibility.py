"""The extension brings no fault of accessibility to the host's page (F7), by axe-core's rules."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect
from support.accessibility import violations
from support.extension import choose

from .host import FIRST_VERSION, Host
from .versions import FULL


@FULL
def test_axe_finds_nothing_new_against_the_bare_host(chat: Page, host: Host, browser: BrowserContext) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    choose(browser, enabled=False)
    expect(chat.locator("html[data-thinkfold]")).to_have_count(0)
    if host.version != FIRST_VERSION:  # the bare host shows then what an opened box shows
        chat.locator("button[data-turn-process][aria-expanded=false]").click()
    bare = violations(chat)
    choose(browser, enabled=True)
    line = chat.locator("[data-thinkfold-box]")
    expect(line).to_have_count(1, timeout=20_000)
    folded = violations(chat)
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")
    opened = violations(chat)
    assert folded - bare == {}
    assert opened - bare == {}
