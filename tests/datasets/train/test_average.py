"""Averaging networks."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the train extra")

from datasets.train.average import average
from datasets.train.stored import shorten


def exported(path: Path, weight: float, size: int = 20) -> Path:
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper, numpy_helper

    weights = numpy_helper.from_array(np.full((size, size), weight, np.float32), "weights")
    sides = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, size]) for name in ("given", "said")]
    node = helper.make_node("MatMul", ["given", "weights"], ["said"])
    onnx.save(helper.make_model(helper.make_graph([node], "net", sides[:1], sides[1:], [weights])), path)
    return path


def test_a_shipped_network_and_one_trained_on_from_it_are_averaged(tmp_path: Path):
    import onnx
    from onnx import numpy_helper

    shipped, longer = tmp_path / "shipped.onnx", exported(tmp_path / "longer.onnx", 5.0)
    shorten(exported(tmp_path / "first.onnx", 1.0), shipped)
    average([shipped, longer], [0.25, 0.75], tmp_path / "mean.onnx")
    (weights,) = onnx.load(tmp_path / "mean.onnx").graph.initializer
    assert (weights.name, numpy_helper.to_array(weights).ravel()[0]) == ("weights", 4.0)
    with pytest.raises(SystemExit, match="name it first"):
        average([longer, shipped], [0.5, 0.5], tmp_path / "mean.onnx")


def test_networks_of_another_kind_are_refused(tmp_path: Path):
    parts = [exported(tmp_path / "a.onnx", 1.0), exported(tmp_path / "b.onnx", 3.0, size=30)]
    with pytest.raises(SystemExit, match="different shapes"):
        average(parts, [0.5, 0.5], tmp_path / "mean.onnx")
