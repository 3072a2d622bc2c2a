"""Writes ``docs/settings.md`` from the schema and the English words: ``python -m tools.settings_table``."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "py_src"))

from thinkfold.core.messages import Messages, message  # noqa: E402
from thinkfold.core.schema import Choice, Number, Setting, Switch, Text  # noqa: E402
from thinkfold.core.settings import MIGRATIONS, SCHEMA, VERSION_NAME  # noqa: E402

FILE = ROOT / "docs" / "settings.md"

HEAD = f"""\
# Settings

Made from `py_src/thinkfold/core/settings.py` by `python -m tools.settings_table`; change it there.

Change them on the options page, or the most usual ones in the toolbar popup. Each takes effect at once on every \
open page. The name is that in the browser's storage (`chrome.storage.local`) and in an exported file; the default \
is in bold. `{VERSION_NAME}` is the number of the form in which settings are stored, {len(MIGRATIONS) + 1} now. \
Names that are none of these are kept as they are, also when settings are exported and imported.
"""


def table() -> str:
    """The whole file."""
    words = json.loads((ROOT / "browser_ext" / "_locales" / "en" / "messages.json").read_text("utf-8"))
    parts = [HEAD]
    for group, settings in groupby(SCHEMA, key=lambda each: each.group):
        parts.append(f"\n## {message(words, group.label, ())}\n\n| setting | name | values | |\n|---|---|---|---|\n")
        for each in settings:
            label, help_text = (_cell(message(words, key, ())) for key in (each.label, each.help))
            parts.append(f"| {label} | `{each.name}` | {_values(each, words)} | {help_text} |\n")
    return "".join(parts)


def _values(setting: Setting, words: Messages) -> str:
    """What a setting can be, the default in bold."""
    match setting.kind:
        case Switch():
            shown = {True: "`true`", False: "`false`"}
            return ", ".join(f"**{text}**" if value is setting.default else text for value, text in shown.items())
        case Choice() as kind:
            values = []
            for value in kind.values:
                name = kind.own_names.get(value) or message(words, kind.label(value), ())
                text = f'`"{value}"` {_cell(name)}'
                values.append(f"**{text}**" if value is setting.default else text)
            return "<br>".join(values)
        case Number(low, high, unit):
            return f"{low} to {high}{' ' + message(words, unit, ()) if unit else ''}, **{setting.default}**"
        case Text(maximum, kind):
            default = f', **`"{setting.default}"`**' if setting.default else ""
            return f"{kind.value} text of at most {maximum} characters{default}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    FILE.write_text(table(), "utf-8")
