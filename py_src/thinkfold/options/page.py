"""The options page as a whole: the settings in their groups, search, reset, undo, export and import."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import js
from pyscript import web, when

from ..core.schema import Group, Problem, Setting
from ..core.settings import SCHEMA, VERSION_NAME, Language, Settings, settings_from, validate, without_foreign_key
from ..core.settings_file import MAXIMUM_CHARACTERS, NEWEST, FileProblem, RefusedFile, read_file, write_file
from ..page import words
from ..page.dom import options
from ..page.live_region import LiveRegion
from ..page.words import counted, word
from .control import Control, section_of
from .notice import Notice
from .preview import Preview
from .refinement import ADDRESS, Permission, RefinementTest
from .sites import Sites
from .store import Store

EXPORTED_FILE = "thinkfold-settings.json"


class OptionsPage:
    """The page over what is stored. :meth:`open` fills it in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._live_region = LiveRegion(js.document.body)
        self._notice = Notice(self._live_region)
        self._controls: dict[str, Control] = {}
        self._sections: list[tuple[Any, list[Control]]] = []
        self._language = self._settings.language
        self._permission = Permission()

    @property
    def _settings(self) -> Settings:
        return settings_from(self._store.stored)

    async def open(self) -> None:
        """Fill the page in, and follow the user and the storage from then on."""
        await self._take_words()
        self._sites = Sites(self._notice)
        await self._sites.read()
        self._build()
        self._preview = Preview(js.document.getElementById("preview"), self._settings, self._live_region)
        self._store.listen(self._show)
        for action, handler in {
            "export": self._export,
            "reset-all": self._reset_all,
            "import": lambda _event: web.page["import-file"].click(),
        }.items():
            when("click", web.page[action])(handler)
            web.page[action].disabled = False
        when("change", web.page["import-file"])(self._import)
        when("input", web.page["search"])(self._search)
        web.page["search"].disabled = False
        self._search(None)
        web.page["settings"].setAttribute("aria-busy", "false")

    async def _take_words(self) -> None:
        """Speak the language that is set."""
        messages = await js.readMessages(self._language.value)
        words.use(messages.to_py() if messages else None)

    def _build(self) -> None:
        """The controls of all settings, in their groups."""
        settings = self._settings
        self._sections = []
        for group, declared in groupby(SCHEMA, key=lambda each: each.group):
            controls = [Control(each, self._change, self._reset, self._on_input(each)) for each in declared]
            for control in controls:
                control.show(getattr(settings, control.setting.field))
            section = section_of(group, [control.row for control in controls])
            if group is Group.REFINEMENT:
                section.find(".card")[0].append(RefinementTest(lambda: self._settings, self._permission).row)
            self._sections.append((section, controls))
        self._controls = {control.setting.name: control for _, controls in self._sections for control in controls}
        drawn = {controls[0].setting.group: section for section, controls in self._sections}
        drawn[Group.SITES] = self._sites.draw()
        web.page["settings"].replaceChildren(*(drawn[group]._dom_element for group in Group if group in drawn))

    # -- what the user does ----------------------------------------------------------------------------

    def _on_input(self, setting: Setting) -> Callable[[object], None]:
        return self._permission.ask if setting.name == ADDRESS else lambda _value: None

    async def _change(self, control: Control, value: object) -> None:
        """Store a value that the user gave, if it is right, and those that are right now that this one is."""
        stored = {**self._store.stored, control.setting.name: value, VERSION_NAME: NEWEST}
        problem = _problem_of(control, stored)
        if not problem and control.setting.name == ADDRESS and not await self._permission.granted(str(value)):
            problem = Problem("problemPermission")
        control.show_problem(problem)
        if problem:
            return
        control.accept(value)
        self._notice.hide()
        if not await self._stored(stored):
            return
        for other in self._controls.values():
            if other.has_problem and not _problem_of(other, {**self._store.stored, other.setting.name: other.value}):
                await self._change(other, other.value)

    async def _reset(self, control: Control) -> None:
        rest = {name: value for name, value in self._store.stored.items() if name != control.setting.name}
        problem = _problem_of(control, rest)
        if problem:
            control.show_problem(problem)
            return
        control.accept(control.setting.default)
        control.show_again()
        await self._replace(rest, lambda: word("optionsWasReset", word(control.setting.label)))
        self._controls[control.setting.name].focus()  # the button has gone; another language draws all controls anew

    async def _reset_all(self, _event: Any) -> None:
        others = {name: value for name, value in self._store.stored.items() if name not in self._controls}
        self._forget_what_is_wrong()
        await self._replace(others, lambda: word("optionsAllReset"))

    async def _replace(self, stored: dict[str, object], said: Callable[[], str]) -> None:
        """Store other settings and say so, in the language that is set then, with a way back."""
        before = self._store.stored

        async def undo() -> None:
            self._forget_what_is_wrong()
            if await self._stored(before):
                self._notice.say(word("optionsUndone"))

        if await self._stored(stored):
            self._notice.say(said(), undo)

    async def _stored(self, stored: dict[str, object]) -> bool:
        """Store settings and show what is stored then. False, and said, when the browser refuses."""
        before = self._settings.refine_address
        kept = without_foreign_key(self._store.stored, stored)
        done = await self._store.replace(kept)
        if self._settings.refine_address != before:
            await self._permission.give_back(before, self._settings.refine_address)
        await self._show()
        if not done:
            self._notice.warn(word("optionsNotSaved"))
        elif kept != stored:
            self._notice.say(word("refineKeyRemoved"))
        return done

    def _forget_what_is_wrong(self) -> None:
        """Show what is stored in place of what the user gave and is wrong."""
        for control in self._controls.values():
            if control.has_problem:
                control.show_again()

    def _export(self, _event: Any) -> None:
        blob = js.Blob.new([write_file(self._store.stored)], options(type="application/json"))
        address = js.URL.createObjectURL(blob)
        web.a(href=address, download=EXPORTED_FILE).click()
        js.URL.revokeObjectURL(address)

    async def _import(self, event: Any) -> None:
        files = event.target.files
        if not files.length:
            return
        file = files.item(0)
        name = str(file.name)
        text = await file.slice(0, 4 * MAXIMUM_CHARACTERS + 4).text()
        event.target.value = ""  # so that the same file can be chosen again
        try:
            taken = read_file(str(text), self._store.stored)
        except RefusedFile as refused:
            self._notice.warn(word("optionsRefused", name), [_said_of(problem) for problem in refused.problems])
            return
        self._forget_what_is_wrong()
        await self._replace({**self._store.stored, **taken}, lambda: word("optionsImported", name))

    def _search(self, _event: Any) -> None:
        query = str(web.page["search"].value)
        found = 0
        for section, controls in self._sections:
            meant = [control for control in controls if control.is_meant(query)]
            for control in controls:
                control.row.hidden = control not in meant
            section.hidden = not meant
            found += len(meant)
        found += self._sites.search(query)
        said = "" if not query.strip() else counted("optionsFound", found) if found else word("optionsNothingFound")
        web.page["found"].textContent = said

    # -- what follows ----------------------------------------------------------------------------------

    async def _show(self) -> None:
        """Show what is stored, in its language; the preview is folded by it."""
        settings = self._settings
        if settings.language is not self._language:
            await self._speak(settings.language)
        for control in self._controls.values():
            control.show(getattr(settings, control.setting.field))
        self._preview.set_settings(settings)

    async def _speak(self, language: Language) -> None:
        """Draw all that has words anew."""
        self._language = language
        await self._take_words()
        await js.showWords()
        focused = js.document.activeElement.id
        self._build()
        self._search(None)
        if focused in self._controls:
            self._controls[focused].focus()
        self._preview.draw()


def _problem_of(control: Control, stored: dict[str, object]) -> Any:
    """What is wrong with a control's value in *stored*, if anything."""
    return next((problem for problem in validate(stored) if control.setting.name in problem.names), None)


def _said_of(problem: FileProblem) -> str:
    said = word(problem.problem.key, *problem.problem.arguments)
    if not problem.name:
        return word("optionsProblem", str(problem.line), said)
    return word("optionsProblemOf", str(problem.line), problem.name, said)
