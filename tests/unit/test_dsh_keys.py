from __future__ import annotations

import pytest
from thinkfold.hosts.dsh import turn_of


@pytest.mark.parametrize(
    ("key", "turn"),
    [
        ("14:assistant-step2:3", 2),
        ("14:assistant-step12:1", 12),
        ("9:turn-tail2", 2),
        ("9:tool-callcall_ab12", None),
        ("9:tool-callcall_9:turn-tail3", None),
        ("13:input-message5f3c", None),
        ("", None),
        ("14:assistant-step", None),
    ],
)
def test_the_turn_in_a_key(key: str, turn: int | None) -> None:
    assert turn_of(key) == turn
