"""Runs a network on crops in batches of limited size, so that memory use does not grow with their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

_AT_ONCE = 32
"""Larger batches save no time per crop, and ONNX Runtime never frees the memory of the largest one."""


def outputs_of(session: Any, crops: Sequence[Pixels]) -> list[NDArray[np.float32]]:
    """Every output of a network for one or more crops (each H x W x 3, all of one size), one row per crop."""
    (given,) = session.get_inputs()
    parts = [
        session.run(None, {given.name: _tensor(crops[start : start + _AT_ONCE])})
        for start in range(0, len(crops), _AT_ONCE)
    ]
    return [np.concatenate(output) for output in zip(*parts, strict=True)]


def _tensor(crops: Sequence[Pixels]) -> NDArray[np.float32]:
    """N x 3 x H x W, 0..1."""
    tensor = np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32)
    tensor /= 255
    return tensor
