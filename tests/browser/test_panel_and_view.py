"""The panel and the view of long thoughts on the demo page, which hear what ``tap.js`` would copy of a host."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Locator, Page, Playwright, expect
from support.accessibility import violations
from support.extension import choose
from support.long_thoughts import (
    MEASURE,
    PANEL,
    TAB,
    VIEW,
    forget_thoughts,
    kept,
    long_thought,
    opened_view,
    part,
    said,
    wait_for_kept,
)
from support.marks import marks_left
from test_languages import text as word

from tools.browser import extension_id, open_browser

SESSION = "session-1"
LONG = long_thought(12_000)
HOSTILE = """<img src=x onerror="window.hacked = true"><script>window.hacked = true</script> [a](javascript:b()).
So the answer is \u202egnorw\u202c, and <b>not bold</b>. Therefore \u2066the rest\u2069 stays as it is."""


DRAWN = f"{VIEW} [data-thinkfold-summary-part=thoughts] > li"
CLICK_AND_COUNT = """
([clicked, counted]) => {
  document.querySelector(clicked).click();
  return document.querySelectorAll(counted).length;
}
"""


class Tap:
    """Says to the page what ``tap.js`` would have copied of DSH 0.1.0, whose frames are the simplest."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.page = chat.page
        self._seq = 0

    def _event(self, kind: str, **data: object) -> dict[str, object]:
        self._seq += 1
        return {"type": kind, "seq": self._seq, "time": 1_000_000 + 100 * self._seq, "data": data}

    def _deliver(self, records: Sequence[str]) -> None:
        detail = json.dumps("\x1e\x1e".join(records))
        self.page.evaluate(f"document.dispatchEvent(new CustomEvent('thinkfold-records', {{detail: {detail}}}))")

    def _frames(self, *events: dict[str, object]) -> None:
        frames = [{"method": "session/event", "payload": {"sessionId": SESSION, "event": each}} for each in events]
        self._deliver([f"f{json.dumps(frame)}" for frame in frames])

    def user(self, message: str) -> None:
        self._frames(self._event("user/message", id=message))

    def think(self, turn: int, step: int, text: str) -> None:
        """A piece of a thought that goes on."""
        chunk = {"type": "reasoning-delta", "index": 0, "text": text}
        self._frames(self._event("assistant/chunk", turn=turn, step=step, chunk=chunk))

    def thought(self, turn: int, step: int, text: str) -> None:
        """A thought that is done."""
        self._frames(self._message(turn, step, text))

    def _message(self, turn: int, step: int, text: str) -> dict[str, object]:
        message = {"content": [{"type": "reasoning", "text": text}, {"type": "text", "text": "Done."}]}
        return self._event("assistant/message", turn=turn, step=step, message=message)

    def history(self, turns: int) -> None:
        """The reply with a thought in each of so many turns."""
        events = [{"event": self._message(number, 1, f"Thought {number}. So it is.")} for number in range(1, turns + 1)]
        reply = {"result": {"value": {"events": events}}}
        self._deliver([f"r{json.dumps({'payload': {'sessionId': SESSION}})}\x1e{json.dumps(reply)}"])


@pytest.fixture
def tap(chat: Chat, browser: BrowserContext) -> Iterator[Tap]:
    """A chat of one turn, whose session the page has heard of."""
    chat.apply(*turn(1))
    heard = Tap(chat)
    heard.user("u1")
    yield heard
    forget_thoughts(browser)


@pytest.fixture
def thinking(tap: Tap) -> Page:
    """The page while a long thought is written."""
    tap.think(1, 3, LONG)
    part(tap.page.locator(PANEL), "segments").locator("li").nth(1).wait_for()
    return tap.page


def items(view: Locator) -> Locator:
    """The thoughts that the view lists."""
    return part(view, "thoughts").locator("> li")


def faults(page: Page) -> Counter[str]:
    """What axe finds, but for the contrast: the demo's faint colour is fainter than the host's."""
    found = violations(page)
    del found["color-contrast"]
    return found


def test_a_thousand_thoughts_are_listed_a_stretch_at_a_time(tap: Tap) -> None:
    started = tap.page.evaluate("performance.now()")
    tap.history(1000)
    wait_for_kept(tap.page.context, SESSION, 1000)
    print("a thousand thoughts heard and kept:", round(tap.page.evaluate("performance.now()") - started), "ms")
    started = tap.page.evaluate("performance.now()")
    drawn_at_once = tap.page.evaluate(CLICK_AND_COUNT, [TAB, DRAWN])
    view = tap.page.locator(VIEW)
    assert 0 < drawn_at_once < 100
    expect(part(view, "count")).to_have_text("1,000 thoughts")
    tap.page.wait_for_function("selector => document.querySelectorAll(selector).length === 1000", arg=DRAWN)
    print("a thousand thoughts drawn:", round(tap.page.evaluate("performance.now()") - started), "ms")
    expect(part(view, "place").first).to_have_text("Turn 1,000 · step 1")
    items(view).last.scroll_into_view_if_needed()
    expect(items(view).last).to_be_in_viewport()
    items(view).last.locator("button").first.click()
    expect(part(items(view).last, "said")).to_contain_text("Thought 1.")
    tap.thought(1001, 1, "One more.")  # what is new comes without the rest being drawn anew
    expect(items(view)).to_have_count(1001)
    expect(part(view, "place").first).to_have_text("Turn 1,001 · step 1")
    expect(items(view).last).to_be_in_viewport()
    expect(part(items(view).last, "said")).to_be_visible()


def test_what_a_model_wrote_is_text_and_nothing_else(tap: Tap) -> None:
    page = tap.page
    choose(page.context, ownSummaries="capture")
    page.wait_for_timeout(300)
    tap.think(1, 3, f"{HOSTILE}\n\n" * 60)
    page.locator(PANEL).wait_for()
    tap.think(1, 3, "word" * 25_000)
    tap.think(1, 3, "\n\n[Thought summary] <img src=x onerror='window.hacked = true'>It holds.\n\n")
    tap.thought(1, 3, f"{HOSTILE}\n\n" * 60 + "word" * 25_000 + "\n\n[Thought summary] <img src=x>It holds.\n\n")
    view = opened_view(page)
    expect(items(view)).to_have_count(1)
    for shown in (page.locator(PANEL), view):
        assert any("gnorw" in each or "onerror" in each for each in said(shown)), said(shown)
        expect(part(shown, "own")).to_contain_text("<img src=x>It holds.")
        assert shown.locator("*:not([data-thinkfold-summary-part], li)").count() == 0
        widths = shown.evaluate("e => [e, ...e.querySelectorAll('*')].map(e => e.scrollWidth - e.clientWidth)")
        assert max(widths) <= 1
    assert page.evaluate("window.hacked") is None
    expect(page.locator("html[data-thinkfold=on]")).to_be_attached()


def test_axe_finds_nothing_new_with_the_panel_and_the_view(thinking: Page) -> None:
    with_panel = faults(thinking)
    opened_view(thinking)
    with_view = faults(thinking)
    choose(thinking.context, enabled=False)
    expect(thinking.locator("html[data-thinkfold]")).to_have_count(0)
    bare = faults(thinking)
    assert with_panel - bare == {}
    assert with_view - bare == {}


def test_all_of_it_can_be_done_by_keyboard(thinking: Page) -> None:
    view = thinking.locator(VIEW)
    thinking.locator(TAB).focus()
    thinking.keyboard.press("Enter")
    expect(view).to_be_focused()
    thinking.keyboard.press("Tab")
    seen = []
    for _ in range(12):
        focused = thinking.evaluate(
            f"document.activeElement.closest('{VIEW}') && document.activeElement.textContent.slice(0, 20)"
        )
        if focused is None:
            break
        seen.append(focused)
        thinking.keyboard.press("Tab")
    assert seen[:2] == ["×", "Copy as Markdown"]
    assert "Show in chat" in seen
    assert not thinking.evaluate("document.activeElement.closest('[data-conversation-scroll]')")  # not what it covers
    view.focus()
    thinking.keyboard.press("Escape")
    expect(view).to_have_count(0)
    expect(thinking.locator(TAB)).to_be_focused()
    panel = thinking.locator(PANEL)
    part(panel, "close").press("Enter")
    expect(panel).to_have_count(0)


@pytest.mark.parametrize("width", [320, 360, 1280])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_panel_and_view_fit_the_window(thinking: Page, width: int, direction: str, shots: Path) -> None:
    thinking.set_viewport_size({"width": width, "height": 780})
    thinking.evaluate(f"document.documentElement.dir = '{direction}'")
    panel = thinking.locator(PANEL)
    for name in ("panel", "view"):
        shown = panel if name == "panel" else opened_view(thinking)
        edges = shown.evaluate(
            "e => [e, ...e.querySelectorAll('*')].filter(e => e.getClientRects().length)"
            ".map(e => e.getBoundingClientRect()).map(({left, right}) => [left, right])"
        )
        assert min(left for left, _ in edges) >= 0
        assert max(right for _, right in edges) <= width
        for item in part(shown, "segments").locator("> li").all():  # the words stand clear of the number
            line, words = item.bounding_box(), part(item, "said").bounding_box()
            assert line and words
            start = (
                words["x"] - line["x"]
                if direction == "ltr"
                else line["x"] + line["width"] - words["x"] - words["width"]
            )
            assert start >= 30
        thinking.screenshot(path=shots / f"demo-{name}-{width}-{direction}.png")


def test_dark_forced_colours_and_little_motion(thinking: Page, shots: Path) -> None:
    dot = part(thinking.locator(PANEL), "dot")
    assert dot.evaluate("e => getComputedStyle(e).animationName") == "thinkfold-breathe"
    thinking.emulate_media(reduced_motion="reduce", color_scheme="dark")
    assert dot.evaluate("e => getComputedStyle(e).animationName") == "none"
    thinking.screenshot(path=shots / "demo-panel-dark.png")
    view = opened_view(thinking)
    thinking.screenshot(path=shots / "demo-view-dark.png")
    part(view, "close").click()
    thinking.emulate_media(forced_colors="active", color_scheme="light")
    text = thinking.evaluate("getComputedStyle(document.body).color")
    assert thinking.locator(PANEL).evaluate("e => getComputedStyle(e).borderTopColor") == text
    assert dot.evaluate("e => getComputedStyle(e).backgroundColor") == text
    opened_view(thinking)
    chevron = part(thinking.locator(VIEW), "chevron").first
    assert chevron.evaluate("e => getComputedStyle(e).borderBottomColor") == text
    thinking.screenshot(path=shots / "demo-view-forced-colours.png")


def test_they_speak_another_language_at_once(thinking: Page) -> None:
    view = opened_view(thinking)
    for language in ("zh", "de", "en"):
        choose(thinking.context, language=language)
        expect(thinking.locator(TAB)).to_have_text(word(language, "summariesTab"))
        expect(part(view, "name")).to_have_text(word(language, "summariesTitle"))
        expect(part(view, "state").first).to_have_text(word(language, "thoughtRunning"))
        expect(part(thinking.locator(PANEL), "title")).to_have_text(word(language, "panelThinking"))
        size = re.escape(word(language, "tokens_other")).replace(r"\$COUNT\$", "[\\d., ]+")
        expect(part(view, "size").first).to_have_text(re.compile(size))


def test_off_takes_all_of_it_away_and_on_goes_on(thinking: Page, tap: Tap) -> None:
    tap.thought(1, 2, "A thought before.")
    opened_view(thinking)
    choose(thinking.context, enabled=False)
    expect(thinking.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(thinking) == []
    assert thinking.locator("[inert]").count() == 0
    choose(thinking.context, enabled=True)
    expect(thinking.locator(TAB)).to_have_count(1)
    tap.thought(1, 3, LONG)
    expect(part(opened_view(thinking), "place")).to_have_text(["Turn 1 · step 3", "Turn 1 · step 2"])
    choose(thinking.context, summaries=False)
    expect(thinking.locator(f"{TAB}, {PANEL}, {VIEW}")).to_have_count(0)


def test_a_full_storage_is_said_in_the_popup_and_all_else_goes_on(
    playwright: Playwright, demo_url: str, popup_url: str
) -> None:
    quota = {"origin": f"chrome-extension://{extension_id()}"}  # without a size it is the browser's own
    with open_browser(playwright) as browser:  # fresh: it remembers for a while how much room there was
        chat = Chat(browser.new_page(), demo_url)
        chat.apply(*turn(1))
        storage = browser.new_cdp_session(chat.page)
        storage.send("Storage.overrideQuotaForOrigin", {**quota, "quotaSize": 1})
        tap = Tap(chat)
        tap.user("u1")
        tap.thought(1, 1, LONG)
        with opened_popup(chat, popup_url) as popup:
            said_in_popup = popup.get_by_role("status")
            expect(said_in_popup).to_contain_text("storage is full or failed (QuotaExceededError)")
            assert kept(browser) == []
            expect(items(opened_view(chat.page))).to_have_count(1)
            storage.send("Storage.overrideQuotaForOrigin", quota)
            tap.thought(1, 2, "There is room again.")
            wait_for_kept(browser, SESSION, 1)
            expect(said_in_popup).not_to_contain_text("storage")


def test_with_zero_days_nothing_is_kept(tap: Tap, browser: BrowserContext) -> None:
    choose(browser, keepSummariesDays=0)
    tap.page.wait_for_timeout(300)
    tap.thought(1, 1, LONG)
    expect(tap.page.locator(MEASURE)).to_have_count(1)
    tap.page.wait_for_timeout(2500)  # it is kept a second after it is known
    assert kept(browser) == []


def test_above_the_chosen_number_the_oldest_go(tap: Tap, browser: BrowserContext) -> None:
    choose(browser, keptThoughts=10)
    tap.page.wait_for_timeout(300)
    tap.thought(1, 1, "The oldest.")
    wait_for_kept(browser, SESSION, 1)
    for number in range(2, 13):
        tap.thought(1, number, f"Number {number}.")
    wait_for_kept(browser, SESSION, 10)
    assert f"{SESSION}/1/1/0" not in kept(browser)
    assert f"{SESSION}/1/12/0" in kept(browser)
