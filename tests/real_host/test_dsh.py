"""The box on the real DSH Web of every generation, with a scripted model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.extension import choose
from support.marks import lasting_lines, marks_left, visible_lines, wait_until_on
from support.sampling import SAMPLER, faults, start_sampling, stop_sampling

from tools.browser import open_browser

from .host import FIRST_VERSION, Host
from .versions import CONTEXT_ROWS, EVERY, FULL, NEWEST, ON_NEWEST

FLOW_HTML = "() => document.querySelector('[data-chat-flow]').outerHTML"


def folded_lines(prompt: str, steps: int) -> list[str]:
    """What a folded turn of ``few rounds`` shows, with times left out."""
    return [
        f"user: {prompt}",
        f"box: Think I have it all. {steps} steps",
        "text: First I look at what is there.",
        "text: Halfway: two files are read. a is short b is short",
        "text: Answer There are three files.",
    ]


def lines_of(page: Page) -> list[str]:
    """The visible lines without what differs from run to run, and without a code block's frame."""
    return [re.sub(r"(three files\.).*", r"\1", line) for line in lasting_lines(page)]


@EVERY
def test_a_turn_of_several_rounds(chat: Page, host: Host, shots: Path) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    line = chat.locator("[data-thinkfold-box]")

    # One folded box whose tool line names the latest item; the texts inside in full; the answer outside; the
    # host's own fold, where it has one, nowhere to be seen.
    expect(line).to_have_count(1)
    expect(line).to_have_attribute("aria-expanded", "false")
    assert lines_of(chat) == folded_lines("few rounds", 7 + CONTEXT_ROWS[host.version])
    inside = '[data-thinkfold-frame] [class*="_markdown_"], [class*="_markdown_"][data-thinkfold-frame]'
    assert chat.locator(inside).evaluate_all("texts => texts.filter(text => text.checkVisibility()).length") == 2
    chat.screenshot(path=shots / f"{host.version}-folded.png")

    # Expanding shows all in its order, as the host shows it when it does not fold.
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")
    kinds = [line.split(":")[0] for line in visible_lines(chat)]
    if host.version == NEWEST:
        assert kinds == ["user", "box", "group", "text", "group", "text", "group", "text"]
        for header in chat.locator("[data-process-activity]").all():
            header.click()
    rows = ["think", "text", "tool", "think", "tool", "tool", "text", "tool", "think", "text"]
    assert [line.split(":")[0] for line in visible_lines(chat) if not line.startswith("group")] == [
        "user",
        "box",
        *rows,
    ]
    chat.mouse.move(5, 5)
    chat.screenshot(path=shots / f"{host.version}-expanded.png")
    chat.locator("[data-thinkfold-arrow]").click()
    expect(line).to_have_attribute("aria-expanded", "false")
    assert lines_of(chat) == folded_lines("few rounds", 7 + CONTEXT_ROWS[host.version])


@FULL
def test_a_plain_answer_is_left_alone(chat: Page, host: Host) -> None:
    host.send(chat, "just answer")
    host.wait_for_turn(chat, 1)
    expect(chat.locator("[data-thinkfold-box], [data-thinkfold-frame], [data-thinkfold-hidden]")).to_have_count(0)


@EVERY
def test_history_is_folded_on_load_and_after_switching_views(chat: Page, host: Host) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    host.send(chat, "few rounds again")
    host.wait_for_turn(chat, 2)
    chat.reload()
    wait_until_on(chat)
    boxes = chat.locator("[data-thinkfold-box]")
    expect(boxes).to_have_count(2, timeout=20_000)
    both = [*folded_lines("few rounds", 7 + CONTEXT_ROWS[host.version]), *folded_lines("few rounds again", 7)]
    assert lines_of(chat) == both
    chat.get_by_role("tab", name="Trajectory").click()
    expect(boxes).to_have_count(0)
    chat.get_by_role("tab", name="Chat").click()
    expect(boxes).to_have_count(2)
    assert lines_of(chat) == both
    host.new_session(chat)
    expect(boxes).to_have_count(0)


@FULL
def test_no_painted_frame_of_a_streamed_turn_shows_two_tools_or_misses_a_text(chat: Page, host: Host) -> None:
    start_sampling(chat)
    host.send(chat, "eight rounds")
    host.wait_for_turn(chat, 1)
    chat.wait_for_timeout(800)  # the host folds the turn itself now, if it does
    frames = stop_sampling(chat)
    last = frames[-1][0]
    assert len(frames) > 100
    # nine calls and seven thoughts, and what the host injects
    assert (last["tools"], last["texts"], last["folded"]) == (16 + CONTEXT_ROWS[host.version], 5, 1)
    assert faults(frames, 0) == []


@FULL
def test_the_sampler_notices_a_host_without_the_extension(playwright: Playwright, host: Host) -> None:
    """The check of the test above can fail."""
    with open_browser(playwright, extension=False) as bare:
        bare.add_init_script(SAMPLER)
        page = bare.new_page()
        host.open(page)
        host.new_session(page)
        start_sampling(page)
        host.send(page, "eight rounds")
        host.wait_for_turn(page, 1)
        assert any("tool items show" in fault for fault in faults(stop_sampling(page), 0))


@EVERY
def test_off_gives_the_host_back_to_the_letter(chat: Page, host: Host, browser: BrowserContext) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    choose(browser, enabled=False)
    chat.reload()  # folded by nobody but the host
    chat.wait_for_selector("[data-chat-flow-kind=turn-tail]", state="attached")
    chat.wait_for_timeout(800)
    bare, bare_lines = chat.evaluate(FLOW_HTML), visible_lines(chat)
    choose(browser, enabled=True)
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(1, timeout=20_000)
    chat.locator("[data-thinkfold-box]").click()
    choose(browser, enabled=False)
    expect(chat.locator("html[data-thinkfold]")).to_have_count(0)
    assert marks_left(chat) == []
    assert chat.evaluate(FLOW_HTML) == bare  # folded, opened and unfolded again without a reload
    assert visible_lines(chat) == bare_lines
    if host.version != FIRST_VERSION:  # the host's own fold is at work as it was
        assert sum(line.startswith("control:") for line in bare_lines) == 1
        assert not [line for line in bare_lines if line.startswith(("think", "tool"))]


@FULL
def test_the_host_goes_on_as_ever_under_the_marks(chat: Page, host: Host) -> None:
    """A second turn renders after a box was opened; the rows are all there, once and in order."""
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    chat.locator("[data-thinkfold-box]").click()
    host.send(chat, "few rounds once more")
    host.wait_for_turn(chat, 2)
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(2)
    expect(chat.locator("[data-thinkfold-box]").first).to_have_attribute("aria-expanded", "true")
    chat.locator("[data-thinkfold-arrow]").click()
    assert lines_of(chat) == [
        *folded_lines("few rounds", 7 + CONTEXT_ROWS[host.version]),
        *folded_lines("few rounds once more", 7),
    ]
    keys = chat.evaluate(
        "() => [...document.querySelectorAll('[data-chat-flow-kind]')].map(row => row.dataset.chatFlowKey)"
    )
    assert len(keys) == len(set(keys))


VIEWS = [
    (view, timing) for view in ("compact", "standard", "detailed", "verbose") for timing in ("completion", "next-input")
]


@ON_NEWEST
@pytest.mark.parametrize(("view", "timing"), VIEWS)
def test_every_transcript_view_and_both_timings(chat: Page, host: Host, view: str, timing: str, shots: Path) -> None:
    host.configure_chat(chat, transcriptView=view, collapseTiming=timing)
    try:
        start_sampling(chat)
        host.send(chat, "few rounds")
        host.wait_for_turn(chat, 1)
        chat.wait_for_timeout(800)
        assert lines_of(chat)[-4:] == folded_lines("few rounds", 7)[1:]
        host.send(chat, "few rounds again")  # with next-input the host folds the first turn now, with motion
        host.wait_for_turn(chat, 2)
        chat.wait_for_timeout(800)
        frames = stop_sampling(chat)
        assert faults(frames, 0) == []
        assert faults(frames, 1) == []
        folded = [line for line in lines_of(chat) if not line.startswith("control")]
        assert folded == [*folded_lines("few rounds", 7), *folded_lines("few rounds again", 7)]
        for line in chat.locator("[data-thinkfold-box]").all():
            line.click()
        shown = [line.split(":")[0] for line in visible_lines(chat) if not line.startswith("control")]
        turn = ["user", "box", "group", "text", "group", "text", "group", "text"]
        opened = ["user", "box", "think", "text", "tool", "think", "tool", "tool", "text", "tool", "think", "text"]
        turns = [shown[: shown.index("user", 1)], shown[shown.index("user", 1) :]]
        assert all(each in (turn, opened) for each in turns), turns
        chat.screenshot(path=shots / f"{view}-{timing}.png")
    finally:
        host.configure_chat(chat, transcriptView="detailed", collapseTiming="completion")


@ON_NEWEST
def test_standing_back_leaves_finished_turns_to_the_host(chat: Page, host: Host, browser: BrowserContext) -> None:
    choose(browser, hostFold="stand back")
    host.send(chat, "slow rounds")
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(1, timeout=20_000)  # while it runs, the box is ours
    host.wait_for_turn(chat, 1)
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(0)
    assert [line.split(":")[0] for line in visible_lines(chat)] == ["user", "control", "text"]
    choose(browser, hostFold="take over")  # at once, on the open page
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(1)
    assert [line.split(":")[0] for line in visible_lines(chat)] == ["user", "box", "text", "text", "text"]
    choose(browser, hostFold="stand back")
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(0)
    chat.locator("[data-turn-process]").click()  # and the host's own fold works as ever
    assert [line.split(":")[0] for line in visible_lines(chat)] == [
        *["user", "control", "group", "text", "group", "text", "group", "text"]
    ]


@FULL
def test_a_stopped_turn_folds_and_nothing_runs_for_ever(chat: Page, host: Host) -> None:
    host.send(chat, "endless")
    line = chat.locator("[data-thinkfold-box]")
    expect(line).to_have_count(1, timeout=20_000)
    chat.get_by_role("button", name="Stop").first.click()
    host.wait_for_turn(chat, 1)
    expect(line).to_have_count(1)
    expect(line).not_to_have_attribute("data-thinkfold-state", "running")
    assert [entry for entry in visible_lines(chat) if entry.startswith(("tool", "think"))] == []


@FULL
def test_dark_theme(playwright: Playwright, host: Host, shots: Path) -> None:
    with open_browser(playwright, viewport={"width": 1280, "height": 900}, color_scheme="dark") as dark:
        page = dark.new_page()
        host.open(page)
        wait_until_on(page)
        host.new_session(page)
        host.send(page, "few rounds")
        host.wait_for_turn(page, 1)
        page.screenshot(path=shots / f"{host.version}-folded-dark.png")
        border, background = page.evaluate(
            "() => [getComputedStyle(document.querySelector('[data-thinkfold-frame]')).borderTopColor,"
            " getComputedStyle(document.querySelector('[data-phase]')).backgroundColor]"
        )
        assert re.match(r"rgba\(255, 255, 255, 0\.\d+\)", border)  # the host's own border colour in its dark theme
        assert background != "rgb(255, 255, 255)"


@ON_NEWEST
def test_a_match_of_find_in_page_opens_the_host_s_fold_and_the_box_with_it(
    chat: Page, host: Host, browser: BrowserContext
) -> None:
    host.send(chat, "few rounds")
    host.wait_for_turn(chat, 1)
    control = chat.locator("[data-turn-process]")
    expect(control).to_have_attribute("aria-expanded", "false")
    chat.evaluate(
        "() => document.querySelector('[data-chat-flow-kind=tool-call][hidden]')"
        ".dispatchEvent(new Event('beforematch', {bubbles: true}))"
    )
    expect(control).to_have_attribute("aria-expanded", "true")  # as on the bare host: a match opens its fold
    expect(chat.locator("[data-thinkfold-box]")).to_have_attribute("aria-expanded", "true")
    choose(browser, enabled=False)
    assert sum(line.startswith("control") for line in visible_lines(chat)) == 1
    assert sum(line.startswith("group") for line in visible_lines(chat)) == 3


EDGE_OVER_FRAMES = """
(number) => new Promise((resolve) => {
  const edges = [];
  const look = () => {
    const lowest = [...document.querySelectorAll("[data-thinkfold-frame~=bottom]")];
    const shown = lowest.filter((element) => element.getClientRects().length);
    edges.push(shown.at(number).getBoundingClientRect().bottom);
    if (edges.length < 30) requestAnimationFrame(look);
    else resolve(edges);
  };
  requestAnimationFrame(look);
})
"""


@FULL
def test_the_lower_edge_of_a_box_stays_while_it_opens_and_folds(chat: Page, host: Host) -> None:
    chat.set_viewport_size({"width": 1280, "height": 620})
    for number in (1, 2, 3):
        host.send(chat, f"few rounds {number}")
        host.wait_for_turn(chat, number)
    for number in (-1, 1):  # the last box while the host follows the chat's foot, then one in the middle
        line = chat.locator("[data-thinkfold-box]").nth(number)
        if number == 1:
            line.evaluate("element => element.scrollIntoView({block: 'center'})")
        chat.wait_for_timeout(700)
        before = chat.evaluate(EDGE_OVER_FRAMES, number)[0]
        for expanded in ("true", "false"):
            line.evaluate("element => element.click()")
            edges = chat.evaluate(EDGE_OVER_FRAMES, number)
            expect(line).to_have_attribute("aria-expanded", expanded)
            assert max(abs(edge - before) for edge in edges) <= 2
