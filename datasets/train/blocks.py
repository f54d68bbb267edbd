"""What keeps ONNX Runtime from passing on blocks of channels in a network, replaced by what says the same in less time.

It lets convolutions pass on blocks of 16 channels (NCHWc). A split or a slice can only take rows, and so can a pool that rounds
up: it puts all in rows before, and in blocks again behind, which is a tenth of a detector's run (docs/decisions/0082).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PART = "/part"
"""How the weights of a part are marked, with its number behind."""


def keep_blocks(model: Any) -> None:
    """Change an ONNX model so that it says the same, within the last digits of 32 bits, and stays in blocks where it can."""
    _part_convolutions(model)
    _round_no_pool_up(model)


def _round_no_pool_up(model: Any) -> None:
    """Let pools round down whose steps fit their input: PyTorch's export says that those of an odd one round up."""
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
    """Height and width of the tensors for which they are known; 0 where they are not."""
    import onnx

    known = onnx.shape_inference.infer_shapes(model).graph
    shapes = {each.name: each.type.tensor_type.shape.dim for each in [*known.value_info, *known.input]}
    return {name: [side.dim_value for side in shape[2:]] for name, shape in shapes.items() if len(shape) == 4}


def _part_convolutions(model: Any) -> None:
    """Replace every convolution of an ONNX model whose activation, x times its logistic, is used for nothing but equal parts.

    The weights of a part are called as before, with `/part0`, `/part1` and so on behind. What a part says keeps its name.
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
    """What the weights of a whole convolution are called, of which these are a part."""
    return name.rpartition(_PART)[0] or name


def is_first_or_whole(weights: str) -> bool:
    """Whether weights of this name are not those of a later part."""
    return whole_of(weights) == weights or weights.endswith(f"{_PART}0")


def put_together(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Weights by name, with the parts of a convolution as one again, under its name."""
    parts = defaultdict[str, list[NDArray[Any]]](list)
    for name in sorted(weights, key=_number):
        parts[whole_of(name)].append(weights[name])
    return {name: np.concatenate(some) if len(some) > 1 else some[0] for name, some in parts.items()}


def _layer(conv: Any, users: Mapping[str, Sequence[Any]]) -> list[Any]:
    """A convolution with its logistic and their product, if nothing else uses what it says; else nothing."""
    if conv.op_type != "Conv":
        return []
    behind = sorted(users[conv.output[0]], key=lambda node: str(node.op_type))
    if [node.op_type for node in behind] != ["Mul", "Sigmoid"]:
        return []
    product, logistic = behind
    return [conv, logistic, product] if logistic.output[0] in product.input else []


def _parts(users: Sequence[Any], constants: Mapping[str, NDArray[Any]]) -> list[str]:
    """What those are called that are cut out of a tensor's channels one after the other, by a split or two slices; else nothing.

    The bounds of slices are computed from the tensor's shape, as PyTorch exports `chunk`: of those only halves are known.
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
    """Whether one of a node's inputs is always this number."""
    given = constants.get(node.input[at])
    return given is not None and given.tolist() in (number, [number])


def _constants(nodes: Sequence[Any], tensors: Sequence[Any]) -> dict[str, NDArray[Any]]:
    """The whole numbers that are in a graph from the start, by name."""
    from onnx import TensorProto, numpy_helper

    told = [(node.output[0], node.attribute[0].t) for node in nodes if node.op_type == "Constant"]
    both = [*told, *((tensor.name, tensor) for tensor in tensors)]
    return {name: numpy_helper.to_array(tensor) for name, tensor in both if tensor.data_type == TensorProto.INT64}


def _cut(tensor: Any, parts: int) -> Iterator[Any]:
    from onnx import numpy_helper

    for at, part in enumerate(np.split(numpy_helper.to_array(tensor), parts)):
        yield numpy_helper.from_array(np.ascontiguousarray(part), f"{tensor.name}{_PART}{at}")


def _part_of(layer: Sequence[Any], at: int, name: str) -> list[Any]:
    """The nodes of one part, which says `name`."""
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
    """Let the graph have those of these nodes, in their order, and of its weights, that its outputs come of."""
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
