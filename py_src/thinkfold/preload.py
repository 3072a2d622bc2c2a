"""Imports everything that the page will ever need, so that the memory snapshot holds it.

The snapshot keeps Python's memory and not its files: what is not imported here cannot be imported in the
page. Only ``tools/make_snapshot.mjs`` imports this module.

PyScript's library takes objects of the page when it is imported, which a snapshot may not hold. Its compiled
code is therefore kept in memory, behind an importer that runs it when the page first asks for it. So is that of the
options page and of the welcome page, which are built with it.
"""

# ruff: noqa: F401
from __future__ import annotations

import _markupbase
import asyncio
import base64
import collections.abc
import contextlib
import email.utils
import encodings.utf_16_le
import functools
import html
import html.parser
import inspect
import io
import itertools
import json
import linecache
import re
import sys
import traceback
import unicodedata
from pathlib import Path

import js
import markdown_it
import markdown_it.presets
from pyodide import code, ffi

from . import app, kept_modules
from .core import (
    boxes,
    choices,
    elapsed,
    events,
    export,
    foreign_json,
    graphemes,
    items,
    markdown,
    marks,
    messages,
    own_summaries,
    page_text,
    plan,
    reasoning,
    recorder,
    refinement,
    rows,
    schema,
    search,
    segments,
    settings,
    settings_file,
    sites,
    smoothing,
    stream,
    summary,
    thinking,
    tokens,
    turns,
    viewport,
)
from .hosts import dsh, dsh_events, tags
from .page import (
    dom,
    flow,
    host_thoughts,
    live_region,
    long_thoughts,
    measures,
    memory,
    message,
    painter,
    panel,
    recording,
    refiner,
    small_model,
    summaries,
    summary_list,
    tagged_messages,
    tap,
    think_block,
    thinking_sign,
    thought_store,
    thoughts,
    tool_line,
)
from .page import rows as page_rows

packages = Path(kept_modules.__file__).parent.parent
kept_modules.keep(packages / "pyscript", "pyscript")
kept_modules.keep(packages / "thinkfold" / "options", "thinkfold.options")
kept_modules.keep(packages / "thinkfold" / "welcome", "thinkfold.welcome")

# Warm what is lazy: the first exception must be able to format itself, and the Markdown rules compile here.
traceback.format_exception(ValueError("warm"))
markdown.GrowingMarkdown().update("# a\n\n- b `c`\n\n```py\nd\n```\n")
for reading in ("seed", "tolerant"):  # the patterns of the dialects
    thinking.parse_thinking("<think>`a`</think>\n\n```\n<think>\n```\n", streaming=False, reading=reading)
page = page_text.PageText((page_text.read_block("<p>a &lt;b</p>"),))
page_text.divide(page, thinking.parse_thinking(page.source, streaming=False, reading="tolerant"))
