"""What the shipped readers say of drawn dice, and what a smaller one learns of it."""

import numpy as np
import pytest

from datasets.generate.drawn.dice import NOTHING, PIP, draw_class
from datasets.train.teachers import Teachers, smaller
from vision.classify.dice import CLASSES

LABELS = np.array([PIP, PIP + 2, PIP + 4, PIP + 5] * 3)


@pytest.fixture(scope="module")
def crops() -> np.ndarray:
    drawn = [draw_class(np.random.default_rng(k), int(label))[0] for k, label in enumerate(LABELS)]
    return np.stack(smaller(np.stack(drawn), Teachers.side))


def test_teachers_know_most_drawn_dice(crops: np.ndarray):
    said = Teachers().chances(crops)
    assert said.shape == (len(LABELS), len(CLASSES))
    assert said.sum(1) == pytest.approx(np.ones(len(LABELS)))
    assert (said.argmax(1) == LABELS).mean() > 0.7


def test_of_what_they_know_a_share_is_learned_and_of_the_rest_the_label_alone(crops: np.ndarray):
    teachers, share, smoothing = Teachers(), 0.5, 0.1
    said = teachers.chances(crops)
    rows, known = np.arange(len(LABELS)), said[np.arange(len(LABELS)), LABELS] > 0.3
    targets = teachers.targets(crops, LABELS, share, smoothing)
    assert targets.sum(1) == pytest.approx(np.ones(len(LABELS)), abs=1e-5)
    hard = 1 - smoothing + smoothing / len(CLASSES)
    expected = np.where(known, share * said[rows, LABELS] + (1 - share) * hard, hard)
    assert targets[rows, LABELS] == pytest.approx(expected, abs=1e-5)
    assert known.any()


def test_a_label_that_they_deny_is_learned_all_the_same(crops: np.ndarray):
    teachers, smoothing = Teachers(), 0.1
    labels = np.full(len(LABELS), NOTHING)
    denied = teachers.chances(crops)[:, NOTHING] <= 0.3
    targets = teachers.targets(crops, labels, 0.5, smoothing)
    assert denied.sum() > len(LABELS) / 2
    assert targets[denied, NOTHING] == pytest.approx(1 - smoothing + smoothing / len(CLASSES), abs=1e-6)


def test_crops_are_made_smaller_smoothly_or_with_pixels_skipped():
    lines = np.zeros((1, 120, 120, 3), np.uint8)
    lines[:, :, ::3] = 255
    ((smooth,), (sharp,)) = smaller(lines, 40), smaller(lines, 40, sharp=True)
    assert smooth.shape == sharp.shape == (40, 40, 3)
    assert smooth.std() < 1
    assert abs(float(smooth.mean()) - 85) < 1
    assert float(sharp.mean()) == pytest.approx(0, abs=1)
