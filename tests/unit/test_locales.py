"""The message files of all languages: nothing missing, nothing left over, nothing shown that is in none of them."""

from __future__ import annotations

import ast
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from thinkfold.core.schema import Choice, message_keys
from thinkfold.core.settings import LANGUAGE_NAMES, SCHEMA, Language

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "browser_ext"
LOCALES = EXTENSION / "_locales"
LANGUAGES = sorted(language.value for language in Language if language)
PYTHON = sorted((ROOT / "py_src").rglob("*.py"))
PAGES = sorted(EXTENSION.glob("*.html"))
JAVASCRIPT = sorted(EXTENSION.glob("*.js"))
FORMS = ("_zero", "_one", "_two", "_few", "_many", "_other")


SAME_AS_ENGLISH = {"name"}
"""Messages that no language translates."""

MAY_BE_AS_IN_ENGLISH = {"unitTokens", "tokens_one", "tokens_other", "segments_one", "segments_other"}
"""Messages that some languages say with the English word."""


def messages(language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((LOCALES / language / "messages.json").read_text("utf-8"))
    return found


def stem(key: str) -> str:
    """The key without its plural form."""
    return next((key.removesuffix(form) for form in FORMS if key.endswith(form)), key)


def keys_in_python(source: str) -> set[str]:
    """The keys in calls of ``word``, ``counted`` and the like, also where a condition picks one of several."""
    asked: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("word", "counted", "Problem", "Failure", "Chosen"):
                key = node.args[0]
                picked = [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]
                asked.update(each.value for each in picked if isinstance(each, ast.Constant))
    return asked


def keys_in_javascript(source: str) -> set[str]:
    """The keys in calls of ``word`` and ``counted``, and in a table of icons."""
    return {*re.findall(r'\b(?:word|counted)\("(\w+)"', source), *re.findall(r'"(icon[A-Z]\w+)"', source)}


def asked_for() -> set[str]:
    asked = set().union(*(keys_in_python(path.read_text("utf-8")) for path in PYTHON))
    asked.update(*(keys_in_javascript(path.read_text("utf-8")) for path in JAVASCRIPT))
    asked.update(message_keys(SCHEMA))
    for page in PAGES:
        asked.update(re.findall(r'data-message(?:-label|-placeholder)?="(\w+)"', page.read_text("utf-8")))
    asked.update(re.findall(r"__MSG_(\w+)__", (ROOT / "manifest.json").read_text("utf-8")))
    return asked


def test_there_is_a_file_for_each_language_that_can_be_chosen_and_no_other() -> None:
    assert sorted(path.name for path in LOCALES.iterdir()) == LANGUAGES
    popup = (EXTENSION / "popup.html").read_text("utf-8")
    choice = popup.partition('data-setting="language"')[2].partition("</select>")[0]
    assert sorted(re.findall(r'value="(\w*)"', choice)) == ["", *LANGUAGES]


def test_the_popup_offers_the_values_and_the_words_of_the_schema() -> None:
    popup = (EXTENSION / "popup.html").read_text("utf-8")
    schema = {each.name: each for each in SCHEMA}
    for name, body in re.findall(r'<select data-setting="(\w+)">(.*?)</select>', popup, re.DOTALL):
        kind = schema[name].kind
        assert isinstance(kind, Choice)
        offered = dict(re.findall(r'<option value="([^"]*)".*? data-message="(\w+)"', body))
        assert offered == {value: kind.label(value) for value in kind.values if value not in kind.own_names}
        own = dict(re.findall(r'<option value="(\w+)" lang="\w+">(.*?)</option>', body))
        assert own == kind.own_names
        assert f'data-message="{schema[name].label}"' in popup


def test_every_language_has_a_name_of_its_own() -> None:
    assert sorted(LANGUAGE_NAMES) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_missing(language: str) -> None:
    assert asked_for() - {stem(key) for key in messages(language)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_left_over(language: str) -> None:
    left_over = {stem(key) for key in messages(language)} - asked_for()
    assert left_over == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_messages_that_english_has(language: str) -> None:
    assert {stem(key) for key in messages(language)} == {stem(key) for key in messages("en")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_says_its_own_language(language: str) -> None:
    assert messages(language)["language"] == {"message": language}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_words_and_the_placeholders_of_the_english_one(language: str) -> None:
    english = {stem(key): entry for key, entry in messages("en").items()}
    for key, entry in messages(language).items():
        assert entry["message"].strip() == entry["message"] != "", key
        assert entry.get("placeholders") == english[stem(key)].get("placeholders"), key
        used = [name.lower() for name in re.findall(r"\$(\w+)\$", entry["message"])]
        assert sorted(used) == sorted(entry.get("placeholders", ())), key
        assert re.sub(r"\$\w+\$", "", entry["message"]).count("$") == 0, key


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_message_is_translated(language: str) -> None:
    english = messages("en")
    same = {key for key, entry in messages(language).items() if key in english and entry == english[key]}
    assert same - MAY_BE_AS_IN_ENGLISH == SAME_AS_ENGLISH


class ShownText(HTMLParser):
    """Collects what a page shows of its own: text, and attributes that are read out or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self._open: list[tuple[str, bool]] = []  # the tag, and whether it says the language of its text

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        names = ("title", "aria-label", "aria-description", "alt", "placeholder")
        self.shown += [str(given[name]) for name in names if given.get(name)]
        if tag not in ("meta", "link", "input", "img"):
            self._open.append((tag, "lang" in given))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tag, says_language = self._open[-1] if self._open else ("", False)
        if data.strip() and not says_language and tag != "title":  # the title is the name
            self.shown.append(data.strip())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_nothing_that_is_in_no_message_but_the_names_of_languages(page: Path) -> None:
    parser = ShownText()
    parser.feed(page.read_text("utf-8"))
    assert parser.shown == []


SHOWN_BY_CODE = re.compile(
    r"""(?: (?: textContent | innerText | innerHTML | ariaLabel | placeholder | title ) \s* [=:] \s*
          | setAttribute\( \s* ["'] (?: title | alt | placeholder | aria-label | aria-description ) ["'] , \s*
          | \b say\( \s*
        ) f? ["'`] (?! \$\{ [^}]* \} ` | \{ [^}]* \} ) [^"'`]* [^\W\d_] """,
    re.VERBOSE,
)
"""Code that shows a word of its own. A text that begins with a value ("{count} · {time}") is none."""


@pytest.mark.parametrize("path", [*PYTHON, *JAVASCRIPT], ids=lambda path: path.name)
def test_the_code_shows_no_word_of_its_own(path: Path) -> None:
    assert SHOWN_BY_CODE.findall(path.read_text("utf-8")) == []


def test_the_stylesheets_show_no_word_of_their_own() -> None:
    for path in EXTENSION.glob("*.css"):
        assert re.findall(r'content:\s*"[^"]*[A-Za-z][^"]*"', path.read_text("utf-8")) == []
