"""When segments are refined: one at a time, what streams before what is history, again once after an error that
passes (seed 004)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..recorder import SummedUp, ThoughtId
from .reply import Failure

MOST_WAITING = 40
"""Segments that wait at most. Beyond that the least urgent are given up."""

MOST_OF_HISTORY = 20
"""Segments of the history that are refined in one chat session as long as a page lives: refining costs tokens, and
what is old is seldom read."""

FIRST_WAIT = 2.0
"""Seconds before the second attempt where the server does not say how long."""

LONGEST_WAIT = 60.0
"""Seconds that a segment waits for a busy server. If that wants more, it is left alone for as long as it says, up to
:data:`LONGEST_PAUSE`."""

LONGEST_PAUSE = 3600.0


@dataclass(eq=False, slots=True)
class Job:
    """A segment to be refined: its thought, its number from 0, its text, and where the summary goes."""

    thought: ThoughtId
    place: int
    text: str
    segment: SummedUp
    is_live: bool
    order: int = 0
    attempts: int = field(default=0)


class Queue:
    """The jobs of one page. It has no clock: *now* is in seconds since 1970."""

    def __init__(self) -> None:
        self.running: Job | None = None
        self._waiting: list[Job] = []
        self._count = 0
        self._not_before = 0.0
        self._pause: Failure | None = None  # why nothing is asked until then
        self._of_history: dict[str, int] = {}  # of a session

    def __len__(self) -> int:
        return len(self._waiting) + (self.running is not None)

    def add(self, job: Job, now: float) -> list[tuple[Job, Failure]]:
        """Put a job in its place. Returns the jobs that are given up for it, perhaps itself, with the reason."""
        if self._pause is not None and now < self._not_before:
            return [(job, self._pause)]
        self._count += 1
        job.order = self._count
        self._waiting.append(job)
        self._waiting.sort(key=_urgency)
        surplus = self._waiting[MOST_WAITING:]
        del self._waiting[MOST_WAITING:]
        return [(each, Failure("refineFailedFull")) for each in surplus]

    def next(self, now: float, session: str | None) -> Job | None:
        """The job to be done now, which is then :attr:`running`. None while one is, or there is nothing to do.

        Of the history only the chat session that is shown, *session*, is refined, and only so much of it.
        """
        if self.running is not None or now < self._not_before:
            return None
        self._pause = None
        for job in self._waiting:
            told = self._of_history.get(job.thought.step.session, 0)
            if not job.is_live and job.attempts == 0:
                if job.thought.step.session != session or told >= MOST_OF_HISTORY:
                    continue
                self._of_history[session] = told + 1
            self._waiting.remove(job)
            job.attempts += 1
            self.running = job
            return job
        return None

    def wait(self, now: float) -> float:
        """Seconds until there may be something to do again."""
        return max(0.0, self._not_before - now)

    def done(self) -> None:
        """The running job has its summary."""
        self.running = None

    def failed(self, failure: Failure, asked_wait: float | None, now: float) -> list[tuple[Job, Failure]]:
        """The running job has none. Returns the jobs that are given up, with the reason: none if it is tried again.
        *asked_wait* is how many seconds the server wants to be left alone, if it says so."""
        job, self.running = self.running, None
        if job is None:
            return []
        wait = FIRST_WAIT if asked_wait is None else asked_wait
        if failure.passes and wait > LONGEST_WAIT:
            self._not_before = now + min(wait, LONGEST_PAUSE)
            self._pause = failure
        elif failure.passes:
            self._not_before = now + wait
            if job.attempts == 1:
                self._waiting.insert(0, job)
                return []
        if not (failure.for_all or self._pause):
            return [(job, failure)]
        given_up = [job, *self._waiting]
        self._waiting.clear()
        return [(each, failure) for each in given_up]

    def cancel(self, is_meant: Callable[[Job], bool]) -> bool:
        """Give up these jobs, without a reason. True when the running one is among them: its request must end."""
        self._waiting = [job for job in self._waiting if not is_meant(job)]
        if self.running is None or not is_meant(self.running):
            return False
        self.running = None
        return True


def _urgency(job: Job) -> tuple[object, ...]:
    """What streams comes first, in its order; of the history the newest thought, from its start."""
    if job.attempts:
        return (0, job.order)
    step = job.thought.step
    return (1, job.order) if job.is_live else (2, -step.turn, -step.step, -job.thought.number, job.place)
