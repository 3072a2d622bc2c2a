"""One conversation on the page: keeps its rows, asks core for a plan, and paints the difference.

Invariants
----------
* ``_order`` has the keys of all rows in the order of the page, ``_readings`` what each of them is.
* A MutationObserver's callback runs before the browser paints, so what it decides never flickers (F5).
* A change costs the rows that it touched and the turn that they stand in, never the whole conversation.
* ``_painted`` and ``_lines`` are what is on the page now; :meth:`Flow.close` takes exactly that away (F17).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import js

from ..core.boxes import Box
from ..core.elapsed import Stopwatch
from ..core.items import Place
from ..core.marks import BoxMarks
from ..core.plan import TurnPlan, plan_turn
from ..core.rows import Row, RowKind
from ..core.settings import Settings
from ..core.turns import split_turns
from ..core.viewport import Span
from ..hosts import Host, Reading
from . import tool_line
from .arrow import Arrow
from .dom import Attachments, Element, Interval, now, options, set_attributes
from .opened import Opened
from .tool_line import LineText, ToolLine
from .viewport import keep_place, span_of

MARK = "data-thinkfold-flow"
HIDDEN = "data-thinkfold-hidden"
SHOWN = "data-thinkfold-shown"
FRAME = "data-thinkfold-frame"
CONTENT = "content"
"""The target that stands for all that the host put into a row."""

_CONTROLS = "a, button, input, select, textarea, summary, label, [role=button], [role=link], [contenteditable]"

_TEXT_FIELDS = "input, textarea, select, [contenteditable]"

Target = int | str | None
"""What of a row is marked: a part's number, :data:`CONTENT`, or None for the row itself."""


class Flow:
    """Folds one flow element for as long as it is on the page."""

    def __init__(
        self,
        element: Element,
        host: Host,
        opened: Opened,
        settings: Settings,
        *,
        on_error: Callable[[BaseException], None],
        on_change: Callable[[], None],
    ) -> None:
        self.element = element
        self._host = host
        self._opened = opened
        self._settings = settings
        self._on_change = on_change
        self._attached = Attachments(on_error)
        self._readings: dict[str, Reading] = {}
        self._order: list[str] = []
        self._groups: dict[str, Element] = {}  # key of a group of rows → its element
        self._painted: dict[str, dict[Target, dict[str, str]]] = {}
        self._lines: dict[str, dict[str, ToolLine]] = {}  # row key → box id → line
        self._arrows: dict[str, Arrow] = {}
        self._boxes: dict[str, tuple[BoxMarks, ...]] = {}  # first key of the turn → what is painted for it
        self._box_at: dict[str, list[BoxMarks]] = {}  # row key → the boxes that it is in
        self._watches: dict[str, Stopwatch] = {}  # name of a box's first item → its time
        self._shape_is_known = False
        self.missed: list[str] = []
        """The attributes that the host file looked for in vain; empty where it knows the flow's shape."""
        self._serial = 0
        self._template = tool_line.make_template()

    # -- life ------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Read all rows, fold what is to be folded, and follow the changes."""
        self._attached.undo(self._clear)
        self._observer = self._attached.observer(self._on_mutations)
        self._label_observer = self._attached.observer(self._on_label)
        self._followed: ToolLine | None = None
        self._followed_element: Element | None = None
        self._clock = Interval(self._attached, self._tick, 1000)
        self.element.setAttribute(MARK, self._host.spacing_of(self.element))
        for element in self._host.rows_in(self.element):
            self._insert(element, at=len(self._order))
        for turn in split_turns([self._readings[key].row for key in self._order]):
            self._plan(turn)
        self._observer.observe(
            self.element,
            options(childList=True, subtree=True, attributes=True, attributeFilter=[*self._host.watched_attributes]),
        )
        self._attached.listen(self.element, "click", self._on_click)
        self._attached.listen(self.element, "keydown", self._on_key)
        self._check_shape()
        self._settle()

    def close(self) -> None:
        """Leave the page without a mark of ours."""
        self._attached.close()

    def set_settings(self, settings: Settings) -> None:
        """Plan everything again with other settings."""
        self._settings = settings
        self._replan(set(self._order))
        self._settle()

    def _check_shape(self) -> None:
        """Notice a flow of a shape that the host file does not know. Nothing in it is touched."""
        if self._shape_is_known:
            return
        self._shape_is_known = any(reading.row.kind is not RowKind.UNKNOWN for reading in self._readings.values())
        missed = [] if self._shape_is_known else self._host.missed_in(self.element)
        if missed != self.missed:
            self.missed = missed
            self._on_change()

    @property
    def connected(self) -> bool:
        """False once the host has taken the flow away."""
        return bool(self.element.isConnected)

    def counts(self) -> tuple[int, int]:
        """How many boxes are folded now, and how many steps are in them."""
        folded = [marks.box for turn in self._boxes.values() for marks in turn if not marks.expanded]
        return len(folded), sum(len(box.tools) for box in folded)

    # -- reading ---------------------------------------------------------------------------------------

    def _on_mutations(self, records: Any, _observer: Any) -> None:
        dirty: set[str] = set()
        added: list[Element] = []
        removed: list[Element] = []
        for record in records:
            row = record.target.closest(self._host.row_selector)
            if row:
                dirty.add(self._host.key_of(row) or "")
            elif record.type == "childList":
                removed.extend(record.removedNodes)
                added.extend(record.addedNodes)
                self._mark_new_content(self._host.group_key_of(record.target))
        touched = self._apply_structure(added, removed)
        touched.update(key for key in dirty if key in self._readings and self._reread(key))
        if touched:
            self._replan(touched)
        self._check_shape()
        self._settle()

    def _apply_structure(self, added: Iterable[Element], removed: Iterable[Element]) -> set[str]:
        """Take rows out and put rows in. Returns keys whose turns need a plan."""
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

    def _mark_new_content(self, group: str | None) -> None:
        """A group in which the tool line sits got other children: hide what is to be hidden of them."""
        painted = self._painted.get(group or "", {})
        if group is not None and CONTENT in painted:
            self._mark(group, CONTENT, painted.pop(CONTENT))

    def _rows_among(self, nodes: Iterable[Element]) -> list[Element]:
        return [row for node in nodes if node.nodeType == 1 for row in self._host.rows_in(node)]

    def _position_of(self, element: Element) -> int:
        before = self._host.row_before(element, self.element)
        while before:
            key = self._host.key_of(before)
            if key in self._readings:
                assert key is not None
                return len(self._order) if self._order[-1] == key else self._order.index(key) + 1
            before = self._host.row_before(before, self.element)
        return 0

    def _neighbours(self, key: str) -> list[str]:
        """The rows around *key*: when it comes or goes, their turns may join or part."""
        index = len(self._order) - 1 if self._order[-1] == key else self._order.index(key)
        return [self._order[at] for at in (index - 1, index + 1) if 0 <= at < len(self._order)]

    def _insert(self, element: Element, at: int) -> None:
        reading = self._host.read(element)
        self._readings[reading.row.key] = reading
        self._order.insert(at, reading.row.key)
        self._note_group(reading)

    def _note_group(self, reading: Reading) -> None:
        """Know the element of the row's group. A new element for a known group comes without our marks."""
        group = reading.row.group
        if group is None or (group in self._groups and self._groups[group] == reading.group):
            return
        self._unmark(group)
        self._groups[group] = reading.group

    def _drop(self, key: str) -> None:
        """Forget a row that went or moved, and unmark its element: the host may put the same one back."""
        self._unmark(key)
        self._box_at.pop(key, None)
        self._order.remove(key)
        group = self._readings.pop(key).row.group
        if group is not None and not any(reading.row.group == group for reading in self._readings.values()):
            self._unmark(group)
            del self._groups[group]

    def _unmark(self, key: str) -> None:
        """Take all marks off a row or a group."""
        if key in self._painted:
            self._paint_row(key, {})
            self._painted.pop(key, None)
        for box_id in [*self._lines.get(key, ())]:
            self._remove_line(key, box_id)
        self._lines.pop(key, None)

    def _reread(self, key: str) -> bool:
        """Read a row again. True when its turn needs a plan."""
        old = self._readings[key]
        new = self._host.read(old.element)
        self._readings[key] = new
        painted = self._painted.get(key, {})
        replaced = [
            index
            for index, element in enumerate(old.parts)
            if index in painted and not (index < len(new.parts) and new.parts[index] == element)
        ]
        for index in replaced:  # the host made a new element for this part; its marks went with the old one
            set_attributes(old.parts[index], painted.pop(index), {})
        if CONTENT in painted:
            self._mark(key, CONTENT, painted.pop(CONTENT))
        return (
            bool(replaced)
            or new.row != old.row
            or any(
                marks.seat.key in (key, new.row.group) or marks.box.latest.place.key == key
                for marks in self._box_at.get(key, ())
            )
        )

    # -- planning --------------------------------------------------------------------------------------

    def _replan(self, touched: set[str]) -> None:
        while touched:
            segment = self._segment_around(touched.pop())
            for turn in split_turns(segment):
                self._plan(turn)
            touched.difference_update(row.key for row in segment)

    def _segment_around(self, key: str) -> list[Row]:
        """The rows between two tails around *key*: at least its whole turn."""
        index = len(self._order) - 1 if self._order[-1] == key else self._order.index(key)
        start = index
        while start > 0 and self._row(start - 1).kind is not RowKind.TAIL:
            start -= 1
        end = index
        while end < len(self._order) - 1 and self._row(end).kind is not RowKind.TAIL:
            end += 1
        return [self._row(at) for at in range(start, end + 1)]

    def _row(self, index: int) -> Row:
        return self._readings[self._order[index]].row

    def _plan(self, turn: list[Row]) -> None:
        last = turn[-1].key == self._order[-1]
        plan = plan_turn(turn, self._opened, last=last, host_fold=self._settings.host_fold)
        self._time(plan.boxes)
        for row in turn:
            self._boxes.pop(row.key, None)
        if plan.marks:
            self._boxes[turn[0].key] = plan.marks
        self._paint(turn, plan)

    def _time(self, boxes: Iterable[Box]) -> None:
        moment = now()
        for box in boxes:
            watch = self._watches.get(box.names[0])
            if watch is None and box.live:
                watch = self._watches[box.names[0]] = Stopwatch()
            if watch is not None:
                watch.observe(box.live, moment)

    # -- painting --------------------------------------------------------------------------------------

    def _paint(self, turn: list[Row], plan: TurnPlan) -> None:
        planned = plan.marks
        groups = dict.fromkeys(row.group for row in turn if row.group is not None)
        wanted: dict[str, dict[Target, dict[str, str]]] = {key: {} for key in (*groups, *(row.key for row in turn))}
        boxes_at: dict[str, list[BoxMarks]] = {row.key: [] for row in turn}
        for place in plan.shown:
            wanted[place.key].setdefault(place.part, {})[SHOWN] = ""
        for place in plan.hidden:
            wanted[place.key].setdefault(place.part, {})[HIDDEN] = ""
        for marks in planned:
            for place, attributes in _attributes_of(marks):
                wanted[place.key].setdefault(place.part, {}).update(attributes)
            for place in marks.content_hidden:
                wanted[place.key].setdefault(CONTENT, {})[HIDDEN] = ""
            for key in {item.place.key for item in marks.box.items}:
                boxes_at[key].append(marks)
        for key, targets in wanted.items():
            self._paint_row(key, targets)
        self._box_at.update(boxes_at)
        lines_wanted = {(marks.seat.key, marks.box.id) for marks in planned}
        for key in wanted:
            for box_id in [*self._lines.get(key, ())]:
                if (key, box_id) not in lines_wanted:
                    self._remove_line(key, box_id)
        for marks in planned:
            self._paint_line(marks)
            self._paint_arrow(marks)

    def _paint_row(self, key: str, targets: dict[Target, dict[str, str]]) -> None:
        painted = self._painted.get(key, {})
        if painted == targets:
            return
        for target in painted.keys() | targets.keys():
            self._mark(key, target, targets.get(target, {}))

    def _mark(self, key: str, target: Target, attributes: dict[str, str]) -> None:
        painted = self._painted.setdefault(key, {})
        before = painted.get(target, {})
        for element in self._elements(key, target):
            set_attributes(element, before, attributes)
        if attributes:
            painted[target] = attributes
        else:
            painted.pop(target, None)

    def _elements(self, key: str, target: Target) -> Iterator[Element]:
        if isinstance(target, int):
            parts = self._readings[key].parts
            if target < len(parts):
                yield parts[target]
            return
        element = self._groups[key] if key in self._groups else self._readings[key].element
        if target is None:
            yield element
        else:
            yield from (child for child in element.children if not child.hasAttribute(tool_line.MARK))

    def _paint_line(self, marks: BoxMarks) -> None:
        lines = self._lines.setdefault(marks.seat.key, {})
        line = lines.get(marks.box.id)
        if line is None:
            line = lines[marks.box.id] = ToolLine(marks.box.id, self._template)
        if not line.element.isConnected:
            self._seat(line, marks)
        attributes = {
            "aria-expanded": str(marks.expanded).lower(),
            "data-thinkfold-state": marks.box.state,
        }
        if marks.seat.frame:
            attributes[FRAME] = marks.seat.frame
        if marks.seat.roomy:
            attributes["data-thinkfold-roomy"] = ""
        line.set_attributes(attributes)
        self._paint_label(line, marks)

    def _seat(self, line: ToolLine, marks: BoxMarks) -> None:
        if marks.seat.before:
            next(self._elements(marks.seat.key, marks.seat.before)).before(line.element)
        else:
            next(self._elements(marks.seat.key, None)).prepend(line.element)

    def _paint_label(self, line: ToolLine, marks: BoxMarks) -> None:
        latest = marks.box.latest
        reading = self._readings[latest.place.key]
        element = reading.element if latest.place.part is None else reading.parts[latest.place.part]
        label = self._host.label_of(element)
        line.set_text(LineText(label.title, label.summary, len(marks.box.tools), self._elapsed(marks.box)))
        drawn_from = (latest.place, latest.state, bool(label.icon))
        if line.icon_of != drawn_from:
            line.icon_of = drawn_from
            line.set_icon(label.icon)
        if latest.running and label.text_element:
            self._follow(line, label.text_element)
        elif self._followed is line:
            self._follow(None, None)

    def _follow(self, line: ToolLine | None, element: Element | None) -> None:
        """Let *line* say what *element* says, while the host writes it."""
        self._followed = line
        if element is not None and self._followed_element is not None and self._followed_element == element:
            return
        self._label_observer.disconnect()
        self._followed_element = element
        if element is not None:
            self._label_observer.observe(element, options(characterData=True, childList=True, subtree=True))

    def _on_label(self, _records: Any, _observer: Any) -> None:
        if self._followed is not None and self._followed_element is not None:
            self._followed.set_summary(self._followed_element.textContent.strip())
            self._observer.takeRecords()

    def _paint_arrow(self, marks: BoxMarks) -> None:
        if not marks.expanded:
            arrow = self._arrows.pop(marks.box.id, None)
            if arrow is not None:
                arrow.remove()
            return
        arrow = self._arrows.get(marks.box.id)
        if arrow is None:
            self._serial += 1
            arrow = self._arrows[marks.box.id] = Arrow(marks.box.id, self._serial, self.element)
        framed = [element for place, _ in marks.frame for element in self._elements(place.key, place.part)]
        line = self._lines[marks.seat.key][marks.box.id].element
        arrow.anchor(line if marks.seat.frame else framed[0], framed[-1] if framed else line)

    def _remove_line(self, key: str, box_id: str) -> None:
        line = self._lines[key].pop(box_id)
        if self._followed is line:
            self._follow(None, None)
        line.element.remove()
        arrow = self._arrows.pop(box_id, None)
        if arrow is not None:
            arrow.remove()

    def _settle(self) -> None:
        """After painting: our own changes are no news, and the clock runs only where time goes on."""
        self._observer.takeRecords()
        self._clock.want(any(watch.ticking for watch in self._watches.values()))

    def _clear(self) -> None:
        for key in {*self._painted, *self._lines}:
            self._unmark(key)
        for arrow in self._arrows.values():
            arrow.remove()
        self.element.removeAttribute(MARK)

    # -- time ------------------------------------------------------------------------------------------

    def _elapsed(self, box: Box) -> int | None:
        watch = self._watches.get(box.names[0])
        return watch.seconds(now()) if watch is not None else None

    def _tick(self) -> None:
        for turn in self._boxes.values():
            for marks in turn:
                watch = self._watches.get(marks.box.names[0])
                if watch is not None and watch.ticking:
                    self._lines[marks.seat.key][marks.box.id].set_elapsed(watch.seconds(now()))
        self._settle()

    # -- the user --------------------------------------------------------------------------------------

    def _on_click(self, event: Any) -> None:
        target = event.target
        box_id = _box_named_by(target)
        if box_id is None:
            box_id = self._folded_box_under(target)
        if box_id is not None:
            self._toggle(box_id, pointer=event.clientY if event.detail else None)  # detail 0: by keyboard

    def _folded_box_under(self, target: Element) -> str | None:
        """The folded box that a plain click on *target* opens (F7): none for a control, a link, or the end of
        a text selection."""
        framed = target.closest(f"[{FRAME}]")
        if not framed or target.closest(_CONTROLS) or not js.getSelection().isCollapsed:
            return None
        row = framed.closest(self._host.row_selector)
        key = self._host.key_of(row) if row else None
        folded = [marks.box.id for marks in self._box_at.get(key or "", ()) if not marks.expanded]
        return folded[0] if folded else None

    def _on_key(self, event: Any) -> None:
        """Escape folds the opened box that has the focus in it (F7)."""
        if event.key != "Escape" or event.defaultPrevented or event.target.closest(_TEXT_FIELDS):
            return
        box_id = _box_named_by(event.target)
        if box_id is None:
            row = event.target.closest(self._host.row_selector)
            key = self._host.key_of(row) if row else None
            box_id = next((marks.box.id for marks in self._box_at.get(key or "", ()) if marks.expanded), None)
        marks = self._marks_of(box_id)
        if marks is not None and marks.expanded:
            event.preventDefault()
            self._toggle(marks.box.id, pointer=None)

    def _marks_of(self, box_id: str | None) -> BoxMarks | None:
        return next((marks for turn in self._boxes.values() for marks in turn if marks.box.id == box_id), None)

    def _toggle(self, box_id: str, *, pointer: float | None) -> None:
        """Open a folded box, or fold an open one. *pointer* is the height of the mouse, None for the keyboard."""
        marks = self._marks_of(box_id)
        if marks is None:
            return
        expanded = not marks.expanded

        def toggle() -> None:
            (self._opened.add if expanded else self._opened.remove)(marks.box.names)
            self._replan({marks.box.items[0].place.key})

        scroller = self._host.scroller_of(self.element)
        if scroller:
            keep_place(scroller, lambda: self._span_of(box_id), toggle, expanded=expanded, pointer=pointer)
        else:
            toggle()
        if not expanded:
            line = self._lines[marks.seat.key][box_id].element
            line.focus(options(preventScroll=True))
        self._settle()

    def _span_of(self, box_id: str) -> Span:
        """Where the box is on screen."""
        marks = self._marks_of(box_id)
        assert marks is not None
        framed = [element for place, _ in marks.frame for element in self._elements(place.key, place.part)]
        line = self._lines[marks.seat.key][box_id].element
        visible = [element for element in (line, *framed) if element.getClientRects().length]
        return span_of(framed[0] if framed and not marks.seat.frame else line, visible[-1])


def _attributes_of(marks: BoxMarks) -> Iterator[tuple[Place, dict[str, str]]]:
    for place in marks.hidden:
        yield place, {HIDDEN: ""}
    for place, edges in marks.frame:
        yield place, {FRAME: edges}


def _box_named_by(target: Element) -> str | None:
    """The box whose tool line or arrow *target* is."""
    button = target.closest(f"[{tool_line.MARK}], [data-thinkfold-arrow]")
    if not button:
        return None
    return str(button.getAttribute(tool_line.MARK) or button.getAttribute("data-thinkfold-arrow"))
