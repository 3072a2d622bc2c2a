"""Plain text: no Markdown marks, nothing that hides or turns around what follows, and a line of limited width."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

from ..graphemes import border_before

WIDTH = 160
"""The most columns of a line; a CJK character takes two."""

# Control characters, zero-width and bidirectional ones, tags and lone surrogates. Joiners stay: words need them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]+"
)
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

_MARK = re.compile(r"[`*_\[~]")
_CODE_SPAN = re.compile(r"(``[^\n]+?``|`[^`\n]*+`)")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_LINK_OF_CODE = re.compile(r"\[(`[^`\n]{1,300}`)\]\([^()\s]{0,500}\)")
_STRUCK = re.compile(r"~~[^~\n]+~~")
_EMPHASIS = re.compile(r"(?<![A-Za-z0-9_*])\*(?=[^\s*])([^*\n]{1,300})(?<=\S)\*(?![A-Za-z0-9_*])")
_UNDERLINED = re.compile(r"(?<![A-Za-z0-9_])_(?=[^\s_])([^_\n]{1,300})(?<=\S)_(?![A-Za-z0-9_])")
_STARS = re.compile(r"(?<![A-Za-z0-9_])\*{2,3}|\*{2,3}(?![A-Za-z0-9_])")
_CLAUSE_ENDS = re.compile(r"[，；：。！？、]|[,;:.!?)](?=\s)|(?<=\s)[—–](?=\s)")


def seen(text: str) -> str:
    """*text* with lines that end in a line feed, without what a reader cannot see."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))


def unmarked(text: str) -> str:
    """One line of words: *text* without the marks of emphasis, links and code spans, and without what is struck."""
    if not _MARK.search(text):
        return " ".join(text.split())
    pieces = _CODE_SPAN.split(_LINK_OF_CODE.sub(r"\1", text))
    for number, piece in enumerate(pieces):
        if number % 2:
            pieces[number] = piece.strip("`").strip()
        else:
            words = _STRUCK.sub(" ", _LINK.sub(r"\1", piece))
            pieces[number] = _UNDERLINED.sub(r"\1", _EMPHASIS.sub(r"\1", _STARS.sub("", words)))
    return " ".join("".join(pieces).split())


def columns(text: str) -> int:
    """How many columns *text* takes: two for a wide character."""
    if text.isascii():
        return len(text)
    widths = "".join(map(east_asian_width, text))  # no other width has these letters in its name
    return len(text) + widths.count("W") + widths.count("F")


def cut(text: str, width: int = WIDTH) -> str:
    """*text* in at most *width* columns: where it is longer, the end of a clause or word, and "…"."""
    if columns(text[: width + 1]) <= width and len(text) <= width:
        return text
    room, end = width - 1, 0
    while end < len(text) and room >= (step := columns(text[end])):
        room -= step
        end += 1
    head = text[: border_before(text, end)]
    clause = max((match.start() for match in _CLAUSE_ENDS.finditer(head)), default=0)
    if clause >= end * 0.7:
        return head[:clause].rstrip() + "…"
    if _within_word(text, end):
        blank = head.rfind(" ")
        head = head[:blank] if blank >= end * 0.6 else head
    return head.rstrip(" ,;:，；：、·") + "…"


def _within_word(text: str, end: int) -> bool:
    return end < len(text) and not text[end].isspace() and columns(text[end]) == 1
