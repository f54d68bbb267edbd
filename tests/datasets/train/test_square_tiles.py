"""Dominoes that look square, as crops of nothing to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.train import square_tiles
from vision.detect.boxes import Detection
from vision.photo import Pixels

QUAD = [[60, 40], [180, 40], [180, 100], [60, 100]]


class Judge:
    """Takes every other crop for a die that shows a 1."""

    def chances(self, crops: Sequence[tuple[Pixels, Detection]]) -> NDArray[np.float64]:
        dice = np.arange(len(crops)) % 2
        return np.stack([1 - dice, dice * 0, dice], 1).astype(float)


def scene(folder: Path, *pieces: dict[str, object]) -> Path:
    """A white tile on green."""
    picture = np.full((160, 240, 3), (40, 120, 40), np.uint8)
    cv2.fillConvexPoly(picture, np.array(QUAD), (250, 250, 250))
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "images" / "0.jpg"), picture)
    (folder / "labels" / "0.json").write_text(json.dumps({"pieces": pieces}))
    return folder


def tile(**changes: object) -> dict[str, object]:
    return {"kind": "domino", "quad": QUAD, "ends": [1, 2], "face_up": True, "hidden": 0.0} | changes


def test_a_tile_is_about_as_long_as_wide_and_fills_the_crop_as_a_die_does(tmp_path: Path) -> None:
    made = square_tiles.crops(scene(tmp_path, tile()), 1, Judge())
    assert len(made) == 2, "a large tile is cut twice"
    for crop in made:
        white = np.argwhere(crop.pixels.min(2) > 200)
        high, wide = np.ptp(white, axis=0) + 1
        assert 70 <= max(high, wide) <= 96, "200 pixels over 2.4"
        assert 0.55 <= wide / high <= 1.8
        assert abs(white.mean(0) - 100).max() < 6


def test_what_the_reader_takes_for_a_die_has_a_source_of_its_own(tmp_path: Path) -> None:
    made = square_tiles.crops(scene(tmp_path, tile()), 1, Judge())
    assert [(crop.label, crop.source, crop.turnable) for crop in made] == [
        (0, "look-alike", False),
        (0, "mistaken", False),
    ]
    assert [crop.held_out for crop in made] == [True, False]
    again = square_tiles.crops(tmp_path, 1, Judge())
    assert [crop.code.tobytes() for crop in again] == [crop.code.tobytes() for crop in made]


@pytest.mark.parametrize(
    "piece",
    [
        tile(hidden=0.4),
        tile(face_up=False),
        tile(kind="d6"),
        tile(quad=[[60, 40], [90, 40], [90, 55], [60, 55]]),
    ],
    ids=["hidden", "face down", "a die", "small"],
)
def test_other_pieces_are_left_out(tmp_path: Path, piece: dict[str, object]) -> None:
    assert square_tiles.crops(scene(tmp_path, piece), 1, Judge()) == []


def test_the_command_adds_the_tiles_to_a_file_of_crops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(square_tiles, "dice_network", lambda model: Judge())
    crop_files.write(tmp_path / "cuts.npz", [StoredCrop.of(np.full((200, 200, 3), 90, np.uint8), 3, "mixed")])
    arguments = ["--scenes", str(scene(tmp_path / "scenes", tile())), "--cuts", str(tmp_path / "cuts.npz")]
    square_tiles.main([*arguments, "--out", str(tmp_path / "out.npz")])
    assert [crop.source for crop in crop_files.read(tmp_path / "out.npz")] == ["mixed", "look-alike", "mistaken"]
    assert "2 tiles, 1 of them taken for dice" in capsys.readouterr().out
