from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from datasets.evaluate.reader_alone import by_source, read_alone, summary, whole
from datasets.labels.truth import Piece, Truth
from vision.classify.dice import Face
from vision.detect.boxes import Detection
from vision.photo import Pixels


class Says:
    """A reader that gives one answer, and keeps what it was asked."""

    def __init__(self, value: int, other: float = 0.1) -> None:
        self.asked: list[tuple[Pixels, Detection]] = []
        self._face = Face(other, tuple(1.0 if v == value else 0.0 for v in range(1, 13)))  # type: ignore[arg-type,unused-ignore]

    def read(self, crops: Sequence[tuple[Pixels, Detection]]) -> list[Face]:
        self.asked += crops
        return [self._face] * len(crops)


@pytest.fixture
def crops(tmp_path: Path) -> list[Truth]:
    Image.new("RGB", (72, 72)).save(tmp_path / "a.png")
    values = [1, 12] * 20
    return [Truth(tmp_path / "a.png", "a.png", "d12-crops", f"run {v}", (Piece("d12", (v,)),)) for v in values]


def test_every_crop_is_read_whole(crops: list[Truth]):
    reader = Says(12)
    assert [each.right for each in read_alone(crops, reader)] == [False, True] * 20
    picture, detection = reader.asked[0]
    assert picture.shape == (72, 72, 3)
    assert (detection.middle, detection.shape) == ((36, 36), "die")
    assert 57.6 < detection.width <= 72


def test_the_find_of_a_larger_crop_is_the_same_share_of_it():
    import numpy as np

    detection = whole(np.zeros((144, 144, 3), np.uint8))
    assert (detection.left, detection.right) == (4, 140)


def test_the_figures(crops: list[Truth]):
    figures = {name: summary(group) for name, group in by_source(read_alone(crops, Says(12, 0.6))).items()}
    assert {name: (row["crops"], row["right"]) for name, row in figures.items()} == {
        "run 1": (20, 0),
        "run 12": (20, 20),
        "pooled": (40, 20),
    }
    assert figures["pooled"]["taken_for_no_die"] == 40
    assert figures["pooled"]["confusion"] == {"1": {"12": 20}, "12": {"12": 20}}
    assert figures["run 12"]["expected_calibration_error"] == pytest.approx(0.6)
