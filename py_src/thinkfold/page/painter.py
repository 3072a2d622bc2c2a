"""Paints what core planned, and only the difference to what is painted already.

Invariants
----------
* ``_painted`` and ``_lines`` are what is on the page now; :meth:`Painter.clear` takes exactly that away (F17).
* An attribute of ours is the only thing that a host's element gets (and an anchor's name, see :mod:`arrow`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import js

from ..core.boxes import Box
from ..core.items import Place
from ..core.marks import BoxMarks
from ..core.plan import TurnPlan
from ..core.rows import Row
from ..core.viewport import Span
from ..hosts import Host, Reading
from . import tool_line
from .arrow import Arrow
from .dom import Attachments, Element, options, set_attributes
from .message import HIDDEN
from .rows import CONTENT, Rows, Target
from .thoughts import Thoughts
from .tool_line import LineText, ToolLine
from .viewport import span_of

FINDABLE = "data-thinkfold-findable"
"""On the element within, which has the ``hidden`` attribute of ours."""
UNTIL_FOUND = "until-found"
SHOWN = "data-thinkfold-shown"
FRAME = "data-thinkfold-frame"


class Painter:
    """Paints into one flow.

    *elapsed* tells the observed seconds of a box, None where there are none; *measure* what is known of a thought's
    time and length; *painted* is called after the painter
    changed something by itself, because the host's words grew.
    """

    def __init__(
        self,
        flow: Element,
        host: Host,
        thoughts: Thoughts,
        attached: Attachments,
        *,
        elapsed: Callable[[Box], int | None],
        measure: Callable[[Place], str],
        painted: Callable[[], None],
    ) -> None:
        self._host = host
        self._thoughts = thoughts
        self._elapsed = elapsed
        self._measure = measure
        self._report_painted = painted
        self.rows = Rows(flow, host, thoughts, on_gone=self.unmark)
        self._painted: dict[str, dict[Target, dict[str, str]]] = {}
        self._lines: dict[str, dict[str, ToolLine]] = {}  # key of a row or group → box id → line
        self._arrows: dict[str, Arrow] = {}
        self._findable: dict[tuple[str, Target], list[Element]] = {}
        self._hidden_value = UNTIL_FOUND if hasattr(js.document, "onbeforematch") else ""
        self._serial = 0
        self._template = tool_line.make_template()
        self._label_observer = attached.observer(self._on_label)
        self._followed: ToolLine | None = None
        self._followed_element: Element | None = None

    def clear(self) -> None:
        """Take everything off the page."""
        for key in {*self._painted, *self._lines}:
            self.unmark(key)
        for arrow in self._arrows.values():
            arrow.remove()
        self._arrows.clear()

    def line_of(self, marks: BoxMarks) -> ToolLine:
        """The tool line of a painted box."""
        return self._lines[marks.seat.key][marks.box.id]

    def span_of(self, marks: BoxMarks) -> Span:
        """Where a painted box is on screen."""
        framed = self._framed(marks)
        line = self.line_of(marks).element
        visible = [element for element in (line, *framed) if element.getClientRects().length]
        return span_of(framed[0] if framed and not marks.seat.frame else line, visible[-1])

    def notice_parts(self, old: Reading, new: Reading) -> bool:
        """A row was read again: True when the host made new elements for parts that were marked."""
        key = new.row.key
        painted = self._painted.get(key, {})
        replaced = [
            index
            for index, element in enumerate(old.parts)
            if index in painted and not (index < len(new.parts) and new.parts[index] == element)
        ]
        for index in replaced:
            set_attributes(old.parts[index], painted.pop(index), {})
            self._make_findable(key, index, [])
        self.notice_content(key)
        return bool(replaced)

    def notice_content(self, key: str | None) -> None:
        """A row or group got other children: hide what is to be hidden of them."""
        painted = self._painted.get(key or "", {})
        if key is not None and CONTENT in painted:
            self._mark(key, CONTENT, painted.pop(CONTENT))

    def _framed(self, marks: BoxMarks) -> list[Element]:
        return [element for place, _ in marks.frame for element in self.rows.elements(place.key, place.part)]

    def unmark(self, key: str) -> None:
        """Take all marks off a row or a group."""
        if key in self._painted:
            self._paint_row(key, {})
            self._painted.pop(key, None)
        for box_id in [*self._lines.get(key, ())]:
            self._remove_line(key, box_id)
        self._lines.pop(key, None)

    def paint(self, turn: list[Row], plan: TurnPlan) -> None:
        """Make *turn* look as *plan* says."""
        planned = plan.marks
        groups = dict.fromkeys(row.group for row in turn if row.group is not None)
        wanted: dict[str, dict[Target, dict[str, str]]] = {key: {} for key in (*groups, *(row.key for row in turn))}
        for place in plan.shown:
            wanted[place.key].setdefault(place.part, {})[SHOWN] = ""
        for place in plan.hidden:
            wanted[place.key].setdefault(place.part, {})[HIDDEN] = ""
        for marks in planned:
            for place in marks.hidden:
                wanted[place.key].setdefault(place.part, {})[HIDDEN] = self._hidden_value
            for place, edges in marks.frame:
                wanted[place.key].setdefault(place.part, {})[FRAME] = edges
            for place in marks.content_hidden:
                wanted[place.key].setdefault(CONTENT, {})[HIDDEN] = self._hidden_value
        for key, targets in wanted.items():
            self._paint_row(key, targets)
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
        elements = [*self.rows.elements(key, target)]
        for element in elements:
            set_attributes(element, before, attributes)
        if attributes.get(HIDDEN) != before.get(HIDDEN):
            self._make_findable(key, target, elements if attributes.get(HIDDEN) == UNTIL_FOUND else [])
        if attributes:
            painted[target] = attributes
        else:
            painted.pop(target, None)

    def _make_findable(self, key: str, target: Target, elements: list[Element]) -> None:
        """Let find in page look into these hidden elements, and no longer into those that *target* had before."""
        for element in self._findable.pop((key, target), ()):
            element.removeAttribute("hidden")
            element.removeAttribute(FINDABLE)
        findable = [inner for element in elements if (inner := self._host.findable_in(element)) is not None]
        for element in findable:
            element.setAttribute(FINDABLE, "")
            element.setAttribute("hidden", UNTIL_FOUND)
        if findable:
            self._findable[key, target] = findable

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
        self._name_controlled(line, marks)
        self.paint_label(marks)

    def _name_controlled(self, line: ToolLine, marks: BoxMarks) -> None:
        controls = (self.rows.version, marks.hidden, marks.frame)
        if line.controls != controls:
            line.controls = controls
            places = [*marks.hidden, *(place for place, _ in marks.frame)]
            line.set_controlled([element for place in places for element in self.rows.elements(place.key, place.part)])

    def _seat(self, line: ToolLine, marks: BoxMarks) -> None:
        if marks.seat.before:
            next(self.rows.elements(marks.seat.key, marks.seat.before)).before(line.element)
        else:
            next(self.rows.elements(marks.seat.key, None)).prepend(line.element)

    def paint_label(self, marks: BoxMarks) -> None:
        """Have a painted box's tool line say what its latest tool item says."""
        line = self.line_of(marks)
        latest = marks.box.latest
        reading = self.rows[latest.place.key]
        element = reading.element if latest.place.part is None else reading.parts[latest.place.part]
        label = self._thoughts.label_of(element) or self._host.label_of(element)
        title = " · ".join(filter(None, (label.title, self._measure(latest.place))))
        line.set_text(LineText(title, label.summary, len(marks.box.tools), self._elapsed(marks.box)))
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
            self._report_painted()

    def _paint_arrow(self, marks: BoxMarks) -> None:
        if not marks.expanded:
            arrow = self._arrows.pop(marks.box.id, None)
            if arrow is not None:
                arrow.remove()
            return
        arrow = self._arrows.get(marks.box.id)
        if arrow is None:
            self._serial += 1
            arrow = self._arrows[marks.box.id] = Arrow(marks.box.id, self._serial)
        framed = self._framed(marks)
        line = self.line_of(marks).element
        arrow.stand_before(line)
        arrow.anchor(line if marks.seat.frame else framed[0], framed[-1] if framed else line)

    def _remove_line(self, key: str, box_id: str) -> None:
        line = self._lines[key].pop(box_id)
        if self._followed is line:
            self._follow(None, None)
        line.element.remove()
        arrow = self._arrows.pop(box_id, None)
        if arrow is not None:
            arrow.remove()
