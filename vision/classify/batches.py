"""Crops through a network, some at a time: how much memory that takes does not depend on how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

_AT_ONCE = 32
"""More take no less time each, and ONNX Runtime never gives back what the largest batch took."""


def outputs_of(session: Any, crops: Sequence[Pixels]) -> list[NDArray[np.float32]]:
    """Every output of a network for at least one crop (each H x W x 3, all of one size), a row a crop."""
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
