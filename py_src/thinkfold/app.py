"""The entry point: wires page, host and core. ``boot.js`` calls :func:`start` and :func:`stop`.

Finding a flow
--------------
The stylesheet gives every flow (and the host's empty start page, so that Python is there in time) a tiny
animation; its ``animationstart`` event says that one has appeared.
So nothing watches the document, and a flow that comes, goes and comes back (another session, another view)
is found each time. Until a flow is folded the stylesheet covers its process rows, so the frame between the
two is not seen.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

import js

from .core.settings import Settings, settings_from
from .hosts import Host
from .hosts.dsh import Dsh
from .hosts.tags import Tags
from .page import words
from .page.dom import Attachments, options
from .page.flow import Flow
from .page.live_region import LiveRegion
from .page.long_thoughts import LongThoughts
from .page.memory import Memory
from .page.recording import Heard
from .page.tagged_messages import TaggedMessages

STATE = "data-thinkfold"
TAGGED = "data-thinkfold-tagged"
"""On a page that is no DSH: the stylesheet takes the page's own colours there."""
FLOW_SEEN = "thinkfold-flow-seen"
"""The name of the animation in ``thinkfold.css``."""


class App:
    """Thinkfold on one page. *report* is told every change of what the popup shows.

    *selector* finds the messages of a page that is no DSH: there only the thinking in them is taken apart.
    """

    def __init__(self, host: Host, report: Callable[[dict[str, Any]], None], selector: str = "") -> None:
        self._host = host
        self.selector = selector
        self._report = report
        self._heard = Heard(host)
        self._memory = Memory(self._on_memory_failure)
        self._settings = Settings()
        self._flows: list[Flow] = []
        self._attached: Attachments | None = None
        self._long_thoughts: LongThoughts | None = None
        self._tagged: TaggedMessages | None = None
        self._failure = ""
        self._forgetful = False
        self._unkept = ""  # why summaries are not kept

    def start(self) -> None:
        """Fold what is on the page and all that comes."""
        if self._attached is not None:
            return
        self._failure = ""
        self._attached = Attachments(self.fail)
        try:
            self._attached.undo(self._close_flows)
            self._live_region = LiveRegion(js.document.body)
            self._attached.undo(self._live_region.remove)
            if self.selector:
                self._tagged = TaggedMessages(Tags(self.selector), self._settings, self._attached, self._tell)
            else:
                self._start_flows(self._attached)
            js.document.documentElement.setAttribute(STATE, "on")
            if self._tagged is not None:
                js.document.documentElement.setAttribute(TAGGED, "")
            self._tell()
        except Exception as error:
            self.fail(error)

    def _start_flows(self, attached: Attachments) -> None:
        """Fold the flows of a DSH."""
        self._long_thoughts = LongThoughts(
            self._host,
            self._heard,
            self._settings,
            attached,
            flows=lambda: self._flows,
            say=self._live_region.say,
            on_storage_failure=self._on_storage_failure,
        )
        attached.listen(js.document, "animationstart", self._on_animation, capture=True)
        for element in js.document.querySelectorAll(self._host.flow_selector):
            self._adopt(element)

    def stop(self) -> None:
        """Leave the page exactly as the host has it (F17)."""
        if self._attached is not None:
            attached, self._attached = self._attached, None
            attached.close()
            self._long_thoughts = self._tagged = None
        js.document.documentElement.removeAttribute(STATE)
        js.document.documentElement.removeAttribute(TAGGED)
        self._tell()

    def fail(self, error: BaseException) -> None:
        """Something broke: unfold the page and say so. The report names code and never holds chat text.

        When the extension was switched off or updated under the page, every call to it breaks; then there is
        nothing to say.
        """
        is_first = not self._failure and is_installed()
        if is_first:
            self._failure = describe(error)
        self.stop()
        if is_first:
            js.console.error(f"Thinkfold stopped and left the page as it was.\n{self._failure}")

    def status(self) -> dict[str, Any]:
        """What the popup shows of this page."""
        counts = [flow.counts() for flow in self._flows if flow.connected]
        boxes, steps, opened = (sum(each) for each in zip((0, 0, 0), *counts, strict=True))
        return {
            "state": "failed" if self._failure else "on" if self._attached is not None else "off",
            "chat": any(flow.connected for flow in self._flows) or self._tagged is not None,
            "thoughts": self._tagged.count() if self._tagged is not None else 0,
            "summaries": self._long_thoughts is not None and self._long_thoughts.has_view,
            "boxes": boxes,
            "steps": steps,
            "opened": opened,
            "missed": ", ".join(dict.fromkeys(name for flow in self._flows if flow.connected for name in flow.missed)),
            "reason": self._failure,
            "forgetful": self._forgetful,
            "unkept": self._unkept,
        }

    def set_settings(self, settings: Settings) -> None:
        """Take other settings, at once on every flow."""
        if settings == self._settings:
            return
        self._settings = settings
        self._memory.keep(settings.remember)
        try:
            for flow in self._flows:
                flow.set_settings(settings)
            if self._long_thoughts is not None:
                self._long_thoughts.set_settings(settings)
            if self._tagged is not None:
                self._tagged.set_settings(settings)
        except Exception as error:
            self.fail(error)
        self._tell()

    def remember(self, stored: Mapping[str, object], settings: Settings | None = None) -> None:
        """Take the choices that were kept: before the first start with the *settings* that it will have, or late."""
        self._memory.load(stored, (settings or self._settings).remember)
        try:
            for flow in self._flows:
                flow.set_settings(self._settings)
        except Exception as error:
            self.fail(error)

    def act(self, action: str) -> None:
        """Do what the user asked for outside the page: ``fold-all``, ``unfold-all`` or ``show-summaries``."""
        try:
            if action == "show-summaries":
                if self._long_thoughts is not None:
                    self._long_thoughts.show_view()
                return
            for flow in self._flows:
                if flow.connected:
                    flow.toggle_all(expanded=action == "unfold-all")
                    self._live_region.say(words.word("allOpened" if action == "unfold-all" else "allFolded"))
        except Exception as error:
            self.fail(error)
        self._tell()

    def _on_storage_failure(self, name: str) -> None:
        """What cannot be kept is known to this page all the same. An empty *name* says that it can be kept again."""
        if name != self._unkept:
            self._unkept = name
            self._tell()

    def _on_memory_failure(self) -> None:
        self._forgetful = True
        self._tell()

    def _on_animation(self, event: Any) -> None:
        if event.animationName != FLOW_SEEN:
            return
        if event.target.matches(self._host.flow_selector):
            self._adopt(event.target)
            self._tell()
        elif self._long_thoughts is not None:
            self._long_thoughts.seat()

    def _adopt(self, element: Any) -> None:
        """Fold a flow that is new; a flow within a flow belongs to the outer one."""
        for flow in [flow for flow in self._flows if not flow.connected]:
            self._flows.remove(flow)
            flow.close()
        if element.parentElement.closest(self._host.flow_selector) or any(f.element == element for f in self._flows):
            return
        assert self._long_thoughts is not None
        flow = Flow(
            element,
            self._host,
            self._memory,
            self._settings,
            on_error=self.fail,
            on_change=self._tell,
            say=self._live_region.say,
            measures_of=self._long_thoughts.measures_of,
            source_of=self._long_thoughts.source_of,
        )
        self._flows.append(flow)
        flow.open()
        self._long_thoughts.flow_came()

    def _close_flows(self) -> None:
        flows, self._flows = self._flows, []
        for flow in flows:
            flow.close()

    def _tell(self) -> None:
        self._report(self.status())


def is_installed() -> bool:
    """False when the extension that this code came from is no longer there."""
    return bool(getattr(js.chrome.runtime, "id", None))


def describe(error: BaseException) -> str:
    """The kind of an error and where it happened, without its message: that could hold text of the chat."""
    # Without the lines of code: in the page the library's are in a file that is not there, and looking fails.
    frames = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), lookup_lines=False)
    where = [f"  {frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in frames]
    return "\n".join([type(error).__name__, *where])


_app: App | None = None


def start(report: Any, stored: Any, remembered: Any, messages: Any, selector: str) -> None:
    """Start, or start again after :func:`stop`; when it runs, take the settings.

    *report* is a function of one object, ``App.status()``; *stored* is an object with the stored settings,
    *remembered* one with what is kept of the user's choices, which only the first start needs; *messages* is the
    ``messages.json`` of the language that the user chose, null for the browser's; *selector* finds the messages of a
    page that is no DSH, and is empty for a DSH.
    """
    global _app  # noqa: PLW0603
    words.use(messages.to_py() if messages else None)
    settings = settings_from(stored.to_py())
    if _app is not None and _app.selector != selector:
        _app.stop()
        _app = None
    if _app is None:
        _app = App(Dsh(), lambda status: report(options(**status)), selector)
        _app.remember(remembered.to_py(), settings)
    _app.set_settings(settings)
    _app.start()


def remember(remembered: Any) -> None:
    """Take what is kept of the user's choices after :func:`start`: the browser was slow to hand it out."""
    if _app is not None:
        _app.remember(remembered.to_py())


def stop() -> None:
    """Stop; the page is the host's own."""
    if _app is not None:
        _app.stop()


def act(action: str) -> None:
    """``App.act``."""
    if _app is not None:
        _app.act(action)


def status() -> Any:
    """``App.status()`` as a JavaScript object."""
    return options(**_app.status()) if _app is not None else None
