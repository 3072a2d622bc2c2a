"""Takes the documents' pictures on the real host: ``.venv/bin/python -m tools.pictures`` (after a build).

The same finished turn without the extension and with it, light and dark, and the opened box; thinking in a message; a
long thought in the panel and in the view; the popup, the options page and the welcome page.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page, Playwright, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from real_host.host import Host, running_host  # noqa: E402
from real_host.model_server import Reply, bash  # noqa: E402
from support.extension import front_tab  # noqa: E402

from tools.browser import extension_id, open_browser  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
PROMPT = "Why does the export lose its last lines? Please fix it."
TURN = [
    Reply(think="The export writes through a buffer. Let me see where it is closed.", tools=[
        bash("grep -rn export . || true", "Find the writer"), bash("cat a.txt", "Read writer.py")]),
    Reply(think="The job is marked done before the file is closed.", text=(
        "The job is marked as done before the file is closed, so an early upload can miss the last buffer. "
        "I try to make that happen."), tools=[bash("cat b.txt", "Export 200 times and count the lines")]),
    Reply(think="3 of 200 are short.", tools=[bash("cat a.txt", "Read jobs.py"), bash("cat c.txt", "Edit jobs.py")]),
    Reply(text="The writer now closes the file first. Once more, 200 times:", tools=[
        bash("cat b.txt", "Export 200 times and count the lines"), bash("cat c.txt", "Run all tests")]),
    Reply(think="All whole.", text=(
        "**Fixed.** The writer told everybody that an export was done while its last 8 KB were still in a buffer. "
        "It now closes the file first and marks the job after that.\n\n"
        "- 200 exports in a row are whole\n- all 213 tests pass\n")),
]  # fmt: skip


LONG = "Why does the nightly test fail one time in five?"
THOUGHTS = ROOT / "tests" / "unit" / "thoughts"
TAGGED = "How long may an export take?"


def long_turn() -> list[Reply]:
    """A turn with a long thought of several segments."""
    names = ("flaky-cache-test", "json-libraries")
    thought = "\n\n".join((THOUGHTS / f"{name}.md").read_text("utf-8") for name in names)
    return [Reply(think=thought.replace("✂", ""), text="The key lacks the tenant.", pause=0.004)]


def shoot_thoughts(playwright: Playwright, host: Host) -> None:
    """Thinking in a message, the panel while a long thought is written, and the view of all thoughts."""
    thinking = "<think>A run has 200 exports.\n\n- most take 2 s\n- the longest took **9 s**</think>\n\nTen seconds."
    host.model.script(TAGGED, [Reply(text=thinking)])
    host.model.script(LONG, long_turn())
    size = {"width": 900, "height": 760}
    with open_browser(playwright, viewport=size, color_scheme="light") as context:
        page = ready(host, context.new_page())
        host.send(page, TAGGED)
        host.wait_for_turn(page, 1)
        page.locator("[data-thinkfold-box]").click()  # with the context that this host injects it is a box
        page.locator("[data-thinkfold-think] button").click()
        take(page, "thinking")
        host.send(page, LONG)
        page.locator("[data-thinkfold-panel] li").nth(1).wait_for()
        page.wait_for_timeout(800)
        take(page, "panel")
        host.wait_for_turn(page, 2)
        page.locator("[data-thinkfold-summaries-tab]").click()
        page.wait_for_timeout(500)
        take(page, "thoughts")
        tab = front_tab(page)
        popup = context.new_page()
        popup.set_viewport_size({"width": 300, "height": 372})
        shoot_page(popup, f"popup.html?tab={tab}", "popup")
        shoot_page(context.new_page(), "options.html", "options")


def shoot_page(page: Page, name: str, picture: str) -> None:
    """A page of the extension's own."""
    page.goto(f"chrome-extension://{extension_id()}/{name}")
    page.wait_for_timeout(4000)
    take(page, picture)


def ready(host: Host, page: Page) -> Page:
    """A new chat, with Thinkfold and without the sidebar."""
    host.open(page)
    page.wait_for_selector("html[data-thinkfold=on]", state="attached")
    host.new_session(page)
    collapse = page.get_by_role("button", name="Collapse sidebar")
    if collapse.count():
        collapse.click()
    return page


def shoot(playwright: Playwright, host: Host, name: str, *, extension: bool, scheme: str) -> None:
    """One run of the turn in a fresh profile, and its pictures."""
    size = {"width": 900, "height": 760}
    with open_browser(playwright, extension=extension, viewport=size, color_scheme=scheme) as context:
        page = context.new_page()
        host.open(page)
        if extension:
            page.wait_for_selector("html[data-thinkfold=on]", state="attached")
        host.new_session(page)
        collapse = page.get_by_role("button", name="Collapse sidebar")
        if collapse.count():
            collapse.click()
        host.send(page, PROMPT)
        host.wait_for_turn(page, 1)
        page.wait_for_timeout(800)
        take(page, name)
        if extension and scheme == "light":
            page.locator("[data-thinkfold-box]").click()
            take(page, f"{name}-opened")


def take(page: Page, name: str) -> None:
    """Take one picture, with the pointer where it hovers nothing."""
    page.mouse.move(870, 20)
    page.wait_for_timeout(300)
    page.screenshot(path=PICTURES / f"{name}.png")
    print(f"docs/pictures/{name}.png")


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with running_host() as host, sync_playwright() as playwright:
        host.model.title = "Exports that lose their last lines"
        host.model.script(PROMPT, TURN)
        for scheme in ("light", "dark"):
            shoot(playwright, host, f"before-{scheme}", extension=False, scheme=scheme)
            shoot(playwright, host, f"after-{scheme}", extension=True, scheme=scheme)
        shoot_thoughts(playwright, host)


if __name__ == "__main__":
    main()
