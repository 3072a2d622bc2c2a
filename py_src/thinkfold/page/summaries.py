"""The summaries view: every thought of the chat session that was recorded, and what it says (seed 004).

A tab of ours beside the host's opens it over the conversation, which stays as it is below. Long lists are drawn a
stretch at a time, the latest first, and a thought's segments when it is unfolded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import js

from ..core.export import to_json, to_markdown
from ..core.recorder import State, Thought, ThoughtId
from ..hosts import Element
from . import words
from .dom import Attachments, Interval, options, to_array
from .summary_list import OwnList, SummaryList, button, measure_of, part

MARK = "data-thinkfold-summaries"
TAB = "data-thinkfold-summaries-tab"
_STATE = "data-thinkfold-state"
_STRETCH = 40
"""Thoughts that are drawn at once."""
_UNFOLDED = 12
"""So many of the latest long thoughts are unfolded from the start."""


@dataclass(frozen=True, slots=True)
class Actions:
    """What the view can ask for. *chat_is_shown* is False where the host shows something else than the chat,
    *thoughts* gives those of the open chat session, *go_to* shows one in the chat and is False where it is not there,
    *forget* deletes all that is known of the session."""

    chat_is_shown: Callable[[], bool]
    session: Callable[[], str | None]
    thoughts: Callable[[], list[Thought]]
    go_to: Callable[[ThoughtId], bool]
    forget: Callable[[], None]
    say: Callable[[str], None]


class SummariesView:
    """The tab and the view of one page."""

    def __init__(self, attached: Attachments, actions: Actions) -> None:
        self._attached = attached
        self._actions = actions
        self.tab = js.document.createElement("button")
        self.tab.setAttribute("type", "button")
        self.tab.setAttribute("role", "tab")
        self.tab.setAttribute(TAB, "")
        self.tab.setAttribute("aria-selected", "false")
        self.element = js.document.createElement("section")
        self.element.setAttribute(MARK, "")
        self.element.tabIndex = -1
        self._covered: Element | None = None
        self._items: dict[ThoughtId, _Item] = {}
        self._undrawn: list[Thought] = []
        self._session: str | None = None
        self._waits_for_chat = False
        self._delete_asked = False
        self._make()
        self._observer = js.ResizeObserver.new(attached.guard(lambda *_: self._place()))
        self._stretches = Interval(attached, self._draw_stretch, 30)
        attached.listen(self.tab, "click", lambda _: self.close() if self.is_open else self.open())
        attached.listen(self.element, "keydown", self._on_key)
        attached.listen(self.element, "click", self._on_click)
        attached.listen(js.window, "resize", lambda _: self._place())
        attached.undo(self.remove)

    # -- where it is -----------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """True while the view is shown."""
        return bool(self.element.isConnected)

    def seat(self, tabs: Element, covered: Element) -> None:
        """Stand beside *tabs*, and open over *covered*. The host may have made new ones since."""
        if self.tab.parentElement != tabs:
            tabs.append(self.tab)
            self._look_as(self._other_tab() or self.tab)
            self._attached.listen(tabs, "click", self._on_other_tab)
        if self.is_open and self.element.nextElementSibling != covered:
            self.close()
        self._covered = covered
        if self._waits_for_chat:
            self.open()

    def open(self) -> None:
        """Show the view. Where the host shows something else than the chat, that comes first."""
        self._waits_for_chat = not self._actions.chat_is_shown()
        if self._waits_for_chat:
            self._first_tab().click()
            return
        if self._covered is None or not self._covered.isConnected:
            return
        self._covered.before(self.element)
        self._covered.inert = True  # neither the Tab key nor a screen reader goes where nothing is to be seen
        selected = self.tab.parentElement.querySelector("[aria-selected=true]")
        self._look_as(selected or self.tab)
        self.tab.setAttribute("aria-selected", "true")
        self._observer.observe(self._covered)
        self._place()
        self.draw()
        self.element.focus(options(preventScroll=True))

    def close(self) -> None:
        """Hide the view; the focus goes back to where it was opened."""
        had_focus = self.element.contains(js.document.activeElement)
        self._observer.disconnect()
        self._stretches.want(False)
        if self.is_open and self._covered is not None:
            self._covered.inert = False
        self.element.remove()
        self.tab.setAttribute("aria-selected", "false")
        self._look_as(self._other_tab() or self.tab)
        self._ask_to_delete(False)
        if had_focus and self.tab.isConnected:
            self.tab.focus(options(preventScroll=True))

    def remove(self) -> None:
        """Take everything off the page."""
        self.close()
        self.tab.remove()

    def _place(self) -> None:
        """Cover exactly what is covered."""
        if not self.is_open or self._covered is None:
            return
        edges = self._covered.getBoundingClientRect()
        for name in ("left", "top", "width", "height"):
            self.element.style.setProperty(name, f"{getattr(edges, name)}px")

    def _on_other_tab(self, event: Any) -> None:
        if event.target.closest("[role=tab]") != self.tab:
            self._waits_for_chat = self._waits_for_chat and not event.isTrusted
            if self.is_open:
                self.close()

    def _first_tab(self) -> Element:
        return self.tab.parentElement.querySelector("[role=tab]")

    def _other_tab(self) -> Element | None:
        """A tab of the host's that is not selected."""
        others = f"[role=tab][aria-selected=false]:not([{TAB}])"
        return (self.tab.parentElement.querySelector(others) or None) if self.tab.isConnected else None

    def _look_as(self, tab: Element) -> None:
        """Have our tab look like one of the host's."""
        self.tab.className = tab.className

    # -- what it shows ---------------------------------------------------------------------------------

    def write_anew(self) -> None:
        """The language is another one."""
        self.element.replaceChildren()
        self._make()
        if self.is_open:
            self.draw()

    def draw(self) -> None:
        """Draw all thoughts, the latest first."""
        self._session = self._actions.session()
        self._items.clear()
        self._list.replaceChildren()
        self._undrawn = self._actions.thoughts()[::-1]
        self._say_how_many(len(self._undrawn))
        self._draw_stretch()

    def _say_how_many(self, count: int) -> None:
        self._count.textContent = words.counted("thoughts", count)
        self._empty.hidden = count > 0
        for element in self._needs_thoughts:
            element.disabled = count == 0

    def follow(self) -> None:
        """The host may show another chat session."""
        if self.is_open and self._session != self._actions.session():
            self.draw()

    def update(self, changed: Collection[ThoughtId]) -> None:
        """These thoughts changed, came, or went."""
        if not self.is_open:
            return
        if self._session != self._actions.session():
            self.draw()
            return
        current = {thought.id: thought for thought in self._actions.thoughts()}
        for key in changed:
            if key in current:
                self._show(current[key])
            elif key in self._items:
                self._items.pop(key).element.remove()
        self._undrawn = [current[thought.id] for thought in self._undrawn if thought.id in current]
        self._say_how_many(len(current))

    def _show(self, thought: Thought) -> None:
        """Show how it stands with a thought, or that it came; one that is older than all that are drawn waits."""
        if thought.id in self._items:
            self._items[thought.id].show(thought)
            return
        older = max((key for key in self._items if key < thought.id), default=None)
        if older is None and self._items:
            waiting = {each.id: each for each in [*self._undrawn, thought]}
            self._undrawn = [waiting[key] for key in sorted(waiting, reverse=True)]
            self._stretches.want(True)
            return
        item = self._items[thought.id] = _Item(thought)
        item.unfold(thought.is_long)
        if older is None:
            self._list.append(item.element)
        else:
            self._items[older].element.before(item.element)

    def _draw_stretch(self) -> None:
        drawn, self._undrawn = self._undrawn[:_STRETCH], self._undrawn[_STRETCH:]
        unfolded = sum(item.is_open for item in self._items.values())
        elements = []
        for thought in drawn:
            item = self._items[thought.id] = _Item(thought)
            if thought.is_long and unfolded < _UNFOLDED:
                item.unfold(True)
                unfolded += 1
            elements.append(item.element)
        self._list.append(*elements)
        self._stretches.want(bool(self._undrawn))

    def _make(self) -> None:
        self.tab.textContent = words.word("summariesTab")
        self.element.setAttribute("aria-label", words.word("summariesTitle"))
        head = part("bar", "header")
        self._count = part("count")
        self._said = part("note")
        self._copy = button("action", words.word("summariesCopy"))
        self._markdown = button("action", words.word("summariesMarkdown"))
        self._json = button("action", words.word("summariesJson"))
        self._delete = button("action", words.word("summariesDelete"))
        self._close = button("close", "×")
        self._close.setAttribute("aria-label", words.word("summariesClose"))
        self._needs_thoughts = (self._copy, self._markdown, self._json, self._delete)
        self._empty = part("empty", "p", words.word("summariesEmpty"))
        self._list = part("thoughts", "ol")
        actions = part("actions", "div")
        actions.append(*self._needs_thoughts, self._said)
        head.append(part("name", "h2", words.word("summariesTitle")), self._count, self._close, actions)
        self.element.append(head, self._empty, self._list)

    # -- the user --------------------------------------------------------------------------------------

    def _on_key(self, event: Any) -> None:
        if event.key == "Escape" and not event.defaultPrevented:
            event.preventDefault()
            self.close()

    def _on_click(self, event: Any) -> None:
        pressed = event.target.closest("button")
        if not pressed:
            return
        if pressed != self._delete:
            self._ask_to_delete(False)
        if pressed == self._close:
            self.close()
        elif pressed == self._copy:
            self._on_copy()
        elif pressed == self._markdown:
            save("thoughts.md", "text/markdown", self._as_markdown())
        elif pressed == self._json:
            save("thoughts.json", "application/json", to_json(self._session or "", self._actions.thoughts()))
        elif pressed == self._delete:
            self._on_delete()
        else:
            self._on_item(pressed)

    def _on_item(self, pressed: Element) -> None:
        item = next((item for item in self._items.values() if item.element.contains(pressed)), None)
        if item is None:
            return
        if pressed == item.head:
            item.unfold(not item.is_open)
        elif self._actions.go_to(item.key):
            self.close()
        else:
            self._note(words.word("thoughtNotThere"))

    def _on_copy(self) -> None:
        clipboard = getattr(js.navigator, "clipboard", None)
        if not clipboard:  # a page by http from elsewhere has none
            self._note(words.word("summariesNotCopied"))
            return
        clipboard.writeText(self._as_markdown()).then(
            self._attached.later(lambda *_: self._note(words.word("summariesCopied"))),
            self._attached.later(lambda *_: self._note(words.word("summariesNotCopied"))),
        )

    def _on_delete(self) -> None:
        """Ask once, then delete."""
        if not self._delete_asked:
            self._ask_to_delete(True)
            return
        self._actions.forget()
        self.draw()
        self._note(words.word("summariesDeleted"))
        self._close.focus()

    def _ask_to_delete(self, asked: bool) -> None:
        if asked != self._delete_asked:
            self._delete_asked = asked
            self._delete.textContent = words.word("summariesDeleteSure" if asked else "summariesDelete")

    def _note(self, text: str) -> None:
        self._said.textContent = text
        self._actions.say(text)

    def _as_markdown(self) -> str:
        return to_markdown(words.word("summariesTitle"), self._actions.thoughts(), heading_of)


class _Item:
    """One thought in the list."""

    def __init__(self, thought: Thought) -> None:
        self.key = thought.id
        self.is_open = False
        self.element = js.document.createElement("li")
        self.head = button("thought", "")
        self._place, self._measure, self._mark = part("place"), part("measure"), part("state")
        self.head.append(part("chevron"), self._place, self._measure, self._mark)
        self.element.append(self.head, button("goto", words.word("thoughtGoTo")))
        self._body: Element | None = None
        self._segments, self._own = SummaryList(), OwnList()
        self.show(thought)

    def show(self, thought: Thought) -> None:
        """Say how it stands with the thought."""
        self._thought = thought
        self.element.setAttribute(_STATE, thought.state)
        self._place.textContent = place_of(thought)
        self._measure.textContent = measure_of(thought)
        self._mark.textContent = state_of(thought)
        self.head.setAttribute("aria-expanded", str(self.is_open).lower())
        if self._body is not None:
            self._own.show(thought.own)
            self._segments.show(thought.segments)

    def unfold(self, is_open: bool) -> None:
        """Show or hide the segments."""
        self.is_open = is_open
        if is_open and self._body is None:
            self._body = part("body", "div")
            self._body.append(self._segments.element, self._own.element)
            self.element.append(self._body)
        if self._body is not None:
            self._body.hidden = not is_open
        self.show(self._thought)


def place_of(thought: Thought) -> str:
    """ "Turn 2 · step 3"."""
    return words.word("thoughtPlace", words.number(thought.id.step.turn), words.number(thought.id.step.step))


def state_of(thought: Thought) -> str:
    """How it stands with a thought, where that is to be said."""
    if thought.state is State.DONE:
        return ""
    return words.word("thoughtRunning" if thought.state is State.RUNNING else "thoughtStopped")


def heading_of(thought: Thought) -> str:
    """ "Turn 2 · step 3 · 9s · ≈ 340 tokens"."""
    return " · ".join(each for each in (place_of(thought), measure_of(thought), state_of(thought)) if each)


def save(name: str, kind: str, content: str) -> None:
    """Have the browser save a file of ours."""
    link = js.document.createElement("a")
    link.href = js.URL.createObjectURL(js.Blob.new(to_array([content]), options(type=kind)))
    link.download = name
    link.click()
    js.URL.revokeObjectURL(link.href)
