"""Whether this processor trains faster in bfloat16."""

from __future__ import annotations


def bfloat16_pays() -> bool:
    """Whether oneDNN multiplies bfloat16 here: then a step takes about a third of the time (`bench/step.py`)."""
    import torch

    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
