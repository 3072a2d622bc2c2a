"""What a user can choose, with the defaults.

In the browser's storage a choice has the name of its field in camel case ("hostFold") and the value of its
enumeration, so that a page, the popup and a person who looks there read the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from math import isfinite


class HostFold(StrEnum):
    """What to do where the host folds a finished turn itself (F16)."""

    TAKE_OVER = "take over"
    """Our box takes the place of the host's fold: it shows what the host hides and hides the host's control."""
    STAND_BACK = "stand back"
    """Such a turn is the host's; we fold running turns and those that the host keeps open."""


class Texts(StrEnum):
    """Which of the swallowed texts a folded box shows."""

    ALL = "all"
    LATEST = "latest"
    NONE = "none"


class LiveBoxes(StrEnum):
    """How the boxes of a running turn are, unless the user opened or folded them. A finished turn is folded."""

    FOLDED = "folded"
    OPEN = "open"


class ContextRows(StrEnum):
    """Where a context row goes that the host injects between the steps of a turn."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    """It stays visible in its place, as a border between two boxes."""


class ShowReasoning(StrEnum):
    """Whether the thinking in a finished message is open, unless the user opened or closed it (seed 000 §6.3)."""

    NO = "no"
    YES = "yes"


class Remember(StrEnum):
    """For how long it is remembered which boxes the user opened (F14)."""

    PAGE = "page"
    BROWSER = "browser"
    """Until the browser closes."""
    ALWAYS = "always"


class Language(StrEnum):
    """The language of the words that the extension shows, by the name of its folder in ``_locales``."""

    BROWSER = ""
    """Whichever the browser picks."""
    GERMAN = "de"
    ENGLISH = "en"
    SPANISH = "es"
    FRENCH = "fr"
    JAPANESE = "ja"
    KOREAN = "ko"
    PORTUGUESE = "pt"
    CHINESE = "zh"


MINIMUM_STEPS_BOUNDS = (1, 50)


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices. *minimum_steps* is how many tool items a box needs when it swallows no text (F2)."""

    host_fold: HostFold = HostFold.TAKE_OVER
    texts: Texts = Texts.ALL
    live_boxes: LiveBoxes = LiveBoxes.FOLDED
    context_rows: ContextRows = ContextRows.INSIDE
    minimum_steps: int = 2
    show_reasoning: ShowReasoning = ShowReasoning.NO
    remember: Remember = Remember.BROWSER
    language: Language = Language.BROWSER


def settings_from(stored: Mapping[str, object]) -> Settings:
    """The settings as the browser's storage has them.

    What is missing or no known value takes its default; a number out of bounds takes the nearest bound.
    """
    default = Settings()
    known: dict[str, object] = {}
    for field in fields(Settings):
        value = stored.get(stored_name(field.name))
        usual = getattr(default, field.name)
        if isinstance(usual, StrEnum):
            kind = type(usual)
            known[field.name] = kind(str(value)) if value in [*kind] else usual
        elif isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
            low, high = MINIMUM_STEPS_BOUNDS
            known[field.name] = int(min(max(value, low), high))
    return Settings(**known)  # type: ignore[arg-type]  # each value is of its field's type


def stored_name(field: str) -> str:
    """The name of a field in the browser's storage: "host_fold" is "hostFold"."""
    first, *rest = field.split("_")
    return first + "".join(word.capitalize() for word in rest)
