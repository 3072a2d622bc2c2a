"""Says how a box looks: what is hidden, what is framed, where the tool line sits (F3, F6, F12).

What a box covers whole is marked as a whole: a group of rows, a row. A row that reaches over a box's edge (a
step whose thought is inside and whose answer is outside) is marked part by part.

The tool line's *seat* is inside the first thing that the box covers. That is never hidden as a whole, so every
box keeps a visible row by which the host can restore its scroll position (F12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from .boxes import Box
from .items import Item, ItemKind, Place, items_of
from .rows import PartKind, Row
from .settings import Texts


@dataclass(frozen=True, slots=True)
class Seat:
    """Where the tool line goes: into the row or group *key*, before the row's part *before* (0 is the start).

    *frame* has the edges that the line itself carries, because its row is only partly in the box; it is empty
    where the row carries them. *roomy* is true when something visible follows the line in the same place.
    """

    key: str
    before: int
    frame: str
    roomy: bool


@dataclass(frozen=True, slots=True)
class BoxMarks:
    """What one box asks of the page.

    *hidden* and *content_hidden* are disjoint: a place in *hidden* is hidden itself; of a place in
    *content_hidden* (the seat's) only what the host put in it. *frame* has the framed places in order, each
    with its edges: ``top``, ``mid``, ``bottom`` or ``top bottom``.
    """

    box: Box
    expanded: bool
    seat: Seat
    hidden: frozenset[Place]
    content_hidden: frozenset[Place]
    frame: tuple[tuple[Place, str], ...]


@dataclass(frozen=True, slots=True)
class _Covered:
    """One thing that a box covers: a whole group, a whole row, or a part; *texts* and *tools* are in it."""

    place: Place
    texts: tuple[Place, ...]
    tools: tuple[Place, ...]


def marks_of(box: Box, turn: Sequence[Row], *, expanded: bool, texts: Texts = Texts.ALL) -> BoxMarks:
    """The marks of *box* (one that folds), which stands in *turn*. *texts* are those that it shows when folded."""
    shown = {item.place for item in _shown_texts(box, expanded, texts)}
    covered = _covered(box, turn)
    first = covered[0]
    seat_is_whole = first.place.part is None
    hidden: set[Place] = set()
    content_hidden: set[Place] = set()
    if not expanded:
        for thing in covered:
            if not shown.isdisjoint(thing.texts):
                hidden.update(place for place in (*thing.tools, *thing.texts) if place not in shown)
            elif thing is first and seat_is_whole:
                content_hidden.add(thing.place)
            else:
                hidden.add(thing.place)
    framed = [thing.place for thing in covered if thing.place not in hidden]
    return BoxMarks(
        box=box,
        expanded=expanded,
        seat=Seat(
            key=first.place.key,
            before=first.place.part or 0,
            frame="" if seat_is_whole else "top" if framed else "top bottom",
            roomy=expanded
            or any(thing.place.key == first.place.key and not shown.isdisjoint(thing.texts) for thing in covered),
        ),
        hidden=frozenset(hidden),
        content_hidden=frozenset(content_hidden),
        frame=_with_edges(framed, top_is_taken=not seat_is_whole),
    )


def _shown_texts(box: Box, expanded: bool, texts: Texts) -> tuple[Item, ...]:
    if expanded or texts is Texts.ALL:
        return box.texts
    return box.texts[-1:] if texts is Texts.LATEST else ()


def _covered(box: Box, turn: Sequence[Row]) -> list[_Covered]:
    """All that lies between the box's first and last item, each thing as whole as the box covers it.

    A row that shows nothing of its own (a step that only called tools) is covered with the rest. A note in a
    step (a "stopped" mark) is never covered, so its row is marked part by part.
    """
    inside = {item.place: item.kind for item in box.items}
    keys = [row.key for row in turn]
    first, last = keys.index(box.items[0].place.key), keys.index(box.items[-1].place.key)
    covered: list[_Covered] = []
    for group, members in groupby(turn[first : last + 1], key=lambda row: row.group):
        rows = list(members)
        whole_group = group is not None and sum(row.group == group for row in turn) == len(rows)
        if whole_group and all(_is_covered(row, inside) for row in rows):
            assert group is not None
            covered.append(_thing(Place(group), rows, inside))
            continue
        for row in rows:
            if _is_covered(row, inside):
                covered.append(_thing(Place(row.key), [row], inside))
            else:
                places = [item.place for item in items_of(row) if item.place in inside]
                covered.extend(_thing(place, [row], {place: inside[place]}) for place in places)
    return covered


def _is_covered(row: Row, inside: Mapping[Place, ItemKind]) -> bool:
    has_note = any(part.kind is PartKind.NOTE for part in row.parts)
    return not has_note and all(item.place in inside for item in items_of(row))


def _thing(place: Place, rows: Sequence[Row], inside: Mapping[Place, ItemKind]) -> _Covered:
    places = [item.place for row in rows for item in items_of(row) if item.place in inside]
    return _Covered(
        place,
        texts=tuple(place for place in places if inside[place] is ItemKind.TEXT),
        tools=tuple(place for place in places if inside[place] is ItemKind.TOOL),
    )


def _with_edges(framed: Sequence[Place], *, top_is_taken: bool) -> tuple[tuple[Place, str], ...]:
    """Each framed place with its edges; *top_is_taken* says that the tool line carries the upper edge."""
    edges: list[tuple[Place, str]] = []
    for index, place in enumerate(framed):
        names = []
        if index == 0 and not top_is_taken:
            names.append("top")
        if index == len(framed) - 1:
            names.append("bottom")
        edges.append((place, " ".join(names) or "mid"))
    return tuple(edges)
