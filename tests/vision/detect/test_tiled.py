"""A second look from nearer: what its windows hold, and that each piece is found once."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from models import load_manifest
from vision.detect.boxes import Detection
from vision.detect.detector import Detector
from vision.detect.tiled import TiledDetector, Window, distinct
from vision.photo import Photo, load
from vision.reader import TableReader, TiledReader

PICTURE = np.zeros((600, 1000, 3), np.uint8)


def detection(left: float, top: float, side: float, score: float = 0.9) -> Detection:
    return Detection(left, top, left + side, top + side, score)


def test_the_windows_cover_the_picture_and_share_a_fifth() -> None:
    windows = Window.all_of(PICTURE)
    assert [(w.left, w.top, w.right, w.bottom) for w in windows] == [
        (0, 0, 600, 360),
        (400, 0, 1000, 360),
        (0, 240, 600, 600),
        (400, 240, 1000, 600),
    ]


@pytest.mark.parametrize(
    ("piece", "holders"),
    [
        (detection(0, 0, 50), [0]),
        (detection(950, 550, 50), [3]),
        (detection(475, 275, 50), [0, 1, 2, 3]),
        (detection(560, 20, 50), [1]),
        (detection(545, 20, 50), [1]),  # it ends where the first window does, and may go on
        (detection(300, 100, 400), []),
    ],
)
def test_a_window_holds_what_cannot_go_on_beyond_it(piece: Detection, holders: list[int]) -> None:
    assert [at for at, window in enumerate(Window.all_of(PICTURE)) if window.holds(piece)] == holders


def test_a_piece_that_several_windows_hold_is_one() -> None:
    better, same, beside, tiny = (
        detection(100, 100, 50),
        detection(103, 99, 50, 0.8),
        detection(150, 100, 50, 0.7),
        detection(110, 110, 9, 0.6),
    )
    assert distinct([same, tiny, better, beside]) == [better, beside, tiny]


@pytest.fixture(scope="module")
def sample() -> Photo:
    return load("docs/sample-throw.jpg")


def test_the_sample_is_read_as_at_the_first_look(sample: Photo) -> None:
    first, second = TableReader().read(sample), TiledReader().read(sample)
    assert second.values == first.values
    apart = np.abs(np.array([die.box for die in first.dice]) - np.array([die.box for die in second.dice]))
    assert apart.max() < 25


def test_small_pieces_far_apart_are_seen_from_nearer(sample: Photo) -> None:
    """The throw, small, in two opposite corners: so the first look has no part to look at again."""
    side, (height, width) = 240, sample.pixels.shape[:2]
    small = Image.fromarray(sample.pixels).resize((side, side * height // width), Image.Resampling.LANCZOS)
    table = Image.new("RGB", (1600, 1200), tuple(int(level) for level in np.median(sample.pixels, (0, 1))))
    for place in ((20, 20), (1600 - small.width - 20, 1200 - small.height - 20)):
        table.paste(small, place)
    manifest = load_manifest()
    first, second = (kind(manifest["detector"]).detect(np.asarray(table)) for kind in (Detector, TiledDetector))
    assert _likely(second) == 2 * len(TableReader().read(sample).dice)
    assert _likely(first) < _likely(second)


def _likely(detections: list[Detection]) -> int:
    return sum(detection.score > 0.5 for detection in detections)
