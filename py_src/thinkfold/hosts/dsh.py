"""DSH Web, the chat page of DeepSeek Harness (0.1.0).

The page's contract, as seen on the running host::

    [data-chat-flow]                                     the conversation, one of it at a time
      [data-chat-flow-kind][data-chat-flow-key]          a row; the host's React owns it
        [data-slot]                                      display: contents
          …                                              what the host draws

    a step:  [data-slot] > root[data-streaming] > body > parts
             a part is a thought ([data-variant=think][data-state]), Markdown, images, or a "stopped" mark
    a tool:  [data-slot] > … > [data-variant][data-state=running|ok|error|stopped]

Class names are hashed and change with every release, so nothing here reads one. A disclosure line is found by
its separator: the one child that is hidden from screen readers and stands between title and summary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..core.rows import Part, PartKind, Row, RowKind
from . import Element

KINDS: dict[str, RowKind] = {
    "user": RowKind.USER,
    "steering": RowKind.STEERING,
    "assistant-step": RowKind.STEP,
    "tool-call": RowKind.TOOL,
    "context": RowKind.CONTEXT,
    "model-retry": RowKind.RETRY,
    "compaction": RowKind.COMPACTION,
    "manual-compaction": RowKind.COMPACTION,
    "workflow": RowKind.WORKFLOW,
    "command": RowKind.COMMAND,
    "turn-error": RowKind.ERROR,
    "turn-max-tokens": RowKind.MAX_TOKENS,
    "turn-tail": RowKind.TAIL,
}
"""The host's kinds in our words. A kind that is not here is :attr:`RowKind.UNKNOWN`, the host's own
"unknown" with it."""

_TURN_IN_KEY = re.compile(r"\d+:(?:assistant-step|turn-tail|turn-error|turn-max-tokens)(\d+)(?::\d+)?$")
_VISIBLE_MEDIA = "img, svg, canvas, video, table, hr"


@dataclass(slots=True)
class DshReading:
    """One row as it stands on the page; see :class:`thinkfold.hosts.Reading`."""

    row: Row
    element: Element
    parts: list[Element] = field(default_factory=list)


@dataclass(slots=True)
class DshLabel:
    """How the host names a tool item; see :class:`thinkfold.hosts.Label`."""

    title: str
    summary: str
    icon: Element | None
    text_element: Element | None


class Dsh:
    """Reads DSH Web; see :class:`thinkfold.hosts.Host`."""

    flow_selector = "[data-chat-flow]"
    row_selector = "[data-chat-flow-kind]"
    watched_attributes: tuple[str, ...] = ("data-state", "data-streaming", "data-chat-flow-kind", "data-chat-flow-key")

    def key_of(self, element: Element) -> str | None:
        """The host's own key of a row; None for anything else in the flow (a button, the turn's status)."""
        return element.getAttribute("data-chat-flow-key") or None

    def read(self, element: Element) -> DshReading:
        """Read a row; a step with its parts."""
        key = element.getAttribute("data-chat-flow-key") or ""
        kind = KINDS.get(element.getAttribute("data-chat-flow-kind") or "", RowKind.UNKNOWN)
        turn = turn_of(key)
        if kind is RowKind.STEP:
            parts, elements = _read_parts(element)
            return DshReading(Row(key, kind, turn, parts), element, elements)
        if kind is RowKind.TOOL:
            card = element.querySelector("[data-state]")
            state = card.getAttribute("data-state") if card else "ok"
            return DshReading(Row(key, kind, turn, (), state), element)
        return DshReading(Row(key, kind, turn), element)

    def label_of(self, element: Element) -> DshLabel:
        """The title and the summary of the disclosure line in *element* (a row, or a thought)."""
        separator = element.querySelector("[role=button] > [aria-hidden=true]")
        if not separator:
            line = element.querySelector("[role=button]") or element
            return DshLabel(" ".join((line.textContent or "").split()), "", _icon_in(line), None)
        title, summary = separator.previousElementSibling, separator.nextElementSibling
        return DshLabel(
            title=title.textContent.strip() if title else "",
            summary=summary.textContent.strip() if summary else "",
            icon=_icon_in(separator.parentElement),
            text_element=summary,
        )


def turn_of(key: str) -> int | None:
    """The turn's number in a row's key ("14:assistant-step2:3" is turn 2, step 3), or None where it has none."""
    found = _TURN_IN_KEY.match(key)
    return int(found[1]) if found else None


def _read_parts(row: Element) -> tuple[tuple[Part, ...], list[Element]]:
    root = row.querySelector(":scope > [data-slot] > *")
    body = root.firstElementChild if root else None
    parts: list[Part] = []
    elements: list[Element] = []
    if not body:
        return (), elements
    for element in body.children:
        part = _read_part(element)
        if part is not None:
            parts.append(part)
            elements.append(element)
    return tuple(parts), elements


def _read_part(element: Element) -> Part | None:
    """A part, or None for what shows nothing (and for our own tool line, should it stand among the parts)."""
    if element.getAttribute("data-variant") == "think":
        return Part(PartKind.THINK, element.getAttribute("data-state") or "ok")
    if element.hasAttribute("data-thinkfold-box"):
        return None
    if element.tagName == "SPAN":
        return Part(PartKind.NOTE)
    children = element.childElementCount
    if children < 2 and not element.textContent.strip() and not (children and element.querySelector(_VISIBLE_MEDIA)):
        return None
    return Part(PartKind.TEXT)


def _icon_in(line: Element) -> Element | None:
    """The small picture at the line's start: a drawing, or the dot that marks a failure."""
    return line.querySelector(":scope > :first-child svg, :scope > :first-child [data-state]")
