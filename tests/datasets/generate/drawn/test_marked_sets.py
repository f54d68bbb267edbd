"""Sets of dice and tiles with marks of any kind."""

from pathlib import Path

import numpy as np
import pytest

from datasets.generate.drawn import marked_sets
from datasets.generate.drawn.marked_sets import SIDES, VIEWS, Part, any_dice, any_tiles
from datasets.generate.parts.tile_faces import tile_face
from datasets.labels import crop_files
from datasets.labels.crop_files import DRAWN
from vision.classify import tiles


def test_the_sides_of_a_set_of_dice_differ_and_are_marked() -> None:
    for seed in range(12):
        faces = any_dice(np.random.default_rng((4, seed))).faces
        assert len(faces) == SIDES["die"]
        assert all(int((face > 60).sum()) > 20 for face in faces)
        assert _least_apart(faces) > 1


def test_the_ends_of_a_set_of_tiles_differ() -> None:
    for seed in range(12):
        style = any_tiles(np.random.default_rng((4, seed))).style
        faces = [
            tile_face(np.random.default_rng(1), (value, 0), style)[0][:, :160, 3] for value in range(SIDES["tile"])
        ]
        assert _least_apart([255 * face for face in faces]) > 1


def _least_apart(faces) -> float:
    return min(np.abs(one.astype(float) - other).mean() for i, one in enumerate(faces) for other in faces[:i])


def test_what_is_printed_on_tiles_is_turned_as_the_set_has_it() -> None:
    alike = next(each for each in map(_tiles, range(99)) if len(each.style.emblems) == SIDES["tile"])
    turned = {_tiles(seed).turns for seed in range(40)}
    assert turned == {(0, 0), (0, 2), (1, 3)}
    assert alike.crop(np.random.default_rng(2), 6).shape == (tiles.SIDE, tiles.SIDE, 3)


def _tiles(seed: int) -> marked_sets.TileSet:
    return any_tiles(np.random.default_rng((9, seed)))


@pytest.mark.parametrize(("k", "piece", "side"), [(0, "die", DRAWN), (1, "tile", tiles.SIDE)])
def test_a_file_has_whole_sets_and_is_the_same_again(
    tmp_path: Path, monkeypatch, k: int, piece: str, side: int
) -> None:
    monkeypatch.setattr(marked_sets, "SETS", 2)
    parts = [Part(tmp_path / name, 3, k) for name in ("one", "two")]
    for part in parts:
        part.out.mkdir()
        part.write()
    first, again = (crop_files.read(part.file) for part in parts)
    assert [crop.label for crop in first] == [of for of in range(2 * SIDES[piece]) for _ in range(VIEWS)]
    assert {crop.source for crop in first} == {piece}
    assert first[0].pixels.shape == (side, side, 3)
    assert all(np.array_equal(one.code, other.code) for one, other in zip(first, again, strict=True))
