"""What becomes of code blocks and tables in a thought that is cut into segments (seed 004)."""

from __future__ import annotations

from enum import StrEnum


class Keep(StrEnum):
    """Whether a block is kept in its segment."""

    IGNORE = "ignore"
    """It is left out, and counts nothing."""
    KEEP_SKIP = "keep-skip"
    """It is kept, and its segment is not refined."""
    KEEP_REFINE = "keep-refine"
    """It is kept, and its segment is refined."""
