"""Sums up a segment of a long thought at once, without a model: where did the thought go? (seed 004)

The lines are taken from the text, never put into words of our own, so they are in its language. Read the modules
in the order in which a text passes through them: :mod:`plain` takes away what is not seen, :mod:`blocks` divides
it, :mod:`statements` weighs each sentence by the words in :mod:`cues`, and :mod:`structure` says what code, tables
and names have to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..segments import Segment
from . import cues
from .blocks import Block, BlockKind, read_blocks
from .plain import WIDTH, columns, cut, seen, unmarked
from .statements import CONCLUSION, Statement, read_statements
from .structure import code_line, names_line, table_line

__all__ = ["MOST_LINES", "WIDTH", "summarize"]

MOST_LINES = 3
"""The most lines of a summary."""

_POINT_WIDTH = 60
_POINT_ENDS = ".;,。；，"
_MOST_POINTS = 20
_ENOUGH_WORDS = 12
"""Columns that a line needs to say something."""
_FEW = 3
_TASK_AND_MORE = 2
_WORTH_A_LINE = 4.0
"""The weight from which an outcome says more than what comes up."""
_CANDIDATES = 12
_ALIKE = 0.6
_WORD = re.compile(r"[^\W_]{3,}")
_CLAUSE_STARTS = ",;，；：—–。…"


def summarize(segment: Segment) -> str:
    """At most three lines of plain text, joined by line feeds, of at most ``WIDTH`` columns: what the segment is
    about, then what was found, decided or is to be done next, in the order of the text. A line is to be shown as
    text, never as HTML. Empty for a text without words. Linear time, never raises."""
    blocks = read_blocks(seen(segment.text))
    statements = read_statements(blocks)
    code = [block for block in blocks if block.kind is BlockKind.CODE and any(map(str.strip, block.lines))]
    tables = [block for block in blocks if block.kind is BlockKind.TABLE]
    structured = [
        line for line in ([code_line(code)] if code else []) + [table_line(table) for table in tables] if line
    ]
    in_structure = sum(columns(line) for block in code + tables for line in block.lines)
    mostly_structure = in_structure > sum(columns(statement.words) for statement in statements)

    lines = structured[: MOST_LINES - 1] if mostly_structure else []
    lines += _lines_of(blocks, statements, MOST_LINES - len(lines), is_first=segment.start == 0)
    lines += [] if mostly_structure else structured
    lines = [line for line in map(cut, lines) if _has_words(line)][:MOST_LINES]
    if len(lines) < MOST_LINES and len(statements) > _FEW:
        names = names_line(statement.words for statement in statements)
        lines += [cut(names)] if any(name not in " ".join(lines) for name in names.split(" · ")) else []
    return "\n".join(dict.fromkeys(lines)) or cut(_any_words(blocks))


def _has_words(line: str) -> bool:
    return any(map(str.isalnum, line))


def _any_words(blocks: Sequence[Block]) -> str:
    """Words of a text that says nothing ("Okay.")."""
    return next((words for block in blocks if _has_words(words := unmarked("".join(block.lines[:1])))), "")


def _lines_of(blocks: Sequence[Block], statements: Sequence[Statement], most: int, *, is_first: bool) -> list[str]:
    """What the words say, in at most *most* lines: the headings or the sentence that says what it is about, and
    what came of it. Where a thought goes on, a third outcome says more than a sentence from its midst."""
    headings = dict.fromkeys(unmarked(block.lines[0]) for block in blocks if block.kind is BlockKind.HEADING)
    if headings:
        most -= 1
    elif statements and all(statement.is_point for statement in statements):
        return [_points(statements), *map(_line, _outcomes(statements, most - 1))]
    topic = _topic(statements, is_first=is_first)
    if topic and is_first and statements[-1].paragraph > _TASK_AND_MORE:  # the task is told first
        statements = [one for one in statements if one is topic or one.paragraph != topic.paragraph]
    outcomes = _outcomes(statements, most)
    if topic and not headings and not any(topic is outcome for outcome in outcomes):
        weakest = min((outcome.weight for outcome in outcomes), default=0)
        if is_first or (cues.about.lead(topic.folded) and weakest < _WORTH_A_LINE):
            outcomes = _outcomes(statements, most - 1)
    if topic and len(outcomes) < most and not any(topic is outcome for outcome in outcomes):
        outcomes = [topic, *outcomes]
    about = [" · ".join(filter(None, headings))] if headings else []
    return [*about, *map(_line, outcomes)]


def _topic(statements: Sequence[Statement], *, is_first: bool) -> Statement | None:
    """The first sentence that says something. Where a thought goes on, rather one soon after it that says what comes
    up."""
    telling = [statement for statement in statements[:4] if columns(statement.words) >= _ENOUGH_WORDS]
    naming = [statement for statement in telling if cues.about.lead(statement.folded) and not is_first]
    return next(iter(naming + telling), None)


def _outcomes(statements: Sequence[Statement], most: int) -> list[Statement]:
    """The conclusions that weigh most, none twice, in the order of the text."""
    heaviest = sorted(reversed(statements), key=lambda statement: -statement.weight)[:_CANDIDATES]
    left = [statement for statement in heaviest if statement.weight >= CONCLUSION]
    chosen: list[Statement] = []
    while left and len(chosen) < most:
        kinds = {statement.kind for statement in chosen}
        best = max(left, key=lambda statement: statement.weight + (statement.kind not in kinds))
        chosen.append(best)
        left = [statement for statement in left if statement is not best and not _alike(statement, best)]
    return [statement for statement in statements if any(statement is one for one in chosen)]


def _alike(one: Statement, other: Statement) -> bool:
    words, others = _words(one), _words(other)
    return len(words & others) >= _ALIKE * min(len(words), len(others))


def _words(statement: Statement) -> set[str]:
    """The words of *statement*; of a language without blanks, its pairs of characters."""
    text = statement.folded + " ".join(point.folded for point in statement.points[:_MOST_POINTS])
    wide = [char for char in text if char > "\u2e7f"]
    return {*_WORD.findall(text), *map("".join, pairwise(wide))}


def _line(statement: Statement) -> str:
    """*statement* with its points, and from the clause that concludes on if all of it is too long."""
    words = statement.words
    if statement.points:
        return words + ("" if words.endswith("：") else " ") + _points(statement.points)
    if columns(words) > WIDTH:
        start = max(words.rfind(sign, 0, statement.core + 1) for sign in _CLAUSE_STARTS) + 1
        if columns(words[start:]) >= WIDTH / 4:
            words = words[start:].lstrip()
    return words


def _points(statements: Sequence[Statement]) -> str:
    return " · ".join(cut(statement.words.rstrip(_POINT_ENDS), _POINT_WIDTH) for statement in statements[:_MOST_POINTS])
