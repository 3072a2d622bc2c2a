"""One setting on the options page: a native control with its label, and its problem beside it; and a group of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from math import isnan
from typing import Any

from pyscript import web, when

from ..core.schema import Choice, Group, Number, Problem, Setting, Switch, Text, TextKind
from ..core.search import matches
from ..page.words import word

LONG_TEXT = 200
"""From this many characters on a text has a field of several lines."""

INPUT_TYPES = {TextKind.PLAIN: "text", TextKind.ADDRESS: "url", TextKind.SECRET: "password"}


class Control:
    """The row of *setting*.

    *on_change* is called with the value that the user gave, right or wrong; *on_reset* when it shall be the default.
    *on_input* is called with it before that, while the browser still handles what the user did: there are things that
    it may be asked only then.
    """

    def __init__(
        self,
        setting: Setting,
        on_change: Callable[[Control, object], Awaitable[None]],
        on_reset: Callable[[Control], Awaitable[None]],
        on_input: Callable[[object], None] = lambda _value: None,
    ) -> None:
        self.setting = setting
        self.label = word(setting.label)
        self._shown: object = None
        name = setting.name
        self._native = _native(setting)
        self._native.id = name
        self._problem = web.p(classes=["problem"], id=f"{name}-problem", hidden=True)
        self._reset = web.button(classes=["reset"], type="button")
        set_attributes(self._reset, title=word("optionsReset", self.label), aria_label=word("optionsReset", self.label))
        set_attributes(self._native, aria_describedby=f"{name}-help {name}-problem")
        unit = (
            [web.span(textContent=word(setting.kind.unit))]
            if isinstance(setting.kind, Number) and setting.kind.unit
            else []
        )
        self.row = web.div(
            web.div(
                web.label(textContent=self.label, for_=name),
                web.p(textContent=word(setting.help), id=f"{name}-help", classes=["help"]),
                classes=["said"],
            ),
            web.div(web.span(self._native, *unit, classes=["field"]), self._reset, classes=["given"]),
            self._problem,
            classes=["setting"],
        )
        when("change", self._native)(lambda _event: on_input(self.value))
        when("change", self._native)(self._on_change)
        when("click", self._reset)(self._on_reset)
        self._change, self._want_default = on_change, on_reset

    @property
    def value(self) -> object:
        """What the control has now, right or wrong."""
        match self.setting.kind:
            case Switch():
                return bool(self._native.checked)
            case Number():
                number = float(self._native.valueAsNumber)
                return None if isnan(number) else int(number) if number.is_integer() else number
            case _:
                return str(self._native.value)

    @property
    def has_problem(self) -> bool:
        """True while the control has a value that is not stored because it is wrong."""
        return not self._problem.hidden

    def show(self, value: object) -> None:
        """Show a value that is stored, and that it may be reset. What the user is about to change stays."""
        self._reset.hidden = value == self.setting.default
        if value == self._shown:
            return
        self._shown = value
        self.show_again()

    def show_again(self) -> None:
        """Show the stored value in place of what the user gave."""
        if isinstance(self.setting.kind, Switch):
            self._native.checked = self._shown
        else:
            self._native.value = str(self._shown)
        self.show_problem(None)

    def accept(self, value: object) -> None:
        """What the user gave is right, and is being stored."""
        self._shown = value
        self._reset.hidden = value == self.setting.default
        self.show_problem(None)

    def show_problem(self, problem: Problem | None) -> None:
        """Say beside the control what is wrong with its value, or that nothing is."""
        self._problem.textContent = word(problem.key, *problem.arguments) if problem else ""
        self._problem.hidden = problem is None
        set_attributes(self._native, aria_invalid="true" if problem else "false")

    def is_meant(self, query: str) -> bool:
        """True when a search for *query* means this setting."""
        kind = self.setting.kind
        values = [_name_of(kind, value) for value in kind.values] if isinstance(kind, Choice) else []
        keys = [self.setting.help, self.setting.group.label, kind.unit if isinstance(kind, Number) else ""]
        return matches(query, "\n".join([self.label, self.setting.name, *values, *(word(key) for key in keys if key)]))

    def focus(self) -> None:
        """Bring the keyboard to the control."""
        self._native.focus()

    async def _on_change(self, _event: Any) -> None:
        await self._change(self, self.value)

    async def _on_reset(self, _event: Any) -> None:
        await self._want_default(self)


def _native(setting: Setting) -> Any:
    """The browser's own control for a kind of setting."""
    match setting.kind:
        case Switch():
            switch = web.input_(type="checkbox")
            set_attributes(switch, role="switch")
            return switch
        case Choice() as kind:
            options = []
            for value in kind.values:
                option = web.option(textContent=_name_of(kind, value), value=value.value)
                if value in kind.own_names:
                    set_attributes(option, lang=value.value)
                options.append(option)
            return web.select(*options)
        case Number(low, high):
            return web.input_(type="number", min=str(low), max=str(high), step="1", required=True)
        case Text(maximum, kind):
            if kind is TextKind.PLAIN and maximum > LONG_TEXT:
                return web.textarea(maxLength=maximum, rows=4)
            return web.input_(type=INPUT_TYPES[kind], maxLength=maximum, autocomplete="off", spellcheck=False)


def _name_of(kind: Choice, value: Any) -> str:
    return kind.own_names.get(value) or word(kind.label(value))


def section_of(group: Group, rows: Iterable[Any]) -> Any:
    """A group of the page: its name, and a card with *rows*."""
    name = f"group-{group.value}"
    section = web.section(web.h2(textContent=word(group.label), id=name), web.div(*rows, classes=["card"]))
    section.setAttribute("aria-labelledby", name)
    return section


def set_attributes(element: Any, **attributes: str) -> None:
    """Set attributes that are no properties: ``aria_label`` is "aria-label"."""
    for name, value in attributes.items():
        element.setAttribute(name.replace("_", "-"), value)
