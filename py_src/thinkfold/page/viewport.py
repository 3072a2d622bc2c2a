"""Keeps what the user looks at in its place while a box opens or folds (F8).

The host follows the bottom of a running chat by itself, and takes a scroll position that it did not write for the
reader's. So this writes once, and only what is needed: where the host follows, the page grows at its foot and
nothing has to be written at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..core.viewport import Span, scroll_after_toggle
from .dom import Element

_FOLLOWING = 25.0
"""So near to its foot, in pixels, the host follows the chat."""


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


def keep_row(scroller: Element, rows: Iterable[Element], change: Callable[[], None]) -> None:
    """Do *change*, and scroll so that the first of *rows* that shows stays where it is.

    At the foot of the page nothing is done: the host follows the foot, or the browser keeps to it.
    """
    view = span_of(scroller)
    at_foot = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < _FOLLOWING
    row = next((row for row in rows if shows(row, view)), None)
    if row is None or at_foot:
        change()
        return
    before = row.getBoundingClientRect().top
    change()
    moved = row.getBoundingClientRect().top - before
    if abs(moved) >= 1:
        scroller.scrollTop += moved


def shows(element: Element, view: Span) -> bool:
    """True when some of *element* is in *view*."""
    edges = element.getBoundingClientRect()
    return bool(edges.height > 0 and edges.bottom > view.top and edges.top < view.bottom)


def span_of(*elements: Element) -> Span:
    """From the upper edge of the first element to the lower edge of the last."""
    return Span(elements[0].getBoundingClientRect().top, elements[-1].getBoundingClientRect().bottom)
