r"""Turns what an OpenAI-compatible server streams into typed events: seed 003, and what servers really send.

>>> stream = OpenAIStream()
>>> events = stream.feed(b'data: {"choices": [{"delta": {"reasoning_content": "Two and two."}}]}\n\n')
>>> events += stream.feed(b'data: {"choices": [{"delta": {"content": "Four."}, "finish_reason": "stop"}]}\n\n')
>>> [(event.event, event.data) for event in events + stream.close()]
[('reasoning', 'Two and two.'), ('text', 'Four.'), ('stop', 'stop')]

Read the modules in the order in which a piece of the stream passes through them: :mod:`sse` finds the messages,
:mod:`~thinkfold.core.foreign_json` reads them, :mod:`fields` knows where servers put what, :mod:`decoder` makes
:mod:`event` of it, and splits off thinking in tags with :class:`thinkfold.core.thinking.ThinkingSplitter`.
"""

from .decoder import OpenAIStream
from .event import EventName, StreamEvent, joined

__all__ = ["EventName", "OpenAIStream", "StreamEvent", "joined"]
