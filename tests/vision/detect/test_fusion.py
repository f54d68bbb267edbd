"""Two looks made one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import load_manifest
from vision.detect.boxes import Detection, inside
from vision.detect.detector import Detector
from vision.detect.fusion import fuse
from vision.photo import load

DIE = Detection(10, 20, 50, 60, 0.8)
LONG = ((0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (0.0, 50.0))
TILE = Detection(0, 0, 100, 50, 0.9, "domino", LONG)


def test_a_die_seen_twice_is_one_die_between_both():
    (found,) = fuse([DIE], [replace(DIE, left=14, right=54, score=0.4)])
    assert found.score == pytest.approx(0.6)
    assert found.left == pytest.approx(10 * 2 / 3 + 14 / 3), "the surer look counts for more"
    assert (found.top, found.bottom) == (20, 60)


def test_what_one_look_saw_alone_is_kept_but_believed_less():
    elsewhere = Detection(200, 200, 240, 240, 0.5)
    assert [round(detection.score, 3) for detection in fuse([DIE], [elsewhere])] == [0.44, 0.275]


def test_another_shape_in_the_same_place_is_another_detection():
    assert len(fuse([DIE], [replace(DIE, shape="tile")])) == 2


@pytest.mark.parametrize("turn", range(4))
def test_a_tile_keeps_its_outline_whichever_corner_the_other_look_begins_with(turn: int):
    turned = (*LONG[turn:], *LONG[:turn])
    (found,) = fuse([TILE], [replace(TILE, quad=turned)])
    assert np.allclose(found.corners, LONG)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0.05, 1)), max_size=12))
def test_two_equal_looks_change_nothing(places: list[tuple[int, int, float]]):
    apart = {(x, y): score for x, y, score in places}
    detections = [Detection(100 * x, 100 * y, 100 * x + 60, 100 * y + 60, score) for (x, y), score in apart.items()]
    found = fuse(detections, detections)
    assert [f.score for f in found] == pytest.approx(sorted((f.score for f in detections), reverse=True))
    assert {(round(f.left), round(f.top)) for f in found} == {(round(f.left), round(f.top)) for f in detections}


def test_the_detector_finds_the_same_in_a_picture_and_upside_down():
    pixels = load(Path("docs/sample-hand.jpg")).pixels
    detector, (height, width) = Detector(load_manifest()["detector"]), pixels.shape[:2]
    upright = detector.detect(pixels)
    turned = detector.detect(np.ascontiguousarray(pixels[::-1, ::-1]))
    assert sum(detection.score > 0.5 for detection in upright) == 4
    for detection, back in zip(upright[:4], sorted_like(upright[:4], turned, width, height), strict=True):
        assert detection.score == pytest.approx(back.score, abs=0.02)
        assert detection.middle == pytest.approx(back.middle, abs=1.0)


def sorted_like(detections: list[Detection], turned: list[Detection], width: int, height: int) -> list[Detection]:
    """Each detection's twin among those of the turned picture."""
    back = [detection.mapped(-1, -1, width, height) for detection in turned]
    return [max(back, key=lambda other, detection=detection: inside(detection, other)) for detection in detections]
