"""Trays with dice in them, as crops of nothing to read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels import crop_files, photos
from datasets.labels.crop_files import StoredCrop
from datasets.train import tray_crops


@pytest.fixture
def die() -> StoredCrop:
    pixels = np.full((200, 200, 3), 90, np.uint8)
    pixels[58:142, 58:142] = (255, 40, 40)
    return StoredCrop.of(pixels, 3, "mixed")


def labelled(path: Path) -> photos.Labelled:
    cv2.imwrite(str(path), np.full((200, 300, 3), 180, np.uint8))
    return photos.Labelled(path, "negatives", (), shows="table", held_out=False)


def test_trays_are_nothing_to_read_and_one_in_twelve_is_held_apart(tmp_path: Path, die: StoredCrop) -> None:
    sources = [labelled(tmp_path / "table.png")]
    made = tray_crops.crops(24, 7, sources, [die])
    assert {crop.label for crop in made} == {0}
    assert sum(crop.held_out for crop in made) == 2
    assert all(crop.turnable and crop.pixels.shape == (200, 200, 3) for crop in made)
    assert len({crop.code.tobytes() for crop in made}) == 24
    again = tray_crops.crops(3, 7, sources, [die])
    assert [crop.code.tobytes() for crop in again] == [crop.code.tobytes() for crop in made[:3]]


def test_the_dice_lie_in_the_tray_and_their_surroundings_do_not(die: StoredCrop) -> None:
    red = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        seen = tray_crops.tray(rng, np.full((200, 200, 3), 0.5, np.float32), [die.pixels] * 3).astype(int)
        is_red = (seen[..., 0] > 1.6 * seen[..., 1]) & (seen[..., 0] > 1.6 * seen[..., 2])
        middle = np.zeros((200, 200), bool)
        middle[58:142, 58:142] = True
        red += bool(is_red[middle].mean() > 0.005)
    assert red >= 15, "some are grey, or in coloured light"


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path, die: StoredCrop) -> None:
    source = labelled(tmp_path / "gone.png")
    source.path.unlink()
    with pytest.raises(FileNotFoundError, match="gone"):
        tray_crops.crops(9, 1, [source], [die])


def test_the_command_adds_trays_to_a_file_of_crops(
    tmp_path: Path, die: StoredCrop, monkeypatch: pytest.MonkeyPatch
) -> None:
    crop_files.write(tmp_path / "dice.npz", [die, StoredCrop.of(die.pixels, 0)])
    monkeypatch.setattr(photos, "load", lambda folder: [labelled(folder / "table.png")])
    out = tmp_path / "trays.npz"
    tray_crops.main(
        ["--photos", str(tmp_path), "--cuts", str(tmp_path / "dice.npz"), "--count", "2", "--out", str(out)]
    )
    assert [(crop.label, crop.source) for crop in crop_files.read(out)] == [
        (3, "mixed"),
        (0, "drawn"),
        *[(0, "look-alike")] * 2,
    ]
