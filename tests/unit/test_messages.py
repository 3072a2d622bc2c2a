"""Messages are filled in as the browser fills them in."""

from __future__ import annotations

import pytest
from thinkfold.core.messages import Messages, in_plural_form, message

MESSAGES: Messages = {
    "plain": {"message": "Fold the steps"},
    "named": {"message": "$COUNT$ steps", "placeholders": {"count": {"content": "$1"}}},
    "swapped": {
        "message": "in $Boxes$: $STEPS$",
        "placeholders": {"steps": {"content": "$1"}, "BOXES": {"content": "($2)"}},
    },
    "twice": {"message": "$A$ and $A$", "placeholders": {"a": {"content": "$1"}}},
    "fixed": {"message": "$URL$!", "placeholders": {"url": {"content": "localhost"}}},
    "numbers": {"message": "$1, then $2"},
    "dollars": {"message": "$$5 and $$$9"},
    "unknown": {"message": "[$NAME$]"},
}


@pytest.mark.parametrize(
    ("key", "substitutions", "expected"),
    [
        ("plain", (), "Fold the steps"),
        ("plain", ("left over",), "Fold the steps"),
        ("named", ("9",), "9 steps"),
        ("named", (), " steps"),
        ("named", ("$1 $COUNT$",), "$1 $COUNT$ steps"),  # what is filled in is not read again
        ("swapped", ("3 steps", "1 box"), "in (1 box): 3 steps"),
        ("twice", ("x",), "x and x"),
        ("fixed", (), "localhost!"),
        ("numbers", ("a", "b"), "a, then b"),
        ("dollars", (), "$5 and $$9"),
        ("unknown", (), "[]"),
        ("missing", ("9",), ""),
    ],
)
def test_a_message_is_filled_in(key: str, substitutions: tuple[str, ...], expected: str) -> None:
    assert message(MESSAGES, key, substitutions) == expected


@pytest.mark.parametrize(("form", "expected"), [("one", "1 paso"), ("other", "1 pasos"), ("many", "1 pasos")])
def test_a_plural_form_that_the_file_does_not_have_is_other(form: str, expected: str) -> None:
    spanish = {"steps_one": {"message": "$1 paso"}, "steps_other": {"message": "$1 pasos"}}
    assert in_plural_form(lambda key, number: message(spanish, key, [number]), "steps", form, "1") == expected
