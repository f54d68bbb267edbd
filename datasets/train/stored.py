"""Stores a trained network with its large weights in 16 or 8 bits, which are converted back when the file is opened.

Computation stays in 32 bits and at the same speed (docs/decisions/0006). Convolutions run in ONNX Runtime's blocked channel
layout where possible (`datasets.train.blocks`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.train.blocks import keep_blocks, put_together

_HALF, _BYTE, _SCALE = "/half", "/byte", "/scale"
"""Suffixes of the tensors of a shortened weight."""
_LARGE = 256
"""A weight tensor with more numbers than this is shortened."""
_MOST = 127
"""The largest number in a signed byte."""
_MANY = 30
"""Weights per output from which eight bits suffice: over fewer, as in a depthwise convolution, errors do not average out."""


def shorten(source: Path, target: Path, bits: int = 16) -> None:
    """Write a network with its large weights in 16 or 8 bits, rewritten to run fast.

    Args:
        source: a network as exported.
        target: the file to write.
        bits: 16, or 8: integers, with a scale for each output of a layer; outputs with few weights keep 16.

    Raises:
        ValueError: `bits` is neither 16 nor 8.
    """
    import onnx
    from onnx import numpy_helper

    if bits not in (16, 8):
        raise ValueError(f"weights are stored in 16 or in 8 bits, not in {bits}")
    model = onnx.load(source)
    keep_blocks(model)
    kept, longer = [], []
    for tensor in model.graph.initializer:
        weights, name = numpy_helper.to_array(tensor), tensor.name
        if weights.dtype != np.float32 or weights.size <= _LARGE:
            kept.append(tensor)
        elif bits == 16 or weights.size < _MANY * len(weights):
            kept.append(numpy_helper.from_array(weights.astype(np.float16), name + _HALF))
            longer.append(_cast(name + _HALF, name))
        else:
            whole, scale = _in_bytes(weights)
            kept += [numpy_helper.from_array(whole, name + _BYTE), numpy_helper.from_array(scale, name + _SCALE)]
            longer.append(_cast(name + _BYTE, f"{name}/long"))
            longer.append(onnx.helper.make_node("Mul", [f"{name}/long", name + _SCALE], [name]))
    nodes = [*longer, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes)
    del model.graph.value_info[:]  # shapes that are inferred again when it is opened, a fifth of a detector's file
    onnx.checker.check_model(model)
    onnx.save(model, target)


def weights_of(graph: Any) -> dict[str, NDArray[Any]]:
    """The weights of a network's graph by their exported names, with shortened ones converted back and the parts of convolutions
    joined.
    """
    from onnx import numpy_helper

    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    return put_together(
        dict(_long(name, values, stored) for name, values in stored.items() if not name.endswith(_SCALE))
    )


def is_shortened(graph: Any) -> bool:
    """Whether the graph was stored by `shorten`."""
    return any(tensor.name.endswith((_HALF, _BYTE)) for tensor in graph.initializer)


def _long(name: str, values: NDArray[Any], stored: dict[str, NDArray[Any]]) -> tuple[str, NDArray[Any]]:
    if name.endswith(_HALF):
        return name.removesuffix(_HALF), values.astype(np.float32)
    if name.endswith(_BYTE):
        plain = name.removesuffix(_BYTE)
        return plain, values.astype(np.float32) * stored[plain + _SCALE]
    return name, values


def _in_bytes(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Integers from -127 to 127, and the scale of each row of the first axis.

    The weights of an output are rounded so that their sum nearly stays: most inputs are positive, and errors of one sign
    would add up. That halves how much rounding changes the second classifier's output, on 192 drawn crops.
    """
    rows = weights.reshape(len(weights), -1)
    scale = np.maximum(np.abs(rows).max(1, keepdims=True) / _MOST, np.finfo(np.float32).tiny).astype(np.float32)
    exact = rows / scale
    whole = np.round(exact)
    for row, error in zip(whole, whole - exact, strict=True):
        much = round(float(error.sum()))
        row[np.argsort(-np.sign(much) * error, kind="stable")[: abs(much)]] -= np.sign(much)
    whole = np.clip(whole, -_MOST, _MOST).astype(np.int8)
    return whole.reshape(weights.shape), scale.reshape(-1, *(1,) * (weights.ndim - 1))


def _cast(short: str, name: str) -> Any:
    import onnx

    return onnx.helper.make_node("Cast", [short], [name], to=onnx.TensorProto.FLOAT)
