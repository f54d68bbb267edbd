"""Pictures are written whole or not at all."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate.composite.files import write
from datasets.labels.picture_files import write_jpeg

PICTURE = np.full((20, 30, 3), (10, 200, 90), np.uint8)


def test_a_picture_is_there_as_it_was(tmp_path: Path) -> None:
    write_jpeg(tmp_path / "one.jpg", PICTURE, 95)
    assert np.abs(cv2.imread(str(tmp_path / "one.jpg")).astype(int) - PICTURE).max() < 6
    assert [file.name for file in tmp_path.iterdir()] == ["one.jpg"]


def test_a_picture_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        write_jpeg(tmp_path / "missing" / "one.jpg", PICTURE, 95)


def test_without_its_picture_a_scene_has_no_labels(tmp_path: Path) -> None:
    (tmp_path / "labels").mkdir()
    with pytest.raises(OSError, match="images"):
        write(tmp_path / "labels" / "7_000001.json", PICTURE, [], 90)
    assert not list((tmp_path / "labels").iterdir())
