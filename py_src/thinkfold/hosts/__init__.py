"""What a site looks like: one file per site, and :data:`HOSTS` lists them.

A host file turns the page's elements into the plain rows of :mod:`thinkfold.core.rows`, and says where the
parts of a row are. It reads only; nothing here changes the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from ..core.events import Event
from ..core.rows import Row

Element = Any
"""An element of the page (a ``JsProxy``). core never sees one."""


@dataclass(slots=True)
class Reading:
    """One row as it stands on the page.

    *parts* has the elements of ``row.parts`` in the same order, *group* the element of the group ``row.group``.
    """

    row: Row
    element: Element
    parts: list[Element]
    group: Element | None


@dataclass(slots=True)
class Label:
    """How the host names a tool item.

    *text_element* is the element whose text is the summary, so that the page can follow it while it grows.
    """

    title: str
    summary: str
    icon: Element | None
    text_element: Element | None


class EventReader(Protocol):
    """Reads what the host sends to its own page, as ``tap.js`` copied it."""

    def read(self, records: str) -> list[Event]:
        """The events in *records*; what it does not know it passes over."""


class Host(Protocol):
    """What the page layer needs to know of a site."""

    flow_selector: str
    """Finds the element that holds a conversation."""

    row_selector: str
    """Finds a row within a flow."""

    watched_attributes: tuple[str, ...]
    """The attributes within a row whose change can change what the row is."""

    def scroller_of(self, flow: Element) -> Element | None:
        """The element in which the flow scrolls."""

    def spacing_of(self, flow: Element) -> str:
        """How rows keep their distance: ``gap`` or ``margin``."""

    def key_of(self, element: Element) -> str | None:
        """The key of a row's element, or None where *element* is no row."""

    def group_key_of(self, element: Element) -> str | None:
        """The key of a group's element, or None where *element* is no group."""

    def rows_in(self, element: Element) -> list[Element]:
        """The rows that *element* is or holds, in order."""

    def row_before(self, element: Element, flow: Element) -> Element | None:
        """The row before *element* in *flow*."""

    def missed_in(self, flow: Element) -> list[str]:
        """The attributes that are missing in a flow of an unknown shape; empty while there is too little to say."""

    def read(self, element: Element) -> Reading:
        """Read a row."""

    def findable_in(self, element: Element) -> Element | None:
        """The element in *element*, which is to be hidden, that the browser's find in page may look into: it gets
        ``hidden="until-found"``, and the host never sets that attribute of it. None where there is none."""

    def opener_of(self, group: Element) -> Element | None:
        """The button that opens a group which the host has closed; None while it is open."""

    def message_in(self, part: Element) -> Element | None:
        """The element whose children are the blocks of Markdown of a text part; None where it is no Markdown."""

    def copies_message(self, target: Element) -> bool:
        """True when a click on *target* may copy a message of the model's as a whole."""

    def label_of(self, element: Element) -> Label:
        """The words and the icon by which the host shows a tool item; *element* is its row or part."""

    def event_reader(self) -> EventReader:
        """What reads the host's own events, for one page."""

    def session_in(self, flow: Element) -> str | None:
        """The chat session that *flow* shows, where the page says it."""

    def messages_in(self, flow: Element) -> list[str]:
        """The ids of some of the user's messages in *flow*, by which its session is known too."""

    def step_in(self, key: str) -> tuple[int, int] | None:
        """The turn and the step that a row's key names; None where it names none."""

    def thought_line_in(self, part: Element) -> Element | None:
        """The line of a host's own thought on which there is room for its time; None where *part* is none."""

    def composer_of(self, flow: Element) -> Element | None:
        """The element below the conversation in which the user writes."""

    def views_of(self, flow: Element) -> Element | None:
        """The list of tabs in the conversation's header; None where there is none."""
