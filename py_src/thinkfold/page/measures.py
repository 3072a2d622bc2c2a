"""Writes beside each of the host's thoughts how long it took and how long it is, as the tap heard it.

It is an attribute that the stylesheet shows: nothing of ours stands among what React owns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..core.items import Place
from ..core.rows import PartKind
from ..hosts import Host
from .dom import Element
from .rows import Rows

MARK = "data-thinkfold-measure"


class Measures:
    """The measures in one flow. *measures_of* gives those of the thoughts in a row, in order, by its key: for each
    what stands beside it, and what a tool line says that has a time of its own."""

    def __init__(self, rows: Rows, host: Host, measures_of: Callable[[str], list[tuple[str, str]]]) -> None:
        self._rows = rows
        self._host = host
        self._measures_of = measures_of
        self._keys: dict[tuple[int, int], set[str]] = {}  # turn and step → rows
        self._painted: dict[Place, tuple[Element, str, str]] = {}

    def at(self, place: Place) -> str:
        """What a tool line says of the thought at *place*; empty where nothing is known."""
        return self._painted[place][2] if place in self._painted else ""

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
            missing = [("", "")] * (len(drawn) - len(measures))  # not known yet, or deleted
            for (index, line), measure in zip(drawn, [*measures, *missing], strict=False):
                changed |= {key} if self._write(Place(key, index), line, *measure) else set()
        return changed

    def clear(self) -> None:
        """Take all of them away."""
        for line, _, _ in self._painted.values():
            line.removeAttribute(MARK)
        self._painted.clear()

    def _write(self, place: Place, line: Element, measure: str, in_tool_line: str) -> bool:
        before = self._painted.get(place)
        if not measure:
            if before is not None:
                before[0].removeAttribute(MARK)
                del self._painted[place]
            return before is not None
        if before is not None and before[1] == measure and before[0] == line:
            return False
        self._painted[place] = (line, measure, in_tool_line)
        line.setAttribute(MARK, measure)
        return True
