"""The extension speaks the browser's language, or the one that the user chose, everywhere and at once.

An installed Chromium may have no language but English. So where a test needs a browser of another language, it loads
a copy of the extension that has no words but that language's, which ``chrome.i18n`` must then pick.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from support.accessibility import violations
from support.extension import World, worker_of

from tools.browser import EXTENSION, extension_id, open_browser

LANGUAGES = sorted(path.name for path in (EXTENSION / "_locales").iterdir())
AMOUNTS = {
    "de": ["9 Sek.", "1 Min. 23 Sek.", "1 Std. 2 Min.", "1 Schritt", "5 Schritte", "1.000.000 Schritte"],
    "en": ["9s", "1m 23s", "1h 2m", "1 step", "5 steps", "1,000,000 steps"],
    "es": ["9s", "1min 23s", "1h 2min", "1 paso", "5 pasos", "1.000.000 pasos"],
    "fr": ["9s", "1min 23s", "1h 2min", "1 étape", "5 étapes", "1 000 000 étapes"],
    "ja": ["9秒", "1分23秒", "1時間2分", "1 ステップ", "5 ステップ", "1,000,000 ステップ"],
    "ko": ["9초", "1분 23초", "1시간 2분", "단계 1개", "단계 5개", "단계 1,000,000개"],
    "pt": ["9 s", "1 min 23 s", "1 h 2 min", "1 etapa", "5 etapas", "1.000.000 etapas"],
    "zh": ["9秒", "1分钟23秒", "1小时2分钟", "1 步", "5 步", "1,000,000 步"],
}
"""What each language says for 9, 83 and 3720 seconds, and for one, five and a million steps."""

SAID_BY_PYTHON = """
import json
from thinkfold.page import words
words.use(json.loads(%r))
json.dumps([*map(words.duration, (9, 83, 3720)), *(words.counted("steps", count) for count in (1, 5, 1_000_000))])
"""
FILLED_IN_BY_PYTHON = """
import json
from thinkfold.core.messages import message
messages = json.loads(%r)
json.dumps({key: message(messages, key, ["<1>", "<2>"]) for key in messages})
"""


def messages(language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "_locales" / language / "messages.json").read_text("utf-8"))
    return found


def text(language: str, key: str) -> str:
    return str(messages(language)[key]["message"])


def test_durations_and_plurals_are_right_in_every_language(python: World) -> None:
    for language, amounts in AMOUNTS.items():
        code = SAID_BY_PYTHON % json.dumps(messages(language))
        said = json.loads(python.evaluate(f"testPython.runPython({json.dumps(code)})"))
        assert [" ".join(each.split()) for each in said] == amounts  # some blanks are such that no line breaks there
    assert sorted(AMOUNTS) == LANGUAGES


def test_every_language_has_the_plural_forms_that_its_rule_asks_for(page: Page) -> None:
    rule = "language => [...new Set(Array.from({length: 1000}, (_, n) => new Intl.PluralRules(language).select(n)))]"
    for language in LANGUAGES:
        asked = set(page.evaluate(rule, language))
        forms: dict[str, set[str]] = {}
        for key in messages(language):
            stem, _, form = key.partition("_")
            if form:
                forms.setdefault(stem, set()).add(form)
        assert forms
        assert all(each == asked for each in forms.values()), (language, asked, forms)


def test_the_browser_the_popup_and_python_fill_in_alike(python: World, page: Page, popup_url: str) -> None:
    keys = [*messages("en")]
    code = FILLED_IN_BY_PYTHON % json.dumps(messages("en"))
    by_python = json.loads(python.evaluate(f"testPython.runPython({json.dumps(code)})"))
    page.goto(popup_url)
    ask = "keys => Object.fromEntries(keys.map(key => [key, chrome.i18n.getMessage(key, ['<1>', '<2>'])]))"
    by_browser = page.evaluate(ask, keys)
    fill = "m => Object.fromEntries(Object.keys(m).map(key => [key, filledIn(m[key], ['<1>', '<2>'])]))"
    assert page.evaluate(fill, messages("en")) == by_browser
    assert by_python == by_browser


def icon_title(chat: Chat) -> str:
    """What the toolbar's icon says of the chat's tab."""
    ask = "async url => chrome.action.getTitle({tabId: (await chrome.tabs.query({})).find(tab => tab.url === url).id})"
    return str(worker_of(chat.page.context).evaluate(ask, chat.page.url))


def expect_to_speak(language: str, chat: Chat, popup: Page) -> None:
    """The tool line, the arrow, the icon and the popup use the words of *language*; the chat's one box is open."""
    line = chat.page.locator("[data-thinkfold-box]")
    steps = text(language, "steps_other").replace("$COUNT$", "4")
    expect(line.locator("[data-thinkfold-part=count]")).to_have_text(steps)
    arrow = chat.page.locator("[data-thinkfold-arrow]")
    expect(arrow).to_have_attribute("title", text(language, "collapse"))
    expect(arrow).to_have_attribute("aria-label", text(language, "collapse"))
    expect(popup.locator("html")).to_have_attribute("lang", language)
    expect(popup.locator("label.switch").first).to_have_text(text(language, "popupSwitch"))
    expect(popup.get_by_role("status")).to_have_text(text(language, "popupAllOpen"))
    for element in popup.locator("[data-message]").all():
        expect(element).to_have_text(text(language, element.get_attribute("data-message") or ""))
    assert icon_title(chat) == text(language, "iconOn")


def test_a_choice_of_language_takes_effect_at_once_everywhere(chat: Chat, popup_url: str) -> None:
    chat.apply(*turn(1))
    line = chat.page.locator("[data-thinkfold-box]")
    line.click()
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        choice = popup.locator("[data-setting=language]")
        expect_to_speak("en", chat, popup)
        for language in ("zh", "fr"):
            choice.select_option(language)
            expect_to_speak(language, chat, popup)
            expect(line).to_have_attribute("aria-expanded", "true")
        popup.reload()
        popup.locator("summary").click()
        expect(choice).to_have_value("fr")
        expect_to_speak("fr", chat, popup)
        assert worker_of(chat.page.context).evaluate("chrome.action.getTitle({})") == text("fr", "iconNoChat")
        chat.page.locator("[data-thinkfold-arrow]").click()
        expect(chat.page.locator("[data-thinkfold-live]")).to_have_text(text("fr", "boxFolded"))
        expect(popup.get_by_role("status")).to_have_text("Replié sur cette page\u00a0: 4 étapes dans 1 cadre.")
        choice.select_option("")
        line.click()
        expect_to_speak("en", chat, popup)


def test_a_chosen_language_is_there_from_the_first_box_on(chat: Chat, popup_url: str) -> None:
    with opened_popup(chat, popup_url) as popup:
        popup.get_by_text("Choices").click()
        popup.locator("[data-setting=language]").select_option("ko")
        expect(popup.locator("html")).to_have_attribute("lang", "ko")
    chat.page.reload()
    chat.page.evaluate("demo.ready")
    chat.apply(*turn(1))
    expect(chat.page.locator("[data-thinkfold-part=count]")).to_have_text("단계 4개")


def test_nothing_in_the_popup_is_cut_off_in_any_language(chat: Chat, popup_url: str) -> None:
    too_wide = """() => {
      const all = [...document.querySelectorAll("main *")].filter((element) => element.checkVisibility());
      const wide = all.filter((element) => element.clientWidth && element.scrollWidth > element.clientWidth + 1);
      const selects = all.filter((element) => element.matches("select")).filter((element) => {
        const { width } = element.getBoundingClientRect();
        element.style.width = "max-content"; // as wide as its longest choice
        const wanted = element.getBoundingClientRect().width;
        element.style.width = "";
        return wanted > width + 1;
      });
      return [...wide, ...selects].map((element) => element.outerHTML);
    }"""
    with opened_popup(chat, popup_url) as popup:
        popup.locator("summary").click()
        popup.set_viewport_size({"width": 280, "height": 900})
        for language in LANGUAGES:
            popup.locator("[data-setting=language]").select_option(language)
            expect(popup.locator("html")).to_have_attribute("lang", language)
            assert popup.evaluate(too_wide) == [], language
            assert violations(popup) == {}


@pytest.fixture(params=["de", "zh"])
def foreign(
    request: pytest.FixtureRequest, playwright: Playwright, tmp_path: Path
) -> Iterator[tuple[str, BrowserContext, Path]]:
    """A browser that picks the words of another language, that language, and the folder of the extension in it."""
    language = request.param
    folder = tmp_path / "extension"
    shutil.copytree(EXTENSION, folder)
    for other in (folder / "_locales").iterdir():
        if other.name != language:
            shutil.rmtree(other)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, "default_locale": language}), "utf-8")
    with open_browser(playwright, folder=folder, viewport={"width": 1280, "height": 900}) as browser:
        yield language, browser, folder


def test_the_browsers_own_language_is_spoken(foreign: tuple[str, BrowserContext, Path], demo_url: str) -> None:
    language, browser, folder = foreign
    chat = Chat(browser.new_page(), demo_url)
    chat.apply(*turn(1))
    with opened_popup(chat, f"chrome-extension://{extension_id(folder)}/popup.html") as popup:
        # A page that is there while the extension is being installed gets it once more.
        expect(popup.get_by_role("status")).not_to_have_text(text(language, "popupStarting"), timeout=20_000)
        chat.page.locator("[data-thinkfold-box]").click()
        popup.locator("summary").click()
        expect_to_speak(language, chat, popup)
    name = worker_of(browser).evaluate("chrome.runtime.getManifest().description")
    assert name == text(language, "description")
