"""The chats of the options page and of the welcome page: rows in the shape of the host's, with as little in them as
folding looks at.

Their titles are those that the host's tools have; their words come from ``_locales``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import js
from pyscript import web

from ..page.words import word

Row = tuple[str, str, Any]
"""The host's kind, its key, and what is in the row."""


def sample_flow() -> Any:
    """A conversation of three turns: one with steps, one with thinking in the message, one in which the agent works."""
    return flow_of(row(*each) for each in [*_turn_with_steps(), *_turn_with_thinking(), *_running_turn()])


def flow_of(rows: Iterable[Any]) -> Any:
    """A conversation of these rows."""
    flow = web.div(*rows)
    flow.setAttribute("data-chat-flow", "")
    return flow


def _turn_with_steps() -> list[Row]:
    return [
        ("user", "input-message1", said(word("previewQuestion"))),
        ("tool-call", "tool-callc1", line("Bash", "git log --oneline report")),
        ("assistant-step", "assistant-step1:1", step(word("previewFirst"))),
        ("tool-call", "tool-callc2", line("Grep", "strftime")),
        ("context", "contextc1", line("Context", "AGENTS.md")),
        ("tool-call", "tool-callc3", line("Edit", "report/dates.py")),
        ("assistant-step", "assistant-step1:2", step(word("previewSecond"))),
        ("tool-call", "tool-callc4", line("Bash", "pytest report")),
        ("assistant-step", "assistant-step1:3", step(word("previewAnswer"))),
        ("turn-tail", "turn-tail1", web.div()),
    ]


def _turn_with_thinking() -> list[Row]:
    message = step(f"<think>{word('previewThought')}</think>", word("previewNextAnswer"))
    return [
        ("user", "input-message2", said(word("previewNext"))),
        ("assistant-step", "assistant-step2:1", message),
        ("turn-tail", "turn-tail2", web.div()),
    ]


def _running_turn() -> list[Row]:
    return [
        ("user", "input-message3", said(word("previewLast"))),
        ("tool-call", "tool-callc5", line("Read", "report/export.py")),
        ("tool-call", "tool-callc6", line("Grep", "timezone")),
        ("tool-call", "tool-callc7", line("Bash", "pytest report/export.py", "running")),
    ]


def row(kind: str, key: str, content: Any) -> Any:
    """A row of the host's."""
    slot = web.div(content, style={"display": "contents"})
    slot.setAttribute("data-slot", "")
    row = web.div(slot)
    row.setAttribute("data-chat-flow-kind", kind)
    row.setAttribute("data-chat-flow-key", f"{len(kind)}:{key}")
    return row


def said(text: str) -> Any:
    """What the user said."""
    return web.div(web.p(textContent=text), classes=["sample-said"])


def line(title: str, summary: str, state: str = "ok") -> Any:
    """The line of a tool call."""
    dot = web.span()
    dot.setAttribute("aria-hidden", "true")
    icon = web.span(web.Element(dom_element=_icon()), classes=["sample-icon"])
    line = web.div(icon, web.span(textContent=title), dot, web.span(textContent=summary), classes=["sample-line"])
    line.setAttribute("data-variant", title.lower())
    line.setAttribute("data-state", state)
    return line


def _icon() -> Any:
    """A small picture of a tool."""
    name = "http://www.w3.org/2000/svg"
    picture, path = js.document.createElementNS(name, "svg"), js.document.createElementNS(name, "path")
    picture.setAttribute("viewBox", "0 0 16 16")
    picture.setAttribute("aria-hidden", "true")
    path.setAttribute("d", "M2.5 3.5h11v9h-11z M5 6.5l2 1.5l-2 1.5 M8.5 10h2.5")
    picture.append(path)
    return picture


def step(*paragraphs: str) -> Any:
    """A step of one text, as the host draws Markdown. The host's class has these letters in its middle."""
    text = web.div(*(web.p(textContent=paragraph) for paragraph in paragraphs), classes=["sample_markdown_"])
    return web.div(web.div(text))
