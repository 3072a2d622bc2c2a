"""The options page, made from the schema of the settings with PyScript's library.

``options.html`` shows its frame at once; ``options.js`` starts Python and calls :func:`start`. This package is run
only there: the memory image keeps its compiled code and runs it when it is first imported (``preload.py``).

    page.py      puts the page together: search, reset, undo, export, import
    control.py   one setting: its label, what it says of itself, its native control, its problem
    sites.py     where Thinkfold is used: the list, and the form that adds to it
    store.py     the browser's storage
    preview.py   a small chat that is folded by the very code that folds a page
    refinement.py  the permission for the small model's address, and a button that tries the model
    sample.py    what stands in that chat
    notice.py    what is said of what was just done

PyScript takes a text that is given as a child for HTML, so all text here goes in by ``textContent``.
"""

from __future__ import annotations

from .page import OptionsPage
from .store import Store


async def start() -> None:
    """Fill the page in. Raises what the browser's storage raises when it cannot be read."""
    await OptionsPage(await Store.read()).open()
