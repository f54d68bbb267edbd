from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import load_manifest
from vision.classify import tiles as tile_module
from vision.classify.crop_network import softmax
from vision.classify.marks import MarkReader
from vision.classify.tiles import (
    MARGIN,
    RECTANGLE_VIEWS,
    SIDE,
    VIEWS,
    TileFace,
    TileReader,
    View,
    end,
    ends_of,
    face_of_ends,
    halves,
)
from vision.detect.boxes import Detection
from vision.detect.detector import Detector, outline
from vision.photo import Pixels, load


def drawn_tile(size: int = 600, turn: float = 0.0, scale: float = 1.0) -> tuple[Pixels, Detection]:
    """A tile seen from above: its first end red with a blue rim outside, its second green with a white rim outside."""
    picture = np.zeros((size, size, 3), np.uint8)
    place = ((size / 2, size / 2), (240 * scale, 120 * scale), turn)
    quad = np.array(outline(place))
    a, b, c, d = quad
    for corners, colour in (
        ((a, (a + b) / 2, (c + d) / 2, d), (200, 0, 0)),
        (((a + b) / 2, b, c, (c + d) / 2), (0, 200, 0)),
        ((a, a + (b - a) * 0.06, d + (c - d) * 0.06, d), (0, 0, 255)),
        ((b, b + (a - b) * 0.06, c + (d - c) * 0.06, c), (255, 255, 255)),
    ):
        cv2.fillConvexPoly(picture, np.array(corners).round().astype(np.int32), colour)
    points = tuple((float(x), float(y)) for x, y in quad)
    (left, top), (right, bottom) = quad.min(0), quad.max(0)
    return picture, Detection(left, top, right, bottom, 0.9, "domino", points)  # type: ignore[arg-type]


@pytest.mark.parametrize("turn", [0, 30, 90, 135, 200, 301])
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_both_ends_are_cut_with_the_middle_line_below(turn: float, scale: float):
    picture, detection = drawn_tile(turn=turn, scale=scale)
    cut = [each() for each in ends_of(picture, detection)]
    assert np.shape(cut) == (2 * len(VIEWS + RECTANGLE_VIEWS), SIDE, SIDE, 3)
    first, second = (end(picture, half, (1.0, False)) for half in halves(detection.corners))
    middle, rim, below = SIDE // 2, round(SIDE * (0.5 - 0.46 / MARGIN)), SIDE - 2
    assert first[middle, middle].argmax() == 0
    assert first[rim, middle].argmax() == 2
    assert first[below, middle].argmax() == 1
    assert second[middle, middle].argmax() == 1
    assert second[rim, middle].min() > 150
    assert second[below, middle].argmax() == 0


def test_a_mirrored_view_swaps_left_and_right_only():
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[:50, :50] = 255
    square = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    plain, mirrored = end(picture, square, (1.0, False)), end(picture, square, (1.0, True))
    assert plain[SIDE // 4, SIDE // 4].mean() > 200
    assert mirrored[SIDE // 4, SIDE // 4].mean() < 50
    assert mirrored[SIDE // 4, -SIDE // 4].mean() > 200


def test_halves_share_the_middle_line():
    first, second = halves(((0, 0), (20, 0), (20, 10), (0, 10)))
    assert np.array(first) == pytest.approx(np.array([(0, 10), (0, 0), (10, 0), (10, 10)]), abs=1e-4)
    assert np.array(second) == pytest.approx(np.array([(20, 0), (20, 10), (10, 10), (10, 0)]), abs=1e-4)


def test_the_middle_line_of_a_slanted_tile_goes_through_where_its_diagonals_cross():
    quad = ((0.0, 0.0), (60.0, 10.0), (60.0, 30.0), (0.0, 40.0))
    first, second = halves(quad)
    (x1, _), (x2, _) = first[2], first[3]
    # Where the diagonals (0, 0)-(60, 30) and (60, 10)-(0, 40) cross.
    assert (x1, x2) == (pytest.approx(40, abs=1e-3), pytest.approx(40, abs=1e-3))
    assert second[2:] == (first[3], first[2])


def test_ranked_pairs_come_likeliest_first_and_a_tie_by_value():
    even = (0.5, 0.5) + (0.0,) * 11
    face = TileFace(0.0, 0.0, even, (0.1, 0.9) + (0.0,) * 11)
    assert face.ranked[:3] == (((0, 1), 0.45), ((1, 1), 0.45), ((0, 0), 0.05))


def in_all_views(reader: TileReader, tiles: Sequence[tuple[Pixels, Detection]]) -> list[TileFace]:
    logits = reader._look([cut for tile in tiles for cut in ends_of(*tile)])[0]
    ends = softmax(logits.reshape(2 * len(tiles), len(VIEWS + RECTANGLE_VIEWS), -1).mean(1))
    return [face_of_ends(first, second) for first, second in zip(ends[::2], ends[1::2], strict=True)]


def test_more_views_are_asked_only_of_what_is_not_decided(monkeypatch: pytest.MonkeyPatch):
    manifest = load_manifest()
    reader, picture = (
        TileReader(manifest["ends"], MarkReader(manifest["marks"])),
        load(Path("docs/sample-hand.jpg")).pixels,
    )
    tiles = [(picture, each) for each in Detector(manifest["detector"]).detect(picture) if each.score > 0.5]
    cloth = tiles[0][1].mapped(1, 1, -200, -100)
    looks: list[int] = []
    look = reader._look
    monkeypatch.setattr(reader, "_look", lambda views: looks.append(len(views)) or look(views))

    cuts: list[View] = []
    monkeypatch.setattr(tile_module, "end", lambda picture, half, view: cuts.append(view) or end(picture, half, view))

    mixed = reader.read([*tiles, (picture, cloth)])
    assert len(cuts) == sum(looks), "no view is cut that is not read"
    assert looks == [2 * len(mixed), 2], "one view is enough of plain tiles; cloth is seen in a second one and given up"
    assert mixed[-1].other > 0.9
    in_all = in_all_views(reader, tiles)
    for face, same in zip(mixed, in_all, strict=False):
        assert face.ranked[0] == (same.ranked[0][0], pytest.approx(same.ranked[0][1], abs=0.05))
    assert [each.ranked for each in reader.read_with_features(tiles)[0]] == [each.ranked for each in mixed[:-1]]

    looks.clear()
    unclear = [(cv2.GaussianBlur(picture, (0, 0), 10), tile) for _, tile in tiles]
    faces = reader.read(unclear)
    assert looks[0] == 2 * len(tiles)
    in_doubt = looks[1] // 2
    assert 0 < in_doubt < len(tiles)
    assert looks[2] == 4 * in_doubt
    seen_in_all = [
        face.ranked[0][1] == pytest.approx(same.ranked[0][1], abs=1e-4)
        for face, same in zip(faces, in_all_views(reader, unclear), strict=True)
    ]
    assert seen_in_all.count(True) == in_doubt

    looks.clear()
    blurred = [(cv2.GaussianBlur(picture, (0, 0), 24), tile) for _, tile in tiles]
    faces, in_all = reader.read(blurred), in_all_views(reader, blurred)
    hopeless = [(1 - face.other) * face.ranked[0][1] < 0.05 for face in faces]
    assert looks[:2] == [2 * len(tiles), 2 * len(tiles)]
    given_up = len(tiles) - looks[2] // 4
    assert 0 < given_up < len(tiles)
    assert hopeless.count(True) >= given_up
    seen_in_all = [
        face.ranked[0][1] == pytest.approx(same.ranked[0][1], abs=1e-4)
        for face, same in zip(faces, in_all, strict=True)
    ]
    assert seen_in_all.count(False) == given_up
    assert all((1 - all_.other) * all_.ranked[0][1] < 0.1 for all_, none in zip(in_all, hopeless, strict=True) if none)
