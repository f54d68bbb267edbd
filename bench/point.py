"""One measurement of a kind of work at one size."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement.

    Attributes:
        size: size of the work.
        seconds: duration.
        note: further observations.
    """

    size: int
    seconds: float
    note: str = ""
