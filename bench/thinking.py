"""Measures what it costs to take thinking out of a text: ``python -m bench.thinking``.

For texts that people meet and texts that are made to be slow, at 10 KB, 100 KB and 1 MB, parsed whole and streamed
in pieces of 12 characters: microseconds of processor time per KB, and the ratio of the largest to the smallest.
Work that is linear has a ratio near 1 (garbage collection and the processor's cache add to it; where a short stream
may spend more per character than a long one, it is below 1).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import get_args

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "py_src"))

from thinkfold.core.thinking import Reading, ThinkingStream, parse_thinking

SIZES = (10_000, 100_000, 1_000_000)
PIECE = 12

PROSE = (
    "The parser reads the header twice, so I look at the caller of `read_header` and at its tests.\n"
    "It compares what the file says with what the test expects, line by line.\n\n"
)
ANSWER = PROSE * 5 + "```python\ndef f(x):\n    return x + 1\n```\n\n- one item\n- another\n    - a nested one\n\n"
LIST = "1. **Look** at `read_header` and at its tests.\n   - The header is read twice.\n"


def filled(unit: str, size: int) -> str:
    """*unit* again and again, *size* characters."""
    return (unit * (size // len(unit) + 1))[:size]


def texts(size: int) -> dict[str, str]:
    """The texts of one size by name."""
    half = size // 2
    return {
        "thought and answer": f"<think>\n{filled(ANSWER, half)}\n</think>\n\n{filled(ANSWER, half)}",
        "a thought that is one list": f"<think>\n{LIST * (half // len(LIST))}</think>\n\n{filled(ANSWER, half)}",
        "no thinking": filled(ANSWER, size),
        "words on one line": f"<think>{filled('word ', half)}</think>{filled('word ', half)}",
        "hostile: <": filled("<", size),
        "hostile: </": filled("</", size),
        "hostile: openings": filled("<think>", size),
        "hostile: openings after a backtick": "`" + filled("<think>", size),
        "hostile: pairs": filled("<think>a</think>b\n\n", size),
        "hostile: began anew": filled("<think>a<think>b</think>c", size),
        "hostile: unclosed fences": filled("<think>\n```\n", size),
        "hostile: closings in fences": filled("<think>\n```\n</think>\n```\nx\n```\n\n", size),
        "hostile: nested quotes": filled("> " * 20 + "<think> `a`\n", size),
        "hostile: a list of tags": filled("- `a` <think>b\n", size),
        "hostile: backticks": filled("`<think>``", size),
        "hostile: unfinished tags": filled("<think a=", size),
    }


def seconds_whole(text: str, reading: Reading) -> float:
    """How long the text takes as a whole."""
    start = time.process_time()
    parse_thinking(text, streaming=False, reading=reading)
    return time.process_time() - start


def seconds_streamed(text: str, reading: Reading) -> float:
    """How long it takes in small pieces, with the result at the end."""
    start = time.process_time()
    stream = ThinkingStream(reading=reading)
    for at in range(0, len(text), PIECE):
        stream.feed(text[at : at + PIECE])
    stream.close()
    return time.process_time() - start


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--reading", default="tolerant", choices=get_args(Reading))
    parser.add_argument("--only", default="", help="texts whose name has this in it")
    arguments = parser.parse_args()
    sizes = "".join(f" {size // 1000} KB |" for size in SIZES)
    print(f"| µs per KB, {arguments.reading} | how |{sizes} ratio |")
    print("|---|---|" + "---|" * (len(SIZES) + 1))
    names = [name for name in texts(SIZES[0]) if arguments.only in name]
    by_size = [texts(size) for size in SIZES]
    for name in names:
        for how, seconds in (("whole", seconds_whole), ("streamed", seconds_streamed)):
            costs = []
            for size, named in zip(SIZES, by_size, strict=True):
                runs = max(1, 30_000 // size)
                costs.append(min(seconds(named[name], arguments.reading) for _ in range(runs)) * 1e9 / size)
            cells = "".join(f" {cost:.0f} |" for cost in costs)
            print(f"| {name} | {how} |{cells} {costs[-1] / costs[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
