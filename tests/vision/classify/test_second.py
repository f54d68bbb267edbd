"""The second opinion on dice: how two opinions make one, and who is asked."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import load_manifest
from vision.classify.crop_network import CropNetwork, in_mirror, softmax
from vision.classify.dice import CLASSES, MARGIN, SECOND_VIEWS, WITHOUT_PIPS, in_doubt
from vision.classify.second import SIDE, SecondOpinion, pooled
from vision.detect.boxes import Detection
from vision.photo import load

CHANCES = st.lists(st.floats(-6, 6), min_size=5, max_size=5).map(lambda row: softmax(np.array([row], np.float32)))
SAMPLE = Path("docs/sample-throw.jpg")


@given(CHANCES, CHANCES, st.floats(0.1, 2), st.floats(0.1, 2))
def test_a_pool_is_chances_again_and_keeps_what_both_think(first, second, a, b):
    pool = pooled(first, second, a, b)
    assert pool.sum() == pytest.approx(1)
    if first.argmax() == second.argmax():
        assert pool.argmax() == first.argmax()


@given(CHANCES, CHANCES)
def test_an_opinion_without_weight_changes_nothing(first, second):
    np.testing.assert_allclose(pooled(first, second, 1.0, 0.0), first, atol=1e-6)


@given(CHANCES, CHANCES)
def test_classes_that_are_kept_share_as_the_first_has_it(first, second):
    pool = pooled(first, second, 0.6, 0.5, (1, 3))
    assert pool.sum() == pytest.approx(1)
    assert pool[0, 1] * first[0, 3] == pytest.approx(pool[0, 3] * first[0, 1])
    one, other = (each[:, [0, 2, 4]] / each[:, [0, 2, 4]].sum() for each in (pool, pooled(first, second, 0.6, 0.5)))
    np.testing.assert_allclose(one, other, atol=1e-9)


def test_one_that_is_certain_does_not_silence_the_other():
    first, second = np.array([[1.0, 0.0]]), np.array([[1e-7, 1 - 1e-7]])
    assert 0 < pooled(first, second, 0.5, 0.5)[0, 1] < 1


def test_only_what_is_in_doubt_is_asked_about():
    photo = load(SAMPLE)
    opinion = SecondOpinion(load_manifest()["second"], MARGIN, SECOND_VIEWS)
    boxes = [(photo.pixels, Detection(x, 100, x + 80, 180, 0.9)) for x in (100, 200, 300)]
    chances = np.full((3, len(CLASSES)), 0.01 / (len(CLASSES) - 1))
    chances[0, 3] = chances[1, 0] = 0.99
    chances[1] = (chances[1] + 0.06 * np.eye(len(CLASSES))[4]) / 1.06
    chances[2] = 1 / len(CLASSES)
    asked = in_doubt(chances)
    assert asked.tolist() == [False, False, True]
    together = opinion.added(boxes, chances, asked, WITHOUT_PIPS)
    np.testing.assert_array_equal(together[:2], chances[:2])
    assert np.abs(together[2] - chances[2]).max() > 0.01
    assert together[2].sum() == pytest.approx(1)


def test_of_dice_that_lie_flush_it_is_asked_unless_the_first_is_sure_of_a_die_and_there_it_counts_more():
    photo = load(SAMPLE)
    opinion = SecondOpinion(load_manifest()["second"], MARGIN, SECOND_VIEWS)
    boxes = [(photo.pixels, Detection(567, 498, 795, 724, 0.9))] * 4
    chances = np.full((4, len(CLASSES)), 0.002 / (len(CLASSES) - 1))
    chances[0, 0] = chances[1, 3] = 0.998
    chances[2:, 0], chances[2:, 3] = 0.88, 0.1
    chances /= chances.sum(1, keepdims=True)
    flush = [False, True, False, True]
    assert in_doubt(chances).tolist() == [False, False, False, False]
    assert in_doubt(chances, flush).tolist() == [False, False, False, True]
    hardly = np.where(np.arange(len(CLASSES)) == 0, 0.97, 0.03 / (len(CLASSES) - 1))[None]
    assert in_doubt(hardly, [True]).tolist() == [True]
    asked = np.array([False, False, True, True])
    apart, beside = opinion.added(boxes, chances, asked, WITHOUT_PIPS, flush)[2:]
    own = opinion.added(boxes, np.full_like(chances, 1 / len(CLASSES)), asked, WITHOUT_PIPS)[2]
    assert own.argmax() != 0
    assert beside[own.argmax()] > apart[own.argmax()]


def test_a_die_in_a_mirror_is_the_same_to_it():
    photo = load(SAMPLE)
    width, reach = photo.pixels.shape[1], SIDE / MARGIN / 2  # as large as its crop: no pixel is made up
    one_way, both_ways = (
        CropNetwork(load_manifest()["second"], SIDE, MARGIN, ((1.0, 0.0),), mirrored=mirrored)
        for mirrored in (False, True)
    )
    box = (photo.pixels, Detection(1030 - reach, 567 - reach, 1030 + reach, 567 + reach, 0.9))
    mirror = (in_mirror(photo.pixels), box[1].mapped(-1, 1, width, 0))
    np.testing.assert_allclose(both_ways.chances([box]), both_ways.chances([mirror]), atol=1e-4)
    assert np.abs(one_way.chances([box]) - one_way.chances([mirror])).max() > 0.01


def test_without_boxes_nobody_is_asked():
    chances = np.zeros((0, len(CLASSES)))
    opinion = SecondOpinion(load_manifest()["second"], MARGIN, SECOND_VIEWS)
    assert opinion.added([], chances, in_doubt(chances), WITHOUT_PIPS).shape == chances.shape
