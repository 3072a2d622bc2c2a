"""What the user takes along of the summaries of a chat session: Markdown to read, JSON to work with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from .recorder import Thought

FORM = 1
"""The number of the form of the JSON; another form gets another number."""


def to_markdown(title: str, thoughts: Sequence[Thought], heading: Callable[[Thought], str]) -> str:
    """A document with a section for each thought. *heading* says what stands above it.

    A summary is quoted line by line, so that no mark in it makes a heading or a list of ours.
    """
    parts = [f"# {title}"]
    for thought in thoughts:
        parts.append(f"## {heading(thought)}")
        for number, segment in enumerate(thought.segments, 1):
            lines = (segment.refined or segment.summary).splitlines()
            parts.append("\n".join([f"**{number}**", "", *(f"> {line}" for line in lines)]))
    return "\n\n".join(parts) + "\n"


def to_json(session: str, thoughts: Sequence[Thought]) -> str:
    """All that is known of the thoughts of a session, as one JSON object."""
    records = [thought.to_record() for thought in thoughts]
    for record in records:
        del record["session"]
    return json.dumps({"form": FORM, "session": session, "thoughts": records}, ensure_ascii=False, indent=2) + "\n"
