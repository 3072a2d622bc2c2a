"""Runs axe-core, the usual checker of accessibility rules, in a page."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> Counter[str]:
    """How many elements break each rule."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    return Counter({rule["id"]: len(rule["nodes"]) for rule in found})
