import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels.photos import MEASURED, Box, backgrounds, held_out, load
from datasets.train.detector import one_die, piece
from vision.detect.boxes import Detection

TILE = {
    "kind": "domino", "ends": [3, 5], "face_up": True, "box": [10, 20, 210, 120], "hidden": 0.1, "top_seen": 0.9,
    "quad": [[10, 20], [210, 20], [210, 120], [10, 120]], "view": 70, "colour": [1, 1, 1], "cocked": False,
}  # fmt: skip
DIE = {"kind": "d12", "value": 11, "box": [300, 20, 400, 120], "quad": [[300, 20], [400, 20], [400, 120], [300, 120]]}
DIE |= {key: TILE[key] for key in ("hidden", "top_seen", "view", "colour", "cocked")}


def rendered(folder: Path, *pieces: dict[str, object]) -> Path:
    (folder / "labels").mkdir(parents=True)
    (folder / "labels" / "1_000000.json").write_text(json.dumps({"width": 512, "height": 384, "pieces": pieces}))
    return folder


def test_rendered_tiles_and_dice_come_with_what_they_show(tmp_path: Path):
    ((tile, die),) = (picture.boxes for picture in load(None, [rendered(tmp_path, TILE, DIE)]))
    assert (tile.kind, tile.ends, tile.value, tile.turnable) == ("domino", (3, 5), None, True)
    assert tile.quad == ((10, 20), (210, 20), (210, 120), (10, 120))
    assert (die.kind, die.value, die.quad) == ("d12", 11, None)


def test_what_is_mostly_hidden_is_left_out_and_a_hidden_face_is_not_read(tmp_path: Path):
    hidden, face_hidden = TILE | {"hidden": 0.9}, TILE | {"top_seen": 0.3}
    (picture,) = load(None, [rendered(tmp_path, hidden, face_hidden, DIE | {"top_seen": 0.2})])
    assert [(box.kind, box.ends, box.value) for box in picture.boxes] == [("domino", None, None), ("d12", None, None)]


def test_a_look_alike_is_no_piece_and_no_die(tmp_path: Path):
    other = {"kind": "other", "value": None, "box": [0, 0, 9, 9], "quad": [[0, 0], [9, 0], [9, 9], [0, 9]]}
    (picture,) = load(None, [rendered(tmp_path, other, TILE)])
    assert len(picture.boxes) == 2
    assert [box.kind for box in picture.pieces] == ["domino"]
    assert picture.dice == ()


def test_another_die_is_a_piece_without_a_value_and_a_die_to_the_detector(tmp_path: Path):
    (picture,) = load(None, [rendered(tmp_path, DIE | {"kind": "other die", "value": None})])
    (box,) = picture.boxes
    assert (box.kind, box.value) == ("other die", None)
    assert picture.pieces == (box,)
    assert picture.dice == ()
    assert piece(box, 512, 384).shape == 0


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder of photos with a picture of each kind; `dice-train` is empty."""
    for name in (
        "dice-train",
        "negatives",
        "mixed-train",
        "backgrounds/wood",
        "dice-more/tomitomi3+a",
        "dice-more/b+c",
    ):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "dice-train" / "index.csv").write_text("folder,file,width,height\n")
    pieces = [{"kind": "pip d6", "value": 4, "box": [1, 2, 11, 12]}, {"kind": "d8", "value": 8, "box": [20, 2, 30, 12]}]
    entries = [{"file": "images/1.jpg", "size": [64, 48], "pieces": pieces}]
    (tmp_path / "mixed-train" / "labels.json").write_text(json.dumps(entries))
    for name in ("negatives/d20.jpg", "dice-more/tomitomi3+a/3_x.jpg", "dice-more/b+c/d20.jpg"):
        cv2.imwrite(str(tmp_path / name), np.zeros((48, 64, 3), np.uint8))
    for k in range(20):
        (tmp_path / "backgrounds" / "wood" / f"{k}.jpg").touch()
    rows = ["file,source,label", "tomitomi3+a/3_x.jpg,a,3", "b+c/d20.jpg,c,d20 (other die)", "b+c/LICENSE,c,"]
    (tmp_path / "dice-more" / "index.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_photos_say_what_they_show(photos: Path):
    found = {picture.source: picture for picture in load(photos)}
    assert set(found) == {"negatives", "mixed", "tomitomi3", "b", "backgrounds"}
    assert [(box.kind, box.value) for box in found["mixed"].boxes] == [("d6", 4), ("other die", None)]
    assert [(box.right, box.bottom, box.value) for box in found["tomitomi3"].boxes] == [(64, 48, 3)]
    shows = {source: picture.shows for source, picture in found.items()}
    assert shows == {
        "negatives": "other die", "mixed": "table", "tomitomi3": "crop", "b": "other die", "backgrounds": "table"
    }  # fmt: skip


def test_backgrounds_kept_for_measuring_are_in_no_list(photos: Path):
    names = {picture.path.name for picture in load(photos) if picture.source == "backgrounds"}
    assert names == {path.name for path in backgrounds(photos / "backgrounds")}
    assert names == {f"{k}.jpg" for k in range(20) if not held_out(f"{k}.jpg", MEASURED)}
    assert 0 < len(names) < 20


def test_the_one_die_of_a_photo_is_where_the_detector_is_sure_of_one():
    large, small, faint = Detection(0, 0, 40, 40, 0.9), Detection(50, 0, 60, 10, 0.5), Detection(0, 0, 9, 9, 0.2)
    found = one_die([large, faint])
    assert found is not None
    assert (found.kind, found.right) == ("other die", 40)
    assert one_die([large, small]) is None
    assert one_die([faint]) is None


def test_nothing_to_learn_from_is_an_error():
    with pytest.raises(FileNotFoundError, match="--renders"):
        load(None)


def test_a_die_is_taught_in_its_upright_box():
    shape, outline = piece(Box(100, 50, 200, 150, 4), 400, 200)
    assert shape == 0
    assert np.allclose(outline, [[100, 50], [200, 50], [200, 150], [100, 150]], atol=0.01)


def test_a_tile_that_leaves_the_picture_is_taught_by_what_is_inside():
    quad = ((-50.0, 20.0), (150.0, 20.0), (150.0, 120.0), (-50.0, 120.0))
    shape, inside = piece(Box(0, 20, 150, 120, None, kind="domino", ends=(1, 2), quad=quad), 400, 200)
    assert shape == 1
    assert inside.min() >= 0
    assert cv2.contourArea(inside.astype(np.float32)) == pytest.approx(150 * 100, rel=1e-3)
