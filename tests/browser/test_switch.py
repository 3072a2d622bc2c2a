"""The popup's switch, the toolbar icon, and failing safely."""

from __future__ import annotations

from conftest import Chat, opened_popup
from playwright.sync_api import BrowserContext, Page, expect
from support.extension import choose, status_of, worker_of
from support.marks import marks_left, marks_on_rows, visible_lines, wait_until_on

TOOLS: list[dict[str, object]] = [
    {"user": "Go"},
    {"think": "A thought", "step": "1:1"},
    {"tool": "Bash", "id": "c1", "summary": "Run 1", "state": "ok"},
    {"text": "Between", "step": "1:2"},
    {"tool": "Bash", "id": "c2", "summary": "Run 2", "state": "ok"},
    {"text": "The answer.", "step": "1:3"},
    {"tail": 1},
]
STILL_RUNNING = TOOLS[:-1]
"""Without the turn's end, so that a host with a fold of its own does not fold it."""


def tab_where(browser: BrowserContext, condition: str) -> dict[str, str | int]:
    """The tab whose ``status`` and ``tab`` fulfil *condition* (JavaScript): its id, and what its icon says."""
    worker = worker_of(browser)
    found = worker.evaluate(
        "async () => { for (const tab of await chrome.tabs.query({})) {"
        " const tabId = tab.id;"
        " const status = await chrome.tabs.sendMessage(tabId, {ask: 'status'}).catch(() => null);"
        f" if (status && ({condition})) return {{"
        " id: tabId, title: await chrome.action.getTitle({tabId}), badge: await chrome.action.getBadgeText({tabId})"
        "}; } }"
    )
    assert found, f"no tab where {condition}"
    return dict(found)


def test_off_takes_every_mark_away_at_once_and_on_folds_again(
    chat: Chat, browser: BrowserContext, popup_url: str
) -> None:
    page = chat.page
    chat.apply(*STILL_RUNNING)
    second = Chat(browser.new_page(), page.url.partition("?")[0])  # every open page follows the switch
    second.apply(*STILL_RUNNING)
    page.locator("[data-thinkfold-box]").click()  # expanded: the arrow and the anchors are on the page too
    popup = browser.new_page()
    popup.goto(popup_url)
    switch = popup.get_by_role("switch")
    expect(switch).to_be_checked()
    switch.click()
    expect(page.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(page) == []
    expect(second.page.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(second.page) == []
    second.page.close()
    assert [line for line in visible_lines(page) if line.startswith(("think", "tool"))] == [
        "think: Think A thought",
        "tool: Bash Run 1",
        "tool: Bash Run 2",
    ]
    chat.apply({"tool": "Bash", "id": "c9", "summary": "While off", "state": "ok"})
    assert marks_left(page) == []
    switch.click()
    expect(page.locator("[data-thinkfold-box]")).to_have_attribute("aria-expanded", "true")
    popup.close()


def test_the_choice_lasts_and_no_row_is_covered_while_off(chat: Chat, browser: BrowserContext, popup_url: str) -> None:
    page = chat.page
    popup = browser.new_page()
    popup.goto(popup_url)
    popup.get_by_role("switch").click()
    page.reload()
    page.evaluate("demo.ready")
    chat.apply(*STILL_RUNNING)
    page.wait_for_timeout(500)
    assert marks_left(page) == []
    assert "tool: Bash Run 1" in visible_lines(page)
    popup.reload()
    switch = popup.get_by_role("switch")
    expect(switch).not_to_be_checked()
    expect(popup.get_by_role("status")).to_have_text("Off. Chats look as they were.")
    switch.click()
    expect(page.locator("[data-thinkfold-box]")).to_have_count(1, timeout=20_000)
    popup.close()


def test_the_popup_counts_what_is_folded(chat: Chat, popup_url: str) -> None:
    chat.apply(*TOOLS)
    with opened_popup(chat, popup_url) as popup:
        expect(popup.get_by_role("status")).to_have_text("3 steps in 1 box folded on this page.")
        chat.page.locator("[data-thinkfold-box]").click()
        expect(popup.get_by_role("status")).to_have_text("All boxes on this page are open.")
        popup.goto(popup_url)  # the popup's own tab is no chat
        expect(popup.get_by_role("status")).to_have_text("No chat on this page.")


def test_the_switch_works_by_keyboard(browser: BrowserContext, popup_url: str) -> None:
    popup = browser.new_page()
    popup.goto(popup_url)
    switch = popup.get_by_role("switch", name="Fold agent steps")
    popup.keyboard.press("Tab")
    expect(switch).to_be_focused()
    popup.keyboard.press("Space")
    expect(switch).not_to_be_checked()
    popup.keyboard.press("Space")
    expect(switch).to_be_checked()
    popup.close()


def test_the_icon_shows_on_off_and_no_chat(chat: Chat, browser: BrowserContext, popup_url: str) -> None:
    chat.apply(*TOOLS)
    chat.page.bring_to_front()
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(1)
    assert tab_where(browser, "tab.active")["title"] == "Thinkfold: on"
    worker = worker_of(browser)
    choose(browser, enabled=False)
    chat.page.wait_for_function("!document.documentElement.hasAttribute('data-thinkfold')")
    chat.page.wait_for_timeout(200)
    assert tab_where(browser, "tab.active")["title"] == "Thinkfold: off"
    choose(browser, enabled=True)
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(1)
    tab = worker.evaluate("async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id")
    chat.page.goto("about:blank")
    assert worker.evaluate(f"chrome.action.getTitle({{tabId: {tab}}})") == "Thinkfold: not a chat page"


def test_python_is_not_started_on_a_page_without_a_chat(page: Page, demo_url: str) -> None:
    page.route("**/plain", lambda route: route.fulfill(body="<!doctype html><p>No chat</p>", content_type="text/html"))
    page.goto(f"{demo_url.replace('127.0.0.1', 'localhost')}plain")
    page.wait_for_timeout(1500)
    assert marks_left(page) == []
    status = status_of(page)
    assert status
    assert status["state"] == "waiting"
    assert "summaries" not in status  # which Python alone tells


def test_an_exception_unfolds_the_page_and_the_popup_says_why(
    browser: BrowserContext, demo_url: str, popup_url: str
) -> None:
    page = browser.new_page()  # not the fixture's: an error in the console is expected here
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    chat = Chat(page, demo_url)
    chat.apply(*TOOLS)
    expect(page.locator("[data-thinkfold-box]")).to_have_count(1)
    # A hostile row: a form whose field takes the place of the method by which every row is read.
    page.evaluate(
        "() => { const row = document.createElement('form'); row.dataset.chatFlowKind = 'tool-call';"
        " row.dataset.chatFlowKey = '9:tool-callsecret'; const field = document.createElement('input');"
        " field.name = 'getAttribute'; row.append(field); document.querySelector('[data-chat-flow]').append(row); }"
    )
    expect(page.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(page) == []
    assert len(errors) == 1
    assert "secret" not in errors[0]
    tab = tab_where(browser, "status.state === 'failed'")
    assert tab["badge"] == "!"
    popup = browser.new_page()
    popup.goto(f"{popup_url}?tab={tab['id']}")
    expect(popup.get_by_role("status")).to_have_text("Stopped after an error. The page is as it was.")
    expect(popup.locator("#reason")).to_contain_text("dsh.py")
    expect(popup.get_by_role("button", name="Copy report")).to_be_visible()
    popup.close()
    page.reload()  # a reload is a new start
    page.evaluate("demo.ready")
    wait_until_on(page)
    page.close()


def test_a_chat_of_an_unknown_shape_is_left_alone_and_the_popup_says_what_was_missed(
    page: Page, browser: BrowserContext, demo_url: str, popup_url: str
) -> None:
    """A future host that names its rows otherwise."""
    rows = "".join(f'<div data-node-kind="tool" data-node-key="{n}">Tool {n}</div>' for n in range(6))
    body = f"<!doctype html><title>New</title><div data-phase='active'><div data-chat-flow>{rows}</div></div>"
    page.route("**/future", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{demo_url}future")
    wait_until_on(page)
    assert marks_on_rows(page) == []
    assert page.get_by_text("Tool 3").is_visible()
    tab = tab_where(browser, "status.missed")
    assert tab["title"] == "Thinkfold: a chat page of a kind that it does not know"
    popup = browser.new_page()
    popup.goto(f"{popup_url}?tab={tab['id']}")
    expect(popup.get_by_role("status")).to_contain_text("Looked for in vain: data-chat-flow-kind")
    popup.close()
