"""Reaches into the running extension: its service worker, its storage, and its world in a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Worker

from tools.browser import extension_id


def worker_of(browser: BrowserContext) -> Worker:
    """The extension's service worker. The browser stops it when it is idle; then it is woken."""
    if browser.service_workers:
        return browser.service_workers[0]
    page = browser.new_page()
    try:
        page.goto(f"chrome-extension://{extension_id()}/popup.html")
        if browser.service_workers:
            return browser.service_workers[0]
        with browser.expect_event("serviceworker") as started:
            page.evaluate("chrome.runtime.sendMessage({ask: 'session'})")
        return started.value
    finally:
        page.close()


def front_tab(page: Page) -> int:
    """The id of the tab that shows *page*, which is brought to the front."""
    page.bring_to_front()
    active = "async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id"
    return int(worker_of(page.context).evaluate(active))


def answers_in(page: Page) -> object:
    """What the extension's scripts in *page* say of themselves, or why they say nothing."""
    asking = page.context.new_page()
    try:
        asking.goto(f"chrome-extension://{extension_id()}/popup.html")
        return asking.evaluate(
            """async (url) => {
                const tabs = (await chrome.tabs.query({})).filter((tab) => tab.url === url);
                const silence = new Promise((done) => setTimeout(done, 2000, "nothing for two seconds"));
                const ask = (tab) => chrome.tabs.sendMessage(tab.id, {ask: "status"}).catch(String);
                return Promise.all(tabs.map((tab) => Promise.race([ask(tab), silence])));
            }""",
            page.url,
        )
    finally:
        asking.close()


def bring_script(page: Page) -> None:
    """Give the open *page* the script, as the service worker does after an installation."""
    page.bring_to_front()
    worker_of(page.context).evaluate(
        """async () => {
            const [{ js: files }] = chrome.runtime.getManifest().content_scripts;
            const [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true});
            await chrome.scripting.executeScript({target: {tabId: tab.id}, files});
        }"""
    )


def choose(browser: BrowserContext, **values: object) -> None:
    """Set a user's choices, as the popup does."""
    worker_of(browser).evaluate("values => chrome.storage.local.set(values)", values)


def forget_all(browser: BrowserContext) -> None:
    """A fresh installation's storage."""
    worker_of(browser).evaluate("Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear()])")


def kept_choices(browser: BrowserContext, area: str) -> dict[str, object]:
    """What is kept of the user's choices for boxes in the storage *area*, ``session`` or ``local``."""
    stored = worker_of(browser).evaluate(f"chrome.storage.{area}.get(null)")
    return {name: value for name, value in stored.items() if name.startswith("box/")}


def allow(profile: Path, *patterns: str) -> None:
    """Make a closed browser's *profile* one whose user has once allowed the extension these sites: asked again, the
    browser says yes without its dialog, which no test can press."""
    file = profile / "Default" / "Preferences"
    preferences = json.loads(file.read_text("utf-8"))
    settings = preferences["extensions"]["settings"][extension_id()]
    hosts = {**settings["granted_permissions"], "explicit_host": [*patterns], "scriptable_host": [*patterns]}
    settings["runtime_granted_permissions"] = hosts
    settings["granted_permissions"]["explicit_host"] += patterns
    file.write_text(json.dumps(preferences), "utf-8")


def status_of(page: Page) -> dict[str, Any] | None:
    """What the script in *page* says of itself; None where there is none."""
    ask = "tab => chrome.tabs.sendMessage(tab, {ask: 'status'}).catch(() => null)"
    found: dict[str, Any] | None = worker_of(page.context).evaluate(ask, front_tab(page))
    return found


class World:
    """Evaluates JavaScript in the extension's isolated world of a page."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        contexts: list[dict[str, Any]] = []
        self._session.on("Runtime.executionContextCreated", lambda event: contexts.append(event["context"]))
        self._session.send("Runtime.enable")
        ours = [context for context in contexts if context["origin"].startswith("chrome-extension://")]
        self._id = ours[-1]["id"]

    def evaluate(self, expression: str) -> Any:
        answer = self._session.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": self._id, "awaitPromise": True, "returnByValue": True},
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]["exception"]["description"][:1000]
        return answer["result"].get("value")


def heap_of(page: Page) -> str:
    """All that the scripts of a page hold, the extension's among them, as the browser writes it down; but not what is
    in Python's own memory."""
    session = page.context.new_cdp_session(page)
    parts: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: parts.append(event["chunk"]))
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    return "".join(parts)
