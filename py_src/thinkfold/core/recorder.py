"""Follows what the models of a page think: how long, how much, and where it goes (seed 004).

Feed :meth:`Recorder.take` with the events of :mod:`thinkfold.core.events` as they come, and call :meth:`Recorder.work`
as long as it says that there is more::

    recorder = Recorder(Limits())
    recorder.take(events)
    while recorder.work():
        ...
    for thought in recorder.thoughts("session-1"):
        print(thought.tokens, [segment.summary for segment in thought.segments])

Invariants
----------
* A thought is there once, whatever came twice: live, in a replay, in history, from the storage.
* The finished message has the last word. What was followed live and has as many characters as the message is kept;
  anything else is read again from the message, so nothing that the page missed stays missing.
* One :meth:`Recorder.work` does little, however much came at once: events wait in a queue, and long texts are read
  in slices.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from .events import Attempt, BlockKind, Delta, Event, Message, Replay, StepId, TurnEnd, UserMessage
from .own_summaries import OwnSummaryFinder
from .segments import Keep, Segment, Segmenter
from .summary import summarize
from .thinking import may_hold_thinking

_SLICE = 4000
"""Characters that one :meth:`Recorder.work` reads: a few milliseconds of it."""


class State(StrEnum):
    """How it stands with a thought."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    """The turn ended in the middle of it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """In tokens: from where on a thought is long, and where it is cut; what is done with code and tables; and whether
    the model's own summaries are looked for."""

    long: int = 2000
    minimum: int = 1500
    maximum: int = 3000
    code: Keep = Keep.IGNORE
    tables: Keep = Keep.IGNORE
    own_summaries: bool = False


@dataclass(frozen=True, slots=True, order=True)
class ThoughtId:
    """Which of the thoughts of a step, counted from 0; an empty one does not count, as the host does not draw it."""

    step: StepId
    number: int


@dataclass(slots=True)
class SummedUp:
    """A segment and what it says in at most three lines. *refined* is a model's better summary, *refined_tokens* what
    that cost, both empty without one. *unrefined* says why there is none where one was tried: the key of a message and
    what is filled into it. It is not stored, because the next page may try again."""

    summary: str
    tokens: float
    raw_tokens: float
    code_share: float
    is_table: bool
    refined: str = ""
    refined_tokens: float = 0
    unrefined: tuple[str, ...] = ()


@dataclass(slots=True)
class Thought:
    """One block of reasoning. *started* and *ended* are the host's milliseconds, None where it does not say. *own* has
    the summaries that the model itself put into it."""

    id: ThoughtId
    started: int | None = None
    ended: int | None = None
    characters: int = 0
    tokens: float = 0
    state: State = State.RUNNING
    is_long: bool = False
    segments: list[SummedUp] = field(default_factory=list)
    own: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> int | None:
        """Whole seconds from its first words to its last; None where the host does not say."""
        if self.started is None or self.ended is None:
            return None
        return max(0, (self.ended - self.started) // 1000)

    def to_record(self) -> dict[str, Any]:
        """As plain values, to be stored."""
        record = asdict(self)
        del record["id"]
        for segment in record["segments"]:
            del segment["unrefined"]
        return {**record, **asdict(self.id.step), "number": self.id.number}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Thought:
        """What :meth:`to_record` gave. Raises ValueError, KeyError or TypeError for anything else."""
        rest = dict(record)
        step = StepId(str(rest.pop("session")), int(rest.pop("turn")), int(rest.pop("step")))
        segments = [SummedUp(**segment) for segment in rest.pop("segments")]
        known = {name: rest[name] for name in ("started", "ended", "characters", "tokens", "is_long")}
        own = [str(each) for each in rest.get("own", ())]
        return cls(
            ThoughtId(step, int(rest["number"])), **known, state=State(rest["state"]), segments=segments, own=own
        )


@dataclass(frozen=True, slots=True)
class NewSegment:
    """A segment that was just summed up: number *place* (from 0) of a thought."""

    thought: ThoughtId
    place: int
    segment: Segment


class _Writer:
    """Writes one thought from its text, in pieces of any size."""

    def __init__(self, thought: Thought, limits: Limits) -> None:
        self.thought = thought
        self._limits = limits
        self._segmenter = Segmenter(limits.minimum, limits.maximum, limits.code, limits.tables)
        self._own = OwnSummaryFinder() if limits.own_summaries else None

    def feed(self, text: str) -> list[NewSegment]:
        self.thought.characters += len(text)
        if self._own is not None:
            self.thought.own += self._own.feed(text)
        return self._add(self._segmenter.feed(text))

    def close(self, state: State) -> list[NewSegment]:
        self.thought.state = state
        if self._own is not None:
            self.thought.own += self._own.close()
        return self._add(self._segmenter.close())

    def _add(self, segments: Iterable[Segment]) -> list[NewSegment]:
        thought = self.thought
        thought.tokens = self._segmenter.raw_tokens
        thought.is_long = thought.tokens > self._limits.long
        new: list[NewSegment] = []
        for segment in segments:
            new.append(NewSegment(thought.id, len(thought.segments), segment))
            counts = (segment.tokens, segment.raw_tokens, segment.code_share, segment.is_table)
            thought.segments.append(SummedUp(summarize(segment), *counts))
        return new


@dataclass(slots=True)
class _Live:
    """A step that is being written. *kept* has its deltas until its message is done, *unread* what of the open block
    of reasoning was not given to its writer yet."""

    step: StepId
    attempt: str
    next_order: int = 0
    kept: list[Delta] = field(default_factory=list)
    block: int = -1
    begun: int = 0  # when the open block was
    open: _Writer | None = None
    unread: list[str] = field(default_factory=list)
    thoughts: list[Thought] = field(default_factory=list)
    texts: dict[int, list[str]] = field(default_factory=dict)

    def length_before(self, order: int) -> int:
        """How many characters it has from the deltas before *order*."""
        return sum(len(delta.text) for delta in self.kept if delta.order < order)


class Recorder:
    """The thoughts of all chat sessions that one page has shown."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._thoughts: dict[str, dict[ThoughtId, Thought]] = {}  # of a session
        self._session_of: dict[str, str] = {}  # user message → session
        self._live: dict[str, _Live] = {}  # of a session
        self._done: set[StepId] = set()
        self._turns: dict[str, int] = {}  # of a session: the latest
        self._texts: dict[StepId, list[str]] = {}
        self._last_block: dict[str, ThoughtId | None] = {}  # of a session: the thought that its last message ends with
        self._forgotten: dict[str, StepId] = {}  # of a session: the last step of which the user deleted all
        self._waiting: dict[str, deque[Event]] = {}  # of a session whose stored thoughts are not here yet
        self._queue: deque[Event] = deque()
        self._slices: Iterator[int] | None = None  # of the message that is being read
        self.written: set[StepId] = set()
        """The steps whose texts, with thinking in them perhaps, are done; cleared like :attr:`changed`."""
        self.changed: set[ThoughtId] = set()
        """The thoughts that changed; whoever has seen to them clears it."""
        self.new_segments: list[NewSegment] = []
        """What was cut since somebody last cleared it."""

    def set_limits(self, limits: Limits) -> None:
        """Take other limits, for thoughts that begin from now on."""
        self._limits = limits

    def lose_track(self) -> None:
        """Events were missed: what was being written is not followed any more. Its message tells all of it anew."""
        for live in self._live.values():
            self._drop(thought for thought in live.thoughts if thought.state is State.RUNNING)
        self._live.clear()
        for session in [*self._waiting]:
            self.load(session, [])

    # -- what is known ---------------------------------------------------------------------------------

    def thoughts(self, session: str) -> list[Thought]:
        """The thoughts of a session, in order."""
        known = self._thoughts.get(session, {})
        return [known[key] for key in sorted(known)]

    def thought(self, key: ThoughtId) -> Thought | None:
        """One thought."""
        return self._thoughts.get(key.step.session, {}).get(key)

    def running(self, session: str) -> Thought | None:
        """The thought that is being written in a session."""
        live = self._live.get(session)
        return live.open.thought if live is not None and live.open is not None else None

    def turn_of(self, session: str) -> int | None:
        """The turn of a session that was heard of last."""
        return self._turns.get(session)

    def session_of(self, messages: Iterable[str]) -> str | None:
        """The session that has one of these user messages."""
        return next((self._session_of[message] for message in messages if message in self._session_of), None)

    def texts_of(self, step: StepId) -> tuple[list[str], bool]:
        """The texts of a step as the model wrote them, and whether they are whole; of a finished step only where they
        may hold thinking."""
        live = self._live.get(step.session)
        if live is not None and live.step == step:
            return ["".join(live.texts[index]) for index in sorted(live.texts)], False
        return self._texts.get(step, []), True

    # -- what comes ------------------------------------------------------------------------------------

    def take(self, events: Iterable[Event]) -> set[str]:
        """Take events as they came. Returns the sessions that were never heard of before: :meth:`load` them. Until
        then their events wait, because what is stored need not be read again."""
        strange: set[str] = set()
        for event in events:
            session = event.session if isinstance(event, UserMessage | TurnEnd) else event.step.session
            if session not in self._thoughts:
                strange.add(session)
                self._thoughts[session] = {}
                self._waiting[session] = deque()
            self._waiting.get(session, self._queue).append(event)
        return strange

    def load(self, session: str, records: Iterable[Mapping[str, Any]]) -> None:
        """Take what was stored of a session, once. A record of another shape is passed over."""
        known = self._thoughts.setdefault(session, {})
        for record in records:
            try:
                if "forgotten" in record:
                    self._forgotten[session] = StepId(session, *map(int, record["forgotten"]))
                    continue
                thought = Thought.from_record(record)
            except (ValueError, KeyError, TypeError):
                continue
            if thought.id.step.session == session and thought.state is not State.RUNNING:
                known.setdefault(thought.id, thought)
        self._queue.extend(self._waiting.pop(session, ()))

    def forget(self, session: str) -> dict[str, Any]:
        """The user deleted what is known of a session. What is being written goes on. Returns a record for
        :meth:`load`, without which the host's history would bring all of it back."""
        live = self._live.get(session)
        kept = live.thoughts if live is not None else []
        gone = [thought for thought in self.thoughts(session) if thought not in kept]
        self._drop(gone)
        if gone:
            self._forgotten[session] = gone[-1].id.step
        last = self._forgotten.get(session)
        return {"forgotten": [last.turn, last.step]} if last is not None else {}

    def work(self) -> bool:
        """Do a slice of what there is to do. False when nothing is left."""
        characters = 0
        while characters < _SLICE:
            if self._slices is not None:
                read = next(self._slices, None)
                if read is None:
                    self._slices = None
                else:
                    characters += read
            elif self._queue:
                event = self._queue.popleft()
                characters += len(event.text) + 50 if isinstance(event, Delta) else 200
                self._take(event)
            else:
                break
        for live in self._live.values():
            self._read(live)
        return bool(self._queue) or self._slices is not None

    def _take(self, event: Event) -> None:
        match event:
            case UserMessage():
                self._session_of[event.message] = event.session
            case Attempt():
                self._begin(event.step, event.attempt)
            case Delta() | Replay() if event.step in self._done:
                pass  # sent once more
            case Delta():
                self._grow(event)
            case Replay():
                self._replay(event)
            case Message():
                self._slices = self._finish(event)
            case TurnEnd():
                self._end_turn(event)

    # -- a step that is being written ------------------------------------------------------------------

    def _begin(self, step: StepId, attempt: str) -> _Live:
        """*step* is being written, from its start. What an earlier attempt at it wrote is void."""
        before = self._live.get(step.session)
        if before is not None and before.step == step:
            self._drop(before.thoughts)
        elif before is not None:
            self._close(before, State.DONE)
        live = self._live[step.session] = _Live(step, attempt)
        self._turns[step.session] = step.turn
        return live

    def _drop(self, thoughts: Iterable[Thought]) -> None:
        for thought in thoughts:
            self._thoughts[thought.id.step.session].pop(thought.id, None)
            self.changed.add(thought.id)

    def _grow(self, delta: Delta) -> None:
        live = self._live.get(delta.step.session)
        starts_again = live is not None and not delta.text and delta.block <= live.block
        if live is None or (live.step, live.attempt) != (delta.step, delta.attempt):
            live = self._begin(delta.step, delta.attempt)
        elif delta.order < live.next_order:
            return
        elif starts_again:
            live = self._begin(delta.step, delta.attempt)
        live.next_order = delta.order + 1
        live.kept.append(delta)
        if delta.block != live.block:
            self._close(live, State.DONE)  # another block ends the segment
            live.block, live.begun = delta.block, delta.time
        if delta.kind is BlockKind.TEXT:
            live.texts.setdefault(delta.block, []).append(delta.text)
        elif delta.kind is BlockKind.REASONING and delta.text:
            if live.open is None:
                live.open = self._open(ThoughtId(live.step, len(live.thoughts)), live.begun)
                live.thoughts.append(live.open.thought)
            live.open.thought.ended = delta.time
            live.unread.append(delta.text)

    def _open(self, key: ThoughtId, started: int | None) -> _Writer:
        thought = self._thoughts.setdefault(key.step.session, {})[key] = Thought(key, started=started)
        self.changed.add(key)
        return _Writer(thought, self._limits)

    def _read(self, live: _Live) -> None:
        """Give the open thought what came for it."""
        if live.open is not None and live.unread:
            self._note(live.open.thought, live.open.feed("".join(live.unread)))
            live.unread.clear()

    def _close(self, live: _Live, state: State) -> None:
        if live.open is not None:
            self._read(live)
            self._note(live.open.thought, live.open.close(state))
            live.open = None

    def _note(self, thought: Thought, new: Iterable[NewSegment]) -> None:
        self.changed.add(thought.id)
        self.new_segments.extend(new)

    def _replay(self, event: Replay) -> None:
        """Where the page missed something of the step, write it anew from its start, with what came since."""
        live = self._live.get(event.step.session)
        since: list[Delta] = []
        if live is not None and (live.step, live.attempt) == (event.step, event.attempt):
            if live.length_before(event.next_order) == sum(len(delta.text) for delta in event.deltas):
                return
            since = [delta for delta in live.kept if delta.order >= event.next_order]
        self._begin(event.step, event.attempt)
        self._queue.extendleft(reversed([*event.deltas, *since]))

    # -- what is done ----------------------------------------------------------------------------------

    def _finish(self, message: Message) -> Iterator[int]:
        """A step is done: keep what is known of it, read the rest. Each ``next`` reads a slice and says how long it
        was."""
        step = message.step
        self._turns[step.session] = step.turn
        self._done.add(step)
        live = self._live.get(step.session)
        if live is not None and live.step == step:
            self._close(live, State.DONE)
            del self._live[step.session]
        texts = [block.text for block in message.blocks if block.kind is BlockKind.TEXT and block.text.strip()]
        if any(may_hold_thinking(text) for text in texts):
            self._texts[step] = texts
            self.written.add(step)
        is_forgotten = step.session in self._forgotten and step <= self._forgotten[step.session]
        reasoning = [block for block in message.blocks if block.kind is BlockKind.REASONING and block.text]
        blocks = [] if is_forgotten else reasoning
        known = self._thoughts[step.session]
        self._drop([thought for key, thought in [*known.items()] if key.step == step and key.number >= len(blocks)])
        ends_in_thought = bool(message.blocks) and message.blocks[-1].kind is BlockKind.REASONING
        self._last_block[step.session] = ThoughtId(step, len(blocks) - 1) if blocks and ends_in_thought else None
        for number, block in enumerate(blocks):
            key = ThoughtId(step, number)
            thought = known.get(key)
            if thought is not None and thought.characters == len(block.text):
                continue
            seen = (thought.started, thought.ended) if thought is not None else (None, None)
            times = seen if block.started is None else (block.started, block.ended)
            writer = self._open(key, times[0])
            writer.thought.ended = times[1]
            for start in range(0, len(block.text), _SLICE):
                piece = block.text[start : start + _SLICE]
                self._note(writer.thought, writer.feed(piece))
                yield len(piece)
            self._note(writer.thought, writer.close(State.DONE))

    def _end_turn(self, event: TurnEnd) -> None:
        live = self._live.get(event.session)
        if live is not None and live.step.turn == event.turn:
            self._close(live, State.DONE if event.reason == "completed" else State.STOPPED)
        key = self._last_block.get(event.session)
        thought = self.thought(key) if key is not None and key.step.turn == event.turn else None
        if thought is not None and event.reason != "completed" and thought.state is not State.STOPPED:
            thought.state = State.STOPPED
            self.changed.add(thought.id)
