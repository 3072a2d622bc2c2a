"""A stretch of a long thought (stand-in)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment of a long thought."""

    text: str
    tokens: float
    raw_tokens: float
    code_share: float
    is_table: bool
    start: int
    end: int
    refine: bool
