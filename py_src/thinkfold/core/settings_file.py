"""Settings as a file: JSON, one object, by the names that they have in the browser's storage.

A file that is wrong in any place is refused as a whole, with the line and the name of each problem.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from .foreign_json import is_too_deep
from .schema import Problem
from .settings import MIGRATIONS, SCHEMA, VERSION_NAME, Stored, migrate, settings_from, validate

MAXIMUM_CHARACTERS = 1_000_000

KEPT_CHOICE = "/"
"""What the names of other things in the browser's storage have in them: the user's choices for boxes."""

NEWEST = len(MIGRATIONS) + 1


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A problem and the line where it is, counted from 1. *name* is empty for one of the file as a whole."""

    line: int
    name: str
    problem: Problem


class RefusedFile(Exception):
    """Nothing of a file can be taken. *problems* has at least one, in the order of their lines."""

    def __init__(self, problems: list[FileProblem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = sorted(problems, key=lambda each: each.line)


def write_file(stored: Stored) -> str:
    """What to export: every setting as a page reads it, and stored names that are none; no secret and no choice
    for a box."""
    settings = settings_from(stored)
    known = {each.name: getattr(settings, each.field) for each in SCHEMA if not each.is_secret}
    secret = {each.name for each in SCHEMA if each.is_secret}
    others = {
        name: value
        for name, value in migrate(stored).items()
        if name not in known and name not in secret and KEPT_CHOICE not in name
    }
    return json.dumps({VERSION_NAME: NEWEST, **known, **others}, indent=2, ensure_ascii=False) + "\n"


def read_file(text: str, stored: Stored) -> dict[str, object]:
    """What a file sets, in the newest form, to be stored beside what is *stored* already.

    Names that are no settings are among it. Raises RefusedFile.
    """
    text = text.removeprefix("\ufeff")
    _refuse_what_is_no_object(text)
    entries = [*_entries(text)]
    lines = {name: line for line, name, _ in entries}
    _refuse([FileProblem(lines[name], name, Problem("problemTwice")) for name in _twice(entries)])
    given = {name: value for _, name, value in entries}
    version = given.get(VERSION_NAME, 1)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        _refuse_one(lines[VERSION_NAME], VERSION_NAME, Problem("problemNumber", ("1", str(NEWEST))))
    elif version > NEWEST:
        _refuse_one(lines[VERSION_NAME], VERSION_NAME, Problem("problemNewer"))
    _refuse([FileProblem(lines[name], name, Problem("problemName")) for name in given if KEPT_CHOICE in name])
    current = migrate(given)
    if not any(each.name in current for each in SCHEMA):
        _refuse_one(1, "", Problem("problemForeign"))
    _refuse(
        [
            FileProblem(lines.get(name, 1), name, problem)
            for problem in validate({**stored, **current})
            if (name := next((each for each in problem.names if each in current), ""))
        ]
    )
    return current


def _refuse(problems: list[FileProblem]) -> None:
    if problems:
        raise RefusedFile(problems)


def _refuse_one(line: int, name: str, problem: Problem) -> NoReturn:
    raise RefusedFile([FileProblem(line, name, problem)])


def _refuse_what_is_no_object(text: str) -> None:
    if len(text) > MAXIMUM_CHARACTERS or is_too_deep(text):
        _refuse_one(1, "", Problem("problemTooLarge"))
    try:
        value = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        _refuse_one(error.lineno, "", Problem("problemJson"))
    except ValueError:  # a number that is none, or that has thousands of digits
        _refuse_one(1, "", Problem("problemJson"))
    if not isinstance(value, dict):
        _refuse_one(1, "", Problem("problemNoObject"))


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _entries(text: str) -> Iterator[tuple[int, str, object]]:
    """Line, name and value of each entry of a JSON object that is known to be right."""
    decoder = json.JSONDecoder()
    at = _after_blanks(text, 0) + 1
    while text[at := _after_blanks(text, at)] != "}":
        line = text.count("\n", 0, at) + 1
        name, at = decoder.raw_decode(text, at)
        value, at = decoder.raw_decode(text, _after_blanks(text, _after_blanks(text, at) + 1))
        yield line, name, value
        at = _after_blanks(text, at)
        at += text[at] == ","


def _after_blanks(text: str, at: int) -> int:
    blanks = re.compile(r"[ \t\r\n]*").match(text, at)
    return blanks.end() if blanks else at


def _twice(entries: list[tuple[int, str, object]]) -> list[str]:
    return [name for name, count in Counter(name for _, name, _ in entries).items() if count > 1]
