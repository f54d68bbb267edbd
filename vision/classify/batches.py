"""Runs a network on crops in batches of limited size, so that memory use does not grow with their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vision.onnx_session import Network
from vision.photo import Pixels
from vision.threads import threads

if TYPE_CHECKING:
    from concurrent.futures import Executor

Crop = Pixels | Callable[[], Pixels]
"""A crop (H x W x 3), or what cuts it: a part of a millisecond that the core which reads the crop can spend."""

_AT_ONCE = 32
"""Larger batches save no time per crop, and ONNX Runtime never frees the memory of the largest one."""


def outputs_of(network: Network, crops: Sequence[Crop]) -> list[NDArray[np.float32]]:
    """Every output of a network for one or more crops, all of one size, one row per crop.

    If a run of the network uses a single core, the crops are shared out among the cores: the layers of a small network are so
    quickly computed that two cores which share each of them mostly wait for each other.
    """
    session = network.session
    (given,) = session.get_inputs()

    def run(part: Sequence[Crop]) -> Any:
        return session.run(None, {given.name: _tensor([each() if callable(each) else each for each in part])})

    size = min(_AT_ONCE, -(-len(crops) // threads())) if network.one_core else _AT_ONCE
    first, *others = (crops[start : start + size] for start in range(0, len(crops), size))
    if network.one_core and others:
        waiting = [helpers().submit(run, part) for part in others]
        done = [run(first), *(each.result() for each in waiting)]
    else:
        done = [run(part) for part in (first, *others)]
    return [np.concatenate(output) for output in zip(*done, strict=True)]


@cache
def helpers() -> Executor:
    """The threads that compute beside the one that asks.

    The first call takes some milliseconds, so it is made where a network is opened in the background.
    """
    from concurrent.futures import ThreadPoolExecutor  # slow to import

    return ThreadPoolExecutor(max(1, threads() - 1), "crops")


def _tensor(crops: Sequence[Pixels]) -> NDArray[np.float32]:
    """N x 3 x H x W, 0..1."""
    tensor = np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32)
    tensor /= 255
    return tensor
