"""Takes the contact sheet: the extension at work in every look, to be looked at: ``python build.py shots``.

A *look* is a scene (a folded box, a running turn, the popup …) and how it is looked at: the window's size, colours,
direction, zoom, language. Each is a line of ``LOOKS`` in ``looks.py``. They are taken on the demo page in the
shape of both generations of the host, or on a real DSH (``--host``). The pictures and the sheet of them all are in
``.cache/shots``.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from real_host.host import FIRST_VERSION, Host, running_host  # noqa: E402
from support.extension import choose, forget_all, front_tab  # noqa: E402
from support.marks import wait_until_on  # noqa: E402

from .browser import EXTENSION, NoBrowser, extension_id, open_browser  # noqa: E402
from .demo import demo_server  # noqa: E402
from .looks import FAILED_TURN, LANGUAGES, LONG_TURN, LOOKS, RUNS_ON, WORDS, Look, Words, running  # noqa: E402

FOLDER = ROOT / ".cache" / "shots"
LINE, ARROW = "[data-thinkfold-box]", "[data-thinkfold-arrow]"
WINDOW = {"width": Look.width, "height": Look.height}

# -- the pages on which it is said -----------------------------------------------------------------------


class Stage(Protocol):
    """A chat page with an empty chat."""

    def say(self, page: Page, words: Words) -> None:
        """Let the user and the agent speak, and wait until all of it is there (a turn that runs has no end)."""


@dataclass
class DemoStage:
    """The demo page."""

    _turns: int = 0

    def say(self, page: Page, words: Words) -> None:
        """Draw the turn at once."""
        self._turns += 1
        page.evaluate(f"demo.apply({json.dumps(events(words, self._turns))})")


def events(words: Words, turn: int) -> list[dict[str, object]]:
    """The turn as the demo's events (``demo/README.md``)."""
    found: list[dict[str, object]] = [{"user": words.prompt, "id": f"u{turn}", "time": "14:30"}]
    ended = True
    for number, reply in enumerate(words.turn, 1):
        step = f"{turn}:{number}"
        found += [{"think": reply.think, "step": step}] * bool(reply.think)
        found += [{"text": reply.text, "step": step}] * bool(reply.text)
        for index, call in enumerate(reply.tools):
            command = call.arguments["command"]
            ended = command != RUNS_ON
            state = "ok" if ended else "running"
            tool = {"tool": "Bash", "id": f"c{turn}_{number}_{index}", "summary": call.arguments["description"]}
            found.append({**tool, "state": "error" if command == "exit 1" else state, "input": command, "output": "…"})
    return [*found, {"tail": turn, "time": "14:31"}] if ended else found


@dataclass
class HostStage:
    """A real DSH with a scripted model."""

    host: Host
    _turns: int = 0

    def say(self, page: Page, words: Words) -> None:
        """Send the words and wait for the turn's end, or for its last tool."""
        self._turns += 1
        self.host.model.script(words.prompt, words.turn)
        self.host.send(page, words.prompt)
        calls = words.turn[-1].tools
        if calls and calls[-1].arguments["command"] == RUNS_ON:
            line = page.locator(f"{LINE}[data-thinkfold-state=running]")
            expect(line).to_contain_text(calls[-1].arguments["description"], timeout=30_000)
        else:
            self.host.wait_for_turn(page, self._turns)
            page.wait_for_timeout(500)  # the host folds the turn itself now, if it does


# -- the scenes ------------------------------------------------------------------------------------------

Scene = Callable[[Page, Stage, Words], None]


def folded(page: Page, stage: Stage, words: Words) -> None:
    """A finished turn."""
    stage.say(page, words)
    expect(page.locator(LINE)).to_have_attribute("aria-expanded", "false")


def opened(page: Page, stage: Stage, words: Words) -> None:
    """Its box opened."""
    folded(page, stage, words)
    page.locator(LINE).click()
    expect(page.locator(ARROW)).to_be_attached()


def opened_rows(page: Page, stage: Stage, words: Words) -> None:
    """Its box opened, the groups in it opened, and a thought and a call opened in these."""
    opened(page, stage, words)
    closed = page.locator("[data-process-activity][aria-expanded=false]:visible")
    for _ in range(closed.count()):
        closed.first.click()
    for row in ("[data-variant=think] [aria-expanded=false]", "[data-chat-call-id] [aria-expanded=false]"):
        page.locator(row).locator("visible=true").first.click()
    page.locator(LINE).scroll_into_view_if_needed()


def long_box(page: Page, stage: Stage, words: Words) -> None:
    """An opened box that is longer than the window, in its middle."""
    opened_rows(page, stage, LONG_TURN)
    page.get_by_text("File 9 is whole.").evaluate("element => element.scrollIntoView({block: 'center'})")


def running_turn(page: Page, stage: Stage, words: Words) -> None:
    """A turn whose last call runs."""
    folded(page, stage, running(words))
    page.wait_for_timeout(700)  # the band is over the words


def running_opened(page: Page, stage: Stage, words: Words) -> None:
    """A turn that runs, its box opened."""
    opened(page, stage, running(words))


def failed(page: Page, stage: Stage, words: Words) -> None:
    """A turn whose last call failed."""
    folded(page, stage, FAILED_TURN)


def three_turns(page: Page, stage: Stage, words: Words) -> None:
    """Three turns, the second one opened."""
    for turn in (words, FAILED_TURN, WORDS["zh"]):
        stage.say(page, turn)
    page.locator(LINE).nth(1).click()


def pointer_on_line(page: Page, stage: Stage, words: Words) -> None:
    """The pointer hovers the tool line."""
    folded(page, stage, words)
    page.locator(LINE).hover()
    page.wait_for_timeout(200)


def focus_on_line(page: Page, stage: Stage, words: Words) -> None:
    """The tool line has the focus, by keyboard."""
    folded(page, stage, words)
    focus(page, LINE)


def focus_on_arrow(page: Page, stage: Stage, words: Words) -> None:
    """The arrow has the focus, by keyboard."""
    opened(page, stage, words)
    focus(page, ARROW)


def no_texts(page: Page, stage: Stage, words: Words) -> None:
    """A folded box that is its tool line alone, by choice."""
    choose(page.context, texts="none")
    folded(page, stage, words)


def selected(page: Page, stage: Stage, words: Words) -> None:
    """Everything is selected."""
    opened(page, stage, words)
    page.evaluate("getSelection().selectAllChildren(document.querySelector('[data-chat-flow]'))")


def focus(page: Page, selector: str) -> None:
    """Give the focus to an element as the keyboard does."""
    page.keyboard.press("Shift")  # from now on the browser shows where the focus is
    page.locator(selector).focus()


SCENES: dict[str, Scene] = {
    "folded": folded,
    "opened": opened,
    "opened rows": opened_rows,
    "long box": long_box,
    "running": running_turn,
    "running opened": running_opened,
    "failed": failed,
    "three turns": three_turns,
    "pointer on line": pointer_on_line,
    "focus on line": focus_on_line,
    "focus on arrow": focus_on_arrow,
    "no texts": no_texts,
    "selected": selected,
}


# -- the popup: as a page that speaks of the chat's tab ----------------------------------------------------

STATUS = {
    "stopped": {"state": "failed", "reason": (
        "TypeError: 'NoneType' object is not callable\n  app.py:88 in look\n  page/flow.py:141 in changed\n"
        "  hosts/dsh.py:120 in row_of\n  page/painter.py:77 in paint_the_difference_of_a_box_and_its_rows")},
    "unknown": {"state": "on", "chat": True, "missed": "data-chat-flow-kind data-chat-flow-key"},
}  # fmt: skip
"""What the page answers where a scene cannot make it say so."""


@contextmanager
def opened_popup(page: Page, scene: str) -> Iterator[Page]:
    """The popup over the chat of *page*, in the state that the scene's last word names."""
    popup = page.context.new_page()
    if answer := STATUS.get(scene):
        popup.add_init_script(f"chrome.tabs.sendMessage = async () => ({json.dumps(answer)})")
    if scene == "off":
        choose(page.context, enabled=False)
    popup.goto(f"chrome-extension://{extension_id()}/popup.html?tab={front_tab(page)}")
    expect(popup.get_by_role("status")).not_to_be_empty()
    if scene == "choices":
        popup.locator("summary").click()
    if scene == "focus":
        popup.locator("summary").click()
        focus(popup, "select >> nth=1")
    try:
        yield popup
    finally:
        popup.close()


# -- taking and laying out ---------------------------------------------------------------------------------


def look_at(page: Page, look: Look) -> None:
    """Give the page the look's window, colours, motion and direction."""
    page.emulate_media(
        color_scheme=look.scheme,  # type: ignore[arg-type]
        forced_colors="active" if look.forced_colors else "none",
        reduced_motion="reduce" if look.reduced_motion else "no-preference",
    )
    size = {"width": round(look.width / look.zoom), "height": round(look.height / look.zoom)}
    page.set_viewport_size(size)  # type: ignore[arg-type]
    if look.zoom != 1:  # to a page, the browser's zoom is a smaller window with larger pixels
        session = page.context.new_cdp_session(page)
        metrics = {**size, "deviceScaleFactor": look.zoom, "mobile": False}
        session.send("Emulation.setDeviceMetricsOverride", metrics)
    if look.rtl:
        page.evaluate("document.documentElement.dir = 'rtl'")


@dataclass
class Photographer:
    """Takes looks in one browser, on the demo at *address* or on the *host*."""

    context: BrowserContext
    address: str
    host: Host | None
    taken: list[tuple[str, Path]] = field(default_factory=list)

    def take(self, look: Look, generation: str) -> None:
        """Take one picture."""
        if (EXTENSION / "_locales" / look.lang).exists():  # its own words go by the system's language, not the page's
            choose(self.context, language=look.lang)
        page = self.context.new_page()
        stage: Stage
        if self.host:
            self.host.open(page)
            wait_until_on(page)
            self.host.new_session(page)
            stage = HostStage(self.host)
            where = self.host.version
        else:
            query = {"paused": 1, "generation": generation, "lang": look.lang}
            page.goto(f"{self.address}?{urlencode(query)}")
            page.evaluate("demo.ready")
            wait_until_on(page)
            stage = DemoStage()
            where = generation
        words = WORDS[look.lang]
        title = f"{look.title} · {where}"
        path = FOLDER / f"{re.sub(r'[^a-z0-9.]+', '-', title.lower())}.png"
        if look.scene.startswith("popup "):
            folded(page, stage, words)
            with opened_popup(page, look.scene.removeprefix("popup ")) as popup:
                look_at(popup, look)
                popup.wait_for_timeout(1200)  # the switch has come to rest, and the popup has asked again
                popup.locator("main").screenshot(path=path)
        else:
            look_at(page, look)
            SCENES[look.scene](page, stage, words)
            if not look.scene.startswith("pointer"):
                page.mouse.move(0, 0)
            page.wait_for_timeout(300)
            page.screenshot(path=path)
        page.close()
        forget_all(self.context)
        self.taken.append((title, path))
        print(f"  {title}", flush=True)


SHEET = """<!doctype html><meta charset="utf-8"><title>Thinkfold</title><style>
body { margin: 24px; background: #808489; color: #fff; font: 13px/18px system-ui, sans-serif; }
main { display: grid; grid-template-columns: repeat(5, 1fr); gap: 24px 16px; align-items: end; }
figure { margin: 0; } figcaption { margin-bottom: 6px; }
img { display: block; max-width: 100%; max-height: 420px; box-shadow: 0 1px 6px #0006; }
</style><main>"""


def lay_out(page: Page, taken: Sequence[tuple[str, Path]]) -> Path:
    """Draw the contact sheet of all pictures; returns its file. The page that it was drawn from stays beside it."""
    figures = (
        f'<figure><figcaption>{html.escape(title)}</figcaption><img src="{path.name}" alt=""></figure>'
        for title, path in taken
    )
    sheet = FOLDER / "contact-sheet.html"
    sheet.write_text(SHEET + "\n".join(figures), "utf-8")
    page.set_viewport_size({"width": 1800, "height": 900})
    page.goto(sheet.as_uri())
    picture = sheet.with_suffix(".png")
    page.screenshot(path=picture, full_page=True)
    return picture


def take_all(playwright: Playwright, looks: Sequence[Look], address: str, host: Host | None) -> Path:
    """Take the looks, a browser for each language, and lay them out; returns the contact sheet's file."""
    if host:
        shape = "0.2" if host.version.startswith("0.2") else "0.1"
        looks = [look for look in looks if shape in look.generations or look.scene.startswith("popup ")]
    taken: list[tuple[str, Path]] = []
    for lang, locale in LANGUAGES.items():
        spoken = [look for look in looks if look.lang == lang]
        if not spoken:
            continue
        with open_browser(playwright, viewport=WINDOW, locale=locale) as context:
            photographer = Photographer(context, address, host, taken)
            for look in spoken:
                for generation in look.generations if not host else look.generations[:1]:
                    photographer.take(look, generation)
    with open_browser(playwright, extension=False) as context:
        return lay_out(context.new_page(), taken)


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--host", help=f"a real DSH in place of the demo, for example {FIRST_VERSION}")
    parser.add_argument("--only", default="", help="only looks whose titles have these words")
    arguments = parser.parse_args()
    looks = [look for look in LOOKS if arguments.only in look.title]
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        with demo_server() as address, sync_playwright() as playwright:
            if arguments.host:
                with running_host(arguments.host) as host:
                    sheet = take_all(playwright, looks, address, host)
            else:
                sheet = take_all(playwright, looks, address, None)
    except NoBrowser as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Contact sheet: {sheet.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
