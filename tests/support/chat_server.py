"""A small model behind HTTP on 127.0.0.1, in the dialects of three servers, which behaves badly in as many ways as
servers do.

    with ChatServer("ollama") as server:
        ...                                  # give server.address to the extension
        server.behave("hangs in the middle") # from the next question on
        server.questions                     # what was asked, with headers

A dialect is what the server's real namesake does: DeepSeek thinks in ``reasoning_content`` and sends comments while it
is busy; OpenAI wants a key and refuses ``max_tokens``; Ollama thinks in ``reasoning`` and refuses pages and extensions
that it was not told to allow. Everything that waits ends with the ``with`` block.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Dialect = Literal["deepseek", "openai", "ollama"]

MODELS: dict[str, list[str]] = {
    "deepseek": ["deepseek-reasoner", "deepseek-chat"],
    "openai": ["gpt-5", "gpt-5-mini", "gpt-5-nano", "text-embedding-3-small", "gpt-4o-mini-tts"],
    "ollama": ["qwen3:8b", "qwen2.5:0.5b", "nomic-embed-text:latest"],
}
ANSWER = "The cause is the retry, which drops the arguments."
THINKING = "What does it say? A retry."
USAGE = {"prompt_tokens": 200, "completion_tokens": 34, "total_tokens": 234}


@dataclass(frozen=True)
class Question:
    """One request: its headers have names in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any] | None


@dataclass
class ChatServer:
    """The server. *key* is the one that it wants; *allows_extensions* is Ollama's ``OLLAMA_ORIGINS``."""

    dialect: Dialect = "deepseek"
    key: str = ""
    allows_extensions: bool = True
    elsewhere: str = ""
    """Where "redirects elsewhere" leads."""
    answer: str = ANSWER
    questions: list[Question] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    """Set when the client has gone away in the middle of an answer."""
    at_once: int = 0
    most_at_once: int = 0

    def __enter__(self) -> ChatServer:
        self._behaviours: list[str] = []
        self._release = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Handler(_Handler):
            chat = server

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._release.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def address(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def chats(self) -> list[Question]:
        """The questions for a summary."""
        return [each for each in self.questions if each.path.endswith("/chat/completions")]

    def behave(self, *behaviours: str) -> None:
        """Behave so from the next question for a summary on: one name for each question, the last for all others."""
        assert all(each in BEHAVIOURS for each in behaviours), behaviours
        self._behaviours = [*behaviours]

    def let_go(self) -> None:
        """Let all that waits go on."""
        self._release.set()
        self._release = threading.Event()

    def next_behaviour(self) -> str:
        """The name for the question that has just come."""
        with self._lock:
            if not self._behaviours:
                return "well"
            return self._behaviours.pop(0) if len(self._behaviours) > 1 else self._behaviours[0]

    def count(self, step: int) -> None:
        """One more question that is being answered, or one less."""
        with self._lock:
            self.at_once += step
            self.most_at_once = max(self.most_at_once, self.at_once)

    def wait(self, seconds: float = 60) -> None:
        """Wait until somebody lets go."""
        self._release.wait(seconds)

    # -- what a dialect says ---------------------------------------------------------------------------

    def events(self, text: str | None = None) -> Iterator[str]:
        """The stream of a good answer, a server-sent event at a time."""
        thinking = {"deepseek": "reasoning_content", "ollama": "reasoning"}.get(self.dialect)
        if self.dialect == "deepseek":
            yield ": keep-alive\n\n"
        yield self.chunk({"role": "assistant", "content": ""})
        if thinking:
            yield self.chunk({thinking: THINKING})
        words = (self.answer if text is None else text).split(" ")
        for number, word in enumerate(words):
            yield self.chunk({"content": word if number == 0 else f" {word}"})
        yield self.end("stop")

    def chunk(self, delta: dict[str, Any], **more: Any) -> str:
        """One piece of an answer."""
        return event({"id": "1", "choices": [{"index": 0, "delta": delta, "finish_reason": None}], **more})

    def end(self, reason: str) -> str:
        """The last pieces."""
        choice = {"index": 0, "delta": {}, "finish_reason": reason}
        if self.dialect == "deepseek":
            return event({"id": "1", "choices": [choice], "usage": USAGE}) + "data: [DONE]\n\n"
        return event({"id": "1", "choices": [choice]}) + event({"id": "1", "choices": [], "usage": USAGE}) + DONE


DONE = "data: [DONE]\n\n"


def event(data: Any) -> str:
    """A server-sent event."""
    return f"data: {json.dumps(data)}\n\n"


class _Handler(BaseHTTPRequestHandler):
    chat: ChatServer

    def do_GET(self) -> None:
        self._take(None)
        if self._is_refused():
            return
        models = [{"id": name, "object": "model"} for name in MODELS[self.chat.dialect]]
        self.say(200, "application/json", json.dumps({"object": "list", "data": models}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._take(body)
        if self._is_refused():
            return
        if self.chat.dialect == "openai" and "max_tokens" in body:
            words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
            self.fail(400, words)
            return
        self.chat.count(1)
        try:
            BEHAVIOURS[self.chat.next_behaviour()](self)
        except OSError:
            self.chat.ended.set()
        finally:
            self.chat.count(-1)
            self.close_connection = True

    def _take(self, body: dict[str, Any] | None) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.chat.questions.append(Question(self.path, headers, body))

    def _is_refused(self) -> bool:
        if self.chat.key and self.headers["Authorization"] != f"Bearer {self.chat.key}":
            self.fail(401, f"Incorrect API key provided: {self.headers['Authorization']}")
        elif self.chat.dialect == "ollama" and not self.chat.allows_extensions and self.headers["Origin"]:
            self.say(403, "text/plain", "")
        elif not self.path.startswith("/v1/"):
            self.say(404, "text/plain", "404 page not found")
        else:
            return False
        return True

    # -- for behaviours --------------------------------------------------------------------------------

    def say(self, status: int, kind: str, text: str, **headers: str) -> None:
        """A whole answer."""
        self.begin(status, kind, **headers)
        self.write(text)

    def fail(self, status: int, words: str, **headers: str) -> None:
        """An error in OpenAI's form."""
        self.say(status, "application/json", json.dumps({"error": {"message": words}}), **headers)

    def begin(self, status: int = 200, kind: str = "text/event-stream", **headers: str) -> None:
        """The head of an answer that ends with the connection."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def write(self, text: str) -> None:
        """A piece of an answer."""
        self.wfile.write(text.encode())
        self.wfile.flush()

    def stream(self, *, until: int | None = None, kind: str = "text/event-stream") -> None:
        """A good answer, or its first events."""
        self.begin(kind=kind)
        for each in [*self.chat.events()][:until]:
            self.write(each)

    def log_message(self, *_: object) -> None:
        pass


def _slow_headers(handler: _Handler) -> None:
    handler.chat.wait()
    handler.stream()


def _slow_trickle(handler: _Handler) -> None:
    handler.begin()
    for piece in "".join(handler.chat.events()):
        handler.write(piece)  # a byte or two at a time, with an empty write of the socket between


def _hangs_in_the_middle(handler: _Handler) -> None:
    handler.stream(until=5)
    handler.chat.wait()
    for _ in range(10_000):
        handler.write(": are you there?\n\n" * 100)  # fails when nobody is


def _endless_output(handler: _Handler) -> None:
    handler.begin()
    while True:
        handler.write(handler.chat.chunk({"content": "and on "}))


def _endless_thinking(handler: _Handler) -> None:
    handler.begin()
    while True:
        handler.write(handler.chat.chunk({"reasoning_content": "hmm, and on "}))


def _only_thinking(handler: _Handler) -> None:
    handler.begin()
    handler.write(handler.chat.chunk({"reasoning_content": THINKING}) + handler.chat.end("length"))


def _broken_json(handler: _Handler) -> None:
    handler.begin()
    handler.write("data: {oops\n\n" * 3)


def _html(handler: _Handler) -> None:
    handler.say(200, "text/html", "<!doctype html><title>Welcome</title><h1>It works!</h1>")


def _huge_line(handler: _Handler) -> None:
    handler.begin()
    handler.write('data: {"choices": [{"delta": {"content": "' + "x" * 600_000)


def _redirect(handler: _Handler) -> None:
    handler.say(307, "text/plain", "", Location=f"{handler.chat.elsewhere}/chat/completions")


BEHAVIOURS: dict[str, Callable[[_Handler], None]] = {
    "well": _Handler.stream,
    "slow headers": _slow_headers,
    "a slow trickle": _slow_trickle,
    "hangs in the middle": _hangs_in_the_middle,
    "401": lambda handler: handler.fail(401, "Authentication Fails"),
    "429 for a second": lambda handler: handler.fail(429, "Rate limit reached", Retry_After="1"),
    "429 for an hour": lambda handler: handler.fail(429, "Quota exceeded", Retry_After="3600"),
    "500": lambda handler: handler.fail(500, "out of memory"),
    "broken JSON": _broken_json,
    "HTML": _html,
    "closes in the middle": lambda handler: handler.stream(until=5),
    "output without end": _endless_output,
    "thinking without end": _endless_thinking,
    "only thinking": _only_thinking,
    "the wrong content type": lambda handler: handler.stream(kind="text/plain"),
    "redirects elsewhere": _redirect,
    "a huge line": _huge_line,
    "an error in the stream": lambda handler: handler.say(
        200, "text/event-stream", event({"error": {"message": "model runner has unexpectedly stopped"}})
    ),
}
