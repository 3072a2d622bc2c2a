"""Where a sentence ends, in Chinese, English and their neighbours, and where else prose may be cut if it must be.

A sentence takes with it the quotes and brackets that close it and the blanks after it. A full stop within
``3.14``, ``v2.0.1`` or ``file.py``, after an abbreviation, an initial or the number of an item ends none, nor do dots
in the middle of a sentence. Where it is not sure (``Plan B. Then``), it is no end: there will be another.
"""

from __future__ import annotations

import re

from ..graphemes import is_border

_TERMINATORS = re.compile(r"[.!?。！？｡．؟۔।॥…‼⁇⁈⁉]+")
_CLOSERS = re.compile(r"[」』】〕〗〉》）］｝”’»›)\]}]|([\"'*_`])\1*")
_OPENERS = frozenset("「『【〔〖〈《（［｛“‘«‹([{")
_BLANKS = re.compile(r"[^\S\r\n\u2028\u2029]*(?:\r\n|[\r\n\u2028\u2029])?")
_LINE_END = re.compile(r"\r\n?|[\n\u2028\u2029]")
_WORD_END = re.compile(r"[，、；：]+|\s+")
_WIDE = re.compile(r"[\u2e80-\U0003ffff]")
"""Characters of scripts that put no blanks between sentences."""

_NO_END = re.compile(
    r"(?<![^\W_])(?:(?:[^\W\d_]\.)*[A-Za-z\u00c0-\u024f]"  # initials, and letters with full stops
    r"|eg|ie|cf|vs|viz|approx|ca|resp|incl|excl|esp|dr|mrs?|ms|prof|sr|jr|figs|eqs?|vol|eds|pp|inc|ltd|corp|dept"
    r"|nr|bzw|usw|vgl)\Z",
    re.IGNORECASE,
)
"""What ends with a full stop that ends no sentence: abbreviations."""

_NO_END_BEFORE_NUMBER = re.compile(r"(?<![^\W_])(?:nos?|n|fig|sec|ch|min|max|art|ver)\Z", re.IGNORECASE)
_NUMBER_OF_ITEM = re.compile(r"(?:^|[\r\n])[ \t>]*(?:[-+*][ \t]+)*\d{1,9}\Z")

_REACH = 64
"""How many characters before and after a full stop are looked at."""


def last_place(text: str, start: int, end: int) -> int | None:
    """The best place to cut in (*start*, *end*]: the last end of a sentence or a line. Of the two the sentence, if it
    ends in the second half of text[:*end*]. None if there is none. *end* is before the end of the text."""
    sentence = _last_sentence_end(text, start, end)
    line = _last_end(_LINE_END, text, start, end)
    return (sentence if sentence * 2 >= end else max(sentence, line)) or None


def last_word_end(text: str, end: int) -> int | None:
    """The last end of a word or a part of a sentence in the second half of text[:*end*], if there is one."""
    return _last_end(_WORD_END, text, end // 2, end) or None


def _last_end(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    ends = [found.end() for found in pattern.finditer(text, start, end)]
    return next((place for place in reversed(ends) if is_border(text, place)), 0)


def _last_sentence_end(text: str, start: int, end: int) -> int:
    for found in reversed([*_TERMINATORS.finditer(text, start, end)]):
        after = _after_closers(text, found.end(), end)
        if after <= end and _ends_sentence(text, found.start(), found.end(), after):
            place = _after_blanks(text, after)
            place = place if place <= end else after
            if is_border(text, place):
                return place
    return 0


def _after_blanks(text: str, at: int) -> int:
    """Where the blanks at *at* end, and with them the line if nothing else is on it."""
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _after_closers(text: str, at: int, end: int) -> int:
    """Where what closes a sentence that ends at *at* ends, or a place after *end*. A quote that is the same on both
    sides closes if it does not stand before a word, or if it was opened on the line."""
    while at <= end and (closer := _CLOSERS.match(text, at)):
        following = text[closer.end() : closer.end() + 1]
        if closer[1] and (following.isalnum() or following in _OPENERS) and not _is_open(text, closer[0], at):
            break
        at = closer.end()
    return at


def _is_open(text: str, mark: str, at: int) -> bool:
    line = max(text.rfind("\n", 0, at) + 1, at - 4 * _REACH)
    return text.count(mark, line, at) % 2 == 1


def _ends_sentence(text: str, start: int, end: int, after: int) -> bool:
    """Whether the marks text[*start*:*end*], and what closes a sentence up to *after*, end one."""
    marks = text[start:end]
    following = text[after : after + 1]
    if ".." in marks or "…" in marks:
        return _dots_end_sentence(text, marks, after)
    if not marks.isascii():
        return True
    if following.isspace() or not following:
        return marks != "." or not _is_abbreviation(text, start, after)
    if not _WIDE.match(following):
        return False
    # A letter of a script without blanks may go on after "file.py", or after a word in Latin letters.
    return marks != "." or after > end or _WIDE.match(text[max(0, start - 1) : start]) is not None


def _dots_end_sentence(text: str, marks: str, after: int) -> bool:
    """Dots end a sentence with another mark, at the end of a line, or before a capital after a blank."""
    if not set(marks) <= set(".…"):
        return True
    place = _after_blanks(text, after)
    at_end = place >= len(text) or _LINE_END.match(text[place - 1])
    return bool(at_end) or (place > after and text[place].isupper())


def _is_abbreviation(text: str, at: int, after: int) -> bool:
    """Whether the full stop at *at* belongs to what stands before it."""
    before = text[max(0, at - _REACH) : at]
    if _NO_END.search(before) or _NUMBER_OF_ITEM.search(before):
        return True
    return bool(_NO_END_BEFORE_NUMBER.search(before)) and text[after : after + _REACH].lstrip()[:1].isdigit()
