"""The only code that touches the document. It decides nothing: it asks core and paints the answer.

Invariants
----------
* The host's React owns its nodes. They get attributes (and one style property, an anchor's name) and nothing
  else; they are never moved, wrapped, cloned or removed.
* Our own nodes stand beside or before the host's, carry a ``data-thinkfold-…`` attribute, and go away again.
* Everything attached to the page hangs on one :class:`dom.Attachments`; closing it is the one way out.
* Every call from the page runs inside :meth:`dom.Attachments.guard`: an exception never leaves a page half
  folded.
"""
