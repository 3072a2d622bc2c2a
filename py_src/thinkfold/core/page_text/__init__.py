"""Reads what a host has drawn back into Markdown, and divides it into thinking and body.

A host that knows nothing of thinking in text draws its tags as words, wherever they fall: one in a paragraph, the
other in a list item three blocks further on. So the page is read block by block into Markdown in which the tags
stand as the model wrote them, the parser of :mod:`thinkfold.core.thinking` says what is thinking, and
:func:`divide` says what that means for each block of the page.

>>> from thinkfold.core.thinking import parse_thinking
>>> page = PageText((read_block("<p>&lt;think&gt;Two.</p>"), read_block("<ul><li>Two.&lt;/think&gt; Four.</li></ul>")))
>>> page.source
'<think>Two.\\n\\n- Two.</think> Four.'
>>> parsed = parse_thinking(page.source, streaming=False, reading="tolerant")
>>> division = divide(page, parsed)
>>> division.thinking, [(block.kind.value, block.body) for block in division.blocks]
('Two.\\n\\n- Two.', [('thinking', ''), ('mixed', '- Four.')])

:mod:`tree` reads HTML into a small tree, :mod:`writer` writes Markdown of a tree and notes where each word of it
stands, :mod:`text` cuts a page's trees between two places, and :mod:`division` knows what the cuts are for.
"""

from .division import BlockDivision, BlockKind, Division, divide
from .text import BlockText, PageText, read_block, read_text

__all__ = [
    "BlockDivision",
    "BlockKind",
    "BlockText",
    "Division",
    "PageText",
    "divide",
    "read_block",
    "read_text",
]
