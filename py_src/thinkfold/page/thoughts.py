"""Finds the thinking that stands in message text, and keeps a block for it before the message (seed 000).

Invariants
----------
* A message without a tag costs one look at its text, and while it streams one look at its last blocks.
* To the rest of the page layer the thinking of a message is one more part of its step: a thought, drawn by us.
* No timer runs but while a message streams thinking, or waits to be read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..core.elapsed import Stopwatch
from ..core.rows import Part, PartKind, RowKind
from ..core.settings import Settings
from ..core.thinking import may_hold_thinking
from ..hosts import Host, Label, Reading
from .dom import Attachments, Element, Frames, Interval, now, options
from .message import Message, Source
from .think_block import MARK

LONG_READ = 0.008
"""Seconds. A message that takes longer to read is read less often while it streams, so that the page stays free."""
REST = 6.0
"""How many times as long as it took to read it rests."""


class Thoughts:
    """The thinking in the messages of one flow.

    *on_change* is told the keys of rows whose parts are other ones now; *painted* is called after something was
    painted without such a change. *source* gives what the model wrote as the text with this number in a row's step.
    *is_reading* says whether the user reads an element above the foot of the chat.
    """

    def __init__(
        self,
        host: Host,
        attached: Attachments,
        *,
        on_change: Callable[[set[str]], None],
        painted: Callable[[], None],
        source: Callable[[str, int], Source | None],
        is_reading: Callable[[Element], bool],
        settings: Settings,
    ) -> None:
        self._host = host
        self._source = source
        self._is_reading = is_reading
        self._settings = settings
        self._on_change = on_change
        self._painted = painted
        self._messages: dict[str, list[Message]] = {}  # row key → its messages with thinking, or that stream
        self._watches: dict[tuple[str, int], Stopwatch] = {}  # row key and number of the text → its time
        self._streaming: dict[str, list[Message]] = {}
        self._next_read: dict[str, float] = {}  # row key → when it may be read again
        self._waiting: set[str] = set()  # the keys of rows that changed while they rested
        self._observer = attached.observer(self._on_text)
        self._clock = Interval(attached, self._tick, 1000)
        self._late = Interval(attached, self._read_due, 50)
        self._frames = Frames(attached, self._draw_due)

    def read(self, reading: Reading) -> Reading:
        """*reading* with the thinking in its texts as parts of their own."""
        row = reading.row
        if row.kind is not RowKind.STEP:
            return reading
        streaming = row.state == "running"
        before = self._messages.pop(row.key, [])
        messages: list[Message] = []
        parts: list[Part] = []
        elements: list[Element] = []
        texts = -1
        for part, element in zip(row.parts, reading.parts, strict=True):
            texts += part.kind is PartKind.TEXT
            message = self._message_in((row.key, texts), part, element, before, streaming=streaming)
            if message is not None:
                messages.append(message)
                if message.block is not None:
                    parts.append(Part(PartKind.THINK, "running" if message.running else "ok"))
                    elements.append(message.block.element)
            if message is None or message.has_body:
                parts.append(part)
                elements.append(element)
        for message in before:
            if message not in messages:
                message.remove()
        if messages:
            self._messages[row.key] = messages
        self._follow(row.key, messages if streaming else [])
        return Reading(replace(row, parts=tuple(parts)), reading.element, elements, reading.group)

    def label_of(self, element: Element) -> Label | None:
        """How the tool line names a block of ours; None for any other element."""
        message = self._message_of(element)
        return message.block.label if message is not None and message.block is not None else None

    def toggle(self, target: Element) -> bool:
        """Open or close the block whose header *target* is in. False where it is in none."""
        button = target.closest(f"[{MARK}] > button")
        message = self._message_of(button.parentElement) if button else None
        if message is None:
            return False
        message.toggle()
        return True

    def set_settings(self, settings: Settings) -> None:
        """Open or close the blocks that the user left alone."""
        self._settings = settings
        for messages in self._messages.values():
            for message in messages:
                if message.block is not None:
                    message.show(settings)

    def write_anew(self) -> None:
        """The language is another one."""
        for messages in self._messages.values():
            for message in messages:
                message.write_anew()

    def forget(self, key: str) -> None:
        """The row is gone, or its element is another one now."""
        for message in self._messages.pop(key, ()):
            message.remove()
        self._follow(key, [])

    def clear(self) -> None:
        """Take everything off the page."""
        for key in [*self._messages]:
            self.forget(key)

    def settle(self) -> None:
        """What we changed ourselves is no news."""
        self._observer.takeRecords()
        self._clock.want(any(message.ticks for each in self._streaming.values() for message in each))
        self._late.want(bool(self._waiting))
        self._frames.want(any(message.waits for each in self._streaming.values() for message in each))

    def _draw_due(self) -> None:
        for messages in self._streaming.values():
            for message in messages:
                message.draw_due()
        self._painted()

    def _message_in(
        self, name: tuple[str, int], part: Part, element: Element, before: list[Message], *, streaming: bool
    ) -> Message | None:
        """The message in a part: one that holds thinking, or may come to hold some while it streams."""
        if part.kind is not PartKind.TEXT:
            return None
        message = next((message for message in before if message.part == element), None)
        if message is None:
            root = self._host.message_in(element)
            if not root or not (streaming or may_hold_thinking(root.textContent)):
                return None
            watch = self._watches.setdefault(name, Stopwatch())
            message = Message(element, root, watch, self._is_reading)
        message.number = name[1]
        message.is_smooth = True
        if message.is_touched or may_hold_thinking(message.root.textContent, streaming=streaming):
            source = self._source(*name)
            message.update(streaming=streaming, settings=self._settings, source=source)
        return message if streaming or message.is_touched else None

    def _follow(self, key: str, messages: list[Message]) -> None:
        """Hear of the words of these messages from now on, and no longer of those that the row had before."""
        before = self._streaming.pop(key, [])
        self._next_read.pop(key, None)
        self._waiting.discard(key)
        if messages:
            self._streaming[key] = messages
        if before != messages:
            self._observer.disconnect()
            for each in self._streaming.values():
                for message in each:
                    self._observer.observe(message.root, options(characterData=True, childList=True, subtree=True))

    def _on_text(self, _records: object, _observer: object) -> None:
        self._waiting.update(self._streaming)
        self._read_due()

    def _read_due(self) -> None:
        """Read the messages that changed, but for those that rest."""
        moment = now()
        due = {key for key in self._waiting if self._next_read.get(key, moment) <= moment}
        self._waiting -= due
        if due:
            self._update(due)

    def _update(self, keys: set[str]) -> None:
        changed: set[str] = set()
        for key in keys:
            for message in self._streaming[key]:
                if not (message.is_touched or may_hold_thinking(_last_words(message.root), streaming=True)):
                    continue
                shape = (message.block is None, message.running, message.has_body)
                started = now()
                source = self._source(key, message.number)
                message.update(streaming=True, settings=self._settings, source=source)
                took = now() - started
                self._next_read[key] = now() + took * REST if took > LONG_READ else 0
                if shape != (message.block is None, message.running, message.has_body):
                    changed.add(key)
        if changed:
            self._on_change(changed)
        else:
            self._painted()

    def _tick(self) -> None:
        for messages in self._streaming.values():
            for message in messages:
                message.tick()
        self._painted()

    def _message_of(self, block: Element) -> Message | None:
        if not block.hasAttribute(MARK):
            return None
        return next(
            (
                message
                for messages in self._messages.values()
                for message in messages
                if message.block is not None and message.block.element == block
            ),
            None,
        )


def _last_words(root: Element) -> str:
    """The text of the last nodes, two blocks among them: what came before was looked at before."""
    words: list[str] = []
    node = root.lastChild
    while node and len(words) < _LAST_NODES:
        words.insert(0, node.textContent)
        node = node.previousSibling
    return "\n\n".join(words)


_LAST_NODES = 4
"""Between two blocks a host may have a text node for the line break."""
