"""Keeps summed-up thoughts in the extension's own database, which only its service worker can open."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import js

from .dom import Attachments, options

Record = Mapping[str, Any]

_PATIENCE = 3000
"""Milliseconds to wait for what is kept: a session must not wait for a database that hangs."""


class ThoughtStore:
    """Asks the service worker. *on_failure* is told by name what the database refuses ("QuotaExceededError")."""

    def __init__(self, attached: Attachments, on_failure: Callable[[str], None]) -> None:
        self._attached = attached
        self._on_failure = on_failure

    def load(self, session: str, on_records: Callable[[list[Record]], None]) -> None:
        """Call *on_records* with what is kept of a session; with nothing where the database fails."""

        answered = False

        def read(value: Any) -> None:
            nonlocal answered
            if not answered:
                answered = True
                on_records([json.loads(body) for body in value] if value else [])

        self._ask(read, do="load", session=session)
        js.setTimeout(self._attached.guard(lambda: read(None)), _PATIENCE)

    def keep(self, records: Iterable[tuple[str, str, Record]], *, days: int, most: int) -> None:
        """Keep records, each with its key and its session, for *days*, and at most *most* of all."""
        entries = [options(key=key, session=session, body=json.dumps(record)) for key, session, record in records]
        self._ask(None, do="keep", entries=entries, days=days, most=most)

    def forget(self, session: str, record: Record) -> None:
        """Delete all that is kept of a session, and keep *record*, where it says something, instead."""
        self._ask(None, do="forget", session=session, body=json.dumps(record) if record else "")

    def _ask(self, on_value: Callable[[Any], None] | None, **question: object) -> None:
        def read(reply: Any) -> None:
            failure = getattr(reply, "failure", "") if reply else "no answer"
            if failure:
                self._on_failure(str(failure))
            if on_value is not None:
                on_value(None if failure else reply.value)

        def fail(_error: Any) -> None:
            self._on_failure("no answer")
            if on_value is not None:
                on_value(None)

        asked = js.chrome.runtime.sendMessage(options(thoughts=question))
        asked.then(self._attached.guard(read), self._attached.guard(fail))
