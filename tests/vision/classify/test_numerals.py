"""Two networks read a numeral together."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.generate.drawn.dice import D12, OTHER, draw_class
from models import load_manifest
from vision.classify.crop_network import CropNetwork
from vision.classify.dice import MARGIN
from vision.classify.numerals import SIZES, VIEWS, NumeralReader
from vision.classify.second import pooled
from vision.detect.boxes import Detection
from vision.photo import Pixels

Crop = tuple[Pixels, Detection]


def drawn(label: int, seed: int) -> Crop:
    """A drawn die in the middle of its crop."""
    pixels, _ = draw_class(np.random.default_rng((seed, label)), label)
    side, half = len(pixels), len(pixels) / MARGIN / 2
    return pixels, Detection(side / 2 - half, side / 2 - half, side / 2 + half, side / 2 + half, 1.0)


@pytest.fixture(scope="module")
def crops() -> list[Crop]:
    try:
        return [drawn(D12 + value, seed) for seed in (51, 52, 53) for value in range(12)]
    except FileNotFoundError as error:
        pytest.skip(str(error))


def test_most_numerals_are_read_and_told_from_other_dice(crops: list[Crop]):
    chances = NumeralReader(load_manifest()).chances(crops)
    assert chances.shape == (36, 13)
    assert np.allclose(chances.sum(1), 1)
    read = chances[:, 1:].argmax(1) == np.tile(np.arange(12), 3)
    assert read.mean() > 0.6
    others = NumeralReader(load_manifest()).chances([drawn(OTHER, seed) for seed in range(20)])
    assert (chances[:, 0] < 0.5).mean() > 0.9
    assert (others[:, 0] > 0.5).mean() > 0.8


def test_both_have_a_say_in_the_numeral_and_the_first_in_what_die_it_is(crops: list[Crop]):
    manifest = load_manifest()
    one, other = (CropNetwork(manifest[name], *size, VIEWS).chances(crops) for name, size in SIZES.items())
    together = NumeralReader(manifest).chances(crops)
    weights = manifest["numerals"].calibration
    assert weights["first"] > 0 < weights["own"]
    assert np.array_equal(together[:, 0], one[:, 0])
    named = [each[:, 1:] / each[:, 1:].sum(1, keepdims=True) for each in (one, other, together)]
    assert np.allclose(named[2], pooled(*named[:2], weights["first"], weights["own"]))
    assert np.abs(named[2] - named[0]).max() > 0.05 < np.abs(named[2] - named[1]).max()


def test_nothing_to_read():
    assert NumeralReader(load_manifest()).chances([]).shape == (0, 13)
