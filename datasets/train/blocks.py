"""Rewrites the parts of a network that keep ONNX Runtime from its blocked channel layout, without changing the result.

ONNX Runtime runs convolutions on blocks of 16 channels (NCHWc). Splits, slices and pools that round up need plain rows: the
conversions before and after them take a tenth of a detector's run time (docs/decisions/0082).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PART = "/part"
"""Suffix for the weights of a part, followed by its number."""


def keep_blocks(model: Any) -> None:
    """Rewrite an ONNX model in place so that it keeps the blocked layout where it can; only float32 rounding changes."""
    _part_convolutions(model)
    _round_no_pool_up(model)


def _round_no_pool_up(model: Any) -> None:
    """Make pools round down where their strides divide the input: the export rounds up, which only odd inputs need."""
    import onnx

    pools = [node for node in model.graph.node if node.op_type == "AveragePool"]
    sides = _sides(model) if pools else {}
    for pool in pools:
        told = {each.name: each for each in pool.attribute}
        steps = onnx.helper.get_attribute_value(told["strides"])
        fits = steps == onnx.helper.get_attribute_value(told["kernel_shape"]) and pool.input[0] in sides
        if fits and all(side > 0 and side % step == 0 for side, step in zip(sides[pool.input[0]], steps, strict=True)):
            told["ceil_mode"].i = 0


def _sides(model: Any) -> dict[str, list[int]]:
    """Height and width of every 4D tensor; 0 where unknown."""
    import onnx

    known = onnx.shape_inference.infer_shapes(model).graph
    shapes = {each.name: each.type.tensor_type.shape.dim for each in [*known.value_info, *known.input]}
    return {name: [side.dim_value for side in shape[2:]] for name, shape in shapes.items() if len(shape) == 4}


def _part_convolutions(model: Any) -> None:
    """Replace every convolution with SiLU whose output is only split into equal parts by one convolution per part.

    The weights of a part keep their name, plus `/part0`, `/part1` and so on. The outputs of a part keep their names.
    """
    graph, nodes = model.graph, [*model.graph.node]
    stored = {tensor.name: tensor for tensor in graph.initializer}
    constants = _constants(nodes, graph.initializer)
    asked = {each.name for each in graph.output}
    users = defaultdict[str, list[Any]](list)
    for node in nodes:
        for name in node.input:
            users[name].append(node)
    made = dict[int, list[Any]]()
    gone = set[int]()
    for node in nodes:
        layer = _layer(node, users)
        parts = _parts(users[layer[-1].output[0]], constants) if layer else []
        if layer and parts and stored.keys() >= {*node.input[1:]} and layer[-1].output[0] not in asked:
            for name in node.input[1:]:
                graph.initializer.extend(_cut(stored[name], len(parts)))
            made[id(node)] = [each for at, part in enumerate(parts) for each in _part_of(layer, at, part)]
            gone |= {id(each) for each in [*layer, *users[layer[-1].output[0]]]}
    _keep_used(graph, [each for node in nodes for each in made.get(id(node), [] if id(node) in gone else [node])])


def whole_of(name: str) -> str:
    """The name of the whole convolution's weights, given the name of a part's."""
    return name.rpartition(_PART)[0] or name


def is_first_or_whole(weights: str) -> bool:
    """Whether the weights of this name are those of a whole convolution or of its first part."""
    return whole_of(weights) == weights or weights.endswith(f"{_PART}0")


def put_together(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Weights by name, with the parts of each convolution concatenated under its original name."""
    parts = defaultdict[str, list[NDArray[Any]]](list)
    for name in sorted(weights, key=_number):
        parts[whole_of(name)].append(weights[name])
    return {name: np.concatenate(some) if len(some) > 1 else some[0] for name, some in parts.items()}


def _layer(conv: Any, users: Mapping[str, Sequence[Any]]) -> list[Any]:
    """A convolution with its sigmoid and their product (SiLU), if nothing else uses its output; otherwise nothing."""
    if conv.op_type != "Conv":
        return []
    behind = sorted(users[conv.output[0]], key=lambda node: str(node.op_type))
    if [node.op_type for node in behind] != ["Mul", "Sigmoid"]:
        return []
    product, logistic = behind
    return [conv, logistic, product] if logistic.output[0] in product.input else []


def _parts(users: Sequence[Any], constants: Mapping[str, NDArray[Any]]) -> list[str]:
    """The names of the tensors cut in order from a tensor's channels, by a split or two slices; otherwise nothing.

    The bounds of slices are computed from the tensor's shape, as PyTorch exports `chunk`: only halves are recognised.
    """
    kinds = [node.op_type for node in users]
    if kinds == ["Split"]:
        (split,) = users
        sizes = constants.get(split.input[1]) if len(split.input) > 1 else np.zeros(1)
        equal = sizes is not None and len({*sizes.tolist()}) == 1
        return (
            list(split.output) if equal and [each.i for each in split.attribute if each.name == "axis"] == [1] else []
        )
    slices = [node for node in users if node.op_type == "Slice"]
    if len(slices) != 2 or not {*kinds} <= {"Shape", "Slice"} or not all(_is(node, 3, 1, constants) for node in slices):
        return []
    slices.sort(key=lambda node: not _is(node, 1, 0, constants))
    return (
        [node.output[0] for node in slices] if [_is(node, 1, 0, constants) for node in slices] == [True, False] else []
    )


def _is(node: Any, at: int, number: int, constants: Mapping[str, NDArray[Any]]) -> bool:
    """Whether one of a node's inputs is this constant."""
    given = constants.get(node.input[at])
    return given is not None and given.tolist() in (number, [number])


def _constants(nodes: Sequence[Any], tensors: Sequence[Any]) -> dict[str, NDArray[Any]]:
    """The integer constants and initializers of a graph, by name."""
    from onnx import TensorProto, numpy_helper

    told = [(node.output[0], node.attribute[0].t) for node in nodes if node.op_type == "Constant"]
    both = [*told, *((tensor.name, tensor) for tensor in tensors)]
    return {name: numpy_helper.to_array(tensor) for name, tensor in both if tensor.data_type == TensorProto.INT64}


def _cut(tensor: Any, parts: int) -> Iterator[Any]:
    from onnx import numpy_helper

    for at, part in enumerate(np.split(numpy_helper.to_array(tensor), parts)):
        yield numpy_helper.from_array(np.ascontiguousarray(part), f"{tensor.name}{_PART}{at}")


def _part_of(layer: Sequence[Any], at: int, name: str) -> list[Any]:
    """The nodes of one part, whose output is `name`."""
    import onnx

    conv, logistic, product = (onnx.NodeProto.FromString(node.SerializeToString()) for node in layer)
    for node in (conv, logistic, product):
        node.name = f"{node.name or node.output[0]}{_PART}{at}"
    said, share = f"{conv.output[0]}{_PART}{at}", f"{logistic.output[0]}{_PART}{at}"
    conv.input[1:] = [f"{weights}{_PART}{at}" for weights in conv.input[1:]]
    conv.output[:], logistic.input[:], logistic.output[:] = [said], [said], [share]
    product.input[:], product.output[:] = [said, share], [name]
    return [conv, logistic, product]


def _keep_used(graph: Any, nodes: Sequence[Any]) -> None:
    """Keep only the nodes, in their order, and the weights that the graph's outputs depend on."""
    wanted = {each.name for each in graph.output}
    kept = list[Any]()
    for node in reversed(nodes):
        if wanted.intersection(node.output):
            kept.append(node)
            wanted.update(node.input)
    stored = [tensor for tensor in graph.initializer if tensor.name in wanted]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(reversed(kept))
    graph.initializer.extend(stored)


def _number(name: str) -> int:
    return int(name.rpartition(_PART)[2]) if _PART in name else 0
