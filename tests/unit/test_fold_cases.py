"""The fold model, case by case. The cases are in ``cases/fold.txt``, whose head says how to write one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from thinkfold.core.items import Place
from thinkfold.core.plan import plan_turn
from thinkfold.core.rows import Part, PartKind, Row, RowKind
from thinkfold.core.settings import Settings, settings_from
from thinkfold.core.turns import split_turns

CASES = Path(__file__).parent / "cases" / "fold.txt"


def read_cases() -> Iterator[tuple[str, list[str], list[str]]]:
    for block in CASES.read_text("utf-8").split("\n## ")[1:]:
        title, _, body = block.partition("\n")
        given, _, expected = f"\n{body}".partition("\n->\n")
        yield title.strip(), _lines(given), _lines(expected)


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def row_of(line: str) -> Row:
    kind, key, *rest = line.split()
    group = next((word.removeprefix("in=") for word in rest if word.startswith("in=")), None)
    hidden = "host-hidden" in rest
    rest = [word for word in rest if word != "host-hidden" and not word.startswith("in=")]
    if kind == "step":
        words = [part.partition(":") for part in rest]
        parts = tuple(Part(PartKind(name), state or "ok") for name, _, state in words)
        return Row(key, RowKind.STEP, 1, parts, group=group, hidden=hidden)
    turn = 1 if kind == "tail" else None
    return Row(key, RowKind(kind), turn, state=rest[0] if rest else "ok", group=group, hidden=hidden)


def picture_of(rows: list[Row], choices: dict[str, bool], settings: Settings) -> list[str]:
    """The plan in words: a line for each box, then one for each row."""
    boxes: list[str] = []
    shown: dict[str, list[str]] = {key: [] for row in rows for key in (row.group, row.key) if key}
    turns = split_turns(rows)
    for turn in turns:
        plan = plan_turn(turn, choices, last=turn is turns[-1], settings=settings)
        for place in sorted(plan.hidden, key=lambda place: (place.key, place.part or 0)):
            shown[place.key].append(f"{part_of(place)}hidden")
        for place in plan.signs:
            shown[place.key].append(f"{part_of(place)}sign")
        for place in plan.openable:
            shown[place.key].append(f"{part_of(place)}open")
        for marks in plan.marks:
            box = marks.box
            count = f"{len(box.tools)} step{'s' if len(box.tools) > 1 else ''}"
            state = "live" if box.live else "done"
            running = f", {box.state}" if box.state != "ok" else ""
            boxes.append(f"box {box.id}: {count}, latest {name_of(box.latest.place)}{running}, {state}")
            seat = marks.seat
            where = f" before #{seat.before}" if seat.before else ""
            shown[seat.key].append(f"line{where}{f' ({seat.frame})' if seat.frame else ''}")
            for place, edges in marks.frame:
                shown[place.key].append(f"{part_of(place)}{edges}")
            for place in marks.content_hidden:
                shown[place.key].append("content hidden")
            for place in sorted(marks.hidden, key=lambda place: (place.key, place.part or 0)):
                shown[place.key].append(f"{part_of(place)}hidden")
        for place in plan.shown:
            shown[place.key].append("shown")
    return boxes + [f"{key}: {', '.join(words) or 'as it was'}" for key, words in shown.items()]


def part_of(place: Place) -> str:
    return "" if place.part is None else f"#{place.part} "


def name_of(place: Place) -> str:
    return place.key if place.part is None else f"{place.key}#{place.part}"


@pytest.mark.parametrize(("given", "expected"), [pytest.param(g, e, id=t) for t, g, e in read_cases()])
def test_case(given: list[str], expected: list[str]) -> None:
    choices: dict[str, bool] = {}
    stored: dict[str, object] = {}
    rows = []
    for line in given:
        first, *rest = line.split()
        if first in ("opened", "folded"):
            choices.update(dict.fromkeys(rest, first == "opened"))
        elif first == "set":
            name, _, value = line.removeprefix("set ").partition(" = ")
            stored[name] = int(value) if value.isdecimal() else value
        else:
            rows.append(row_of(line))
    assert picture_of(rows, choices, settings_from(stored)) == expected
