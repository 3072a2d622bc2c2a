from __future__ import annotations

from thinkfold.core.viewport import Span, is_drag, scroll_after_toggle

VIEW = Span(100, 800)


def test_a_box_opens_upwards_its_lower_edge_stays() -> None:
    assert scroll_after_toggle(Span(300, 400), Span(300, 1400), VIEW, expanded=True, pointer=390) == 1000


def test_a_box_whose_lower_edge_is_in_view_folds_downwards() -> None:
    assert scroll_after_toggle(Span(-600, 400), Span(-600, -500), VIEW, expanded=False, pointer=200) == -900


def test_a_box_that_ends_below_the_view_comes_to_the_pointer_when_it_is_folded() -> None:
    scroll = scroll_after_toggle(Span(-600, 2000), Span(-600, -500), VIEW, expanded=False, pointer=300)
    assert Span(-600 - scroll, -500 - scroll).holds(300)


def test_folded_by_keyboard_it_comes_to_the_upper_end_of_the_view() -> None:
    scroll = scroll_after_toggle(Span(-600, 2000), Span(-600, -500), VIEW, expanded=False, pointer=None)
    assert VIEW.top <= -600 - scroll <= VIEW.top + 40


def test_a_hand_that_slips_a_little_still_clicks() -> None:
    assert not is_drag((100, 100), (103, 98))
    assert is_drag((100, 100), (140, 100))
    assert is_drag((100, 100), (100, 110))
