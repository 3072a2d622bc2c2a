"""What a segment states, sentence by sentence, and how much each sentence tells about where the thought went.

A thought is no report: it tries, doubts and takes back. So a sentence weighs by its words ("the root cause is",
"I'll go with", "接下来"), by how late it stands, and by what follows: what is taken back weighs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from ..sentences import sentence_ends
from . import cues
from .blocks import Block, BlockKind
from .plain import columns, unmarked


class Kind(Enum):
    """What a statement is to the thought."""

    REMARK = auto()
    FOUND = auto()
    DECIDED = auto()
    NEXT = auto()


@dataclass(slots=True)
class Statement:
    """A sentence: its *words* without marks and fillers, and the *points* of the list that it introduces.

    *paragraph* numbers the paragraph; a list and its introduction are one. What concludes begins at *core*.
    """

    words: str
    folded: str
    paragraph: int
    is_point: bool = False
    doubts: bool = False
    denies: bool = False
    concludes_section: bool = False
    points: list[str] = field(default_factory=list)
    kind: Kind = Kind.REMARK
    core: int = 0
    weight: float = 0.0

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.words.endswith(("?", "？", "؟"))

    @property
    def introduces(self) -> bool:
        """Whether a list should follow."""
        return self.words.endswith((":", "："))


_CONCLUDING = (
    (Kind.FOUND, cues.therefore, 3.0),
    (Kind.DECIDED, cues.proposed, 3.0),
    (Kind.FOUND, cues.shown, 3.5),
    (Kind.FOUND, cues.found, 5.0),
    (Kind.DECIDED, cues.decided, 4.5),
)
"""What a statement is by its cues, and its least weight then; what stands lower wins."""

CONCLUSION = 3.0
"""The weight from which a statement is a conclusion."""

_LONGEST = 2_000
"""Characters of a sentence that are read; no line shows so many."""
_SHORTEST = 12
"""Columns that must be left of a sentence without its lead."""
_PAUSES = ",，.。—- "
_SHORT = 24
"""Columns of a sentence that hardly says anything."""
_STILL_NEXT = 3
"""What comes next is still to come at the segment's end if it stands in so many last statements."""
_DOUBT = 1.5
"""What a doubt takes from the weight of the two statements before it."""
_REACH = 8
"""So many statements back is looked for what is taken back."""


def read_statements(blocks: Sequence[Block]) -> list[Statement]:
    """The statements of *blocks*, in order and weighed. Linear time."""
    statements = list(_read(blocks))
    for place, statement in enumerate(statements):
        _weigh(statement, place, len(statements))
    doubted: list[Statement] = []
    for place, statement in enumerate(statements):
        if statement.denies and not _answers(statements, place):
            _take_back(statements, place)
        elif statement.doubts:
            doubted = [one for one in statements[max(0, place - 2) : place] if one.paragraph >= statement.paragraph - 1]
            _add(doubted, -_DOUBT)
        elif doubted and cues.confirmed.lead(statement.folded):
            _add(doubted, _DOUBT)
            doubted = []
    return statements


def _add(statements: Sequence[Statement], weight: float) -> None:
    for statement in statements:
        statement.weight += weight


def _read(blocks: Sequence[Block]) -> Iterator[Statement]:
    paragraph = 0
    concludes_section = False
    last: Statement | None = None
    introduction: Statement | None = None
    for block in blocks:
        is_point = block.kind is BlockKind.POINT
        if not is_point:
            introduction = last = None
        elif last and last.introduces and not last.is_point:
            introduction = last
        paragraph += not (is_point and last)
        if block.kind is BlockKind.HEADING:
            heading = fold(block.lines[0])
            concludes_section = cues.found.find(heading) >= 0 or cues.decided.find(heading) >= 0
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.POINT):
            continue
        for number, sentence in enumerate(_sentences(block)):
            statement = _statement(sentence, paragraph)
            statement.is_point = is_point
            statement.concludes_section = concludes_section
            if introduction and is_point and number == 0:
                introduction.points.append(statement.words)
            last = statement
            yield statement


def _sentences(block: Block) -> Iterator[str]:
    for line in block.lines:
        start = 0
        for end in [*sentence_ends(line), len(line)]:
            if words := unmarked(line[start : min(end, start + _LONGEST)]):
                yield words
            start = end


def fold(words: str) -> str:
    """*words* as the cues are written; every character keeps its place."""
    folded = words.lower().replace("’", "'")
    return folded if len(folded) == len(words) else words.replace("’", "'")


def _statement(sentence: str, paragraph: int) -> Statement:
    """*sentence* without what leads it in ("Okay,", "Wait, no —"), as long as enough is left."""
    folded = fold(sentence)
    start, doubts, denies = 0, False, cues.taken_back.find(folded) >= 0
    while start < len(sentence):
        rest = folded[start:]
        denial, doubt = cues.wrong.lead(rest), cues.doubt.lead(rest)
        denies, doubts = denies or denial > 0, doubts or doubt > 0
        lead = denial or doubt or cues.filler.lead(rest)
        pause = cues.pause.match(rest, lead)
        if not lead or not (pause or rest[lead - 1] in _PAUSES):
            break
        start += pause.end() if pause else lead + (len(rest) - lead - len(rest[lead:].lstrip()))
    if columns(sentence[start:]) < _SHORTEST and (doubts or denies):
        start = 0
    return Statement(sentence[start:], folded[start:], paragraph, doubts=doubts, denies=denies)


def _weigh(statement: Statement, place: int, count: int) -> None:
    words = statement.folded
    lateness = place / max(1, count - 1)
    weight = 0.0
    for kind, table, least in _CONCLUDING:
        core = table.find(words)
        if core >= 0 and (place > 0 or table is not cues.therefore):
            within = 0.8 if core > 0 and table is cues.therefore else 0.0
            statement.kind, statement.core, weight = kind, core, max(weight + 1, least - within)
    if weight < 3.5 and cues.next_step.lead(words):
        statement.kind, weight = Kind.NEXT, 3.0 if place >= count - _STILL_NEXT - len(statement.points) else 0.0
    if statement.denies or statement.doubts:
        weight = max(weight + 1, 2.5 if statement.denies else 1.0)
    if statement.concludes_section:
        weight += 1.5
    if place == count - 1:
        weight = max(weight, 1.2)
    if statement.asks:
        weight = min(weight, 0.5)
    if cues.guess.find(words) >= 0:
        weight -= 1.5
    if columns(words) < _SHORT and not statement.points:
        weight -= 1.5
    if statement.introduces:
        weight += 0.5 if statement.points else -2
    statement.weight = weight + 2 * lateness if weight > 0 else weight


def _answers(statements: Sequence[Statement], place: int) -> bool:
    """Whether "No, …" answers a question of its own paragraph, instead of taking something back."""
    before = statements[place - 1] if place else None
    return bool(before and before.asks and not before.doubts and before.paragraph == statements[place].paragraph)


def _take_back(statements: Sequence[Statement], place: int) -> None:
    """Takes the weight from what the statement at *place* denies: the conclusions of its paragraph before it, or,
    where it opens one, of the paragraph before; if there is none, the latest one before that."""
    denial = statements[place]
    opens = place == 0 or statements[place - 1].paragraph != denial.paragraph
    reach = denial.paragraph - opens
    hit = False
    for before in reversed(statements[max(0, place - _REACH) : place]):
        if before.paragraph < reach and hit:
            break
        if before.weight >= CONCLUSION - 1 and not (before.denies and before.paragraph == denial.paragraph):
            hit = True
            before.weight = -1.0
