"""Which of a server's models refines: the smallest that can chat, by what its name says.

The tables are data: a new family of models is mostly one more word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..foreign_json import read_json

NOT_FOR_CHAT = (
    *("embed", "bge-", "minilm", "rerank", "colbert", "moderation", "guard", "reward", "ocr", "aqa"),
    *("tts", "whisper", "transcribe", "speech", "audio", "realtime", "voice", "music", "lyria"),
    *("image", "imagen", "dall-e", "diffusion", "flux", "sora", "veo", "video"),
    *("davinci", "babbage", "turbo-instruct", "deep-research", "computer-use", "codex", "search-preview"),
)
"""What is in the name of a model that cannot answer a plain question in a few words, or is asked otherwise."""

SIZES = {
    "nano": 3,
    "tiny": 3,
    "lite": 6,
    "mini": 8,
    "small": 9,
    "haiku": 10,
    "flash": 10,
    "instant": 10,
    "air": 20,
    "turbo": 30,
    "fast": 30,
    "medium": 200,
    "plus": 300,
    "large": 500,
    "pro": 500,
    "max": 600,
    "ultra": 600,
    "opus": 600,
}
"""For a word in a name, how large such models are, in billions of parameters: only their order matters."""

UNSAID = 100.0
"""How large a model counts as whose name says nothing."""

THINKS = ("r1", "reasoner", "reasoning", "thinking", "think", "qwq", "o1", "o3", "o4")
"""Words in the name of a model that always thinks before it answers: it spends the budget on that."""

THINKS_FACTOR = 4
"""So many times its size such a model counts."""

MOST_MODELS = 2000

_STATED = re.compile(r"(?<![\da-z.])e?(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])")
"""A size in a name: "0.5b", "270m", "8x7b", "e4b"; not the "a3b" of 30b-a3b, which are the active ones."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model and why: *key* is that of a message, into which the model and the *reason* are filled."""

    key: str
    model: str
    reason: str = ""


def read_models(text: str) -> list[str]:
    """The names in the reply to ``GET /models``: OpenAI's form, Ollama's own, or a plain list. Empty for others."""
    try:
        reply = read_json(text)
    except ValueError:
        return []
    entries = reply.get("data") or reply.get("models") if isinstance(reply, dict) else reply
    names = []
    for entry in entries[:MOST_MODELS] if isinstance(entries, list) else ():
        name = (entry.get("id") or entry.get("name")) if isinstance(entry, dict) else entry
        if isinstance(name, str) and name.strip() and len(name) <= 300:
            names.append(name.strip())
    return names


def choose_model(offered: Iterable[str]) -> Chosen | None:
    """The smallest chat model; of equals the one that is offered first. None where there is none.

    >>> choose_model(["gpt-5", "gpt-5-nano", "text-embedding-3-small"])
    Chosen(key='refineChosenName', model='gpt-5-nano', reason='nano')
    """
    chats = [name for name in offered if not any(word in name.lower() for word in NOT_FOR_CHAT)]
    if not chats:
        return None
    model = min(chats, key=lambda name: _size_of(name)[0])
    _, stated, word = _size_of(model)
    if len(chats) == 1:
        return Chosen("refineChosenOnly", model)
    if stated:
        return Chosen("refineChosenSize", model, stated)
    return Chosen("refineChosenName", model, word) if word else Chosen("refineChosenFirst", model)


def _size_of(name: str) -> tuple[float, str, str]:
    """How large a model counts as, with the size that its name states or the word that says it."""
    lower = name.lower()
    words = re.split(r"[^a-z0-9]+", lower)
    factor = THINKS_FACTOR if any(word in THINKS for word in words) else 1
    stated = max(_STATED.finditer(lower), key=_billions, default=None)
    if stated is not None:
        return factor * _billions(stated), stated.group(), ""
    word = min((word for word in words if word in SIZES), key=SIZES.__getitem__, default="")
    return factor * SIZES.get(word, UNSAID), "", word


def _billions(found: re.Match[str]) -> float:
    times, number, unit = found.groups()
    return int(times or 1) * float(number) / (1 if unit == "b" else 1000)
