"""What ``tools/shots.py`` takes pictures of: the looks, and what is said in the chats."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from real_host.model_server import Reply, bash

GENERATIONS = ("0.1", "0.2")
LANGUAGES = {"en": "en-GB", "zh": "zh-CN", "ar": "ar-EG"}
"""The languages of the words, and of the browser that shows them."""
RUNS_ON = "sleep 60"
"""A command that does not end while its picture is taken."""


@dataclass(frozen=True)
class Look:
    """One picture: the *scene* and how it is looked at.

    *width* and *height* are the window's in CSS px at a *zoom* of 1; the page has 1/zoom of them.
    """

    scene: str
    width: int = 760
    height: int = 1100
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


POPUP = {"width": 280, "height": 800}
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
    *(Look(scene, width=640, zoom=2, height=1600) for scene in ("folded", "opened rows", "running")),
    Look("opened", width=1280, height=900, zoom=2),
    Look("folded", height=600, zoom=0.5),
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
    Look("popup choices", width=320, height=800, generations=GENERATIONS[:1]),
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
            bash("cat b.txt", "连续导出两百次，逐个统计每个文件的行数，并列出哪些文件不完整、各缺多少行")]),
        Reply(think="全部完整。", text=(
            "**修好了。** 以前最后 8 KB 还在缓冲里，任务就已经宣布完成。\n\n"
            "- 连续 200 次导出全部完整\n- 213 个测试全部通过\n")),
    ]),
    "ar": Words("لماذا يفقد التصدير أسطره الأخيرة؟", [
        Reply(think="يكتب التصدير عبر مخزن مؤقت.", tools=[
            bash("grep -rn export . || true", "البحث عن الكاتب"), bash("cat a.txt", "Read writer.py")]),
        Reply(text=f"تُعلَّم المهمة منتهية قبل إغلاق الملف.\n\n{CODE}", tools=[
            bash("cat c.txt", "Edit jobs.py (2 files)")]),
        Reply(text="الكاتب يغلق الملف الآن أولاً.", tools=[
            bash("cat b.txt", "تصدير مئتي مرة وعدّ أسطر كل ملف ثم ذكر الملفات القصيرة ومقدار ما ينقصها من الأسطر")]),
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
    Reply(text="There is no database here, so the tests did not start."),
])  # fmt: skip


def running(words: Words) -> Words:
    """The turn, cut in its last tool call, which does not end."""
    *before, last = words.turn[:-1]
    call = last.tools[-1]
    return replace(words, turn=[*before, replace(last, tools=[bash(RUNS_ON, call.arguments["description"])])])
