"""Hears what ``tap.js`` copies in the page's own world. Where it is not there (a tab from before the installation, a
page that loaded first), nothing is ever heard, and all else works as without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import js

from .dom import Attachments, options

RECORDS, LISTEN = "thinkfold-records", "thinkfold-listen"
"""The events by which ``tap.js`` hands over what it has, and hears whether that is wanted."""


class Tap:
    """Calls *on_records* with what was copied, a batch at a time, until *attached* is closed."""

    def __init__(self, attached: Attachments, on_records: Callable[[str], None]) -> None:
        self._on_records = on_records
        attached.listen(js.document, RECORDS, self._on_event)
        self._tell("on")
        attached.undo(lambda: self._tell("off"))

    def _on_event(self, event: Any) -> None:
        if isinstance(event.detail, str):
            self._on_records(event.detail)

    def _tell(self, state: str) -> None:
        js.document.dispatchEvent(js.CustomEvent.new(LISTEN, options(detail=state)))
