"""The long thoughts of ``tests/unit/thoughts`` for tests in a browser, and the places of the panel and the view."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, Locator, Page

from .extension import worker_of

THOUGHTS = Path(__file__).resolve().parents[1] / "unit" / "thoughts"
PANEL = "[data-thinkfold-panel]"
VIEW = "[data-thinkfold-summaries]"
TAB = "[data-thinkfold-summaries-tab]"
MEASURE = "[data-thinkfold-measure]"
WATCH_TASKS = """
globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) longTasks.push(Math.round(entry.duration));
}).observe({ type: "longtask", buffered: true });
"""
"""An init script: the durations of tasks over 50 ms, in milliseconds."""


def long_thought(characters: int) -> str:
    """A thought of this length with prose in two languages, code, tables and lists."""
    whole = "\n\n".join(path.read_text("utf-8").strip() for path in sorted(THOUGHTS.glob("*.md")))
    assert len(whole) >= characters
    return whole[:characters]


def code_lines(markdown: str) -> set[str]:
    """The lines in fences that are long enough to be told from prose."""
    found, fenced = set(), False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced and len(line.strip()) > 20:
            found.add(line.strip())
    return found


def part(scope: Page | Locator, name: str) -> Locator:
    """The parts of the panel or the view that have this name."""
    return scope.locator(f"[data-thinkfold-summary-part={name}]")


def said(scope: Page | Locator) -> list[str]:
    """What the segments say that are to be seen."""
    return part(scope, "segments").locator("[data-thinkfold-summary-part=said]").all_inner_texts()


def opened_view(page: Page) -> Locator:
    """The view, opened by its tab."""
    page.locator(TAB).click()
    view = page.locator(VIEW)
    view.wait_for()
    return view


def kept(browser: BrowserContext) -> list[str]:
    """The keys of what the extension's database keeps, in order."""
    return list(
        worker_of(browser).evaluate(
            "async () => { const { store } = await thoughts('readonly'); return (await store.getAllKeys()).sort(); }"
        )
    )


def wait_for_kept(browser: BrowserContext, session: str, number: int) -> None:
    """Wait until the extension's database keeps so many records of a session."""
    for _ in range(200):
        keys = [key for key in kept(browser) if key.startswith(session)]
        if len(keys) == number:
            return
        browser.pages[0].wait_for_timeout(100)
    raise AssertionError(f"{len(keys)} are kept: {keys[:20]}")


def forget_thoughts(browser: BrowserContext) -> None:
    """Empty the extension's database."""
    worker_of(browser).evaluate("answers.forget({})")
