"""One size of a kind of work, and what it took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """One size.

    Attributes:
        size: of the work.
        seconds: it took.
        note: what else was seen.
    """

    size: int
    seconds: float
    note: str = ""
