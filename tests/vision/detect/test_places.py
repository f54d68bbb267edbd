"""The boxes of places that score, held against boxes made of every place, one by one."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models import ModelError, load_manifest
from vision.detect.detector import Detector, View
from vision.detect.places import ANSWERS, STRIDES, Array, BoxHead
from vision.photo import load

CHANNELS, HIDDEN, CLASSES = (5, 4, 3), (6, 4), 2
SIZES = ((9, 12), (5, 6), (3, 3))
RNG = np.random.default_rng(7)


def random(*shape: int) -> Array:
    return RNG.normal(0, 0.3, shape).astype(np.float32)


def branch(channels: int, hidden: int, answers: int) -> list[Array]:
    shapes = (hidden, channels, 3, 3), (hidden, hidden, 3, 3), (answers, hidden, 1, 1)
    return [each for shape in shapes for each in (random(*shape), random(shape[0]))]


WEIGHTS = [
    each
    for hidden, answers in zip(HIDDEN, (64, 1), strict=True)
    for c in CHANNELS
    for each in branch(c, hidden, answers)
]
SEEN = [random(1, c, *size) for c, size in zip(CHANNELS, SIZES, strict=True)]


def convolved(grid: Array, weights: Array, bias: Array) -> Array:
    """Channels x height x width, the slow way."""
    reach = weights.shape[2] // 2
    _, height, width = grid.shape
    padded = np.pad(grid, ((0, 0), (reach, reach), (reach, reach)))
    found = np.empty((len(weights), height, width), np.float32)
    for y, x in np.ndindex(height, width):
        window = padded[:, y : y + 2 * reach + 1, x : x + 2 * reach + 1]
        found[:, y, x] = (weights * window).sum((1, 2, 3)) + bias
    return found


def answered(grid: Array, layers: list[Array]) -> Array:
    for k in (0, 2):
        grid = convolved(grid, layers[k], layers[k + 1])
        grid = grid / (1 + np.exp(-grid))
    return convolved(grid, layers[4], layers[5])


def row(k: int, y: int, x: int, scores: Array) -> list[float]:
    """By the definition of the head."""
    odds = answered(SEEN[k][0], WEIGHTS[6 * k : 6 * k + 6])[:, y, x].reshape(4, 16)
    left, top, right, bottom = (float(np.exp(o) @ np.arange(16) / np.exp(o).sum()) for o in odds)
    turn = float(answered(SEEN[k][0], WEIGHTS[18 + 6 * k : 24 + 6 * k])[0, y, x])
    angle = (1 / (1 + math.exp(-turn)) - 0.25) * math.pi
    across, along = (right - left) / 2, (bottom - top) / 2
    c, s = math.cos(angle), math.sin(angle)
    centre = x + 0.5 + across * c - along * s, y + 0.5 + across * s + along * c
    box = [STRIDES[k] * each for each in (*centre, left + right, top + bottom)]
    return [*box, *(1 / (1 + np.exp(-scores[0, :, y, x]))).tolist(), angle]


@pytest.mark.parametrize(
    "places",
    [
        [(0, 4, 6)],
        [(0, 0, 0), (0, 0, 11), (0, 8, 11)],
        [(0, 3, 4), (0, 3, 5), (1, 2, 2), (2, 1, 1)],
        [(2, y, x) for y in range(3) for x in range(3)],
    ],
    ids=["in the middle", "in corners", "beside each other, in all grids", "everywhere"],
)
def test_a_place_that_scores_gets_the_box_that_the_whole_head_gives_it(places: list[tuple[int, int, int]]):
    scores = [np.full((1, CLASSES, *size), -9, np.float32) for size in SIZES]
    for n, (k, y, x) in enumerate(places):
        scores[k][0, n % CLASSES, y, x] = 0.3 + 0.01 * n
    rows = BoxHead.of(WEIGHTS).rows([*SEEN, *scores], min_score=0.5)
    assert rows == pytest.approx(np.array([row(k, y, x, scores[k]) for k, y, x in places]), abs=1e-4)


def test_where_nothing_scores_there_is_no_row():
    scores = [np.full((1, CLASSES, *size), -9, np.float32) for size in SIZES]
    assert BoxHead.of(WEIGHTS).rows([*SEEN, *scores], min_score=0.5).shape == (0, 4 + CLASSES + 1)


def test_how_little_is_asked_for_changes_no_box_of_what_scores_more():
    """Of the shipped network's answers for a photo."""
    detector = Detector(load_manifest()["detector"])
    answers = detector._run(View.of(load(Path("docs/sample-throw.jpg")).pixels).tensor(), slice(ANSWERS))
    most, all_of_them = (detector._head.rows(answers, min_score) for min_score in (0.3, 1e-6))
    assert 0 < len(most) < len(all_of_them) / 4
    assert most == pytest.approx(all_of_them[all_of_them[:, 4:-1].max(1) >= 0.3], abs=1e-3)


def test_another_file_than_the_shipped_one_is_named_with_the_way_out():
    """A network without the weights for boxes, which the exports of ultralytics do not bring as outputs either."""
    other = replace(load_manifest()["dice"], classes=("d6", "d12", "domino"))
    with pytest.raises(ModelError, match=r"dice\.onnx is no detector as this version reads it.*detector_file"):
        Detector(other).open()
