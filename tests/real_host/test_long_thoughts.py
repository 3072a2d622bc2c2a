"""A long thought on the real host: the panel while it is written, the view of all thoughts, and what is kept."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Playwright, expect
from support.accessibility import violations
from support.extension import choose, worker_of
from support.long_thoughts import (
    MEASURE,
    PANEL,
    TAB,
    WATCH_TASKS,
    code_lines,
    forget_thoughts,
    kept,
    long_thought,
    opened_view,
    part,
    said,
    wait_for_kept,
)
from support.marks import lasting_lines, wait_until_on
from support.sampling import start_sampling, stop_sampling

from tools.browser import EXTENSION, open_browser

from .host import COMPOSER, Host
from .model_server import Reply, bash
from .versions import EVERY, FULL, ON_NEWEST

THOUGHT = long_thought(30_000)
SHORTER = long_thought(12_000)
SHORT = "The user wants the files.\nI list them first."
LENGTH = "≈ 11,000 tokens"
"""What the page says of how long :data:`THOUGHT` is."""

ABOVE_COMPOSER = """
panel => {
  const field = [...document.querySelectorAll("textarea, [contenteditable=true]")].at(-1);
  let card = field;
  for (let around = field; !around.contains(panel); around = around.parentElement)
    if (around.getBoundingClientRect().height) card = around;
  return [panel.getBoundingClientRect().bottom, card.getBoundingClientRect().top];
}
"""
"""The lower edge of the panel, and the upper one of all that holds the field in which one writes."""


@pytest.fixture(autouse=True)
def empty_database(browser: BrowserContext) -> Iterator[None]:
    """No test finds what another one kept."""
    yield
    forget_thoughts(browser)


@pytest.fixture
def long_chat(chat: Page, host: Host) -> Page:
    """A new session, and a model that thinks long."""
    first = Reply(think=SHORT, tools=[bash("ls", "List the files")])
    host.model.script("think long", [first, Reply(think=THOUGHT, text="The answer.", pause=0.003)])
    host.model.script("think shorter", [first, Reply(think=SHORTER, text="The answer.", pause=0.003)])
    host.model.script("think slowly", [first, Reply(think=THOUGHT, text="The answer.", pause=0.03)])
    return chat


def expect_segments(scope: Page | Locator, least: int) -> None:
    """Wait until so many segments are there."""
    expect(part(scope, "segments").locator("li").nth(least - 1)).to_be_attached(timeout=60_000)


def finish_long_thought(page: Page, host: Host, prompt: str = "think long") -> None:
    """Have the model think long, and wait until it has and the page says so."""
    host.send(page, prompt)
    host.wait_for_turn(page, 1)
    expect(page.locator(PANEL)).to_have_attribute("data-thinkfold-state", "done")


def view_of_all(page: Page) -> list[str]:
    """All that the view says, thought by thought, unfolded."""
    view = opened_view(page)
    folded = view.locator("[data-thinkfold-summary-part=thought][aria-expanded=false]")
    while folded.count():
        folded.first.click()
    texts = part(view, "thoughts").locator("> li").all_inner_texts()
    part(view, "close").click()
    return texts


@FULL
def test_the_panel_comes_when_the_thought_is_long_and_is_never_in_the_way(
    long_chat: Page, host: Host, shots: Path
) -> None:
    page, panel = long_chat, long_chat.locator(PANEL)
    page.evaluate(WATCH_TASKS)
    start_sampling(page)
    host.send(page, "think long")
    page.locator(COMPOSER).last.focus()
    page.keyboard.type("typed while it thinks")
    expect(page.locator(MEASURE).first).to_be_attached(timeout=20_000)  # heard, and not long yet
    expect(panel).to_have_count(0)
    panel.wait_for(timeout=60_000)
    tokens = int(part(panel, "counts").inner_text().split("≈ ")[1].split(" ")[0].replace(",", ""))
    assert 2000 <= tokens < 4000
    expect(panel).to_have_attribute("data-thinkfold-state", "running")
    expect(part(panel, "title")).to_have_text("Thinking")
    lower, upper = panel.evaluate(ABOVE_COMPOSER)
    assert lower <= upper
    assert page.evaluate("document.activeElement.matches('textarea, [contenteditable=true]')")
    page.keyboard.type(", and on")
    written = page.locator(COMPOSER).last.evaluate("field => field.value ?? field.innerText")
    assert written.strip() == "typed while it thinks, and on"
    expect_segments(panel, 2)
    page.screenshot(path=shots / f"{host.version}-panel-live.png")
    host.wait_for_turn(page, 1)
    expect(panel).to_have_attribute("data-thinkfold-state", "done")
    expect(part(panel, "title")).to_have_text("Finished thinking")
    expect(part(panel, "counts")).to_contain_text(LENGTH)
    frames = stop_sampling(page)
    print(f"{host.version}: {len(frames)} frames, long tasks {sorted(page.evaluate('longTasks'))}")
    assert not [line for line in code_lines(THOUGHT) if line in panel.inner_text()]
    lower, upper = panel.evaluate(ABOVE_COMPOSER)
    assert lower <= upper


@FULL
def test_the_panel_folds_to_one_line_and_goes_at_the_next_turn(long_chat: Page, host: Host, shots: Path) -> None:
    page, panel = long_chat, long_chat.locator(PANEL)
    finish_long_thought(page, host, "think shorter")
    head, segments = part(panel, "head"), part(panel, "segments").locator("li")
    expect(head).to_have_attribute("aria-expanded", "true")
    page.screenshot(path=shots / f"{host.version}-panel-finished.png")
    for fold in (head.click, lambda: head.press("Enter"), lambda: head.press("Space")):
        was_open = head.get_attribute("aria-expanded") == "true"
        fold()
        expect(head).to_have_attribute("aria-expanded", str(not was_open).lower())
        expect(segments.first).to_be_hidden() if was_open else expect(segments.first).to_be_visible()
    box = panel.bounding_box()
    assert box is not None
    assert box["height"] < 45  # one line and its frame
    page.screenshot(path=shots / f"{host.version}-panel-folded.png")
    host.send(page, "few rounds")
    expect(panel).to_have_count(0)
    host.wait_for_turn(page, 2)
    expect(panel).to_have_count(0)


@FULL
def test_a_thought_that_the_user_stops_is_said_to_have_stopped(long_chat: Page, host: Host) -> None:
    page, panel = long_chat, long_chat.locator(PANEL)
    host.send(page, "think long")
    panel.wait_for(timeout=60_000)
    page.get_by_role("button", name="Stop").last.click()
    expect(panel).to_have_attribute("data-thinkfold-state", "stopped")
    expect(part(panel, "title")).to_have_text("Thinking stopped early")
    view = opened_view(page)
    expect(part(view, "state").first).to_have_text("stopped early")


@EVERY
def test_the_view_has_every_thought_and_leads_to_it(long_chat: Page, host: Host, shots: Path) -> None:
    page = long_chat
    finish_long_thought(page, host, "think shorter")
    host.send(page, "few rounds")
    host.wait_for_turn(page, 2)
    view = opened_view(page)
    expect(part(view, "place")).to_have_text(
        ["Turn 2 · step 4", "Turn 2 · step 2", "Turn 2 · step 1", "Turn 1 · step 2", "Turn 1 · step 1"]
    )
    expect(page.locator("[role=tab][aria-selected=true]").locator("visible=true").last).to_have_text("Thoughts")
    page.screenshot(path=shots / f"{host.version}-view.png")
    long = part(view, "thoughts").locator("> li").nth(3)
    assert not [line for line in code_lines(SHORTER) if line in long.inner_text()]
    long.get_by_role("button", name="Show in chat").click()
    expect(view).to_have_count(0)
    expect(page.locator("[data-thinkfold-box]").first).to_have_attribute("aria-expanded", "true")
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("data-thinkfold-measure", re.compile(r"≈ [34],\d\d0 tokens"))
    expect(focused).to_be_in_viewport()
    page.screenshot(path=shots / f"{host.version}-led-to.png")


@FULL
def test_all_of_it_can_be_copied_saved_and_deleted_for_good(long_chat: Page, host: Host) -> None:
    page = long_chat
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    finish_long_thought(page, host, "think shorter")
    view = opened_view(page)
    summaries = said(view)
    assert len(summaries) >= 2
    view.get_by_role("button", name="Copy as Markdown").click()
    expect(part(view, "note")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("# Summaries of thoughts\n\n## Turn 1 · step 1")
    assert all(f"> {line}" in copied for summary in summaries for line in summary.splitlines())
    saved = {}
    for kind in ("Markdown", "JSON"):
        with page.expect_download() as download:
            view.get_by_role("button", name=f"Save {kind}").click()
        saved[download.value.suggested_filename] = Path(download.value.path()).read_text("utf-8")
    assert saved["thoughts.md"] == copied
    exported = json.loads(saved["thoughts.json"])
    assert [(thought["turn"], thought["step"]) for thought in exported["thoughts"]] == [(1, 1), (1, 2)]
    assert exported["thoughts"][1]["characters"] == len(SHORTER)
    assert [segment["summary"] for segment in exported["thoughts"][1]["segments"]] == summaries
    session = exported["session"]
    wait_for_kept(page.context, session, 2)
    view.get_by_role("button", name="Delete").click()
    assert part(view, "thoughts").locator("> li").count() == 2  # it asks
    view.get_by_role("button", name="Delete all of this chat?").click()
    expect(part(view, "note")).to_have_text("Deleted")
    expect(part(view, "empty")).to_be_visible()
    expect(page.locator(MEASURE)).to_have_count(0)
    expect(page.locator(PANEL)).to_have_count(0)
    page.reload()
    wait_until_on(page)
    expect(page.locator("[data-chat-flow-kind=turn-tail]")).to_have_count(1)
    host.send(page, "few rounds")
    host.wait_for_turn(page, 2)
    wait_for_kept(page.context, session, 4)  # three thoughts of the turn that is new, and that the others are gone
    assert [text.partition("\n")[0] for text in view_of_all(page)] == [
        "Turn 2 · step 4",
        "Turn 2 · step 2",
        "Turn 2 · step 1",
    ]


@FULL
def test_a_reload_in_mid_thought_changes_nothing_of_what_is_told_in_the_end(long_chat: Page, host: Host) -> None:
    page, panel = long_chat, long_chat.locator(PANEL)
    finish_long_thought(page, host)
    undisturbed = [without_time(text) for text in view_of_all(page)]
    host.new_session(page)
    host.send(page, "think long")
    expect_segments(panel, 2)
    page.reload()
    panel.wait_for(timeout=60_000)  # what was thought before the page came is made up for
    expect(panel).to_have_attribute("data-thinkfold-state", "running")
    host.wait_for_turn(page, 1)
    expect(panel).to_have_attribute("data-thinkfold-state", "done")
    assert [without_time(text) for text in view_of_all(page)] == undisturbed


def without_time(text: str) -> str:
    """What the view says of a thought, without how long it took."""
    return re.sub(r"\d+s · ", "", text)


@FULL
def test_each_session_has_its_own_also_after_a_switch_and_back(long_chat: Page, host: Host) -> None:
    page, panel = long_chat, long_chat.locator(PANEL)
    host.model.title = "The long chat"
    finish_long_thought(page, host, "think shorter")
    expect(page.get_by_text("The long chat").first).to_be_visible()
    told = view_of_all(page)
    host.model.title = "The other chat"
    host.new_session(page)
    expect(panel).to_have_count(0)
    host.send(page, "few rounds")
    host.wait_for_turn(page, 1)
    expect(page.get_by_text("The other chat").first).to_be_visible()
    view = opened_view(page)
    expect(part(view, "place")).to_have_text(["Turn 1 · step 4", "Turn 1 · step 2", "Turn 1 · step 1"])
    page.get_by_text("The long chat").first.click()
    expect(page.locator("[data-chat-flow-kind=user]")).to_contain_text("think shorter")
    expect(page.locator("[data-thinkfold-box] [data-thinkfold-part=title]")).to_contain_text("tokens")
    expect(view).to_have_count(0) if not view.count() else expect(part(view, "place")).to_have_count(2)
    if view.count():
        part(view, "close").click()
    assert view_of_all(page) == told
    host.model.title = "A scripted chat"


@FULL
def test_the_view_opens_from_the_host_s_other_views_too(long_chat: Page, host: Host) -> None:
    page = long_chat
    finish_long_thought(page, host, "think shorter")
    page.get_by_role("tab", name="Trajectory").click()
    expect(page.locator("[data-chat-flow]")).to_have_count(0)
    view = opened_view(page)
    expect(part(view, "place")).to_have_count(2)
    page.get_by_role("tab", name="Trajectory").click()
    expect(view).to_have_count(0)
    expect(page.locator(TAB)).to_have_attribute("aria-selected", "false")
    expect(page.locator("[data-chat-flow]")).to_have_count(0)


@FULL
def test_axe_finds_nothing_new_with_the_panel_and_the_view(long_chat: Page, host: Host) -> None:
    page = long_chat
    finish_long_thought(page, host, "think shorter")
    with_panel = violations(page)
    opened_view(page)
    with_view = violations(page)
    choose(page.context, enabled=False)
    expect(page.locator("html[data-thinkfold]")).to_have_count(0)
    bare = violations(page)
    assert with_panel - bare == {}
    assert with_view - bare == {}


@FULL
def test_switched_off_and_on_again_it_goes_on(long_chat: Page, host: Host) -> None:
    page = long_chat
    host.send(page, "few rounds")
    host.wait_for_turn(page, 1)
    choose(page.context, enabled=False)
    expect(page.locator("html[data-thinkfold]")).to_have_count(0)
    host.send(page, "think shorter")
    page.wait_for_timeout(1000)  # the beginning of the thought is not heard
    choose(page.context, enabled=True)
    host.wait_for_turn(page, 2)
    view = opened_view(page)
    expect(part(view, "place").first).to_have_text("Turn 2 · step 2")
    expect(part(view, "measure").first).to_contain_text("≈ 3,850 tokens")
    expect(part(view, "place").last).to_have_text("Turn 1 · step 1")


@ON_NEWEST
def test_it_is_kept_when_the_browser_is_closed(playwright: Playwright, host: Host, tmp_path: Path) -> None:
    host.model.script("think long", [Reply(think=SHORTER, text="The answer.")])
    with open_browser(playwright, profile=tmp_path) as browser:
        page = browser.new_page()
        host.open(page)
        wait_until_on(page)
        host.new_session(page)
        host.send(page, "think long")
        host.wait_for_turn(page, 1)
        wait_for_kept(browser, "session-", 1)
        (key,) = kept(browser)
    with open_browser(playwright, profile=tmp_path) as browser:
        assert kept(browser) == [key]
        (body,) = worker_of(browser).evaluate("session => answers.load({session})", key.split("/")[0])
        assert json.loads(body)["characters"] == len(SHORTER)


@FULL
def test_without_the_tap_all_else_works_and_the_view_says_why_it_is_empty(
    playwright: Playwright, host: Host, tmp_path: Path, shots: Path
) -> None:
    shutil.copytree(EXTENSION, tmp_path / "extension")
    manifest = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    manifest["content_scripts"][1]["js"].remove("tap.js")
    (tmp_path / "extension" / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with open_browser(playwright, folder=tmp_path / "extension", viewport={"width": 1280, "height": 900}) as browser:
        page = browser.new_page()
        host.open(page)
        wait_until_on(page)
        host.new_session(page)
        host.model.script("think long", [Reply(think=SHORT, tools=[bash("ls", "L")]), Reply(think=SHORTER, text="So.")])
        host.send(page, "think long")
        host.wait_for_turn(page, 1)
        shown = [line for line in lasting_lines(page) if line.startswith(("box", "think", "tool", "text"))]
        assert len(shown) == 2
        assert shown[0].startswith("box: Think")
        assert shown[1] == "text: So."
        expect(page.locator(f"{PANEL}, {MEASURE}")).to_have_count(0)
        view = opened_view(page)
        expect(part(view, "empty")).to_contain_text("reload it")
        page.screenshot(path=shots / f"{host.version}-view-empty.png")


ANOTHER_WRAPPER = """
(() => {
  window.seen = {frames: 0, replies: 0, problems: []};
  const check = (name, isRight) => isRight || seen.problems.push(name);
  check("WebSocket.name", WebSocket.name === "WebSocket");
  check("WebSocket.length", WebSocket.length === 1);
  check("WebSocket.OPEN", WebSocket.OPEN === 1);
  check("prototype.constructor", WebSocket.prototype.constructor === WebSocket);
  check("constructor is hidden", !Object.keys(WebSocket.prototype).includes("constructor"));
  check("fetch.name", fetch.name === "fetch");
  check("fetch.length", fetch.length === 1);
  check("fetch is native", String(fetch).includes("[native code]"));
  check("WebSocket is native", String(WebSocket).includes("[native code]"));
  try {
    WebSocket("ws://x/");
  } catch (error) {
    check("WebSocket wants new", error.name === "TypeError");
  }
  const Native = WebSocket;
  window.WebSocket = class WebSocket extends Native {
    constructor(...args) {
      super(...args);
      check("instanceof the wrapper", this instanceof window.WebSocket);
      check("instanceof the native", this instanceof Native);
      check("its constructor", this.constructor === window.WebSocket);
      this.addEventListener("message", () => { seen.frames += 1; });
    }
  };
  const native = window.fetch;
  window.fetch = async function (...args) {
    const reply = await native.apply(this, args);
    seen.replies += 1;
    return reply;
  };
})();
"""
ODD_CALLS = """
async () => {
  const kind = (promise) => promise.then(() => "reply", (error) => error.name);
  return Promise.all([kind(fetch("/", null)), kind(fetch(new URL("/", location.href))), kind(fetch(new Request("/"))),
    kind(fetch()), kind(fetch("http://[")), kind(fetch("/api/session/page", {body: "x"}))]);
}
"""


@FULL
def test_a_page_that_wraps_socket_and_fetch_itself_sees_what_it_would_see(host: Host, page: Page) -> None:
    page.add_init_script(ANOTHER_WRAPPER)
    host.open(page)
    wait_until_on(page)
    host.new_session(page)
    host.model.script("think long", [Reply(think=SHORTER, text="The answer.", pause=0.003)])
    host.send(page, "think long")
    page.locator(PANEL).wait_for(timeout=60_000)
    host.wait_for_turn(page, 1)
    seen = page.evaluate("seen")
    assert seen["problems"] == []
    assert seen["frames"] > 100
    assert seen["replies"] > 0
    assert page.evaluate(ODD_CALLS) == ["reply", "reply", "reply", "TypeError", "TypeError", "TypeError"]


@FULL
def test_the_model_is_asked_for_its_own_summaries_only_while_the_user_wants_it(
    chat: Page, browser: BrowserContext, host: Host
) -> None:
    asked = "[Thought summary]"
    think = f"{'Words about the cache. ' * 400}\n【思考小结】缓存的键缺少租户。\n{'And some more of them. ' * 40}"
    host.model.script("have it asked", [Reply(think=think, text="Asked.")])
    host.model.script("leave it alone", [Reply(text="Not asked.")])

    choose(browser, ownSummaries="prompt")
    chat.wait_for_timeout(500)
    host.send(chat, "have it asked")
    host.wait_for_turn(chat, 1)
    message = chat.locator("[data-chat-flow-kind=user]").last
    expect(message).to_contain_text("have it asked")
    expect(message).to_contain_text(asked)  # in the user's own message, where one sees it
    expect(part(chat.locator(PANEL), "own")).to_have_text("缓存的键缺少租户。")

    choose(browser, ownSummaries="off")
    chat.wait_for_timeout(500)  # nothing on the page says that a setting has arrived
    host.send(chat, "leave it alone")
    host.wait_for_turn(chat, 2)
    expect(message).to_contain_text("leave it alone")
    expect(message).not_to_contain_text(asked)
    sent = [json.dumps(request["messages"], ensure_ascii=False) for request in host.model.requests]
    assert sum("have it asked" in each and asked in each for each in sent) >= 1
