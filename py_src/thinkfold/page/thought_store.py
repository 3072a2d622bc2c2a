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
    """Asks the service worker. *on_failure* is told by name what the database refuses ("QuotaExceededError"), and with
    an empty name when it keeps again."""

    def __init__(self, attached: Attachments, on_failure: Callable[[str], None]) -> None:
        self._attached = attached
        self._on_failure = on_failure
        self._on_written = attached.later(lambda reply: on_failure(_failure_in(reply)))
        self._on_lost = attached.later(lambda _error: on_failure(_failure_in(None)))

    def load(self, session: str, on_records: Callable[[list[Record]], None]) -> None:
        """Call *on_records* with what is kept of a session; with nothing where the database fails."""

        answered = False

        def take(bodies: Any) -> None:
            nonlocal answered
            if not answered:
                answered = True
                on_records([json.loads(body) for body in bodies])

        def read(reply: Any) -> None:
            failure = _failure_in(reply)
            if failure:
                self._on_failure(failure)
            take([] if failure else reply.value)

        later = self._attached.later
        self._ask(later(read), later(lambda _error: read(None)), do="load", session=session)
        js.setTimeout(later(lambda: take([])), _PATIENCE)

    def keep(self, records: Iterable[tuple[str, str, Record]], *, days: int, most: int) -> None:
        """Keep records, each with its key and its session, for *days*, and at most *most* of all."""
        entries = [options(key=key, session=session, body=json.dumps(record)) for key, session, record in records]
        self._write(do="keep", entries=entries, days=days, most=most)

    def forget(self, session: str, record: Record) -> None:
        """Delete all that is kept of a session, and keep *record*, where it says something, instead."""
        self._write(do="forget", session=session, body=json.dumps(record) if record else "")

    def _write(self, **question: object) -> None:
        self._ask(self._on_written, self._on_lost, **question)

    def _ask(self, on_reply: Any, on_error: Any, **question: object) -> None:
        js.chrome.runtime.sendMessage(options(thoughts=question)).then(on_reply, on_error)


def _failure_in(reply: Any) -> str:
    """Why the question failed; empty where it did not."""
    return str(getattr(reply, "failure", "")) if reply else "no answer"
