"""Exports crop classifiers to ONNX."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any


def export(net: Any, size: tuple[int, int], target: Path, output: str = "logits") -> Path:
    """Write a network as ONNX, for crops of `size` (height, width) in batches of any size; the network is not changed."""
    import torch

    torch.onnx.export(
        copy.deepcopy(net).eval(),
        (torch.zeros(1, 3, *size),),
        str(target),
        input_names=["crops"],
        output_names=[output],
        dynamic_axes={"crops": {0: "n"}, output: {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    return target
