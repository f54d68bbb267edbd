"""Networks stored in fewer bits say nearly the same, and their weights are found again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs the train extra")

import onnx

from datasets.train.stored import is_shortened, shorten, weights_of


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A layer of 32 outputs, each of a size of its own, and an offset."""
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(3)
    weights = (rng.normal(0, 1, (32, 40)) * np.geomspace(0.001, 10, 32)[:, None]).astype(np.float32)
    sides = [helper.make_tensor_value_info("given", TensorProto.FLOAT, ["n", 40])]
    sides += [helper.make_tensor_value_info("said", TensorProto.FLOAT, ["n", 32])]
    node = helper.make_node("Gemm", ["given", "layer.weight", "layer.bias"], ["said"], transB=1)
    kept = [numpy_helper.from_array(weights, "layer.weight")]
    kept += [numpy_helper.from_array(rng.normal(0, 1, 32).astype(np.float32), "layer.bias")]
    graph = helper.make_graph([node], "net", sides[:1], sides[1:], kept)
    path = tmp_path / "exported.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def said(path: Path, given: np.ndarray) -> np.ndarray:
    import onnxruntime

    (answer,) = onnxruntime.InferenceSession(path).run(None, {"given": given})
    return np.asarray(answer)


@pytest.mark.parametrize(("bits", "off"), [(16, 0.001), (8, 0.01)])
def test_a_shortened_network_says_nearly_the_same(network: Path, tmp_path: Path, bits: int, off: float) -> None:
    short = tmp_path / "short.onnx"
    shorten(network, short, bits)
    given = np.random.default_rng(4).normal(0, 1, (50, 40)).astype(np.float32)
    before, after = said(network, given), said(short, given)
    # Each output by its own size: the small ones are as true as the large.
    assert (np.abs(after - before).max(0) < off * np.abs(before).max(0)).all()
    assert not np.array_equal(after, before)


@pytest.mark.parametrize("bits", [16, 8])
def test_its_weights_are_found_by_their_names(network: Path, tmp_path: Path, bits: int) -> None:
    short = tmp_path / "short.onnx"
    shorten(network, short, bits)
    before, after = onnx.load(network).graph, onnx.load(short).graph
    assert (is_shortened(before), is_shortened(after)) == (False, True)
    true, found = weights_of(before), weights_of(after)
    assert found.keys() == true.keys()
    reach = np.abs(true["layer.weight"]).max(1, keepdims=True)
    assert (np.abs(found["layer.weight"] - true["layer.weight"]) <= 0.005 * reach).all()
    assert np.array_equal(found["layer.bias"], true["layer.bias"])


def test_eight_bits_take_half_of_sixteen(network: Path, tmp_path: Path) -> None:
    sizes = []
    for bits in (16, 8):
        shorten(network, tmp_path / "short.onnx", bits)
        graph = onnx.load(tmp_path / "short.onnx").graph
        sizes.append(next(len(t.raw_data) for t in graph.initializer if t.name.startswith("layer.weight")))
    assert sizes == [32 * 40 * 2, 32 * 40]


def test_other_bits_are_refused(network: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="in 16 or in 8 bits, not in 4"):
        shorten(network, tmp_path / "short.onnx", 4)
