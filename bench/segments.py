"""Measures what it costs to cut a thought into segments: ``python -m bench.segments``.

For texts that people meet and texts that are made to be slow, doubling from 100 KB to 2 MB, fed in pieces of 12
characters as a model streams them: milliseconds of processor time, and the ratio of the costs per KB of the largest to
the smallest. Work that is linear has a ratio near 1. The slowest piece is what a page waits for at once; it is that of
the size in which it was fastest, to leave out what else the machine did.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "py_src"))

from thinkfold.core.segments import Segmenter

from bench.thinking import ANSWER, LIST, PROSE, filled

SIZES = (100_000, 200_000, 400_000, 800_000, 1_600_000, 2_000_000)
PIECE = 12

UNITS = {
    "prose": PROSE,
    "prose and code": ANSWER,
    "a list": LIST,
    "Chinese": "首先读一遍解析器的代码，看它怎样处理表头。然后检查测试，“逐行比较。”结果不变。\n",
    "tables": PROSE + "| item | price |\n|---|---|\n" + "| A | 10 |\n" * 40 + "\n",
    "one long line": "word ",
    "one long Chinese line": "字",
    "endless fence": "code line = 1\n",
    "lines of 80 without an end": "a" * 80 + "\n",
    "hostile: nested quotes": "> " * 40 + "a\n",
    "hostile: nested items": "- " * 40 + "a\n\n",
    "hostile: full stops": ". ",
    "hostile: dots": ".",
    "hostile: quotes after an end": '."',
    "hostile: pipes": "|\n",
    "hostile: blank lines": "\n",
    "hostile: joiners": "👩\u200d",
    "hostile: halves of characters": "\ud83d\udc69",
    "hostile: flags": "🇩",
    "hostile: spaces": " ",
}


def run(text: str, kept: str) -> tuple[float, float, int]:
    """Seconds for the text, seconds of its slowest piece, and how many segments there are."""
    segmenter = Segmenter(code=kept, table=kept)
    longest, count = 0.0, 0
    start = before = time.process_time()
    for at in range(0, len(text), PIECE):
        count += len(segmenter.feed(text[at : at + PIECE]))
        now = time.process_time()
        longest, before = max(longest, now - before), now
    count += len(segmenter.close())
    return time.process_time() - start, longest, count


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kept", default="keep-refine", help="what is done with code and tables")
    parser.add_argument("--only", default="", help="texts whose name has this in it")
    arguments = parser.parse_args()
    sizes = "".join(f" {size // 1000} KB |" for size in SIZES)
    print(f"| ms, {arguments.kept} |{sizes} ratio | slowest piece | segments |")
    print("|---|" + "---|" * (len(SIZES) + 3))
    for name, unit in UNITS.items():
        if arguments.only not in name:
            continue
        prefix = "```\n" if "fence" in name else ""
        results = [run(prefix + filled(unit, size), arguments.kept) for size in SIZES]
        cells = "".join(f" {seconds * 1000:.0f} |" for seconds, _, _ in results)
        ratio = results[-1][0] / results[0][0] * SIZES[0] / SIZES[-1]
        longest = min(longest for _, longest, _ in results)
        print(f"| {name} |{cells} {ratio:.1f} | {longest * 1000:.1f} ms | {results[-1][2]} |", flush=True)


if __name__ == "__main__":
    main()
