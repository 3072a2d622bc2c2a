"""About how many tokens a text is, whole or as it streams, without the model's vocabulary (seed 004).

    counter = TokenCounter()
    for delta in deltas:
        counter.feed(delta)
    counter.tokens  # about 1800.0

A text is cut into the pieces that a byte-level tokenizer would merge letters within: a word with the blank or the
mark before it, up to three digits, a run of punctuation, a run of blanks. Each kind of piece has a cost. The pieces
are close to what DeepSeek's tokenizer really cuts; the costs are averages of what it makes of them, fitted to
texts of many kinds (``docs/tokens.md`` has the errors and the benchmark).

The last piece of a stream may still grow, so it is counted for what it is, and again when more has come. That makes
the sum the same for any splitting. Pieces have a greatest length, so a counter holds no more than one piece.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

MARKS = r"!-/:-@\[-`{-~"  # ASCII punctuation, inside a character class
UPPER = "A-ZÀ-ÖØ-Þ"
LOWER = "a-zß-öø-ɏḀ-ỿ"  # the letters beyond Latin-1 have both cases mixed; that hardly matters
IDEOGRAPHS = "㐀-䶿一-鿿"
KANA = "ぁ-ヿ"
WIDE_MARKS = "‐-‧‹›«»、-〟！-／：-＠"  # dashes, quotation marks, what CJK texts punctuate with
JOINER = "\u200d"  # makes one emoji of several
EMOJI = 2.2  # tokens; a half of its surrogate pair is half of that
LONGEST = 64  # characters that one part of a piece has at most
BATCH = 1 << 16  # characters that are cut into pieces at a time

LINE = re.compile(r"(.)\1{2,}")  # of one mark
ACCENTED = re.compile(r"[^\x00-\x7f]")


def cost_of_word(piece: str) -> float:
    """A word in lower case, or with a capital: common ones are one token, and long ones after a blank mostly are."""
    first = piece[0]
    letters = len(piece) - (not first.isalpha())
    if first.isalpha():
        cost = 1 + 0.15 * max(0, letters - 5)
    elif first in " \t":
        capital = piece[1].isupper()  # inside a sentence that is a name, or German
        cost = 1 + (0.32 * max(0, letters - 4) if capital else 0.2 * max(0, letters - 6))
    else:
        cost = 1.2 + 0.22 * max(0, letters - 4) + (0.5 if piece[1].isupper() else 0)
    return cost + (1 if ACCENTED.search(piece) else 0)


def cost_of_capitals(piece: str) -> float:
    """A word in capitals: an abbreviation, a constant, or letters of an encoded string."""
    letters = len(piece) - (not piece[0].isalpha())
    return 1 + 0.35 * max(0, letters - 2) + (0 if piece[0].isalpha() or piece[0] == " " else 0.4)


def cost_of_cyrillic(piece: str) -> float:
    """A word in Cyrillic letters."""
    return 1 + 0.22 * max(0, len(piece.lstrip(" ")) - 3)


def cost_of_hangul(piece: str) -> float:
    """A word in hangul: more than a token for two syllables, because its endings vary."""
    return 0.5 + 0.65 * len(piece.lstrip(" "))


def cost_of_cjk(piece: str) -> float:
    """Ideographs and kana between marks. In a long run more ideographs are part of a common word, or particles."""
    kana = sum("ぁ" <= character <= "ヿ" for character in piece)
    ideographs = len(piece) - kana
    return 0.67 * min(ideographs, 6) + 0.42 * max(0, ideographs - 6) + 0.6 * kana


def cost_of_letters(piece: str) -> float:
    """Letters of any other alphabet: one or two characters a token."""
    return max(1.0, 0.55 * len(piece.lstrip(" ")))


def cost_of_marks(piece: str) -> float:
    """Punctuation: two or three marks often are one token, a line of one mark is, and in a table's rule each is."""
    marks = piece.strip(" \r\n")
    changes = sum(a != b for a, b in pairwise(marks))
    lines = len(LINE.findall(marks)) if changes else 0
    return 1 + 0.35 * max(0, changes - 1) + lines


def cost_of_wide_marks(piece: str) -> float:
    """Punctuation beyond ASCII: mostly a token each."""
    return float(len(piece.strip(" \r\n")))


def cost_of_symbol(piece: str) -> float:
    """A single character of any other kind, by how much of its bytes the vocabulary has to spell out."""
    character = piece[-1]
    if unicodedata.category(character)[0] == "M" or character == JOINER:
        return 0.6 if len(piece) == 1 else 1.0  # a blank before it was one token, and no text gets cheaper by more
    if character < "\u0400":
        return 1.0
    if unicodedata.category(character) == "Cs":
        return EMOJI / 2
    if character < "\U00010000":
        return 1.5
    return EMOJI if character < "\U00020000" else 4.0  # from there on rare ideographs


def cost_of_one(_piece: str) -> float:
    """What is one token however long it is."""
    return 1.0


Cost = Callable[[str], float]
# The first that matches counts. In this order, because a mark right before letters belongs to them.
KINDS: tuple[tuple[str, str, Cost], ...] = (
    ("word", rf"[ \t{MARKS}]?[{UPPER}]?[{LOWER}]{{1,{LONGEST}}}", cost_of_word),
    ("capitals", rf"[ \t{MARKS}]?[{UPPER}]{{1,{LONGEST}}}", cost_of_capitals),
    ("cyrillic", rf" ?[Ѐ-ӿ]{{1,{LONGEST}}}", cost_of_cyrillic),
    ("hangul", rf" ?[ᄀ-ᇿ가-힣]{{1,{LONGEST}}}", cost_of_hangul),
    ("cjk", rf"[{IDEOGRAPHS}{KANA}]{{1,{LONGEST}}}", cost_of_cjk),
    ("letters", rf" ?[^\W\d_{IDEOGRAPHS}{KANA}Ａ-ｚ\U00010000-\U0010ffff]{{1,{LONGEST}}}", cost_of_letters),
    ("digits", r"[0-9]{1,3}", cost_of_one),
    ("marks", rf" ?[{MARKS}]{{1,{LONGEST}}}[\r\n]{{0,{LONGEST}}}", cost_of_marks),
    ("wide_marks", rf" ?[{WIDE_MARKS}]{{1,{LONGEST}}}[\r\n]{{0,{LONGEST}}}", cost_of_wide_marks),
    ("line_ends", rf"[ \t]{{0,{LONGEST}}}[\r\n]{{1,{LONGEST}}}", cost_of_one),
    ("blanks", rf"\s{{1,{LONGEST}}}(?!\S)", cost_of_one),
    ("symbol", r" ?[^\s\w]|.", cost_of_symbol),
)
PIECE = re.compile("|".join(pattern for _, pattern, _ in KINDS), re.DOTALL)
KIND = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern, _ in KINDS), re.DOTALL)
COST = {name: cost for name, _, cost in KINDS}


@lru_cache(maxsize=4096)
def cost_of(piece: str) -> float:
    """Tokens of one piece that :data:`PIECE` found."""
    match = KIND.match(piece)
    assert match is not None and match.lastgroup is not None, "every character is of some kind"
    return COST[match.lastgroup](piece)


class TokenCounter:
    """Counts a text that comes in deltas. Any splitting gives the same total, but for what floats round."""

    def __init__(self) -> None:
        self._closed = 0.0  # tokens of the pieces that can no longer grow
        self._open = ""  # the last piece so far

    @property
    def tokens(self) -> float:
        """Tokens so far, not rounded."""
        return self._closed + (cost_of(self._open) if self._open else 0.0)

    def feed(self, text: str) -> float:
        """Count *text* as what comes next, whatever is in it. Returns what that added, in tokens."""
        before = self.tokens
        for at in range(0, len(text), BATCH):
            *closed, self._open = PIECE.findall(self._open + text[at : at + BATCH])
            self._closed += sum(map(cost_of, closed))
        return self.tokens - before


def count_tokens(text: str) -> float:
    """About how many tokens *text* is, not rounded. Any text is counted, also one with halves of surrogate pairs."""
    return TokenCounter().feed(text)
