"""Where servers put what: the names of fields, as data, and what stands in them.

To teach it another server, add its field's name here and a case to ``tests/unit/cases/stream.txt``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

REASONING = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
"""Fields of a delta with thinking as a string: DeepSeek, Qwen and vLLM before 0.11; OpenRouter, Ollama, Groq and
vLLM since; GitHub Copilot; Ollama's own API."""

REASONING_PARTS = ("reasoning_details", "thinking_blocks")
"""Fields with thinking as a list of parts: OpenRouter, LiteLLM."""

TEXT = ("content", "refusal")
"""Fields of a delta with the answer: a string or a list of parts."""

_PART_TEXT = ("text", "thinking", "summary", "refusal")
"""Where a part of a list has its text: a string, or again a list of parts (Mistral)."""

_THINKING_PART = ("thinking", "reasoning")
"""How the type of a part of the content starts that is thinking."""

_MOST_NESTED_PARTS = 4


class Part(NamedTuple):
    """A piece of the content, thinking or answer."""

    is_thinking: bool
    text: str


def chunk_of(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message in OpenAI's shape, if it is one of Ollama's own API (``/api/chat``, ``/api/generate``)."""
    delta = message.get("message")
    if isinstance(message.get("response"), str):
        delta = {"content": message["response"], "thinking": message.get("thinking")}
    if "choices" in message or not isinstance(delta, dict):
        return message
    reason = (message.get("done_reason") or "stop") if message.get("done") is True else None
    counts = {
        ours: message[theirs]
        for ours, theirs in (("prompt_tokens", "prompt_eval_count"), ("completion_tokens", "eval_count"))
        if isinstance(message.get(theirs), int)
    }
    choice = {"delta": delta, "finish_reason": reason}
    return {"error": message.get("error"), "choices": [choice], "usage": counts}


def error_of(message: Mapping[str, Any], event: str) -> dict[str, Any] | None:
    """The error that a message reports, if it does: always with words as ``message``."""
    error = message.get("error")
    is_error = event == "error" or message.get("object") == "error" or message.get("type") == "error"
    has_words = isinstance(message.get("message"), str) or isinstance(message.get("detail"), str | list)
    if not error and (is_error or ("choices" not in message and has_words)):
        error = message
    if not error:
        return None
    if not isinstance(error, dict):
        return {"message": _words(error)}
    return {**error, "message": _words(error.get("message") or error.get("detail") or error)}


def _words(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def usage_of(chunk: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the server counted: of the chunk, of Groq's own field, or of a choice (Moonshot)."""
    own = chunk.get("x_groq")
    choices = chunk.get("choices")
    places = [chunk, own, *(choices if isinstance(choices, list) else ())]
    for place in places:
        if isinstance(place, dict) and isinstance(place.get("usage"), dict) and place["usage"]:
            return dict(place["usage"])
    return None


def delta_of(choice: Mapping[str, Any]) -> dict[str, Any]:
    """What the choice brings: a streamed delta, a whole message, or the text of the oldest API. Without what is
    null or empty, but for a string of thinking, which seed 003 passes on."""
    for name in ("delta", "message"):
        delta = choice.get(name)
        if isinstance(delta, dict):
            empty = {key for key, value in delta.items() if value in _EMPTY and not (value == "" and key in REASONING)}
            return {key: value for key, value in delta.items() if key not in empty}
    text = choice.get("text")
    return {"content": text} if isinstance(text, str) and text else {}


_EMPTY: tuple[Any, ...] = (None, "", [], {})


def take_reasoning(delta: dict[str, Any], told: str) -> str | None:
    """Takes the thinking out of the fields of *delta*. None where there is no such field.

    Several servers send the same in two fields. What is contained in another field, or in what was *told* with
    the content, does not count.
    """
    texts: list[str] = []
    for name in REASONING:
        if isinstance(delta.get(name), str):
            texts.append(delta.pop(name))
    for name in REASONING_PARTS:
        parts = delta.get(name)
        if isinstance(parts, list) and (text := _text_of(parts)):
            texts.append(text)
            del delta[name]
    if not texts:
        return None
    kept: list[str] = []
    for text in texts:
        if not any(text in other for other in (told, *kept)):
            kept = [other for other in kept if other not in text] + [text]
    return "".join(kept)


def take_content(delta: dict[str, Any]) -> list[Part]:
    """Takes the content out of *delta*, in its order."""
    result: list[Part] = []
    for name in TEXT:
        content = delta.get(name)
        if isinstance(content, str):
            result.append(Part(False, delta.pop(name)))
        elif isinstance(content, list | dict):
            rest: list[Any] = []
            for part in content if isinstance(content, list) else [content]:
                text = _text_of(part)
                kind = part.get("type") if isinstance(part, dict) else ""
                if text:
                    result.append(Part(isinstance(kind, str) and kind.startswith(_THINKING_PART), text))
                elif not _is_text(part):
                    rest.append(part)
            if rest:
                delta[name] = rest
            else:
                del delta[name]
    return result


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or (
        isinstance(part, dict) and any(isinstance(part.get(name), str | list) for name in _PART_TEXT)
    )


def _text_of(part: Any, depth: int = 0) -> str:
    """The text of a part, or of a list of parts."""
    if isinstance(part, str):
        return part
    if depth > _MOST_NESTED_PARTS:
        return ""
    if isinstance(part, list):
        return "".join(_text_of(each, depth + 1) for each in part)
    if isinstance(part, dict):
        return next((text for name in _PART_TEXT if (text := _text_of(part.get(name), depth + 1))), "")
    return ""


class ToolCalls:
    """Gives every piece of a tool call its index and id: many servers send them once, or never, or the same index
    for several calls."""

    def __init__(self) -> None:
        self._ids: dict[int, str] = {}  # by index
        self._indexes: dict[str, int] = {}  # by id
        self._last = 0
        self._next = 0

    def take(self, delta: dict[str, Any]) -> list[dict[str, Any]]:
        """Takes the pieces out of *delta*, those of the older ``function_call`` too."""
        calls = delta.get("tool_calls")
        if isinstance(calls, list) and all(isinstance(call, dict) for call in calls):
            return [self._piece(call) for call in delta.pop("tool_calls")]
        if isinstance(delta.get("function_call"), dict):
            return [self._piece({"index": 0, "function": delta.pop("function_call")})]
        return []

    def _piece(self, call: Mapping[str, Any]) -> dict[str, Any]:
        given = call.get("function")
        function = given if isinstance(given, dict) else {}
        identity, name = _string(call.get("id")), _string(function.get("name"))
        index = self._last = self._index_of(call.get("index"), identity, name)
        self._next = max(self._next, index + 1)
        if identity:
            self._ids[index] = identity
            self._indexes[identity] = index
        arguments = function.get("arguments")
        if not isinstance(arguments, str):  # Ollama's own API has an object
            arguments = "" if arguments is None else _words(arguments)
        return {
            "index": index,
            "id": self._ids.get(index, ""),
            "type": _string(call.get("type")) or "function",
            "function": {"name": name, "arguments": arguments},
        }

    def _index_of(self, index: Any, identity: str, name: str) -> int:
        if identity in self._indexes:
            return self._indexes[identity]
        if (given := index_of(index)) is not None:
            return self._next if identity and given in self._ids else given
        return self._next if identity or name else self._last


def index_of(value: Any) -> int | None:
    """*value* if it can be the index of something, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_INDEX else None


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


_MOST_INDEX = 1_000
"""A greater index is none: who makes a list by it would run out of memory, and so would we with as many answers."""
