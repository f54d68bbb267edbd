"""How many parts a photo may consist of: each costs time whatever is in it, and a part of two bytes is soon sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

MOST_PARTS = 20_000
"""Segments, chunks, boxes or extents; a phone's photo has some hundreds, a long animation some thousands."""
MOST_SUB_BLOCKS = 400_000
"""Of a GIF; at 255 bytes each, more than the largest file that is taken."""

_T = TypeVar("_T")


def bounded(parts: Iterator[_T], most: int = MOST_PARTS) -> Iterator[_T]:
    """The same parts.

    Raises:
        ValueError: there are more than `most`.
    """
    for count, part in enumerate(parts, start=1):
        if count > most:
            raise ValueError("more parts than any photo has")
        yield part
