"""Measures what the extension costs on the real host, as ratios in one run: ``python build.py bench``.

With and without the extension in turn, each time in a fresh browser profile on one running host:

* a streamed turn of N rounds: main-thread seconds (CDP ``Performance.getMetrics``), tasks over 50 ms;
* opening that chat again: when the host's first row is on the page, when the first box is, and the longest task.

The table that it prints is the one in ``docs/performance.md``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from real_host.host import FIRST_VERSION, NEWER_VERSIONS, Host, running_host
from real_host.model_server import Reply, bash

from tools.browser import open_browser

METRICS = {
    "TaskDuration": "main thread",
    "ScriptDuration": "script",
    "RecalcStyleDuration": "style",
    "LayoutDuration": "layout",
}

WATCH_TASKS = """
globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) longTasks.push([entry.startTime, entry.duration]);
}).observe({ type: "longtask", buffered: true });
"""

WATCH_OPENING = """
globalThis.opening = {};
const look = () => {
  const note = (name, selector) => {
    if (!(name in opening) && document.querySelector(selector)) opening[name] = performance.now();
  };
  note("row", "[data-chat-flow] [data-chat-flow-kind]");
  note("box", "[data-thinkfold-box]");
  note("on", "html[data-thinkfold=on]");
  if (performance.now() < 20000) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def rounds(count: int) -> list[Reply]:
    """A turn of *count* rounds: a thought and a tool each, text in every third, an answer at the end."""
    replies = [
        Reply(
            think=f"Step {number}. " + "I compare what the file says with what the test expects. " * 6,
            text=f"Round {number}: the parser reads the header twice, so I look at the caller." * (number % 3 == 0),
            tools=[bash(f"cat a.txt # {number}", f"Read the caller of round {number}")],
            pause=0.01,
        )
        for number in range(1, count + 1)
    ]
    return [*replies, Reply(text="The header was read twice.\n\n" + "It is read once now. " * 30, pause=0.01)]


class Counters:
    """The renderer's own counters. The session stays open, because a new one counts from zero."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")

    def read(self) -> dict[str, float]:
        """All counters; durations in seconds."""
        return {entry["name"]: entry["value"] for entry in self._session.send("Performance.getMetrics")["metrics"]}


def streamed_turn(host: Host, page: Page, prompt: str) -> dict[str, float]:
    """Seconds of each kind over one streamed turn, and its tasks over 50 ms."""
    counters = Counters(page)
    before = counters.read()
    page.evaluate("longTasks.length = 0")
    host.send(page, prompt)
    host.wait_for_turn(page, 1, timeout=300)
    page.wait_for_timeout(500)
    after = counters.read()
    tasks = page.evaluate("longTasks.map((task) => task[1])")
    result = {label: after[name] - before[name] for name, label in METRICS.items()}
    return result | {"tasks over 50 ms": len(tasks), "longest task": max(tasks, default=0) / 1000}


def opening(page: Page) -> dict[str, float]:
    """Seconds from navigation until the first row and the first box, when the open chat is loaded again."""
    page.reload()
    page.wait_for_selector("[data-chat-flow] [data-chat-flow-kind]", state="attached")
    page.wait_for_timeout(3000)
    seen = page.evaluate("opening")
    tasks = page.evaluate("longTasks")
    result = {f"first {name}": at / 1000 for name, at in seen.items() if name != "on"}
    if "on" in seen:
        tasks_after = [duration for start, duration in tasks if start > seen["on"]]
        result["Python up"] = seen["on"] / 1000
        result["longest task after start-up"] = max(tasks_after, default=0) / 1000
    return result


def one_run(playwright: Playwright, host: Host, extension: bool, prompt: str) -> dict[str, float]:
    """One run in a fresh profile."""
    with open_browser(playwright, extension=extension, viewport={"width": 1280, "height": 900}) as context:
        page = _page(context)
        host.open(page)
        if extension:
            page.wait_for_selector("html[data-thinkfold=on]", state="attached")
        host.new_session(page)
        page.wait_for_timeout(1500)
        turn = streamed_turn(host, page, prompt)
        opened = [opening(page) for _ in range(3)]
        return turn | {name: statistics.median(o[name] for o in opened if name in o) for name in opened[-1]}


def _page(context: BrowserContext) -> Page:
    page = context.new_page()
    page.add_init_script(WATCH_TASKS)
    page.add_init_script(WATCH_OPENING)
    return page


def table(bare: list[dict[str, float]], with_extension: list[dict[str, float]]) -> Iterator[str]:
    """The medians side by side as a Markdown table."""
    yield "| seconds, medians | host alone | with Thinkfold | ratio |"
    yield "|---|---|---|---|"
    for name in dict.fromkeys([*bare[0], *with_extension[0]]):
        left = _median(bare, name)
        right = _median(with_extension, name)
        ratio = f"{right / left:.2f}" if left and right is not None else "–"
        yield f"| {name} | {_number(left)} | {_number(right)} | {ratio} |"


def _median(runs: list[dict[str, float]], name: str) -> float | None:
    values = [run[name] for run in runs if name in run]
    return statistics.median(values) if values else None


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--host", default=FIRST_VERSION, choices=[FIRST_VERSION, *NEWER_VERSIONS])
    arguments = parser.parse_args()
    results: dict[bool, list[dict[str, float]]] = {False: [], True: []}
    with running_host(arguments.host) as host, sync_playwright() as playwright:
        host.model.script("measure me", rounds(arguments.rounds))
        for run in range(arguments.runs):
            for extension in (False, True):
                result: dict[str, Any] = one_run(playwright, host, extension, "measure me")
                results[extension].append(result)
                print(
                    f"run {run + 1}, {'with' if extension else 'without'}: "
                    + ", ".join(f"{name} {_number(value)}" for name, value in result.items()),
                    flush=True,
                )
    print()
    print("\n".join(table(results[False], results[True])))


if __name__ == "__main__":
    main()
