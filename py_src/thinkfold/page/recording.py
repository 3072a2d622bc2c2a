"""Records what the models of this page think: brings the tap's records to :mod:`thinkfold.core.recorder`, works them
off a slice at a time so that the page stays free, and keeps what is done in the store.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.events import StepId
from ..core.recorder import Limits, Recorder, State, Thought, ThoughtId
from ..core.settings import OwnSummaries, Settings
from ..hosts import Element, Host
from .dom import Attachments, Interval
from .tap import Tap
from .thought_store import Record, ThoughtStore

_BETWEEN_SLICES = 15
"""Milliseconds that the page has to itself between two slices of work."""
_BETWEEN_WRITES = 1000
"""Milliseconds between what is kept and what is kept next."""


class Heard:
    """What one page has heard of its chats. It outlives being switched off and on: no host says anything twice."""

    def __init__(self, host: Host) -> None:
        self.reader = host.event_reader()
        self.recorder = Recorder(Limits())


class Recording:
    """All that is known of the thoughts of a page, while *attached* is open.

    *on_change* is told which thoughts changed; *on_storage_failure* by name what the store refuses.
    """

    def __init__(
        self,
        host: Host,
        heard: Heard,
        settings: Settings,
        attached: Attachments,
        *,
        on_change: Callable[[set[ThoughtId]], None],
        on_storage_failure: Callable[[str], None],
    ) -> None:
        self._host = host
        self._settings = settings
        self._reader = heard.reader
        self.recorder = heard.recorder
        self.recorder.set_limits(limits_from(settings))
        self.recorder.lose_track()
        self._on_change = on_change
        self._store = ThoughtStore(attached, on_storage_failure)
        self._to_keep: set[ThoughtId] = set()
        self._slices = Interval(attached, self._work, _BETWEEN_SLICES)
        self._writes = Interval(attached, self._keep, _BETWEEN_WRITES)
        self._attached = attached

    def listen(self) -> None:
        """Hear what the host sends, what came before too; the news of that comes at once."""
        Tap(self._attached, self._on_records)

    def set_settings(self, settings: Settings) -> None:
        """Take other settings; thoughts that are being written keep the limits that they began with."""
        self._settings = settings
        self.recorder.set_limits(limits_from(settings))

    def session_of(self, flow: Element) -> str | None:
        """The chat session that *flow* shows; None while that is not known."""
        return self._host.session_in(flow) or self.recorder.session_of(self._host.messages_in(flow))

    def step_of(self, flow: Element, key: str) -> StepId | None:
        """The step that a row of *flow* shows."""
        place, session = self._host.step_in(key), self.session_of(flow)
        return StepId(session, *place) if place is not None and session is not None else None

    @property
    def is_busy(self) -> bool:
        """There are records that were not read yet."""
        return self._slices.is_wanted

    def tell(self, thought: ThoughtId) -> None:
        """Somebody else changed what is known of a thought: keep it, and say so."""
        self.recorder.changed.add(thought)
        self._work()

    def forget(self, session: str) -> None:
        """Delete all that is known of a session, here and in the store."""
        self._to_keep = {key for key in self._to_keep if key.step.session != session}
        record = self.recorder.forget(session)
        self._store.forget(session, record if self._settings.keep_summaries_days else {})
        self._work()

    def _on_records(self, records: str) -> None:
        for session in self.recorder.take(self._reader.read(records)):
            if self._settings.keep_summaries_days:
                self._store.load(session, lambda kept, session=session: self._on_kept(session, kept))  # type: ignore[misc]
            else:
                self.recorder.load(session, [])
        self._work()

    def _on_kept(self, session: str, kept: list[Record]) -> None:
        self.recorder.load(session, kept)
        self._work()
        self._on_change({thought.id for thought in self.recorder.thoughts(session)})

    def _work(self) -> None:
        self._slices.want(self.recorder.work())
        changed, self.recorder.changed = self.recorder.changed, set()
        if changed:
            self._to_keep.update(key for key in changed if _is_done(self.recorder.thought(key)))
            self._writes.want(bool(self._to_keep))
            self._on_change(changed)

    def _keep(self) -> None:
        keys, self._to_keep = self._to_keep, set()
        self._writes.want(False)
        thoughts = [thought for key in keys if (thought := self.recorder.thought(key)) is not None]
        if thoughts and self._settings.keep_summaries_days:
            self._store.keep(
                [(name_of(thought.id), thought.id.step.session, thought.to_record()) for thought in thoughts],
                days=self._settings.keep_summaries_days,
                most=self._settings.kept_thoughts,
            )


def name_of(thought: ThoughtId) -> str:
    """The thought's key in the store."""
    return f"{thought.step.session}/{thought.step.turn}/{thought.step.step}/{thought.number}"


def limits_from(settings: Settings) -> Limits:
    """What of the settings the recorder goes by."""
    return Limits(
        settings.long_thought,
        settings.segment_minimum,
        settings.segment_maximum,
        settings.code_blocks,
        settings.tables,
        settings.own_summaries is not OwnSummaries.OFF,
    )


def _is_done(thought: Thought | None) -> bool:
    return thought is not None and thought.state is not State.RUNNING
