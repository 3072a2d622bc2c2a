"""DSH Web, the chat page of DeepSeek Harness, 0.1.0 to 0.2.1.

The page's contract, as seen on the running hosts::

    [data-chat-flow]                                     the conversation, one of it at a time
      [data-chat-flow-kind][data-chat-flow-key]          a row; the host's React owns it
        [data-slot]                                      display: contents
          …                                              what the host draws

    a step:  [data-slot] > root[data-streaming] > body > parts
             a part is a thought ([data-variant=think][data-state]), Markdown, images, or a "stopped" mark
    a tool:  [data-slot] > … > [data-variant][data-state=running|ok|error|stopped]

    from 0.1.2 on
      data-chat-turn on every row; each part of a step in a plain wrapper
      [data-chat-flow-kind=turn-process]                 the seat of the host's own fold; its button is there while
        button[data-turn-process][aria-expanded]         the host can fold the turn
      hidden="until-found" on rows and parts that the host's fold hides

    from 0.2 on
      [data-chat-flow] > [data-slot]                     (display: contents) > rows and groups
        [data-chat-group-key]                            a group: a header, and a body with
          [data-chat-flow]                               a flow of its own, of rows
      a step is two rows, its reasoning in a group and its text alone
      rows keep their distance by margins, not by the flow's gap

What the page has is read, never a version. Class names are hashed and change with every release, so nothing here
reads one, but for the middle of one. ``docs/hosts.md`` has what is read where, and how to add a generation.
"""

from __future__ import annotations

import re

from ..core.rows import Part, PartKind, Row, RowKind
from . import Element, Label, Reading
from .dsh_events import DshEvents

KINDS: dict[str, RowKind] = {
    "user": RowKind.USER,
    "steering": RowKind.STEERING,
    "question-reply": RowKind.STEERING,
    "assistant-step": RowKind.STEP,
    "tool-call": RowKind.TOOL,
    "context": RowKind.CONTEXT,
    "system-prompt": RowKind.CONTEXT,
    "turn-trigger": RowKind.USER,
    "turn-process": RowKind.FOLD,
    "model-retry": RowKind.RETRY,
    "compaction": RowKind.COMPACTION,
    "manual-compaction": RowKind.COMMAND,  # what the user asked for
    "workflow-run": RowKind.WORKFLOW,
    "command": RowKind.COMMAND,
    "command-input": RowKind.COMMAND,
    "turn-error": RowKind.ERROR,
    "turn-max-tokens": RowKind.MAX_TOKENS,
    "turn-tail": RowKind.TAIL,
}
"""The host's kinds in our words. A kind that is not here is :attr:`RowKind.UNKNOWN`, the host's own
"unknown" with it. A question or an approval that waits for the user has no row: the host asks in the composer's place.
"command-input" (the words of a ``/goal``) and "question-reply" (a late answer) may come while a turn runs, so neither
is a message that begins one."""

_STATE_OF_WORKFLOW = {"running": "running", "completed": "ok", "failed": "error"}
"""The state that a workflow's run status stands for; any other one was cut off."""

_STEP_IN_KEY = re.compile(r"\d+:assistant-step(\d+):(\d+)")
_MESSAGE_IN_KEY = re.compile(r"\d+:input-message(.+)")
_TURN_IN_KEY = re.compile(r"\d+:(?:assistant-step|turn-tail|turn-error|turn-max-tokens)(\d+)(?::\d+)?$")
_ENOUGH = 3
"""From this many children on, a flow without a row of a known kind is of a shape that we do not know."""
_OURS = "[data-thinkfold-box], [data-thinkfold-strip], [data-thinkfold-think], [data-thinkfold-thinking]"
_THINK = "[data-variant=think]"
_MESSAGE = '[class*="_markdown_"]'
"""The one class that is read: its middle is the same in all generations, and nothing else marks a message's text."""
_VISIBLE_MEDIA = "img, svg, canvas, video, table, hr"


class Dsh:
    """Reads DSH Web; see :class:`thinkfold.hosts.Host`."""

    flow_selector = "[data-chat-flow]"
    row_selector = "[data-chat-flow-kind]"
    watched_attributes: tuple[str, ...] = (
        "data-state",
        "data-streaming",
        "data-active",
        "data-run-status",
        "data-chat-flow-kind",
        "data-chat-flow-key",
        "aria-expanded",
        "hidden",
    )

    def scroller_of(self, flow: Element) -> Element | None:
        """The scrollport that holds the conversation and the composer."""
        return flow.closest("[data-conversation-scroll]") or None

    def spacing_of(self, flow: Element) -> str:
        """``gap`` where the flow's gap keeps rows apart, ``margin`` where the rows' own margins do, and ``margin
        tight`` where those are the smaller ones of 0.2."""
        if flow.querySelector(":scope > [data-slot]"):
            return "margin tight"
        import js

        return "gap" if js.getComputedStyle(flow).rowGap.endswith("px") else "margin"

    def key_of(self, element: Element) -> str | None:
        """The host's own key of a row; None for anything else in the flow (a group, a button, the turn's status)."""
        return (element.getAttribute("data-chat-flow-key") or None) if element.matches(self.row_selector) else None

    def group_key_of(self, element: Element) -> str | None:
        """The key of a group's element; None for anything else."""
        return element.getAttribute("data-chat-group-key") or None

    def rows_in(self, element: Element) -> list[Element]:
        """The rows that *element* is or holds, in order."""
        return [element] if element.matches(self.row_selector) else list(element.querySelectorAll(self.row_selector))

    def row_before(self, element: Element, flow: Element) -> Element | None:
        """The row that stands before *element* in *flow*, across the borders of groups."""
        while element != flow:
            before = element.previousElementSibling
            while before:
                rows = self.rows_in(before)
                if rows:
                    return rows[-1]
                before = before.previousElementSibling
            element = element.parentElement
        return None

    def missed_in(self, flow: Element) -> list[str]:
        """What is missing in a flow without a row of a known kind.

        Empty while the flow holds next to nothing: a new chat, a status line, the echo of a message.
        """
        rows = self.rows_in(flow)
        if rows:
            keyless = not any(row.getAttribute("data-chat-flow-key") for row in rows)
            kinds = sorted({row.getAttribute("data-chat-flow-kind") or "" for row in rows})
            kinds = [] if len(rows) < _ENOUGH or any(kind in KINDS for kind in kinds) else kinds
            return ["data-chat-flow-key"] * keyless + [f"data-chat-flow-kind={kind}" for kind in kinds]
        column = flow.querySelector(":scope > [data-slot]") or flow
        return ["data-chat-flow-kind"] if column.childElementCount >= _ENOUGH else []

    def read(self, element: Element) -> Reading:
        """Read a row; a step with its parts."""
        key = element.getAttribute("data-chat-flow-key") or ""
        kind = KINDS.get(element.getAttribute("data-chat-flow-kind") or "", RowKind.UNKNOWN)
        stated_turn = element.getAttribute("data-chat-turn")
        turn = int(stated_turn) if stated_turn and stated_turn.isdecimal() else turn_of(key)
        group = element.closest("[data-chat-group-key]") or None
        parts: tuple[Part, ...] = ()
        elements: list[Element] = []
        state = "ok"
        if kind is RowKind.STEP:
            parts, elements = _read_parts(element)
            state = "running" if element.querySelector("[data-streaming]:not([data-streaming=false])") else "ok"
        elif kind is RowKind.TOOL:
            card = element.querySelector("[data-state]")
            state = card.getAttribute("data-state") if card else "ok"
        elif kind is RowKind.RETRY:
            state = "running" if element.querySelector("[data-active]") else "ok"
        elif kind is RowKind.WORKFLOW:
            run = element.querySelector("[data-run-status]")
            state = _STATE_OF_WORKFLOW.get(run.getAttribute("data-run-status"), "stopped") if run else "ok"
        elif kind is RowKind.FOLD:
            state = _state_of_fold(element)
        row = Row(
            key=key,
            kind=kind,
            turn=turn,
            parts=parts,
            state=state,
            group=self.group_key_of(group) if group else None,
            hidden=bool(element.hasAttribute("hidden")),
        )
        return Reading(row, element, elements, group)

    def findable_in(self, element: Element) -> Element | None:
        """The element in *element* (a row, a part, a group, or a child of a row or group) that may carry
        ``hidden``: one that the host never hides itself, so that the two never mix."""
        if element.matches(f"[data-slot], {_THINK}, {_MESSAGE}"):
            return element
        if element.matches(self.row_selector):
            return element.querySelector(":scope > [data-slot]") or None
        content = element.querySelector(":scope > [data-step-process-content]") or element.querySelector(
            ":scope > [data-step-process-body] > [data-step-process-content]"
        )
        if content:
            return content
        if element.matches(_OURS) or not element.closest(self.row_selector):
            return None  # ours, or a group's header
        return element.firstElementChild or None  # from 0.1.2 on a part may stand in a wrapper, which the host hides

    def opener_of(self, group: Element) -> Element | None:
        """The header of a closed group, which opens it."""
        return group.querySelector("[data-process-activity][aria-expanded=false]") or None

    def message_in(self, part: Element) -> Element | None:
        """The element whose children are the blocks of Markdown of a text part."""
        return part if part.matches(_MESSAGE) else part.querySelector(_MESSAGE) or None

    def copies_message(self, target: Element) -> bool:
        """True for a button beside a message or in the turn's tail; not for one in the message's text, which copies a
        piece of code."""
        row = target.closest(self.row_selector)
        kind = KINDS.get(row.getAttribute("data-chat-flow-kind") or "") if row else None
        return kind in (RowKind.STEP, RowKind.TAIL) and not target.closest(_MESSAGE)

    def event_reader(self) -> DshEvents:
        """What reads the host's own events, for one page."""
        return DshEvents()

    def session_in(self, flow: Element) -> str | None:
        """The chat session that *flow* shows; up to 0.1.5 no page says it."""
        content = flow.closest("[data-conversation-session]")
        return content.getAttribute("data-conversation-session") if content else None

    def messages_in(self, flow: Element) -> list[str]:
        """The ids of the first and the last message of the user in *flow*."""
        rows = flow.querySelectorAll('[data-chat-flow-kind="user"]')
        ends = {0, rows.length - 1} if rows.length else set()
        found = [_MESSAGE_IN_KEY.match(self.key_of(rows[index]) or "") for index in sorted(ends)]
        return [each[1] for each in found if each]

    def step_in(self, key: str) -> tuple[int, int] | None:
        """The turn and the step in a row's key ("14:assistant-step2:3"); from 0.2 on a key may be in another."""
        found = _STEP_IN_KEY.search(key)
        return (int(found[1]), int(found[2])) if found else None

    def thought_line_in(self, part: Element) -> Element | None:
        """The line of a host's thought that opens and closes it."""
        think = part if part.matches(_THINK) else part.querySelector(f":scope > {_THINK}")
        return (think.querySelector("[data-disclosure-row]") or None) if think else None

    def composer_of(self, flow: Element) -> Element | None:
        """The seat of the composer and of all that is docked to it."""
        scroller = self.scroller_of(flow)
        return (scroller.querySelector("[data-composer-seat]") or None) if scroller else None

    def views_of(self, flow: Element) -> Element | None:
        """The tabs "Chat", "Trajectory" and what plugins add, which are there from the first message on."""
        conversation = flow.closest("[data-phase]")
        return (conversation.querySelector("[role=tablist]") or None) if conversation else None

    def label_of(self, element: Element) -> Label:
        """The title and the summary of the disclosure line in *element* (a row, or a thought)."""
        for mark in element.querySelectorAll("span[aria-hidden=true]"):
            title, summary = mark.previousElementSibling, mark.nextElementSibling
            if title and summary:
                return Label(
                    title=title.textContent.strip(),
                    summary=summary.textContent.strip(),
                    icon=_icon_in(mark.closest("[role=button], [data-variant]") or element),
                    text_element=summary,
                )
        line = element.querySelector("[role=button], summary") or element
        return Label(" ".join((line.textContent or "").split()), "", _icon_in(line), None)


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


def _state_of_fold(row: Element) -> str:
    """``none`` while the host does not fold the turn, else whether its control is ``open`` or ``closed``. A control
    that is disabled only says how the turn ended."""
    button = row.querySelector("button[data-turn-process]:not([disabled])")
    if not button:
        return "none"
    return "open" if button.getAttribute("aria-expanded") == "true" else "closed"


def _read_part(element: Element) -> Part | None:
    """A part, or None for what shows nothing (and for what is ours, should it stand among the parts)."""
    think = element if element.matches(_THINK) else element.querySelector(f":scope > {_THINK}")
    if think:
        return Part(PartKind.THINK, think.getAttribute("data-state") or "ok")
    if element.matches(_OURS):
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
