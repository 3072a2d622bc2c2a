"""Thinking that a model wrote into its message stands in a block of its own (seed 000)."""

from __future__ import annotations

import pytest
from conftest import Chat, opened_popup
from playwright.sync_api import BrowserContext, Locator, expect
from support.extension import choose
from support.marks import marks_left, visible_lines

SHOWN = """
() => [...document.querySelectorAll('[data-chat-flow-kind="assistant-step"]')]
  .map((row) => row.innerText.split(/\\s+/).filter(Boolean).join(" ")).filter(Boolean)
"""

RAW_TAGS = """
() => {
  window.rawTags = []; window.texts = 0;
  const look = () => {
    for (const row of document.querySelectorAll('[data-chat-flow-kind="assistant-step"]')) {
      if (/<\\/?think/.test(row.innerText)) rawTags.push(row.innerText);
      texts += 1;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


def finished(text: str) -> list[dict[str, object]]:
    """A turn whose answer is *text*."""
    return [{"user": "Go", "id": "u1"}, {"text": text, "step": "1:1"}, {"tail": 1}]


def shown(chat: Chat) -> str:
    """What a person reads of the steps."""
    return " | ".join(chat.page.evaluate(SHOWN))


def header(chat: Chat) -> Locator:
    return chat.page.locator("[data-thinkfold-think] > button")


def test_a_closed_thought_is_a_closed_block_before_the_answer(chat: Chat) -> None:
    chat.apply(*finished("<think>Let me see.\n\n- first *this*\n- then `that`</think>\n\nThe **answer**."))
    expect(header(chat)).to_have_count(1)
    expect(header(chat)).to_have_attribute("aria-expanded", "false")
    assert shown(chat) == "💭 Thinking · 41 chars The answer."
    header(chat).click()
    expect(header(chat)).to_have_attribute("aria-expanded", "true")
    body = chat.page.locator("[data-thinkfold-think]")
    expect(body.locator("li")).to_have_text(["first this", "then that"])
    expect(body.locator("li em")).to_have_text("this")
    expect(body.locator("li code")).to_have_text("that")
    header(chat).focus()
    chat.page.keyboard.press("Enter")
    expect(header(chat)).to_have_attribute("aria-expanded", "false")
    expect(chat.page.get_by_role("button", name="Thinking")).to_have_count(1)


def test_a_thought_that_streams_is_open_and_no_frame_shows_a_tag(chat: Chat) -> None:
    page = chat.page
    page.evaluate(RAW_TAGS)
    chat.apply({"user": "Go"}, {"text": "", "step": "1:1", "state": "running"})
    for piece in ("<th", "ink>Let me ", "see.\n\nThen ", "more.\n\n- a"):
        chat.apply({"append": piece, "step": "1:1"})
        page.wait_for_timeout(60)
    expect(header(chat)).to_have_attribute("aria-expanded", "true")
    expect(header(chat)).to_contain_text("Thinking…")
    expect(page.locator("[data-thinkfold-think-part=body] li")).to_have_text("a")
    assert "Let me see. Then more. a" in shown(chat)
    expect(header(chat)).to_contain_text("1s", timeout=3000)  # it ticks
    for piece in ("\n- b </thi", "nk>\n\nThe answer", " comes."):
        chat.apply({"append": piece, "step": "1:1"})
        page.wait_for_timeout(60)
    expect(header(chat)).to_have_attribute("aria-expanded", "false")
    assert shown(chat).endswith("The answer comes.")
    chat.apply({"step-state": "ok", "step": "1:1"}, {"tail": 1})
    expect(header(chat)).to_contain_text("Thinking · observed 1s · 32 chars")
    stood = header(chat).inner_text()
    page.wait_for_timeout(1200)
    assert header(chat).inner_text() == stood
    assert page.evaluate("texts") > 20
    assert page.evaluate("rawTags") == []


def test_a_thought_that_is_never_closed_is_body_when_the_stream_ends(chat: Chat) -> None:
    chat.apply({"user": "Go"}, {"text": "<think>Let me", "step": "1:1", "state": "running"})
    expect(header(chat)).to_have_attribute("aria-expanded", "true")
    chat.apply({"append": " see.\n\nAnd on.", "step": "1:1"}, {"step-state": "ok", "step": "1:1"}, {"tail": 1})
    expect(header(chat)).to_have_count(0)
    assert shown(chat) == "<think>Let me see. And on."


@pytest.mark.parametrize(
    "text",
    ["Use `<think>` for it.", "```html\n<think>not real</think>\n```", "A plain <b>answer</b>.", "a < b, c > d"],
)
def test_code_and_plain_answers_are_left_alone(chat: Chat, text: str) -> None:
    chat.apply(*finished(text))
    chat.page.wait_for_timeout(200)
    expect(header(chat)).to_have_count(0)
    assert chat.page.locator("[data-thinkfold-answer], [data-thinkfold-hidden=''] p").count() == 0


def test_thinking_and_answer_in_one_paragraph_are_told_apart(chat: Chat) -> None:
    chat.apply(*finished("<think>hmm</think> The *answer* <i>is</i> `4`.\n\nAnd more."))
    assert shown(chat) == "💭 Thinking · 3 chars The answer <i>is</i> 4. And more."
    expect(chat.page.locator("[data-thinkfold-answer] em")).to_have_text("answer")


def test_an_answer_that_begins_where_the_thinking_ends_grows_while_it_streams(chat: Chat) -> None:
    chat.apply({"user": "Go"}, {"text": "<think>hmm</think>The", "step": "1:1", "state": "running"})
    for piece in (" answer", " is **four", "** of", " them."):
        chat.apply({"append": piece, "step": "1:1"})
    assert shown(chat).endswith("The answer is four of them.")
    chat.apply({"step-state": "ok", "step": "1:1"}, {"tail": 1})
    assert shown(chat).endswith("The answer is four of them.")


def test_tags_on_lines_of_their_own_that_the_host_draws_as_bare_text(chat: Chat) -> None:
    """On the real hosts such a line is no element: text between the blocks."""
    chat.apply({"user": "Go"}, {"text": "First.\n\nSecond.\n\nThird.", "step": "1:1"})
    chat.page.evaluate(
        "() => { const root = document.querySelector('[class*=_markdown_]'); const [first, second] = root.children;"
        " first.before('<think>\\nLet me *see*.\\n'); second.before('</think>\\n'); }"
    )
    expect(header(chat)).to_have_count(1)
    assert shown(chat) == "💭 Thinking · 21 chars Second. Third."
    size = "element => [getComputedStyle(element).fontSize, element.getBoundingClientRect().height]"
    assert chat.page.get_by_text("Third.").evaluate(size) == chat.page.get_by_text("Second.").evaluate(size)
    assert chat.page.get_by_text("Third.").evaluate(size)[0] == "16px"
    header(chat).click()
    expect(chat.page.locator("[data-thinkfold-think] em")).to_have_text("see")
    chat.page.evaluate("getSelection().selectAllChildren(document.querySelector('[class*=_markdown_]'))")
    assert " ".join(chat.page.evaluate("getSelection().toString()").split()) == "Second. Third."


def test_several_thoughts_are_one_block_and_an_empty_one_is_none(chat: Chat) -> None:
    chat.apply(*finished("<think>one</think>\n\nFirst.\n\n<think>two</think>\n\nSecond."))
    expect(header(chat)).to_have_count(1)
    assert shown(chat) == "💭 Thinking · 6 chars First. Second."
    chat.page.evaluate("demo.reset()")
    chat.apply(*finished("<think>\n\n</think>\n\nJust the answer."))
    expect(chat.page.get_by_text("<think>")).not_to_be_visible()
    expect(header(chat)).to_have_count(0)
    assert shown(chat) == "Just the answer."


def test_what_the_user_chose_wins_until_the_row_is_mounted_anew(chat: Chat, browser: BrowserContext) -> None:
    chat.apply(*finished("<think>hmm</think>\n\nThe answer."))
    expect(header(chat)).to_have_attribute("aria-expanded", "false")
    choose(browser, showReasoning="always")
    expect(header(chat)).to_have_attribute("aria-expanded", "true")
    header(chat).click()
    choose(browser, texts="latest")  # another setting changes nothing here
    expect(header(chat)).to_have_attribute("aria-expanded", "false")
    row = next(key for key in chat.page.evaluate("demo.rows()") if "assistant-step" in key)
    chat.apply({"remount": row})
    expect(header(chat)).to_have_attribute("aria-expanded", "true")


def test_closed_by_hand_while_it_streams_it_stays_closed(chat: Chat) -> None:
    chat.apply({"user": "Go"}, {"text": "<think>Let me", "step": "1:1", "state": "running"})
    header(chat).click()
    for number in range(20):
        chat.apply({"append": f" see {number}.", "step": "1:1"})
    expect(header(chat)).to_have_attribute("aria-expanded", "false")
    chat.apply({"append": "</think>\n\nDone.", "step": "1:1"}, {"step-state": "ok", "step": "1:1"}, {"tail": 1})
    expect(header(chat)).to_have_attribute("aria-expanded", "false")


def test_the_popup_s_choice_opens_blocks_at_once(chat: Chat, popup_url: str) -> None:
    chat.apply(*finished("<think>hmm</think>\n\nThe answer."))
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        popup.get_by_label("How much thinking to show").select_option("always")
        expect(header(chat)).to_have_attribute("aria-expanded", "true")
        popup.get_by_label("How much thinking to show").select_option("auto")
        expect(header(chat)).to_have_attribute("aria-expanded", "false")


def test_in_a_box_it_is_a_step_like_any_other_thought(chat: Chat) -> None:
    tool = {"tool": "Bash", "id": "c1", "summary": "Run 1", "state": "ok"}
    chat.apply({"user": "Go"}, {"text": "<think>First I look.</think>\n\nI look.", "step": "1:1"}, tool)
    line = chat.page.locator("[data-thinkfold-box]")
    expect(line).to_contain_text("2 steps")
    lines = [each for each in visible_lines(chat.page) if not each.startswith("group")]
    assert [each.split(" · ")[0] for each in lines] == ["user: Go", "box: Bash Run 1 2 steps", "text: I look."]
    expect(header(chat)).not_to_be_visible()
    chat.apply({"text": "<think>And then</think>", "step": "1:2"})
    expect(line).to_contain_text("ThinkingAnd then3 steps")
    line.click()
    expect(header(chat)).to_have_count(2)
    expect(header(chat).first).to_be_visible()
    chat.page.locator("[data-thinkfold-arrow]").click()
    chat.apply({"text": "The answer.", "step": "1:3"}, {"tail": 1})
    assert visible_lines(chat.page)[-1] == "text: The answer."


def test_the_user_s_words_and_tool_output_are_never_read(chat: Chat) -> None:
    said = "Fix this parser: <think>x</think>y"
    tool = {"tool": "Write", "id": "c1", "summary": "<think>x</think>y", "state": "ok", "output": "<think>x</think>y"}
    chat.apply({"user": said}, tool, {"text": "<think>small fix</think>Fixed.", "step": "1:1"}, {"tail": 1})
    expect(header(chat)).to_have_count(1)
    expect(chat.page.get_by_text(said)).to_be_visible()
    assert "<think>x</think>y" in chat.page.locator("[data-chat-call-id]").first.text_content()


def test_nothing_that_a_model_writes_becomes_an_element(chat: Chat) -> None:
    hostile = (
        '<think><img src=x onerror="window.bad = 1"> [a](javascript:window.bad=2) ![b](http://127.0.0.1:1/c.png)'
        " [fine](https://example.org/)</think><script>window.bad = 3</script> so **it** is"
    )
    requested: list[str] = []
    chat.page.on("request", lambda request: requested.append(request.url))
    chat.apply(*finished(hostile))
    header(chat).click()
    inside = chat.page.locator("[data-thinkfold-think], [data-thinkfold-answer]")
    assert inside.locator("img, script").count() == 0
    assert inside.locator("a").count() == 0  # what the host did not make a link is none here either
    chat.page.wait_for_timeout(200)
    assert chat.page.evaluate("window.bad") is None
    assert requested == []


def test_copying_the_answer_leaves_the_thinking_behind(chat: Chat) -> None:
    chat.apply(*finished("<think>secret thought</think> The answer.\n\nAnd more."))
    expect(header(chat)).to_have_count(1)
    copied = chat.page.evaluate(
        "() => { const row = document.querySelector('[data-chat-flow-kind=\"assistant-step\"] [class*=_markdown_]');"
        " const range = document.createRange(); range.selectNodeContents(row); getSelection().removeAllRanges();"
        " getSelection().addRange(range); return getSelection().toString(); }"
    )
    assert " ".join(copied.split()) == "The answer. And more."


def test_off_gives_the_raw_text_back(chat: Chat, browser: BrowserContext) -> None:
    text = "<think>hmm</think> The answer.\n\nAnd more."
    chat.apply(*finished(text))
    header(chat).click()
    choose(browser, enabled=False)
    expect(chat.page.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(chat.page) == []
    assert shown(chat) == "<think>hmm</think> The answer. And more."
    choose(browser, enabled=True)
    expect(header(chat)).to_have_count(1)


def test_a_row_that_goes_takes_its_block_along(chat: Chat) -> None:
    chat.apply(*finished("<think>hmm</think> The answer."))
    row = next(key for key in chat.page.evaluate("demo.rows()") if "assistant-step" in key)
    chat.apply({"remount": row})
    expect(header(chat)).to_have_count(1)
    chat.apply({"remove": row})
    expect(header(chat)).to_have_count(0)
    chat.page.evaluate("demo.reset()")
    assert not [mark for mark in marks_left(chat.page) if "think=" in mark or "answer" in mark]


LENGTHS = """
() => {
  window.lengths = [];
  const body = document.querySelector('[data-thinkfold-think-part="body"]');
  const look = () => { lengths.push(body.innerText.length); requestAnimationFrame(look); };
  requestAnimationFrame(look);
}
"""


def test_thinking_that_comes_in_a_burst_is_shown_evenly_and_all_of_it_at_the_end(chat: Chat) -> None:
    chat.apply({"user": "Go", "id": "u1"}, {"text": "<think>First. ", "step": "1:1", "state": "running"})
    body = chat.page.locator("[data-thinkfold-think-part=body]")
    expect(body).to_have_text("First.")
    chat.page.evaluate(LENGTHS)
    burst = "".join(f"Words of number {number}. " for number in range(40))
    chat.apply({"append": burst, "step": "1:1"})
    expect(body).to_contain_text("number 39.")
    seen = sorted(set(chat.page.evaluate("lengths")))
    assert len(seen) > 2, seen  # the start, the end, and something between
    assert chat.page.evaluate("lengths.every((length, index) => index === 0 || length >= lengths[index - 1])")

    chat.apply({"append": f"{burst}Last.</think>\n\nDone.", "step": "1:1"}, {"step-state": "ok", "step": "1:1"})
    header(chat).click()
    expect(body).to_contain_text("Last.")
    assert chat.page.evaluate("lengths.at(-1)") > 2 * len(burst)
