"""What comes back from a model, or from what stands in its place: a summary and its cost, or why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from ..foreign_json import read_json
from ..stream import OpenAIStream, StreamEvent
from ..tokens import count_tokens
from .request import shortened

SHOWN_TOKENS = 60
"""So much of a summary is shown (seed 004)."""

MOST_TEXT = 4000
"""Characters of an answer; nobody needs more of one that is cut to :data:`SHOWN_TOKENS`."""

THINKING_PER_TOKEN = 20
"""Characters of thinking that a token of the budget may have; a model that writes more does not keep to it."""

LONGEST_MESSAGE = 200_000
"""Characters of one message of the stream."""

MOST_COMPLAINT = 4000
"""Characters that are read of the words of an error."""


@dataclass(frozen=True, slots=True)
class Refined:
    """A model's summary, and the tokens that it cost: question, thinking and answer."""

    text: str
    tokens: float


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no summary: a message's key and what is filled into it. *passes*: it may be otherwise if asked
    again a little later; *for_all*: the same would come of every question."""

    key: str
    arguments: tuple[str, ...] = ()
    passes: bool = False
    for_all: bool = False


NOT_SENT = {
    "address": Failure("refineFailedAddress", for_all=True),
    "permission": Failure("refineFailedPermission", for_all=True),
    "redirect": Failure("refineFailedRedirect", for_all=True),
    "network": Failure("refineFailedNetwork", for_all=True),
    "slow": Failure("refineFailedSlow"),
}
"""What the service worker's own failures mean, by the names that ``refine.js`` gives them."""

NO_MODEL = Failure("refineFailedNoModel", for_all=True)
"""None of the models that the server offers can chat."""


class Reply:
    """Reads one reply while it arrives::

        reply = Reply(body, budget=1024)
        for piece in pieces:
            if reply.feed(piece):
                break                    # enough: the rest need not come
        outcome = reply.close()          # Refined or Failure

    *asked* is the body that was sent, for the estimate of what was spent. Nothing in a reply makes it raise.
    """

    def __init__(self, asked: Mapping[str, Any], *, budget: int) -> None:
        self._asked = asked
        self._budget = budget
        self._stream = OpenAIStream(longest=LONGEST_MESSAGE)
        self._text = ""
        self._thinking: list[str] = []
        self._thought = 0  # characters
        self._usage: Mapping[str, Any] = {}
        self._stop = ""
        self._error: tuple[str, str] | None = None  # its type, its words
        self._is_empty = True
        self._is_endless = False

    def feed(self, piece: str) -> bool:
        """Take a piece. True when no more is needed."""
        self._take(self._stream.feed(piece))
        self._is_endless = len(self._text) > MOST_TEXT or self._thought > THINKING_PER_TOKEN * self._budget
        return self._is_endless

    def _take(self, events: list[StreamEvent]) -> None:
        for event in events:
            if event.choice:
                continue
            self._is_empty = self._is_empty and event.event == "error"
            if event.event == "text":
                self._text += event.data
            elif event.event == "reasoning":
                self._thinking.append(event.data)
                self._thought += len(event.data)
            elif event.event == "usage":
                self._usage = event.data
            elif event.event == "stop":
                self._stop = event.data
            elif event.event == "error":
                self._error = self._error or (str(event.data.get("type") or ""), str(event.data["message"]))

    def close(self) -> Refined | Failure:
        """What came of it."""
        if not self._is_endless:
            self._take(self._stream.close())
        text = " ".join(self._text.split())
        if text and (self._stop or self._is_endless):
            return Refined(shortened(text, SHOWN_TOKENS), self._tokens())
        return self._failure()

    def _failure(self) -> Failure:
        if self._is_endless or self._stop == "length":
            return Failure("refineFailedBudget", (str(self._budget),))
        kind, words = self._error or ("", "")
        if kind in ("broken_json", "too_long") or (self._is_empty and not words):
            return Failure("refineFailedUnreadable")
        if kind == "incomplete":
            return Failure("refineFailedUnreadable" if self._is_empty else "refineFailedIncomplete")
        if words:
            return Failure("refineFailedServer", (_short(words),))
        return Failure("refineFailedEmpty")

    def _tokens(self) -> float:
        """What was spent: as the server counted it, else an estimate."""
        counts = [self._usage.get(name) for name in ("total_tokens", "prompt_tokens", "completion_tokens")]
        total, asked, answered = (
            float(count) if isinstance(count, int | float) and math.isfinite(count) and count > 0 else 0.0
            for count in counts
        )
        if total or (asked and answered):
            return total or asked + answered
        sent = [str(message["content"]) for message in self._asked["messages"]]
        return sum(count_tokens(text) for text in (*sent, "".join(self._thinking), self._text))


def failure_of(status: int, body: str) -> Failure:
    """What an answer with an HTTP status of 400 or above means. *body* are its first :data:`MOST_COMPLAINT`
    characters."""
    match status:
        case 401:
            return Failure("refineFailedKey", for_all=True)
        case 403:
            return Failure("refineFailedForbidden", for_all=True)
        case 404:
            return Failure("refineFailedNotFound", (_short(_words_of(body)),), for_all=True)
        case 429:
            return Failure("refineFailedBusy", passes=True)
        case _ if status >= 500:
            return Failure("refineFailedStatus", (str(status), _short(_words_of(body))), passes=True)
        case _:
            return Failure("refineFailedStatus", (str(status), _short(_words_of(body))))


def wait_of(retry_after: str, now: float) -> float | None:
    """The seconds that a server's ``Retry-After`` asks for, in seconds or as a date; None where it says nothing that
    can be read. *now* is in seconds since 1970."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit() and len(text) < 12:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _words_of(body: str) -> str:
    """The words of an error: of its JSON, or as they stand; a page of HTML has none for people."""
    try:
        reply = read_json(body)
    except ValueError:
        return "" if body.lstrip().startswith("<") else body
    error = reply.get("error", reply) if isinstance(reply, dict) else reply
    words = (error.get("message") or error.get("detail")) if isinstance(error, dict) else error
    return words if isinstance(words, str) else ""


def _short(words: str) -> str:
    line = " ".join(words.split())
    return shortened(line, 40) if line else "–"
