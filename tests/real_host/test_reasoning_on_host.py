"""How much of the model's thinking is shown, on the real host: never, always, and up to which length (seed 003)."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, FloatRect, Locator, Page, expect
from support.extension import choose
from support.marks import lasting_lines

from .host import Host
from .model_server import Reply, bash
from .versions import FULL

SIGN = "[data-thinkfold-thinking]:visible"
BOX = "[data-thinkfold-box]"
LONG = "I weigh the matter with care, and read on. " * 60

SEEN_IN_FRAMES = """
() => {
  window.seen = new Set();
  const look = () => {
    const text = document.querySelector("[data-chat-flow]")?.innerText ?? "";
    if (/weigh/.test(text)) seen.add(text.slice(0, 200));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


def rows(chat: Page) -> Locator:
    """The lines of the host's own thoughts."""
    return chat.locator("[data-variant=think] [data-disclosure-row]")


def expect_at(element: Locator, before: FloatRect | None) -> None:
    """The element is as high on the screen as it was."""
    after = element.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) <= 2


def show_process(chat: Page) -> None:
    """Open what the newer host folds itself: a turn of one thought and an answer, and groups of rows."""
    for button in ("[data-turn-process][aria-expanded=false]", "[data-process-activity][aria-expanded=false]"):
        closed = chat.locator(f"{button}:visible")
        for _ in range(closed.count()):
            closed.first.click()


def open_boxes(chat: Page) -> None:
    for box in chat.locator(f"{BOX}[aria-expanded=false]").all():
        box.click()


@FULL
def test_never_shows_no_thinking_in_any_frame_and_a_sign_while_there_is_some(
    chat: Page, host: Host, browser: BrowserContext, shots: Path
) -> None:
    choose(browser, showReasoning="never")
    thought = LONG[:600]
    host.model.script(
        "never rounds",
        [
            Reply(think=thought, tools=[bash("ls", "List the files")], pause=0.05),
            Reply(think=thought, text="Halfway.", tools=[bash("cat a.txt", "Read a")], pause=0.05),
            Reply(think=thought, tools=[bash("cat b.txt", "Read b")], pause=0.05),
            Reply(think=thought, text="The answer.", pause=0.05),
        ],
    )
    chat.evaluate(SEEN_IN_FRAMES)
    host.send(chat, "never rounds")
    expect(chat.locator(SIGN)).to_have_count(1)
    expect(chat.locator(SIGN)).to_contain_text("1s")
    chat.screenshot(path=shots / f"{host.version}-never-first.png")
    expect(chat.locator(BOX)).to_be_visible(timeout=30_000)
    expect(chat.locator(SIGN)).to_have_count(1)
    chat.screenshot(path=shots / f"{host.version}-never-live.png")
    host.wait_for_turn(chat, 1)
    expect(chat.locator("[data-thinkfold-thinking]")).to_have_count(0)
    assert chat.evaluate("[...seen]") == []
    live = lasting_lines(chat)
    assert [line for line in live if "Think" in line] == []
    assert [line for line in live if line.startswith("text")] == ["text: Halfway.", "text: The answer."]
    open_boxes(chat)
    show_process(chat)
    chat.wait_for_timeout(300)
    chat.screenshot(path=shots / f"{host.version}-never-open.png")
    assert [line for line in lasting_lines(chat) if line.startswith("think")] == []
    assert len([line for line in lasting_lines(chat) if line.startswith("tool")]) == 3
    choose(browser, showReasoning="auto")
    expect(rows(chat).locator("visible=true").first).to_be_attached()
    choose(browser, showReasoning="never")
    expect(rows(chat).locator("visible=true")).to_have_count(0)


@FULL
def test_never_a_message_in_tags_has_a_sign_and_then_only_its_answer(
    chat: Page, host: Host, browser: BrowserContext
) -> None:
    choose(browser, showReasoning="never")
    host.model.script("never tags", [Reply(text=f"<think>{LONG[:900]}</think>\n\nThe answer.", pause=0.05)])
    chat.evaluate(SEEN_IN_FRAMES)
    host.send(chat, "never tags")
    expect(chat.locator(SIGN)).to_have_count(1)
    host.wait_for_turn(chat, 1)
    expect(chat.locator("[data-thinkfold-thinking]")).to_have_count(0)
    assert chat.evaluate("[...seen]") == []
    assert lasting_lines(chat)[-1] == "text: The answer."
    host.model.script("only tags", [Reply(text=f"<think>{LONG[:300]}</think>")])
    host.send(chat, "only tags")
    host.wait_for_turn(chat, 2)
    expect(chat.locator("[data-thinkfold-think] > button").last).to_be_visible()


@FULL
def test_always_opens_thoughts_once_and_neither_the_focus_nor_the_foot_is_lost(
    chat: Page, host: Host, browser: BrowserContext, shots: Path
) -> None:
    choose(browser, showReasoning="always", openThoughtLimit=400)
    host.send(chat, "just answer")  # with the context that the first host injects once
    host.wait_for_turn(chat, 1)
    host.model.script("always short", [Reply(think="First this.\n\nThen that.", text="The answer. " * 200, pause=0.02)])
    host.send(chat, "always short")
    expect(rows(chat)).to_have_attribute("aria-expanded", "true")
    assert chat.evaluate("document.activeElement.closest('[data-chat-flow]') === null")
    host.wait_for_turn(chat, 2)
    show_process(chat)
    expect(rows(chat)).to_have_attribute("aria-expanded", "true")
    chat.screenshot(path=shots / f"{host.version}-always-short.png")
    host.model.script("always long", [Reply(think=LONG, text="The long answer.", pause=0.02)])
    host.send(chat, "always long")
    expect(rows(chat)).to_have_count(2)
    expect(rows(chat).last).to_have_attribute("aria-expanded", "true")
    expect(rows(chat).last).to_have_attribute("aria-expanded", "false", timeout=30_000)
    expect(rows(chat).last).to_have_attribute("data-thinkfold-more", "Show all")
    chat.screenshot(path=shots / f"{host.version}-always-cut.png")
    host.wait_for_turn(chat, 3)
    chat.wait_for_timeout(500)
    foot = "element => element.scrollHeight - element.clientHeight - element.scrollTop"
    assert chat.locator("[data-conversation-scroll]").evaluate(foot) <= 25
    show_process(chat)
    expect(rows(chat).last).to_have_attribute("aria-expanded", "false")


@FULL
def test_an_opened_box_keeps_its_foot_while_the_thoughts_in_it_are_opened(
    chat: Page, host: Host, browser: BrowserContext, shots: Path
) -> None:
    thought = "\n\n".join(f"Line {number} of a thought." for number in range(12))
    host.model.script(
        "always box",
        [
            *(Reply(think=thought, tools=[bash(f"echo {number}", f"Round {number}")]) for number in range(4)),
            Reply(think=thought, text="The answer. " * 400),
        ],
    )
    host.model.script("room above", [Reply(text="Above. " * 1500)])
    host.send(chat, "room above")
    host.wait_for_turn(chat, 1)
    host.send(chat, "always box")
    host.wait_for_turn(chat, 2)
    choose(browser, showReasoning="always")
    chat.wait_for_timeout(300)
    assert [row.get_attribute("aria-expanded") for row in rows(chat).all()] == ["false"] * rows(chat).count()
    answer = chat.get_by_text("The answer.").first
    chat.locator(BOX).scroll_into_view_if_needed()
    chat.mouse.move(640, 500)
    chat.mouse.wheel(0, -10)
    chat.wait_for_timeout(400)
    before = answer.bounding_box()
    chat.locator(BOX).click()
    chat.wait_for_timeout(600)
    expect_at(answer, before)
    show_process(chat)
    for number in range(rows(chat).count()):
        expect(rows(chat).nth(number)).to_have_attribute("aria-expanded", "true")
    chat.screenshot(path=shots / f"{host.version}-always-box.png")
    answer.evaluate("element => element.scrollIntoView({block: 'start'})")
    chat.mouse.wheel(0, -200)  # so that the answer is what is read
    chat.wait_for_timeout(600)
    before = answer.bounding_box()
    for value in ("auto", "never", "always"):
        choose(browser, showReasoning=value)
        chat.wait_for_timeout(600)
        expect_at(answer, before)
