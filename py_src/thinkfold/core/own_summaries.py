"""Finds the summaries that a model puts into its own thinking because it was asked to (seed 004, ``selfSummary``).

One begins with a mark, :data:`MARKS`, and ends with the next mark, the line, the sentence, or at :data:`LONGEST`
characters, whichever comes first::

    finder = OwnSummaryFinder()
    finder.feed("【思考小")           # []
    finder.feed("结】先查日志。再")     # ["先查日志。"]
"""

from __future__ import annotations

import re

MARKS = ("【思考小结】", "[Thought summary]")
"""What the words that ask for them name; the second for models that write in no Chinese."""
LONGEST = 240
"""Characters of a summary."""

_MARK = re.compile("|".join(map(re.escape, MARKS)), re.IGNORECASE)
_LONGEST_MARK = max(map(len, MARKS))
_END = re.compile(r"[\r\n]|[。！？!?…]+[”’」』）)\"']*|\.[”’)\"']*(?=\s)")
"""A line's end, or a sentence's with the quotation marks that close with it."""
_UNDECIDED = re.compile(r"[。！？!?….][”’」』）)\"']*$")
"""At the end of what came so far: more of the same may follow."""


class OwnSummaryFinder:
    """Finds them in a thought that comes in pieces; keeps no more than one of them in memory."""

    def __init__(self) -> None:
        self._rest = ""
        self._is_open = False  # the rest begins after a mark

    def feed(self, text: str) -> list[str]:
        """The summaries that *text* completes. The same for any splitting of the thought."""
        self._rest += text
        return self._take(ended=False)

    def close(self) -> list[str]:
        """The one that the thought's end completes, if one is open."""
        return self._take(ended=True)

    def _take(self, *, ended: bool) -> list[str]:
        found: list[str] = []
        while True:
            if not self._is_open:
                mark = _MARK.search(self._rest)
                if mark is None:
                    self._rest = "" if ended else self._rest[-(_LONGEST_MARK - 1) :]
                    return found
                self._rest, self._is_open = self._rest[mark.end() :], True
            self._rest = self._rest.lstrip(" \t:：\u3000")
            end = self._end(ended=ended)
            if end is None:
                return found
            if said := self._rest[:end].strip():
                found.append(said)
            self._rest, self._is_open = self._rest[end:], False

    def _end(self, *, ended: bool) -> int | None:
        """Where the open summary ends; None while that is not decided."""
        window = self._rest[: LONGEST + _LONGEST_MARK]
        mark, end = _MARK.search(window), _END.search(window)
        ends = [LONGEST, *([mark.start()] if mark else []), *([end.end()] if end else [])]
        place = min(ends)
        whole = ended or len(self._rest) >= LONGEST + _LONGEST_MARK
        if len(self._rest) < place:
            return len(self._rest) if ended else None
        is_undecided = end is not None and place == end.end() == len(self._rest) and _UNDECIDED.search(window)
        may_be_mark = not mark and not end and len(self._rest) < LONGEST + _LONGEST_MARK
        return place if whole or not (is_undecided or may_be_mark) else None
