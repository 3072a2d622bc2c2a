"""Runs axe-core, the usual checker of accessibility rules, in a page."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"

AT_REST = """
() => Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))
"""


def violations(page: Page) -> Counter[str]:
    """How often each rule is broken, in a page at rest: nothing fades, and no pointer is on anything."""
    page.mouse.move(0, 0)
    page.evaluate(AT_REST)
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    for rule in found:  # shown when a test fails
        print(rule["id"], *(node["html"] for node in rule["nodes"]), sep="\n  ")
    return Counter({rule["id"]: len(rule["nodes"]) for rule in found})
