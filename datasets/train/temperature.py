"""The temperature that calibrates logits (Guo et al., "On Calibration of Modern Neural Networks", ICML 2017)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def calibrate(logits: NDArray[np.float64], labels: NDArray[np.int64], out: Path, **known: float) -> float:
    """Fit the temperature on held-out crops (logits n x classes, labels n), and write it to `out`/calibration.json.

    `known`: other numbers to write there.
    """
    temperatures = np.geomspace(0.3, 4, 80)
    losses = [_nll(logits / t, labels) for t in temperatures]
    best = float(temperatures[int(np.argmin(losses))])
    print(f"temperature {best:.3f}: loss {min(losses):.4f} (at 1: {_nll(logits, labels):.4f})")
    (out / "calibration.json").write_text(json.dumps({"temperature": round(best, 4), **known}))
    return best


def _nll(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The mean negative log likelihood of the labels."""
    shifted = logits - logits.max(1, keepdims=True)
    return float((np.log(np.exp(shifted).sum(1)) - shifted[np.arange(len(labels)), labels]).mean())
