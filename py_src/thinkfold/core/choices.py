"""Which boxes the user opened or folded by hand, and how that is kept (F13, F14).

A box is known again by the identities of its tool items, which no other chat session shares. A choice is kept
under the first of them, one entry a box, so that several tabs can write without reading what the others wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

LIMIT = 500
"""How many choices are kept; the oldest go first."""
NAMES_KEPT = 20
"""How many names of a box are kept: the first and the last ones. It grows at its end, and older rows that come
in stand at its start."""
PREFIX = "box/"
"""What the storage's names of choices begin with. No setting's does."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One box: what the user chose, when (milliseconds since 1970), and the names that the box goes by."""

    expanded: bool
    time: float
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What to write to the storage, and which of its names to remove."""

    write: dict[str, dict[str, object]]
    remove: list[str]


class Choices:
    """All choices of a page, oldest first."""

    def __init__(self) -> None:
        self._choices: dict[str, Choice] = {}
        self._by_name: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._choices)

    def get(self, name: str, /) -> bool | None:
        """True for opened, False for folded, None where the user chose nothing."""
        key = self._by_name.get(name)
        return None if key is None else self._choices[key].expanded

    def load(self, stored: Mapping[str, object]) -> Change:
        """Take what the storage has; of two choices the later counts.

        What cannot be read, and the oldest beyond the limit, is to be removed.
        """
        read = self._choices.copy()
        broken: list[str] = []
        for key, value in stored.items():
            if key.startswith(PREFIX):
                choice = _choice_from(value)
                if choice is None:
                    broken.append(key)
                elif key not in read or read[key].time < choice.time:
                    read[key] = choice
        self._choices.clear()
        self._by_name.clear()
        for key in sorted(read, key=lambda key: read[key].time):
            self._put(key, read[key])
        return Change({}, broken + self._forget_oldest())

    def choose(self, names: Iterable[str], expanded: bool | None, time: float) -> Change:
        """Note that the user opened (True) or folded (False) a box, or chose nothing any more (None)."""
        names = tuple(dict.fromkeys(names))
        removed = {key for name in names if (key := self._by_name.get(name)) is not None}
        for key in removed:
            self._drop(key)
        if expanded is None:
            return Change({}, sorted(removed))
        if len(names) > NAMES_KEPT:
            names = names[: NAMES_KEPT // 2] + names[-NAMES_KEPT // 2 :]
        key = PREFIX + names[0]
        self._put(key, Choice(expanded, time, names))
        removed.update(self._forget_oldest())
        return Change({key: self._written(key)}, sorted(removed - {key}))

    def all(self) -> dict[str, dict[str, object]]:
        """Everything, as the storage has it."""
        return {key: self._written(key) for key in self._choices}

    def _written(self, key: str) -> dict[str, object]:
        choice = self._choices[key]
        return {"expanded": choice.expanded, "time": choice.time, "names": [*choice.names]}

    def _put(self, key: str, choice: Choice) -> None:
        self._choices[key] = choice
        self._by_name.update(dict.fromkeys(choice.names, key))

    def _drop(self, key: str) -> None:
        for name in self._choices.pop(key).names:
            if self._by_name.get(name) == key:
                del self._by_name[name]

    def _forget_oldest(self) -> list[str]:
        oldest = [*self._choices][: max(0, len(self._choices) - LIMIT)]
        for key in oldest:
            self._drop(key)
        return oldest


def _choice_from(value: object) -> Choice | None:
    """A stored choice, or None where it is none: storage can hold anything."""
    match value:
        case {"expanded": bool() as expanded, "time": int() | float() as time, "names": [*names]} if names:
            if all(isinstance(name, str) for name in names) and isfinite(time):
                return Choice(expanded, float(time), tuple(names))
    return None
