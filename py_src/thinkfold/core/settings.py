"""What a user can choose, with the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .plan import HostFold


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices. *host_fold* is F16."""

    host_fold: HostFold = HostFold.TAKE_OVER


def settings_from(stored: Mapping[str, object]) -> Settings:
    """The settings as the browser's storage has them. What is missing or no known value takes its default."""
    try:
        return Settings(host_fold=HostFold(str(stored.get("hostFold"))))
    except ValueError:
        return Settings()
