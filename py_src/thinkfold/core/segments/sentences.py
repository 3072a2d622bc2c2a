"""Where a sentence ends, in Chinese, English and their neighbours, and where else prose may be cut if it must be.

A sentence takes with it the quotes and brackets that close it and the blanks after it. A full stop within
``3.14``, ``v2.0.1`` or ``file.py``, after an abbreviation, an initial or the number of an item, ends none, nor do dots
in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .graphemes import is_border

_ABBREVIATIONS = frozenset(
    [
        "e.g",
        "i.e",
        "eg",
        "ie",
        "cf",
        "vs",
        "viz",
        "approx",
        "ca",
        "resp",
        "incl",
        "excl",
        "esp",
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "sr",
        "jr",
        "fig",
        "figs",
        "eq",
        "eqs",
        "sec",
        "ch",
        "vol",
        "ed",
        "eds",
        "pp",
        "al",
        "inc",
        "ltd",
        "co",
        "corp",
        "dept",
        "est",
        "min",
        "max",
        "no",
        "nos",
        "nr",
        "z.b",
        "d.h",
        "u.a",
        "bzw",
        "usw",
        "vgl",
        "p.ex",
        "sig",
        "av",
        "ej",
        "p.ej",
    ]
)
"""Before a full stop, in small letters. Some end sentences too; then the next end is taken."""

_ALSO_WORDS = frozenset({"no", "nos", "min", "max", "co", "fig", "sec", "ch", "ed", "st", "al", "sig", "est", "av"})
"""Abbreviations that are words as well: before a number they are none."""

_TERMINATORS = re.compile(r"[.!?。！？｡．؟۔।॥…‼⁇⁈⁉]+")
_CLOSERS = re.compile(r"[」』】〕〗〉》）］｝”’»›)\]}]|([\"'*_`])\1*")
_BLANKS = re.compile(r"[^\S\r\n\u2028\u2029]*(?:\r\n|[\r\n\u2028\u2029])?")
_LINE_END = re.compile(r"\r\n?|[\n\u2028\u2029]")
_CLAUSE_END = re.compile(r"[，、；：]+|(?<=[,;:])\s+|\s+")
_WORD = re.compile(r"[^\W_](?:[^\W_]|\.(?=[^\W_]))*\Z")
_NUMBERED = re.compile(r"[ \t>]*(?:[-+*][ \t]+)*\d{1,9}\Z")
_WIDE = re.compile(r"[\u2e80-\U0003ffff]")
"""Characters of scripts that put no blanks between sentences."""

_REACH = 64
"""How many characters before a full stop are looked at."""


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """The places in (*start*, *end*] before which a sentence ends, in order."""
    for found in _TERMINATORS.finditer(text, start, end):
        after = _after_closers(text, found.end())
        if _ends_sentence(text, found.start(), found.end(), after):
            blanks = _BLANKS.match(text, after)
            place = blanks.end() if blanks else after
            if place > end:
                place = after
            if place <= end and is_border(text, place):
                yield place


def last_place(text: str, start: int, end: int) -> int | None:
    """The best place to cut in (*start*, *end*]: the last end of a sentence or a line. Of the two the sentence, if it
    ends in the second half of text[:*end*]. None if there is none."""
    sentence = max(sentence_ends(text, start, end), default=0)
    line = _last_end(_LINE_END, text, start, end)
    place = sentence if sentence * 2 >= end else max(sentence, line)
    return place or None


def last_word_end(text: str, start: int, end: int) -> int | None:
    """The last end of a clause or word in the second half of text[:*end*], after *start*, if there is one."""
    return _last_end(_CLAUSE_END, text, max(start, end // 2), end) or None


def _last_end(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    ends = (found.end() for found in pattern.finditer(text, start, end))
    return max((place for place in ends if is_border(text, place)), default=0)


def _after_closers(text: str, at: int) -> int:
    """Where what closes a sentence that ends at *at* ends. A quote that is the same on both sides closes if it does
    not stand before a word, or if it was opened on the line."""
    while closer := _CLOSERS.match(text, at):
        if closer[1]:
            following = text[closer.end() : closer.end() + 1]
            if (following.isalnum() or following in _OPENERS) and not _is_open(text, closer[0], at):
                break
        at = closer.end()
    return at


_OPENERS = frozenset("「『【〔〖〈《（［｛“‘«‹([{")


def _is_open(text: str, mark: str, at: int) -> bool:
    line = max(text.rfind("\n", 0, at) + 1, at - 4 * _REACH)
    return text.count(mark, line, at) % 2 == 1


def _ends_sentence(text: str, start: int, end: int, after: int) -> bool:
    marks = text[start:end]
    following = text[after : after + 1]
    at_end = not following or following.isspace()
    if "…" in marks or ".." in marks:
        return _dots_end_sentence(text, marks, after)
    if not marks.isascii():
        return True
    if not (at_end or _WIDE.match(following)):
        return False
    if marks[-1] != "." or len(marks) > 1:
        return True
    if not at_end and after == end:  # "file.py" in a script without blanks is followed by a letter of another
        return _WIDE.match(text[start - 1 : start]) is not None
    return not _is_abbreviation(text, start, after)


def _dots_end_sentence(text: str, marks: str, after: int) -> bool:
    """Dots end a sentence with another mark, at the end of a line, or before a capital after a blank."""
    if any(mark in marks for mark in "!?！？。"):
        return True
    blanks = _BLANKS.match(text, after)
    place = blanks.end() if blanks else after
    if place >= len(text) or text[place - 1] in "\r\n\u2028\u2029" or text[place] in "\r\n":
        return True
    return place > after and text[place].isupper()


def _is_abbreviation(text: str, at: int, after: int) -> bool:
    """Whether the full stop at *at* belongs to the word before it."""
    before = text[max(0, at - _REACH) : at]
    line = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    if _NUMBERED.match(line) and (len(line) < _REACH):
        return True  # the number of an item
    found = _WORD.search(line)
    if not found:
        return False
    word = found[0].lower()
    following = text[after:].lstrip(" \t")[:1] if after + 8 > len(text) else text[after : after + 8].lstrip(" \t")[:1]
    if word in _ALSO_WORDS:
        return following.isdigit()
    if word in _ABBREVIATIONS:
        return True
    return (len(word) == 1 and word.isalpha() and word.isascii()) or re.fullmatch(
        r"[^\W\d_](\.[^\W\d_])+", word
    ) is not None


Place = Callable[[str, int, int], int | None]
PLACES: tuple[Place, ...] = (last_place, last_word_end)
"""Where to cut, the best first."""
