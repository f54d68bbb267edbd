"""Mining: what the shipped detector takes for a tile and is none."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from datasets.labels import photos
from datasets.train import hard_negatives
from models import load_manifest
from vision.detect.boxes import Detection
from vision.detect.detector import Detector
from vision.photo import load

HAND = Path("docs/sample-hand.jpg")


def folder(tmp_path: Path, pieces: list[dict[str, object]]) -> Path:
    """A folder of one scene: the sample hand of dominoes, with these labels."""
    for part in ("images", "labels"):
        (tmp_path / part).mkdir(parents=True)
    name = next(str(n) for n in range(99) if not photos.held_out(str(n)))
    Image.open(HAND).save(tmp_path / "images" / f"{name}.jpg")
    (tmp_path / "labels" / f"{name}.json").write_text(json.dumps({"width": 1, "height": 1, "pieces": pieces}))
    return tmp_path


def tiles() -> list[Detection]:
    detections = Detector(load_manifest()["detector"]).detect(load(HAND).pixels)
    return [detection for detection in detections if detection.shape == "tile"]


def as_piece(detection: Detection) -> dict[str, object]:
    corners = np.array(detection.corners)
    box = [*corners.min(0).tolist(), *corners.max(0).tolist()]
    plain = {"hidden": 0.0, "top_seen": 1.0, "view": 80.0, "ends": [1, 2]}
    return {"kind": "domino", "box": box, "quad": corners.tolist(), **plain}


def test_tiles_that_nobody_labelled_are_mined_as_look_alikes_and_load_as_such(tmp_path: Path):
    source = folder(tmp_path / "scenes", [])
    hard_negatives.main([str(source), "--out", str(tmp_path / "out")])
    (picture,) = photos.load(None, [tmp_path / "out"])
    assert len(picture.boxes) == len(tiles()) > 0
    assert all(box.kind == "other" and box.quad is not None and box.value == 0 for box in picture.boxes)
    assert not picture.pieces


def test_labelled_tiles_are_left_alone_and_what_is_written_is_not_mined_again(tmp_path: Path):
    source = folder(tmp_path / "scenes", [as_piece(detection) for detection in tiles()])
    for _ in range(2):
        hard_negatives.main([str(source), "--out", str(tmp_path / "out")])
    (picture,) = photos.load(None, [tmp_path / "out"])
    assert {box.kind for box in picture.boxes} == {"domino"}


def test_dice_that_pass_for_a_tile_are_mined(tmp_path: Path):
    dice = [
        {"kind": "d6", "value": 1, "box": piece["box"], "hidden": 0.0, "top_seen": 1.0, "view": 80.0, "cocked": False}
        for piece in map(as_piece, tiles())
    ]
    source = folder(tmp_path / "scenes", dice)
    hard_negatives.main([str(source), "--out", str(tmp_path / "out")])
    (picture,) = photos.load(None, [tmp_path / "out"])
    assert sum(box.kind == "other" for box in picture.boxes) == len(tiles()) > 0
