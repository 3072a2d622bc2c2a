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

    *folded* are the words as cues are written, and *has_cue* says whether one is worth looking for. *paragraph*
    numbers the paragraph; a list and its introduction are one. *section* is the heading over it. What concludes
    begins at *core*.
    """

    words: str
    paragraph: int
    is_point: bool
    section: str
    points: list[Statement] = field(default_factory=list)
    folded: str = ""
    has_cue: bool = False
    doubts: bool = False
    denies: bool = False
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
_ROOM = 30_000
"""So many characters of prose are read, the last: more than a segment has."""
_MOST = 600
"""So many statements are weighed, the last: more than a segment has, if it was written to be read."""
_SHORTEST = 12
"""Columns that must be left of a sentence without its lead."""
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
    statements = list(_read(_latest(blocks)))[-_MOST:]
    for statement in statements:
        _take_lead(statement)
    statements = [statement for statement in statements if statement.words]
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


def _latest(blocks: Sequence[Block]) -> list[Block]:
    """The last blocks, as many as :data:`_ROOM` holds."""
    latest: list[Block] = []
    room = _ROOM
    for block in reversed(blocks):
        if block.kind not in (BlockKind.CODE, BlockKind.TABLE):
            text = "\n".join(block.lines)
            if len(text) >= room:
                latest.append(Block(block.kind, [text[-room:]]))
                break
            room -= len(text) + 1
        latest.append(block)
    return latest[::-1]


def _read(blocks: Sequence[Block]) -> Iterator[Statement]:
    paragraph = 0
    section = ""
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
            section = block.lines[0]
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.POINT):
            continue
        for number, words in enumerate(_sentences(block)):
            last = Statement(words, paragraph, is_point, section)
            if introduction and is_point and number == 0:
                introduction.points.append(last)
            yield last


def _sentences(block: Block) -> Iterator[str]:
    for line in block.lines:
        start = 0
        for end in [*sentence_ends(line), len(line)]:
            if words := unmarked(line[start : min(end, start + _LONGEST)]):
                yield words
            start = end


def _fold(words: str) -> str:
    """*words* as the cues are written; every character keeps its place."""
    folded = words.lower().replace("’", "'")
    return folded if len(folded) == len(words) else words.replace("’", "'")


def _take_lead(statement: Statement) -> None:
    """Takes away what leads the words in ("Okay,", "Wait, no —"), as long as enough is left."""
    words = statement.words
    folded = _fold(words)
    start, lead = 0, 1
    statement.has_cue = cues.anywhere.find(folded) >= 0
    statement.denies = statement.has_cue and cues.taken_back.find(folded) >= 0
    while lead and start < len(words):
        rest = folded[start:]
        denial, doubt = cues.wrong.lead(rest), cues.doubt.lead(rest)
        statement.denies |= denial > 0
        statement.doubts |= doubt > 0
        lead = denial or doubt or cues.filler.lead(rest)
        pause = lead and (cues.pause.match(rest, lead - 1) or cues.pause.match(rest, lead))  # "no," has one itself
        lead = pause.end() if pause else 0
        start += lead
    if columns(words[start:]) < _SHORTEST and (statement.doubts or statement.denies):
        start = 0
    statement.words, statement.folded = words[start:], folded[start:]


def _weigh(statement: Statement, place: int, count: int) -> None:
    words = statement.folded
    lateness = place / max(1, count - 1)
    weight = 0.0
    for kind, table, least in _CONCLUDING:
        core = table.find(words) if statement.has_cue or table is cues.therefore else -1
        statement.core = max(statement.core, core)
        if core >= 0 and (place > 0 or table is not cues.therefore):
            within = 0.8 if core > 0 and table is cues.therefore else 0.0
            statement.kind, weight = kind, max(weight + 0.5, least - within)
    if weight < 3.5 and cues.next_step.lead(words):
        statement.kind, weight = Kind.NEXT, 3.0 if place >= count - _STILL_NEXT - len(statement.points) else 0.0
    if statement.denies or statement.doubts:
        weight = max(weight + 1, 2.5 if statement.denies else 1.0)
    if statement.section and _concludes(_fold(statement.section)):
        weight += 1.5
    if place == count - 1 and not statement.is_point:
        weight = max(weight, 1.2)
    if statement.asks:
        weight = min(weight, 0.5)
    if statement.has_cue and cues.guess.find(words) >= 0:
        weight -= 1.5
    if columns(words) < _SHORT and not statement.points:
        weight -= 1.5
    if statement.introduces:
        weight += 0.5 if statement.points else -2
    statement.weight = weight + 2 * lateness if weight > 0 else weight


def _concludes(heading: str) -> bool:
    return cues.found.find(heading) >= 0 or cues.decided.find(heading) >= 0 or bool(cues.concluding.lead(heading))


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
