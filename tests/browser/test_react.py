"""React goes on as ever with rows that the extension marks: real React, with nothing else around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from support.marks import marks_left, marks_on_rows, visible_lines, wait_until_on

HERE = Path(__file__).parent
MODULES = HERE.parents[1] / "node_modules"
FILES = {
    "react": HERE / "react_list.html",
    "react.js": MODULES / "react/umd/react.development.js",
    "react-dom.js": MODULES / "react-dom/umd/react-dom.development.js",
}

ROWS = [
    ["u", "user", "Question"],
    ["s1", "assistant-step", "Thought"],
    ["c1", "tool-call", "Run 1"],
    ["c2", "tool-call", "Run 2"],
    ["c3", "tool-call", "Run 3"],
    ["s2", "assistant-step", "The answer."],
    ["9:turn-tail1", "turn-tail", ""],
]


@pytest.fixture
def react(page: Page, demo_url: str) -> Page:
    """The chat drawn by React. The test fails when the console had an error, React's own among them."""

    def answer(route: Route) -> None:
        file = FILES[route.request.url.rsplit("/", 1)[1]]
        kind = "text/html" if file.suffix == ".html" else "text/javascript"
        route.fulfill(body=file.read_text("utf-8"), content_type=f"{kind}; charset=utf-8")

    for name in FILES:
        page.route(f"**/{name}", answer)
    page.goto(f"{demo_url}react")
    wait_until_on(page)
    return page


def show(page: Page, rows: list[list[str]]) -> None:
    """Let React draw *rows*, and check that it ends with exactly its own."""
    page.evaluate("rows => show(rows)", rows)
    assert page.evaluate("keys()") == [key for key, _, _ in rows]


@pytest.mark.parametrize("wrapped", [False, True], ids=["plain", "with texts wrapped by a translator"])
@pytest.mark.parametrize("expanded", [False, True], ids=["folded", "opened"])
def test_react_removes_inserts_replaces_and_unmounts(react: Page, wrapped: bool, expanded: bool) -> None:
    show(react, ROWS)
    line = react.locator("[data-thinkfold-box]")
    expect(line).to_contain_text("4 steps")
    if expanded:
        line.click()
    if wrapped:
        react.evaluate("wrapTexts()")
    state = str(expanded).lower()

    rows = [row for row in ROWS if row[0] != "c1"]
    show(react, rows)
    expect(line).to_contain_text("3 steps")
    rows.insert(3, ["c9", "tool-call", "Inserted"])
    show(react, rows)
    expect(line).to_contain_text("4 steps")
    rows[1] = ["s9", "assistant-step", "Thought again"]  # the row of the tool line
    show(react, rows)
    expect(line).to_have_count(1)
    expect(line).to_contain_text("4 steps")
    expect(line).to_have_attribute("aria-expanded", state)
    rows.insert(2, rows.pop(4))
    show(react, rows)  # and a row goes to another place
    expect(line).to_have_count(1)
    shown = [each.split(":")[0] for each in visible_lines(react)]
    inside = ["think", "tool", "tool", "tool"] if expanded else []
    assert shown == ["user", "box", *inside, "text"]

    react.evaluate("unmount()")
    assert react.evaluate("document.getElementById('root').childNodes.length") == 0
    assert marks_on_rows(react) == []
    assert not [mark for mark in marks_left(react) if "flow" in mark]
    react.evaluate("rows => { document.body.append('still alive'); }", [])
    expect(react.locator("html[data-thinkfold=on]")).to_be_attached()


def test_a_list_that_react_draws_in_another_order_has_every_row_once(react: Page) -> None:
    show(react, ROWS)
    react.locator("[data-thinkfold-box]").click()
    middle = ROWS[1:5]
    for order in ([3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]):
        show(react, [ROWS[0], *(middle[index] for index in order), *ROWS[5:]])
        expect(react.locator("[data-thinkfold-box]")).to_have_count(1)
        expect(react.locator("[data-thinkfold-arrow]")).to_have_count(1)
        assert [line.split(":")[0] for line in visible_lines(react)].count("tool") == 3
