"""Cuts a thought into segments while it streams, each to be summed up on its own (seed 004).

A segment ends at a boundary of Markdown once it has *min_tokens*, and at *max_tokens* at the latest, back at the
last end of a sentence or line. Code and tables are never cut.

>>> segmenter = Segmenter(min_tokens=1, max_tokens=100)
>>> segmenter.feed("First this.\\n\\n")
[]
>>> [segment.text for segment in segmenter.feed("## Then that\\nMore.\\n")]
['First this.\\n\\n']
>>> [segment.text for segment in segmenter.close()]
['## Then that\\nMore.\\n']
"""

from .segmenter import Keep, Segment, Segmenter

__all__ = ["Keep", "Segment", "Segmenter"]
