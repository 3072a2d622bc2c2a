"""How models mark their thinking: the dialects, as data, and the finder that meets their tags in a text.

To teach a new one, add a line to :data:`TOLERANT` and a case to ``tests/unit/cases/thinking.txt``.

A pattern must know its own end: text that comes later in a stream may neither lengthen a match nor undo it. So a
tag ends with its bracket, a marker that is a line ends with the line break, and where the next character
matters the pattern asks for one. No match holds a blank line, or is longer than :data:`LONGEST_TAG`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

LONGEST_TAG = 256
"""Characters. What is longer is no tag, so that a stream is not held up by a lone bracket."""


class Role(Enum):
    """What a tag does. A *nested* one opens an ordinary element which ends like the thinking does."""

    OPENING = "o"
    CLOSING = "c"
    NESTED = "n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One pair of marks. Pairs never cross: only a dialect's own closing ends what it opened.

    *opening*, *closing* and *nested* are regular expressions (ASCII letters in either case, ``^`` is the start
    of a line). *beginnings* are the plain characters with which the tags begin, by which a tag that is still
    arriving is known. *closes_alone*: a closing without an opening may mean that a prompt template held the
    opening. *leads*: the opening counts only where nothing stands before it. *preface* is markup that stands
    before the thinking and is no part of it; *quoted*: the thinking is a block quote, whose marks are no part
    of it.
    """

    name: str
    opening: str
    closing: str
    beginnings: tuple[str, ...]
    nested: str = ""
    closes_alone: bool = True
    leads: bool = False
    preface: str = ""
    quoted: bool = False


class Tag(NamedTuple):
    """A tag in a text, from *start* to *end*, in code points from the start of the message."""

    start: int
    end: int
    role: Role
    dialect: Dialect


_BLANKS = r"[ \t]*+(?:\r?\n)?[ \t]*+"  # no blank line
_ATTRIBUTES = rf"""(?:(?=\s){_BLANKS}[\w:.-]++{_BLANKS}=(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>/]++))*+{_BLANKS}"""


def _exact(name: str) -> Dialect:
    """``<name>`` and ``</name>``, as seed 000 §4.1 has them."""
    return Dialect(name, f"<{name}>", f"</{name}>", (f"<{name}>", f"</{name}>"))


def _element(name: str) -> Dialect:
    """The same with attributes and blanks in the tag."""
    return Dialect(name, f"<{name}{_ATTRIBUTES}>", f"</{name}{_BLANKS}>", (f"<{name}", f"</{name}"))


class Dialects:
    """A set of dialects, ready to be looked for."""

    def __init__(self, *dialects: Dialect) -> None:
        self._by_number = dialects
        self.beginnings = tuple(each.lower() for dialect in dialects for each in dialect.beginnings)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All tags in one expression; a match's ``lastgroup`` is a role's letter and a dialect's number."""
        groups = (
            f"(?P<{role.value}{number}>{pattern})"
            for number, dialect in enumerate(self._by_number)
            for role, pattern in (
                (Role.OPENING, dialect.opening),
                (Role.CLOSING, dialect.closing),
                (Role.NESTED, dialect.nested),
            )
            if pattern
        )
        return re.compile("|".join(groups), re.IGNORECASE | re.ASCII | re.MULTILINE)

    @cached_property
    def first_two(self) -> re.Pattern[str]:
        """The first two characters of any tag: a fast look before the pattern is tried."""
        pairs = {(each[0], each[1]) for each in self.beginnings}
        by_first = {first: "".join(b for a, b in sorted(pairs) if a == first) for first, _ in sorted(pairs)}
        each = (f"{re.escape(first)}[{re.escape(seconds)}]" for first, seconds in by_first.items())
        return re.compile("|".join(each), re.IGNORECASE | re.ASCII)

    def tags(self, text: str, start: int = 0) -> Iterator[Tag]:
        """All tags of *text* from *start* on, in order."""
        while hint := self.first_two.search(text, start):
            match = self.pattern.match(text, hint.start())
            if match is None or match.end() - match.start() > LONGEST_TAG:
                start = hint.start() + 1
                continue
            start = match.end()
            group = match.lastgroup or ""
            yield Tag(match.start(), match.end(), Role(group[0]), self._by_number[int(group[1:])])

    def unfinished(self, text: str) -> int:
        """How many of the last characters of *text* may be the beginning of a tag."""
        for match in self._firsts.finditer(text, max(0, len(text) - LONGEST_TAG)):
            if self._may_become_a_tag(text[match.start() :].lower()):
                return len(text) - match.start()
        return 0

    @cached_property
    def _firsts(self) -> re.Pattern[str]:
        return re.compile(f"[{re.escape(''.join(sorted({each[0] for each in self.beginnings})))}]")

    def _may_become_a_tag(self, rest: str) -> bool:
        for beginning in self.beginnings:
            if beginning.startswith(rest):
                return True
            if beginning[-1] == "\n" and rest.rstrip(" \t\r") == beginning[:-1]:
                return True
            if rest.startswith(beginning) and _OPEN_ENDED.fullmatch(rest, len(beginning)):
                return beginning[-1].isalnum()
        return False


_OPEN_ENDED = re.compile(r"(?:\s[^<>]*)?")


class TagFinder:
    """Finds the tags of a text that arrives in pieces, each once, as soon as it is complete."""

    def __init__(self, dialects: Dialects) -> None:
        self._dialects = dialects
        self._tail = ""  # the last characters: as many as a tag may have, and the one before them
        self._tail_start = 0
        self._from = 0  # where the next tag may start, from the start of the message

    def feed(self, text: str) -> list[Tag]:
        """The tags that *text* completes."""
        window = self._tail + text
        offset = self._tail_start
        found = [
            Tag(offset + start, offset + end, role, dialect)
            for start, end, role, dialect in self._dialects.tags(window, self._from - offset)
        ]
        end = offset + len(window)
        self._from = max([self._from, end - LONGEST_TAG, *(tag.end for tag in found[-1:])])
        self._tail_start = max(offset, end - LONGEST_TAG - 1)
        self._tail = window[self._tail_start - offset :]
        return found

    def unfinished(self) -> int:
        """How many of the last characters may be the beginning of a tag."""
        return self._dialects.unfinished(self._tail[max(0, self._from - self._tail_start) :])


SEED = Dialects(_exact("think"), _exact("thinking"), _exact("reasoning"))
"""What seed 000 §4.1 reads."""

TOLERANT = Dialects(
    _element("think"),
    _element("thinking"),
    _element("reasoning"),
    _element("thought"),
    _element("seed:think"),
    # Before "(", "[" or ":" it would be the label of a Markdown link.
    Dialect("[THINK]", r"\[THINK\](?=[^(\[:])", r"\[/THINK\]", ("[THINK]", "[/THINK]")),
    Dialect("◁think▷", "◁think▷", "◁/think▷", ("◁think▷", "◁/think▷")),
    Dialect(
        "details",
        r"""<details(?=[^<>\n]*?[ \t]type=["']?reasoning["' \t>])[^<>\n]*+>""",
        f"</details{_BLANKS}>",
        ("<details", "</details"),
        nested=r"<details(?:[ \t][^<>\n]*+)?>",
        closes_alone=False,
        preface=r"\s*+<summary[^<>]*+>[^<]*+</summary>",
        quoted=True,
    ),
    Dialect(
        "<|channel|>",
        r"(?:<\|start\|>assistant)?<\|channel\|>analysis(?:<\|message\|>|(?=[^<]))",
        r"(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final(?:<\|message\|>|(?=[^<]))",
        (
            "<|channel|>analysis<|message|>",
            "<|channel|>final<|message|>",
            "<|start|>assistant<|channel|>analysis<|message|>",
            "<|start|>assistant<|channel|>final<|message|>",
            "<|end|><|start|>assistant<|channel|>final<|message|>",
            "<|end|><|channel|>final<|message|>",
        ),
    ),
    Dialect(
        "###Thinking",
        r"^###Thinking[ \t]*+\r?\n",
        r"^###Response[ \t]*+\r?\n",
        ("###Thinking\n", "###Response\n"),
        closes_alone=False,
        leads=True,
    ),
)
"""What people meet; the page reads these."""
