"""Rows that the real hosts of ``tests/real_host`` cannot be made to draw."""

from __future__ import annotations

from conftest import Chat
from playwright.sync_api import expect
from support.marks import lasting_lines

PICTURE = """
() => {
  const picture = document.createElement("img");
  picture.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'></svg>";
  const part = document.createElement("div");
  part.append(picture);
  document.querySelector("[data-streaming] > div").append(part);
}
"""


def lines(chat: Chat) -> list[str]:
    """The visible lines without the host's own control and groups."""
    return [line for line in lasting_lines(chat.page) if not line.startswith(("control", "group"))]


def tool(number: int, state: str = "ok") -> dict[str, object]:
    return {"tool": "Bash", "id": f"c{number}", "summary": f"Run {number}", "state": state}


def test_a_row_of_an_unknown_kind_stays_visible_and_never_inside_a_box(chat: Chat) -> None:
    """The hosts draw one for an event that a plugin logs and nobody draws, or for a plugin's own kind."""
    chat.apply(
        {"user": "Go on", "id": "u1"},
        *(tool(1), tool(2)),
        {"text": "Halfway.", "step": "1:1"},
        {"row": "unknown", "id": "x1", "text": ": nobody knows me"},
        {"text": "And on.", "step": "1:2"},
        {"row": "plugin-weather", "id": "x2", "text": ": rain"},
        *(tool(3), tool(4, "running")),
    )
    assert lines(chat) == [
        "user: Go on",
        "box: Bash Run 2 2 steps",
        "text: Halfway.",
        "unknown: unknown: nobody knows me",
        "text: And on.",
        "plugin-weather: plugin-weather: rain",
        "box: Bash Run 4 2 steps",
    ]


def test_a_goal_and_a_late_answer_stay_visible_within_their_turn(chat: Chat) -> None:
    """A goal set while a turn runs, and an answer to a question that the model has stopped waiting for: the first
    hangs on the second at which it is typed, the second on a host's setting and minutes of waiting."""
    chat.apply(
        {"user": "Go on", "id": "u1"},
        *(tool(1), tool(2)),
        {"row": "command-input", "id": "g1", "text": ": /goal shine"},
        {"row": "command", "id": "g1", "text": "Goal created"},
        *(tool(3), tool(4)),
        {"row": "question-reply", "id": "q1", "text": ": blue"},
        *(tool(5), tool(6, "running")),
    )
    assert lines(chat) == [
        "user: Go on",
        "box: Bash Run 2 2 steps",
        "command-input: command-input: /goal shine",
        "command: Goal created",
        "box: Bash Run 4 2 steps",
        "question-reply: question-reply: blue",
        "box: Bash Run 6 2 steps",
    ]
    running = chat.page.locator("[data-thinkfold-state=running]")
    expect(running).to_have_count(1)  # it is one turn, which is not over for the words in its middle
    chat.apply({"text": "It shines.", "step": "1:1"}, {"tail": 1})
    expect(running).to_have_count(0)


def test_an_image_in_a_step_shows_in_the_box(chat: Chat) -> None:
    """The model of no host answers with an image, though their pages can draw one."""
    chat.apply(
        {"user": "Draw it", "id": "u1"},
        *(tool(1), tool(2)),
        {"text": "Here.", "step": "1:1", "state": "running"},
    )
    chat.page.evaluate(PICTURE)
    chat.apply(tool(3))
    assert lines(chat) == ["user: Draw it", "box: Bash Run 3 3 steps", "text: Here."]
    expect(chat.page.locator("[data-thinkfold-frame] img")).to_be_visible()
