"""Takes the contact sheet: the extension at work in every look, to be looked at: ``python build.py shots``.

A *look* is a scene (a folded box, a running turn, the popup …) and how it is looked at: the window's size, colours,
direction, zoom, language. Each is a line of ``LOOKS``. They are taken on the demo page in the shape of both
generations of the host, or on a real DSH (``--host``). The pictures and the sheet of them all are in ``.cache/shots``.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import shutil
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
from real_host.model_server import Reply, bash  # noqa: E402
from support.extension import choose, forget_all, front_tab  # noqa: E402
from support.marks import wait_until_on  # noqa: E402

from .browser import NoBrowser, extension_id, open_browser  # noqa: E402
from .demo import demo_server  # noqa: E402

FOLDER = ROOT / ".cache" / "shots"
GENERATIONS = ("0.1", "0.2")
LANGUAGES = {"en": "en-GB", "zh": "zh-CN", "ar": "ar-EG"}
"""The languages of the words, and of the browser that shows them."""
LONG_WAIT = 3600
"""Seconds for which a step that should not end while its picture is taken runs."""


@dataclass(frozen=True)
class Look:
    """One picture: the *scene* and how it is looked at.

    *width* and *height* are the window's in CSS px at a *zoom* of 1; the page has 1/zoom of them.
    """

    scene: str
    width: int = 800
    height: int = 640
    scheme: str = "light"
    forced_colors: bool = False
    reduced_motion: bool = False
    rtl: bool = False
    zoom: float = 1.0
    lang: str = "en"
    generations: Sequence[str] = GENERATIONS

    @property
    def title(self) -> str:
        """The scene, and all in which the look differs from the usual one."""
        said = [self.scene, f"{self.width} px" if self.width != Look.width else "", self.lang * (self.lang != "en")]
        said += [self.scheme * (self.scheme != "light"), "forced colours" * self.forced_colors, "rtl" * self.rtl]
        said += ["reduced motion" * self.reduced_motion, f"zoom {self.zoom:.0%}" if self.zoom != 1 else ""]
        return ", ".join(word for word in said if word)


POPUP = {"width": 280, "height": 200}
LOOKS = [
    # The usual window.
    *(Look(scene) for scene in ("folded", "opened", "opened rows", "long box", "running", "running opened")),
    *(Look(scene) for scene in ("failed", "three turns", "pointer on line", "focus on line", "focus on arrow")),
    *(Look(scene) for scene in ("no texts", "selected")),
    # Colours.
    *(Look(scene, scheme="dark") for scene in ("folded", "opened", "opened rows", "running", "focus on arrow")),
    *(Look(scene, forced_colors=True) for scene in ("folded", "opened rows", "running", "pointer on line")),
    *(Look(scene, forced_colors=True) for scene in ("focus on line", "focus on arrow")),
    *(Look(scene, forced_colors=True, scheme="dark") for scene in ("opened", "running")),
    # Motion, direction.
    Look("running", reduced_motion=True),
    *(Look(scene, rtl=True) for scene in ("folded", "opened rows", "running", "focus on arrow")),
    *(Look(scene, rtl=True, lang="ar") for scene in ("folded", "opened", "running")),
    Look("opened", rtl=True, lang="ar", width=320),
    # Widths and zoom.
    *(Look(scene, width=320) for scene in ("folded", "opened", "opened rows", "long box", "running", "failed")),
    Look("opened", width=320, scheme="dark"),
    Look("opened", width=320, forced_colors=True),
    *(Look(scene, width=480) for scene in ("folded", "opened")),
    *(Look("opened", width=width, height=900) for width in (1280, 1920, 2560)),
    *(Look(scene, width=640, height=720, zoom=2) for scene in ("folded", "opened rows", "running")),
    Look("opened", width=1280, height=900, zoom=2),
    Look("folded", zoom=0.5),
    # Chinese.
    *(Look(scene, lang="zh") for scene in ("folded", "opened rows", "running")),
    *(Look(scene, lang="zh", width=320) for scene in ("folded", "opened")),
    Look("folded", lang="zh", scheme="dark"),
    # The popup: of which generation the chat is does not matter.
    *(
        Look(f"popup {scene}", **{**POPUP, **how}, generations=GENERATIONS[:1])
        for how in ({}, {"scheme": "dark"}, {"forced_colors": True}, {"lang": "zh"}, {"rtl": True, "lang": "ar"})
        for scene in ("on", "choices")
    ),
    *(Look(f"popup {scene}", **POPUP, generations=GENERATIONS[:1]) for scene in ("off", "stopped", "unknown", "focus")),
    Look("popup choices", width=320, generations=GENERATIONS[:1]),
    Look("popup choices", width=560, height=600, zoom=2, generations=GENERATIONS[:1]),
    Look("popup stopped", **POPUP, scheme="dark", generations=GENERATIONS[:1]),
    Look("popup focus", **POPUP, forced_colors=True, generations=GENERATIONS[:1]),
]


# -- what is said in the chats ---------------------------------------------------------------------------

CODE = (
    "```py\n"
    "def close_then_mark_done(handle, job, *, timeout=30.0, retries=3, on_error=raise_it, encoding='utf-8', log=LOG):\n"
    "    handle.close()\n"
    "    job.mark_done()\n"
    "```"
)
TABLE = (
    "| export | lines | missing | first line that is missing | written by |\n"
    "|---|---|---|---|---|\n"
    "| march.csv | 10,000 | 0 | – | ledger/export/writer.py |\n"
    "| april.csv | 9,871 | 129 | 2026-04-30T23:58:12.000Z;EUR;118.20 | ledger/export/writer.py |"
)
URL = "https://example.org/a/very/long/address/without/any/blank/in/it/that/a/narrow/window/has/to/break/somewhere.html"
LONG_SUMMARY = "Export 200 times, count the lines of every file, and say which of them are short and by how much"


@dataclass(frozen=True)
class Words:
    """What is said in one language."""

    prompt: str
    turn: Sequence[Reply]


WORDS = {
    "en": Words("Why does the export lose its last lines? Please fix it.", [
        Reply(think="The export writes through a buffer.\nLet me see where it is closed.", tools=[
            bash("grep -rn export . || true", "Find the writer"), bash("cat a.txt", "Read writer.py")]),
        Reply(think="The job is marked done before the file is closed.", text=(
            "The job is marked as done before the file is closed, so an early upload can miss the last buffer. "
            f"I change that to\n\n{CODE}\n\nand read {URL} again."), tools=[bash("cat c.txt", "Edit jobs.py")]),
        Reply(text=f"The writer now closes the file first:\n\n{TABLE}\n\n- one file was whole\n- the other was not\n",
              tools=[bash("cat b.txt", LONG_SUMMARY)]),
        Reply(think="All whole.", text=(
            "**Fixed.** The writer told everybody that an export was done while its last 8 KB were in a buffer.\n\n"
            "- 200 exports in a row are whole\n- all 213 tests pass\n")),
    ]),
    "zh": Words("导出的文件为什么会少最后几行？请修好。", [
        Reply(think="导出是带缓冲写入的。\n先看看文件在哪里关闭。", tools=[
            bash("grep -rn export . || true", "查找写文件的代码"), bash("cat a.txt", "读取 writer.py")]),
        Reply(think="任务在文件关闭之前就被标记为完成了。", text=(
            "任务在文件关闭之前就被标记为完成，上传得早就会漏掉最后一段缓冲。我把 `mark_done` 挪到关闭之后，"
            f"再把同样的导出跑两百遍。\n\n{CODE}"), tools=[bash("cat c.txt", "修改 jobs.py")]),
        Reply(text="现在先关闭文件，再标记完成。", tools=[
            bash("cat b.txt", "连续导出两百次，逐个统计每个文件的行数，并列出哪些文件不完整、各缺多少行、从哪一行开始缺")]),
        Reply(think="全部完整。", text=(
            "**修好了。** 以前最后 8 KB 还在缓冲里，任务就已经宣布完成。\n\n"
            "- 连续 200 次导出全部完整\n- 213 个测试全部通过\n")),
    ]),
    "ar": Words("لماذا يفقد التصدير أسطره الأخيرة؟", [
        Reply(think="يكتب التصدير عبر مخزن مؤقت.", tools=[
            bash("grep -rn export . || true", "البحث عن الكاتب"), bash("cat a.txt", "Read writer.py")]),
        Reply(text=f"تُعلَّم المهمة منتهية قبل إغلاق الملف.\n\n{CODE}", tools=[bash("cat c.txt", "Edit jobs.py (2 files)")]),
        Reply(text="الكاتب يغلق الملف الآن أولاً.", tools=[
            bash("cat b.txt", "تصدير مئتي مرة وعدّ أسطر كل ملف ثم ذكر الملفات القصيرة ومقدار ما ينقص كل واحد منها من الأسطر")]),
        Reply(think="كلها كاملة.", text="**تم الإصلاح.** مئتا تصدير متتالٍ كاملة، وكل الاختبارات ناجحة.\n"),
    ]),
}  # fmt: skip

LONG_TURN = Words("Read all files, one after the other.", [
    *(Reply(think=f"Now file {number}.", text=f"File {number} is whole." if number % 3 == 0 else "",
            tools=[bash("cat a.txt", f"Read file {number}")]) for number in range(1, 16)),
    Reply(text="All files are whole."),
])  # fmt: skip
FAILED_TURN = Words("Run the tests.", [
    Reply(think="Let me run them.", tools=[bash("cat a.txt", "Read the settings")]),
    Reply(text="They need a database.", tools=[bash("exit 1", "Run all tests")]),
])  # fmt: skip


def running(words: Words) -> Words:
    """The turn, cut in its last tool call, which does not end."""
    *before, last = words.turn[:-1]
    call = last.tools[-1]
    endless = bash(f"sleep {LONG_WAIT}", call.arguments["description"])
    return Words(f"{words.prompt} ", [*before, Reply(think=last.think, text=last.text, tools=[endless])])


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
            ended = not command.startswith("sleep")
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
        last = words.turn[-1]
        if last.tools and last.tools[-1].arguments["command"].startswith("sleep"):
            expect(page.locator("[data-thinkfold-state=running]")).to_contain_text(
                last.tools[-1].arguments["description"], timeout=30_000
            )
        else:
            self.host.wait_for_turn(page, self._turns)
            page.wait_for_timeout(500)  # the host folds the turn itself now, if it does


# -- the scenes ------------------------------------------------------------------------------------------

LINE, ARROW = "[data-thinkfold-box]", "[data-thinkfold-arrow]"
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
    """A turn that ends with a call that failed."""
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
                popup.screenshot(path=path, full_page=look.zoom == 1)
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
        environment = {**os.environ, "LANGUAGE": locale.replace("-", "_")}
        with open_browser(
            playwright, viewport={"width": 800, "height": 640}, locale=locale, env=environment
        ) as context:
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
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
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
