"""Decisions, and nothing else: no document, no clock, no input or output.

Everything here runs and is tested in plain CPython. Read the modules in the order in which a row passes
through them: :mod:`rows` → :mod:`items` → :mod:`turns` → :mod:`boxes` → :mod:`marks`; :mod:`plan` puts
them together, and :mod:`elapsed` keeps the observed time. :mod:`thinking` stands on its own: it takes the thinking
out of a message's text, :mod:`stream` a model's reply as it arrives, and :mod:`smoothing` makes it come evenly.
``docs/core.md`` shows what other programs can use.
"""
