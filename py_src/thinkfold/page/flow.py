"""One conversation on the page: notices what changes, asks core for a plan, has it painted, and hears the user.

Invariants
----------
* A MutationObserver's callback runs before the browser paints, so what it decides never flickers (F5).
* A change costs the rows that it touched and the turn that they stand in, never the whole conversation.
* What we change ourselves is no news: the observer's records of it are thrown away (:meth:`Flow._settle`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import js

from ..core.boxes import Box
from ..core.elapsed import Stopwatch
from ..core.items import Place
from ..core.marks import BoxMarks
from ..core.plan import plan_turn
from ..core.rows import Row, RowKind
from ..core.settings import LiveBoxes, Settings, ShowReasoning
from ..core.thinking import may_hold_thinking, parse_thinking
from ..core.turns import split_turns
from ..core.viewport import Span, is_drag
from ..hosts import Host
from . import tool_line, words
from .arrow import MARK as ARROW_MARK
from .dom import Attachments, Element, Interval, now, options, to_frames
from .host_thoughts import Hold, HostThoughts
from .measures import Measure, Measures
from .memory import Memory
from .message import Source
from .painter import FRAME, Painter
from .thinking_sign import ThinkingSigns
from .thoughts import Thoughts
from .viewport import Reader, hold_place, is_at_foot, keep_place, note_place, shows, span_of

MARK = "data-thinkfold-flow"

COPY, COPIED = "thinkfold-copy", "thinkfold-copied"
"""The events by which ``copy.js`` asks what is copied, and is answered."""

SECONDS_AFTER_FIND = 1.0
"""For how long a match of find in page is kept in view."""

_FLASH = tuple(
    {"outline": f"2px solid {colour}", "outlineOffset": "-2px"}
    for colour in ("transparent", "Highlight", "transparent")
)
"""What draws the eye to where the view has led."""

_CONTROLS = "a, button, input, select, textarea, summary, label, [role=button], [role=link], [contenteditable]"
_TEXT_FIELDS = "input, textarea, select, [contenteditable]"


class Flow:
    """Folds one flow element for as long as it is on the page."""

    def __init__(
        self,
        element: Element,
        host: Host,
        memory: Memory,
        settings: Settings,
        *,
        on_error: Callable[[BaseException], None],
        on_change: Callable[[], None],
        say: Callable[[str], None],
        measures_of: Callable[[Flow, str], list[Measure]] = lambda _flow, _key: [],
        source_of: Callable[[Flow, str, int], Source | None] = lambda _flow, _key, _number: None,
    ) -> None:
        self.element = element
        self._host = host
        self._memory = memory
        self._settings = settings
        self._on_change = on_change
        self._say = say
        self._attached = Attachments(on_error)
        # Made before the painter's own observer, so that it hears of a change first: what the painter then throws
        # away in _settle is only what we did ourselves.
        self._observer = self._attached.observer(self._on_mutations)
        self._thoughts = Thoughts(
            host,
            self._attached,
            on_change=self._on_thoughts,
            painted=self._settle,
            source=lambda key, number: source_of(self, key, number),
            is_reading=self._is_reading,
            settings=settings,
        )
        self._painter = Painter(
            element,
            host,
            self._thoughts,
            self._attached,
            elapsed=self._elapsed,
            measure=self._measure,
            painted=self._settle,
        )
        self._rows = self._painter.rows
        self._measures = Measures(self._rows, host, lambda key: measures_of(self, key))
        self._signs = ThinkingSigns(self._rows, self._attached, say, painted=self._settle)
        self._host_thoughts = HostThoughts(
            self._rows,
            host,
            self._attached,
            settings=settings,
            tokens_of=self._measures.tokens_at,
            is_reading=self._is_reading,
            hold=self._hold,
        )
        self._boxes: dict[str, tuple[BoxMarks, ...]] = {}  # first key of the turn → what is painted for it
        self._boxes_at: dict[str, list[BoxMarks]] = {}  # row key → the boxes that it is in
        self._watches: dict[Place, Stopwatch] = {}  # a box's first item → its time
        self._reader: Reader | None = None
        self._shape_is_known = False
        self._pressed_at = (0.0, 0.0)
        self._clicked: Element = None
        self._found: Element = None
        self._found_at = 0.0
        self.missed: list[str] = []
        """The attributes that the host file looked for in vain; empty where it knows the flow's shape."""

    # -- life ------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Read all rows, fold what is to be folded, and follow the changes."""
        self._attached.undo(self._clear)
        self._clock = Interval(self._attached, self._tick, 1000)
        self.element.setAttribute(MARK, self._host.spacing_of(self.element))
        self._rows.read_all()
        self._measures.paint([row.key for row in self._rows])
        for turn in split_turns([*self._rows]):
            self._plan(turn)
        self._observer.observe(
            self.element,
            options(childList=True, subtree=True, attributes=True, attributeFilter=[*self._host.watched_attributes]),
        )
        self._attached.listen(self.element, "pointerdown", self._on_press)
        scroller = self._host.scroller_of(self.element)
        self._reader = Reader(scroller, self.element, self._attached) if scroller else None
        self._attached.listen(self.element, "click", self._on_click)
        self._attached.listen(js.document, COPY, self._on_copy)
        self._attached.listen(self.element, "keydown", self._on_key)
        self._attached.listen(self.element, "beforematch", self._on_found)
        self._after_find = Interval(self._attached, self._keep_match_in_view, 50)
        self._check_shape()
        self._settle()

    def close(self) -> None:
        """Leave the page without a mark of ours."""
        self._attached.close()

    def set_settings(self, settings: Settings) -> None:
        """Plan everything again with other settings; paint it anew where the words are others."""
        other_words = settings.language is not self._settings.language
        self._settings = settings

        def change() -> None:
            if other_words:
                self._painter.clear()
                self._thoughts.write_anew()
                self._signs.write_anew()
            self._thoughts.set_settings(settings)
            self._host_thoughts.set_settings(settings)
            self._replan({row.key for row in self._rows})

        self._fold_in_place(change)
        self._settle()

    def _check_shape(self) -> None:
        """Notice a flow of a shape that the host file does not know. Nothing in it is touched."""
        if self._shape_is_known:
            return
        self._shape_is_known = any(row.kind is not RowKind.UNKNOWN for row in self._rows)
        missed = [] if self._shape_is_known else self._host.missed_in(self.element)
        if missed != self.missed:
            self.missed = missed
            self._on_change()

    @property
    def connected(self) -> bool:
        """False once the host has taken the flow away."""
        return bool(self.element.isConnected)

    def counts(self) -> tuple[int, int, int]:
        """How many boxes are folded now, how many steps are in them, and how many boxes are open."""
        boxes = [marks for turn in self._boxes.values() for marks in turn]
        folded = [marks.box for marks in boxes if not marks.expanded]
        return len(folded), sum(len(box.tools) for box in folded), len(boxes) - len(folded)

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
                self._painter.notice_content(self._host.group_key_of(record.target))
            else:
                self._host_thoughts.look_again()
        first = self._rows.first
        touched = self._rows.update(added, removed)
        touched.update(key for key in dirty if key in self._rows and self._reread(key))
        older = first is not None and first != self._rows.first
        # At a turn's end the host itself changes what stands above, and what is read is not where it was painted.
        ended = any(self._rows[key].row.kind is RowKind.TAIL for key in touched)
        self._measures.paint({*touched, *dirty})
        if added and touched and self._reader is not None and (older or not ended):
            self._reader.keep_place(lambda: self._replan(touched), older=older)
        elif touched:
            self._replan(touched)
        if len(self._boxes_at) > len(self._rows):  # it has every row that was ever planned
            self._forget_gone_rows()
        self._check_shape()
        self._settle()

    def _on_thoughts(self, keys: set[str]) -> None:
        """Thinking began or ended in the text of these rows."""
        self._replan({key for key in keys if key in self._rows and self._reread(key)})
        self._settle()

    def _forget_gone_rows(self) -> None:
        """Drop what was kept for rows that are gone, so that no box of theirs is counted, timed or looked for."""
        self._boxes = {key: marks for key, marks in self._boxes.items() if key in self._rows}
        self._boxes_at = {key: marks for key, marks in self._boxes_at.items() if key in self._rows}
        self._watches = {place: watch for place, watch in self._watches.items() if place.key in self._rows}
        self._host_thoughts.forget_gone_rows()

    def _reread(self, key: str) -> bool:
        """Read a row again. True when its turn needs a plan."""
        old, new = self._rows.reread(key)
        replaced = self._painter.notice_parts(old, new)
        names_line = any(
            marks.seat.key in (key, new.row.group) or marks.box.latest.place.key == key
            for marks in self._boxes_at.get(key, ())
        )
        return replaced or new.row != old.row or names_line

    # -- what the tap heard ----------------------------------------------------------------------------

    def _measure(self, place: Place) -> str:
        return self._measures.at(place)

    def show_measures(self, steps: Iterable[tuple[int, int]]) -> None:
        """More is known of the thoughts in these steps, each a turn and a step."""
        changed = self._measures.paint({key for step in steps for key in self._measures.rows_of(step)})
        for marks in {marks.box.id: marks for key in changed for marks in self._boxes_at.get(key, ())}.values():
            self._painter.paint_label(marks)
        if changed:
            self._settle()

    def read_messages(self, steps: Iterable[tuple[int, int]]) -> None:
        """What the model wrote in these steps is known now."""
        keys = {key for step in steps for key in self._measures.rows_of(step)}
        if keys:
            self._on_thoughts(keys)

    def go_to(self, step: tuple[int, int], number: int) -> bool:
        """Show thought *number* (from 0) of a step: open its box, and the host's group that it is in, scroll there,
        and give it the focus. False where it is not on the page."""
        keys = self._measures.rows_of(step)
        lines = [
            (row.key, line)
            for row in self._rows
            if row.key in keys
            for element in self._rows[row.key].parts
            if (line := self._host.thought_line_in(element)) is not None
        ]
        if number >= len(lines):
            return False
        key, line = lines[number]
        if self._settings.show_reasoning is ShowReasoning.NEVER and not line.checkVisibility():
            return False
        folded = [marks for marks in self._boxes_at.get(key, ()) if not marks.expanded]
        if folded:
            self._choose(folded, expanded=True)
            self._settle()
        group = self._rows[key].group
        opener = self._host.opener_of(group) if group is not None else None
        if opener is not None:
            opener.click()
        js.requestAnimationFrame(self._attached.later(lambda _: self._lead_to(line)))  # the host draws before that
        return True

    def _lead_to(self, line: Element) -> None:
        line.scrollIntoView(options(block="center"))
        line.focus(options(preventScroll=True))
        line.animate(to_frames(_FLASH), options(duration=1600))
        self._keep_in_view(line)

    # -- planning --------------------------------------------------------------------------------------

    def _replan(self, touched: set[str]) -> None:
        while touched:
            segment = self._rows.segment_around(touched.pop())
            for turn in split_turns(segment):
                self._plan(turn)
            touched.difference_update(row.key for row in segment)

    def _plan(self, turn: list[Row]) -> None:
        plan = plan_turn(turn, self._memory.choices, last=self._rows.is_last(turn[-1]), settings=self._settings)
        self._time(plan.boxes)
        for row in turn:
            self._boxes.pop(row.key, None)
            self._boxes_at[row.key] = []
        for marks in plan.marks:
            for key in {item.place.key for item in marks.box.items}:
                self._boxes_at[key].append(marks)
        if plan.marks:
            self._boxes[turn[0].key] = plan.marks
        self._painter.paint(turn, plan)
        keys = [row.key for row in turn]
        self._signs.show(keys, plan.signs)
        self._host_thoughts.plan(keys, plan.openable)

    def _time(self, boxes: Iterable[Box]) -> None:
        moment = now()
        for box in boxes:
            watch = self._watches.get(box.items[0].place)
            if watch is None and box.live:
                watch = self._watches[box.items[0].place] = Stopwatch()
            if watch is not None:
                watch.observe(box.live, moment)

    def _settle(self, hold: Hold | None = None) -> None:
        """After painting: our own changes are no news, and the clock runs only where time goes on. Then the host's
        thoughts are pressed, whose changes are news; *hold* is for another place to be held than what is read."""
        self._observer.takeRecords()
        self._thoughts.settle()
        self._signs.settle()
        self._clock.want(any(watch.ticking for watch in self._watches.values()))
        self._host_thoughts.press(hold)

    def _clear(self) -> None:
        self._painter.clear()
        self._measures.clear()
        self._host_thoughts.clear()
        self._signs.clear()
        self._thoughts.clear()
        self.element.removeAttribute(MARK)

    # -- time ------------------------------------------------------------------------------------------

    def _elapsed(self, box: Box) -> int | None:
        watch = self._watches.get(box.items[0].place)
        return watch.seconds(now()) if watch is not None else None

    def _tick(self) -> None:
        for turn in self._boxes.values():
            for marks in turn:
                watch = self._watches.get(marks.box.items[0].place)
                if watch is not None and watch.ticking:
                    self._painter.line_of(marks).set_elapsed(watch.seconds(now()))
        self._settle()

    # -- the user --------------------------------------------------------------------------------------

    def _on_press(self, event: Any) -> None:
        self._pressed_at = (event.clientX, event.clientY)

    def _on_click(self, event: Any) -> None:
        if self._host_thoughts.is_pressing:
            return
        target = self._clicked = event.target
        self._host_thoughts.notice_hand(target)
        if event.detail and is_drag(self._pressed_at, (event.clientX, event.clientY)):
            return
        if self._thoughts.toggle(target):
            self._settle()
            return
        box_id = _box_named_by(target)
        if box_id is None:
            box_id = self._folded_box_under(target)
        if box_id is not None:
            self._toggle(box_id, pointer=event.clientY if event.detail else None)  # detail 0: by keyboard

    def _on_copy(self, event: Any) -> None:
        """A button of the host's copies a message: without its thinking (seed 000 leaves the message itself as it
        is)."""
        clicked, self._clicked = self._clicked, None
        if clicked is not None and self._host.copies_message(clicked) and may_hold_thinking(event.detail):
            parsed = parse_thinking(event.detail, streaming=False, reading="tolerant")
            if parsed.has_thinking:
                js.document.dispatchEvent(js.CustomEvent.new(COPIED, options(detail=parsed.body)))

    def _folded_box_under(self, target: Element) -> str | None:
        """The folded box that a plain click on *target* opens (F7): none for a control, a link, or the end of
        a text selection."""
        framed = target.closest(f"[{FRAME}]")
        if not framed or target.closest(_CONTROLS) or not js.getSelection().isCollapsed:
            return None
        return next((marks.box.id for marks in self._boxes_around(framed) if not marks.expanded), None)

    def _boxes_around(self, element: Element) -> list[BoxMarks]:
        """The boxes that the row around *element* is in."""
        row = element.closest(self._host.row_selector)
        key = self._host.key_of(row) if row else None
        return self._boxes_at.get(key or "", [])

    def _on_key(self, event: Any) -> None:
        """Escape folds the opened box that has the focus in it (F7)."""
        if event.key in ("Enter", " "):
            self._host_thoughts.notice_hand(event.target)
        if event.key != "Escape" or event.defaultPrevented or event.target.closest(_TEXT_FIELDS):
            return
        box_id = _box_named_by(event.target)
        if box_id is None:
            box_id = next((marks.box.id for marks in self._boxes_around(event.target) if marks.expanded), None)
        marks = self._marks_of(box_id)
        if marks is not None and marks.expanded:
            event.preventDefault()
            self._toggle(marks.box.id, pointer=None)

    def _marks_of(self, box_id: str | None) -> BoxMarks | None:
        return next((marks for turn in self._boxes.values() for marks in turn if marks.box.id == box_id), None)

    def _on_found(self, event: Any) -> None:
        """The browser's find in page is about to show something in a folded box: open it (F15).

        The browser then scrolls there by itself; but a host that follows the foot of the chat sees the chat grow,
        and scrolls away again. So the match is watched for a moment, and brought back if it left the view.
        """
        row = event.target.closest(self._host.row_selector) or next(iter(self._host.rows_in(event.target)), None)
        folded = [marks for marks in self._boxes_around(row or event.target) if not marks.expanded]
        if folded:
            self._choose(folded, expanded=True)
            self._keep_in_view(row)
            self._settle()

    def _keep_in_view(self, element: Element) -> None:
        self._found, self._found_at = element, now()
        self._after_find.want(True)

    def _keep_match_in_view(self) -> None:
        scroller = self._host.scroller_of(self.element)
        if scroller and self._found.isConnected and not shows(self._found, span_of(scroller)):
            self._found.scrollIntoView(options(block="center"))
        elif now() - self._found_at < SECONDS_AFTER_FIND:
            return
        self._after_find.want(False)

    def _toggle(self, box_id: str, *, pointer: float | None) -> None:
        """Open a folded box, or fold an open one. *pointer* is the height of the mouse, None for the keyboard."""
        marks = self._marks_of(box_id)
        if marks is None:
            return
        expanded = not marks.expanded

        def toggle() -> None:
            self._choose([marks], expanded=expanded)

        def span() -> Span:
            painted = self._marks_of(box_id)
            assert painted is not None
            return self._painter.span_of(painted)

        scroller = self._host.scroller_of(self.element)
        if scroller:
            keep_place(scroller, span, toggle, expanded=expanded, pointer=pointer)
        else:
            toggle()
        if not expanded:
            self._painter.line_of(marks).element.focus(options(preventScroll=True))
        self._say(words.word("boxOpened" if expanded else "boxFolded"))

        def hold_foot_of_box(press: Callable[[], None]) -> None:
            before = span().bottom
            press()
            if self._reader is not None:
                self._reader.hold(lambda: self._scroll_by(span().bottom - before))

        self._settle(hold_foot_of_box if expanded else None)

    def toggle_all(self, *, expanded: bool) -> None:
        """Open or fold every box."""
        changed = [marks for turn in self._boxes.values() for marks in turn if marks.expanded is not expanded]
        self._fold_in_place(lambda: self._choose(changed, expanded=expanded))
        self._settle()

    def _scroll_by(self, distance: float) -> None:
        scroller = self._host.scroller_of(self.element)
        if scroller and abs(distance) >= 1:
            scroller.scrollTop += distance

    def _is_reading(self, element: Element) -> bool:
        return self._reader is not None and self._reader.is_reading(element)

    def _hold(self, press: Callable[[], None]) -> None:
        """Do *press* and have what is read stay in its place, where the host does not follow the foot."""
        scroller = self._host.scroller_of(self.element)
        if not scroller or is_at_foot(scroller):
            press()
            return
        bring_back = note_place(scroller)
        press()
        if self._reader is not None:
            self._reader.hold(bring_back)

    def _fold_in_place(self, fold: Callable[[], None]) -> None:
        """Do *fold*, which changes many boxes, and keep what the user reads where it is."""
        scroller = self._host.scroller_of(self.element)
        if scroller and not is_at_foot(scroller):
            hold_place(scroller, fold)
        else:
            fold()

    def _choose(self, boxes: list[BoxMarks], *, expanded: bool) -> None:
        """Note the user's choice and paint it. Folding is no choice where every box is folded anyway."""
        is_choice = expanded or self._settings.live_boxes is LiveBoxes.OPEN
        self._memory.choose((marks.box.names for marks in boxes), expanded if is_choice else None)
        self._replan({marks.box.items[0].place.key for marks in boxes})


def _box_named_by(target: Element) -> str | None:
    """The box whose tool line or arrow *target* is."""
    button = target.closest(f"[{tool_line.MARK}], [{ARROW_MARK}]")
    if not button:
        return None
    return str(button.getAttribute(tool_line.MARK) or button.getAttribute(ARROW_MARK))
