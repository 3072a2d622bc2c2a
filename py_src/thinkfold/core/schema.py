"""What there is to know of a setting: its kind and bounds, where it is shown, and by which words.

A setting is declared once, as a field of :class:`thinkfold.core.settings.Settings`::

    minimum_steps: int = setting(2, Group.FOLDING, Number(1, 50))

From the field's name follow its name in the browser's storage ("minimumSteps") and the keys of its words in
``_locales``: "choiceMinimumSteps" is its label, "helpMinimumSteps" says what it does. A choice's values are named
by their enumeration: ``Texts.LATEST`` is "textsLatest".
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Any, TypeGuard


class Group(StrEnum):
    """What settings are about, as users think of it, in the order in which the groups are shown."""

    FOLDING = "folding"
    THINKING = "thinking"
    SUMMARIES = "summaries"
    REFINEMENT = "refinement"
    SITES = "sites"
    PRIVACY = "privacy"
    LANGUAGE = "language"

    @property
    def label(self) -> str:
        """The key of its words."""
        return f"group{self.value.capitalize()}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a value cannot be: a message's key and what is filled into it, and whose values it is about."""

    key: str
    arguments: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names in storage."""


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    def problem(self, value: object) -> Problem | None:
        """What is wrong with a value, if anything."""
        return None if isinstance(value, bool) else Problem("problemSwitch")

    def read(self, value: object, default: Any) -> Any:
        """The value, or the default if it is none."""
        return value if isinstance(value, bool) else default


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values of an enumeration. *own_names* has the values that are called the same in every language."""

    values: type[StrEnum]
    own_names: Mapping[Any, str] = field(default_factory=dict)

    def problem(self, value: object) -> Problem | None:
        """What is wrong with a value, if anything."""
        if isinstance(value, str) and value in [*self.values]:
            return None
        return Problem("problemChoice", (", ".join(f'"{each}"' for each in self.values),))

    def read(self, value: object, default: Any) -> Any:
        """The value, or the default if it is none."""
        return default if self.problem(value) else self.values(str(value))

    def label(self, value: str) -> str:
        """The key of a value's words."""
        return stored_name(f"{_first_lower(self.values.__name__)}_{self.values(value).name.lower()}")


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from *low* to *high*. *unit* is the key of the word for what is counted, if that needs one."""

    low: int
    high: int
    unit: str = ""

    def problem(self, value: object) -> Problem | None:
        """What is wrong with a value, if anything."""
        if _is_number(value) and value == int(value) and self.low <= value <= self.high:
            return None
        return Problem("problemNumber", (str(self.low), str(self.high)))

    def read(self, value: object, default: Any) -> Any:
        """The value or the bound nearest to it, or the default if it is no number."""
        return int(min(max(value, self.low), self.high)) if _is_number(value) else default


class TextKind(StrEnum):
    """What a text is."""

    PLAIN = "plain"
    ADDRESS = "address"
    """Of a page or a service."""
    SECRET = "secret"
    """A key: one line, shown as dots and never exported."""


FORMS = {
    TextKind.PLAIN: ("problemText", r"(?s:.*)"),
    TextKind.ADDRESS: ("problemAddress", r"(?:https?://[^\s/?#@\\]+(?:[/?#]\S*)?)?"),
    TextKind.SECRET: ("problemSecret", r"[!-~]*"),
}
"""For each kind of text the problem with one that does not look like it, and what it looks like."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of at most *maximum* characters, which may be empty."""

    maximum: int
    kind: TextKind = TextKind.PLAIN

    def problem(self, value: object) -> Problem | None:
        """What is wrong with a value, if anything."""
        if not isinstance(value, str) or len(value) > self.maximum:
            return Problem("problemText", (str(self.maximum),))
        key, form = FORMS[self.kind]
        return None if re.fullmatch(form, value) else Problem(key)

    def read(self, value: object, default: Any) -> Any:
        """The value, or the default if something is wrong with it."""
        return default if self.problem(value) else value


Kind = Switch | Choice | Number | Text


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. *field* is its name in the code, *label* and *help* are the keys of its words."""

    field: str
    default: Any
    group: Group
    kind: Kind
    label: str

    @property
    def name(self) -> str:
        """Its name in the browser's storage."""
        return stored_name(self.field)

    @property
    def help(self) -> str:
        """The key of the words that say what it does."""
        return stored_name(f"help_{self.field}")

    @property
    def is_secret(self) -> bool:
        """True when its value must never be exported or shown."""
        return isinstance(self.kind, Text) and self.kind.kind is TextKind.SECRET


def setting(default: object, group: Group, kind: Kind, *, label: str = "") -> Any:
    """Declare a dataclass's field as a setting. *label* is for one whose label has another key than is usual."""
    return field(default=default, metadata={"group": group, "kind": kind, "label": label})


def schema_of(settings: type) -> tuple[Setting, ...]:
    """The settings that a dataclass declares, in its order."""
    return tuple(
        Setting(
            each.name,
            each.default,
            each.metadata["group"],
            each.metadata["kind"],
            each.metadata["label"] or stored_name(f"choice_{each.name}"),
        )
        for each in dataclasses.fields(settings)
    )


def message_keys(schema: tuple[Setting, ...]) -> Iterator[str]:
    """The keys of all words that showing *schema* needs."""
    yield from (group.label for group in Group)
    for each in schema:
        yield from (each.label, each.help)
        if isinstance(each.kind, Choice):
            yield from (each.kind.label(value) for value in each.kind.values if value not in each.kind.own_names)
        if isinstance(each.kind, Number) and each.kind.unit:
            yield each.kind.unit
    yield from (key for key, _ in FORMS.values())


def stored_name(field: str) -> str:
    """The name of a field in the browser's storage: "host_fold" is "hostFold"."""
    first, *rest = field.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _first_lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
