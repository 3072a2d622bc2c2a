"""Where sentences end, in the languages that models think in.

>>> sentence_ends("It works, e.g. in core.py. 但是太慢！Why?")
[26, 32, 36]
"""

from __future__ import annotations

import re

# A code span counts as one word. Each alternative takes all that it can, so that reading stays linear.
_SIGNS = re.compile(
    r"(?P<code>`[^`\n]*+`)"
    r"|(?P<wide>[。！？｡．।؟]++[.!?。！？…]*+)(?P<wide_close>[\"'”’»)\]）】」』]*+)"
    r"|(?P<narrow>[.!?…]++)(?P<narrow_close>[\"'”’»)\]）】」』*_]*+)"
)
_WORD_BEFORE = re.compile(r"[^\s(（\[\"'“‘]*$")
_ABBREVIATIONS = {
    *("e.g", "i.e", "eg", "ie", "cf", "vs", "etc", "approx", "resp", "inc"),  # English
    *("z.b", "d.h", "bzw", "u.a", "s.o", "vgl", "ca", "usw", "ggf", "evtl"),  # German
    *("p.ex", "c.-à-d", "env", "p.ej", "ej", "aprox", "sr", "sra"),  # French, Spanish, Portuguese
}
_BEFORE_NUMBERS = {"no", "nr", "fig", "eq", "sec", "ch", "p", "pp"}
_TITLES = {"Dr", "Mr", "Mrs", "Ms", "Prof", "St"}
_LONGEST_ABBREVIATION = 12


def sentence_ends(text: str) -> list[int]:
    """The offsets right after each sentence, its closing quotation marks and brackets included, ascending.

    Only punctuation ends a sentence here: a line or a paragraph may end without one. A full stop within a word
    (``core.py``, ``3.14``), after an abbreviation or the number of a list point is none. Linear time.
    """
    ends = []
    for sign in _SIGNS.finditer(text):
        if sign["wide"] or (sign["narrow"] and _ends_narrow(text, sign)):
            ends.append(sign.end())
    return ends


def _ends_narrow(text: str, sign: re.Match[str]) -> bool:
    end = sign.end()
    following = text[end : end + 2]
    if following and not following[0].isspace():
        return sign["narrow"][-1] in "!?…" and "\u3040" <= following[0] <= "\u9fff"
    if sign["narrow"] != ".":
        return not (sign["narrow"][-1] in ".…" and following[1:].islower())  # "well … yes" goes on
    before = _WORD_BEFORE.search(text, max(0, sign.start() - _LONGEST_ABBREVIATION), sign.start())
    word = before[0] if before else ""
    if word.lower() in _ABBREVIATIONS or word in _TITLES or (len(word) == 1 and word.isalpha() and word.isupper()):
        return False
    if word.lower() in _BEFORE_NUMBERS and text[end : end + 2].strip().isdigit():
        return False
    line_start = sign.start() - len(word)
    return not (word.isdigit() and not text[max(0, line_start - 1) : line_start].strip(" \t"))
