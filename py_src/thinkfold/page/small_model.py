"""Asks the small model that the settings name, through ``refine.js``: a page may not call it, and never has the key."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import js

from ..core.refinement import (
    MOST_COMPLAINT,
    NO_MODEL,
    NOT_SENT,
    Chosen,
    Failure,
    Refined,
    Reply,
    choose_model,
    failure_of,
    read_models,
    request_body,
    wait_of,
    without_refused,
)
from ..core.settings import AUTO, Settings
from .dom import Attachments, options

_MOST_LIST = 1_000_000
"""Characters of a list of models."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question: *chosen* is the model that was asked, *wait* how many seconds the server wants to be
    left alone, as far as they are known."""

    outcome: Refined | Failure
    chosen: Chosen | None = None
    wait: float | None = None


class SmallModel:
    """The model that refines. One question at a time; *on_error* is called with any exception of a handler."""

    def __init__(self, settings: Settings, on_error: Callable[[BaseException], None]) -> None:
        self._settings = settings
        self._on_error = on_error
        self._chosen: Chosen | None = None
        self._complaints = ""  # of what servers refused in a request
        self._port: _Port | None = None

    def set_settings(self, settings: Settings) -> None:
        """Take other settings. What is being asked is aborted, without an answer."""
        self.abort()
        self._settings = settings
        self._chosen = None
        self._complaints = ""

    def ask(self, text: str, on_answer: Callable[[Answer], None]) -> None:
        """Have *text* summed up."""
        if self._settings.refine_model.strip() not in ("", AUTO):
            self._chosen = Chosen("refineChosenByUser", self._settings.refine_model.strip())
        if self._chosen is not None:
            self._ask(self._chosen, text, on_answer)
            return
        found: list[str] = []

        def choose() -> None:
            self._chosen = choose_model(read_models("".join(found)))
            if self._chosen is None:
                on_answer(Answer(NO_MODEL))
            else:
                self._ask(self._chosen, text, on_answer)

        def take(piece: str) -> bool:
            found.append(piece)
            return sum(map(len, found)) > _MOST_LIST

        self._send("/models", None, take, choose, lambda failure, wait, _: on_answer(Answer(failure, None, wait)))

    def _ask(self, chosen: Chosen, text: str, on_answer: Callable[[Answer], None]) -> None:
        settings = self._settings
        body = request_body(
            chosen.model,
            text,
            prompt=settings.refine_prompt,
            budget=settings.refine_budget,
            how=settings.refine_trim,
        )
        while otherwise := without_refused(body, self._complaints):
            body = otherwise
        reply = Reply(body, budget=settings.refine_budget)

        def refuse(failure: Failure, wait: float | None, complaint: str) -> None:
            if complaint and without_refused(body, complaint):
                self._complaints += complaint
                self._ask(chosen, text, on_answer)
            else:
                on_answer(Answer(failure, chosen, wait))

        self._send("/chat/completions", body, reply.feed, lambda: on_answer(Answer(reply.close(), chosen)), refuse)

    def abort(self) -> None:
        """Ask no longer; there will be no answer."""
        if self._port is not None:
            self._port.close()
            self._port = None

    def _send(
        self,
        path: str,
        body: dict[str, Any] | None,
        take: Callable[[str], bool],
        end: Callable[[], None],
        refuse: Callable[[Failure, float | None, str], None],
    ) -> None:
        """Send a request. *take* gets the pieces of a good reply and is True when it has enough, *end* comes after
        the last; or else *refuse*, with what a server complains of (400 and 422)."""
        self.abort()
        status, retry_after, words = 200, "", ""

        def on_message(message: Any) -> None:
            nonlocal status, retry_after, words
            failure = getattr(message, "failure", None)
            if failure:
                self.abort()
                refuse(NOT_SENT.get(str(failure), NOT_SENT["network"]), None, "")
            elif hasattr(message, "status"):
                status, retry_after = int(message.status), str(message.retryAfter)
            elif hasattr(message, "piece") and status < 300:
                if take(str(message.piece)):
                    self.abort()
                    end()
            elif hasattr(message, "piece"):
                words = (words + str(message.piece))[:MOST_COMPLAINT]
            elif hasattr(message, "end"):
                self.abort()
                if status < 300:
                    end()
                else:
                    wait = wait_of(retry_after, float(js.Date.now()) / 1000) if retry_after else None
                    refuse(failure_of(status, words), wait, words if status in (400, 422) else "")

        def on_disconnect(*_: Any) -> None:
            self.abort()
            refuse(NOT_SENT["network"], None, "")

        self._port = _Port(self._on_error, path, body, on_message, on_disconnect)


class _Port:
    """The connection for one question."""

    def __init__(
        self,
        on_error: Callable[[BaseException], None],
        path: str,
        body: dict[str, Any] | None,
        on_message: Callable[..., None],
        on_disconnect: Callable[..., None],
    ) -> None:
        self._attached = Attachments(on_error)
        self._port = js.chrome.runtime.connect(options(name="refine"))
        self._attached.undo(self._port.disconnect)
        self._port.onMessage.addListener(self._attached.guard(on_message))
        self._port.onDisconnect.addListener(self._attached.guard(on_disconnect))
        self._port.postMessage(options(path=path, body=json.dumps(body) if body is not None else None))

    def close(self) -> None:
        self._attached.close()
