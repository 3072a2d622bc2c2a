"""What the tags of a text say: which count, and how surely.

In the seed's reading a tag counts unless it is in code. The tolerant reading also knows tags that are only
spoken of, and closings that count if nothing better comes:

* A tag with a blank on both sides inside a line of prose, or in quotation marks, is a *word*.
* A closing that is a word, or stands in code that the thinking may have opened and never closed, is *weak*: it
  counts unless the dialect's next tag is a sure closing. In a fence it must close more than the fence opens (a
  whole pair is a sample); in a code span it must begin or end a line (a span over two lines is mostly two
  stray backticks).
* An opening that is a word is weak too: it counts only if a sure closing comes that has no other opening.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from .code import Code, Kind
from .dialects import Role, Tag


class Strength(Enum):
    """How surely a sign counts. ``IN_CODE`` is weak, and if it counts its code ends with it."""

    SURE = "sure"
    WEAK = "weak"
    IN_CODE = "in code"


class Sign(NamedTuple):
    """A tag that may count; without a tag, the end of a finished fence. One in code knows the start of the
    outermost *block* that the code is in, and the dialect's next sure tag, if any."""

    start: int
    tag: Tag | None
    strength: Strength = Strength.SURE
    block: int = 0
    followed: Tag | None = None


class Signs(NamedTuple):
    """The signs of a stretch of text, in order, and what may change them although it brings no tag: *at_edge*, any
    next character; *in_open_code*, a backtick, a line, or the end of an
    address."""

    signs: list[Sign]
    at_edge: bool
    in_open_code: bool


def seed_signs(text: str, base: int, tags: Sequence[Tag], code: Sequence[Code], *, more: bool) -> Signs:
    """Every tag that is not in code (seed 000 §4.2)."""
    del more
    inside = _inside(base, tags, code)
    in_open_code = _in_open_code(text, base, tags, inside)
    signs = [Sign(tag.start, tag) for tag, around in zip(tags, inside, strict=True) if around is None]
    return Signs(signs, at_edge=False, in_open_code=in_open_code)


def tolerant_signs(text: str, base: int, tags: Sequence[Tag], code: Sequence[Code], *, more: bool) -> Signs:
    """The signs as this module's head says. *base* is where *text* starts in the message; *more*: it may go on."""
    inside = _inside(base, tags, code)
    at_edge = False
    signs: list[Sign] = [Sign(base + each.end - 1, None) for each in code if each.kind is Kind.FENCE and each.closed]
    depths: Counter[tuple[int, str]] = Counter()
    for tag, around in zip(tags, inside, strict=True):
        start, end = tag.start - base, tag.end - base
        last_on_line = more and _ends_with_blanks(text, end)
        strength: Strength | None
        if around is not None:
            strength = _strength_in_code(text, (start, end), tag, around, depths)
            at_edge |= last_on_line and around.kind is Kind.SPAN
        elif is_word(text, start, end):
            strength = Strength.WEAK
        elif last_on_line:
            at_edge = True  # what comes next may make a word of it
            strength = None if tag.role is Role.OPENING and _follows_prose(text, start) else Strength.SURE
        else:
            strength = Strength.SURE
        if strength is not None:
            signs.append(Sign(tag.start, tag, strength, base + around.block if around is not None else 0))
    signs.sort(key=lambda sign: sign.start)
    return Signs(_with_followers(signs), at_edge, _in_open_code(text, base, tags, inside))


def _inside(base: int, tags: Sequence[Tag], code: Sequence[Code]) -> list[Code | None]:
    """For each tag the code that it is in."""
    result: list[Code | None] = []
    at = 0
    for tag in tags:
        while at < len(code) and code[at].end <= tag.start - base:
            at += 1
        holds = at < len(code) and code[at].start <= tag.start - base
        result.append(code[at] if holds else None)
    return result


def _in_open_code(text: str, base: int, tags: Sequence[Tag], inside: Sequence[Code | None]) -> bool:
    """True if a tag is in a code span that is open, or on an unfinished line that may begin a fence."""
    last_line = base + text.rfind("\n") + 1
    return any(
        around is not None and (tag.start >= last_line if around.kind is Kind.FENCE else not around.closed)
        for tag, around in zip(tags, inside, strict=True)
    )


def _strength_in_code(
    text: str, place: tuple[int, int], tag: Tag, around: Code, depths: Counter[tuple[int, str]]
) -> Strength | None:
    if around.kind is Kind.FENCE:
        key = around.start, tag.dialect.name
        if tag.role is not Role.CLOSING:
            depths[key] += 1
            return None
        if depths[key] == 0:
            return Strength.IN_CODE
        depths[key] -= 1
    elif around.kind is Kind.SPAN and tag.role is Role.CLOSING:
        before, after = _line_around(text, *place)
        ends_line = not after.strip() and text.find("\n", place[1], place[1] + _NEAR) >= 0
        if not before.strip() or ends_line:
            return Strength.IN_CODE
    return None


def _with_followers(signs: Sequence[Sign]) -> list[Sign]:
    """The same signs; those in code know what follows."""
    following: dict[str, Tag] = {}
    result: list[Sign] = []
    for sign in reversed(signs):
        if sign.tag is not None and sign.strength is Strength.IN_CODE:
            result.append(sign._replace(followed=following.get(sign.tag.dialect.name)))
            continue
        if sign.tag is not None and sign.strength is Strength.SURE:
            following[sign.tag.dialect.name] = sign.tag
        result.append(sign)
    return result[::-1]


_NEAR = 200
"""How many characters before and after a tag are looked at."""

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」", "『": "』", "(": ")", "（": "）"}
_AFTER_A_WORD = frozenset(" \t.,;:!?。，、；：！？")


def is_word(text: str, start: int, end: int) -> bool:
    """True if the tag from *start* to *end* is spoken of: it stands between quotation marks, or follows prose and
    a blank and is followed by a blank and more text, or by a punctuation mark."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in _QUOTES and _QUOTES[before] == after:
        return True
    if after not in _AFTER_A_WORD or not after or not _follows_prose(text, start):
        return False
    return not after.isspace() or bool(_line_around(text, start, end)[1].strip())


def _follows_prose(text: str, start: int) -> bool:
    """True if a blank stands before *start*, and words on the same line before it."""
    return text[start - 1 : start] in (" ", "\t") and any(map(str.isalpha, _line_around(text, start, start)[0]))


def _line_around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands on the line before *start* and after *end*, as far as it is near."""
    before = text[max(0, start - _NEAR) : start]
    after = text[end : end + _NEAR]
    return before[before.rfind("\n") + 1 :], after.partition("\n")[0]


def _ends_with_blanks(text: str, start: int) -> bool:
    """True if *text* has nothing but a few blanks from *start* on, and the line does not end there."""
    return len(text) - start < _NEAR and not text[start:].strip(" \t")
