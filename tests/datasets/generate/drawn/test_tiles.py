from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate.drawn import photo_grounds
from datasets.generate.drawn.tiles import CLASSES, draw, many
from datasets.generate.parts.tile_faces import pip_radius, spots, tile_back, tile_face, tile_style
from datasets.labels import photos
from vision.classify.tiles import SIDE


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def plain(rng: np.random.Generator, set_size: int = 12):
    """A style whose pips are apart from each other and from the bar, so that they can be counted."""
    style = tile_style(rng, set_size)
    return dataclasses.replace(
        style, spread=(0.6, 0.6), radius=0.12, small_radius=0.12, jitter=0.004, moulded=0.0, spinner=0.0
    )


def lumps(cover: np.ndarray) -> int:
    return cv2.connectedComponents((cover > 0.5).astype(np.uint8))[0] - 1


@pytest.mark.parametrize("value", range(13))
def test_an_end_has_as_many_pips_as_its_value_says(rng: np.random.Generator, value: int) -> None:
    for _ in range(8):
        ink, depth = tile_face(rng, (value, 12 - value), plain(rng), 160)
        assert ink.shape == (160, 320, 4)
        assert depth.shape == (160, 320)
        assert lumps(ink[:, :140, 3]) == value
        assert lumps(ink[:, 180:, 3]) == 12 - value


def test_spots_are_distinct_within_the_end_and_point_symmetric() -> None:
    for seed in range(60):
        style = tile_style(np.random.default_rng(seed), 12)
        for value in range(13):
            places = spots(value, style)
            assert len({(round(x, 3), round(y, 3)) for x, y in places}) == value
            assert {(round(-x, 3), round(-y, 3)) for x, y in places} == {(round(x, 3), round(y, 3)) for x, y in places}


def test_pips_stay_apart_on_the_tile_and_off_the_bar() -> None:
    for seed in range(200):
        style = tile_style(np.random.default_rng(seed), (6, 9, 12)[seed % 3])
        for value in range(style.set_size + 1):
            radius = pip_radius(value, style)
            places = np.array(spots(value, style)).reshape(-1, 2) * style.spread
            assert np.all(np.abs(places) + radius < 1 - style.bar_width / 2)
            gaps = [np.linalg.norm(a - b) for i, a in enumerate(places) for b in places[:i]]
            assert min(gaps, default=9.0) > 2 * radius


def test_a_blank_end_always_shows_its_bar_and_a_back_never_does(rng: np.random.Generator) -> None:
    style = dataclasses.replace(tile_style(rng, 6), bar="none", moulded=0.0, spinner=0.0, back="plain")
    assert tile_face(rng, (0, 0), style)[0][:, 150:170, 3].max() > 0.5
    assert tile_face(rng, (4, 4), style)[0][:, 150:170, 3].max() == 0
    assert tile_back(rng, style)[0][..., 3].max() == 0


def test_sets_differ_in_how_they_print_seven_to_twelve() -> None:
    styles = [tile_style(np.random.default_rng(seed), 12) for seed in range(120)]
    for value in range(7, 13):
        assert len({frozenset(spots(value, style)) for style in styles}) >= 3
    nearest = [np.linalg.norm(spots(10, style), axis=1).min() for style in styles]
    assert max(nearest) == pytest.approx(1), "no ten whose middle is empty"


def test_ends_are_drawn_on_photos_where_there_are_some(tmp_path: Path) -> None:
    sheet = np.zeros((300, 400, 3), np.uint8)
    sheet[..., 1] = 255  # nothing that is drawn is so green
    cv2.imwrite(str(tmp_path / "meadow.jpg"), sheet)
    rng = np.random.default_rng(1)
    photo_grounds.share([tmp_path / "meadow.jpg"])
    try:
        assert photo_grounds.shared()
        window = photo_grounds.window(rng, 50)
    finally:
        photo_grounds.share([])
    assert window.shape == (50, 50, 3)
    assert window.mean((0, 1)) == pytest.approx([0, 1, 0], abs=0.02)


def test_photos_kept_for_measuring_are_not_drawn_on(tmp_path: Path) -> None:
    names = [f"{i}.jpg" for i in range(40)]
    for name in names:
        (tmp_path / name).touch()
    kept = {file.name for file in photos.backgrounds(tmp_path)}
    assert kept == {name for name in names if not photos.held_out(name, photos.MEASURED)}
    assert 0 < len(kept) < 40


def test_photos_of_one_table_differ_and_show_the_same_value(rng: np.random.Generator) -> None:
    (first, label), (second, same) = draw(rng, 2)
    assert label == same
    assert not np.array_equal(first, second)


def test_a_moulded_set_has_hollows_without_paint_where_no_pip_stands(rng: np.random.Generator) -> None:
    style = dataclasses.replace(plain(rng, 6), moulded=0.8, pip="painted", bar="none")
    ink, depth = tile_face(rng, (0, 1), style, 160)
    assert ink[..., 3].max() == pytest.approx(1)
    assert lumps(ink[..., 3]) == 1
    assert lumps((depth > 0.2).astype(np.float32)) == 18 - 1  # the painted pip fills its hollow


def test_faces_need_no_opencv() -> None:
    code = "import sys, datasets.generate.parts.tile_faces; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_seed_gives_the_same_crops_whatever_the_number_of_processes() -> None:
    crops, labels = many(130, seed=3, processes=1)
    again, labels_again = many(130, seed=3, processes=2)
    assert crops.shape == (130, SIDE, SIDE, 3)
    assert crops.dtype == np.uint8
    assert labels.dtype == np.int64
    assert np.array_equal(crops, again)
    assert np.array_equal(labels, labels_again)
    assert not np.array_equal(crops, many(130, seed=4, processes=1)[0])


def test_every_class_is_drawn_and_small_values_more_often(rng: np.random.Generator) -> None:
    counts = np.bincount([draw(rng)[0][1] for _ in range(400)], minlength=len(CLASSES))
    assert counts.min() > 0
    assert counts[2:9].sum() > 1.5 * counts[9:].sum()


def test_crops_show_something(rng: np.random.Generator) -> None:
    spread = [draw(rng)[0][0].astype(float).std() for _ in range(100)]
    assert np.median(spread) > 15
