"""How a table lies, told by the tiles on it, and what is found once it is seen as from above."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.test_reader import encoded
from vision import closer, closer_look
from vision.candidate import Calibration, Candidate
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.detect.detector import LONG_SIDE
from vision.plane import FromAbove, plane_of
from vision.reader import TableReader
from vision.reading import Quad

SHAPE = (600, 800)
HAND = "docs/sample-hand.jpg"
ENDS = [[0, 0], [0, 6], [1, 4], [2, 5]]


def camera(up: float, lens: float = 1.2, sideways: bool = False) -> np.ndarray:
    """What a camera that looks at the middle of a table from so many degrees over it makes of the table's points, in pixels of
    the picture from above: 3 x 3.
    """
    height, width = SHAPE
    focal, tilt = lens * max(SHAPE), math.radians(90 - up)
    lens_matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    c, s = math.cos(tilt), math.sin(tilt)
    turn = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]] if sideways else [[1, 0, 0], [0, c, s], [0, -s, c]])
    seen = lens_matrix @ turn @ np.linalg.inv(lens_matrix)
    (x, y) = warped([(width / 2, height / 2)], np.linalg.inv(seen))[0] - (width / 2, height / 2)
    return seen @ np.array([[1, 0, x], [0, 1, y], [0, 0, 1]])


def warped(points: object, matrix: np.ndarray) -> np.ndarray:
    return cv2.perspectiveTransform(np.array(points, np.float64).reshape(1, -1, 2), matrix)[0]


def table(matrix: np.ndarray, angles: tuple[float, ...] = (0, 90, 30, 60, 120, 0, 90)) -> list[Quad]:
    """Tiles of 60 x 30 over the whole table, as the camera sees them."""
    tiles = []
    for i, angle in enumerate(angles):
        x, y = 180 + 75 * i, 160 + 140 * (i % 3)
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        corners = [(x + c * u - s * v, y + s * u + c * v) for u, v in ((-30, -15), (30, -15), (30, 15), (-30, 15))]
        a, b, p, q = (tuple(point) for point in warped(corners, matrix).tolist())
        tiles.append((a, b, p, q))
    return tiles


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize(("up", "lens"), [(60, 1.0), (45, 1.4), (33, 2.0)])
def test_tiles_tell_how_the_table_lies(up: float, lens: float, sideways: bool) -> None:
    tiles = table(camera(up, lens, sideways))
    plane = plane_of(tiles, SHAPE)
    assert plane is not None
    squeezed = math.sin(math.radians(up))
    assert plane.stretch == pytest.approx(squeezed if sideways else 1 / squeezed, rel=0.12)
    assert plane.certain
    assert all(plane.lies_flat(tile) for tile in tiles)
    flat = [warped(tile, plane.matrix) for tile in tiles]
    areas = [cv2.contourArea(each.astype(np.float32)) for each in flat]
    assert max(areas) / min(areas) < 1.15, "all tiles are of one size from above"


def test_what_stands_on_edge_is_outvoted_and_lies_not_flat() -> None:
    tiles, standing = table(camera(45)), ((300.0, 200.0), (330.0, 200.0), (330.0, 290.0), (300.0, 290.0))
    plane = plane_of([*tiles, standing], SHAPE)
    assert plane is not None
    assert plane.certain
    assert all(plane.lies_flat(tile) for tile in tiles)
    assert not plane.lies_flat(standing)


def test_few_tiles_tell_little_and_those_from_above_nothing() -> None:
    tiles = table(camera(45))
    assert plane_of([], SHAPE) is plane_of(tiles[:1], SHAPE) is None
    few, above = plane_of(tiles[:3], SHAPE), plane_of(table(camera(88)), SHAPE)
    assert few is not None
    assert above is not None
    assert not few.certain
    assert not above.certain
    scattered = [tuple(map(tuple, np.array(tile) * (1, k % 3 / 2 + 0.5))) for k, tile in enumerate(tiles)]
    unlike = plane_of(scattered, SHAPE)
    assert unlike is not None
    assert not unlike.certain, "tiles that do not lie on one table"


@pytest.mark.parametrize("up", [60, 40])
def test_a_find_from_above_lies_where_it_lay(up: float) -> None:
    matrix = camera(up)
    tiles = table(matrix)
    picture = np.zeros((*SHAPE, 3), np.uint8)
    cv2.fillPoly(picture, [np.array(tiles[3]).round().astype(np.int32)], (255, 255, 255))
    plane = plane_of(tiles, SHAPE)
    assert plane is not None
    seen = FromAbove.of(picture, plane)
    assert max(seen.picture.shape) < 3 * max(SHAPE)
    outline, _ = cv2.findContours(
        (seen.picture[..., 0] > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    place = cv2.minAreaRect(outline[0])
    assert max(place[1]) / min(place[1]) == pytest.approx(2, rel=0.15), "a tile as from above"
    a, b, c, d = (tuple(point) for point in cv2.boxPoints(place).tolist())
    back = seen.to_original(Detection(0, 0, 1, 1, 0.9, "tile", (a, b, c, d)))
    assert back.middle == pytest.approx(tuple(np.mean(tiles[3], 0)), abs=2)
    assert cv2.contourArea(np.array(back.quad, np.float32)) == pytest.approx(
        cv2.contourArea(np.array(tiles[3], np.float32)), rel=0.2
    )


def test_a_tile_seen_from_above_alone_counts_only_if_it_is_clear() -> None:
    ends = (tuple(0.9 if n == 0 else 0.1 / 12 for n in range(13)),) * 2
    tile = Detection(100, 100, 180, 140, 0.9, "tile", ((100, 100), (180, 100), (180, 140), (100, 140)))
    chances = [
        Candidate(replace(tile, score=score), TileFace(0.1, 0.01, *ends), Calibration()) for score in (0.9, 0.05)
    ]
    assert [each.confidence >= 0.6 for each in chances] == [True, False]
    assert [closer.is_clear(each) for each in chances] == [True, False]


def test_the_lowest_camera_costs_no_more_than_a_picture_twice_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    detector, sides = TableReader()._detector, []
    lowest = plane_of(table(camera(27, 0.8))[:2], SHAPE)
    assert lowest is not None
    assert max(FromAbove.of(np.zeros((*SHAPE, 3), np.uint8), lowest).picture.shape) > 1.7 * max(SHAPE)
    monkeypatch.setattr(detector, "_look_once", lambda view, _: sides.append(max(view.small.shape)) or [])
    detector.look_from_above(np.zeros((*SHAPE, 3), np.uint8), lowest)
    assert sides == [2 * LONG_SIDE] * 2


def test_a_hand_before_a_low_camera_is_also_looked_at_from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    with Image.open(HAND) as image:
        hand = np.asarray(image.resize(SHAPE[::-1]))
    lower = cv2.warpPerspective(hand, camera(42), SHAPE[::-1], borderMode=cv2.BORDER_REPLICATE)
    photo, looks = encoded(Image.fromarray(lower)), []
    reader = TableReader()
    look = reader._detector.look_from_above
    monkeypatch.setattr(reader._detector, "look_from_above", lambda *seen: looks.append(look(*seen)) or looks[-1])
    assert sorted(sorted(tile.ends) for tile in reader.read(photo).tiles) == ENDS
    assert len([each for each in looks[0] if each.score > 0.5]) == 4
    assert all(each.width > 0 and each.height > 0 for each in looks[0])
    monkeypatch.setattr(closer_look, "plane_of", lambda *_: None)
    reader.read(photo)
    assert len(looks) == 1, "not where no plane is told"
