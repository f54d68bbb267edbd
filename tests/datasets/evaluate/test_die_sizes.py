"""How large dice are beside each other, from labelled photos and what was found in them."""

import math
from pathlib import Path

import numpy as np
import pytest

from datasets.evaluate import die_sizes
from datasets.labels.photos import Box, Labelled
from vision.detect.boxes import Detection


def find(x: float, side: float, score: float = 0.9) -> Detection:
    return Detection(x, 0, x + side, side, score)


def photo(*dice: tuple[float, float], source: str = "one") -> Labelled:
    return Labelled(Path("p.jpg"), source, tuple(Box(x, 0, x + side, side, 3) for x, side in dice))


def test_every_die_is_compared_with_the_others_and_what_is_none_with_all():
    found = die_sizes.ratios(
        photo((0, 100), (200, 100), (400, 50)),
        [find(0, 100), find(200, 100), find(400, 50), find(600, 200), find(800, 100, score=0.01)],
    )
    assert found.dice == [pytest.approx(math.log(each)) for each in (100 / 70.710678, 100 / 70.710678, 0.5)]
    assert found.others == [pytest.approx(math.log(2))]


def test_one_die_is_compared_with_nothing():
    assert die_sizes.ratios(photo((0, 100), (200, 100)), [find(0, 100), find(500, 50)]).others == ()


def test_every_source_counts_the_same():
    shares = die_sizes.shares([[math.log(1.05)] * 9 + [math.log(0.4)], [math.log(3)]])
    assert shares.sum() == pytest.approx(1)
    assert np.flatnonzero(shares).tolist() == [0, die_sizes.EDGES.index(1.0) + 1, len(die_sizes.EDGES)]
    assert shares[-1] == pytest.approx(0.5)


def test_photos_with_one_die_and_those_with_dice_without_labels_are_left_out():
    photos = [photo((0, 100)), photo((0, 100), (200, 100), source="n3_fisheye_grey"), photo((0, 100), (200, 100))]
    assert list(die_sizes.chosen(photos)) == photos[2:]
