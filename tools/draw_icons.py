"""Draws the PNG icons from their SVG sources with the installed Chromium: ``python -m tools.draw_icons``."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from .browser import CHROMIUM_FLAGS, find_chromium

ICONS = Path(__file__).resolve().parent.parent / "browser_ext" / "icons"
SIZES = {"on": (16, 32, 48, 128), "off": (16, 32), "no-chat": (16, 32)}


def main() -> None:
    """Draw every icon in every size that the manifest names."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        page = browser.new_page()
        for name, sizes in SIZES.items():
            picture = (ICONS / f"{name}.svg").read_text("utf-8")
            for size in sizes:
                page.set_viewport_size({"width": size, "height": size})
                page.set_content(
                    f"<style>*{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}</style>{picture}"
                )
                page.screenshot(path=ICONS / f"{name}-{size}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
