"""Opens the thoughts in the host's own rows where thinking is always shown (seed 003), by the host's own button.

Invariants
----------
* A thought is pressed open once; from then on its state is the user's, but for one press that closes it when it grows
  too long. What the user pressed is never pressed by us.
* Only what shows is pressed, and nothing gets the focus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..core.items import Place
from ..core.reasoning import HostThought, Length, Press, exceeds, press_of
from ..core.settings import Settings, ShowReasoning
from ..hosts import Host
from . import words
from .dom import Attachments, Element, Interval
from .rows import Rows

Hold = Callable[[Callable[[], None]], None]
"""Does something, and has a place on the page stay where it is on screen meanwhile."""

MORE = "data-thinkfold-more"
"""On the line of a closed thought that is too long to be open by itself: the words that offer all of it."""


@dataclass(slots=True)
class _Known:
    """What is known of one thought. *tokens* are the most that were ever counted."""

    line: Element
    length: Length
    pressed: Press | None = None
    by_hand: bool = False
    tokens: float = 0.0


class HostThoughts:
    """The host's thoughts in one flow.

    *tokens_of* says how many tokens the tap counted (None: it knows nothing), *is_reading* whether the user reads
    an element above the foot of the chat. *hold* has what is read stay in its place while something is pressed.
    """

    def __init__(
        self,
        rows: Rows,
        host: Host,
        attached: Attachments,
        *,
        settings: Settings,
        tokens_of: Callable[[Place], float | None],
        is_reading: Callable[[Element], bool],
        hold: Hold,
    ) -> None:
        self._rows = rows
        self._host = host
        self._settings = settings
        self._tokens_of = tokens_of
        self._is_reading = is_reading
        self._hold = hold
        self._known: dict[Place, _Known] = {}
        self._openable: dict[str, set[Place]] = {}  # row key → its thoughts that are to be open
        self._due: set[Place] = set()
        self._growing: set[Place] = set()  # those that we opened and that are being written
        self._folded: set[str] = set()  # the keys of rows that the host's own fold hides
        self._is_pressing = False
        self._clock = Interval(attached, self._tick, 1000)

    def plan(self, keys: Iterable[str], openable: Iterable[Place]) -> None:
        """Note which thoughts of the rows *keys* are to be open."""
        if self._settings.show_reasoning is not ShowReasoning.ALWAYS:
            return
        for key in keys:
            self._openable[key] = set()
            self._notice_fold(key)
        for place in openable:
            self._openable[place.key].add(place)
            self._due.add(place)

    def _notice_fold(self, key: str) -> None:
        """What the host's own fold hides, the host may close: then it is as if it were made anew."""
        row = self._rows[key].row
        if row.hidden and key not in self._folded:
            self._folded.add(key)
            for part in range(len(row.parts)):
                if (known := self._known.get(Place(key, part))) is not None:
                    known.pressed = None
        elif not row.hidden:
            self._folded.discard(key)

    def set_settings(self, settings: Settings) -> None:
        """Take other settings; the flow is planned again after this."""
        self._settings = settings
        self._openable.clear()
        self._growing.clear()
        self._due.update(self._known)

    def look_again(self) -> None:
        """The host opened or closed a group: thoughts may show that did not."""
        self._due.update(place for places in self._openable.values() for place in places)

    def press(self, hold: Hold | None = None) -> None:
        """Press what is to be pressed, and keep what is read in its place. *hold* is for another place than usual."""
        due, self._due = self._due, set()
        presses = [(known, press) for place in due if (known := self._find(place)) and (press := self._decide(place))]
        self._clock.want(bool(self._growing))
        if not presses:
            return
        (hold or self._hold)(lambda: self._press(presses))

    def _press(self, presses: list[tuple[_Known, Press]]) -> None:
        self._is_pressing = True
        try:
            for known, press in presses:
                known.pressed = press
                known.line.click()
        finally:
            self._is_pressing = False

    @property
    def is_pressing(self) -> bool:
        """True while the clicks that one hears of are ours."""
        return self._is_pressing

    def notice_hand(self, target: Element) -> None:
        """The user clicked *target*, or pressed a key on it."""
        row = target.closest(self._host.row_selector)
        key = self._host.key_of(row) if row else None
        if key is None or key not in self._rows:
            return
        for part, element in enumerate(self._rows[key].parts):
            line = self._host.thought_line_in(element)
            if line and line.contains(target):
                known = self._find(Place(key, part))
                if known is not None:
                    known.by_hand = True

    def forget_gone_rows(self) -> None:
        """Drop what was kept for rows that are gone."""
        self._known = {place: known for place, known in self._known.items() if place.key in self._rows}
        self._openable = {key: places for key, places in self._openable.items() if key in self._rows}
        self._folded = {key for key in self._folded if key in self._rows}

    def clear(self) -> None:
        """Take our marks away; what is open stays as it is."""
        for known in self._known.values():
            known.line.removeAttribute(MORE)
        self._known.clear()

    def _find(self, place: Place) -> _Known | None:
        """What is known of the thought at *place*; where the host made its element anew, only what the user did is
        still true."""
        known = self._known.get(place)
        part = next(self._rows.elements(place.key, place.part), None) if place.key in self._rows else None
        if known is not None and part and part.contains(known.line):
            return known
        line = self._host.thought_line_in(part) if part else None
        if line is None:
            self._growing.discard(place)
            return None
        by_hand = known.by_hand if known is not None else False
        self._known[place] = _Known(line, Length(), by_hand=by_hand)
        return self._known[place]

    def _decide(self, place: Place) -> Press | None:
        known = self._known[place]
        always = self._settings.show_reasoning is ShowReasoning.ALWAYS
        if always and (place not in self._openable.get(place.key, ()) or not known.line.checkVisibility()):
            return None
        parts = self._rows[place.key].row.parts
        running = place.part is not None and parts[place.part].state == "running"
        expanded = known.line.getAttribute("aria-expanded") == "true"
        is_long = always and self._is_long(place, known, expanded=expanded)
        press = press_of(
            self._settings,
            HostThought(expanded, known.pressed, known.by_hand),
            running=running,
            is_long=is_long,
            being_read=is_long and expanded and self._is_reading(self._rows[place.key].parts[place.part or 0]),
        )
        self._mark(known.line, words.word("thinkingShowAll") if is_long and not known.by_hand else "")
        if not always:
            known.pressed = None
            return press
        opens = press is Press.OPEN or (known.pressed is Press.OPEN and expanded)
        if running and opens and press is not Press.CLOSE and not known.by_hand:
            self._growing.add(place)
        else:
            self._growing.discard(place)
        return press

    def _is_long(self, place: Place, known: _Known, *, expanded: bool) -> bool:
        """Closed, the host holds one line of the thought, so what was counted before counts."""
        if self._settings.open_thought_limit and not exceeds(self._settings, known.tokens):
            tokens = self._tokens_of(place)
            if tokens is None and expanded:
                tokens = known.length.of(self._rows[place.key].parts[place.part or 0].textContent)
            known.tokens = max(known.tokens, tokens or 0.0)
        return exceeds(self._settings, known.tokens)

    def _mark(self, line: Element, words_of_mark: str) -> None:
        if (line.getAttribute(MORE) or "") == words_of_mark:
            return
        if words_of_mark:
            line.setAttribute(MORE, words_of_mark)
        else:
            line.removeAttribute(MORE)

    def _tick(self) -> None:
        self._due.update(self._growing)
        self.press()
