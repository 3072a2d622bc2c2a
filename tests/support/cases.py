"""Reads files of titled cases: what is given, line by line after a mark, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def read_cases(path: Path) -> Iterator[tuple[str, list[str], str]]:
    """Each case's title, the lines before its ``->`` and the text after it, without blank lines at its end."""
    for block in path.read_text("utf-8").split("\n## ")[1:]:
        title, _, body = block.partition("\n")
        given, arrow, expected = body.partition("\n->\n")
        assert arrow, f"a case without an arrow: {title}"
        yield title, given.splitlines(), expected.rstrip("\n")


def lines_after(mark: str, lines: list[str]) -> str:
    """The text whose lines stand after *mark* and a blank."""
    return "\n".join(line[2:] for line in lines if line.startswith(mark))
