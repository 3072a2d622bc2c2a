"""The user's choices for boxes: known again, bounded, and safe from whatever the storage holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.choices import LIMIT, NAMES_KEPT, PREFIX, Choices

names = st.lists(st.text("abcde", min_size=1, max_size=2), min_size=1, max_size=4)


def test_a_box_is_known_by_any_of_its_names() -> None:
    choices = Choices()
    choices.choose(["a", "b"], True, 1)
    assert [choices.get(name) for name in "abc"] == [True, True, None]


def test_a_box_that_grew_takes_its_old_entry_along() -> None:
    choices = Choices()
    choices.choose(["b", "c"], True, 1)
    change = choices.choose(["a", "b", "c", "d"], False, 2)
    assert change.remove == [f"{PREFIX}b"]
    assert change.write == {f"{PREFIX}a": {"expanded": False, "time": 2, "names": ["a", "b", "c", "d"]}}
    assert len(choices) == 1


def test_no_choice_any_more_leaves_nothing() -> None:
    choices = Choices()
    choices.choose(["a"], True, 1)
    assert choices.choose(["a", "b"], None, 2).remove == [f"{PREFIX}a"]
    assert choices.get("a") is None
    assert choices.all() == {}


def test_the_oldest_go_first() -> None:
    choices = Choices()
    for number in range(LIMIT):
        choices.choose([f"box {number}"], True, number)
    choices.choose(["box 0"], True, LIMIT)  # used again: now box 1 is the oldest
    assert choices.choose(["new"], True, LIMIT + 1).remove == [f"{PREFIX}box 1"]
    assert len(choices) == LIMIT
    assert choices.get("box 0")


def test_what_several_tabs_wrote_is_cut_to_the_limit_when_it_is_read() -> None:
    stored = {f"{PREFIX}{n}": {"expanded": True, "time": n, "names": [str(n)]} for n in range(LIMIT + 3)}
    assert Choices().load(stored).remove == [f"{PREFIX}{n}" for n in range(3)]


def test_what_is_read_late_does_not_undo_what_the_user_chose_meanwhile() -> None:
    stored = {f"{PREFIX}{name}": {"expanded": True, "time": 1, "names": [name, "b"]} for name in ("a", "c")}
    choices = Choices()
    choices.choose(["a", "b"], False, 2)
    choices.load(stored)
    assert [choices.get(name) for name in "abc"] == [False, False, True]


def test_of_a_very_long_box_the_first_and_last_names_are_kept() -> None:
    choices = Choices()
    change = choices.choose([str(n) for n in range(1000)], True, 1)
    (entry,) = change.write.values()
    assert entry["names"] == [str(n) for n in (*range(NAMES_KEPT // 2), *range(1000 - NAMES_KEPT // 2, 1000))]


@given(
    st.dictionaries(
        st.text(max_size=3).map(PREFIX.__add__),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=3),
            lambda v: st.lists(v, max_size=3) | st.dictionaries(st.sampled_from(["expanded", "time", "names"]), v),
            max_leaves=6,
        ),
    )
)
def test_whatever_the_storage_holds_is_read_or_removed(stored: dict[str, object]) -> None:
    choices = Choices()
    change = choices.load(stored)
    assert set(change.remove) | set(choices.all()) >= set(stored)


@given(st.lists(st.tuples(names, st.sampled_from([True, False, None]))))
def test_what_is_written_is_what_is_known(made: list[tuple[list[str], bool | None]]) -> None:
    """Another page that reads the storage knows the same."""
    choices, storage = Choices(), {}
    for time, (box, expanded) in enumerate(made):
        change = choices.choose(box, expanded, time)
        for key in change.remove:
            storage.pop(key, None)
        storage.update(change.write)
    assert storage == choices.all()
    again = Choices()
    again.load(storage)
    for box, _ in made:
        assert [again.get(name) for name in box] == [choices.get(name) for name in box]
