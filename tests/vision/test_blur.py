"""Blurred pieces: how wide their edges are, and what is said of them."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.test_reader import encoded
from vision.blur import edges
from vision.detect.boxes import Detection
from vision.photo import Pixels, load
from vision.reader import TableReader
from vision.reading import Reading

HAND, THROW = "docs/sample-hand.jpg", "docs/sample-throw.jpg"
DIE = Detection(100, 100, 200, 200, 0.9)


def drawn() -> Pixels:
    """A white die with a dark pip on a green table."""
    picture = np.full((300, 300, 3), (20, 90, 40), np.uint8)
    picture[100:200, 100:200] = 240
    return np.asarray(cv2.circle(picture, (150, 150), 12, (20, 20, 20), -1, cv2.LINE_AA), np.uint8)


def moved(picture: Pixels, pixels: int, degrees: float = 30.0) -> Pixels:
    """As a camera sees it that moves by so many pixels."""
    way, (x, y) = (
        np.zeros((2 * pixels + 1,) * 2, np.float32),
        (np.cos(np.radians(degrees)), np.sin(np.radians(degrees))),
    )
    for at in np.linspace(-0.5, 0.5, 8 * pixels) * pixels:
        way[round(pixels + at * y), round(pixels + at * x)] += 1
    return np.asarray(cv2.filter2D(picture, -1, way / way.sum(), borderType=cv2.BORDER_REPLICATE), np.uint8)


def out_of_focus(picture: Pixels, pixels: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), pixels), np.uint8)


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def blurred(reading: Reading) -> list[str]:
    return [doubt.message for doubt in reading.doubts if doubt.reason == "blurred"]


@pytest.mark.parametrize("degrees", [0, 30, 90, 140])
def test_edges_are_wider_the_farther_the_camera_moves_whichever_way(degrees: float) -> None:
    sharp, few, many = edges(drawn(), [DIE]), *(edges(moved(drawn(), pixels, degrees), [DIE]) for pixels in (10, 20))
    assert sharp < 1 / 15 < few < 1 / 9 < many
    assert many > 1.4 * few


def test_edges_are_measured_over_the_size_of_the_piece() -> None:
    soft = out_of_focus(drawn(), 3)
    half = cv2.resize(soft, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert edges(np.asarray(half, np.uint8), [Detection(50, 50, 100, 100, 0.9)]) == pytest.approx(
        edges(soft, [DIE]), rel=0.15
    )


def test_the_middle_of_several_pieces_counts_and_small_ones_tell_nothing() -> None:
    picture = np.hstack([drawn(), drawn(), out_of_focus(drawn(), 12)])
    pieces = [Detection(300 * k + 100, 100, 300 * k + 200, 200, 0.9) for k in range(3)]
    assert edges(picture, pieces) == pytest.approx(edges(picture, pieces[:1]))
    assert edges(picture, [Detection(100, 100, 120, 120, 0.9)]) == 0
    assert edges(picture, []) == 0


def test_what_does_not_stand_out_tells_nothing() -> None:
    faint = np.asarray(100 + drawn() / 40, np.uint8)
    assert edges(np.zeros((40, 40, 3), np.uint8), [Detection(-5, -5, 45, 45, 0.9)]) == 0
    assert edges(faint, [DIE]) == 0
    assert edges(np.hstack([faint, moved(drawn(), 20)]), [DIE, Detection(400, 100, 500, 200, 0.9)]) > 1 / 9


def test_what_is_the_same_all_along_is_blurred_that_way() -> None:
    stripe = np.zeros((100, 100, 3), np.uint8)
    stripe[:, 40:60] = 255
    assert edges(stripe, [Detection(20, 20, 80, 80, 0.9)]) > 1


@pytest.mark.parametrize("blur", [lambda picture: moved(picture, 24), lambda picture: out_of_focus(picture, 7)])
def test_of_blurred_tiles_one_may_be_missed_or_misread(reader: TableReader, blur: Callable[[Pixels], Pixels]) -> None:
    sharp = load(HAND)
    assert not blurred(reader.read(sharp))
    (message,) = blurred(reader.read(encoded(Image.fromarray(blur(sharp.pixels)))))
    assert "a tile may have been missed or misread" in message
    assert "Hold the camera still" in message


@pytest.mark.parametrize("blur", [lambda picture: moved(picture, 60), lambda picture: out_of_focus(picture, 22)])
def test_blurred_dice_in_doubt_are_said_to_be_blurred(reader: TableReader, blur: Callable[[Pixels], Pixels]) -> None:
    read = reader.read(encoded(Image.fromarray(blur(load(THROW).pixels))))
    assert "uncertain-piece" in {doubt.reason for doubt in read.doubts}
    (message,) = blurred(read)
    assert message.startswith("The picture is blurred. Hold the camera still")


def test_blurred_dice_that_can_be_read_are_no_doubt(reader: TableReader) -> None:
    read = reader.read(encoded(Image.fromarray(out_of_focus(load(THROW).pixels, 14))))
    assert sorted(read.values) == [1, 1, 2, 3, 5, 6]
    assert read.sure


def test_one_tile_alone_that_can_be_read_is_no_doubt(reader: TableReader) -> None:
    hand = load(HAND)
    tile = reader.read(hand).tiles[0]
    left, top = (round(min(point[axis] for point in tile.box) / hand.scale) for axis in (0, 1))
    right, bottom = (round(max(point[axis] for point in tile.box) / hand.scale) for axis in (0, 1))
    alone = np.full((500, 500, 3), hand.pixels[5, 5], np.uint8)
    alone[150 : 150 + bottom - top, 150 : 150 + right - left] = hand.pixels[top:bottom, left:right]
    soft = encoded(Image.fromarray(out_of_focus(alone, (right - left) / 30)))
    read = reader.read(soft)
    assert [each.ends for each in read.tiles] == [tile.ends]
    outline = Detection(150, 150, 150 + right - left, 150 + bottom - top, 0.9)
    assert edges(soft.pixels, [outline]) > 1 / 15
    assert not blurred(read)
