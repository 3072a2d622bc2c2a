"""Where the page should be scrolled to when the user opens or folds a box (F8, seed 002 §2.5).

A user opens a box by a click on its last lines, and goes on looking at them: so the box's lower edge stays where
it was on screen, and the steps open upwards. The same when it is folded, if that edge was in view; if it was
not, the user was somewhere inside the box, and the folded box comes to the pointer.

All numbers are CSS pixels from the top of the window.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """From *top* to *bottom* on screen."""

    top: float
    bottom: float

    def holds(self, position: float) -> bool:
        """True when *position* is in it, its ends included."""
        return self.top <= position <= self.bottom


def scroll_after_toggle(before: Span, after: Span, view: Span, *, expanded: bool, pointer: float | None) -> float:
    """By how much to scroll down, so that what the user looks at stays.

    *before* and *after* are the box before and after the change, with nothing scrolled in between; *view* is what
    of the page shows; *expanded* says that the box was opened; *pointer* is the height of the mouse, None when
    the keyboard was used.
    """
    if expanded or view.holds(before.bottom):
        return after.bottom - before.bottom
    target = pointer if pointer is not None and view.holds(pointer) else view.top + _LINE
    return after.top + _LINE / 2 - target


_LINE = 40.0
"""The height of a folded box without texts: the tool line and its frame."""


def is_drag(pressed: tuple[float, float], released: tuple[float, float]) -> bool:
    """True when the mouse was moved between press and release: the user selects, or changed their mind (F7)."""
    return any(abs(here - there) > _SLIP for here, there in zip(pressed, released, strict=True))


_SLIP = 4.0
"""How far a hand may slip in a click."""
