"""Rows that the real hosts of ``tests/real_host`` cannot be made to draw."""

from __future__ import annotations

from support.marks import lasting_lines

from .conftest import Chat

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


def test_a_row_of_an_unknown_kind_stays_visible_and_never_inside_a_box(chat: Chat) -> None:
    """The hosts draw one for an event that a plugin logs and nobody draws, or for a plugin's own kind."""
    chat.apply(
        {"user": "Go on", "id": "u1"},
        {"tool": "Bash", "id": "c1", "summary": "One", "state": "ok"},
        {"tool": "Bash", "id": "c2", "summary": "Two", "state": "ok"},
        {"text": "Halfway.", "step": "1:1"},
        {"row": "unknown", "id": "x1", "text": "Nobody knows me"},
        {"text": "And on.", "step": "1:2"},
        {"row": "plugin-weather", "id": "x2", "text": "Rain"},
        {"tool": "Bash", "id": "c3", "summary": "Three", "state": "ok"},
        {"tool": "Bash", "id": "c4", "summary": "Four", "state": "running"},
    )
    print(lines(chat))
    assert 0
