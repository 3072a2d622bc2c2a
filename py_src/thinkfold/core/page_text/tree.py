"""Reads the HTML of a block into a small tree that has only what Markdown can say.

The HTML is what a browser gives as ``outerHTML``, so every element is closed. Blocks hold blocks or inlines, never
both: inlines that stand beside blocks come into a block ``plain``, which is a paragraph without being one (a tight
list's item). What is no Markdown is left out and its content kept.

=========== ======================================================= ==============================
 tag         children                                                attributes
=========== ======================================================= ==============================
 p plain     inlines
 h1 … h6     inlines
 blockquote  blocks
 ul ol       li                                                      start (ol)
 li          blocks                                                  value (a number of its own)
 pre         one Text of code                                        language
 raw         one verbatim Text
 table       tr > cell > inlines                                     align (cell)
 hr
 em strong   inlines
 del         inlines
 a           inlines                                                 href, title
 code        one Text of code
 br
 img                                                                 alt, src
 checkbox                                                            checked
=========== ======================================================= ==============================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Words of the page, known by identity. *verbatim*: they are Markdown already."""

    text: str
    verbatim: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element of the table above, known by identity."""

    tag: str
    children: tuple[Node, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)


Node = Text | Element

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = frozenset({"p", "plain", "raw", *HEADINGS, "blockquote", "ul", "ol", "li", "pre", "table", "tr", "cell", "hr"})
"""Every other element is an inline."""


def read_tree(html: str) -> tuple[Element, ...]:
    """The blocks that *html* holds."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.blocks()


def raw_block(markdown: str) -> tuple[Element, ...]:
    """A block of Markdown that no one has read yet, if there is any in it."""
    markdown = _BLANK_LINES_AT_EDGE.sub("", markdown)
    return (Element("raw", (Text(markdown, verbatim=True),)),) if markdown else ()


class _Reader(HTMLParser):
    """Builds the tree from the innermost element outwards."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, Mapping[str, str], list[Node]]] = [("", {}, [])]
        self._verbatim = 0  # how many elements are open whose blanks count
        self._skipped: list[str] = []  # open elements of which nothing is read

    def blocks(self) -> tuple[Element, ...]:
        while len(self._open) > 1:
            self.handle_endtag(self._open[-1][0])
        return _blocks(self._open[0][2])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self._skipped:
            if tag not in _VOID:
                self._skipped.append(tag)
        elif tag in _VOID:
            self._open[-1][2].extend(_void(tag, attributes))
        elif _is_skipped(tag, attributes, top=len(self._open) == 1):
            self._skipped.append(tag)
        else:
            self._verbatim += tag in _VERBATIM
            self._open.append((tag, attributes, []))

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            self._skipped.pop()
        elif len(self._open) > 1 and self._open[-1][0] == tag:
            _, attributes, children = self._open.pop()
            self._verbatim -= tag in _VERBATIM
            deep = len(self._open) > _DEEPEST
            nodes = [Text(" "), *children, Text(" ")] if deep else _nodes(tag, attributes, children)
            self._open[-1][2].extend(nodes)

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            text = data if self._verbatim else collapsed(data)
            self._open[-1][2].append(Text(text))


def collapsed(text: str) -> str:
    """*text* with each run of blanks as one, which is a line break if there is one in it: the page shows both
    alike, but a tag may count only where a line begins or ends."""
    return _BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", text)


_DEEPEST = 60
"""How many elements may lie in each other; of deeper ones only the words are read."""

_BLANKS = re.compile(r"[ \t\n\r\f]+")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_VERBATIM = frozenset({"pre", "code", "annotation"})
_SKIPPED = frozenset({"button", "svg", "script", "style", "template", "noscript"})
_NAMES = {"b": "strong", "i": "em", "s": "del", "strike": "del"}
_BLOCK_BOXES = frozenset({"div", "section", "article", "figure", "figcaption", "details", "summary", "dl", "dt", "dd"})


def _is_skipped(tag: str, attributes: Mapping[str, str], *, top: bool) -> bool:
    """Controls, drawings, what is there only for the eye, and what is ours. A block that we hid is the host's."""
    ours = not top and any(name.startswith("data-thinkfold-") for name in attributes)
    return tag in _SKIPPED or ours or attributes.get("aria-hidden") == "true"


def _void(tag: str, attributes: Mapping[str, str]) -> Iterator[Node]:
    if tag in ("br", "hr"):
        yield Element(tag)
    elif tag == "img":
        yield Element("img", (), {name: attributes.get(name, "") for name in ("alt", "src")})
    elif tag == "input" and attributes.get("type") == "checkbox":
        yield Element("checkbox", (), {"checked": "x" if "checked" in attributes else " "})


def _nodes(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    """What an element with these *children* is in the tree; nothing but its children where no rule knows it."""
    tag = _NAMES.get(tag, tag)
    rule = _RULES.get(tag)
    return rule(tag, attributes, children) if rule is not None else children


def _line(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    return [Element(tag, _inlines(children))]


def _inline(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    if any(isinstance(child, Element) and child.tag in BLOCKS for child in children):
        return children
    if tag != "a":
        return [Element(tag, _inlines(children))]
    if not attributes.get("href"):
        return children
    return [Element("a", _inlines(children), {name: attributes.get(name, "") for name in ("href", "title")})]


def _box(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    """The blocks in it. Of a frame around code, with its language and buttons, only the code."""
    blocks = _blocks(children)
    real = [block for block in blocks if block.tag != "plain"]
    return real if len(real) == 1 and real[0].tag == "pre" else blocks


def _code(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    text = Text("".join(_words(children)))
    language = _LANGUAGE.search(attributes.get("class", ""))
    inner = (child.attributes["language"] for child in children if isinstance(child, Element) and child.tag == "code")
    return [Element(tag, (text,), {"language": language[1] if language else next(inner, "")})]


_BLANK_LINES_AT_EDGE = re.compile(r"\A(?:[ \t]*\n)+|\s+\Z")
_LANGUAGE = re.compile(r"(?:^|\s)language-([^\s`]+)")


def _formula(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    """The formula's TeX if it has one, as the model wrote it."""
    tex = "".join(_words(child for child in children if isinstance(child, Element) and child.tag == "annotation"))
    if not tex:
        return [Text(collapsed("".join(_words(children))))]
    mark = "$$" if attributes.get("display") == "block" else "$"
    return [Text(mark + collapsed(tex).strip() + mark)]


def _annotation(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    return [Element(tag, tuple(children))] if "x-tex" in attributes.get("encoding", "") else []


def _cell(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    alignment = _ALIGNMENT.search(attributes.get("style", ""))
    align = alignment[1] if alignment else attributes.get("align", "")
    return [Element("cell", _inlines(children), {"align": align})]


def _parts(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    parts = tuple(child for child in children if isinstance(child, Element) and child.tag == _PARTS[tag])
    start = attributes.get("start", "")
    return [Element(tag, parts, {"start": start if _NUMBER.fullmatch(start) else "1"} if tag == "ol" else {})]


def _holder(tag: str, attributes: Mapping[str, str], children: list[Node]) -> Sequence[Node]:
    value = attributes.get("value", "")
    return [Element(tag, _blocks(children), {"value": value} if _NUMBER.fullmatch(value) else {})]


_PARTS = {"ul": "li", "ol": "li", "table": "tr", "tr": "cell"}
_ALIGNMENT = re.compile(r"text-align:\s*(left|center|right)")
_NUMBER = re.compile(r"[0-9]{1,9}")


def _blocks(children: Iterable[Node]) -> tuple[Element, ...]:
    """*children* with the inlines between blocks in blocks of their own."""
    blocks: list[Element] = []
    run: list[Node] = []

    def end_run() -> None:
        if any(not isinstance(node, Text) or not node.text.isspace() for node in run):
            blocks.append(Element("plain", _inlines(run)))
        run.clear()

    for child in children:
        if isinstance(child, Element) and child.tag in BLOCKS:
            end_run()
            blocks.append(child)
        else:
            run.append(child)
    end_run()
    return tuple(blocks)


def _inlines(children: Iterable[Node]) -> tuple[Node, ...]:
    """*children* with neighbouring words as one, and without the blocks in them, which are no valid HTML there."""
    nodes: list[Node] = []
    for child in children:
        for node in _without_blocks(child):
            last = nodes[-1] if nodes else None
            if isinstance(node, Text) and isinstance(last, Text):
                nodes[-1] = Text(last.text + node.text)
            else:
                nodes.append(node)
    return tuple(Text(collapsed(node.text)) if isinstance(node, Text) else node for node in nodes)


def _without_blocks(node: Node) -> Iterator[Node]:
    if isinstance(node, Element) and node.tag in BLOCKS:
        yield Text(" ")
        for child in node.children:
            yield from _without_blocks(child)
        yield Text(" ")
    else:
        yield node


def _words(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Text):
            yield node.text
        elif node.tag == "br":
            yield "\n"
        else:
            yield from _words(node.children)


_Rule = Callable[[str, Mapping[str, str], list[Node]], Sequence[Node]]

_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("p", *HEADINGS), _line),
    **dict.fromkeys(("em", "strong", "del", "a"), _inline),
    **dict.fromkeys(("pre", "code"), _code),
    **dict.fromkeys(("ul", "ol", "table", "tr"), _parts),
    **dict.fromkeys(("blockquote", "li"), _holder),
    **dict.fromkeys(("td", "th"), _cell),
    **dict.fromkeys(_BLOCK_BOXES, _box),
    "math": _formula,
    "annotation": _annotation,
}
