from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.labels.photos import Box, Labelled
from datasets.train.calibrate import _judged, fit, held_apart
from vision.candidate import Calibration, Candidate
from vision.classify.dice import Face
from vision.detect.boxes import Detection
from vision.reading import DieKind


def test_fit_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 3, (2, 20_000))
    back, blank = rng.random((2, 20_000))
    chance = 1 / (1 + np.exp(-(1.2 * a + 0.4 * b - 2 * back - blank - 0.7)))
    scenes = rng.random(20_000) < 0.8
    rows = [("tile", *row) for row in zip(a, b, back, blank, scenes, rng.random(20_000) < chance, strict=True)]
    assert np.allclose(fit(rows), [1.2, 0.4, -2, -1, -0.7], atol=0.25)
    only_blank = fit(rows, start=[1.2, 0.4, -2, 0, -0.7], free=["blank"])
    assert np.allclose(only_blank, [1.2, 0.4, -2, only_blank[3], -0.7])
    assert np.isclose(only_blank[3], -1, atol=0.15)


def test_photos_count_as_much_as_the_scenes_of_which_there_are_more():
    scenes = [("tile", 0.0, 0.0, 0.0, 0.0, True, True)] * 900
    photos = [("tile", 0.0, 0.0, 0.0, 0.0, False, False)] * 100
    assert np.isclose(fit(scenes + photos)[-1], 0, atol=0.01)


def test_fit_of_separable_data_stays_finite():
    rows = [("die", 3.0, 3.0, 0.0, 0.0, True, True)] * 50 + [("die", -3.0, -3.0, 0.0, 0.0, False, False)] * 50
    assert np.isfinite(fit(rows)).all()


def die(left: float, kind: DieKind = "d6") -> Candidate:
    return Candidate(Detection(left, 0, left + 10, 10, 0.8), Face(0.1, (1.0,) + (0.0,) * 5, kind), Calibration())


def right(candidate: Candidate, *boxes: Box) -> list[bool]:
    return [row[-1] for row in _judged([candidate], Labelled(Path("a.jpg"), "made up", boxes))]


def test_right_is_what_covers_a_piece_of_the_kind_that_it_is_read_as():
    assert right(die(0), Box(0, 0, 10, 10, 4)) == [True]
    assert right(die(2), Box(0, 0, 10, 10, 4)) == [True]
    assert right(die(5), Box(0, 0, 10, 10, 4)) == []
    assert right(die(20), Box(0, 0, 10, 10, 4)) == [False]


def test_a_die_of_another_kind_and_nothing_are_wrong():
    assert right(die(0, "d12"), Box(0, 0, 10, 10, 4)) == [False]
    assert right(die(0), Box(0, 0, 10, 10, None, kind="other die")) == [False]
    assert right(die(0)) == [False]


def test_only_pictures_held_apart_whose_dice_are_known_calibrate():
    kept = Labelled(Path("a.jpg"), "mixed", (), held_out=True)
    others = [replace(kept, held_out=False), replace(kept, shows="crop"), replace(kept, source="n3_fisheye_grey")]
    assert held_apart([kept, *others]) == [kept]
