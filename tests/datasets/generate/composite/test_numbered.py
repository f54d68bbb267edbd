from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.generate.composite import numbered
from datasets.generate.composite.boxes import Canvas, Light
from datasets.generate.composite.camera import Camera
from datasets.generate.composite.cups import Cup, lay_cup
from datasets.generate.composite.numbered import ALL_KINDS, LIKE_DOMINOES, Mix, lay_numbered
from tests.datasets.generate.composite.test_scenes import STRAIGHT


def bare(size: tuple[int, int] = (480, 360)) -> Canvas:
    eye = Camera(np.array([0, 0, 20.0]), STRAIGHT, 400.0, np.array(size) / 2)
    light = Light(np.array([0.6, 0, 0.8]), 0.6, np.ones(3, np.float32), 0.1)
    width, height = size
    pixels = np.full((height, width, 3), 0.3, np.float32)
    return Canvas(pixels, np.zeros((height, width), np.int16), eye, light, np.zeros((height, width), np.float32))


NO_LAMPS = replace(ALL_KINDS, lamps=0.0)


def laid(seed: int, taken: np.ndarray, mix: Mix = NO_LAMPS):
    canvas = bare()
    return canvas, lay_numbered(np.random.default_rng(seed), canvas, taken, mix)


def test_what_changes_in_the_picture_is_where_the_labels_are():
    """Most of a die's pixels differ from the table; far from any die the table is as it was."""
    shares = []
    for seed in range(12):
        canvas, labels = laid(seed, np.zeros((0, 4)))
        changed = np.abs(canvas.pixels - 0.3).max(2) > 0.003
        near = np.zeros_like(changed)
        for label in labels:
            left, top, right, bottom = (int(n) for n in label["box"])
            shares.append(changed[top:bottom, left:right].mean())
        for y, x in zip(*np.nonzero(canvas.owner), strict=True):
            near[y, x] = True
        rows, columns = np.nonzero(near)
        if rows.size:
            far = max(rows.max() - rows.min(), columns.max() - columns.min())
            assert not changed[: max(0, rows.min() - 2 * far)].any()
    assert np.median(shares) > 0.55


def test_dice_lie_clear_of_what_is_taken():
    taken = np.array([[100.0, 60, 380, 300]])
    for seed in range(12):
        for label in laid(seed, taken)[1]:
            left, top, right, bottom = label["box"]
            wide = min(right, 380) - max(left, 100)
            high = min(bottom, 300) - max(top, 60)
            assert wide <= 0 or high <= 0 or wide * high < 0.3 * (right - left) * (bottom - top)


def test_every_die_has_a_label_and_only_those_that_are_read_have_a_value():
    labels, pieces = [], 0
    for seed in range(90):
        canvas, found = laid(seed, np.zeros((0, 4)))
        labels += found
        pieces += int(canvas.owner.max())
    assert len(labels) == pieces
    for kind, values in (("d12", set(range(1, 13))), ("d6", set(range(1, 7))), ("other die", {None})):
        assert {label["value"] for label in labels if label["kind"] == kind} == values


def test_some_dice_touch():
    """Boxes that meet within a tenth of a die."""
    near = 0
    for seed in range(40):
        boxes = np.array([label["box"] for label in laid(seed, np.zeros((0, 4)))[1]]).reshape(-1, 4)
        middles, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]).max(1)
        apart = np.linalg.norm(middles[:, None] - middles[None], axis=2) + 1e9 * np.eye(len(boxes))
        near += int((apart < 1.1 * (sizes[:, None] + sizes[None]) / 2).any()) if len(boxes) else 0
    assert near >= 8


def test_a_twin_lies_flush_against_its_die():
    """Its outline begins where the other's ends: they hardly cover each other, and a little larger they would touch."""
    tried = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        one = numbered._laid(rng, bare(), numbered.Place(np.array([240.0, 180]), 60.0), "d6")
        if one.up < 75:
            continue
        other, tried = numbered._twin(rng, one), tried + 1
        first, second = (
            np.array(cv2.convexHull((d.outline + d.place.middle).astype(np.float32))) for d in (one, other)
        )
        smaller = min(cv2.contourArea(first), cv2.contourArea(second))
        assert cv2.intersectConvexConvex(first, second)[0] < 0.15 * smaller
        nearer = (d.place.middle for d in (one, other))
        grown = [
            np.array((points - at) * 1.12 + at, np.float32) for points, at in zip((first, second), nearer, strict=True)
        ]
        assert cv2.intersectConvexConvex(*grown)[0] > 0
    assert tried > 5


@pytest.mark.parametrize("seed", range(6))
def test_dice_in_a_cup_lie_on_its_floor(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(numbered, "_IN_CUP", 1.0)
    cups: list[Cup] = []
    monkeypatch.setattr(numbered, "lay_cup", lambda rng, canvas: cups.append(lay_cup(rng, canvas)) or cups[-1])
    monkeypatch.setattr(numbered, "_TOUCHING", 0.0)
    _, labels = laid(seed, np.zeros((0, 4)), replace(NO_LAMPS, twins=0.0))
    (cup,) = cups
    assert labels
    for label in labels:
        left, top, right, bottom = label["box"]
        assert np.hypot(*(np.array([left + right, top + bottom]) / 2 - cup.middle)) <= cup.radius


def test_a_cup_is_drawn_where_its_floor_is_and_never_over_what_lies_there():
    canvas = bare()
    before = canvas.pixels.copy()
    cup = lay_cup(np.random.default_rng(1), canvas)
    changed = np.abs(canvas.pixels - before).max(2) > 0.01
    x, y = np.round(cup.middle).astype(int)
    assert changed[y, x]
    canvas = bare()
    canvas.owner[10:40, 10:40] = 1
    lay_numbered(np.random.default_rng(2), canvas, np.zeros((0, 4)))
    assert (canvas.owner[10:40, 10:40] == 1).mean() > 0.6


def test_mixes_are_chances():
    for mix in (ALL_KINDS, LIKE_DOMINOES):
        assert mix.d6 + mix.d12 + mix.other == pytest.approx(1)


def test_a_near_lamp_darkens_the_table_beside_dice():
    """The shadows reach past the boxes of the dice."""
    seen = 0
    for seed in range(8):
        lit, labels = laid(seed, np.zeros((0, 4)), replace(NO_LAMPS, twins=0.0, lamps=1.0))
        fallen = (lit.pixels.max(2) < 0.24) & (lit.owner == 0)
        near = np.zeros_like(fallen)
        for label in labels:
            left, top, right, bottom = (int(n) for n in label["box"])
            near[top:bottom, left:right] = True
        beside, area = (fallen & ~near).sum(), near.sum()
        seen += bool(beside > 0.15 * area)
    assert seen >= 5
