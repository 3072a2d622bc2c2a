"""Decisions, and nothing else: no document, no clock, no input or output.

Everything here runs and is tested in plain CPython. Read the modules in the order in which a row passes
through them: :mod:`rows` → :mod:`items` → :mod:`turns` → :mod:`boxes` → :mod:`marks`; :mod:`plan` puts
them together, and :mod:`elapsed` keeps the observed time.

The others stand on their own: :mod:`thinking` takes the thinking out of a message's text, :mod:`stream` reads a
model's reply as it arrives, and :mod:`smoothing` makes it come evenly. :mod:`recorder` follows what a host says of its
models (:mod:`events`): :mod:`tokens` says how long a thought is, :mod:`segments` cuts it, and :mod:`summary` says in
three lines where a segment went.

``docs/core.md`` shows what other programs can use.
"""
