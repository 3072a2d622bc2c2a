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
    """The model that refines, while *attached* is open. One question at a time."""

    def __init__(self, settings: Settings, attached: Attachments) -> None:
        self._settings = settings
        self._chosen: Chosen | None = None
        self._complaints = ""  # of what servers refused in a request
        self._port: Any = None  # of the question that is being asked
        self._question: _Question | None = None
        self._listener, self._on_gone = attached.guard(self._on_message), attached.guard(self._on_disconnect)
        attached.undo(self.abort)

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
        port, self._port = self._port, None
        if port is not None:
            port.onMessage.removeListener(self._listener)
            port.onDisconnect.removeListener(self._on_gone)
            port.disconnect()

    def _send(self, path: str, body: dict[str, Any] | None, take: _Take, end: _End, refuse: _Refuse) -> None:
        self.abort()
        self._question = _Question(take, end, refuse)
        self._port = js.chrome.runtime.connect(options(name="refine"))
        self._port.onMessage.addListener(self._listener)
        self._port.onDisconnect.addListener(self._on_gone)
        self._port.postMessage(options(path=path, body=json.dumps(body) if body is not None else None))

    def _on_message(self, message: Any, port: Any) -> None:
        question = self._question
        if port != self._port or question is None:
            return  # of a question that was aborted
        if hasattr(message, "failure"):
            self.abort()
            question.refuse(NOT_SENT.get(str(message.failure), NOT_SENT["network"]), None, "")
        elif hasattr(message, "status"):
            question.status, question.retry_after = int(message.status), str(message.retryAfter)
        elif hasattr(message, "piece") and question.is_good:
            if question.take(str(message.piece)):
                self.abort()
                question.end()
        elif hasattr(message, "piece"):
            question.words = (question.words + str(message.piece))[:MOST_COMPLAINT]
        elif hasattr(message, "end"):
            self.abort()
            question.finish()

    def _on_disconnect(self, port: Any) -> None:
        if port == self._port and self._question is not None:
            self._port = None
            self._question.refuse(NOT_SENT["network"], None, "")


_Take = Callable[[str], bool]
"""Gets the pieces of a good reply, and is True when it has enough."""
_End = Callable[[], None]
"""Called after the last."""
_Refuse = Callable[[Failure, float | None, str], None]
"""Called instead: why, how long the server wants to be left alone, and what it complains of (400 and 422)."""


@dataclass(slots=True)
class _Question:
    """A request that was sent, and what is known of its reply."""

    take: _Take
    end: _End
    refuse: _Refuse
    status: int = 200
    retry_after: str = ""
    words: str = ""  # of an error

    @property
    def is_good(self) -> bool:
        return self.status < 300

    def finish(self) -> None:
        """All of the reply is here."""
        if self.is_good:
            self.end()
            return
        wait = wait_of(self.retry_after, float(js.Date.now()) / 1000) if self.retry_after else None
        self.refuse(failure_of(self.status, self.words), wait, self.words if self.status in (400, 422) else "")
