"""The keyboard and what a screen reader hears (F7)."""

from __future__ import annotations

from conftest import Chat, turn
from playwright.sync_api import expect


def focused(chat: Chat) -> str:
    """What has the focus: ``line``, ``arrow``, or the words of the element."""
    return str(
        chat.page.evaluate(
            "() => { const e = document.activeElement; if (e === document.body) return 'page';"
            " return e.matches('[data-thinkfold-box]') ? 'line' : e.matches('[data-thinkfold-arrow]') ? 'arrow' :"
            " (e.getAttribute('aria-label') ?? e.textContent).trim(); }"
        )
    )


def stops_from(chat: Chat, first: str, count: int, key: str = "Tab") -> list[str]:
    """Where the focus goes from *first* on."""
    stops = [focused(chat)]
    while len(stops) < count:
        chat.page.keyboard.press(key)
        stops.append(focused(chat))
    assert stops[0] == first
    return stops


def test_tab_goes_through_what_one_sees_in_its_order(chat: Chat) -> None:
    chat.apply(*turn(1), *turn(2))
    lines = chat.page.locator("[data-thinkfold-box]")
    lines.first.focus()
    folded = stops_from(chat, "line", 14)
    assert "arrow" not in folded
    assert not any(stop.startswith(("Think", "Bash")) for stop in folded)  # nothing that is hidden
    assert folded.count("line") == 2
    lines.first.focus()
    chat.page.keyboard.press("Enter")
    chat.open_groups()
    lines.first.focus()
    chat.page.keyboard.press("Shift+Tab")
    opened = [stop for stop in stops_from(chat, "arrow", 12) if stop.startswith(("line", "arrow", "Think", "Bash"))]
    assert [stop.split()[0][:5] for stop in opened[:6]] == ["arrow", "line", "Think", "BashR", "Think", "BashR"]


def test_the_arrow_folds_by_keyboard_and_gives_the_focus_to_the_line(chat: Chat) -> None:
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    for opens, folds in (("Enter", "Enter"), ("Space", "Space"), ("Enter", "Escape")):
        line.focus()
        chat.page.keyboard.press(opens)
        expect(line).to_have_attribute("aria-expanded", "true")
        arrow = chat.page.get_by_role("button", name="Fold the steps")
        expect(arrow).to_have_attribute("title", "Fold the steps")
        arrow.focus()
        chat.page.keyboard.press(folds)
        expect(line).to_have_attribute("aria-expanded", "false")
        expect(line).to_be_focused()


def test_the_line_names_what_it_opens(chat: Chat) -> None:
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    controlled = (
        "element => [...element.ariaControlsElements].every(each => each.isConnected && "
        "each.closest('[data-chat-flow]')) && element.ariaControlsElements.length"
    )
    before = line.evaluate(controlled)
    assert before >= 3
    line.click()
    assert line.evaluate(controlled) >= 3
    chat.apply({"remount": chat.process_rows()[1]})
    assert line.evaluate(controlled) >= 3  # the row that came in place of another too
    expect(chat.page.get_by_role("button", name="Bash Run 1.2", expanded=True)).to_have_count(1)


def test_a_screen_reader_hears_opened_and_closed_and_nothing_while_the_chat_runs(chat: Chat) -> None:
    chat.apply(*turn(1))
    heard = chat.page.locator("[data-thinkfold-live]")
    chat.page.evaluate(
        "() => { window.heard = []; const live = document.querySelector('[data-thinkfold-live]');"
        " new MutationObserver(() => heard.push(live.textContent.trim())).observe(live, {childList: true}); }"
    )
    expect(heard).to_have_attribute("role", "status")
    line = chat.page.locator("[data-thinkfold-box]").first
    line.click()
    chat.page.locator("[data-thinkfold-arrow]").click()
    line.press("Enter")
    chat.play(*turn(2), speed=50)
    assert chat.page.evaluate("heard") == ["Box opened", "Box closed", "Box opened"]


def test_a_click_on_a_link_follows_it_and_a_double_click_opens_once(chat: Chat) -> None:
    chat.apply(*turn(1))
    page = chat.page
    line = page.locator("[data-thinkfold-box]")
    page.evaluate(
        "() => { const link = document.createElement('a'); link.href = '#'; link.textContent = ' a link';"
        " link.onclick = (event) => { event.preventDefault(); window.followed = true; };"
        " [...document.querySelectorAll('p')].find(p => p.textContent === 'Between 1.2').append(link); }"
    )
    page.get_by_role("link", name="a link").click()
    assert page.evaluate("followed") is True
    expect(line).to_have_attribute("aria-expanded", "false")
    page.get_by_text("Between 1.2").dblclick(position={"x": 5, "y": 10})
    expect(line).to_have_attribute("aria-expanded", "true")
