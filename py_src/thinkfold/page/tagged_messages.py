"""The thinking in the messages of a page that is no DSH (:mod:`thinkfold.hosts.tags`): a block within each message.

Such a page does not say which message still streams. One streams while its text grows, and for a while after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import js

from ..core.elapsed import Stopwatch
from ..core.settings import Settings, ShowReasoning
from ..core.thinking import may_hold_thinking
from ..hosts.tags import Tags
from .dom import Attachments, Element, Interval, now, options
from .message import Message
from .think_block import MARK
from .thoughts import LONG_READ, REST

_QUIET = 5.0
"""Seconds without a new word after which a message has ended. What is left open then is no thinking (seed 000 §6.5)."""


@dataclass(slots=True)
class _Followed:
    """A message with thinking. *ends_at* is when it counts as ended; None when it has."""

    element: Element
    message: Message
    ends_at: float | None = None


class TaggedMessages:
    """Follows the messages of the whole page. *on_change* is called when there are more or fewer blocks."""

    def __init__(self, tags: Tags, settings: Settings, attached: Attachments, on_change: Callable[[], None]) -> None:
        self._tags = tags
        self._settings = settings
        self._on_change = on_change
        self._followed: dict[int, _Followed] = {}  # by the number of the message's element
        self._waiting: dict[int, Element] = {}  # that changed and were not read since
        self._rests_until = 0.0
        self._shown = 0
        attached.undo(self._clear)
        self._observer = attached.observer(self._on_records)
        self._clock = Interval(attached, self._on_second, 1000)
        self._late = Interval(attached, self._read_due, 50)
        attached.listen(js.document, "click", self._on_click)
        changes = options(childList=True, characterData=True, subtree=True)
        self._observer.observe(js.document.documentElement, changes)
        self._take(tags.messages_in(js.document))

    def count(self) -> int:
        """How many blocks there are on the page."""
        messages = (each.message for each in self._followed.values())
        return sum(message.block is not None and message.block.element.isConnected for message in messages)

    def set_settings(self, settings: Settings) -> None:
        """Take other settings."""
        before, self._settings = self._settings, settings
        for each in self._followed.values():
            if before.language is not settings.language:
                each.message.write_anew()
            if each.message.block is not None:
                each.message.show(settings)
            self._hide_or_show(each.message)
        self._settle()

    def _hide_or_show(self, message: Message) -> None:
        """Where no thinking is to be shown, only what runs is: closed, it says that the model thinks."""
        if message.block is not None:
            never = self._settings.show_reasoning is ShowReasoning.NEVER
            message.block.element.hidden = never and message.has_body and not message.running

    # -- the page --------------------------------------------------------------------------------------

    def _on_records(self, records: Any, _observer: Any) -> None:
        changed: list[Element] = []
        for record in records:
            around = self._tags.message_around(record.target)
            if around is not None:
                changed.append(around)
                continue
            for node in record.addedNodes:
                if node.nodeType == js.Node.ELEMENT_NODE:
                    changed += [node] if node.matches(self._tags.selector) else self._tags.messages_in(node)
            if record.removedNodes.length:
                self._forget_gone()
        self._take(changed)

    def _take(self, changed: list[Element]) -> None:
        self._waiting.update({element.js_id: element for element in changed})
        self._read_due()

    def _read_due(self) -> None:
        """Read what changed, unless the page needs a rest from it."""
        started = now()
        if started >= self._rests_until:
            waiting, self._waiting = self._waiting, {}
            for element in waiting.values():
                self._read(element)
            took = now() - started
            self._rests_until = now() + REST * took if took > LONG_READ else 0.0
        self._settle()

    def _read(self, element: Element) -> None:
        followed = self._followed.get(element.js_id)
        if followed is not None and not element.contains(followed.message.root):
            self._forget(followed)  # the page has drawn it anew
            followed = None
        if followed is None:
            if not may_hold_thinking(element.textContent, streaming=True):
                return
            followed = _Followed(element, Message(None, self._tags.body_of(element), Stopwatch(), lambda _: False))
            self._followed[element.js_id] = followed
            self._update(followed, streaming=False)
            if followed.message.block is not None:
                return  # it is whole: it was there before, or came at once
        followed.ends_at = now() + _QUIET
        self._update(followed, streaming=True)

    def _update(self, followed: _Followed, *, streaming: bool) -> None:
        followed.message.update(streaming=streaming, settings=self._settings, source=None)
        self._hide_or_show(followed.message)

    def _on_second(self) -> None:
        for each in self._followed.values():
            if each.ends_at is not None and each.ends_at <= now():
                each.ends_at = None
                self._update(each, streaming=False)
            each.message.tick()
        self._settle()

    def _settle(self) -> None:
        """What we changed ourselves is no news; the timers run only while they are needed."""
        self._observer.takeRecords()
        self._clock.want(any(each.ends_at is not None for each in self._followed.values()))
        self._late.want(bool(self._waiting))
        if self._shown != (shown := self.count()):
            self._shown = shown
            self._on_change()

    def _forget_gone(self) -> None:
        for each in [*self._followed.values()]:
            if not each.element.isConnected:
                self._forget(each)

    def _forget(self, followed: _Followed) -> None:
        followed.message.remove()
        del self._followed[followed.element.js_id]

    def _clear(self) -> None:
        for each in [*self._followed.values()]:
            self._forget(each)

    # -- the user --------------------------------------------------------------------------------------

    def _on_click(self, event: Any) -> None:
        button = event.target.closest(f"[{MARK}] > button")
        if not button:
            return
        for each in self._followed.values():
            if each.message.block is not None and each.message.block.element == button.parentElement:
                each.message.toggle()
        self._settle()
