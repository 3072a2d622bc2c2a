"""What the reader looks at stays where it is, and the host follows its chat's foot or not, as it had it (F8).

The same host's page without the extension is the yardstick of following.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.reading_place import (
    RECORD_FROM_THE_START,
    RECORDER,
    Frame,
    largest_distance,
    largest_move,
    record,
    record_what_is_read,
    recorded,
    wait_for_frames,
)

from tools.browser import open_browser

from .conftest import eight_rounds
from .host import Host
from .model_server import Reply, bash
from .versions import FULL

STILL = 2.0
"""By so many pixels may move what the reader looks at (F8)."""

WINDOW = {"width": 1280, "height": 800}


def paragraphs(number: int) -> str:
    """A text of *number* paragraphs, each about 50 pixels high in the tests' window."""
    words = "has enough words to fill a line of the column in which the chat is drawn, and then some more."
    return "\n\n".join(f"Paragraph {index} {words}" for index in range(1, number + 1))


SHORT_ROUNDS = [
    Reply(think="A look.", tools=[bash("true", "Look")]),
    Reply(text="Between the calls.", tools=[bash("true", "Look again")]),
]


@pytest.fixture(autouse=True)
def scripts(host: Host) -> None:
    host.model.script("long answer", [*SHORT_ROUNDS, Reply(text=paragraphs(12))])
    host.model.script("eight rounds slowly", eight_rounds(pause=0.03))
    long_text = Reply(think="A look.", text=paragraphs(40), tools=[bash("true", "Look")], pause=0.01)
    host.model.script("long text", [long_text, *SHORT_ROUNDS, Reply(text="The answer.", pause=0.05)])
    rounds = [Reply(think="So.", text=f"Text {n}.", tools=[bash("true", f"Look {n}")]) for n in range(1, 13)]
    host.model.script("many rounds", [*rounds, Reply(text="The answer.")])


@pytest.fixture
def page(page: Page) -> Page:
    page.set_viewport_size(WINDOW)
    page.add_init_script(RECORDER)
    return page


@pytest.fixture(scope="module")
def bare_browser(playwright: Playwright) -> Iterator[BrowserContext]:
    with open_browser(playwright, extension=False, viewport=WINDOW) as context:
        context.add_init_script(RECORDER)
        yield context


@pytest.fixture
def bare_chat(bare_browser: BrowserContext, host: Host) -> Iterator[Page]:
    """The host's page with a new session, without the extension."""
    tab = bare_browser.new_page()
    host.open(tab)
    host.new_session(tab)
    yield tab
    tab.close()


def fill(page: Page, host: Host, turns: int) -> None:
    """A new session of finished turns with long answers, so that there is something to scroll."""
    host.new_session(page)  # two pages that were opened side by side may share their empty session
    host.play(page, [f"long answer {number}" for number in range(1, turns + 1)])
    wait_until_calm(page)


def wait_until_calm(page: Page) -> None:
    """Wait until the host has done what it does after a turn's end: fold it, with motion or without."""
    page.wait_for_timeout(800)


def scroll_up(page: Page, pixels: float) -> None:
    """Turn the mouse wheel until the chat is *pixels* above its bottom or at its top: the host takes it for the
    reader's."""
    there = """pixels => {
      const chat = document.querySelector('[data-conversation-scroll]');
      return !chat.scrollTop || chat.scrollHeight - chat.clientHeight - chat.scrollTop >= pixels;
    }"""
    page.mouse.move(WINDOW["width"] / 2, 300)
    while not page.evaluate(there, pixels):
        page.mouse.wheel(0, -pixels)
        wait_for_frames(page, 6)


def follow_a_turn(page: Page, host: Host) -> list[Frame]:
    fill(page, host, 2)
    record(page)
    host.send(page, "eight rounds")
    host.wait_for_turn(page, 3)
    wait_until_calm(page)
    return recorded(page)


@FULL
def test_the_chat_stays_at_its_foot_while_a_turn_streams(chat: Page, bare_chat: Page, host: Host) -> None:
    bare = follow_a_turn(bare_chat, host)
    folded = follow_a_turn(chat, host)
    assert len(folded) > 100
    assert largest_distance(folded) <= max(largest_distance(bare), 1)


@FULL
@pytest.mark.parametrize("above", [900, 60])
def test_what_is_read_above_the_foot_does_not_move_while_a_turn_streams(chat: Page, host: Host, above: int) -> None:
    fill(chat, host, 2)
    host.send(chat, "eight rounds slowly")
    expect(chat.locator("[data-thinkfold-box]")).to_have_count(3)
    scroll_up(chat, above)
    record_what_is_read(chat)
    host.wait_for_turn(chat, 3)
    wait_until_calm(chat)
    frames = recorded(chat)
    assert len(frames) > 100
    assert largest_move(frames) <= STILL
    assert all(frame.to_bottom and frame.to_bottom > above / 2 for frame in frames)  # nobody follows the foot


@FULL
def test_a_text_that_is_read_does_not_move_when_it_is_swallowed(chat: Page, host: Host) -> None:
    host.send(chat, "just answer")  # the host injects its context into the first turn, and that is a step
    host.wait_for_turn(chat, 1)
    host.send(chat, "long text")
    expect(chat.get_by_text("Paragraph 22")).to_be_attached(timeout=20_000)
    scroll_up(chat, 700)
    record_what_is_read(chat)
    host.wait_for_turn(chat, 2)
    wait_until_calm(chat)
    frames = recorded(chat)
    assert (frames[0].boxes, frames[-1].boxes) == (0, 1)
    assert largest_move(frames) <= STILL


def load_again(page: Page, host: Host) -> list[Frame]:
    fill(page, host, 5)
    page.add_init_script(RECORD_FROM_THE_START)
    page.reload()
    host.wait_for_turn(page, 5)
    wait_until_calm(page)
    return [frame for frame in recorded(page) if frame.rows]


@FULL
def test_a_loaded_session_stands_at_its_foot_from_the_first_frame_on(chat: Page, bare_chat: Page, host: Host) -> None:
    bare = load_again(bare_chat, host)
    folded = load_again(chat, host)
    assert folded[-1].boxes == 5
    assert largest_distance(folded) <= max(largest_distance(bare), 1)


@FULL
def test_older_pages_do_not_move_what_is_read(chat: Page, host: Host) -> None:
    host.play(chat, [f"long answer {number}" for number in range(1, 31)])
    users = chat.locator("[data-chat-flow-kind=user]")
    older = chat.get_by_role("button", name="Load earlier")
    pages = 0
    while older.count():
        pages += 1
        shown = users.count()
        scroll_up(chat, 100_000)
        record_what_is_read(chat)
        older.click()
        expect(users).not_to_have_count(shown)
        wait_until_calm(chat)
        frames = recorded(chat)
        assert largest_move(frames) <= STILL
    assert pages == 2
    expect(users).to_have_count(30)


@FULL
def test_a_box_opens_upwards_under_the_pointer(chat: Page, host: Host) -> None:
    fill(chat, host, 3)
    box = chat.locator("[data-thinkfold-box]").nth(1)
    text = chat.get_by_text("Between the calls.").nth(1)
    answer = chat.get_by_text("Paragraph 1 has").nth(1)  # right under the box, it moves as the box's lower edge does
    text.evaluate("element => element.scrollIntoView({block: 'center'})")
    wait_for_frames(chat, 6)
    place = text.bounding_box()
    assert place
    pointer = (place["x"] + 20, place["y"] + place["height"] / 2)
    record(chat, answer)
    chat.mouse.click(*pointer)
    wait_for_frames(chat, 30)
    frames = recorded(chat)
    expect(box).to_have_attribute("aria-expanded", "true")
    assert largest_move(frames) <= STILL
    assert chat.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('[data-thinkfold-frame]') !== null", pointer
    )


@FULL
def test_on_a_page_too_short_a_box_opens_as_far_upwards_as_it_can(chat: Page, host: Host) -> None:
    chat.set_viewport_size({"width": 1280, "height": 1000})
    host.send(chat, "many rounds")
    host.wait_for_turn(chat, 1)
    wait_until_calm(chat)
    record(chat, chat.get_by_text("The answer."))
    chat.get_by_text("Text 12.").click()
    wait_for_frames(chat, 30)
    frames = recorded(chat)
    assert chat.evaluate(
        "() => (c => c.scrollHeight > c.clientHeight)(document.querySelector('[data-conversation-scroll]'))"
    )
    assert largest_distance(frames) <= 1  # it cannot be scrolled further
    assert len({frame.place for frame in frames}) == 2  # before and after, and nothing in between


@FULL
def test_folded_from_above_its_lower_edge_the_box_comes_under_the_pointer(chat: Page, host: Host) -> None:
    chat.set_viewport_size({"width": 1280, "height": 500})
    host.send(chat, "many rounds")
    host.wait_for_turn(chat, 1)
    host.send(chat, "long answer")
    host.wait_for_turn(chat, 2)
    wait_until_calm(chat)
    box = chat.locator("[data-thinkfold-box]").first
    box.click()
    box.evaluate("element => element.scrollIntoView({block: 'start'})")
    chat.mouse.move(640, 200)
    chat.mouse.wheel(0, 150)
    wait_for_frames(chat, 30)
    arrow = chat.locator("[data-thinkfold-arrow]").bounding_box()
    assert arrow
    pointer = (arrow["x"] + arrow["width"] / 2, arrow["y"] + arrow["height"] / 2)
    lower_edge = chat.locator("[data-thinkfold-frame~=bottom]").first.bounding_box()
    assert lower_edge and lower_edge["y"] > 500  # out of view
    record(chat, box)
    chat.mouse.click(*pointer)
    wait_for_frames(chat, 30)
    frames = recorded(chat)
    expect(box).to_have_attribute("aria-expanded", "false")
    assert all(frame.place and frame.place[0] <= pointer[1] <= frame.place[1] for frame in frames[5:])
