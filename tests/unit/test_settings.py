"""Settings as the browser's storage has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thinkfold.core.settings import HostFold, Remember, Settings, Texts, settings_from


def test_nothing_stored_is_the_defaults() -> None:
    assert settings_from({}) == Settings()


def test_each_choice_is_taken() -> None:
    stored = {"hostFold": "stand back", "texts": "latest", "remember": "page", "minimumSteps": 5, "enabled": True}
    expected = Settings(host_fold=HostFold.STAND_BACK, texts=Texts.LATEST, remember=Remember.PAGE, minimum_steps=5)
    assert settings_from(stored) == expected


@pytest.mark.parametrize(
    ("value", "steps"), [(0, 1), (-3, 1), (1e9, 50), (7.0, 7), ("7", 2), (True, 2), (None, 2), (float("nan"), 2)]
)
def test_a_number_out_of_bounds_takes_the_nearest_bound_and_no_number_the_default(value: object, steps: int) -> None:
    assert settings_from({"minimumSteps": value}).minimum_steps == steps


@given(
    st.dictionaries(
        st.sampled_from(["hostFold", "texts", "liveBoxes", "contextRows", "minimumSteps", "remember", "language"]),
        st.none() | st.text(max_size=5) | st.floats() | st.booleans() | st.lists(st.text()),
    )
)
def test_nothing_that_is_stored_raises(stored: dict[str, object]) -> None:
    settings_from(stored)
