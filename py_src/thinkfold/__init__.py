"""Thinkfold keeps long agent chats readable.

Three layers, and data flows through them one way::

    page event  →  hosts reads it into plain rows  →  core returns a plan  →  page paints the difference

``core`` decides and is pure; ``hosts`` knows what a site looks like; ``page`` is the only code that
touches the document; ``app`` wires the three. See ``docs/architecture.md``.
"""

__version__ = "0.1.0"
