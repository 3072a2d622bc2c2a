"""Any chat page of which no more is known than a CSS selector for its messages.

There is no conversation with rows to be folded: only messages, in whose text a model may have written its thinking.
"""

from __future__ import annotations

from . import Element

_WRAPPERS = ("ARTICLE", "DIV", "MAIN", "SECTION", "SPAN")
"""What a page puts around the blocks of a message; a paragraph or a list is a block itself."""


class Tags:
    """A chat page whose messages *selector* finds. A message within a message belongs to the outer one."""

    def __init__(self, selector: str) -> None:
        self.selector = selector

    def message_around(self, node: Element) -> Element | None:
        """The message that *node* is or is in."""
        start = node if node.nodeType == node.ELEMENT_NODE else node.parentElement
        found = start.closest(self.selector) if start else None
        while found and found.parentElement and (outer := found.parentElement.closest(self.selector)):
            found = outer
        return found or None

    def messages_in(self, element: Element) -> list[Element]:
        """The messages that *element* holds, *element* itself left out."""
        found = [*element.querySelectorAll(self.selector)]
        return [message for message in found if not message.parentElement.closest(self.selector)]

    def body_of(self, message: Element) -> Element:
        """The element whose children are the blocks of a message's text."""
        body = message
        while (
            body.childElementCount == 1
            and body.firstElementChild.tagName in _WRAPPERS
            and body.textContent.strip() == body.firstElementChild.textContent.strip()
        ):
            body = body.firstElementChild
        return body
