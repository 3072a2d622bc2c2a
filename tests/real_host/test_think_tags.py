"""A model that writes its thinking into the message, on the real host (seed 000).

Ollama, vLLM and many gateways hand such text through, and the host shows the tags as they are.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.marks import lasting_lines, visible_lines

from .host import Host
from .model_server import Reply, bash
from .versions import EVERY, FULL

HEADER = "[data-thinkfold-think] > button"

CASES = {
    "closed": ("<think>Let me see.\n\n- a\n- b</think>\n\nThe answer.", "The answer."),
    "several": ("<think>one</think>\n\nFirst.\n\n<think>two</think>\n\nSecond.", "First. Second."),
    "attributes": ('<think type="deep">Let me see.</think>\n\nThe answer.', "The answer."),
    "no opening": ("Let me see what it is.\n\nAnd then.\n</think>\n\nThe answer.", "The answer."),
    "one paragraph": ("<think>hmm</think> The *answer*, and `4`.\n\nAnd more.", "The answer, and 4. And more."),
    "a list item": ("<think>I weigh it:\n\n- a\n- b </think>\n\nThe answer.", "The answer."),
    "tags on lines of their own": ("<think>\nLet me *see*.\n\n- a\n\n</think>\n\nThe answer.\n\n```py\n4\n```", None),
    "lines of their own, the answer close by": (
        "<think>\nLet me see.\n</think>\nThe **answer**.",
        "The answer.",
    ),
    "a list item with the answer": ("<think>I weigh it:\n\n- a\n- b</think> The answer.", "The answer."),
    "another dialect": ("[THINK]Let me see.[/THINK]\n\nThe answer.", "The answer."),
}
LEFT_ALONE = {
    "never closed": ("<think>Let me see.\n\nAnd on.", "<think>Let me see. And on."),
    "in code": ("Write `<think>` before it:\n\n```html\n<think>not real</think>\n```\n\nThat is all.", None),
}

SHOWN = """
() => [...document.querySelectorAll('[data-chat-flow-kind="assistant-step"] [class*="_markdown_"]')]
  .filter((element) => element.checkVisibility() && !element.parentElement.closest("[data-thinkfold-think]"))
  .map((element) => element.innerText.split(/\\s+/).filter(Boolean).join(" ")).filter(Boolean)
"""

FIRST_TAG = """
() => {
  window.rawTags = [];
  const look = () => {
    for (const row of document.querySelectorAll('[data-chat-flow-kind="assistant-step"]'))
      if (/<\\/?think/.test(row.innerText)) rawTags.push(row.innerText);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


def answer(chat: Page, host: Host, title: str, text: str) -> None:
    """Have the model answer with *text*, in a new session."""
    prompt = f"tags, {title}"
    host.model.script(prompt, [Reply(text=text, pause=0.08)])
    host.new_session(chat)
    host.send(chat, prompt)
    host.wait_for_turn(chat, 1)


def open_all(chat: Page) -> None:
    """Open the block, and the box that it is in on a host that injects a context row."""
    for box in chat.locator("[data-thinkfold-box]").all():
        box.click()
    chat.locator(HEADER).click()
    expect(chat.locator(HEADER)).to_have_attribute("aria-expanded", "true")


@FULL
def test_thinking_stands_in_a_block_and_the_answer_alone(chat: Page, host: Host, shots: Path) -> None:
    chat.evaluate(FIRST_TAG)
    for title, (text, body) in CASES.items():
        answer(chat, host, title, text)
        expect(chat.locator(HEADER), title).to_have_count(1)
        expect(chat.locator(HEADER), title).to_contain_text("observed")
        shown = " ".join(chat.evaluate(SHOWN))
        assert (shown == body) if body is not None else shown.startswith("The answer. "), (title, shown)
        open_all(chat)
        chat.screenshot(path=shots / f"{host.version}-think-{title.replace(' ', '-')}.png")
    raw = [text for text in chat.evaluate("rawTags") if "<think" in text or "</think" in text]
    # Without an opening tag nobody can know before the closing one that it was thinking.
    assert not [text for text in raw if "Let me see what it is" not in text]
    for title, (text, body) in LEFT_ALONE.items():
        answer(chat, host, title, text)
        expect(chat.locator(HEADER), title).to_have_count(0)
        if body is not None:
            assert " ".join(chat.evaluate(SHOWN)) == body, title


@FULL
def test_the_host_s_copy_button_leaves_the_thinking_behind(chat: Page, host: Host) -> None:
    chat.context.grant_permissions(["clipboard-read", "clipboard-write"])
    prompt = "tags, copy <think>x</think>y"
    host.model.script("tags, copy", [Reply(text="<think>\nLet me see.\n</think>\n\nThe **answer**.", pause=0.05)])
    host.send(chat, prompt)
    host.wait_for_turn(chat, 1)
    expect(chat.locator(HEADER)).to_have_count(1)
    copied = {}
    for kind in ("turn-tail", "user"):
        row = chat.locator(f"[data-chat-flow-kind={kind}]")
        row.hover()
        row.get_by_role("button").first.click()
        chat.wait_for_timeout(300)
        copied[kind] = chat.evaluate("navigator.clipboard.readText()")
    assert copied == {"turn-tail": "The **answer**.", "user": prompt}  # the user's own words as they are


@EVERY
def test_with_tools_it_is_a_step_of_the_box_and_history_says_no_time(chat: Page, host: Host) -> None:
    host.model.script(
        "tags and tools",
        [
            Reply(text="<think>The files first.</think>\n\nI look.", tools=[bash("ls", "List the files")]),
            Reply(text="<think>Now one of them.</think>", tools=[bash("cat a.txt", "Read a")]),
            Reply(text="<think>That is it.</think>\n\nThere are three.", pause=0.03),
        ],
    )
    host.send(chat, "tags and tools")
    host.wait_for_turn(chat, 1)
    line = chat.locator("[data-thinkfold-box]")
    expect(line).to_have_count(1)
    shown = [each for each in lasting_lines(chat) if each.startswith(("text", "tool", "think", "group"))]
    assert shown[0] == "text: I look."
    assert shown[-1] == "text: There are three."
    assert not [each for each in shown if each.startswith(("tool", "group"))]
    chat.reload()
    expect(line).to_have_count(1, timeout=20_000)
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(chat.locator(HEADER)).to_have_count(3)
    for text in chat.locator(HEADER).all_inner_texts():
        assert "observed" not in text
        assert "chars" in text
    assert not [each for each in visible_lines(chat) if "<think>" in each or "</think>" in each]


@FULL
@pytest.mark.parametrize("length", [400])
def test_a_long_thought_streams_without_holding_the_page_up(chat: Page, host: Host, length: int) -> None:
    thought = "\n\n".join(f"Paragraph {n}: I weigh `this` against that, and *again*." for n in range(length))
    host.model.script("tags, long", [Reply(text=f"<think>{thought}</think>\n\nThe answer.")])
    chat.evaluate(
        "() => { window.longTasks = []; new PerformanceObserver(list => list.getEntries().forEach("
        "entry => longTasks.push(entry.duration))).observe({type: 'longtask'}); }"
    )
    host.send(chat, "tags, long")
    host.wait_for_turn(chat, 1)
    expect(chat.locator(HEADER)).to_have_count(1)
    assert " ".join(chat.evaluate(SHOWN)) == "The answer."
    open_all(chat)
    expect(chat.locator("[data-thinkfold-think]").get_by_text(f"Paragraph {length - 1}:")).to_be_visible()
    print("long tasks", sorted(round(task) for task in chat.evaluate("longTasks"))[-5:])
