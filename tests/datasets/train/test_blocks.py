"""Networks changed to stay in blocks of channels say the same, and their weights are found as they were."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs the train extra")

import onnx
from onnx import TensorProto, helper, numpy_helper

from datasets.train.blocks import is_first_or_whole, keep_blocks, whole_of
from datasets.train.stored import weights_of

BY_SPLIT = [helper.make_node("Split", ["act"], ["a", "b"], axis=1)]
BY_SLICES = [  # as PyTorch exports `chunk`
    helper.make_node("Shape", ["act"], ["shape"]),
    helper.make_node("Constant", [], ["one"], value=numpy_helper.from_array(np.array([1]))),
    helper.make_node("Constant", [], ["two"], value=numpy_helper.from_array(np.array([2]))),
    helper.make_node("Constant", [], ["begin"], value=numpy_helper.from_array(np.array([0]))),
    helper.make_node("Gather", ["shape", "one"], ["channels"]),
    helper.make_node("Div", ["channels", "two"], ["half"]),
    helper.make_node("Mul", ["half", "two"], ["end"]),
    helper.make_node("Slice", ["act", "half", "end", "one"], ["b"]),
    helper.make_node("Slice", ["act", "begin", "half", "one"], ["a"]),
]


def block(split: list[Any], *more: Any) -> Any:
    """What a block of YOLO does: a convolution whose halves go ways of their own."""
    rng = np.random.default_rng(7)
    nodes = [
        helper.make_node("Conv", ["seen", "first.weight", "first.bias"], ["conv"], name="first"),
        helper.make_node("Sigmoid", ["conv"], ["share"]),
        helper.make_node("Mul", ["conv", "share"], ["act"]),
        *split,
        helper.make_node("Conv", ["b", "second.weight", "second.bias"], ["c"], name="second"),
        helper.make_node("Concat", ["a", "b", "c"], ["said"], axis=1),
        *more,
    ]
    shapes = {"first.weight": (8, 5, 1, 1), "first.bias": (8,), "second.weight": (3, 4, 1, 1), "second.bias": (3,)}
    stored = [numpy_helper.from_array(rng.normal(0, 1, s).astype(np.float32), n) for n, s in shapes.items()]
    given = helper.make_tensor_value_info("seen", TensorProto.FLOAT, ["n", 5, 6, 6])
    said = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * 4) for name in ("said", *_more(more))]
    graph = helper.make_graph(nodes, "block", [given], said, stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _more(nodes: tuple[Any, ...]) -> list[str]:
    return [node.output[0] for node in nodes]


def says(model: Any) -> list[np.ndarray]:
    import onnxruntime

    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    seen = np.random.default_rng(8).normal(0, 1, (2, 5, 6, 6)).astype(np.float32)
    return [np.asarray(each) for each in session.run(None, {"seen": seen})]


@pytest.mark.parametrize("split", [BY_SPLIT, BY_SLICES], ids=["split", "slices"])
def test_a_convolution_in_parts_says_the_same(split: list[Any]) -> None:
    model = block(split)
    before, weights = says(model), weights_of(model.graph)
    keep_blocks(model)
    onnx.checker.check_model(model)
    (was,), (now,) = before, says(model)
    assert np.allclose(was, now, atol=1e-6)
    assert np.abs(was).max() > 1
    kinds = Counter(node.op_type for node in model.graph.node)
    assert kinds == {"Conv": 3, "Sigmoid": 2, "Mul": 2, "Concat": 1}
    found = weights_of(model.graph)
    assert {*found} == {*weights}
    assert all(np.array_equal(found[name], weights[name]) for name in weights)


@pytest.mark.parametrize(
    "model",
    [
        block(BY_SPLIT, helper.make_node("Relu", ["act"], ["more"])),
        block(BY_SPLIT, helper.make_node("Relu", ["conv"], ["more"])),
        block([helper.make_node("Split", ["act"], ["a", "b"], axis=2)]),
        block([helper.make_node("Split", ["act", "sizes"], ["a", "b"], axis=1)]),
        block([*BY_SLICES[:-1], helper.make_node("Slice", ["act", "one", "half", "one"], ["a"])]),
    ],
    ids=[
        "all of it is used, too",
        "it is used without its activation",
        "rows are split",
        "by sizes nobody knows",
        "no half",
    ],
)
def test_one_of_which_more_is_used_than_halves_stays_whole(model: Any) -> None:
    before = model.SerializeToString()
    keep_blocks(model)
    assert [node.name for node in model.graph.node if node.op_type == "Conv"] == ["first", "second"]
    assert weights_of(model.graph).keys() == weights_of(onnx.ModelProto.FromString(before).graph).keys()


def test_parts_know_whose_they_are() -> None:
    assert whole_of("model.2.cv1.conv.weight/part1") == whole_of("model.2.cv1.conv.weight") == "model.2.cv1.conv.weight"
    assert [is_first_or_whole(name) for name in ("a", "a/part0", "a/part1")] == [True, True, False]


@pytest.mark.parametrize(("side", "rounds_up"), [(6, 0), (7, 1)])
def test_a_pool_rounds_up_only_where_that_makes_a_difference(side: int, rounds_up: int) -> None:
    pool = helper.make_node("AveragePool", ["seen"], ["said"], kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)
    given = helper.make_tensor_value_info("seen", TensorProto.FLOAT, ["n", 16, 6, side])
    graph = helper.make_graph([pool], "pool", [given], [helper.make_tensor_value_info("said", 1, [None] * 4)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    keep_blocks(model)
    (node,) = model.graph.node
    assert {each.name: each.i for each in node.attribute}["ceil_mode"] == rounds_up


def test_the_shipped_detectors_and_reader_of_dice_split_no_activation() -> None:
    for name in ("detector", "witness", "dice"):
        graph = onnx.load(Path("models") / f"{name}.onnx").graph
        assert not any(node.op_type == "Slice" for node in graph.node)
        assert sum(node.op_type == "Split" for node in graph.node) <= 1, "the attention's, which has no activation"


def test_no_pool_of_the_shipped_readers_rounds_up() -> None:
    for name in ("ends", "outlines", "d12", "marks", "pairs"):
        pools = [
            node for node in onnx.load(Path("models") / f"{name}.onnx").graph.node if node.op_type == "AveragePool"
        ]
        assert pools
        assert not any(each.i for node in pools for each in node.attribute if each.name == "ceil_mode")
