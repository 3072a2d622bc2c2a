"""Where a text may be cut without taking apart what a person sees as one character.

After Unicode's rules for grapheme clusters (UAX 29), as far as the standard library knows the characters: where it
does not, two characters stay together that could be parted, never the other way round.
"""

from __future__ import annotations

import unicodedata

_JOINER = 0x200D
_JOINED = frozenset((0x200C, _JOINER, 0x0E33, 0x0EB3, 0xFF9E, 0xFF9F))
"""What stays with the character before it although it is no mark by its category: joiners, vowels of Thai and Lao,
Japanese voicing signs of half width."""

_LEADING = frozenset((*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD))
"""Signs of Arabic and other scripts that stay with the number after them."""


def is_border(text: str, at: int) -> bool:
    """Whether *text* may be cut before the character at *at*, by what stands before it and by that character."""
    if not 0 < at < len(text):
        return True
    before, after = ord(text[at - 1]), ord(text[at])
    if before < 0x80 and after < 0x80:
        return not (before == 0x0D and after == 0x0A)
    if 0xD800 <= before < 0xE000 or 0xD800 <= after < 0xE000:
        return _is_border_of_halves(text, at)
    if _is_line_end(before) or _is_line_end(after):
        return True
    if _is_regional(before) and _is_regional(after):
        start = at - 1
        while start > 0 and _is_regional(ord(text[start - 1])):
            start -= 1
        return (at - start) % 2 == 0
    conjunct = unicodedata.combining(text[at - 1]) == 9 and unicodedata.category(text[at]) == "Lo"  # in Indic scripts
    return not (
        before == _JOINER or before in _LEADING or _extends(after) or conjunct or _is_one_syllable(before, after)
    )


def border_before(text: str, at: int) -> int:
    """The last place up to *at* where the text may be cut; 0 if there is none."""
    while at > 0 and not is_border(text, at):
        at -= 1
    return at


def border_after(text: str, at: int) -> int:
    """The first place after *at* where the text may be cut; its end if there is none before."""
    at += 1
    while at < len(text) and not is_border(text, at):
        at += 1
    return min(at, len(text))


def _is_border_of_halves(text: str, at: int) -> bool:
    """The same where characters are given in two halves, as JavaScript may do."""
    if "\ud800" <= text[at - 1] < "\udc00" <= text[at] < "\ue000":
        return False
    before, after = (
        part.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        for part in (text[max(0, at - _FAR) : at], text[at : at + 2])
    )
    return is_border(before + after[:1], len(before))


_FAR = 256
"""How far back halves of characters are put together: further than any character reaches."""


def _is_line_end(code: int) -> bool:
    return code in (0x0A, 0x0D, 0x2028, 0x2029)


def _extends(code: int) -> bool:
    return (
        unicodedata.category(chr(code))[0] == "M"
        or code in _JOINED
        or 0x1F3FB <= code <= 0x1F3FF  # skin tones
        or 0xE0020 <= code <= 0xE007F  # the letters within a flag
    )


def _is_regional(code: int) -> bool:
    return 0x1F1E6 <= code <= 0x1F1FF


def _is_one_syllable(before: int, after: int) -> bool:
    """Whether two parts of a Korean syllable belong together."""
    if 0x1100 <= before <= 0x115F or 0xA960 <= before <= 0xA97C:  # a leading consonant
        return (
            0x1100 <= after <= 0x115F
            or 0xA960 <= after <= 0xA97C
            or 0x1160 <= after <= 0x11A7
            or 0xD7B0 <= after <= 0xD7C6
            or 0xAC00 <= after <= 0xD7A3
        )
    if 0x1160 <= before <= 0x11A7 or 0xD7B0 <= before <= 0xD7C6 or _is_open_syllable(before):
        return 0x1160 <= after <= 0x11FF or 0xD7B0 <= after <= 0xD7FB
    if 0x11A8 <= before <= 0x11FF or 0xD7CB <= before <= 0xD7FB or 0xAC00 <= before <= 0xD7A3:
        return 0x11A8 <= after <= 0x11FF or 0xD7CB <= after <= 0xD7FB
    return False


def _is_open_syllable(code: int) -> bool:
    return 0xAC00 <= code <= 0xD7A3 and (code - 0xAC00) % 28 == 0
