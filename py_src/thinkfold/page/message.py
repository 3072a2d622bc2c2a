"""One message with thinking in its text: what of the host's Markdown is hidden, and what we show instead.

The page's text is the source: each block of the host's Markdown is read back into the Markdown that it came from
(:mod:`thinkfold.core.page_text`), and the thinking taken out of that.
"""

from __future__ import annotations

from collections.abc import Sequence

import js

from ..core.elapsed import Stopwatch
from ..core.markdown import render
from ..core.page_text import BlockDivision, BlockKind, BlockText, PageText, divide, read_block
from ..core.thinking import parse_thinking
from .dom import Element, now
from .think_block import ThinkBlock, Thinking

HIDDEN = "data-thinkfold-hidden"
ANSWER = "data-thinkfold-answer"
"""On what we show in place of a block of the host's that holds thinking and answer."""
REST = "data-thinkfold-rest"
"""On the first block of thinking that goes on: what comes after it is thinking too, until it is read."""
_CHANGING = 2
"""How many blocks at the end of a stream may still change."""


class Message:
    """The message *root* (the host's rendered Markdown) in the part *part* of a step."""

    def __init__(self, part: Element, root: Element, watch: Stopwatch) -> None:
        self.part = part
        self.root = root
        self.choice: bool | None = None
        """What the user chose for the block, None for nothing."""
        self.block: ThinkBlock | None = None
        self.running = False
        self.has_body = True
        self._watch = watch
        self._read: list[tuple[Element, BlockText]] = []
        self._hidden: dict[int, Element] = {}
        self._answers: dict[int, tuple[str, Element]] = {}  # of a hidden block: its Markdown and our element
        self._rest: Element | None = None
        self._thinking = Thinking("", 0, None, False)

    def update(self, *, streaming: bool, show_reasoning: bool) -> None:
        """Read the message again, and make the page show it taken apart."""
        children = [child for child in self.root.children if not child.hasAttribute(ANSWER)]
        settled = max(0, len(self._read) - _CHANGING) if streaming else 0
        same = 0
        while same < min(settled, len(children)) and self._read[same][0] == children[same]:
            same += 1
        self._read[same:] = [(child, read_block(child.outerHTML)) for child in children[same:]]
        text = PageText(tuple(block for _, block in self._read))
        parsed = parse_thinking(text.source, streaming=streaming, reading="tolerant")
        division = divide(text, parsed)
        self.running = streaming and parsed.pending is not None
        self.has_body = division.has_body or not parsed.has_thinking
        self._observe(started=parsed.has_thinking or self.running, streaming=streaming)
        undecided = len(text.source) - parsed.unfinished if streaming and parsed.unfinished else None
        self._hide(children, division.blocks, text, undecided)
        self._show_block(parsed.has_thinking or self.running, division.thinking, division.characters, show_reasoning)

    @property
    def is_touched(self) -> bool:
        """True when something on the page is ours, or hidden by us."""
        return self.block is not None or bool(self._hidden)

    def _observe(self, *, started: bool, streaming: bool) -> None:
        """From the first opening seen to the last closing seen; a message from history has no time."""
        if started and (streaming or self._watch.started is not None):
            if self._watch.started is None:
                self._watch.observe(True, now())
            self._watch.observe(self.running, now())

    def tick(self) -> None:
        """A second has passed."""
        if self.block is not None and self.running:
            self._show(is_open=self._is_open)

    def toggle(self, show_reasoning: bool) -> None:
        """The user opens or closes the block."""
        self.choice = not self._is_open
        self.show(show_reasoning)

    def write_anew(self) -> None:
        """Write the block's words again, in another language."""
        if self.block is not None:
            self.block.write_anew()

    def show(self, show_reasoning: bool) -> None:
        """Open or close the block as the user chose, else as long as it runs, else as the setting says."""
        self._is_open = self.choice if self.choice is not None else self.running or show_reasoning
        self._show(is_open=self._is_open)

    def remove(self) -> None:
        """Take everything away."""
        if self.block is not None:
            self.block.element.remove()
            self.block = None
        for element in self._hidden.values():
            element.removeAttribute(HIDDEN)
        self._hidden.clear()
        for _, answer in self._answers.values():
            answer.remove()
        self._answers.clear()
        self._set_rest(None)
        if not self.has_body:
            self.part.removeAttribute(HIDDEN)

    def _show_block(self, wanted: bool, markdown: str, characters: int, show_reasoning: bool) -> None:
        if not wanted:
            if self.block is not None:
                self.block.element.remove()
                self.block = None
            self.part.removeAttribute(HIDDEN)
            return
        if self.block is None:
            self.block = ThinkBlock()
        if not self.block.element.isConnected:
            self.part.before(self.block.element)
        if self.has_body:
            self.part.removeAttribute(HIDDEN)
        else:
            self.part.setAttribute(HIDDEN, "")
        self._thinking = Thinking(markdown, characters, None, self.running)
        self.show(show_reasoning)

    def _show(self, *, is_open: bool) -> None:
        assert self.block is not None
        thinking = self._thinking
        shown = Thinking(thinking.markdown, thinking.characters, self._watch.seconds(now()), self.running)
        self.block.show(shown, is_open=is_open)

    def _hide(
        self, children: list[Element], blocks: Sequence[BlockDivision], text: PageText, undecided: int | None
    ) -> None:
        """Hide what is thinking, and show the answer in what is both. A last block that may become a tag (from
        *undecided* on in the source) waits, unseen, until that is decided."""
        goes_on = len(blocks)  # from here on everything is thinking
        while self.running and goes_on > 0 and blocks[goes_on - 1].kind is BlockKind.THINKING:
            goes_on -= 1
        hidden: dict[int, Element] = {}
        answers: dict[int, tuple[str, Element]] = {}
        for child, block, (start, _) in zip(children, blocks, text.places, strict=True):
            waits = undecided is not None and start >= undecided
            if block.kind is BlockKind.BODY and not waits:
                continue
            number = child.js_id
            hidden[number] = child
            if block.body:
                answers[number] = self._answer(child, number, block.body)
        for number, element in self._hidden.items():
            if number not in hidden:
                element.removeAttribute(HIDDEN)
        for number, (_, answer) in self._answers.items():
            if number not in answers:
                answer.remove()
        for number, element in hidden.items():
            if number not in self._hidden:
                element.setAttribute(HIDDEN, "")
        self._hidden, self._answers = hidden, answers
        self._set_rest(children[goes_on] if goes_on < len(children) else None)

    def _answer(self, child: Element, number: int, body: str) -> tuple[str, Element]:
        markdown, element = self._answers.get(number, ("", None))
        if element is None:
            element = js.document.createElement("div")
            element.setAttribute(ANSWER, "")
        if markdown != body:
            element.innerHTML = render(body)  # safe: see ThinkBlock
        if not element.isConnected or element.nextElementSibling != child:
            child.before(element)
        return body, element

    def _set_rest(self, element: Element | None) -> None:
        if self._rest is not None and not (element is not None and self._rest == element):
            self._rest.removeAttribute(REST)
        if element is not None:
            element.setAttribute(REST, "")
        self._rest = element
