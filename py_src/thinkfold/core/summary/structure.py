"""What code, tables and names say by their structure, in signs and words of their own: no language is needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from .blocks import Block
from .plain import unmarked

_DEFINITION = re.compile(
    r"^[ \t+]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub|unsafe|override"
    r"|declare|open|data|sealed|inline|virtual)(?:\([a-z]+\))?[ \t]+){0,5}"
    r"(?P<what>def|class|function\*?|fn|fun|struct|enum|trait|impl|interface|type|module|namespace|protocol|object"
    r"|record|macro_rules!|defmodule|void"
    r"|func(?:[ \t]+\([^()\n]{1,60}\))?|(?i:create (?:table|index|view)|alter table))"
    r"[ \t]+(?:(?i:if not exists)[ \t]+)?(?P<name>[\w.$]+(?:::\w+)*)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"\s*(?:#|//|/\*|--|<!--|;|\*|\"\"\"|$)")
_NAME = re.compile(r"(?:[\w.-]{1,60}/){1,12}[\w.-]{1,60}|[A-Za-z_$][\w$.-]{2,60}(?:\(\))?")
_PATH = re.compile(
    r"(?:[\w.-]+/)+[\w-]+\.\w{1,8}$|[\w-]+\.(?:py|js|ts|tsx|jsx|rs|go|java|kt|c|h|cc|cpp|cs|rb|php|sql"
    r"|sh|toml|yaml|yml|json|md|html|css|vue|swift|lock|ini|cfg|log|csv)$"
)
_IDENTIFIER = re.compile(
    r"\w*[A-Za-z\d]_\w+$|[a-z]+[A-Z]\w*$|(?:[A-Z][a-z\d]+){2,}$|[\w.]+\(\)$|[A-Za-z_]\w*(?:\.[a-z_]\w*)+\(?\)?$"
)
_MOST_DEFINITIONS = 4
_MOST_NAMES = 6
_MOST_ROWS = 20


def code_line(blocks: Sequence[Block]) -> str:
    """Language, number of lines and first definitions of the code, or its first line: ``python · 42 · def parse``."""
    code = [line for block in blocks for line in block.lines]
    languages = dict.fromkeys(block.language for block in blocks if block.language)
    defined = dict.fromkeys(
        f"{match['what']} {match['name']}" for block in blocks for match in _DEFINITION.finditer("\n".join(block.lines))
    )
    says = ", ".join([*defined][:_MOST_DEFINITIONS]) or next((line for line in code if not _COMMENT.match(line)), "")
    filled = sum(1 for line in code if line.strip())
    return " · ".join([*languages, *([str(filled)] if filled else []), *([" ".join(says.split())] if says else [])])


def table_line(table: Block) -> str:
    """The names of a table's columns, its number of rows and what the rows are called: ``name, size ×2 · a, b``."""
    head, *rows = ([unmarked(cell) for cell in line.strip().strip("|").split("|")] for line in table.lines[:_MOST_ROWS])
    line = f"{', '.join(cell for cell in head if cell)} ×{len(table.lines) - 1}"
    names = [row[0] for row in rows if row[0]]
    return f"{line} · {', '.join(names)}" if names else line


def names_line(texts: Iterable[str]) -> str:
    """The paths of files, and the identifiers that come more than once, the most frequent first."""
    count: Counter[str] = Counter()
    for text in texts:
        count.update(match[0].rstrip(".-") for match in _NAME.finditer(text))
    paths = [name for name, _ in count.most_common() if _PATH.search(name)]
    names = [name for name, times in count.most_common() if times > 1 and name not in paths and _IDENTIFIER.match(name)]
    return " · ".join([*paths[:3], *names][:_MOST_NAMES])
