"""What holds for every chat, whatever its rows (Hypothesis)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.items import ItemKind, Place, items_of
from thinkfold.core.plan import plan_turn
from thinkfold.core.rows import Part, PartKind, Row, RowKind
from thinkfold.core.settings import ContextRows, LiveBoxes, Settings, Texts
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


choices = st.dictionaries(st.sampled_from([f"r{index}" for index in range(25)]), st.booleans())
all_settings = st.builds(
    Settings,
    texts=st.sampled_from(Texts),
    live_boxes=st.sampled_from(LiveBoxes),
    context_rows=st.sampled_from(ContextRows),
    minimum_steps=st.integers(1, 4),
)


@given(chats())
def test_turns_hold_every_row_once_and_in_order(rows: list[Row]) -> None:
    assert [row for turn in split_turns(rows) for row in turn] == rows


@given(chats(), choices, all_settings)
def test_no_text_barrier_or_tail_is_ever_hidden(rows: list[Row], chosen: dict[str, bool], settings: Settings) -> None:
    settings = replace(settings, texts=Texts.ALL)
    for turn in split_turns(rows):
        hidden = {
            place
            for marks in plan_turn(turn, chosen, settings=settings).marks
            for place in marks.hidden | marks.content_hidden
        }
        for row in turn:
            for item in items_of(row):
                outside = row.kind is RowKind.CONTEXT and settings.context_rows is ContextRows.OUTSIDE
                if item.kind is not ItemKind.TOOL or outside:
                    assert not hidden_by(item.place, row, hidden)


@given(chats(), st.builds(Settings, texts=st.sampled_from(Texts), minimum_steps=st.integers(1, 4)))
def test_every_tool_item_of_a_folded_box_is_hidden(rows: list[Row], settings: Settings) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn, {}, settings=settings).marks:
            hidden = marks.hidden | marks.content_hidden
            for item in marks.box.tools:
                row = next(row for row in turn if row.key == item.place.key)
                assert hidden_by(item.place, row, hidden)


@given(chats(), choices, all_settings)
def test_the_row_of_the_tool_line_is_never_hidden_whole(
    rows: list[Row], chosen: dict[str, bool], settings: Settings
) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn, chosen, settings=settings).marks:
            assert Place(marks.seat.key) not in marks.hidden


@given(chats(), choices, all_settings)
def test_an_opened_box_hides_nothing(rows: list[Row], chosen: dict[str, bool], settings: Settings) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn, chosen, settings=settings).marks:
            if marks.expanded:
                assert not marks.hidden
                assert not marks.content_hidden


@given(chats(), choices, all_settings)
def test_a_frame_has_one_upper_and_one_lower_edge(rows: list[Row], chosen: dict[str, bool], settings: Settings) -> None:
    for turn in split_turns(rows):
        for marks in plan_turn(turn, chosen, settings=settings).marks:
            edges = [*marks.seat.frame.split(), *(edge for _, names in marks.frame for edge in names.split())]
            assert edges.count("top") == 1
            assert edges.count("bottom") == 1
            assert edges.index("top") < edges.index("bottom")


@given(chats(), all_settings)
def test_boxes_share_no_item_and_end_with_tools(rows: list[Row], settings: Settings) -> None:
    for turn in split_turns(rows):
        seen: set[Place] = set()
        for box in plan_turn(turn, {}, settings=settings).boxes:
            assert box.items[0].kind is ItemKind.TOOL
            assert box.items[-1].kind is ItemKind.TOOL
            assert not seen & {item.place for item in box.items}
            seen |= {item.place for item in box.items}


@given(chats(), all_settings)
def test_each_box_of_a_turn_has_an_id_of_its_own(rows: list[Row], settings: Settings) -> None:
    for turn in split_turns(rows):
        ids = [marks.box.id for marks in plan_turn(turn, {}, settings=settings).marks]
        assert len(ids) == len(set(ids))
