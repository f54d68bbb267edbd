"""Averaging networks."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")

from datasets.train.__main__ import halve  # noqa: E402
from datasets.train.average import average, average_exports  # noqa: E402


def checkpoint(path: Path, weight: float, batches: int, size: int = 2) -> Path:
    net = torch.nn.BatchNorm1d(size)
    torch.nn.init.constant_(net.weight, weight)
    net.num_batches_tracked += batches
    torch.save({"ema": net, "epoch": batches}, path)
    return path


def test_weights_are_averaged_and_counters_are_the_last_ones(tmp_path: Path):
    parts = [checkpoint(tmp_path / "a.pt", 1.0, 3), checkpoint(tmp_path / "b.pt", 2.0, 7)]
    average(parts, [0.25, 0.75], tmp_path / "mean.pt")
    kept = torch.load(tmp_path / "mean.pt", weights_only=False)
    assert kept["ema"].weight.tolist() == [1.75, 1.75]
    assert int(kept["ema"].num_batches_tracked) == 7
    assert kept["epoch"] == 7


def test_networks_of_another_kind_are_refused(tmp_path: Path):
    other = tmp_path / "c.pt"
    torch.save({"ema": torch.nn.Linear(2, 2)}, other)
    with pytest.raises(SystemExit, match="different shapes"):
        average([checkpoint(tmp_path / "a.pt", 1.0, 3), other], [0.5, 0.5], tmp_path / "mean.pt")


def exported(path: Path, weight: float) -> Path:
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper, numpy_helper

    weights = numpy_helper.from_array(np.full((20, 20), weight, np.float32), "weights")
    sides = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 20]) for name in ("given", "said")]
    node = helper.make_node("MatMul", ["given", "weights"], ["said"])
    onnx.save(helper.make_model(helper.make_graph([node], "net", sides[:1], sides[1:], [weights])), path)
    return path


def test_a_shipped_network_and_one_trained_on_from_it_are_averaged(tmp_path: Path):
    import onnx
    from onnx import numpy_helper

    shipped, longer = tmp_path / "shipped.onnx", exported(tmp_path / "longer.onnx", 5.0)
    halve(exported(tmp_path / "first.onnx", 1.0), shipped)
    average_exports([shipped, longer], [0.25, 0.75], tmp_path / "mean.onnx")
    (weights,) = onnx.load(tmp_path / "mean.onnx").graph.initializer
    assert (weights.name, numpy_helper.to_array(weights).ravel()[0]) == ("weights", 4.0)
    with pytest.raises(SystemExit, match="name it first"):
        average_exports([longer, shipped], [0.5, 0.5], tmp_path / "mean.onnx")
