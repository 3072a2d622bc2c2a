"""One message with thinking in its text: what of the host's Markdown is hidden, and what we show instead.

Each block of the host's Markdown is read back into the Markdown that it came from (:mod:`thinkfold.core.page_text`),
and the thinking taken out of that, so that each block is known to be thinking or not. Where the tap has what the
model wrote, that is the source: of the words of the thinking, and of whether there is any once the message is whole.

A tag alone on its line makes the host draw the lines around it as bare text between the blocks. No attribute hides
a text node, so such a message gets no size for its own text, and its blocks get theirs back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import js

from ..core.elapsed import Stopwatch
from ..core.markdown import render
from ..core.page_text import BlockDivision, BlockKind, BlockText, PageText, divide, read_block, read_text
from ..core.reasoning import Length, Look, exceeds, look_of
from ..core.settings import Settings
from ..core.thinking import ParsedThinking, Span, SpanKind, parse_thinking
from .dom import Element, now
from .think_block import MARK as BLOCK
from .think_block import ThinkBlock, Thinking

HIDDEN = "data-thinkfold-hidden"
"""On what is hidden: ``until-found`` where the browser's find in page may look into it (F15), else empty."""
ANSWER = "data-thinkfold-answer"
"""On what we show in place of a block of the host's that holds thinking and answer."""
REST = "data-thinkfold-rest"
"""On an element of ours where thinking begins that goes on: what comes after it is hidden before it is read."""
BARE = "data-thinkfold-bare"
"""On a message whose own text has no size."""
_FONT = "--thinkfold-font"
_CHANGING = 4
"""How many nodes at the end of a stream may still change."""


@dataclass(frozen=True, slots=True)
class Source:
    """What the model wrote, as the tap has it; not *whole* while it may lag behind the page."""

    markdown: str
    whole: bool


@dataclass(slots=True)
class _Piece:
    """A node of the message: an element, or text between the elements. *source* is what it was read from."""

    node: Element
    is_text: bool
    source: str
    block: BlockText


class Message:
    """The message *root* (the host's rendered Markdown) in the part *part* of a step, before which the block stands.
    *is_reading* says whether the user reads an element above the foot of the chat.

    Where no more is known of the page than the message, *part* is None, and the block stands in it before its text.
    """

    def __init__(
        self, part: Element | None, root: Element, watch: Stopwatch, is_reading: Callable[[Element], bool]
    ) -> None:
        self.part = part
        self.number = 0  # among the texts of its step
        self.is_smooth = False  # somebody calls draw_due in every frame
        self.root = root
        self.block: ThinkBlock | None = None
        self.running = False
        self.has_body = True
        self._choice: bool | None = None  # what the user chose for the block
        self._look = Look.CLOSED
        self._length = Length()
        self._is_reading = is_reading
        self._watch = watch
        self._pieces: list[_Piece] = []
        self._hidden: dict[int, Element] = {}
        self._answers: dict[int, tuple[str, Element]] = {}  # of a node that does not show: what we show, and in what
        self._rest = js.document.createElement("span")
        self._rest.setAttribute(ANSWER, "")
        self._rest.setAttribute(REST, "")
        self._thinking = Thinking("", 0, None, False)

    @property
    def is_touched(self) -> bool:
        """True when something on the page is ours, or hidden by us."""
        return self.block is not None or bool(self._hidden)

    @property
    def ticks(self) -> bool:
        """True while time goes on in a header that one can see."""
        return self.running and self.block is not None and bool(self.block.element.checkVisibility())

    def update(self, *, streaming: bool, settings: Settings, source: Source | None) -> None:
        """Read the message again, and make the page show it taken apart."""
        self._read(max(0, len(self._pieces) - _CHANGING) if streaming else 0)
        text = PageText(tuple(piece.block for piece in self._pieces))
        parsed = parse_thinking(text.source, streaming=streaming, reading="tolerant")
        written = parse_thinking(source.markdown, streaming=streaming, reading="tolerant") if source else None
        if written is not None and source is not None and source.whole and not written.has_thinking:
            parsed = _without_thinking(text.source)
        division = divide(text, parsed)
        self.running = streaming and parsed.pending is not None
        has_thinking = parsed.has_thinking or self.running
        self.has_body = division.has_body or not has_thinking
        self._observe(started=has_thinking, streaming=streaming)
        undecided = len(text.source) - parsed.unfinished if streaming and parsed.unfinished else None
        waiting = [undecided is not None and start >= undecided for start, _ in text.places]
        self._take_apart(division.blocks, waiting)
        self._thinking = Thinking(division.thinking, division.characters, None, self.running)
        if written is not None and written.has_thinking and parsed.has_thinking:
            pieces = [*written.segments, *([written.pending] if written.pending else [])]
            self._thinking = Thinking("\n\n".join(pieces), sum(map(len, pieces)), None, self.running)
        self._show_block(has_thinking, settings)

    def tick(self) -> None:
        """A second has passed."""
        if self.block is not None and self.running:
            self._draw()

    def toggle(self) -> None:
        """The user opens or closes the block."""
        self._choice = self._look is not Look.OPEN
        self._look = Look.OPEN if self._choice else Look.CLOSED
        self._draw()

    def show(self, settings: Settings) -> None:
        """Open or close the block as the user chose, else as the settings say."""
        self._look = look_of(
            settings, running=self.running, chosen=self._choice, is_long=lambda: self._is_long(settings)
        )
        self._draw()

    def _is_long(self, settings: Settings) -> bool:
        """Whether the thinking is too long to be open; that which is open and read stays open."""
        if not (settings.open_thought_limit and exceeds(settings, self._length.of(self._thinking.markdown))):
            return False
        return self._look is not Look.OPEN or self.block is None or not self._is_reading(self.block.element)

    def write_anew(self) -> None:
        """Write the block's words again, in another language."""
        if self.block is not None:
            self.block.write_anew()

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
        self._rest.remove()
        self._set_bare(False)
        if self.part is not None:
            self.part.removeAttribute(HIDDEN)

    # -- reading ---------------------------------------------------------------------------------------

    def _read(self, settled: int) -> None:
        """Read the nodes after the first *settled* ones; one that is as it was is not read again."""
        if settled and not self._pieces[settled - 1].node.isConnected:
            settled = 0
        start = self._pieces[settled - 1].node.nextSibling if settled else self.root.firstChild
        known = {piece.node.js_id: piece for piece in self._pieces[settled:]}
        del self._pieces[settled:]
        for node, is_text, source in _nodes_from(start):
            piece = known.get(node.js_id)
            if piece is None or piece.source != source:
                piece = _Piece(node, is_text, source, (read_text if is_text else read_block)(source))
            self._pieces.append(piece)

    def _observe(self, *, started: bool, streaming: bool) -> None:
        """From the first opening seen to the last closing seen; a message from history has no time."""
        if started and (streaming or self._watch.started is not None):
            if self._watch.started is None:
                self._watch.observe(True, now())
            self._watch.observe(self.running, now())

    # -- painting --------------------------------------------------------------------------------------

    def _take_apart(self, blocks: Sequence[BlockDivision], waiting: Sequence[bool]) -> None:
        """Hide each node that is thinking, and one that is both with its answer in its place. *waiting* says of
        each whether it may become a tag; such a one waits, unseen, until that is decided."""
        shown = [block.kind is BlockKind.BODY and not waits for block, waits in zip(blocks, waiting, strict=True)]
        bare = any(piece.is_text and not whole for piece, whole in zip(self._pieces, shown, strict=True))
        hidden: dict[int, Element] = {}
        answers: dict[int, tuple[str, Element]] = {}
        for piece, block, whole in zip(self._pieces, blocks, shown, strict=True):
            number = piece.node.js_id
            if not (piece.is_text or whole):
                hidden[number] = piece.node
            if block.body and not whole:
                answers[number] = self._answer(piece.node, render(block.body))
            elif piece.is_text and whole and bare:
                answers[number] = self._answer(piece.node, js.document.createTextNode(piece.source))
        for number, element in self._hidden.items():
            if number not in hidden:
                element.removeAttribute(HIDDEN)
        for number, element in hidden.items():
            if number not in self._hidden:
                element.setAttribute(HIDDEN, "")
        for number, (_, answer) in self._answers.items():
            if number not in answers:
                answer.remove()
        self._hidden, self._answers = hidden, answers
        self._set_bare(bare)
        self._set_rest(blocks)

    def _answer(self, node: Element, content: object) -> tuple[str, Element]:
        """What stands for *node*: *content* is HTML of the renderer's (safe: see ThinkBlock), or a text node."""
        before, element = self._answers.get(node.js_id, ("", None))
        written = content if isinstance(content, str) else content.data  # type: ignore[attr-defined]
        if element is None:
            element = js.document.createElement("div")
            element.setAttribute(ANSWER, "")
        if before != written:
            if isinstance(content, str):
                element.innerHTML = content
            else:
                element.replaceChildren(content)
        if not element.isConnected or element.nextSibling != node:
            node.before(element)
        return written, element

    def _set_bare(self, bare: bool) -> None:
        if bare == self.root.hasAttribute(BARE):
            return
        if bare:
            self.root.style.setProperty(_FONT, js.getComputedStyle(self.root).font)
            self.root.setAttribute(BARE, "")
            return
        self.root.removeAttribute(BARE)
        self.root.style.removeProperty(_FONT)
        if not self.root.getAttribute("style"):
            self.root.removeAttribute("style")

    def _set_rest(self, blocks: Sequence[BlockDivision]) -> None:
        """Mark the place from which on everything is thinking, while it goes on."""
        place = len(blocks)
        while self.running and place > 0 and blocks[place - 1].kind is BlockKind.THINKING:
            place -= 1
        if place == len(blocks):
            self._rest.remove()
        elif self._rest.nextSibling != self._pieces[place].node:
            self._pieces[place].node.before(self._rest)

    def _show_block(self, wanted: bool, settings: Settings) -> None:
        if self.part is not None:
            if not self.has_body:
                self.part.setAttribute(HIDDEN, "")
            elif wanted or self.block is not None:
                self.part.removeAttribute(HIDDEN)
        if not wanted:
            if self.block is not None:
                self.block.element.remove()
                self.block = None
            return
        if self.block is None:
            self.block = ThinkBlock()
        if self.part is None:
            if self.root.firstChild != self.block.element:
                self.root.prepend(self.block.element)
        elif not self.block.element.isConnected:
            self.part.before(self.block.element)
        self.show(settings)

    def _draw(self) -> None:
        assert self.block is not None
        thinking = self._thinking
        self.block.show(
            Thinking(thinking.markdown, thinking.characters, self._watch.seconds(now()), self.running),
            self._look,
            smooth=self.is_smooth,
        )

    @property
    def waits(self) -> bool:
        """True while thinking waits to be shown."""
        return self.block is not None and self.block.waits

    def draw_due(self) -> None:
        """Show what is due of it."""
        if self.block is not None:
            self.block.draw_due()


def _without_thinking(text: str) -> ParsedThinking:
    return ParsedThinking([], None, text, False, (Span(SpanKind.BODY, 0, len(text)),))


def _nodes_from(node: Element) -> Iterator[tuple[Element, bool, str]]:
    """From *node* on each element of the host's and each text that is not blank: whether it is text, and its HTML or
    its words."""
    while node:
        if node.nodeType == js.Node.ELEMENT_NODE:
            if not (node.hasAttribute(ANSWER) or node.hasAttribute(BLOCK)):
                yield node, False, node.outerHTML
        elif node.nodeType == js.Node.TEXT_NODE and (words := node.data).strip():
            yield node, True, words
        node = node.nextSibling
