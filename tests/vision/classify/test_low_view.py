"""The layer that tells that a die is seen from too low."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from datasets.generate.camera.crops import photographed
from datasets.generate.drawn.dice_scenes import die_scene, pip_die
from datasets.train.dice_views import moved
from datasets.train.low_view import fitted, levelled
from models import ModelError, ModelFile, load_manifest
from vision.classify.dice import MARGIN, dice_network
from vision.classify.low_view import LowView


def test_of_drawn_dice_those_seen_from_the_side_are_told_and_hardly_any_other():
    """The drawings are of another seed than those that the layer was fitted to."""
    model = load_manifest()["dice"]
    heights = [14.0] * 30 + [60.0] * 30
    crops = []
    for k, height in enumerate(heights):
        rng = np.random.default_rng((1, k))
        canvas, _ = die_scene(rng, pip_die(rng, k % 6 + 1), height)
        crops.append(moved(photographed(rng, canvas, 40.0), MARGIN))
    low = LowView.load(model).chances(dice_network(model).look(crops, 1).features[0]) > 0.5
    assert low[:30].mean() > 0.4
    assert low[30:].mean() < 0.1


def test_it_belongs_to_one_network(tmp_path: Path):
    model = dataclasses.replace(load_manifest()["dice"], file=str(tmp_path / "dice.onnx"))
    with pytest.raises(ModelError, match=r"low_view\.npz is missing"):
        LowView.load(model)
    layer = LowView(np.array([1.0, -1.0], np.float32), 0.25)
    layer.save(model)
    again = LowView.load(model)
    assert again.offset == 0.25
    assert again.chances(np.array([[0.0, 0.25]], np.float32)) == pytest.approx([0.5])
    with pytest.raises(ModelError, match="another network"):
        LowView.load(other(model))
    whole = (tmp_path / "low_view.npz").read_bytes()
    for bad in (b"no zip", b"", whole[:-40], whole[: len(whole) // 2]):
        (tmp_path / "low_view.npz").write_bytes(bad)
        with pytest.raises(ModelError, match="damaged"):
            LowView.load(model)


def other(model: ModelFile) -> ModelFile:
    return dataclasses.replace(model, sha256="0" * 64)


def test_the_fit_calls_about_one_in_fifty_of_those_seen_from_high_enough_low():
    rng = np.random.default_rng(0)
    heights = rng.uniform(6, 90, 4000)
    features = np.column_stack([heights / 20 + rng.normal(0, 0.3, 4000), rng.normal(0, 1, (4000, 3))])
    layer, caught = fitted(features.astype(np.float32), heights)
    assert caught[6.0, 12.0] > 0.9
    assert caught[60.0, 90.0] == 0
    fair = layer.chances(features[heights > 28].astype(np.float32)) > 0.5
    assert 0.005 < fair.mean() < 0.04


def test_on_photos_one_in_fifty_is_called_low_whatever_each_source_has():
    layer = LowView(np.ones(1, np.float32), 0.0)
    odds = {"many": np.linspace(-3, -1, 1000), "few": np.linspace(-1, 1, 50)}
    moved = levelled(layer, odds).offset
    called = np.mean([(part + moved > 0).mean() for part in odds.values()])
    assert called == pytest.approx(0.02, abs=0.011)
