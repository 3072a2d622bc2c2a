"""Remembers which boxes the user opened, for as long as the page lives (F13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

LIMIT = 5_000
"""How many names are kept; the oldest go first. A box has one name for each of its tool items."""


class Opened:
    """The names of the opened boxes (:attr:`thinkfold.core.boxes.Box.names`), oldest first."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def add(self, names: Iterable[str]) -> None:
        """Remember a box as open."""
        self._names.update(dict.fromkeys(names))
        while len(self._names) > LIMIT:
            del self._names[next(iter(self._names))]

    def remove(self, names: Iterable[str]) -> None:
        """Forget a box: it is folded."""
        for name in names:
            self._names.pop(name, None)
