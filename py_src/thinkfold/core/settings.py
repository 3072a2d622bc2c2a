"""All that a user can set: each setting once, with its default, its bounds and the group that it is shown in.

The popup's and the options page's controls, the table in ``docs/settings.md`` and what a page reads come from here.
In the browser's storage a setting has the name of its field in camel case ("hostFold") and the value of its
enumeration, so that a page, the popup and a person who looks there read the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from .refinement.request import RefineTrim
from .schema import Choice, Group, Number, Problem, Setting, Switch, Text, TextKind, schema_of, setting
from .segments import Keep


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
    """How much of the model's thinking is shown, in messages and in the host's own rows, unless the user opened or
    closed it by hand (seed 003; seed 000 §6.3)."""

    NEVER = "never"
    """None; while the model thinks a small sign says so."""
    AUTO = "auto"
    """That of a message is open while it streams, then closed; the host's own rows are as the host has them."""
    ALWAYS = "always"
    """All of it is open, where it shows."""


class OwnSummaries(StrEnum):
    """What is done with summaries that a model puts into its own thinking (seed 004, ``selfSummary``)."""

    OFF = "off"
    CAPTURE = "capture"
    """They are shown where they are found."""
    PROMPT = "prompt"
    """And the model is asked for them, in the user's own message."""


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


LANGUAGE_NAMES = {
    Language.GERMAN: "Deutsch",
    Language.ENGLISH: "English",
    Language.SPANISH: "Español",
    Language.FRENCH: "Français",
    Language.PORTUGUESE: "Português",
    Language.JAPANESE: "日本語",
    Language.KOREAN: "한국어",
    Language.CHINESE: "中文",
}
"""What each language calls itself."""


AUTO = "auto"
"""For :attr:`Settings.refine_model`: the smallest model that chats."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with their defaults.

    *minimum_steps* is how many tool items a box needs when it swallows no text (F2). *open_thought_limit* is how many
    tokens a thought may have that is open by itself, 0 for as many as it likes (seed 003). Those of summaries are seed
    004's: *long_thought*, *segment_minimum* and *segment_maximum* count tokens, and 0 *keep_summaries_days* means
    that summaries do not outlive the page. Nothing is refined without a *refine_address*, and a page of a chat is never
    given the *refine_key*: the service worker adds it.
    """

    enabled: bool = setting(True, Group.FOLDING, Switch(), label="popupSwitch")
    texts: Texts = setting(Texts.ALL, Group.FOLDING, Choice(Texts))
    live_boxes: LiveBoxes = setting(LiveBoxes.FOLDED, Group.FOLDING, Choice(LiveBoxes))
    context_rows: ContextRows = setting(ContextRows.INSIDE, Group.FOLDING, Choice(ContextRows))
    minimum_steps: int = setting(2, Group.FOLDING, Number(1, 50))
    host_fold: HostFold = setting(HostFold.TAKE_OVER, Group.FOLDING, Choice(HostFold))

    show_reasoning: ShowReasoning = setting(ShowReasoning.AUTO, Group.THINKING, Choice(ShowReasoning))
    open_thought_limit: int = setting(2000, Group.THINKING, Number(0, 100_000, "unitTokens"))

    summaries: bool = setting(True, Group.SUMMARIES, Switch())
    long_thought: int = setting(2000, Group.SUMMARIES, Number(200, 100_000, "unitTokens"))
    segment_minimum: int = setting(1500, Group.SUMMARIES, Number(100, 50_000, "unitTokens"))
    segment_maximum: int = setting(3000, Group.SUMMARIES, Number(200, 100_000, "unitTokens"))
    code_blocks: Keep = setting(Keep.IGNORE, Group.SUMMARIES, Choice(Keep))
    tables: Keep = setting(Keep.IGNORE, Group.SUMMARIES, Choice(Keep))
    own_summaries: OwnSummaries = setting(OwnSummaries.OFF, Group.SUMMARIES, Choice(OwnSummaries))
    keep_summaries_days: int = setting(30, Group.SUMMARIES, Number(0, 3650, "unitDays"))
    kept_thoughts: int = setting(1000, Group.SUMMARIES, Number(10, 100_000, "unitThoughts"))

    refine: bool = setting(True, Group.REFINEMENT, Switch())
    refine_address: str = setting("", Group.REFINEMENT, Text(500, TextKind.ADDRESS))
    refine_key: str = setting("", Group.REFINEMENT, Text(500, TextKind.SECRET))
    refine_model: str = setting(AUTO, Group.REFINEMENT, Text(200))
    refine_prompt: str = setting("", Group.REFINEMENT, Text(4000))
    refine_budget: int = setting(1024, Group.REFINEMENT, Number(64, 32_000, "unitTokens"))
    refine_trim: RefineTrim = setting(RefineTrim.HEADTAIL, Group.REFINEMENT, Choice(RefineTrim))

    remember: Remember = setting(Remember.BROWSER, Group.PRIVACY, Choice(Remember))

    language: Language = setting(Language.BROWSER, Group.LANGUAGE, Choice(Language, LANGUAGE_NAMES))


SCHEMA: tuple[Setting, ...] = schema_of(Settings)
"""All that is known of each setting, in the order in which they are shown."""

VERSION_NAME = "version"
"""The name in storage of the number of the form in which settings are stored; without it the form is the first."""

Stored = Mapping[str, object]
"""Settings as the browser's storage has them. Other names than those of settings may be among them, and are kept."""

Migration = Callable[[dict[str, object]], dict[str, object]]


def _name_reasoning_anew(stored: dict[str, object]) -> dict[str, object]:
    """Thinking was shown or not in messages alone; that it never shows is new."""
    names = {"no": ShowReasoning.AUTO, "yes": ShowReasoning.ALWAYS}
    shown = stored.get("showReasoning")
    return {**stored, "showReasoning": names[shown].value} if isinstance(shown, str) and shown in names else stored


MIGRATIONS: tuple[Migration, ...] = (_name_reasoning_anew,)
"""What brings stored settings from each form to the next: the first of them from form 1 to form 2.

The popup writes single settings and no version, so a migration must leave alone what has the new form already.
"""


def settings_from(stored: Stored) -> Settings:
    """The settings that a page goes by.

    What is missing or no known value takes its default; a number out of bounds takes the nearest bound. The longest
    segment is never below the shortest. Nothing that is stored raises.
    """
    current = migrate(stored)
    settings = Settings(**{each.field: each.kind.read(current.get(each.name), each.default) for each in SCHEMA})
    return replace(settings, segment_maximum=max(settings.segment_maximum, settings.segment_minimum))


def validate(stored: Stored) -> list[Problem]:
    """What is wrong with stored settings, in the order of the settings; each problem says whose value it is. What has
    only an older form is right."""
    current = migrate(stored)
    problems = [
        replace(problem, names=(each.name,))
        for each in SCHEMA
        if each.name in current and (problem := each.kind.problem(current[each.name]))
    ]
    return problems + _problems_between(current)


def _problems_between(stored: Stored) -> list[Problem]:
    """What is wrong between settings of which each by itself is right."""
    minimum, maximum = (
        stored.get("segmentMinimum", Settings().segment_minimum),
        stored.get("segmentMaximum", Settings().segment_maximum),
    )
    if isinstance(minimum, int | float) and isinstance(maximum, int | float) and maximum < minimum:
        return [
            Problem("problemSegments", (str(int(maximum)), str(int(minimum))), ("segmentMaximum", "segmentMinimum"))
        ]
    return []


def without_foreign_key(before: Stored, after: Stored) -> dict[str, object]:
    """*after*, without the key if that belongs to the address *before*: a key must not go to another origin. One that
    was entered ahead of its address, or comes with it, stays."""
    was, now = (_origin_of(stored.get("refineAddress")) for stored in (before, after))
    is_foreign = was and was != now and after.get("refineKey") == before.get("refineKey")
    return {name: value for name, value in after.items() if not (is_foreign and name == "refineKey")}


def _origin_of(address: object) -> str:
    found = re.match(r"https?://[^/?#]+", str(address or ""))
    return found.group().lower() if found else ""


def migrate(stored: Stored, migrations: Sequence[Migration] = MIGRATIONS) -> dict[str, object]:
    """Stored settings in the newest form, with the version of it. What is of a newer form yet stays as it is."""
    version = stored.get(VERSION_NAME, 1)
    done = version - 1 if isinstance(version, int) and version >= 1 else 0
    current = dict(stored)
    for migration in migrations[done:]:
        current = migration(current)
    return {**current, VERSION_NAME: max(done, len(migrations)) + 1}
