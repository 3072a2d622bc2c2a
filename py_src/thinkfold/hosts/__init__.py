"""What a site looks like: one file per site, and :data:`HOSTS` lists them.

A host file turns the page's elements into the plain rows of :mod:`thinkfold.core.rows`, and says where the
parts of a row are. It reads only; nothing here changes the page.
"""

from __future__ import annotations

from typing import Any, Protocol

from ..core.rows import Row

Element = Any
"""An element of the page (a ``JsProxy``). core never sees one."""


class Reading(Protocol):
    """One row as it stands on the page."""

    row: Row
    element: Element
    parts: list[Element]
    """The elements of ``row.parts``, in the same order."""


class Host(Protocol):
    """What the page layer needs to know of a site."""

    flow_selector: str
    """Finds the element that holds a conversation."""

    row_selector: str
    """Finds a row within a flow."""

    watched_attributes: tuple[str, ...]
    """The attributes within a row whose change can change what the row is."""

    def key_of(self, element: Element) -> str | None:
        """The key of a row's element, or None where *element* is no row."""

    def read(self, element: Element) -> Reading:
        """Read a row."""

    def label_of(self, element: Element) -> Label:
        """The words and the icon by which the host shows a tool item; *element* is its row or part."""


class Label(Protocol):
    """How the host names a tool item."""

    title: str
    summary: str
    icon: Element | None
    text_element: Element | None
    """The element whose text is the summary, so that the page can follow it while it grows."""
