"""The number of parts that a photo may consist of: each takes time whatever is in it, and may be as short as two bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

MOST_PARTS = 20_000
"""Segments, chunks, boxes or extents; a phone's photo has a few hundred, a long animation a few thousand."""
MOST_SUB_BLOCKS = 400_000
"""Sub-blocks of a GIF; at 255 bytes each, more than the largest accepted file."""

_T = TypeVar("_T")


def bounded(parts: Iterator[_T], most: int = MOST_PARTS) -> Iterator[_T]:
    """Yield the parts unchanged.

    Raises:
        ValueError: there are more than `most`.
    """
    for count, part in enumerate(parts, start=1):
        if count > most:
            raise ValueError("more parts than any photo has")
        yield part
