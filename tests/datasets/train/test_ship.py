"""What putting a network into `models/` writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasets.train import __main__ as command

RECIPE = {
    "ships_as": "dice",
    "input": "N x 2",
    "classes": ["a", "b"],
    "licence": "AGPL-3.0-or-later",
    "trained": "by hand",
}


def test_what_a_training_does_not_fit_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    onnx = pytest.importorskip("onnx", reason="needs the train extra")
    value = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 2])
    same = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 2])
    node = onnx.helper.make_node("Identity", ["x"], ["y"])
    onnx.save(onnx.helper.make_model(onnx.helper.make_graph([node], "g", [value], [same])), tmp_path / "new.onnx")
    monkeypatch.setattr(command, "FOLDER", tmp_path)
    command.ship(tmp_path / "new.onnx", RECIPE, {"temperature": 1.5, "offset": 0.25})
    command.ship(tmp_path / "new.onnx", RECIPE, {"temperature": 0.5})
    (entry,) = json.loads((tmp_path / "manifest.json").read_text())["models"]
    assert entry["calibration"] == {"temperature": 0.5, "offset": 0.25}
    assert entry["size_bytes"] == (tmp_path / "dice.onnx").stat().st_size
