"""Photos of the test sets, altered: what lies where still does."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate import altered
from datasets.labels import truth
from datasets.labels.photos import MEASURED, held_out

QUAD = [[100, 100], [180, 100], [180, 140], [100, 140]]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A red tile, on a board and on a table; and a photo of dice."""
    picture = np.full((300, 400, 3), 200, np.uint8)
    cv2.fillPoly(picture, [np.array(QUAD, np.int32)], (0, 0, 255))
    for folder in ("domino-dev/board", "domino-dev/mixed", "dice-dev/images"):
        (tmp_path / folder).mkdir(parents=True)
        cv2.imwrite(str(tmp_path / folder / "one.jpg"), picture)
    board = {"file": "board/one.jpg", "source": "ours", "tiles": [{"ends": [3, 5], "quad": QUAD}]}
    mixed = {"file": "mixed/one.jpg", "source": "ours", "tiles": ["3-5"], "tile_centres": [[0.35, 0.4, "3-5"]]}
    mixed |= {"face_down": 0, "ambiguous": 0, "hard": False}
    dice = {"file": "images/one.jpg", "d6": [3], "ambiguous": 0, "hard": False, "source": "ours"}
    (tmp_path / "domino-dev/board.json").write_text(json.dumps([board]))
    (tmp_path / "domino-dev/mixed.json").write_text(json.dumps([mixed]))
    (tmp_path / "dice-dev/dev.json").write_text(json.dumps([dice | {"same_camera_as_train": False}]))
    return tmp_path


@pytest.fixture
def grounds(photos: Path) -> Path:
    """Photos without a piece, blue ones to learn from and green ones kept for measuring, wider and higher than the table."""
    folder = photos / "backgrounds" / "ours"
    folder.mkdir(parents=True)
    for i in range(20):
        name = f"{i}.jpg"
        colour = (0, 160, 0) if held_out(name, MEASURED) else (160, 0, 0)
        cv2.imwrite(str(folder / name), np.full((500, 200, 3) if i % 2 else (130, 500, 3), colour, np.uint8))
    assert any(held_out(path.name, MEASURED) for path in folder.iterdir())
    return folder


def is_red(pixels: np.ndarray) -> np.ndarray:
    blue, green, red = (cv2.blur(pixels, (5, 5))[..., k].astype(int) for k in range(3))  # without the noise
    more = red - np.maximum(blue, green)
    return more > 0.5 * more.max()  # also through a veil


@pytest.mark.parametrize("name", [*altered.ALTERATIONS, "amid"])
@pytest.mark.usefixtures("grounds")
def test_answers_move_with_the_pixels(photos: Path, tmp_path: Path, name: str) -> None:
    altered.main([str(photos), "--out", str(tmp_path / "out")])
    (board,) = truth.load(tmp_path / "out" / name / "domino-dev" / "board")
    pixels = cv2.imread(str(board.path))
    drawn = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillPoly(drawn, [np.array(board.pieces[0].outline, np.float32).round().astype(np.int32)], 1)
    red = is_red(pixels)
    assert (red & (drawn > 0)).sum() > 0.9 * max(red.sum(), drawn.sum())
    (mixed,) = truth.load(tmp_path / "out" / name / "domino-dev" / "mixed")
    (piece,) = mixed.pieces
    y, x = np.argwhere(is_red(cv2.imread(str(mixed.path)))).mean(0)
    assert piece.centre == pytest.approx((x, y), abs=3)
    (dice,) = truth.load(tmp_path / "out" / name / "dice-dev")
    assert [die.face for die in dice.pieces] == [(3,)]


def test_every_alteration_changes_the_photo(photos: Path, tmp_path: Path) -> None:
    altered.main([str(photos), "--out", str(tmp_path / "out")])
    files = [tmp_path / "out" / name / "dice-dev" / "images" / "one.jpg" for name in altered.ALTERATIONS]
    assert len({file.read_bytes() for file in files} | {(photos / "dice-dev/images/one.jpg").read_bytes()}) == 1 + len(
        altered.ALTERATIONS
    )


@pytest.mark.usefixtures("grounds")
def test_photos_lie_amid_photos_to_learn_from(photos: Path, tmp_path: Path) -> None:
    for seed in range(8):
        altered.main([str(photos), "--out", str(tmp_path / str(seed)), "--seed", str(seed)])
        picture = cv2.imread(str(tmp_path / str(seed) / "amid/dice-dev/images/one.jpg"))
        assert picture.shape == (600, 800, 3)
        around = np.concatenate([picture[:140].reshape(-1, 3), picture[460:].reshape(-1, 3)])
        assert np.abs(around - np.array([160.0, 0, 0])).max() < 20


def test_without_photos_to_lie_amid_there_is_no_such_alteration(photos: Path, tmp_path: Path) -> None:
    altered.main([str(photos), "--out", str(tmp_path / "out")])
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(altered.ALTERATIONS)


def test_a_photo_that_is_none(photos: Path, tmp_path: Path) -> None:
    (photos / "dice-dev/images/one.jpg").write_bytes(b"no photo")
    with pytest.raises(OSError, match=r"cannot read .*one\.jpg"):
        altered.main([str(photos), "--out", str(tmp_path / "out")])
