"""Keeps what the user looks at in its place while a box opens or folds (F8).

The host follows the bottom of a running chat by itself, and takes a scroll position that it did not write for the
reader's. So this writes once, and only what is needed: where the host follows, the page grows at its foot and
nothing has to be written at all.
"""

from __future__ import annotations

from collections.abc import Callable

import js

from ..core.viewport import Span, scroll_after_toggle
from .dom import Attachments, Element, now


def keep_place(
    scroller: Element,
    span_of_box: Callable[[], Span],
    toggle: Callable[[], None],
    *,
    expanded: bool,
    pointer: float | None,
) -> None:
    """Do *toggle*, which opens (*expanded*) or folds a box, and scroll *scroller* so that the user's place stays."""
    before = span_of_box()
    view = span_of(scroller)
    position = scroller.scrollTop
    toggle()
    after = span_of_box()
    moved = scroller.scrollTop - position  # the browser may have clamped it
    after = Span(after.top + moved, after.bottom + moved)
    wanted = scroll_after_toggle(before, after, view, expanded=expanded, pointer=pointer)
    if abs(wanted - moved) >= 1:
        scroller.scrollTop = position + wanted


def shows(element: Element, view: Span) -> bool:
    """True when some of *element* is in *view*."""
    edges = element.getBoundingClientRect()
    return bool(edges.height > 0 and edges.bottom > view.top and edges.top < view.bottom)


class Reader:
    """Knows whether the user reads above the foot of the chat, and keeps what is read in its place while something
    folds that the user did not ask for.

    The browser's own scroll anchoring would do that, were it not for two cases: the host has just scrolled to make
    up for older rows, and what is read gets a frame.
    """

    def __init__(self, scroller: Element, flow: Element, attached: Attachments) -> None:
        self._scroller = scroller
        self._flow = flow
        self._held_until = 0.0
        self._bring_back: Callable[[], None] | None = None
        self._growth = js.ResizeObserver.new(attached.guard(self._on_growth))
        attached.undo(self._growth.disconnect)
        self._scrolled = False  # by the user, since the chat was last seen at its foot
        for event in _USER_SCROLLS:
            attached.listen(scroller, event, self._on_input, capture=True, passive=True)

    def keep_place(self, fold: Callable[[], None], *, older: bool) -> None:
        """Do *fold*. *older* says that it is because of rows that came above all others.

        While the host follows the foot, nothing is measured and nothing scrolled.
        """
        if older or self._is_above_foot():
            hold_place(self._scroller, fold)
        else:
            fold()

    def hold(self, bring_back: Callable[[], None]) -> None:
        """Have *bring_back* done for a moment whenever the flow has grown or shrunk, before that is painted: the host
        was asked for something, and takes its time for it. What the user does ends it."""
        self._bring_back = bring_back
        self._held_until = now() + _HOST_TAKES
        self._growth.disconnect()
        self._growth.observe(self._flow)  # which is told of its size now, once it has been laid out

    def _on_growth(self, _entries: object, _observer: object) -> None:
        if self._bring_back is not None and now() <= self._held_until:
            self._bring_back()
        else:
            self._let_go()

    def _let_go(self) -> None:
        self._bring_back = None
        self._growth.disconnect()

    def is_reading(self, element: Element) -> bool:
        """True when the user reads above the foot of the chat and *element* is in view."""
        return self._is_above_foot() and shows(element, span_of(self._scroller))

    def _on_input(self, _event: object) -> None:
        self._scrolled = True
        if self._bring_back is not None:
            self._let_go()

    def _is_above_foot(self) -> bool:
        if self._scrolled:
            self._scrolled = not is_at_foot(self._scroller)
        return self._scrolled


def is_at_foot(scroller: Element) -> bool:
    """True where the host follows the chat."""
    return bool(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop <= _FOOT)


def hold_place(scroller: Element, fold: Callable[[], None]) -> None:
    """Do *fold* and scroll *scroller* so that what is read stays where it is on screen."""
    bring_back = note_place(scroller)
    fold()
    bring_back()


def note_place(scroller: Element) -> Callable[[], None]:
    """Note where what is read is on screen; gives what scrolls *scroller* so that it is there again."""
    view = scroller.getBoundingClientRect()
    looked_at = []
    for share in _EYES:
        heights = [view.top + view.height * share + offset for offset in _LINE_OFFSETS]
        hit = [js.document.elementFromPoint(view.left + view.width / 2, height) for height in heights]
        spans = [(span_of(element), element) for element in hit if element and scroller.contains(element)]
        if spans:
            # The smallest is a paragraph; what holds it, and is hit in a gap, need not move as it does.
            before, element = min(spans, key=lambda found: found[0].bottom - found[0].top)
            looked_at.append((element, before))
    looked_at.sort(key=lambda found: found[0].tagName not in _PROSE)

    def bring_back() -> None:
        for element, before in looked_at:
            if element.checkVisibility():  # it was not folded away
                moved = span_of(element).top - before.top
                if abs(moved) >= 1:
                    scroller.scrollTop += moved
                return

    return bring_back


_USER_SCROLLS = ("wheel", "touchmove", "pointerdown", "keydown")
_FOOT = 25
"""So near to its foot the chat is followed (seen on the host)."""
_HOST_TAKES = 0.8
"""Seconds in which a host has opened what it was asked to open, with motion."""
_EYES = (0.3, 0.5, 0.7)
"""Where the reader's eyes may be, as shares of the height of what shows, the likeliest first."""
_PROSE = ("P", "LI", "PRE", "CODE", "H1", "H2", "H3", "H4", "TD", "BLOCKQUOTE")
"""What one reads rather than the buttons and short messages beside it."""
_LINE_OFFSETS = (0, 10, 20)
"""One of these, in pixels below the eyes, is not in the gap between two paragraphs."""


def span_of(*elements: Element) -> Span:
    """From the upper edge of the first element to the lower edge of the last."""
    return Span(elements[0].getBoundingClientRect().top, elements[-1].getBoundingClientRect().bottom)
