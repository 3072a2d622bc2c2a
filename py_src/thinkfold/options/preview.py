"""A small chat on the options page that is folded as a page is: by the same code, with the settings as they are."""

from __future__ import annotations

from typing import Any

from ..core.settings import Settings
from ..hosts.dsh import Dsh
from ..page.flow import Flow
from ..page.live_region import LiveRegion
from ..page.memory import Memory
from .sample import sample_flow


class Preview:
    """The chat in *place*, which scrolls. What is opened in it is said to *live_region*, and not remembered."""

    def __init__(self, place: Any, settings: Settings, live_region: LiveRegion) -> None:
        self._place = place
        self._settings = settings
        self._live_region = live_region
        self._flow: Flow | None = None
        self.draw()

    def draw(self) -> None:
        """Draw the chat anew, with other words."""
        self._close()
        self._sample = sample_flow()
        self._place.replaceChildren(self._sample._dom_element)
        self._open()

    def set_settings(self, settings: Settings) -> None:
        """Fold by other settings, at once."""
        before, self._settings = self._settings, settings
        if not settings.enabled:
            self._close()
        elif not before.enabled:
            self._open()
        elif self._flow is not None and settings != before:
            self._flow.set_settings(settings)

    def _open(self) -> None:
        if not self._settings.enabled:
            return
        self._flow = Flow(
            self._sample._dom_element,
            Dsh(),
            Memory(lambda: None),
            self._settings,
            on_error=_raise,
            on_change=lambda: None,
            say=self._live_region.say,
        )
        self._flow.open()

    def _close(self) -> None:
        if self._flow is not None:
            self._flow.close()
            self._flow = None


def _raise(error: BaseException) -> None:
    """The page says what broke, as with any other error."""
    raise error
