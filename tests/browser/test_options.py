"""The options page: what it shows, that what one changes takes effect at once, and that nothing wrong is stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Chat, opened_popup, turn
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect
from support.accessibility import violations
from support.extension import choose, worker_of
from thinkfold.core.schema import Choice, Number
from thinkfold.core.settings import LANGUAGE_NAMES, SCHEMA
from thinkfold.core.settings_file import NEWEST

from tools.browser import EXTENSION, extension_id

ENGLISH = json.loads((EXTENSION / "_locales" / "en" / "messages.json").read_text("utf-8"))
OPTIONS = f"chrome-extension://{extension_id()}/options.html"
DEFAULTS = {each.name: each.default for each in SCHEMA if not each.is_secret}
WITHOUT_PYTHON = """
WebAssembly.instantiate = WebAssembly.instantiateStreaming = () => Promise.reject(new Error("no room for Python"));
"""


def text(key: str) -> str:
    return str(ENGLISH[key]["message"])


def open_options(page: Page) -> Page:
    page.goto(OPTIONS)
    expect(page.locator("#settings")).to_have_attribute("aria-busy", "false", timeout=20_000)
    return page


@pytest.fixture
def options(page: Page) -> Page:
    return open_options(page)


@pytest.fixture
def narrow(options: Page) -> Iterator[Page]:
    options.set_viewport_size({"width": 360, "height": 740})
    yield options
    options.set_viewport_size({"width": 1280, "height": 900})


def control(page: Page, name: str) -> Locator:
    return page.locator(f"#{name}")


def stored(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = worker_of(page.context).evaluate("chrome.storage.local.get(null)")
    return found


def expect_stored(page: Page, **values: object) -> None:
    """Wait until exactly these settings are stored, beside the version."""
    page.wait_for_function(
        """async (expected) => {
            const { version, ...stored } = await chrome.storage.local.get(null);
            const sorted = (object) => JSON.stringify(Object.entries(object).sort());
            return sorted(stored) === sorted(expected);
        }""",
        arg=values,
    )


def import_file(page: Page, content: object, name: str = "settings.json") -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    file: FilePayload = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    page.locator("#import-file").set_input_files(file)


def preview(page: Page) -> Locator:
    return page.locator("#preview")


# -- what it shows -------------------------------------------------------------------------------------


def test_every_setting_has_a_native_control_with_its_label_its_help_and_its_default(options: Page) -> None:
    for each in SCHEMA:
        field = control(options, each.name)
        expect(field).to_have_accessible_name(text(each.label))
        expect(field).to_have_accessible_description(text(each.help))
        if isinstance(each.default, bool):
            expect(field).to_be_checked(checked=each.default)
        else:
            expect(field).to_have_value(str(each.default))
        if isinstance(each.kind, Choice):
            expect(field.locator("option")).to_have_count(len(each.kind.values))
        if isinstance(each.kind, Number):
            expect(field).to_have_attribute("max", str(each.kind.high))
    expect(options.locator("h2")).to_have_text(
        [
            "Folding",
            "Thinking",
            "Summaries",
            "Refinement",
            "Websites",
            "Privacy",
            "Language",
            "Preview",
        ]  # groups without settings are not shown
    )
    expect(options.get_by_role("button", name="Reset:")).to_have_count(0)


def test_the_frame_is_there_without_python_and_a_failure_is_said(browser: BrowserContext) -> None:
    page = browser.new_page()
    page.add_init_script(WITHOUT_PYTHON)
    page.goto(OPTIONS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Thinkfold Settings")
    expect(page.get_by_role("searchbox", name="Search settings")).to_be_disabled()
    expect(page.get_by_role("alert")).to_contain_text(text("optionsFailed"))
    expect(page.get_by_role("alert")).to_contain_text("no room for Python")
    page.close()


def test_what_is_stored_is_shown_and_a_wrong_value_as_a_page_reads_it(page: Page, browser: BrowserContext) -> None:
    choose(browser, texts="none", minimumSteps=999, hostFold="nonsense", summaries=False)
    open_options(page)
    expect(control(page, "texts")).to_have_value("none")
    expect(control(page, "minimumSteps")).to_have_value("50")
    expect(control(page, "hostFold")).to_have_value("take over")
    expect(control(page, "summaries")).not_to_be_checked()


CONTROLS_FOR_TEXT = """
import json
from thinkfold.core.schema import Group, Setting, Text, TextKind
from thinkfold.options.control import Control

address, key = Text(90, TextKind.ADDRESS), Text(80, TextKind.SECRET)
kinds = {"words": Text(40), "longWords": Text(2000), "address": address, "key": key}
made = []
for name, kind in kinds.items():
    control = Control(Setting(name, "", Group.REFINEMENT, kind, "name"), None, None)
    control.show("<b>")
    native = control._native
    made.append([native.tagName, native.type, native.maxLength, control.value])
json.dumps(made)
"""


def test_a_text_has_the_control_of_its_kind_and_a_key_is_not_shown(options: Page) -> None:
    run = """async (code) => {
        const folder = new URL("python/", location.href).href;
        const { loadPython } = await import(`${folder}load.mjs`);
        return (await loadPython(folder)).runPython(code);
    }"""
    assert json.loads(options.evaluate(run, CONTROLS_FOR_TEXT)) == [
        ["INPUT", "text", 40, "<b>"],
        ["TEXTAREA", "textarea", 2000, "<b>"],
        ["INPUT", "url", 90, "<b>"],
        ["INPUT", "password", 80, "<b>"],
    ]


def test_the_popup_opens_it(chat: Chat, popup_url: str) -> None:
    with opened_popup(chat, popup_url) as popup:
        with chat.page.context.expect_page() as opened:
            popup.get_by_role("link", name="All settings").click()
        expect(opened.value).to_have_url(OPTIONS)
        opened.value.close()


# -- changes -------------------------------------------------------------------------------------------


def test_a_change_is_stored_at_once_and_reaches_an_open_chat(chat: Chat, browser: BrowserContext) -> None:
    chat.apply(*turn(1, tools=3))
    expect(chat.page.get_by_text("Between 1.2")).to_be_visible()
    options = open_options(browser.new_page())
    control(options, "texts").select_option("none")
    expect(chat.page.get_by_text("Between 1.2")).not_to_be_visible()
    expect_stored(options, texts="none")
    options.get_by_role("switch", name=text("popupSwitch")).uncheck()
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(0)
    options.get_by_role("switch", name=text("popupSwitch")).check()
    expect(chat.page.locator("[data-thinkfold-box]")).to_have_count(1)
    options.close()


def test_many_changes_in_a_row_are_all_stored(options: Page) -> None:
    steps = control(options, "minimumSteps")
    steps.focus()
    for _ in range(9):
        options.keyboard.press("ArrowUp")
    control(options, "texts").select_option("latest")
    control(options, "texts").select_option("none")
    control(options, "liveBoxes").select_option("open")
    expect_stored(options, minimumSteps=11, texts="none", liveBoxes="open")
    expect(steps).to_have_value("11")
    expect(control(options, "texts")).to_have_value("none")


@pytest.mark.parametrize("value", ["0", "51", "2.5", "", "1e400"])
def test_a_wrong_number_says_so_beside_the_field_and_is_not_stored(options: Page, value: str) -> None:
    field = control(options, "minimumSteps")
    field.fill(value)
    field.press("Tab")
    problem = options.locator("#minimumSteps-problem")
    expect(problem).to_have_text("This must be a whole number from 1 to 50.")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(
        f"{text('helpMinimumSteps')} This must be a whole number from 1 to 50."
    )
    control(options, "texts").select_option("none")
    expect_stored(options, texts="none")
    field.fill("3")
    field.press("Tab")
    expect(problem).not_to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "false")
    expect_stored(options, texts="none", minimumSteps=3)


def test_two_settings_that_contradict_each_other_are_stored_when_they_no_longer_do(options: Page) -> None:
    shortest, longest = control(options, "segmentMinimum"), control(options, "segmentMaximum")
    shortest.fill("5000")
    shortest.press("Tab")
    expect(options.locator("#segmentMinimum-problem")).to_have_text(
        "The longest piece (3000) must not be shorter than the shortest (5000)."
    )
    expect_stored(options)
    longest.fill("8000")
    longest.press("Tab")
    expect(options.locator("#segmentMinimum-problem")).not_to_be_visible()
    expect_stored(options, segmentMinimum=5000, segmentMaximum=8000)


def test_what_another_page_changes_is_shown_and_what_one_is_typing_stays(options: Page) -> None:
    control(options, "minimumSteps").fill("99")
    control(options, "minimumSteps").press("Tab")
    control(options, "longThought").fill("30")
    choose(options.context, texts="latest", showReasoning="always")
    expect(control(options, "texts")).to_have_value("latest")
    expect(preview(options).locator("[data-thinkfold-think] button")).to_have_attribute("aria-expanded", "true")
    expect(control(options, "longThought")).to_have_value("30")
    expect(control(options, "minimumSteps")).to_have_value("99")
    expect(options.locator("#minimumSteps-problem")).to_be_visible()


def test_a_full_storage_is_said_and_the_control_shows_what_is_stored(options: Page) -> None:
    options.evaluate(
        """async () => {
            const { local } = chrome.storage;
            const rest = local.QUOTA_BYTES - await local.getBytesInUse(null);
            await local.set({"box/1": "x".repeat(rest - "box/1".length - 2)}); // 2 for the quotation marks
        }"""
    )
    control(options, "texts").select_option("latest")
    expect(options.get_by_role("alert")).to_have_text(text("optionsNotSaved"))
    expect(control(options, "texts")).to_have_value("all")
    assert "texts" not in stored(options)


# -- the preview ---------------------------------------------------------------------------------------


def test_the_preview_folds_as_one_chooses(options: Page) -> None:
    chat = preview(options)
    boxes = chat.locator("[data-thinkfold-box]")
    texts = chat.locator("p:visible")
    first, second = text("previewFirst"), text("previewSecond")
    expect(boxes).to_have_count(2)
    for value, shown in {"latest": [second], "none": [], "all": [first, second]}.items():
        control(options, "texts").select_option(value)
        expect(texts.filter(has_text=first)).to_have_count(int(first in shown))
        expect(texts.filter(has_text=second)).to_have_count(int(second in shown))
    control(options, "liveBoxes").select_option("open")
    expect(boxes.last).to_have_attribute("aria-expanded", "true")
    expect(boxes.first).to_have_attribute("aria-expanded", "false")
    control(options, "contextRows").select_option("outside")
    expect(boxes).to_have_count(3)
    control(options, "minimumSteps").fill("4")
    control(options, "minimumSteps").press("Tab")
    expect(boxes).to_have_count(2)  # the running turn has three steps and no text between them
    thinking = chat.locator("[data-thinkfold-think] button")
    expect(thinking).to_have_attribute("aria-expanded", "false")
    control(options, "showReasoning").select_option("always")
    expect(thinking).to_have_attribute("aria-expanded", "true")
    control(options, "enabled").uncheck()
    expect(boxes).to_have_count(0)
    expect(chat.get_by_text("strftime")).to_be_visible()


def test_a_box_of_the_preview_opens_and_folds(options: Page) -> None:
    box = preview(options).locator("[data-thinkfold-box]").first
    expect(preview(options).get_by_text("strftime")).not_to_be_visible()
    box.click()
    expect(preview(options).get_by_text("strftime")).to_be_visible()
    preview(options).get_by_role("button", name=text("collapse")).first.click()
    expect(box).to_have_attribute("aria-expanded", "false")
    expect_stored(options)  # and nothing of it is kept


# -- all settings at once ------------------------------------------------------------------------------


def test_one_setting_is_reset_and_that_is_undone(options: Page) -> None:
    control(options, "texts").select_option("none")
    control(options, "hostFold").select_option("stand back")
    reset = options.get_by_role("button", name="Reset: Texts in a folded box")
    reset.press("Enter")
    expect(control(options, "texts")).to_have_value("all")
    expect(control(options, "texts")).to_be_focused()
    expect(reset).not_to_be_visible()
    expect_stored(options, hostFold="stand back")
    options.get_by_role("button", name="Undo").press("Enter")
    expect(control(options, "texts")).to_have_value("none")
    expect_stored(options, texts="none", hostFold="stand back")
    expect(options.locator("#notice")).to_contain_text(text("optionsUndone"))
    options.get_by_role("button", name="Close").click()
    expect(options.locator("#notice")).not_to_be_visible()


def test_all_settings_are_reset_what_is_none_is_kept_and_all_is_undone(page: Page, browser: BrowserContext) -> None:
    before = {"texts": "none", "minimumSteps": 7, "enabled": False, "language": "fr"}
    choose(browser, **before, another={"a": [1]})
    open_options(page)
    page.locator("#reset-all").click()
    expect(page.locator("#reset-all")).to_have_text("Reset all")  # in the browser's language again
    expect_stored(page, another={"a": [1]})
    expect(page.locator("#notice")).to_contain_text(text("optionsAllReset"))
    page.get_by_role("button", name="Undo").click()
    expect_stored(page, **before, another={"a": [1]})
    expect(control(page, "minimumSteps")).to_have_value("7")
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_what_is_exported_holds_every_setting_and_can_be_imported(page: Page, browser: BrowserContext) -> None:
    choose(browser, texts="none", another={"a": [1, None]}, **{"box/1": [True, 1]})
    open_options(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    assert download.value.suggested_filename == "thinkfold-settings.json"
    exported = json.loads(download.value.path().read_text("utf-8"))
    assert exported == {"version": NEWEST, **DEFAULTS, "texts": "none", "another": {"a": [1, None]}}
    control(page, "texts").select_option("latest")
    import_file(page, exported, "thinkfold-settings.json")
    expect(control(page, "texts")).to_have_value("none")
    expect(page.locator("#notice")).to_contain_text("Settings were taken from thinkfold-settings.json.")
    assert stored(page) == {**exported, "box/1": [True, 1]}


def test_an_import_reaches_the_page_and_is_undone(options: Page) -> None:
    control(options, "liveBoxes").select_option("open")
    import_file(options, {"texts": "none", "language": "de", "later": [1]})
    expect(options.locator("html")).to_have_attribute("lang", "de")
    expect(control(options, "texts")).to_have_value("none")
    expect_stored(options, texts="none", language="de", liveBoxes="open", later=[1])
    expect(options.locator("#notice")).to_contain_text("Einstellungen aus settings.json übernommen.")
    options.get_by_role("button", name="Rückgängig").click()
    expect_stored(options, liveBoxes="open")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '{\n "texts": "none",\n "minimumSteps": 0\n}',
            "Line 3, minimumSteps: This must be a whole number from 1 to 50.",
        ),
        ('{\n "texts": "none",\n "minimumSteps"\n}', "Line 4: From here on this is no valid JSON."),
        ('{"texts": "none", "box/1": [true, 1]}', "Line 1, box/1: A setting cannot have this name."),
        (
            '{"texts": "none", "<img src=x>": 1, "<img src=x>": 1}',
            "Line 1, <img src=x>: This name is in the file twice.",
        ),
        ('{"name": "of something else"}', "Line 1: None of Thinkfold’s settings is in this file."),
        ('{"texts": "none", "version": 99}', "Line 1, version: This file comes from a newer version of Thinkfold."),
        ("\x00\x01\x02", "Line 1: From here on this is no valid JSON."),
        ("[" * 100_000, "Line 1: The file is too large for settings."),
        ("", "Line 1: From here on this is no valid JSON."),
    ],
    ids=["a wrong value", "no JSON", "a choice for a box", "markup", "foreign", "newer", "binary", "deep", "empty"],
)
def test_a_bad_file_is_refused_with_its_line_and_changes_nothing(options: Page, content: str, said: str) -> None:
    control(options, "texts").select_option("latest")
    expect_stored(options, texts="latest")
    import_file(options, content, "<b>bad</b>.json")
    alert = options.get_by_role("alert")
    expect(alert).to_contain_text("Nothing was taken from <b>bad</b>.json:")
    expect(alert.get_by_role("listitem")).to_have_text([said])
    expect_stored(options, texts="latest")
    expect(control(options, "texts")).to_have_value("latest")
    import_file(options, {"texts": "none"})  # the same page takes a good file afterwards
    expect_stored(options, texts="none")


# -- search, keyboard, languages, looks ----------------------------------------------------------------


def test_search_shows_what_has_the_words_in_its_label_or_help(options: Page) -> None:
    search = options.get_by_role("searchbox", name="Search settings")
    rows = options.locator(".setting:visible label")
    search.fill("BOX opened")
    expect(rows).to_have_text(["Boxes while the agent works", "Remember which boxes I opened"])
    expect(options.locator("h2:visible")).to_have_text(["Folding", "Privacy", "Preview"])
    expect(options.locator("#found")).to_have_text("2 settings found")
    search.fill("日本語")
    expect(rows).to_have_text(["Language"])
    expect(options.locator("#found")).to_have_text("1 setting found")
    search.fill("unicorn")
    expect(rows).to_have_count(0)
    expect(options.locator("#found")).to_have_text(text("optionsNothingFound"))
    search.press("Escape")
    expect(rows).to_have_count(len(SCHEMA))
    expect(options.locator("#found")).to_be_empty()


def test_everything_is_reached_and_done_by_keyboard_in_the_order_of_the_page(options: Page) -> None:
    reached = []
    names = [each.name for each in SCHEMA]
    names.insert(names.index("refineTrim") + 1, "refine-test")
    names[names.index("remember") : names.index("remember")] = ["site-address", "site-selector", "submit"]
    for _ in range(5 + len(names)):
        options.keyboard.press("Tab")
        reached.append(options.evaluate("document.activeElement.id || document.activeElement.type"))
    assert reached == ["search", "import", "export", "reset-all", *names, "preview"]
    control(options, "enabled").focus()
    options.keyboard.press("Space")
    reset = options.get_by_role("button", name=f"Reset: {text('popupSwitch')}")
    expect(reset).to_be_visible()
    options.keyboard.press("Tab")
    expect(reset).to_be_focused()
    options.keyboard.press("Tab")
    options.keyboard.press("ArrowDown")
    expect_stored(options, enabled=False, texts="latest")


def test_another_language_is_spoken_at_once_and_the_focus_stays(options: Page) -> None:
    control(options, "language").focus()
    control(options, "language").select_option("de")
    expect(options.get_by_role("heading", level=1)).to_have_text("Thinkfold Einstellungen")
    expect(options).to_have_title("Thinkfold · Einstellungen")
    expect(control(options, "texts")).to_have_accessible_name("Texte in einer eingeklappten Box")
    expect(control(options, "language")).to_be_focused()
    expect(control(options, "language")).to_have_value("de")
    expect(preview(options).locator("[data-thinkfold-part=count]").first).to_have_text("5 Schritte")
    expect(preview(options)).to_contain_text("Warum stimmen die Daten im Bericht nicht?")


CUT_OFF = """() => {
  const all = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility());
  const wide = all.filter((element) => element.clientWidth && element.scrollWidth > element.clientWidth + 1);
  const words = wide.filter((element) => !element.closest("[data-chat-flow], [data-thinkfold-live], select"));
  return [document.documentElement.scrollWidth > innerWidth, words.map((element) => element.outerHTML.slice(0, 200))];
}"""


def test_nothing_is_cut_off_at_360_pixels_in_any_language(narrow: Page) -> None:
    for language in LANGUAGE_NAMES:
        control(narrow, "language").select_option(language.value)
        expect(narrow.locator("html")).to_have_attribute("lang", language.value)
        expect(control(narrow, "language")).to_have_value(language.value)
        control(narrow, "minimumSteps").fill("99")
        control(narrow, "minimumSteps").press("Tab")
        expect(narrow.locator("#minimumSteps-problem")).to_be_visible()
        assert narrow.evaluate(CUT_OFF) == [False, []], language


def test_axe_finds_nothing_in_any_state(options: Page) -> None:
    options.emulate_media(reduced_motion="reduce")  # the preview's running line is measured where it does not sweep
    control(options, "minimumSteps").fill("99")
    control(options, "minimumSteps").press("Tab")
    control(options, "texts").select_option("none")
    options.get_by_role("button", name="Reset: Texts in a folded box").click()
    expect(options.get_by_role("button", name="Undo")).to_be_visible()
    assert violations(options) == {}
    import_file(options, "{")
    expect(options.get_by_role("alert")).to_be_visible()
    options.emulate_media(color_scheme="dark")
    assert violations(options) == {}


def test_axe_finds_nothing_at_360_pixels(narrow: Page) -> None:
    narrow.emulate_media(reduced_motion="reduce")
    preview(narrow).locator("[data-thinkfold-box]").first.click()
    assert violations(narrow) == {}
