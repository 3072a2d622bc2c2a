"""Takes the thinking out of a message's text: seed 000 §4, and what people meet beyond it.

>>> parsed = parse_thinking("<think>Two and two.</think>Four.", streaming=False)
>>> parsed.segments, parsed.body
(['Two and two.'], 'Four.')

Read the modules in the order in which a text passes through them: :mod:`dialects` finds the tags, :mod:`code`
says which of them are in code, :mod:`signs` which may count and how surely, :mod:`reader` pairs them, and
:mod:`result` says what is thinking and what body, and where. :mod:`stream` puts them together, for a text that is
whole or arrives in pieces, and :mod:`split` gives out a stream's text as it comes.
"""

from .result import ParsedThinking, Span, SpanKind
from .split import Piece, ThinkingSplitter
from .stream import Boundary, Reading, ThinkingStream, detect_boundary, may_hold_thinking, parse_thinking

__all__ = [
    "Boundary",
    "ParsedThinking",
    "Piece",
    "Reading",
    "Span",
    "SpanKind",
    "ThinkingSplitter",
    "ThinkingStream",
    "detect_boundary",
    "may_hold_thinking",
    "parse_thinking",
]
