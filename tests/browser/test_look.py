"""How a box looks: in narrow windows, from right to left, in forced colours, with little motion.

``python build.py shots`` takes the pictures of all this; here is what can be said without eyes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from tools.browser import open_browser

LONG = "Export 200 times, count the lines of every file, and say which of them are short and by how much"
CODE = f"```py\n{'wide ' * 60}\n```"
TABLE = "| a | b |\n|---|---|\n" + f"| {'wide ' * 30} | {'wide ' * 30} |"
UNBROKEN = "https://example.org/" + "an/address/without/a/blank/" * 6
WIDE_TURN: list[dict[str, object]] = [
    {"user": "Go", "id": "u1"},
    {"think": "A thought", "step": "1:1"},
    {"text": f"Wide things:\n\n{CODE}\n\n{TABLE}\n\n{UNBROKEN}", "step": "1:1"},
    {"tool": "Bash", "id": "c1", "summary": LONG, "state": "ok"},
    {"text": "The answer.", "step": "1:2"},
    {"tail": 1},
]

LINE, ARROW = "[data-thinkfold-box]", "[data-thinkfold-arrow]"
WIDTHS = (320, 480, 760, 1280, 2560)

WORDS_EDGES = """
(selector) => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(selector));
  const { left, right } = range.getBoundingClientRect();
  return [left, right];
}
"""


def edges(page: Page, selector: str) -> tuple[float, float]:
    """The left and the right edge of the first element that is visible, in CSS px."""
    box = page.locator(selector).locator("visible=true").first.bounding_box()
    assert box
    return box["x"], box["x"] + box["width"]


@pytest.fixture
def wide(chat: Chat) -> Page:
    """A turn of wide things."""
    chat.apply(*WIDE_TURN)
    return chat.page


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(wide: Page, width: int) -> None:
    wide.set_viewport_size({"width": width, "height": 900})
    for expanded in ("false", "true"):
        expect(wide.locator(LINE)).to_have_attribute("aria-expanded", expanded)
        scrollers = "[document.scrollingElement, document.querySelector('.demo-port')]"
        assert wide.evaluate(f"{scrollers}.map(e => e.scrollWidth - e.clientWidth)") == [0, 0]
        left, right = edges(wide, '[data-thinkfold-frame~="bottom"]')
        assert left >= 0
        assert right <= width
        if expanded == "false":
            wide.locator(LINE).click()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tool_line_is_one_line_with_its_count_and_nothing_else_is_cut(wide: Page, width: int) -> None:
    wide.set_viewport_size({"width": width, "height": 900})
    parts = wide.locator("[data-thinkfold-part]:not([data-thinkfold-part=icon])")
    assert parts.evaluate_all("parts => parts.map(part => part.getBoundingClientRect().height)") == [24, 24, 24]
    cut = parts.evaluate_all("parts => parts.map(part => part.scrollWidth > part.clientWidth)")
    assert cut == [False, width < 760, False]
    line = edges(wide, LINE)
    count = edges(wide, "[data-thinkfold-part=count]")
    assert abs(count[1] - line[1]) <= 13  # at the line's end; a framed line has its padding there


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_arrow_is_within_the_window_astride_the_edge_and_clear_of_the_words(
    wide: Page, width: int, direction: str
) -> None:
    wide.set_viewport_size({"width": width, "height": 900})
    wide.evaluate(f"document.documentElement.dir = '{direction}'")
    wide.locator(LINE).click()
    left, right = edges(wide, ARROW)
    frame = edges(wide, '[data-thinkfold-frame~="bottom"]')[0 if direction == "ltr" else 1]
    words = edges(wide, "[data-thinkfold-part=icon]")[0 if direction == "ltr" else 1]
    assert left >= 0
    assert right <= width
    assert right - left >= 12
    assert left < frame < right
    assert right <= words if direction == "ltr" else left >= words


def test_from_right_to_left_english_words_end_on_their_right_and_stand_beside_the_title(wide: Page) -> None:
    wide.set_viewport_size({"width": 480, "height": 900})
    wide.evaluate("document.documentElement.dir = 'rtl'")
    summary = edges(wide, "[data-thinkfold-part=summary]")
    words = wide.evaluate(WORDS_EDGES, "[data-thinkfold-part=summary]")
    assert abs(words[0] - summary[0]) < 1  # the beginning is in sight …
    assert words[1] > summary[1] + 50  # … and the end is what is cut
    wide.set_viewport_size({"width": 1280, "height": 900})
    title = edges(wide, "[data-thinkfold-part=title]")
    summary = edges(wide, "[data-thinkfold-part=summary]")
    assert 0 < title[0] - summary[1] <= 20  # the dot is between them
    number = "text => { const range = document.createRange(); range.setStart(text.firstChild, 0);"
    number += " range.setEnd(text.firstChild, 1); return range.getBoundingClientRect().left; }"
    count = wide.locator("[data-thinkfold-part=count]")
    assert count.evaluate(number) <= wide.evaluate(WORDS_EDGES, "[data-thinkfold-part=count]")[0] + 1  # "3 steps"


def test_the_focus_ring_is_clear_of_the_words(wide: Page) -> None:
    wide.keyboard.press("Shift")
    for _ in range(2):
        wide.locator(LINE).focus()
        ring = wide.locator(LINE).evaluate(
            "e => { const s = getComputedStyle(e), r = e.getBoundingClientRect();"
            " const reach = parseFloat(s.outlineOffset); return [s.outlineStyle, r.left - reach, r.right + reach]; }"
        )
        assert ring[0] == "solid"
        assert ring[1] < edges(wide, "[data-thinkfold-part=icon]")[0] - 1
        assert ring[2] > edges(wide, "[data-thinkfold-part=count]")[1] + 1
        wide.locator(LINE).press("Enter")


def test_in_forced_colours_frame_arrow_and_dot_are_to_be_seen(wide: Page) -> None:
    wide.locator(LINE).click()
    for scheme in ("light", "dark"):
        wide.emulate_media(forced_colors="active", color_scheme=scheme)  # type: ignore[arg-type]
        text = wide.evaluate("getComputedStyle(document.body).color")
        seen = {
            "frame": ('[data-thinkfold-frame~="bottom"]', "", "borderBottomColor"),
            "arrow": (ARROW, "", "borderTopColor"),
            "arrow's point": (ARROW, "::before", "borderBottomColor"),
            "dot": (LINE, "::before", "backgroundColor"),
        }
        colours = {
            name: wide.locator(selector)
            .locator("visible=true")
            .first.evaluate(
                "(e, [pseudo, property]) => getComputedStyle(e, pseudo || null)[property]", [pseudo, name_of]
            )
            for name, (selector, pseudo, name_of) in seen.items()
        }
        assert colours == dict.fromkeys(seen, text)


def test_the_band_over_a_running_line_moves_unless_motion_is_not_wanted(chat: Chat) -> None:
    chat.apply(*turn(1)[:-2], {"tool": "Bash", "id": "last", "summary": "Run on", "state": "running"})
    band = "e => getComputedStyle(e, '::after').animationName"
    line = chat.page.locator(LINE)
    assert line.evaluate(band) == "thinkfold-sweep"
    chat.page.emulate_media(reduced_motion="reduce")
    assert line.evaluate(band) == "none"


@pytest.mark.parametrize("height", [600, 300])
def test_the_popup_fits_its_window_beside_a_scroll_bar_too(chat: Chat, popup_url: str, height: int) -> None:
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        popup.set_viewport_size({"width": 280, "height": height})
        assert popup.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_the_popup_s_switch_keeps_its_knob_in_both_directions(page: Page, popup_url: str) -> None:
    page.goto(popup_url)
    page.emulate_media(reduced_motion="reduce")
    expect(page.get_by_role("switch")).to_be_checked()
    places = {}
    for direction in ("ltr", "rtl"):
        page.evaluate(f"document.documentElement.dir = '{direction}'")
        places[direction] = page.get_by_role("switch").evaluate(
            "e => { const s = getComputedStyle(e, '::before'); return [s.marginLeft, s.marginRight, s.translate]; }"
        )
    assert places["ltr"][0] == places["rtl"][1] == "18px"
    assert places["ltr"][2] == places["rtl"][2] == "none"


@pytest.fixture(scope="module")
def thai_browser(playwright: Playwright) -> Iterator[BrowserContext]:
    """A browser in a language that Thinkfold does not speak, and in which one and many are the same."""
    with open_browser(playwright, locale="th-TH") as context:
        yield context


def test_plurals_are_those_of_the_words_language_not_of_the_browser_s(
    thai_browser: BrowserContext, demo_url: str, popup_url: str
) -> None:
    chat = Chat(thai_browser.new_page(), demo_url)
    chat.apply(*turn(1))
    with opened_popup(chat, popup_url) as popup:
        assert popup.evaluate("new Intl.PluralRules(chrome.i18n.getUILanguage()).select(1)") == "other"
        expect(popup.get_by_role("status")).to_have_text("4 steps in 1 box folded on this page.")
