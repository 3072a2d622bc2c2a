"""The box on the demo page: live, by hand, and when the page does unusual things."""

from __future__ import annotations

from itertools import pairwise

from conftest import Chat, turn
from playwright.sync_api import expect
from support.marks import marks_left, marks_on_rows, visible_lines
from support.sampling import faults, start_sampling, stop_sampling


def test_a_turn_is_one_folded_box_with_the_answer_outside(chat: Chat) -> None:
    chat.apply(*turn(1))
    assert visible_lines(chat.page) == [
        "user: Question 1",
        "box: Bash Run 1.2 4 steps",
        "text: Between 1.2",
        "text: The answer.",
    ]


def test_the_tool_line_is_a_button_that_says_whether_it_is_expanded(chat: Chat) -> None:
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    expect(line).to_have_attribute("aria-expanded", "false")
    assert line.evaluate("element => element.tagName") == "BUTTON"
    line.focus()
    chat.page.keyboard.press("Enter")
    expect(line).to_have_attribute("aria-expanded", "true")
    chat.page.keyboard.press("Space")
    expect(line).to_have_attribute("aria-expanded", "false")


def test_an_expanded_box_shows_every_row_in_order_and_the_arrow_folds_it(chat: Chat) -> None:
    chat.apply(*turn(1))
    chat.page.locator("[data-thinkfold-box]").click()
    chat.open_groups()
    assert [line for line in visible_lines(chat.page) if not line.startswith("group")] == [
        "user: Question 1",
        "box: Bash Run 1.2 4 steps",
        "think: Think Thought 1.1",
        "tool: Bash Run 1.1",
        "think: Think Thought 1.2",
        "text: Between 1.2",
        "tool: Bash Run 1.2",
        "text: The answer.",
    ]
    chat.page.locator("[data-thinkfold-arrow]").click()
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_attribute("aria-expanded", "false")
    expect(chat.page.locator("[data-thinkfold-arrow]")).to_have_count(0)


def test_the_arrow_stands_at_the_left_edge_of_the_box_and_within_its_height(chat: Chat) -> None:
    chat.apply(*turn(1, tools=12))
    chat.page.locator("[data-thinkfold-box]").click()
    arrow = chat.page.locator("[data-thinkfold-arrow]").bounding_box()
    top = chat.page.locator('[data-thinkfold-frame~="top"]').bounding_box()
    bottom = chat.page.locator('[data-thinkfold-frame~="bottom"]').bounding_box()
    assert arrow and top and bottom
    assert abs(arrow["x"] + arrow["width"] / 2 - top["x"]) < 1.5
    text = chat.page.get_by_text("Between 1.2").bounding_box()
    assert text
    assert arrow["x"] + arrow["width"] < text["x"]  # clear of the text
    assert arrow["y"] >= top["y"]
    assert arrow["y"] + arrow["height"] <= bottom["y"] + bottom["height"]


def test_the_frame_has_no_gap_and_moves_no_text(chat: Chat) -> None:
    text_left = "() => [...document.querySelectorAll('[class*=_markdown_]')].map(e => e.getBoundingClientRect().x)"
    chat.apply(*turn(1, tools=3))
    lefts = chat.page.evaluate(text_left)
    assert len(set(lefts)) == 1  # the texts in the box stand where the answer stands
    chat.page.locator("[data-thinkfold-box]").click()
    edges = chat.page.evaluate(
        "() => [...document.querySelectorAll('[data-thinkfold-frame]')].filter(e => e.getClientRects().length)"
        ".map(e => { const r = e.getBoundingClientRect(); return [r.top, r.bottom]; })"
    )
    assert len(edges) >= 5
    for (_, bottom), (top, _) in pairwise(edges):
        assert abs(top - bottom) < 0.6


def test_a_click_on_the_texts_opens_the_box_and_a_selection_or_a_link_does_not(chat: Chat) -> None:
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    text = chat.page.get_by_text("Between 1.2")
    box = text.bounding_box()
    assert box
    chat.page.mouse.move(box["x"] + 2, box["y"] + 10)
    chat.page.mouse.down()
    chat.page.mouse.move(box["x"] + 80, box["y"] + 10)
    chat.page.mouse.up()
    expect(line).to_have_attribute("aria-expanded", "false")
    assert chat.page.evaluate("getSelection().toString()").startswith("Between")
    chat.page.evaluate("getSelection().removeAllRanges()")
    text.click()
    expect(line).to_have_attribute("aria-expanded", "true")


def test_a_drag_over_the_tool_line_or_in_an_open_box_changes_nothing(chat: Chat) -> None:
    chat.apply(*turn(1))
    page = chat.page
    line = page.locator("[data-thinkfold-box]")

    def drag(words: str) -> None:
        box = page.get_by_text(words, exact=True).first.bounding_box()
        assert box
        page.mouse.move(box["x"] + 1, box["y"] + 10)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"], box["y"] + 10, steps=4)
        page.mouse.up()

    drag("Run 1.2")
    expect(line).to_have_attribute("aria-expanded", "false")
    line.click()
    drag("Between 1.2")
    assert page.evaluate("getSelection().toString()") == "Between 1.2"
    expect(line).to_have_attribute("aria-expanded", "true")
    page.evaluate("getSelection().removeAllRanges()")
    page.get_by_text("Between 1.2").click()  # a plain click in an open box: the line and the arrow fold it
    expect(line).to_have_attribute("aria-expanded", "true")
    line.click()
    expect(line).to_have_attribute("aria-expanded", "false")


def test_a_box_s_state_changes_by_clicks_alone_while_the_turn_streams(chat: Chat) -> None:
    chat.apply({"user": "Go"}, {"tool": "Bash", "id": "c1", "summary": "Look", "state": "ok"})
    chat.apply({"think": "First words", "step": "1:1", "state": "running"})
    page = chat.page
    page.evaluate(
        "() => { window.states = []; new MutationObserver((records) => { for (const { target } of records)"
        " if (target.matches('[data-thinkfold-box]')) states.push(target.getAttribute('aria-expanded')); })"
        ".observe(document.body, {subtree: true, attributes: true, attributeFilter: ['aria-expanded']}); }"
    )
    line = page.locator("[data-thinkfold-box]")

    def stream(call: str) -> None:
        for number in range(50):
            chat.apply({"append": f"\nWords {number}", "step": "1:1"})
            if number == 25:
                chat.apply({"remount": chat.process_rows()[-1]})
        chat.apply({"tool": "Bash", "id": call, "summary": f"Run {call}", "state": "running"})
        page.wait_for_timeout(200)
        chat.apply({"tool-state": "ok", "id": call}, {"think": "More", "step": "1:1", "state": "running"})

    line.click()
    stream("c2")
    expect(line).to_have_attribute("aria-expanded", "true")
    assert page.evaluate("states") == ["true"]
    page.locator("[data-thinkfold-arrow]").click()
    stream("c3")
    chat.apply({"text": "The answer.", "step": "1:9"}, {"tail": 1})
    assert page.evaluate("states") == ["true", "false"]


def test_inner_disclosures_keep_their_own_state(chat: Chat) -> None:
    chat.apply(*turn(1))
    chat.page.locator("[data-thinkfold-box]").click()
    chat.open_groups()
    inner = chat.page.locator("[data-variant=think] [data-disclosure-row]").first
    inner.click()
    expect(inner).to_have_attribute("aria-expanded", "true")
    chat.page.locator("[data-thinkfold-arrow]").click()
    chat.page.locator("[data-thinkfold-box]").click()
    expect(inner).to_have_attribute("aria-expanded", "true")


def test_no_painted_frame_of_a_streamed_turn_shows_two_tools_or_misses_a_text(chat: Chat) -> None:
    start_sampling(chat.page)
    rounds: list[dict[str, object]] = [{"user": "Go", "id": "u1"}, {"context": "system"}]
    for index in range(1, 9):
        rounds.append({"think": f"I look at part {index}.\nThen at the next.", "step": f"1:{index}"})
        if index % 2:
            rounds.append({"text": f"Part {index} is as it should be.", "step": f"1:{index}"})
        tool = {"tool": "Bash", "id": f"c{index}", "summary": f"Read {index}", "state": "ok", "takes": 80}
        rounds.append(tool)
    chat.play(*rounds, {"text": "All parts are right.", "step": "1:9"}, {"tail": 1}, speed=4)
    frames = stop_sampling(chat.page)
    assert len(frames) > 60
    assert max(frame[0]["tools"] for frame in frames if frame) == 17
    assert faults(frames, 0) == []


def test_the_tool_line_follows_the_latest_words_of_a_thought(chat: Chat) -> None:
    chat.apply({"user": "Go"}, {"tool": "Bash", "id": "c1", "summary": "Look", "state": "ok"})
    chat.apply({"think": "First words", "step": "1:1", "state": "running"})
    line = chat.page.locator("[data-thinkfold-box]")
    expect(line).to_contain_text("First words")
    expect(line).to_have_attribute("data-thinkfold-state", "running")
    chat.apply({"append": "\nLatest words", "step": "1:1"})
    expect(line).to_contain_text("Latest words")
    chat.apply({"step-state": "ok", "step": "1:1"})
    expect(line).to_have_attribute("data-thinkfold-state", "ok")


def test_the_elapsed_time_runs_while_the_turn_runs_and_then_stands(chat: Chat) -> None:
    chat.apply({"user": "Go"}, {"tool": "Bash", "id": "c1", "summary": "Look", "state": "ok"})
    chat.apply({"tool": "Bash", "id": "c2", "summary": "Wait", "state": "running"})
    line = chat.page.locator("[data-thinkfold-box]")
    expect(line).to_contain_text("2 steps · 2s", timeout=5000)
    chat.apply({"tool-state": "ok", "id": "c2"}, {"tail": 1})
    stood = line.inner_text()
    chat.page.wait_for_timeout(1600)
    assert line.inner_text() == stood


def test_the_tool_line_is_one_line_at_any_width(chat: Chat) -> None:
    long_name = "Read a file whose name is very long and goes on and on " * 4
    chat.apply({"user": "Go"}, {"think": "x", "step": "1:1"})
    chat.apply({"tool": "Bash", "id": "c1", "summary": long_name, "state": "ok"}, {"tail": 1})
    for width in (320, 480, 1280, 2560):
        chat.page.set_viewport_size({"width": width, "height": 800})
        box = chat.page.locator("[data-thinkfold-box]").bounding_box()
        assert box
        assert box["height"] == 24
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert chat.page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_box_keeps_a_visible_row_with_an_anchor(chat: Chat) -> None:
    chat.apply(*turn(1), *turn(2, tools=3))
    visible = chat.page.evaluate(
        "() => [...document.querySelectorAll('[data-thinkfold-box]')].map(line => {"
        " const row = line.closest('[data-chat-anchor-key]'); return row.getBoundingClientRect().height > 20; })"
    )
    assert visible == [True, True]


def test_steering_in_mid_turn_makes_two_boxes_and_stays_visible(chat: Chat) -> None:
    tools = [{"tool": "Bash", "id": f"c{index}", "summary": f"Run {index}", "state": "ok"} for index in range(1, 5)]
    chat.apply({"user": "Go"}, *tools[:2], {"steering": "Rather the other one"}, *tools[2:], {"tail": 1})
    lines = visible_lines(chat.page)
    assert [line for line in lines if line.startswith("box")] == ["box: Bash Run 2 2 steps", "box: Bash Run 4 2 steps"]
    expect(chat.page.get_by_text("Rather the other one")).to_be_visible()


def test_a_row_of_an_unknown_kind_stays_visible(chat: Chat) -> None:
    tools = [{"tool": "Bash", "id": f"c{index}", "summary": f"Run {index}", "state": "ok"} for index in range(1, 4)]
    chat.apply({"user": "Go"}, *tools[:2], {"row": "hologram", "id": "h", "text": "A new kind"}, tools[2], {"tail": 1})
    expect(chat.page.get_by_text("A new kind")).to_be_visible()
    framed = '[data-chat-flow-kind="hologram"][data-thinkfold-frame]'
    expect(chat.page.locator(framed)).to_have_count(0)


def test_an_error_stays_visible_below_the_folded_process(chat: Chat) -> None:
    tools = [{"tool": "Bash", "id": f"c{index}", "summary": f"Run {index}", "state": "ok"} for index in range(1, 3)]
    chat.apply({"user": "Go"}, *tools, {"row": "turn-error", "id": "e", "text": "The model is away"}, {"tail": 1})
    expect(chat.page.get_by_text("The model is away")).to_be_visible()
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(1)


def test_rows_that_the_host_replaces_or_removes_leave_no_trace(chat: Chat) -> None:
    chat.apply(*turn(1, tools=3))
    page = chat.page
    rows = chat.process_rows()
    for key in rows[:5]:  # every row of the box in turn, the one with the tool line among them
        chat.apply({"remount": key})
        expect(page.locator("[data-thinkfold-box]")).to_have_count(1)
        assert visible_lines(page)[1] == "box: Bash Run 1.3 6 steps"
    chat.apply({"remove": rows[0]})
    expect(page.locator("[data-thinkfold-box]")).to_have_text("BashRun 1.35 steps")
    page.evaluate("demo.reset()")
    assert marks_on_rows(page) == []


def test_an_opened_box_stays_open_when_its_rows_are_replaced_and_when_steps_come_in(chat: Chat) -> None:
    chat.apply(*turn(1)[:-2])
    line = chat.page.locator("[data-thinkfold-box]")
    line.click()
    for key in chat.process_rows()[:2]:
        chat.apply({"remount": key})
        expect(line).to_have_attribute("aria-expanded", "true")
    chat.apply({"tool": "Bash", "id": "late", "summary": "Late", "state": "running"})
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(line).to_contain_text("Late")


def test_another_session_and_back_another_view_and_back(chat: Chat, demo_url: str) -> None:
    page = chat.page
    page.goto(f"{demo_url}?speed=1000")
    page.evaluate("demo.ready")
    boxes = page.locator("[data-thinkfold-box]")
    expect(boxes.first).to_be_visible(timeout=20_000)
    expect(page.locator("[data-chat-flow-kind=turn-tail]")).to_have_count(4, timeout=20_000)
    there = boxes.count()
    assert there >= 3
    boxes.first.click()
    page.evaluate("demo.view('notes')")
    expect(boxes).to_have_count(0)
    page.evaluate("demo.view('chat')")
    expect(boxes).to_have_count(there)
    expect(boxes.first).to_have_attribute("aria-expanded", "true")
    page.evaluate("demo.select(1)")
    expect(boxes.first).to_have_attribute("aria-expanded", "false")
    expect(page.locator("[data-thinkfold-arrow]")).to_have_count(0)
    page.evaluate("demo.select(0)")
    expect(boxes.first).to_have_attribute("aria-expanded", "true")


def test_older_turns_are_folded_when_they_arrive(chat: Chat) -> None:
    chat.page.evaluate(
        "events => demo.older([events])",
        [*turn(1), *turn(2)],
    )
    chat.apply(*turn(3))
    chat.page.get_by_role("button", name="older").click()
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(3)
    boxes = [line for line in visible_lines(chat.page) if line.startswith("box")]
    assert boxes == ["box: Bash Run 1.2 4 steps", "box: Bash Run 2.2 4 steps", "box: Bash Run 3.2 4 steps"]


def test_an_empty_chat_and_a_plain_answer_are_left_alone(chat: Chat) -> None:
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(0)
    chat.apply({"user": "Hi"}, {"text": "Hello.", "step": "1:1"}, {"tail": 1})
    lines = [line for line in visible_lines(chat.page) if not line.startswith("control")]
    assert lines == ["user: Hi", "text: Hello."]
    assert [mark for mark in marks_left(chat.page) if "frame" in mark or "hidden" in mark] == []


def test_two_hundred_turns_are_all_folded(chat: Chat, demo_url: str) -> None:
    chat.page.goto(f"{demo_url}?paused=1&turns=200")
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(200, timeout=30_000)


def test_a_row_that_the_host_moves_or_puts_back_has_one_tool_line(chat: Chat) -> None:
    chat.apply({"user": "Go"}, {"tool": "Bash", "id": "c1", "summary": "Run 1", "state": "ok"})
    chat.apply({"tool": "Bash", "id": "c2", "summary": "Run 2", "state": "ok"})
    rows = "document.querySelectorAll('[data-chat-flow-kind=tool-call]')"
    chat.page.evaluate(f"{rows}[1].after({rows}[0])")  # the row with the tool line goes to the second place
    lines = chat.page.locator("[data-thinkfold-box]")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text("Run 1")
    chat.page.evaluate(
        f"(async () => {{ const row = {rows}[0], next = {rows}[1]; row.remove();"
        " await new Promise(requestAnimationFrame); next.before(row); })()"
    )
    expect(lines).to_have_count(1)
    assert [line for line in visible_lines(chat.page) if line.startswith("tool")] == []


def test_a_running_turn_that_loses_rows_goes_on_and_one_that_goes_leaves_nothing(chat: Chat) -> None:
    tools = [{"tool": "Bash", "id": f"c{n}", "summary": f"Run {n}", "state": "running"} for n in (1, 2, 3)]
    chat.apply({"user": "Go", "id": "u1"}, *tools)
    line = chat.page.locator("[data-thinkfold-box]")
    expect(line).to_contain_text("3 steps · 1s", timeout=5000)
    chat.apply({"remove": chat.page.evaluate("demo.rows()")[0]})  # the turn's first row, and with it the turn's name
    expect(line).to_contain_text("3 steps · 3s", timeout=5000)
    chat.page.evaluate("demo.reset()")
    chat.page.wait_for_timeout(1200)  # longer than the clock's second
    expect(line).to_have_count(0)
    expect(chat.page.locator("html[data-thinkfold=on]")).to_be_attached()
