"""The live panel above the composer: where a long thought is going, while it goes on (seed 004).

It is there once a thought of the open chat session is long, says so when it has ended, and goes when the next turn
begins, another chat session is opened, or the user closes it.
"""

from __future__ import annotations

from collections.abc import Callable

import js

from ..core.recorder import State, Thought, ThoughtId
from ..hosts import Element
from . import words
from .dom import Attachments
from .summary_list import OwnList, SummaryList, button, part, tokens
from .viewport import is_at_foot

MARK = "data-thinkfold-panel"
_STATE = "data-thinkfold-state"
_LATEST = 8
"""How many segments are kept in view when the thought has ended."""


_NEAR_END = 24
"""Pixels from the foot of the list within which it goes on to the newest."""


class Panel:
    """The panel of one page; :attr:`element` is there while it is shown."""

    def __init__(self, attached: Attachments, say: Callable[[str], None]) -> None:
        self._say = say
        self._thought: ThoughtId | None = None
        self._state: State | None = None
        self._closed: ThoughtId | None = None  # the user did not want to see this one
        self._is_open = True
        self.element = js.document.createElement("section")
        self.element.setAttribute(MARK, "")
        self._head = button("head", "")
        self._title, self._counts = part("title"), part("counts")
        for element in (part("dot"), self._title, self._counts):
            self._head.append(element)
        self._close = button("close", "×")
        self._list, self._own = SummaryList(), OwnList()
        self._body = part("body", "div")
        self._body.tabIndex = 0  # so that the arrow keys scroll it
        self._body.append(self._list.element, self._own.element)
        self.element.append(self._head, self._close, self._body)
        attached.listen(self._head, "click", self._on_toggle)
        attached.listen(self._close, "click", self._on_close)
        attached.undo(self.remove)

    def show(self, thought: Thought, composer: Element, scroller: Element | None) -> None:
        """Show *thought* above *composer*, writing only what differs."""
        if thought.id == self._closed:
            return
        followed = scroller is not None and is_at_foot(scroller)
        height = self.element.offsetHeight
        if thought.id != self._thought:
            self._thought, self._state = thought.id, None
        if thought.state is not self._state:
            if self._state is State.RUNNING:
                self._say(_title(thought.state))
            self._state = thought.state
            self.element.setAttribute(_STATE, thought.state)
        self._write(thought)
        if self.element.parentElement != composer:
            composer.prepend(self.element)
        if followed and scroller is not None and self.element.offsetHeight != height:
            scroller.scrollTop = scroller.scrollHeight  # the host follows the chat, which is now lower by that much

    def remove(self) -> None:
        """Take it off the page."""
        self._thought = None
        self.element.remove()

    def write_anew(self) -> None:
        """The language is another one: forget what was written."""
        self._state = None

    def _write(self, thought: Thought) -> None:
        title = _title(thought.state)
        counts = f"{tokens(thought.tokens)} · {words.counted('segments', len(thought.segments))}"
        if thought.seconds:
            counts = f"{words.duration(thought.seconds)} · {counts}"
        for element, text in ((self._title, title), (self._counts, counts)):
            if element.textContent != text:
                element.textContent = text
        self.element.setAttribute("aria-label", words.word("panelLabel"))
        self._close.setAttribute("aria-label", words.word("panelClose"))
        self._draw_state()
        first = 0 if thought.state is State.RUNNING else max(0, len(thought.segments) - _LATEST)
        at_end = self._body.scrollHeight - self._body.clientHeight - self._body.scrollTop < _NEAR_END
        grew = [self._list.show(thought.segments[first:], first), self._own.show(thought.own[-_LATEST:])]
        if any(grew) and at_end:
            self._body.scrollTop = self._body.scrollHeight

    def _draw_state(self) -> None:
        self._head.setAttribute("aria-expanded", str(self._is_open).lower())
        self._head.setAttribute("title", words.word("panelHide" if self._is_open else "panelShow"))
        self._body.hidden = not self._is_open

    def _on_toggle(self, _event: object) -> None:
        self._is_open = not self._is_open
        self._draw_state()

    def _on_close(self, _event: object) -> None:
        self._closed = self._thought
        self.remove()


def _title(state: State) -> str:
    if state is State.RUNNING:
        return words.word("panelThinking")
    return words.word("panelDone" if state is State.DONE else "panelStopped")
