"""Refinement in the real extension: a thought streams into the page, a real server on this machine sums it up."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Chat
from playwright.sync_api import BrowserContext, Locator, Page, expect
from support.chat_server import ANSWER, ChatServer, Dialect
from support.extension import choose, heap_of, worker_of

from tools.browser import EXTENSION, extension_id

ENGLISH = json.loads((EXTENSION / "_locales" / "en" / "messages.json").read_text("utf-8"))
OPTIONS = f"chrome-extension://{extension_id()}/options.html"
PARAGRAPH = (
    "The user wants to know why the export fails for some customers. The log shows a timeout right before the error, "
    "so the retry is what I look at next, and in particular what it does with the arguments of the first call.\n\n"
)
LONG = PARAGRAPH * 50  # about 2,300 tokens: one piece that is cut while it streams, and a rest


def text(key: str, *arguments: str) -> str:
    entry = ENGLISH[key]
    said = str(entry["message"])
    for name, place in entry.get("placeholders", {}).items():
        said = said.replace(f"${name.upper()}$", arguments[int(place["content"][1:]) - 1])
    return said


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer("ollama") as started:
        yield started


class Model:
    """What the model of a chat session thinks, told to the page as ``tap.js`` tells it."""

    def __init__(self, page: Page, session: str = "session-1") -> None:
        self.page = page
        self.session = session
        self._seq = 0
        page.evaluate("session => document.body.setAttribute('data-conversation-session', session)", session)

    def think(self, words: str, turn: int = 1) -> None:
        """Begin a step with a thought."""
        self._tell(
            ("step/start", {"turn": turn, "step": 1}),
            self._chunk(turn, {"type": "block-start", "index": 0, "blockType": "reasoning"}),
            *(
                self._chunk(turn, {"type": "reasoning-delta", "index": 0, "text": words[at : at + 500]})
                for at in range(0, len(words), 500)
            ),
        )

    def finish(self, *thoughts: str, turn: int = 1) -> None:
        """Give the finished messages of this turn and the next, all at once."""
        messages = []
        for number, words in enumerate(thoughts, turn):
            content = [{"type": "reasoning", "text": words}, {"type": "text", "text": "Done."}]
            messages.append(("assistant/message", {"turn": number, "step": 1, "message": {"content": content}}))
        self._tell(*messages)

    def end(self, reason: str, turn: int = 1) -> None:
        self._tell(("turn/end", {"turn": turn, "reason": {"kind": reason}}))

    def _chunk(self, turn: int, chunk: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return "assistant/chunk", {"turn": turn, "step": 1, "chunk": chunk}

    def _tell(self, *events: tuple[str, dict[str, Any]]) -> None:
        frames = []
        for kind, data in events:
            self._seq += 1
            event = {"type": kind, "seq": self._seq, "time": 1_796_050_000_000 + self._seq * 10, "data": data}
            payload = {"sessionId": self.session, "event": event}
            frames.append(f"f{json.dumps({'method': 'session/event', 'payload': payload})}")
        deliver = "detail => document.dispatchEvent(new CustomEvent('thinkfold-records', { detail }))"
        self.page.evaluate(deliver, "\x1e\x1e".join(frames))


@pytest.fixture
def chat(page: Page, demo_url: str) -> Chat:
    return Chat(page, demo_url, "0.1")


@pytest.fixture
def model(chat: Chat) -> Model:
    return Model(chat.page)


def pieces(page: Page) -> Locator:
    return page.locator("[data-thinkfold-panel] ol li")


def in_view(page: Page) -> Locator:
    return page.locator("[data-thinkfold-summaries] [data-thinkfold-summary-part=segments] li")


def expect_refined(page: Page, place: int, words: str = ANSWER) -> None:
    expect(pieces(page).nth(place)).to_contain_text(words, timeout=20_000)
    expect(pieces(page).nth(place)).to_contain_text("refined, ≈ 230 tokens")


def expect_unrefined(page: Page, place: int, key: str, *arguments: str) -> None:
    """The piece has its own summary, and says why it has no better one."""
    expect(pieces(page).nth(place)).to_contain_text(text("segmentUnrefined", text(key, *arguments)), timeout=20_000)
    expect(pieces(page).nth(place)).to_contain_text("why the export fails")


# -- the chat ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "chosen"), [("deepseek", "deepseek-chat"), ("openai", "gpt-5-nano"), ("ollama", "qwen2.5:0.5b")]
)
def test_a_long_thought_is_refined_while_it_streams(
    browser: BrowserContext, model: Model, dialect: Dialect, chosen: str
) -> None:
    with ChatServer(dialect, key="sk-test") as server:
        choose(browser, refineAddress=server.address, refineKey="sk-test")
        model.think(LONG)
        expect_refined(model.page, 0)
        model.finish(LONG)
        model.end("completed")
        expect_refined(model.page, 1)
        asked = server.chats[-1]
        assert asked.body is not None and asked.body["model"] == chosen
        assert server.most_at_once == 1
        assert asked.headers["authorization"] == "Bearer sk-test"
        assert not {"cookie", "referer"} & asked.headers.keys()
        assert asked.body["messages"][1]["content"].startswith("The user wants to know")
        assert "\n[…]\n" in server.chats[0 if dialect != "openai" else 1].body["messages"][1]["content"]  # type: ignore[index]


OUTCOMES = {
    "a slow trickle": None,
    "the wrong content type": None,
    "401": ("refineFailedKey",),
    "500": ("refineFailedStatus", "500", "out of memory"),
    "broken JSON": ("refineFailedUnreadable",),
    "HTML": ("refineFailedUnreadable",),
    "closes in the middle": ("refineFailedIncomplete",),
    "thinking without end": ("refineFailedBudget", "1024"),
    "only thinking": ("refineFailedBudget", "1024"),
    "redirects elsewhere": ("refineFailedRedirect",),
    "a huge line": ("refineFailedUnreadable",),
    "an error in the stream": ("refineFailedServer", "model runner has unexpectedly stopped"),
    "429 for an hour": ("refineFailedBusy",),
}


@pytest.mark.parametrize("behaviour", OUTCOMES)
def test_whatever_a_server_does_the_piece_has_a_summary_and_a_reason(
    browser: BrowserContext, model: Model, server: ChatServer, behaviour: str
) -> None:
    with ChatServer() as elsewhere:
        server.elsewhere = elsewhere.address
        server.behave(behaviour)
        choose(browser, refineAddress=server.address, refineKey="sk-test")
        model.think(LONG)
        outcome = OUTCOMES[behaviour]
        if outcome is None:
            expect_refined(model.page, 0)
        else:
            expect_unrefined(model.page, 0, *outcome)
        assert elsewhere.questions == []  # the key goes nowhere else


def test_output_without_end_is_left_and_its_start_is_shown(
    browser: BrowserContext, model: Model, server: ChatServer
) -> None:
    server.behave("output without end")
    choose(browser, refineAddress=server.address)
    model.think(LONG)
    expect(pieces(model.page).first).to_contain_text(re.compile("and on and on.*…"), timeout=20_000)
    assert server.ended.wait(20)


@pytest.mark.parametrize("first", ["500", "429 for a second"])
def test_a_server_that_fails_once_is_asked_once_more(
    browser: BrowserContext, model: Model, server: ChatServer, first: str
) -> None:
    server.behave(first, "well")
    choose(browser, refineAddress=server.address)
    model.think(LONG)
    expect_refined(model.page, 0)
    assert len(server.chats) == 2


def test_a_server_that_is_not_there(browser: BrowserContext, model: Model) -> None:
    with ChatServer() as server:
        address = server.address
    choose(browser, refineAddress=address)
    model.think(LONG)
    expect_unrefined(model.page, 0, "refineFailedNetwork")


def test_ollama_that_was_not_told_to_allow_extensions(
    browser: BrowserContext, model: Model, server: ChatServer
) -> None:
    server.allows_extensions = False
    choose(browser, refineAddress=server.address, refineModel="qwen2.5:0.5b")
    model.think(LONG)
    expect_unrefined(model.page, 0, "refineFailedForbidden")


def test_an_address_that_the_browser_was_not_allowed_to_call_is_not_called(
    browser: BrowserContext, model: Model
) -> None:
    choose(browser, refineAddress="https://models.example/v1")
    model.think(LONG)
    expect_unrefined(model.page, 0, "refineFailedPermission")


def test_a_thought_that_the_user_stops_ends_its_own_question_and_no_other(
    browser: BrowserContext, model: Model, server: ChatServer
) -> None:
    server.behave("hangs in the middle", "well")
    choose(browser, refineAddress=server.address)
    model.think(LONG)
    expect(pieces(model.page)).to_have_count(1, timeout=20_000)
    wait_until_asked(server, 1)
    model.end("cancelled")
    model.think(LONG, turn=2)
    expect_refined(model.page, 0)
    server.let_go()
    assert server.ended.wait(20)  # the first connection was closed from our side
    assert len(server.chats) == 2


def test_a_thought_goes_on_when_a_thought_of_another_session_is_stopped(
    browser: BrowserContext, model: Model, server: ChatServer
) -> None:
    server.behave("slow headers", "well")
    choose(browser, refineAddress=server.address)
    model.think(LONG)
    wait_until_asked(server, 1)
    other = Model(model.page, "session-2")
    other.think(LONG)
    other.end("cancelled")
    model.page.evaluate("document.body.setAttribute('data-conversation-session', 'session-1')")
    model.finish(LONG)
    server.let_go()
    model.page.locator("[data-thinkfold-summaries-tab]").click()
    expect(in_view(model.page)).to_contain_text([ANSWER, ANSWER], timeout=20_000)
    assert (len(server.chats), server.ended.is_set()) == (2, False)


def test_two_tabs_ask_one_after_the_other(
    browser: BrowserContext, model: Model, server: ChatServer, demo_url: str
) -> None:
    server.behave("slow headers", "well")
    choose(browser, refineAddress=server.address, refineModel="qwen2.5:0.5b")
    second = Model(Chat(browser.new_page(), demo_url, "0.1").page, "session-2")
    model.think(LONG)
    wait_until_asked(server, 1)
    second.think(LONG)
    expect(pieces(second.page)).to_have_count(1, timeout=20_000)
    server.let_go()
    expect_refined(model.page, 0)
    expect_refined(second.page, 0)
    second.page.close()
    assert (len(server.chats), server.most_at_once) == (2, 1)


def test_of_the_history_the_newest_thought_is_refined_first(
    browser: BrowserContext, model: Model, server: ChatServer
) -> None:
    choose(browser, refineAddress=server.address)
    model.finish(f"Turn 1. {LONG}", f"Turn 2. {LONG}")
    wait_until_asked(server, 4)
    starts = [str(each.body["messages"][1]["content"])[:7] for each in server.chats if each.body]
    assert starts[0] == "Turn 2."
    assert starts.index("Turn 1.") == 2


def test_a_refined_summary_is_kept_across_a_reload(
    browser: BrowserContext, model: Model, server: ChatServer, demo_url: str
) -> None:
    choose(browser, refineAddress=server.address)
    model.think(LONG)
    model.finish(LONG)
    expect_refined(model.page, 1)
    kept = "answers.load({ session: 'session-1' })"
    wait_until(lambda: str(worker_of(browser).evaluate(kept)).count("which drops the arguments") == 2)
    again = Model(Chat(model.page, demo_url, "0.1").page)
    again.finish(LONG)
    again.page.locator("[data-thinkfold-summaries-tab]").click()
    expect(in_view(again.page)).to_contain_text([ANSWER, ANSWER])
    assert len(server.chats) == 2


def test_nothing_is_asked_without_an_address_or_when_it_is_switched_off(
    browser: BrowserContext, model: Model, server: ChatServer
) -> None:
    model.think(LONG)
    expect(pieces(model.page)).to_have_count(1, timeout=20_000)
    choose(browser, refineAddress=server.address, refine=False)
    model.think(LONG, turn=2)
    expect(pieces(model.page)).to_have_count(1, timeout=20_000)
    expect(pieces(model.page).first).not_to_contain_text("refined")
    assert server.questions == []


def wait_until(condition: Any) -> None:
    """Wait for something outside a page."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def wait_until_asked(server: ChatServer, times: int) -> None:
    wait_until(lambda: len(server.chats) >= times)


def test_the_page_of_a_chat_never_has_the_key(browser: BrowserContext, model: Model, server: ChatServer) -> None:
    server.key = "sk-test-of-one-user"
    choose(browser, refineAddress=server.address, refineKey=server.key, refineModel="qwen2.5:0.5b")
    model.think(LONG)
    expect_refined(model.page, 0)
    held = heap_of(model.page)
    assert server.address in held
    assert "sk-test-of-one-user" not in held


# -- the options page ----------------------------------------------------------------------------------


@pytest.fixture
def options(page: Page) -> Page:
    page.goto(OPTIONS)
    expect(page.locator("#settings")).to_have_attribute("aria-busy", "false", timeout=20_000)
    return page


def give(options: Page, name: str, value: str) -> None:
    options.locator(f"#{name}").fill(value)
    options.locator(f"#{name}").press("Tab")


@pytest.mark.parametrize("dialect", ["deepseek", "openai", "ollama"])
def test_the_test_says_which_model_answered_what_and_how_fast(options: Page, dialect: Dialect) -> None:
    with ChatServer(dialect, key="sk-test") as server:
        give(options, "refineKey", "sk-test")
        give(options, "refineAddress", server.address)
        options.get_by_role("button", name=text("refineTest"), exact=True).click()
        said = options.locator("#refine-said")
        expect(said).to_have_text(re.compile(rf"Answered in [\d,]+ ms: “{re.escape(ANSWER)}”"), timeout=20_000)
        assert server.chats[-1].body is not None
        expect(said).to_contain_text(server.chats[-1].body["model"])


@pytest.mark.parametrize("behaviour", ["401", "500", "HTML", "only thinking", "429 for an hour", "a huge line"])
def test_the_test_says_in_words_what_is_wrong(options: Page, server: ChatServer, behaviour: str) -> None:
    server.behave(behaviour)
    outcome = OUTCOMES[behaviour]
    assert outcome is not None
    give(options, "refineAddress", server.address)
    options.locator("#refine-test").click()
    expect(options.locator("#refine-said")).to_have_text(
        f"{text('refineChosenSize', 'qwen2.5:0.5b', '0.5b')} {text(*outcome)}", timeout=20_000
    )


def test_the_test_without_an_address_says_so(options: Page) -> None:
    options.locator("#refine-test").click()
    expect(options.locator("#refine-said")).to_have_text(text("refineFailedAddress"))


def stored(browser: BrowserContext) -> dict[str, Any]:
    found: dict[str, Any] = worker_of(browser).evaluate("chrome.storage.local.get(null)")
    return found


ANSWERS = """
answer => {
    globalThis.asked = [];
    chrome.permissions.request = async (which) => (asked.push(["request", ...which.origins]), answer);
    chrome.permissions.remove = async (which) => (asked.push(["remove", ...which.origins]), true);
}
"""
"""What a user answers the browser: its own question is no part of a page, so no test can reach it."""


def test_an_address_that_the_user_does_not_allow_is_not_saved(options: Page, browser: BrowserContext) -> None:
    options.evaluate(ANSWERS, False)
    give(options, "refineAddress", "https://models.example:8443/v1")
    expect(options.locator("#refineAddress-problem")).to_have_text(text("problemPermission"))
    assert options.evaluate("asked") == [["request", "https://models.example/*"]]
    assert "refineAddress" not in stored(browser)


def test_the_permission_is_for_one_host_and_goes_with_the_address(options: Page, browser: BrowserContext) -> None:
    options.evaluate(ANSWERS, True)
    give(options, "refineKey", "sk-test")
    give(options, "refineAddress", "https://models.example:8443/v1")
    wait_until(lambda: stored(browser).get("refineAddress") == "https://models.example:8443/v1")
    assert stored(browser)["refineKey"] == "sk-test"
    give(options, "refineAddress", "https://models.example:8443/v2")  # the same service
    wait_until(lambda: stored(browser).get("refineAddress") == "https://models.example:8443/v2")
    give(options, "refineAddress", "http://[::1]:11434/v1")
    wait_until(lambda: stored(browser).get("refineAddress") == "http://[::1]:11434/v1")
    wait_until(lambda: "refineKey" not in stored(browser))  # it was for another address
    expect(options.locator("#notice")).to_contain_text(text("refineKeyRemoved"))
    expect(options.locator("#refineKey")).to_have_value("")
    give(options, "refineAddress", "")
    wait_until(lambda: stored(browser).get("refineAddress") == "")
    wait_until(lambda: len(options.evaluate("asked")) == 5)
    assert options.evaluate("asked") == [
        ["request", "https://models.example/*"],
        ["request", "https://models.example/*"],
        ["request", "http://[::1]/*"],
        ["remove", "https://models.example/*"],
        ["remove", "http://[::1]/*"],
    ]


def test_the_browser_asks_only_because_the_user_did_something(options: Page, browser: BrowserContext) -> None:
    """The real permission of a host that every installation has: it needs no question, and cannot be given back."""
    with ChatServer("ollama") as server:
        give(options, "refineAddress", server.address)
        wait_until(lambda: stored(browser).get("refineAddress") == server.address)
        give(options, "refineAddress", "")
        wait_until(lambda: stored(browser).get("refineAddress") == "")
        expect(options.locator("#failure")).to_be_hidden()


# -- what the service worker lets through --------------------------------------------------------------

ASK = """
question => new Promise((resolve) => {
    const port = chrome.runtime.connect({ name: "refine" });
    const heard = [];
    setTimeout(() => resolve(heard), question.patience ?? 20_000);
    port.onMessage.addListener((message) => {
        heard.push(message.failure ?? (message.end ? "end" : message.status ?? "piece"));
        if (message.failure || message.end) resolve(heard);
    });
    port.postMessage(question);
})
"""


@pytest.mark.parametrize(
    ("behaviour", "limits", "heard"),
    [
        ("slow headers", {"headers": 300}, ["slow"]),
        ("hangs in the middle", {"silence": 300}, [200, "slow"]),
        ("output without end", {"whole": 300}, [200, "slow"]),
    ],
)
def test_a_server_that_takes_too_long_is_left(
    options: Page, server: ChatServer, behaviour: str, limits: dict[str, int], heard: list[object]
) -> None:
    server.behave(behaviour)
    give(options, "refineAddress", server.address)
    wait_until(lambda: stored(options.context).get("refineAddress") == server.address)
    question = {"path": "/chat/completions", "body": "{}", "limits": limits}
    answer = [each for each in options.evaluate(ASK, question) if each != "piece"]
    assert answer in (heard, [200, "end"] if behaviour == "output without end" else heard)


@pytest.mark.parametrize("path", ["/embeddings", "//elsewhere.example/v1", "/../admin", "", None])
def test_only_two_paths_below_the_address_are_called(options: Page, server: ChatServer, path: str | None) -> None:
    give(options, "refineAddress", server.address)
    wait_until(lambda: stored(options.context).get("refineAddress") == server.address)
    assert options.evaluate(ASK, {"path": path, "body": "{}", "patience": 500}) == []
    assert options.evaluate(ASK, {"path": "/models"})[0] == 200  # and the next question is answered
    assert [each.path for each in server.questions] == ["/v1/models"]
