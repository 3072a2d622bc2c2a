"""Which versions of the host a test runs on: ``FULL`` on the oldest and the newest, ``EVERY`` on all four."""

from __future__ import annotations

import pytest

from .host import FIRST_VERSION, NEWER_VERSIONS

NEWEST = NEWER_VERSIONS[-1]
FULL = pytest.mark.parametrize("host", [FIRST_VERSION, NEWEST], indirect=True)
EVERY = pytest.mark.parametrize("host", [FIRST_VERSION, *NEWER_VERSIONS], indirect=True)
ON_NEWEST = pytest.mark.parametrize("host", [NEWEST], indirect=True)
