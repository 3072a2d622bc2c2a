"""Has the segments of long thoughts refined by a small model, one at a time, and shows and keeps what comes of it.

What streams is refined as it is cut. Of the history only what this page reads anew can be refined: of a thought that
was kept, the summaries are there and its text is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import js

from ..core.recorder import NewSegment, State, Thought, ThoughtId
from ..core.refinement import Failure, Job, Queue, Refined
from ..core.settings import Settings
from .dom import Attachments, Interval
from .recording import Recording
from .small_model import Answer, SmallModel

_BETWEEN_LOOKS = 500
"""Milliseconds between two looks whether a server that was busy may be asked again."""


class Refiner:
    """Refines what *recording* cuts, while *attached* is open. *session* is the chat session that the page shows."""

    def __init__(
        self, recording: Recording, settings: Settings, attached: Attachments, session: Callable[[], str | None]
    ) -> None:
        self._recording = recording
        self._settings = settings
        self._session = session
        self._queue = Queue()
        self._model = SmallModel(settings, attached)
        self._live: set[ThoughtId] = set()  # thoughts that are being written, not read from the history
        self._early: dict[ThoughtId, list[NewSegment]] = {}  # of thoughts that may still become long
        self._looks = Interval(attached, self.go_on, _BETWEEN_LOOKS)

    @property
    def _is_wanted(self) -> bool:
        settings = self._settings
        return settings.summaries and settings.refine and bool(settings.refine_address)

    def set_settings(self, settings: Settings) -> None:
        """Take other settings. With another model or address, what waits is given up."""
        if _asked_of(settings) == _asked_of(self._settings):
            self._settings = settings
            return
        self._settings = settings
        self._queue = Queue()
        self._model.set_settings(settings)

    def take(self, changed: Iterable[ThoughtId]) -> None:
        """These thoughts changed: take their new segments, and give up what is no longer there."""
        recorder = self._recording.recorder
        new, recorder.new_segments = recorder.new_segments, []
        changed = set(changed)
        thoughts = {key: recorder.thought(key) for key in {*changed, *self._early, *(each.thought for each in new)}}
        self._live |= {key for key, each in thoughts.items() if each and each is recorder.running(key.step.session)}
        for each in new:
            self._early.setdefault(each.thought, []).append(each)
        given_up: list[tuple[Job, Failure]] = []
        for key in [*self._early]:
            thought = thoughts[key]
            if thought is not None and thought.state is not State.STOPPED and thought.is_long:
                given_up += self._add(thought, self._early.pop(key))
            elif thought is None or thought.state is not State.RUNNING:
                del self._early[key]
        self._live -= {key for key, each in thoughts.items() if each is None or each.state is not State.RUNNING}
        self._give_up(lambda job: job.thought in changed and not self._is_there(job))
        self._fail(given_up)
        self.go_on()

    def forget(self) -> None:
        """What is known of a session was deleted."""
        self._give_up(lambda job: not self._is_there(job))
        self.go_on()

    def go_on(self) -> None:
        """Ask for the next summary, if there is nothing else to wait for."""
        session = None if self._recording.is_busy else self._session()  # the newest of the history comes last
        job = self._queue.next(now(), session)
        if job is not None:
            self._model.ask(job.text, partial(self._on_answer, job))
        waits = self._queue.wait(now()) > 0 or self._recording.is_busy
        self._looks.want(self._queue.running is None and len(self._queue) > 0 and waits)

    def _add(self, thought: Thought, segments: Iterable[NewSegment]) -> list[tuple[Job, Failure]]:
        """Returns what is given up for them."""
        given_up: list[tuple[Job, Failure]] = []
        for each in segments if self._is_wanted else ():
            if each.segment.refine and each.segment.text.strip() and each.place < len(thought.segments):
                summed_up = thought.segments[each.place]
                job = Job(thought.id, each.place, each.segment.text, summed_up, thought.id in self._live)
                given_up += self._queue.add(job, now())
        return given_up

    def _give_up(self, is_meant: Callable[[Job], bool]) -> None:
        if self._queue.cancel(is_meant):
            self._model.abort()

    def _is_there(self, job: Job) -> bool:
        """The thought was not stopped, deleted or written anew."""
        thought = self._recording.recorder.thought(job.thought)
        return (
            thought is not None
            and thought.state is not State.STOPPED
            and any(segment is job.segment for segment in thought.segments)
        )

    def _on_answer(self, job: Job, answer: Answer) -> None:
        match answer.outcome:
            case Refined(text, tokens):
                self._queue.done()
                job.segment.refined, job.segment.refined_tokens, job.segment.unrefined = text, tokens, ()
                self._recording.tell(job.thought)
            case Failure() as failure:
                self._fail(self._queue.failed(failure, answer.wait, now()))
        self.go_on()

    def _fail(self, given_up: Iterable[tuple[Job, Failure]]) -> None:
        for job, failure in given_up:
            job.segment.unrefined = (failure.key, *failure.arguments)
            self._recording.tell(job.thought)


def _asked_of(settings: Settings) -> Settings:
    """What of the settings matters for what is being asked."""
    names = ("summaries", "refine", "refine_address", "refine_model", "refine_prompt", "refine_budget", "refine_trim")
    return replace(Settings(), **{name: getattr(settings, name) for name in names})


def now() -> float:
    """Seconds since 1970: what a server's date is held against."""
    return float(js.Date.now()) / 1000
