"""Which versions of the host a test runs on, and how they differ where a test must know it."""

from __future__ import annotations

import pytest

from .host import FIRST_VERSION, NEWER_VERSIONS

NEWEST = NEWER_VERSIONS[-1]
FULL = pytest.mark.parametrize("host", [FIRST_VERSION, NEWEST], indirect=True)
EVERY = pytest.mark.parametrize("host", [FIRST_VERSION, *NEWER_VERSIONS], indirect=True)
ON_NEWEST = pytest.mark.parametrize("host", [NEWEST], indirect=True)

CONTEXT_ROWS = {FIRST_VERSION: 1, "0.1.2rc1": 1, "0.1.5rc1": 1, NEWEST: 0}
"""How many rows a host injects into a chat's first turn; each is a step of its process."""
