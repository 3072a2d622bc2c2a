"""Measures what it costs to decode a stream: ``python -m bench.stream``.

For replies that people get and streams that are made to be slow, of 100 KB, 1 MB and 4 MB, fed in network pieces of
1,400 bytes: megabytes per second of processor time, and how many times as long a byte of the largest takes as one of
the smallest. Work that is linear has a ratio near 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "py_src"))

from thinkfold.core.stream import OpenAIStream

from bench.thinking import ANSWER, PIECE, PROSE, filled

SIZES = (100_000, 1_000_000, 4_000_000)
NETWORK_PIECE = 1_400


def chunk(**delta: object) -> str:
    """A message of the stream with one delta, as a server sends it."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
    body = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(body)}\n\n"


def deltas(text: Callable[[int], str], size: int, field: str = "content", piece: int = PIECE) -> str:
    """A stream of about *size* bytes, whose field is *text* of some length in pieces."""
    count = size // len(chunk(**{field: "x" * piece}))
    whole = text(count * piece)
    return "".join(chunk(**{field: whole[at : at + piece]}) for at in range(0, len(whole), piece))


def of(unit: str, before: str = "") -> Callable[[int], str]:
    """A text of a given length: *unit* again and again."""
    return lambda length: before + filled(unit, length - len(before))


STREAMS: dict[str, Callable[[int], str]] = {
    "thinking in its own field": lambda size: deltas(of(PROSE), size, "reasoning_content"),
    "an answer": lambda size: deltas(of(ANSWER), size),
    "thinking in tags": lambda size: deltas(of(ANSWER, "<think>\n"), size),
    "an answer in large pieces": lambda size: deltas(of(ANSWER), size, piece=1_000),
    "tool calls": lambda size: filled(
        chunk(tool_calls=[{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}]), size
    ),
    "keep-alive comments": lambda size: filled(": ping\n\n", size),
    "hostile: one line": lambda size: "data: " + filled("x", size),
    "hostile: a message of empty lines": lambda size: filled("data:\n", size),
    "hostile: broken messages": lambda size: filled("data: {\n\n", size),
    "hostile: nested": lambda size: filled("data: " + "[" * 1_000 + "\n\n", size),
    "hostile: new choices": lambda size: "".join(
        f'data: {{"choices": [{{"index": {number % 10_000}, "delta": {{"content": "a"}}}}]}}\n\n'
        for number in range(size // 60)
    ),
    "hostile: pairs of tags": lambda size: deltas(of("<think>a</think>b\n\n"), size),
    "hostile: openings": lambda size: deltas(of("<think>"), size),
    "hostile: openings after a backtick": lambda size: deltas(of("<think>", "`"), size),
    "hostile: a list of tags": lambda size: deltas(of("- `a` <think>b\n"), size),
}


def seconds(stream: str) -> float:
    """How long it takes to decode the stream."""
    sent = stream.encode()
    decoder = OpenAIStream()
    start = time.process_time()
    for at in range(0, len(sent), NETWORK_PIECE):
        decoder.feed(sent[at : at + NETWORK_PIECE])
    decoder.close()
    return time.process_time() - start


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", default="", help="streams whose name has this in it")
    arguments = parser.parse_args()
    print("| MB per second |" + "".join(f" {size / 1e6:g} MB |" for size in SIZES) + " ratio |")
    print("|---|" + "---|" * (len(SIZES) + 1))
    for name, stream in STREAMS.items():
        if arguments.only not in name:
            continue
        costs = []
        for size in SIZES:
            whole = stream(size)
            runs = max(1, 1_000_000 // size)
            costs.append(min(seconds(whole) for _ in range(runs)) / len(whole.encode()))
        cells = "".join(f" {1e-6 / cost:.2f} |" for cost in costs)
        print(f"| {name} |{cells} {costs[-1] / costs[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
