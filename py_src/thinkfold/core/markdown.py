"""Turns Markdown into HTML that is safe to put into a page, whole or while it grows.

CommonMark with tables and strikethrough, by markdown-it-py. What a model writes never becomes an element or an
attribute that is not in :data:`ELEMENTS`: HTML in it is text, a link leads to a web page or a mail address or is
text as it was written, and an image is not loaded but named, with its address. Nesting deeper than any message
needs is cut off.

>>> render("*Hello* <b>world</b>")
'<p><em>Hello</em> &lt;b&gt;world&lt;/b&gt;</p>\\n'
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererProtocol as Renderer
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

ELEMENTS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "li", "blockquote", "hr", "br"), frozenset()),
    **dict.fromkeys(("em", "strong", "s", "code", "pre", "table", "thead", "tbody", "tr"), frozenset()),
    **dict.fromkeys(("th", "td"), frozenset({"align"})),
    "ol": frozenset({"start"}),
    "a": frozenset({"href", "title", "target", "rel"}),
}
"""All elements that :func:`render` writes, and the attributes that each may have."""

Environment = MutableMapping[str, Any]


def render(markdown: str) -> str:
    """The HTML of *markdown*: a sequence of top-level blocks, each of which ends with a line break."""
    return _render(markdown, {})


@dataclass(frozen=True, slots=True)
class Growth:
    """What a text that grew looks like now.

    *settled* is the HTML of the blocks that cannot change any more and were not given before, or of all of them
    if *restarted*; *tail* that of what comes after them.
    """

    settled: str
    tail: str
    restarted: bool


class GrowingMarkdown:
    """Renders a text that grows at its end, block by block, each block for the last time once it is complete.

    The text may also change in its last block, as one that is written anew each time does: a fence that closes
    at its end for now closes later when it has grown. The settled HTML of all updates since the last restart and
    the last tail are together what :func:`render` gives for the whole text. Only link reference definitions
    differ: one that comes later than a settled block does not make links there, and one whose title is on the
    next line may have settled without it.
    """

    def __init__(self) -> None:
        self._decided = ""  # the text by which it was decided what is settled
        self._settled = 0  # how much of the text is settled
        self._definitions: Environment = {}

    def update(self, markdown: str) -> Growth:
        """Render the whole text so far. *restarted* if the settled part of it is not what it was."""
        text = markdown.replace("\r\n", "\n").replace("\r", "\n") if "\r" in markdown else markdown
        restarted = not text.startswith(self._decided)
        if restarted:
            self._settled, self._definitions = 0, {}
        rest = text[self._settled :]
        # The last line may still become anything, so it cannot end the block before it.
        end, known = _last_block(rest[: rest.rfind("\n") + 1])
        settled = _render(rest[:end], self._definitions) if end else ""
        self._decided = text[: self._settled + known] if self._settled + end else ""
        self._settled += end
        # What is defined in the tail may still change, and so is forgotten.
        definitions = {"references": dict(self._definitions.get("references", {}))}
        return Growth(settled, _render(rest[end:], definitions), restarted)


def _render(markdown: str, env: Environment) -> str:
    html: str = _HTML.render(markdown, env)
    return html


def _last_block(source: str) -> tuple[int, int]:
    """Where the last top-level block of *source* starts, and up to where it is known for one: a table by two lines,
    any other by its first."""
    state = StateBlock(source, _HTML, {}, [])
    _HTML.block.tokenize(state, state.line, state.lineMax)
    for token in reversed(state.tokens):
        if token.level == 0 and token.map is not None:
            line = token.map[0]
            return state.bMarks[line], state.bMarks[line + 1 + (token.type == "table_open")]
    return 0, 0


_SAFE_ADDRESS = re.compile(r"https?://|mailto:", re.IGNORECASE)


def _link(renderer: Renderer, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    if not tokens[index].attrs["href"]:
        return ""
    attributes = {name: str(value) for name, value in tokens[index].attrs.items()}
    attributes |= {"target": "_blank", "rel": "noopener noreferrer nofollow"}
    return "<a" + "".join(f' {name}="{escapeHtml(value)}"' for name, value in attributes.items()) + ">"


def _link_end(renderer: Renderer, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    opening = next(tokens[at] for at in range(index - 1, -1, -1) if tokens[at].type == "link_open")
    return "</a>" if opening.attrs["href"] else ""


def _image(renderer: Renderer, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    """The description and the address: what is loaded from elsewhere would tell of the reader."""
    description, address = tokens[index].content, str(tokens[index].attrs["src"])
    return escapeHtml(f"{description} ({address})" if description and address else description or address)


def _code_block(renderer: Renderer, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    return f"<pre><code>{escapeHtml(tokens[index].content)}</code></pre>\n"


def _cell(renderer: Renderer, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    """An attribute, for a page may forbid styles."""
    alignment = str(tokens[index].attrs.get("style", "")).removeprefix("text-align:")
    return f'<{tokens[index].tag} align="{alignment}">' if alignment else f"<{tokens[index].tag}>"


_RULES = {
    "link_open": _link,
    "link_close": _link_end,
    "image": _image,
    "fence": _code_block,
    "code_block": _code_block,
    "th_open": _cell,
    "td_open": _cell,
}


def _html() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False, "maxNesting": 100}).enable(
        ["table", "strikethrough"]
    )
    markdown.validateLink = lambda url: _SAFE_ADDRESS.match(url) is not None  # type: ignore[method-assign]
    for name, rule in _RULES.items():
        markdown.add_render_rule(name, rule)
    return markdown


_HTML = _html()
