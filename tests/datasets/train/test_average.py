"""Averaging checkpoints of the detector."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")

from datasets.train.average import average  # noqa: E402


def checkpoint(path: Path, weight: float, batches: int, size: int = 2) -> Path:
    net = torch.nn.BatchNorm1d(size)
    torch.nn.init.constant_(net.weight, weight)
    net.num_batches_tracked += batches
    torch.save({"ema": net, "epoch": batches}, path)
    return path


def test_weights_are_averaged_and_counters_are_the_last_ones(tmp_path: Path):
    parts = [checkpoint(tmp_path / "a.pt", 1.0, 3), checkpoint(tmp_path / "b.pt", 2.0, 7)]
    average(parts, tmp_path / "mean.pt")
    kept = torch.load(tmp_path / "mean.pt", weights_only=False)
    assert kept["ema"].weight.tolist() == [1.5, 1.5]
    assert int(kept["ema"].num_batches_tracked) == 7
    assert kept["epoch"] == 7


def test_networks_of_another_kind_are_refused(tmp_path: Path):
    other = tmp_path / "c.pt"
    torch.save({"ema": torch.nn.Linear(2, 2)}, other)
    with pytest.raises(SystemExit, match="different shapes"):
        average([checkpoint(tmp_path / "a.pt", 1.0, 3), other], tmp_path / "mean.pt")
