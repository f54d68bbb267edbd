"""Tiles with symbols: profiles learn them though people name the ends in any order, and leave ordinary tiles as they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import load_manifest
from vision.classify.marks import MarkReader
from vision.classify.tiles import TileFace, TileReader
from vision.detect.boxes import Detection
from vision.photo import Pixels, load
from vision.reader import TableReader
from vision.taught.negatives import load_negatives
from vision.taught.pieces import TaughtPiece, cut
from vision.taught.profile import Profile
from vision.taught.taught import Taught

Ends = tuple[int, int]
SHOWN: Sequence[Ends] = ((0, 0), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 6), (0, 3))
OTHERS: Sequence[Ends] = ((1, 5), (2, 6), (4, 4), (3, 6), (0, 2), (1, 1))
SIDE, LEFT, TOP = 70, 60, 50
INK, BODY = (40, 30, 120), (236, 228, 205)


def symbol(picture: Pixels, number: int, left: int, top: int) -> None:
    """A sign of lines and areas that are no pips, one of seven."""
    x, y, r = left + SIDE // 2, top + SIDE // 2, SIDE // 3
    low, high, right, wide = (x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)
    if number == 0:
        cv2.fillPoly(picture, [np.array([(x, y - r), right, wide])], INK)
    elif number == 1:
        cv2.rectangle(picture, low, right, INK, 6)
    elif number == 2:
        cv2.line(picture, low, right, INK, 9)
        cv2.line(picture, high, wide, INK, 9)
    elif number == 3:
        cv2.polylines(picture, [np.array([low, high, wide, right])], False, INK, 7)
    elif number == 4:
        cv2.rectangle(picture, (x - r, y - r // 3), (x + r, y + r // 3), INK, -1)
    elif number == 5:
        cv2.ellipse(picture, (x, y), (r, r), 0, 0, 180, INK, -1)
    else:
        for step in (-r, 0, r):
            cv2.line(picture, (x + step, y - r), (x + step, y + r), INK, 5)


def tile(ends: Ends, seed: int) -> tuple[Pixels, Detection]:
    """A picture of a tile that shows these ends, the first at the left, and where it lies."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIDE + 2 * TOP, 2 * SIDE + 2 * LEFT, 3), (90, 120, 80), np.uint8)
    cv2.rectangle(picture, (LEFT, TOP), (LEFT + 2 * SIDE, TOP + SIDE), BODY, -1)
    cv2.line(picture, (LEFT + SIDE, TOP + 5), (LEFT + SIDE, TOP + SIDE - 5), INK, 2)
    for which, value in enumerate(ends):
        sign = np.full((SIDE, SIDE, 3), BODY, np.uint8)
        symbol(sign, (value + 2) % 7, 0, 0)
        # The signs of both ends stand on the middle line.
        half = cv2.rotate(sign, cv2.ROTATE_90_COUNTERCLOCKWISE if which else cv2.ROTATE_90_CLOCKWISE)
        inner = picture[TOP + 4 : TOP + SIDE - 4, LEFT + which * SIDE + 4 : LEFT + which * SIDE + SIDE - 4]
        inner[:] = half[4:-4, 4:-4]
    noisy = np.asarray(np.clip(picture * rng.uniform(0.8, 1.1) + rng.normal(0, 6, picture.shape), 0, 255), np.uint8)
    x, y = (LEFT + rng.uniform(-2, 2), TOP + rng.uniform(-2, 2))
    quad = ((x, y), (x + 2 * SIDE, y), (x + 2 * SIDE, y + SIDE), (x, y + SIDE))
    return noisy, Detection(x, y, x + 2 * SIDE, y + SIDE, 0.9, "tile", quad)


@pytest.fixture(scope="module")
def reader() -> TileReader:
    manifest = load_manifest()
    return TileReader(manifest["ends"], MarkReader(manifest["marks"]))


@pytest.fixture(scope="module")
def profile() -> Profile:
    pieces = []
    for number, ends in enumerate(SHOWN):
        jpeg, box = cut(*tile(ends, number))
        said = ends if number % 2 else ends[::-1]
        pieces.append(TaughtPiece("domino", said, box, jpeg, f"photo {number // 3}", either=ends[0] != ends[1]))
    return Profile("signs", tuple(pieces))


def test_ends_that_were_named_in_any_order_are_read(reader: TileReader, profile: Profile) -> None:
    tables = TableReader()
    taught = Taught([profile], tables._dice, reader, load_negatives(load_manifest()))
    faces, seen = reader.read_with_features([tile(ends, 100 + number) for number, ends in enumerate(OTHERS)])
    read = taught.tiles(faces, seen)
    assert [face.ranked[0][0] for face in faces] != list(OTHERS)
    assert [ends_of(face) for face in read] == list(OTHERS)
    assert {face.profile for face in read} == {"signs"}


def ends_of(face: TileFace) -> Ends:
    return face.ranked[0][0]


def test_ordinary_tiles_are_read_to_the_digit_as_without_it(profile: Profile) -> None:
    photo = load(Path("docs/sample-hand.jpg"))
    tables = TableReader()
    plain, knowing = tables.read(photo).to_json(), tables.knowing([profile]).read(photo).to_json()
    assert {**knowing, "profiles": {}, "timings_ms": 0} == {**plain, "timings_ms": 0}
