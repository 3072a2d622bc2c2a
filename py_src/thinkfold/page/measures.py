"""Writes beside each of the host's thoughts how long it took and how long it is, as the tap heard it.

It is an attribute that the stylesheet shows: nothing of ours stands among what React owns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..core.items import Place
from ..core.rows import PartKind
from ..hosts import Host
from .dom import Element
from .rows import Rows

MARK = "data-thinkfold-measure"


class Measure(NamedTuple):
    """What is known of one thought: what stands beside it, what a tool line says that has a time of its own, and how
    many tokens it has."""

    beside: str
    in_tool_line: str
    tokens: float


_UNKNOWN = Measure("", "", 0)
"""Of a thought that is not known yet, or was deleted."""


class Measures:
    """The measures in one flow. *measures_of* gives those of the thoughts in a row, in order, by its key."""

    def __init__(self, rows: Rows, host: Host, measures_of: Callable[[str], list[Measure]]) -> None:
        self._rows = rows
        self._host = host
        self._measures_of = measures_of
        self._keys: dict[tuple[int, int], set[str]] = {}  # turn and step → rows
        self._painted: dict[Place, tuple[Element, Measure]] = {}

    def at(self, place: Place) -> str:
        """What a tool line says of the thought at *place*; empty where nothing is known."""
        return self._painted[place][1].in_tool_line if place in self._painted else ""

    def tokens_at(self, place: Place) -> float | None:
        """The tokens of the thought at *place*, None where nothing is known."""
        return self._painted[place][1].tokens if place in self._painted else None

    def rows_of(self, step: tuple[int, int]) -> set[str]:
        """The keys of the rows that show a step (its turn and its number)."""
        return {key for key in self._keys.get(step, ()) if key in self._rows}

    def paint(self, keys: Iterable[str]) -> set[str]:
        """Paint these rows, as far as they differ. Returns the keys where something did."""
        changed: set[str] = set()
        for key in keys:
            step = self._host.step_in(key)
            if step is None or key not in self._rows:
                continue
            self._keys.setdefault(step, set()).add(key)
            reading = self._rows[key]
            kinds = enumerate(zip(reading.row.parts, reading.parts, strict=True))
            thoughts = [(index, element) for index, (part, element) in kinds if part.kind is PartKind.THINK]
            if not thoughts:
                continue
            lines = [(index, self._host.thought_line_in(element)) for index, element in thoughts]
            measures = self._measures_of(key)
            drawn = [(index, line) for index, line in lines if line]
            missing = [_UNKNOWN] * (len(drawn) - len(measures))
            for (index, line), measure in zip(drawn, [*measures, *missing], strict=False):
                changed |= {key} if self._write(Place(key, index), line, measure) else set()
        return changed

    def clear(self) -> None:
        """Take all of them away."""
        for line, _ in self._painted.values():
            line.removeAttribute(MARK)
        self._painted.clear()

    def _write(self, place: Place, line: Element, measure: Measure) -> bool:
        before = self._painted.get(place)
        if measure is _UNKNOWN:
            if before is not None:
                before[0].removeAttribute(MARK)
                del self._painted[place]
            return before is not None
        self._painted[place] = (line, measure)
        if before is not None and before[1].beside == measure.beside and before[0] == line:
            return False
        line.setAttribute(MARK, measure.beside)
        return True
