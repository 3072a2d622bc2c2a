"""What holds for every chat, whatever its rows (Hypothesis)."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.items import ItemKind, Place, items_of
from thinkfold.core.plan import plan_turn
from thinkfold.core.rows import Part, PartKind, Row, RowKind
from thinkfold.core.turns import split_turns

states = st.sampled_from(["ok", "running", "error", "stopped"])
parts = st.lists(st.builds(Part, st.sampled_from(PartKind), states), max_size=4).map(tuple)


@st.composite
def chats(draw: st.DrawFn) -> list[Row]:
    kinds = draw(st.lists(st.sampled_from(RowKind), max_size=25))
    groups = draw(st.lists(st.integers(0, 3), min_size=len(kinds), max_size=len(kinds)))
    rows = []
    run = 0
    for index, kind in enumerate(kinds):  # a group is a run of neighbours; 0 stands alone
        run += index > 0 and groups[index] != groups[index - 1]
        group = f"g{run}" if groups[index] else None
        step_parts = draw(parts) if kind is RowKind.STEP else ()
        rows.append(Row(f"r{index}", kind, None, step_parts, draw(states), group, draw(st.booleans())))
    return rows


def hidden_by(place: Place, row: Row, hidden: Collection[Place]) -> bool:
    """True when the part, its row or its group is hidden."""
    return any(each in hidden for each in (place, Place(row.key), Place(row.group or "")))


openings = st.sets(st.sampled_from([f"r{index}" for index in range(25)]))


@given(chats())
def test_turns_hold_every_row_once_and_in_order(rows: list[Row]) -> None:
    assert [row for turn in split_turns(rows) for row in turn] == rows


@given(chats(), openings)
def test_no_text_barrier_or_tail_is_ever_hidden(rows: list[Row], opened: set[str]) -> None:
    for turn in split_turns(rows):
        hidden = {place for marks in plan_turn(turn, opened).marks for place in marks.hidden | marks.content_hidden}
        for row in turn:
            for item in items_of(row):
                if item.kind is not ItemKind.TOOL:
                    assert not hidden_by(item.place, row, hidden)


@given(chats())
def test_every_tool_item_of_a_folded_box_is_hidden(rows: list[Row]) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn).marks:
            hidden = marks.hidden | marks.content_hidden
            for item in marks.box.tools:
                row = next(row for row in turn if row.key == item.place.key)
                assert hidden_by(item.place, row, hidden)


@given(chats(), openings)
def test_the_row_of_the_tool_line_is_never_hidden_whole(rows: list[Row], opened: set[str]) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn, opened).marks:
            assert Place(marks.seat.key) not in marks.hidden


@given(chats(), openings)
def test_an_opened_box_hides_nothing(rows: list[Row], opened: set[str]) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn, opened).marks:
            if marks.expanded:
                assert not marks.hidden
                assert not marks.content_hidden


@given(chats(), openings)
def test_a_frame_has_one_upper_and_one_lower_edge(rows: list[Row], opened: set[str]) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn, opened).marks:
            edges = [*marks.seat.frame.split(), *(edge for _, names in marks.frame for edge in names.split())]
            assert edges.count("top") == 1
            assert edges.count("bottom") == 1
            assert edges.index("top") < edges.index("bottom")


@given(chats())
def test_boxes_share_no_item_and_end_with_tools(rows: list[Row]) -> None:
    for turn in split_turns(rows):
        seen: set[Place] = set()
        for box in plan_turn(turn).boxes:
            assert box.items[0].kind is ItemKind.TOOL
            assert box.items[-1].kind is ItemKind.TOOL
            assert not seen & {item.place for item in box.items}
            seen |= {item.place for item in box.items}


@given(chats())
def test_each_box_of_a_turn_has_an_id_of_its_own(rows: list[Row]) -> None:
    for turn in split_turns(rows):
        ids = [marks.box.id for marks in plan_turn(turn).marks]
        assert len(ids) == len(set(ids))
