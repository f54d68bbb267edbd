"""The corners of a tile that is seen at a slant, by the network that ships."""

import math

import cv2
import numpy as np
import pytest

from models import load_manifest
from vision.classify.outlines import GIVEN, HEIGHT, MARGIN, WIDTH, OutlineReader, crop, placed, within
from vision.detect.boxes import Detection, Outline
from vision.detect.detector import outline

RECTANGLE = outline(((160.0, 120.0), (100.0, 50.0), 20.0))


def found(quad) -> Detection:
    box = Outline.around(quad)
    return Detection(box.left, box.top, box.right, box.bottom, 0.9, "tile", box.quad)


def test_the_detectors_outline_has_its_place_in_the_crop():
    there = within(RECTANGLE, np.array(RECTANGLE))
    assert there == pytest.approx(GIVEN, abs=1e-4)
    assert there[:, 0].max() - there[:, 0].min() == pytest.approx(1 / MARGIN, abs=1e-4)
    assert np.array(placed(RECTANGLE, there)) == pytest.approx(np.array(RECTANGLE), abs=1e-3)
    assert crop(np.zeros((240, 320, 3), np.uint8), found(RECTANGLE)).shape == (HEIGHT, WIDTH, 3)


def drawn(quad) -> np.ndarray:
    """A white tile, 4-4, with these corners on a green table."""
    face = np.full((200, 400, 3), 235, np.uint8)
    cv2.line(face, (200, 20), (200, 180), (40, 40, 40), 6)
    for x in (60, 140, 260, 340):
        for y in (60, 140):
            cv2.circle(face, (x, y), 20, (30, 30, 30), -1, cv2.LINE_AA)
    corners = np.array([[0, 0], [400, 0], [400, 200], [0, 200]], np.float32)
    picture = np.full((240, 320, 3), (60, 110, 60), np.uint8)
    matrix = cv2.getPerspectiveTransform(corners, np.array(quad, np.float32))
    cv2.warpPerspective(face, matrix, (320, 240), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return cv2.GaussianBlur(picture, (0, 0), 0.7)


SLANTED = (
    ((100.0, 60.0), (190.0, 75.0), (215.0, 150.0), (90.0, 120.0)),
    ((150.0, 45.0), (190.0, 170.0), (120.0, 185.0), (95.0, 55.0)),
    ((60.0, 110.0), (180.0, 80.0), (200.0, 130.0), (70.0, 170.0)),
)


@pytest.mark.parametrize("quad", SLANTED)
def test_the_corners_of_a_slanted_tile_are_found(quad):
    picture = drawn(quad)
    box = cv2.boxPoints(cv2.minAreaRect(np.array(quad, np.float32)))
    ways = [np.roll(way, -k, 0) for way in (box, box[::-1]) for k in range(4)]
    given = found(min(ways, key=lambda way: float(np.abs(way - quad).sum())).tolist())
    (refined,) = OutlineReader(load_manifest()["outlines"]).refined([(given, picture, given)])
    before, after = (
        np.mean([math.dist(a, b) for a, b in zip(each.corners, quad, strict=True)]) for each in (given, refined)
    )
    assert after < 0.75 * before
    assert (refined.score, refined.shape) == (given.score, "tile")
    left, top, right, bottom = refined.left, refined.top, refined.right, refined.bottom
    assert all(left <= x <= right and top <= y <= bottom for x, y in refined.corners)


def test_the_picture_may_be_larger_than_the_one_that_outlines_are_told_in():
    quad = SLANTED[0]
    picture = drawn(quad)
    given = found(outline(cv2.minAreaRect(np.array(quad, np.float32))))
    reader = OutlineReader(load_manifest()["outlines"])
    twice = np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    (plain,), (sharp,) = (reader.refined([(given, *each)]) for each in ((picture, given), (twice, given.scaled(2))))
    assert np.array(sharp.corners) == pytest.approx(np.array(plain.corners), abs=2)


def test_an_outline_without_width_is_no_trouble():
    line = found(((100.0, 100.0), (140.0, 100.0), (140.0, 100.0), (100.0, 100.0)))
    picture = np.zeros((240, 320, 3), np.uint8)
    (refined,) = OutlineReader(load_manifest()["outlines"]).refined([(line, picture, line)])
    assert np.isfinite(refined.corners).all()


def test_no_tile_takes_no_time():
    assert OutlineReader(load_manifest()["outlines"]).refined([]) == []
