"""The rows of one flow: what each of them is, in which order, and where it is on the page.

Invariants
----------
* ``_order`` has the keys of all rows in the order of the page, ``_readings`` what each of them is, ``_groups`` the
  element of every group that a row stands in.
* Before an element is forgotten, ``on_gone`` is told its key, while :meth:`Rows.elements` still finds it: whoever
  marked it takes the marks off. The host may put the same element back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..core.rows import Row
from ..core.turns import is_border
from ..hosts import Host, Reading
from .arrow import STRIP
from .dom import Element
from .thoughts import Thoughts
from .tool_line import MARK as LINE

CONTENT = "content"
"""The target that stands for all that the host put into a row or a group."""

_OURS = f"[{LINE}], [{STRIP}]"

Target = int | str | None
"""What of a row is meant: a part's number, :data:`CONTENT`, or None for the row or group itself."""


class Rows:
    """Follows the rows of *flow* as *host* reads them."""

    def __init__(self, flow: Element, host: Host, thoughts: Thoughts, on_gone: Callable[[str], None]) -> None:
        self._flow = flow
        self._host = host
        self._thoughts = thoughts
        self._on_gone = on_gone
        self._readings: dict[str, Reading] = {}
        self._order: list[str] = []
        self._groups: dict[str, Element] = {}
        self.version = 0
        """Counts the rows that ever came: when it is the same, every key still has the same element."""

    def __contains__(self, key: object) -> bool:
        return key in self._readings

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[Row]:
        return (self._readings[key].row for key in self._order)

    def __getitem__(self, key: str) -> Reading:
        return self._readings[key]

    @property
    def first(self) -> str | None:
        """The key of the first row, None without rows."""
        return self._order[0] if self._order else None

    def is_last(self, row: Row) -> bool:
        """True when no row follows *row*."""
        return row.key == self._order[-1]

    def read_all(self) -> None:
        """Read every row that the flow has now."""
        for element in self._host.rows_in(self._flow):
            self._insert(element, at=len(self._order))

    def update(self, added: Iterable[Element], removed: Iterable[Element]) -> set[str]:
        """Take rows out and put rows in. Returns the keys whose turns may have changed."""
        touched: set[str] = set()
        for element in self._rows_among(removed):
            key = self._host.key_of(element)
            if key in self._readings and self._readings[key].element == element and not element.isConnected:
                touched.update(self._neighbours(key))
                self._drop(key)
        for element in self._rows_among(added):
            key = self._host.key_of(element)
            if key is None or not element.isConnected:
                continue
            if key in self._readings:
                touched.update(self._neighbours(key))
                self._drop(key)
            self._insert(element, at=self._position_of(element))
            touched.update((key, *self._neighbours(key)))
        return {key for key in touched if key in self._readings}

    def reread(self, key: str) -> tuple[Reading, Reading]:
        """Read a row again. Returns what it was and what it is."""
        old = self._readings[key]
        new = self._readings[key] = self._thoughts.read(self._host.read(old.element))
        return old, new

    def segment_around(self, key: str) -> list[Row]:
        """The rows between two sure borders of turns around *key*: at least its whole turn."""
        start = end = self._index(key)
        while start > 0 and not is_border(self._row(start - 1), self._row(start)):
            start -= 1
        while end < len(self._order) - 1 and not is_border(self._row(end), self._row(end + 1)):
            end += 1
        return [self._row(at) for at in range(start, end + 1)]

    def elements(self, key: str, target: Target) -> Iterator[Element]:
        """The elements of *target* in the row or group *key*."""
        if isinstance(target, int):
            yield from self._readings[key].parts[target : target + 1]
            return
        element = self._groups[key] if key in self._groups else self._readings[key].element
        if target is None:
            yield element
        else:
            yield from (child for child in element.children if not child.matches(_OURS))

    def _row(self, index: int) -> Row:
        return self._readings[self._order[index]].row

    def _index(self, key: str) -> int:
        """Where *key* is; most questions are about the last row."""
        return len(self._order) - 1 if self._order[-1] == key else self._order.index(key)

    def _rows_among(self, nodes: Iterable[Element]) -> list[Element]:
        return [row for node in nodes if node.nodeType == 1 for row in self._host.rows_in(node)]

    def _position_of(self, element: Element) -> int:
        before = self._host.row_before(element, self._flow)
        while before:
            key = self._host.key_of(before)
            if key is not None and key in self._readings:
                return self._index(key) + 1
            before = self._host.row_before(before, self._flow)
        return 0

    def _neighbours(self, key: str) -> list[str]:
        """The rows around *key*: when it comes or goes, their turns may join or part."""
        index = self._index(key)
        return [self._order[at] for at in (index - 1, index + 1) if 0 <= at < len(self._order)]

    def _insert(self, element: Element, at: int) -> None:
        reading = self._thoughts.read(self._host.read(element))
        self._readings[reading.row.key] = reading
        self._order.insert(at, reading.row.key)
        self.version += 1
        group = reading.row.group
        if group is not None and not (group in self._groups and self._groups[group] == reading.group):
            if group in self._groups:
                self._on_gone(group)
            self._groups[group] = reading.group

    def _drop(self, key: str) -> None:
        self._on_gone(key)
        self._thoughts.forget(key)
        self._order.remove(key)
        group = self._readings.pop(key).row.group
        if group is not None and not any(reading.row.group == group for reading in self._readings.values()):
            self._on_gone(group)
            del self._groups[group]
