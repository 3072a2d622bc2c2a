"""What the tap brings to a page: the live panel, the summaries view, and what rows and messages learn from it.

One of it for a page, made when Thinkfold starts there; without a tap (see :mod:`thinkfold.page.tap`) it shows nothing
but the view's tab.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import js

from ..core.events import StepId
from ..core.recorder import Thought, ThoughtId
from ..core.settings import OwnSummaries, Settings
from ..hosts import Host
from . import words
from .dom import Attachments, options
from .flow import Flow
from .measures import Measure
from .message import Source
from .panel import Panel
from .recording import Heard, Recording
from .refiner import Refiner
from .summaries import Actions, SummariesView
from .summary_list import measure_of, tokens


class LongThoughts:
    """Shows the thoughts of the chat session that the page shows. *flows* gives the page's flows."""

    def __init__(
        self,
        host: Host,
        heard: Heard,
        settings: Settings,
        attached: Attachments,
        *,
        flows: Callable[[], Iterable[Flow]],
        say: Callable[[str], None],
        on_storage_failure: Callable[[str], None],
    ) -> None:
        self._host = host
        self._settings = settings
        self._flows = flows
        self._attached = Attachments(attached.fail)
        attached.undo(self._attached.close)
        self._recording = Recording(
            host, heard, settings, self._attached, on_change=self._on_change, on_storage_failure=on_storage_failure
        )
        self._refiner = Refiner(self._recording, settings, self._attached, self._session)
        self._panel = Panel(self._attached, say)
        actions = Actions(
            lambda: self._flow() is not None, self._session, self._thoughts, self._go_to, self._forget, say
        )
        self._view = SummariesView(self._attached, actions)
        self._shown: ThoughtId | None = None  # in the panel
        self._known: tuple[Flow, str] | None = None  # a flow and the session that it was found to show
        self._attached.undo(lambda: tell_prompt(""))
        self._tell_prompt()
        self._recording.listen()

    def close(self) -> None:
        """Take everything off the page."""
        self._attached.close()

    def set_settings(self, settings: Settings) -> None:
        """Take other settings."""
        if settings.language is not self._settings.language:
            self._panel.write_anew()
            self._view.write_anew()
        self._settings = settings
        self._recording.set_settings(settings)
        self._refiner.set_settings(settings)
        self._tell_prompt()
        self.seat()
        self._show_panel()

    @property
    def has_view(self) -> bool:
        """True while the page has the tab of the summaries view."""
        return bool(self._view.tab.isConnected)

    def show_view(self) -> None:
        """Open the summaries view."""
        self.seat()
        self._view.open()

    def _tell_prompt(self) -> None:
        asks = self._settings.own_summaries is OwnSummaries.PROMPT
        tell_prompt(words.word("ownSummariesInstruction") if asks else "")

    # -- for a flow ------------------------------------------------------------------------------------

    def measures_of(self, flow: Flow, key: str) -> list[Measure]:
        """How long the thoughts of a row took and are; see :class:`Measures`."""
        step = self._recording.step_of(flow.element, key)
        thoughts = self._of_step(step) if step is not None else []
        return [Measure(measure_of(thought), tokens(thought.tokens), thought.tokens) for thought in thoughts]

    def source_of(self, flow: Flow, key: str, number: int) -> Source | None:
        """What the model wrote as text *number* of a row's step."""
        step = self._recording.step_of(flow.element, key)
        texts, whole = self._recording.recorder.texts_of(step) if step is not None else ([], False)
        return Source(texts[number], whole) if number < len(texts) else None

    def flow_came(self) -> None:
        """The host shows a conversation, perhaps another one."""
        self.seat()
        self._show_panel()
        self._refiner.go_on()

    # -- what is shown ---------------------------------------------------------------------------------

    def _flow(self) -> Flow | None:
        return next((flow for flow in self._flows() if flow.connected), None)

    def _session(self) -> str | None:
        flow = self._flow()
        return self._recording.session_of(flow.element) if flow is not None else None

    def _thoughts(self) -> list[Thought]:
        session = self._session()
        return self._recording.recorder.thoughts(session) if session is not None else []

    def _of_step(self, step: StepId) -> list[Thought]:
        recorder = self._recording.recorder
        thoughts: list[Thought] = []
        while (thought := recorder.thought(ThoughtId(step, len(thoughts)))) is not None:
            thoughts.append(thought)
        return thoughts

    def _on_change(self, changed: set[ThoughtId]) -> None:
        written, self._recording.recorder.written = self._recording.recorder.written, set()
        self._refiner.take(changed)
        flow = self._flow()
        session = self._session()
        if flow is None or session is None:
            return
        if (flow, session) != self._known:  # only now is it known which session the flow shows
            self._known = (flow, session)
            changed = {thought.id for thought in self._thoughts()}
        steps = {(key.step.turn, key.step.step) for key in changed if key.step.session == session}
        flow.show_measures(steps)
        flow.read_messages({(step.turn, step.step) for step in written if step.session == session})
        self._show_panel()
        self._view.update([key for key in changed if key.step.session == session])

    def _show_panel(self) -> None:
        flow, session = self._flow(), self._session()
        thought = self._thought_to_show(session) if flow is not None and session is not None else None
        composer = self._host.composer_of(flow.element) if flow is not None else None
        if flow is None or thought is None or composer is None:
            self._shown = None
            self._panel.remove()
            return
        self._shown = thought.id
        self._panel.show(thought, composer, self._host.scroller_of(flow.element))

    def _thought_to_show(self, session: str | None) -> Thought | None:
        """The thought that is being written, when it is long, else the one that was shown, in the same turn."""
        recorder = self._recording.recorder
        if session is None or not self._settings.summaries:
            return None
        running = recorder.running(session)
        if running is not None and running.is_long:
            return running
        shown = recorder.thought(self._shown) if self._shown is not None else None
        if shown is None or shown.id.step.session != session or recorder.turn_of(session) != shown.id.step.turn:
            return None
        return shown

    def seat(self) -> None:
        """The host has made a header, perhaps: stand beside its tabs."""
        flow = self._flow()
        if flow is None or not self._settings.summaries:
            if not self._settings.summaries:
                self._view.remove()
            return
        views, covered = self._host.views_of(flow.element), self._host.scroller_of(flow.element)
        if views is not None and covered is not None:
            self._view.seat(views, covered)
            self._view.follow()

    # -- the user --------------------------------------------------------------------------------------

    def _go_to(self, key: ThoughtId) -> bool:
        flow = self._flow()
        return flow is not None and flow.go_to((key.step.turn, key.step.step), key.number)

    def _forget(self) -> None:
        session = self._session()
        if session is not None:
            self._recording.forget(session)
            self._refiner.forget()


def tell_prompt(instruction: str) -> None:
    """Have ``prompt.js`` add *instruction* to each message that the user sends; nothing when it is empty."""
    js.document.dispatchEvent(js.CustomEvent.new("thinkfold-prompt", options(detail=instruction)))
