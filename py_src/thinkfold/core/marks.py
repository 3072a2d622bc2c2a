"""Says how a box looks: what is hidden, what is framed, where the tool line sits (F3, F6, F12).

Rows that a box covers whole are marked on the row; a row that reaches over a box's edge (a step whose
thought is inside and whose answer is outside) is marked part by part.

The tool line's *seat* is a place inside the row of the box's first tool item. That row is never hidden as a
whole, so every box keeps a visible row by which the host can restore its scroll position (F12).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .boxes import Box
from .items import Place, items_of
from .rows import PartKind, Row


@dataclass(frozen=True, slots=True)
class Seat:
    """Where the tool line goes: into row *key*, before its part *before* (0 is the start of the row).

    *frame* has the edges that the line itself carries, because its row is only partly in the box; it is empty
    where the row carries them. *roomy* is true when something visible follows the line in the same row.
    """

    key: str
    before: int
    frame: str
    roomy: bool


@dataclass(frozen=True, slots=True)
class BoxMarks:
    """What one box asks of the page.

    *hidden* and *content_hidden* are disjoint: a place in *hidden* is hidden itself; of a row in
    *content_hidden* (the seat's) only what the host put in it. *frame* has the framed places in order, each
    with its edges: ``top``, ``mid``, ``bottom`` or ``top bottom``.
    """

    box: Box
    expanded: bool
    seat: Seat
    hidden: frozenset[Place]
    content_hidden: frozenset[Place]
    frame: tuple[tuple[Place, str], ...]


def marks_of(box: Box, turn: Sequence[Row], *, expanded: bool) -> BoxMarks:
    """The marks of *box* (one that folds), which stands in *turn*."""
    covered = _covered_places(box, turn)
    first = box.items[0].place
    seat_is_whole = covered[0] == Place(first.key)
    texts = {item.place for item in box.texts}
    rows_with_text = {place.key for place in texts}
    hidden: set[Place] = set()
    content_hidden: set[Place] = set()
    if not expanded:
        for place in covered:
            if place.part is None and place.key in rows_with_text:
                hidden.update(item.place for item in box.tools if item.place.key == place.key)
            elif place.part is None and place.key == first.key:
                content_hidden.add(place)
            elif place not in texts:
                hidden.add(place)
    framed = [place for place in covered if place not in hidden]
    return BoxMarks(
        box=box,
        expanded=expanded,
        seat=Seat(
            key=first.key,
            before=0 if seat_is_whole else (first.part or 0),
            frame="" if seat_is_whole else "top" if framed else "top bottom",
            roomy=expanded or first.key in rows_with_text,
        ),
        hidden=frozenset(hidden),
        content_hidden=frozenset(content_hidden),
        frame=_with_edges(framed, top_is_taken=not seat_is_whole),
    )


def _covered_places(box: Box, turn: Sequence[Row]) -> list[Place]:
    """All that lies between the box's first and last item: whole rows where the box covers a row whole.

    A row that shows nothing of its own (a step that only called tools) is covered with the rest. A note in a
    step (a "stopped" mark) is never covered, so its row is marked part by part.
    """
    inside = {item.place for item in box.items}
    keys = [row.key for row in turn]
    first, last = keys.index(box.items[0].place.key), keys.index(box.items[-1].place.key)
    covered: list[Place] = []
    for row in turn[first : last + 1]:
        places = [item.place for item in items_of(row)]
        has_note = any(part.kind is PartKind.NOTE for part in row.parts)
        if not has_note and all(place in inside for place in places):
            covered.append(Place(row.key))
        else:
            covered.extend(place for place in places if place in inside)
    return covered


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
