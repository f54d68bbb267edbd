"""Makes the next training batches in threads while the network learns from the current one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Batch = TypeVar("Batch")

_AHEAD = 4
"""Batches made in advance."""


def made_ahead(make: Callable[[int], Batch], steps: range, workers: int) -> Iterator[Batch]:
    """The batches of these steps, in order, made in threads: OpenCV and numpy release the GIL while they work."""
    with ThreadPoolExecutor(workers) as pool:
        ahead = deque(pool.submit(make, step) for step in steps[:_AHEAD])
        for step in steps:
            yield ahead.popleft().result()
            if step + _AHEAD in steps:
                ahead.append(pool.submit(make, step + _AHEAD))
