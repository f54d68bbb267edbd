import math
import tracemalloc
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate.drawn.dice import D12, draw_class
from models import load_manifest
from vision.detect.boxes import Detection, Shape, inside, iou
from vision.detect.detector import (
    MIN_SCORE,
    WEAK,
    Detector,
    View,
    closer_crop,
    decode,
    is_lone,
    outline,
    plain,
    second_look_scale,
    sees_all,
)
from vision.photo import Pixels, load

SHAPE = (480, 640, 3)


def row(
    x: float, y: float, width: float, height: float, kind: int, degrees: float = 0.0, score: float = 0.9
) -> list[float]:
    scores = [0.01, 0.01, 0.01]
    scores[kind] = score
    return [x, y, width, height, *scores, math.radians(degrees)]


CLASSES = ("die", "die", "tile")
"""Of a network that tells two kinds of dice apart."""


def detections(*rows: list[float], scale: float = 1.0) -> list[Detection]:
    return decode(np.array(rows, np.float32), scale, SHAPE, CLASSES)


def test_a_die_is_upright_in_the_photo_s_pixels():
    (detection,) = detections(row(100, 100, 50, 50, 0), scale=0.5)
    assert (detection.shape, detection.quad) == ("die", None)
    assert (detection.left, detection.top, detection.right, detection.bottom) == pytest.approx((150, 150, 250, 250))


@pytest.mark.parametrize(("degrees", "size"), [(3, (60, 40)), (88, (40, 60)), (-80, (40, 60)), (170, (60, 40))])
def test_a_die_s_angle_counts_in_quarter_turns_only(degrees: float, size: tuple[float, float]):
    (detection,) = detections(row(300, 200, 60, 40, 1, degrees))
    assert detection.shape == "die"
    assert (detection.width, detection.height) == pytest.approx(size)


def test_a_domino_keeps_its_angle_and_begins_with_a_long_side():
    (detection,) = detections(row(300, 200, 40, 80, 2, 30))
    assert detection.quad is not None
    a, b, c, _ = detection.quad
    assert math.dist(a, b) == pytest.approx(80, rel=1e-5)
    assert math.dist(b, c) == pytest.approx(40, rel=1e-5)
    assert math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) % 180 == pytest.approx(120, abs=1e-3)
    assert detection.area == pytest.approx(3200, rel=1e-4)


def test_one_piece_found_twice_is_one_find_and_touching_tiles_stay_two():
    crossed = [row(300, 200, 80, 40, 2, 45), row(302, 201, 82, 40, 2, 44, 0.7)]
    assert [round(detection.score, 2) for detection in detections(*crossed)] == [0.9]
    assert len(detections(row(300, 200, 80, 40, 2, 45), row(300 + 28.3, 200 - 28.3, 80, 40, 2, 45))) == 2


def test_faint_finds_are_dropped_and_the_best_comes_first():
    found = detections(
        row(100, 100, 50, 50, 0, score=0.3), row(300, 300, 50, 50, 2, score=0.8), row(500, 100, 50, 50, 0, score=0.04)
    )
    assert [detection.shape for detection in found] == ["tile", "die"]


def test_the_box_of_a_piece_beyond_the_edge_ends_at_the_edge_but_a_tile_s_outline_goes_on():
    (detection,) = detections(row(0, 200, 80, 40, 2))
    assert (detection.left, detection.right) == pytest.approx((0, 40))
    assert detection.quad is not None
    assert min(x for x, _ in detection.quad) == pytest.approx(-40)


def test_nothing_found():
    assert detections(row(100, 100, 50, 50, 0, score=0.01)) == []


def test_inside_counts_turned_outlines():
    tile = Detection(0, 0, 100, 100, 0.9, "tile", outline(((50, 50), (100, 50), 45)))
    die_in_the_corner = Detection(80, 0, 100, 20, 0.9)
    die_in_the_middle = Detection(45, 45, 55, 55, 0.9)
    assert inside(die_in_the_middle, tile) == pytest.approx(1)
    assert inside(die_in_the_corner, tile) == 0
    assert inside(tile, die_in_the_middle) == pytest.approx(100 / 5000)


def test_scaling_keeps_box_and_outline_together():
    (detection,) = detections(row(300, 200, 80, 40, 2, 30))
    twice = detection.scaled(2)
    assert twice.quad is not None
    assert detection.quad is not None
    assert np.allclose(np.array(twice.quad), 2 * np.array(detection.quad))
    assert twice.left == pytest.approx(2 * detection.left)
    assert twice.shape == "tile"


def test_a_tile_that_looks_nearly_square_is_tried_both_ways():
    (slim,), (stout,) = detections(row(300, 200, 80, 40, 2, 30)), detections(row(300, 200, 80, 60, 2, 30))
    assert slim.either_way == (slim,)
    one, other = stout.either_way
    assert one == stout
    assert other.quad is not None
    assert stout.quad is not None
    assert other.quad == (*stout.quad[1:], stout.quad[0])
    assert detections(row(100, 100, 50, 50, 0))[0].either_way == tuple(detections(row(100, 100, 50, 50, 0)))


def test_small_pieces_close_together_are_looked_at_again_with_room_around_them():
    small = [Detection(200 + 30 * i, 100, 225 + 30 * i, 112, 0.9) for i in range(4)]
    assert closer_crop([*small, Detection(600, 400, 620, 420, 0.05)], SHAPE) == (175, 75, 340, 137)


def test_that_look_is_eight_times_as_wide_as_a_tile_is_long_for_others_may_lie_beside_it():
    tile, die = Detection(200, 200, 225, 225, 0.9, "tile"), Detection(240, 200, 265, 225, 0.9)
    assert closer_crop([tile], SHAPE) == (112, 112, 312, 312)
    assert closer_crop([tile, die], SHAPE) == closer_crop([die, replace(die, left=200, right=225)], SHAPE)


def test_a_trace_of_a_die_about_as_long_is_within_that_look():
    dice = [Detection(200 + 30 * i, 100, 225 + 30 * i, 125, 0.9) for i in range(4)]
    trace = Detection(360, 200, 382, 222, 0.12)
    assert closer_crop([*dice, trace], SHAPE) == (175, 75, 407, 247)
    assert closer_crop([*dice, replace(trace, score=0.08)], SHAPE) == (175, 75, 340, 150)
    assert closer_crop([*dice, replace(trace, right=450, bottom=290)], SHAPE) == (175, 75, 340, 150)
    assert closer_crop([*dice, replace(trace, shape="tile")], SHAPE) == (175, 75, 340, 150)
    aside = [replace(each, left=each.left - 190, right=each.right - 190) for each in dice]
    assert closer_crop([*aside, replace(trace, left=600, right=622)], SHAPE) == (0, 75, 150, 150), (
        "too far for one look"
    )


def test_where_tiles_are_small_the_second_look_is_larger():
    def tile(long: float, score: float = 0.9) -> Detection:
        return decode(np.array([row(300, 200, long, long / 2, 2, 30, score)], np.float32), 1.0, SHAPE, CLASSES)[0]

    assert second_look_scale([tile(0.09 * 640)], 640) == pytest.approx(1.5)
    assert second_look_scale([tile(0.1 * 640)], 640) == pytest.approx(1.35)
    assert second_look_scale([tile(0.03 * 640)], 640) == 1.5, "and no larger"
    assert second_look_scale([tile(0.12 * 640)], 640) == second_look_scale([tile(0.2 * 640)], 640) == 1
    assert second_look_scale([tile(0.1 * 640), tile(0.2 * 640), tile(0.2 * 640)], 640) == 1, "most of them are large"
    assert second_look_scale([tile(0.03 * 640, 0.1), Detection(10, 10, 20, 20, 0.9)], 640) == 1, (
        "none of them is a likely tile"
    )
    assert second_look_scale([tile(0.03 * 640, 0.6)], 640) == 1, "none of them is a plain tile"
    assert second_look_scale([tile(0.03 * 640, 0.75), tile(0.03 * 640, 0.3)], 640) == 1.5


def test_the_second_look_is_as_large_as_it_says(monkeypatch):
    detector, looks = Detector(load_manifest()["detector"]), []
    tile = decode(np.array([row(300, 200, 64, 32, 2)], np.float32), 1.0, SHAPE, CLASSES)

    def look(view: View, _min_score: float) -> list[Detection]:
        looks.append(view.scale)
        return tile

    monkeypatch.setattr(detector, "_look_once", look)
    detector._look(np.zeros(SHAPE, np.uint8), False, MIN_SCORE)
    assert looks == pytest.approx([1, 1.35])


class FromAfar(Detector):
    """Sees these on the whole picture, and nothing but the first of them from nearer."""

    seen: list[Detection]

    def _look(self, picture: Pixels, *_, **__) -> list[Detection]:
        if picture.shape == SHAPE:
            return self.seen
        left, top, *_ = closer_crop(self.seen, SHAPE)
        return [replace(self.seen[0].mapped(1, 1, -left, -top), score=0.95)]


def test_a_die_outside_that_look_stays_as_it_was_seen():
    detector = FromAfar(load_manifest()["detector"])
    near, far = Detection(200, 100, 225, 125, 0.9), Detection(600, 400, 622, 422, 0.09)
    large, tile = Detection(500, 300, 590, 390, 0.09), replace(far, shape="tile", left=550, right=572)
    detector.seen = [near, far, large, tile]
    found = detector.detect(np.zeros(SHAPE, np.uint8))
    assert found == [replace(near, score=0.95), far]


def test_large_pieces_or_pieces_everywhere_are_not():
    assert closer_crop([Detection(200, 100, 300, 200, 0.9)], SHAPE) is None
    assert closer_crop([Detection(10, 10, 30, 30, 0.9), Detection(600, 440, 620, 460, 0.9)], SHAPE) is None
    assert closer_crop([], SHAPE) is None


def test_a_second_look_ends_at_the_picture_s_edge():
    assert closer_crop([Detection(5, 470, 25, 480, 0.9)], SHAPE) == (0, 450, 45, 480)


def test_a_network_of_one_kind_in_upright_boxes_is_understood_too():
    (detection,) = decode(np.array([[100, 100, 60, 40, 0.99]], np.float32), 1.0, SHAPE, ("die",))
    assert (detection.shape, detection.width, detection.height) == ("die", 60, 40)


def test_only_shapes_that_are_wanted_are_found():
    half_a_tile = [300, 200, 60, 40, 0.4, 0.01, 0.9, 0.0]
    (detection,) = decode(np.array([half_a_tile], np.float32), 1.0, SHAPE, CLASSES, shapes=("die",))
    assert (detection.shape, detection.quad, detection.score) == ("die", None, pytest.approx(0.4))
    assert decode(np.array([row(300, 200, 60, 40, 2)], np.float32), 1.0, SHAPE, CLASSES, shapes=("die",)) == []


def test_scores_for_two_kinds_of_dice_count_as_one():
    torn = [300, 200, 50, 50, 0.5, 0.45, 0.3, 0.0]
    (detection,) = decode(np.array([torn], np.float32), 1.0, SHAPE, CLASSES)
    assert (detection.shape, detection.score) == ("die", pytest.approx(0.5))


def test_dice_beyond_doubt_are_plain_and_nothing_else_is():
    die, faint = detection_of(0.9), detection_of(0.05)
    assert plain([die, die, faint], 640)
    assert not plain([], 640)
    assert not plain([faint], 640)
    assert not plain([die, detection_of(0.4)], 640)
    assert not plain([die, detection_of(0.9, "tile")], 640)
    assert plain([die, detection_of(0.05, "tile")], 640)
    assert not plain([die], 100)


def test_a_die_is_lone_that_is_large_and_beyond_doubt_with_nothing_else_in_the_picture():
    die, trace = detection_of(0.9), detection_of(0.05)
    assert is_lone([die], 100)
    assert is_lone([die, trace], 100)
    assert not is_lone([die], 640), "it is small"
    assert not is_lone([detection_of(0.6)], 100)
    assert not is_lone([detection_of(0.9, "tile")], 100)
    assert not is_lone([die, die], 100)
    assert not is_lone([die, detection_of(0.2, "tile")], 100)
    assert not is_lone([trace], 100)


def test_a_lone_die_is_looked_at_once_for_who_reads_it_first():
    detector = Counting(load_manifest()["detector"])
    pixels = close_up()
    (die,) = [each for each in detector.detect(pixels, lone=True) if each.score > 0.1]
    assert detector.looks == 1
    assert iou(die, detector.detect(pixels)[0]) > 0.8
    assert detector.looks == 3


def close_up() -> Pixels:
    """One die of the sample throw, with the wood beside it, so near that it takes up two fifths of the picture."""
    throw = load(Path("docs/sample-throw.jpg")).pixels
    die = max(Detector(load_manifest()["detector"]).detect(throw), key=lambda each: each.score)
    (x, y), half = die.middle, 0.6 * die.long_side
    near = throw[round(y - half) : round(y + half), round(x - half) : round(x + half)]
    border = round(0.8 * half)
    return np.asarray(cv2.copyMakeBorder(near, border, border, border, border, cv2.BORDER_REPLICATE), np.uint8)


def detection_of(score: float, shape: Shape = "die") -> Detection:
    return Detection(100, 100, 150, 150, score, shape)


@pytest.mark.parametrize(("sample", "looks"), [("sample-throw", 1), ("sample-hand", 2)])
def test_plain_dice_are_looked_at_once_and_tiles_twice(sample: str, looks: int):
    pixels = load(Path(f"docs/{sample}.jpg")).pixels
    detector = Counting(load_manifest()["detector"])
    assert len([found for found in detector.detect(pixels) if found.score > 0.5]) >= 4
    assert detector.looks == looks


def test_a_table_looked_at_again_is_seen_once_unless_a_die_that_was_known_is_missed():
    pixels, detector = load(Path("docs/sample-throw.jpg")).pixels, Counting(load_manifest()["detector"])
    known = detector.detect(pixels, always_twice=True)
    assert detector.looks == 2
    again = detector.detect_near(pixels, known)
    assert detector.looks == 3
    strong = [found for found in again if found.score > 0.5]
    assert len(strong) == len([found for found in known if found.score > 0.5])
    first = known[0]
    bare = pixels.copy()
    bare[int(first.top) - 9 : int(first.bottom) + 9, int(first.left) - 9 : int(first.right) + 9] = pixels[5, 5]
    assert all(inside(found, first) < 0.5 for found in detector.detect_near(bare, known) if found.score > 0.5)
    assert detector.looks == 5


def test_a_place_is_seen_where_more_than_a_trace_of_its_shape_is_found():
    die = detection_of(0.9)
    assert sees_all([die], [])
    assert sees_all([die], [Detection(110, 100, 160, 150, 0.3)])
    assert not sees_all([die], [Detection(140, 100, 190, 150, 0.3)])
    assert not sees_all([detection_of(0.05)], [die])
    assert not sees_all([die], [detection_of(0.9, "tile")])


def test_a_large_picture_is_not_copied_though_it_is_looked_at_upside_down():
    picture, detector = np.zeros((3000, 4000, 3), np.uint8), Detector(load_manifest()["detector"])
    tracemalloc.start()
    detector.detect(picture, always_twice=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < picture.nbytes / 2


def test_upside_down_is_the_same_picture_turned():
    picture = load(Path("docs/sample-throw.jpg")).pixels
    view, turned = View.of(picture), View.of(np.ascontiguousarray(picture[::-1, ::-1]))
    assert np.array_equal(view.upside_down().small, turned.small)


def test_a_large_picture_looks_as_if_it_were_made_small_at_once():
    sample = load(Path("docs/sample-throw.jpg")).pixels
    times = 2017 / max(sample.shape)
    large = cv2.resize(sample, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    view = View.of(large)
    at_once = cv2.resize(large, view.small.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert 0 < np.abs(view.small.astype(int) - at_once).mean() < 2


def test_what_is_hardly_seen_comes_beside_what_is_seen_and_changes_nothing_of_it():
    faint, detector = load(Path("docs/sample-hand.jpg")).pixels // 12 + 100, Detector(load_manifest()["detector"])
    usual, more = (detector.detect(faint, always_twice=True, min_score=score) for score in (MIN_SCORE, WEAK))
    assert len(more) > len(usual)
    assert [each for each in more if each.score >= MIN_SCORE] == usual


class Counting(Detector):
    """Counts how often the network runs."""

    looks = 0

    def _look_once(self, view: View, min_score: float) -> list[Detection]:
        self.looks += 1
        return super()._look_once(view, min_score)


def filling(seed: int) -> Pixels:
    """A drawn twelve-sided die with hardly anything around it."""
    picture, _ = draw_class(np.random.default_rng((77, seed)), D12 + seed % 12)
    return np.ascontiguousarray(picture[13:99, 13:99])


def test_dice_that_fill_the_picture_are_found_with_a_border_around_it():
    detector = Detector(load_manifest()["detector"])
    found = Counter[str]()
    for seed in range(60):
        picture = filling(seed)
        plainly = detector.detect(picture)
        both = detector.with_large(picture, plainly)
        found["plainly"] += any(each.score > 0.6 for each in plainly)
        found["with a border"] += any(each.score > 0.6 and each.width > 43 for each in both)
        assert all(each.left > -1 and each.right < 87 for each in both if each.score > 0.6)
    assert found["with a border"] > found["plainly"] + 4


def test_what_is_found_beyond_doubt_stays_as_it_is():
    detector = Detector(load_manifest()["detector"])
    picture = load(Path("docs/sample-throw.jpg")).pixels
    found = detector.detect(picture)
    assert detector.with_large(picture, found) == found
    bare = np.full((200, 300, 3), (60, 110, 70), np.uint8)
    assert all(each.score < 0.2 for each in detector.with_large(bare, detector.detect(bare)))
