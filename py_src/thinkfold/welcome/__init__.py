"""The moving example on the welcome page, folded by the very code that folds a page.

``welcome.html`` shows its words at once; ``welcome.js`` starts Python and calls :func:`start`. Like the options page's,
this package is run only there (``preload.py``).
"""

from __future__ import annotations

import js

from ..core.settings import settings_from
from ..page import words
from ..page.live_region import LiveRegion
from .example import Example


async def start() -> None:
    """Play the example, in the language that is set."""
    settings = settings_from((await js.chrome.storage.local.get(None)).to_py())
    messages = await js.readMessages(settings.language.value)
    words.use(messages.to_py() if messages else None)
    await Example(LiveRegion(js.document.body)).play()
