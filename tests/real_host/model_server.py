"""A scripted language model behind HTTP, so that the real host can be driven without a network.

The host asks its model at ``POST /chat/completions`` (OpenAI's streaming shape with DeepSeek's
``reasoning_content``) or, from DSH 0.2 on, at ``POST /v1/messages`` (Anthropic's). A :class:`ModelServer`
answers each request with the next :class:`Reply` of the script that the conversation's latest user message
names, in the dialect that it was asked in::

    with ModelServer() as model:
        model.script("two rounds", [Reply(think="Let me look.", tools=[bash("ls", "List files")]),
                                    Reply(text="There are two files.")])
        ...                                    # type "two rounds" into the host's composer

Invariants
----------
* A reply is chosen by counting the assistant messages after the latest user message, so a host that
  asks again (a retry) gets the same reply, and several chats can run at once.
* A tool's result is no user message, though Anthropic's dialect sends it in the user's role.
* A request without tools is the host asking for a title; it gets a few fixed words.
* The server listens on 127.0.0.1 only, on a port the system picks, and ends with its ``with`` block.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHUNK_CHARACTERS = 12


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool: its name and the JSON-ready arguments."""

    name: str
    arguments: dict[str, Any]


def bash(command: str, description: str) -> ToolCall:
    """A call of the host's shell tool; *description* is what the host shows in the row."""
    return ToolCall("bash", {"command": command, "description": description})


@dataclass(frozen=True)
class Reply:
    """What the model says to one request: a thought, then text, then tool calls.

    *pause* is the time between two chunks in seconds; *hold* is waited before the first chunk.
    *status* other than 200 answers with an error body, whose message is *text*, instead; with *failures* only that
    many times, and the next request for the reply gets it. *finish* is the stop reason, in OpenAI's words
    (``length`` is a reply cut at its limit); without it, it is what the reply's tools make it.
    """

    think: str = ""
    text: str = ""
    tools: Sequence[ToolCall] = ()
    pause: float = 0.0
    hold: float = 0.0
    status: int = 200
    failures: int = sys.maxsize
    finish: str = ""


@dataclass
class ModelServer:
    """The HTTP server; see the module's text for how a reply is found."""

    title: str = "A scripted chat"
    _scripts: dict[str, Sequence[Reply]] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    _failed: list[Reply] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    """The user messages that were answered up to the last reply of their script."""

    def script(self, prompt: str, replies: Sequence[Reply]) -> str:
        """Answer the user message that contains *prompt* with *replies*, one a request. Returns *prompt*."""
        self._scripts[prompt] = replies
        return prompt

    def forget_scripts(self) -> None:
        """Have no script any more, for the next test."""
        self._scripts = {}

    @property
    def url(self) -> str:
        """The base address, as the host wants it in ``DEEPSEEK_BASE_URL``."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ModelServer:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                if self.headers.get_content_type() != "application/json":
                    self.send_error(404)  # an upload of an image: the host then sends it with the message
                    return
                request = json.loads(body or b"{}")
                model.requests.append(request)
                try:
                    model._answer(self, request)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # the user pressed stop: the host hung up

            def do_GET(self) -> None:
                body = json.dumps({"object": "list", "data": [{"id": "deepseek-chat", "object": "model"}]}).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass  # a test's output is for its failures

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, http: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        reply = self._reply_to(request)
        if reply.status != 200 and sum(failed is reply for failed in self._failed) < reply.failures:
            self._failed.append(reply)
            error = {"message": reply.text or "scripted failure", "type": "api_error"}
            body = json.dumps({"type": "error", "error": error}).encode()
            http.send_response(reply.status)
            http.send_header("content-type", "application/json")
            http.send_header("content-length", str(len(body)))
            http.end_headers()
            http.wfile.write(body)
            return
        http.send_response(200)
        http.send_header("content-type", "text/event-stream")
        http.send_header("connection", "close")
        http.end_headers()
        http.close_connection = True
        time.sleep(reply.hold)
        dialect = _messages_events if http.path.partition("?")[0].endswith("/messages") else _completion_events
        for event in dialect(reply):
            http.wfile.write(event.encode())
            http.wfile.flush()
            if reply.pause:
                time.sleep(reply.pause)

    def _reply_to(self, request: dict[str, Any]) -> Reply:
        if not request.get("tools"):
            return Reply(text=self.title)
        messages = request.get("messages", [])
        last_user = max((i for i, m in enumerate(messages) if m.get("role") == "user"), default=0)
        prompt = ""
        for index in range(last_user, -1, -1):  # the host may add context messages in the user's role
            if messages[index].get("role") != "user":
                continue
            prompt = _text_of(messages[index])
            replies = self._named_last(prompt)
            if replies is not None:
                said = sum(m.get("role") == "assistant" for m in messages[index:])
                if said >= len(replies) - 1:
                    self.ended.append(prompt)
                return replies[min(said, len(replies) - 1)]
        return Reply(text=f"No script for: {prompt[:80]}")

    def _named_last(self, text: str) -> Sequence[Reply] | None:
        """The script that *text* names last: one message may hold an older prompt that was never answered."""
        ends = []
        for name, script in list(self._scripts.items()):
            # Not within a word: the host adds texts of its own to the message.
            found = list(re.finditer(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", text))
            if found:
                ends.append((found[-1].start(), len(name), script))
        return max(ends, key=lambda end: end[:2])[2] if ends else None


def _text_of(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [] if isinstance(part, dict))


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), CHUNK_CHARACTERS):
        yield text[start : start + CHUNK_CHARACTERS]


def _call_ids(reply: Reply) -> list[str]:
    stamp = time.time_ns()
    return [f"call_{stamp}_{index}" for index in range(len(reply.tools))]


def _completion_events(reply: Reply) -> Iterator[str]:
    """The reply as OpenAI-compatible stream events, in the order a reasoning model sends them."""

    def event(choices: list[dict[str, Any]], **more: Any) -> str:
        head = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": "deepseek-chat"}
        return f"data: {json.dumps({**head, 'choices': choices, **more}, ensure_ascii=False)}\n\n"

    def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
        return event([{"index": 0, "delta": delta, "finish_reason": finish}])

    yield chunk({"role": "assistant", "content": None, "reasoning_content": ""})
    for piece in _pieces(reply.think):
        yield chunk({"reasoning_content": piece})
    for piece in _pieces(reply.text):
        yield chunk({"content": piece})
    for index, (identity, call) in enumerate(zip(_call_ids(reply), reply.tools, strict=True)):
        named = {"name": call.name, "arguments": ""}
        yield chunk({"tool_calls": [{"index": index, "id": identity, "type": "function", "function": named}]})
        for piece in _pieces(json.dumps(call.arguments, ensure_ascii=False)):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, reply.finish or ("tool_calls" if reply.tools else "stop"))
    yield event([], usage={"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150})
    yield "data: [DONE]\n\n"


STOP_REASONS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}


def _messages_events(reply: Reply) -> Iterator[str]:
    """The reply as the stream events of Anthropic's dialect: one content block after the other."""
    blocks = 0

    def event(kind: str, **fields: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n"

    def block(start: dict[str, Any], deltas: Iterator[dict[str, Any]]) -> Iterator[str]:
        nonlocal blocks
        yield event("content_block_start", index=blocks, content_block=start)
        for delta in deltas:
            yield event("content_block_delta", index=blocks, delta=delta)
        yield event("content_block_stop", index=blocks)
        blocks += 1

    def thinking() -> Iterator[dict[str, Any]]:
        for piece in _pieces(reply.think):
            yield {"type": "thinking_delta", "thinking": piece}
        yield {"type": "signature_delta", "signature": "scripted"}

    message: dict[str, Any] = {
        "id": f"msg_{time.time_ns()}",
        "type": "message",
        "role": "assistant",
        "model": "deepseek-chat",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 1},
    }
    yield event("message_start", message=message)
    if reply.think:
        yield from block({"type": "thinking", "thinking": "", "signature": ""}, thinking())
    if reply.text:
        texts = ({"type": "text_delta", "text": piece} for piece in _pieces(reply.text))
        yield from block({"type": "text", "text": ""}, texts)
    for identity, call in zip(_call_ids(reply), reply.tools, strict=True):
        pieces = _pieces(json.dumps(call.arguments, ensure_ascii=False))
        inputs = ({"type": "input_json_delta", "partial_json": piece} for piece in pieces)
        yield from block({"type": "tool_use", "id": identity, "name": call.name, "input": {}}, inputs)
    finish = reply.finish or ("tool_calls" if reply.tools else "stop")
    delta = {"stop_reason": STOP_REASONS.get(finish, finish), "stop_sequence": None}
    yield event("message_delta", delta=delta, usage={"output_tokens": 50})
    yield event("message_stop")
