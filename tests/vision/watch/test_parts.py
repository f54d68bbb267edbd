"""The watcher's parts by themselves: what moves, how it came, several looks made one, which piece is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tests.vision.watch.table_film import Film, PlacedDie
from vision.candidate import Calibration, Candidate
from vision.classify.colour import Lab
from vision.classify.dice import Face
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.doubts import doubts_of
from vision.one_table import OneTable
from vision.photo import PhotoError, load, of_frame
from vision.reading import Die, Point, Quad, Tile
from vision.watch.consensus import Sample, joined, median
from vision.watch.counting import with_unreadable
from vision.watch.events import Change, Piece
from vision.watch.history import Arrival, Box, MotionHistory
from vision.watch.motion import (
    MotionGate,
    Recent,
    Thumbnail,
    blobs,
    camera_shift,
    changed_mask,
    difference,
    moved,
    shifted,
    small,
)
from vision.watch.piece_size import PieceSize
from vision.watch.sampler import stacked
from vision.watch.settings import DEFAULT_SETTINGS
from vision.watch.table_memory import TableMemory
from vision.watch.tracker import PieceTracker
from vision.watch.unread import unread

DIE = PlacedDie(5, 80, 60, 20)


def picture(*dice: PlacedDie, light: float = 1.0, seed: int = 1) -> np.ndarray:
    film = Film(seed)
    film.dice = list(dice)
    film.light(light).add()
    return small(film.frames[0])[0]


def thumbnail(number: int, time: float, picture: np.ndarray) -> Thumbnail:
    return Thumbnail(number, time, picture, np.zeros((*picture.shape, 2), np.float32))


# What moves


@pytest.mark.parametrize(("shape", "small_shape"), [((1080, 1920), (90, 160)), ((640, 360), (160, 90))])
def test_a_small_picture_is_small_and_of_any_tint(shape: tuple[int, int], small_shape: tuple[int, int]) -> None:
    grey, tint = small(np.full((*shape, 3), 77, np.uint8))
    assert (grey.shape, tint.shape) == (small_shape, (*small_shape, 2))
    assert np.allclose(grey, 77, atol=1)
    assert np.allclose(tint, 0, atol=1)
    _, red = small(np.full((*shape, 3), (200, 77, 77), np.uint8))
    assert red[..., 0].min() > 40


def test_a_hand_as_light_as_the_table_is_seen_by_its_tint() -> None:
    table = np.full((240, 320, 3), 120, np.uint8)
    hand = table.copy()
    hand[100:, 100:200] = (158, 108, 90)  # the same grey
    then, now = (Thumbnail.of(pixels, 0, 0.0) for pixels in (table, hand))
    assert not blobs(moved(difference(then.picture, now.picture)))
    (thing,) = blobs(changed_mask(then, now))
    assert thing.at_edge
    assert thing.area == pytest.approx(50 * 70, rel=0.1)


def test_a_warmer_lamp_changes_nothing() -> None:
    table = Film().rest(0.1).frames[0]
    warm = np.clip(table * np.array([1.1, 1.0, 0.85]), 0, 255).astype(np.uint8)
    assert not blobs(changed_mask(Thumbnail.of(table, 0, 0.0), Thumbnail.of(warm, 1, 0.1)))


@pytest.mark.parametrize("shift", [(0.3, -0.4), (1.2, 0.8), (-2.0, 1.5)])
def test_a_shift_of_the_camera_moves_nothing(shift: Point) -> None:
    then = picture(DIE)
    rest = difference(then, shifted(then, shift))[8:-8, 8:-8]
    assert np.abs(rest).mean() < 0.25 * np.abs(shifted(then, shift) - then)[8:-8, 8:-8].mean()
    assert not blobs(moved(rest))


@pytest.mark.parametrize("light", [0.5, 0.8, 1.4])
def test_a_change_of_light_moves_nothing(light: float) -> None:
    assert not blobs(moved(difference(picture(DIE), picture(DIE, light=light, seed=2))))


def test_a_lamp_in_one_corner_moves_nothing() -> None:
    then = picture(DIE)
    lamp = np.linspace(0.7, 1.3, then.shape[1], dtype=np.float32)
    assert np.abs(difference(then, then * lamp)).mean() > 10
    assert np.abs(difference(then, then * lamp, lamp=True)).mean() < 1
    assert not blobs(moved(difference(then, then * lamp, lamp=True)))


@pytest.mark.parametrize("light", [0.7, 1.0, 1.3])
def test_a_die_that_came_is_seen_whatever_the_light(light: float) -> None:
    (thing,) = blobs(moved(difference(picture(), picture(DIE, light=light, seed=2))))
    height, width = np.nonzero(thing.mask)
    assert (np.mean(width), np.mean(height)) == pytest.approx((40, 30), abs=2)
    assert not thing.at_edge


PIPS = {2: "00 22", 3: "00 11 22", 4: "00 02 20 22", 5: "00 02 11 20 22", 6: "00 01 02 20 21 22"}
"""Column and row of each."""


@pytest.mark.parametrize("value", PIPS)
def test_a_die_of_the_tables_colour_has_changed_it(value: int) -> None:
    """Of such a die only pips are seen, each smaller than anything that moves."""
    memory = TableMemory(DEFAULT_SETTINGS, PieceSize(0.08))
    table = np.full((120, 160), 200, np.float32)
    with_die = table.copy()
    for x, y in PIPS[value].split():
        left, top = 70 + 4 * int(x), 50 + 4 * int(y)
        with_die[top : top + 2, left : left + 3] = 60
    changed = changed_mask(thumbnail(0, 0.0, table), thumbnail(1, 1.0, with_die))
    assert memory.has_changed(changed) is (value > 2)
    assert not memory.moves(changed)


def test_specks_all_over_a_table_have_not_changed_it() -> None:
    memory = TableMemory(DEFAULT_SETTINGS, PieceSize(0.08))
    table = np.full((120, 160), 200, np.float32)
    specked = table.copy()
    for left, top in [(10, 10), (60, 20), (110, 15), (20, 70), (80, 60), (140, 100), (40, 110)]:
        specked[top : top + 2, left : left + 3] = 60
    changed = changed_mask(thumbnail(0, 0.0, table), thumbnail(1, 1.0, specked))
    assert np.count_nonzero(changed) > 30
    assert not memory.has_changed(changed)


def test_a_large_push_is_measured() -> None:
    then = picture(DIE, replace(DIE, x=200, y=150))
    now = shifted(then, (9, -5))
    kept = now.copy()
    assert camera_shift(then, now) == pytest.approx((9, -5), abs=0.5)
    assert (now == kept).all()


def test_the_eye_compares_with_what_was_before() -> None:
    gate, still = MotionGate(lag=0.1), picture()
    for i in range(5):
        assert not gate.see(thumbnail(i, i * 0.05, still)).mask.any()
    assert gate.see(thumbnail(5, 0.25, picture(DIE))).mask.any()
    assert gate.see(thumbnail(6, 0.30, picture(DIE))).mask.any()
    motion = gate.see(thumbnail(7, 0.35, picture(DIE)))
    assert not motion.mask.any()
    assert motion.before.frame == 5


def test_the_eye_remembers_an_hour_without_growing() -> None:
    recent, still = Recent(lag=0.1), np.zeros((9, 16), np.float32)
    for i in range(5000):
        recent.add(thumbnail(i, i * 0.1, still))
    history = recent.until(thumbnail(4999, 499.9, still))
    assert len(history) <= 400
    assert history[0].frame == 0
    assert history[-1].frame >= 4998


def test_another_size_is_another_picture() -> None:
    gate = MotionGate(lag=0.1)
    gate.see(thumbnail(0, 0.0, np.zeros((9, 16), np.float32)))
    assert not gate.see(thumbnail(1, 0.04, np.full((16, 9), 200, np.float32))).mask.any()


# How it came


def quad(die: PlacedDie, side: float = 26) -> Quad:
    x, y, half = die.x, die.y, side / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def history(film: Film) -> MotionHistory:
    thumbnails = [Thumbnail.of(frame.pixels, frame.number, frame.time) for frame in film]
    return MotionHistory(thumbnails[::2], thumbnails[-1], 0.5)


def test_a_die_that_rolls_comes_by_itself() -> None:
    film = Film().rest(0.3).throw(DIE).rest(0.3)
    assert history(film).arrival(quad(DIE)) == "rolled"


def test_a_die_that_is_put_down_comes_with_a_hand() -> None:
    film = Film().rest(0.3).put_down(DIE).rest(0.3)
    evidence = history(film)
    assert evidence.arrival(quad(DIE)) == "hand"
    assert evidence.touched(quad(DIE))
    assert not evidence.touched(quad(DIE.to(280, 30)))


def test_a_die_that_lay_there_did_not_come() -> None:
    film = Film()
    film.dice = [DIE]
    assert history(film.rest(0.3).reach((200, 160)).rest(0.3)).arrival(quad(DIE)) == "unmoved"


def test_a_lamp_brings_no_die() -> None:
    film = Film()
    film.dice = [DIE]
    assert history(film.rest(0.3).light(1.25, 0.2).rest(0.3)).arrival(quad(DIE)) == "unmoved"


def test_a_die_that_rolls_on_when_the_hand_has_gone_was_not_put_there() -> None:
    film = Film().rest(0.3)
    moving = [replace(DIE, x=DIE.x + left, turn=DIE.turn + 9 * left) for left in range(12, -1, -1)]
    for step, die in enumerate([moving[0]] * 8 + moving):
        film.add((die,), hand=(80, 60 + 25 * max(0, step - 6)) if step < 14 else None)
    film.dice = [DIE]
    evidence = history(film.rest(0.4))
    assert evidence.arrival(quad(DIE)) == "rolled"


def test_a_die_beside_which_something_from_the_edge_is_until_it_lies_there_was_put_down() -> None:
    """The hand is there before the die is; then a finger is all that is left of it, less than would be a hand by itself."""
    random = np.random.default_rng(5)
    ground = random.normal(100, 1, (120, 160)).astype(np.float32)
    hand, finger = np.s_[0:60, 87:140], np.s_[0:14, 70:86]

    def seen(*lit: tuple[slice, slice], with_die: bool = False) -> np.ndarray:
        picture = ground + random.normal(0, 0.5, ground.shape).astype(np.float32)
        if with_die:
            picture[6:20, 70:84] = 200
            picture[10:13, 74:77] = picture[14:17, 78:81] = 30
        for part in lit:
            picture[part] = 170
        return picture.astype(np.float32)

    shown = [seen(), seen(hand), seen(hand), *(seen(finger, with_die=True) for _ in range(2)), seen(with_die=True)]
    thumbnails = [thumbnail(n, n / 10, each) for n, each in enumerate(shown)]
    evidence = MotionHistory(thumbnails, thumbnail(6, 0.6, seen(with_die=True)), 1.0)
    assert evidence.arrival(((70, 6), (84, 6), (84, 20), (70, 20))) == "hand"


def test_a_lamp_shows_a_die_that_was_lost_in_its_glare() -> None:
    film = Film().rest(0.3).light(0.6)
    film.dice = [DIE]
    assert history(film.rest(0.3)).arrival(quad(DIE)) == "unmoved"
    assert history(Film().rest(0.3).light(0.6).rest(0.2).throw(DIE).rest(0.3)).arrival(quad(DIE)) == "rolled"


def test_what_lies_still_is_seen_and_a_bare_place_is_not() -> None:
    film = Film()
    film.dice = [DIE]
    evidence = history(film.rest(0.3).reach((80, 60)).rest(0.3))
    assert evidence.still(quad(DIE))
    assert evidence.as_first(quad(DIE))
    film.pick_up(0)
    assert not history(film.rest(0.3)).still(quad(DIE))


def test_a_hand_that_is_seen_in_shreds_takes_no_die() -> None:
    film, random = Film(), np.random.default_rng(7)
    film.dice = [DIE]
    film.rest(0.3).reach((80, 60))
    shreds = np.kron(random.random((30, 40, 1)) < 0.3, np.ones((8, 8, 1)))
    shreds[40:80, 60:100] = 1
    film.frames += [np.where(shreds, 255 - film.frames[-1], film.frames[-1]).astype(np.uint8)] * 8
    evidence = history(film.rest(0.3))
    assert not evidence.away(quad(DIE), quad(DIE))
    assert evidence.arrival(quad(DIE)) == "unmoved"


def test_a_die_that_was_pushed_was_never_away() -> None:
    film = Film()
    film.dice = [DIE]
    film.rest(0.3).push(0, (30, 0)).rest(0.3)
    evidence = history(film)
    assert evidence.touched(quad(DIE), quad(DIE.to(110, 60)))
    assert not evidence.away(quad(DIE), quad(DIE.to(110, 60)))


def test_a_die_that_was_picked_up_and_thrown_was_away() -> None:
    film = Film()
    film.dice = [DIE]
    film.rest(0.3).pick_up(0)
    film.rest(0.2).throw(DIE.to(120, 60)).rest(0.3)
    assert history(film).away(quad(DIE), quad(DIE.to(120, 60)))


def test_a_die_that_was_snatched_and_thrown_at_once_was_off_the_table() -> None:
    film = Film()
    film.dice = [DIE]
    film.rest(0.3).snatch(0, DIE.to(112, 66)).rest(0.3)
    evidence = history(film)
    assert not evidence.away(quad(DIE), quad(DIE.to(112, 66)))
    assert evidence.off_table(quad(DIE), quad(DIE.to(112, 66)))


@pytest.mark.parametrize("by", [(12, 0), (30, 0), (28, -10)])
def test_a_die_that_was_pushed_was_never_off_the_table(by: Point) -> None:
    film = Film()
    film.dice = [DIE]
    film.rest(0.3).push(0, by).rest(0.3)
    assert not history(film).off_table(quad(DIE), quad(DIE.to(DIE.x + by[0], DIE.y + by[1])))


def test_a_die_that_a_hand_passed_over_was_never_off_the_table() -> None:
    film = Film()
    film.dice = [DIE]
    evidence = history(film.rest(0.3).reach((80, 60)).rest(0.3))
    assert not evidence.off_table(quad(DIE), quad(DIE))


def test_a_die_thrown_to_where_it_had_lain_was_away() -> None:
    film = Film()
    film.dice = [DIE]
    film.rest(0.3).pick_up(0)
    evidence = history(film.rest(0.3).throw(DIE).rest(0.3))
    assert evidence.away(quad(DIE), quad(DIE))
    assert evidence.arrival(quad(DIE)) == "rolled"


def test_a_die_that_a_hand_passed_over_was_never_away() -> None:
    film = Film()
    film.dice = [DIE]
    evidence = history(film.rest(0.3).reach((80, 60)).rest(0.3))
    assert evidence.touched(quad(DIE))
    assert not evidence.away(quad(DIE), quad(DIE))


def test_what_is_held_before_the_whole_picture_moves_no_die() -> None:
    film = Film()
    film.dice = [DIE]
    film.rest(0.3).reach((80, 60))
    patches = np.random.default_rng(7).integers(0, 2, (30, 40, 3)) * 255
    hand = np.kron(patches, np.ones((8, 8, 1))).astype(np.uint8)
    film.frames += [hand] * 8
    assert history(film.rest(0.3)).arrival(quad(DIE)) == "unmoved"


def test_what_a_hand_hid_in_the_beginning_did_not_come() -> None:
    film = Film().rest(0.3).put_down(DIE).rest(0.3)
    frames = [Thumbnail.of(frame.pixels, frame.number, frame.time) for frame in film][::2]
    hidden = np.zeros(frames[-1].picture.shape, bool)
    assert MotionHistory(frames, frames[-1], 0.5, 0.0, hidden).arrival(quad(DIE)) == "hand"
    hidden[30:35, 40:45] = True
    assert MotionHistory(frames, frames[-1], 0.5, 0.0, hidden).arrival(quad(DIE)) == "unmoved"


# Unread pieces


@pytest.mark.parametrize(
    ("box", "explained", "places"),
    [
        ((20, 50, 34, 64), [], ["at the left"]),
        ((120, 90, 134, 104), [], ["at the bottom at the right"]),
        ((20, 30, 34, 44), [(21, 31, 33, 43)], []),  # a piece that was read
        ((20, 30, 34, 44), [(36, 31, 50, 43)], []),  # its shadow
        ((0, 30, 14, 44), [], []),  # something that reaches in
        ((20, 30, 22, 44), [], []),  # a line
        ((20, 30, 80, 100), [], []),  # far too large
    ],
)
def test_an_unread_arrival_is_a_doubt(box: Box, explained: list[Box], places: list[str]) -> None:
    changed = np.zeros((120, 160), bool)
    left, top, right, bottom = box
    changed[top:bottom, left:right] = True
    doubts = list(unread(changed, explained, side=14))
    assert [doubt.message for doubt in doubts] == [
        f"Something new {place} was not read; it was not counted." for place in places
    ]
    assert all(doubt.reason == "uncertain-piece" for doubt in doubts)


def test_a_global_change_raises_no_doubt() -> None:
    assert not list(unread(np.ones((120, 160), bool), [], side=14))


# Several looks made one


def candidate(values: tuple[float, ...], left: float = 10.0, score: float = 0.9, other: float = 0.02) -> Candidate:
    return Candidate(Detection(left, 10, left + 30, 40, score), Face(other, values), Calibration())


def looked(*candidates: Candidate) -> Sample:
    photo = of_frame(np.zeros((240, 320, 3), np.uint8), "frame")
    return Sample(thumbnail(0, 0.0, np.zeros((2, 2), np.float32)), photo, candidates)


def test_one_look_that_errs_is_outvoted() -> None:
    right, wrong = (0.9, 0.1, 0, 0, 0, 0), (0.1, 0.9, 0, 0, 0, 0)
    (merged,) = median([looked(candidate(right)), looked(candidate(wrong, 11)), looked(candidate(right, 12))])
    assert isinstance(merged.face, Face)
    assert merged.face.ranked[0] == (1, pytest.approx(0.9))
    assert merged.detection.left == 11


def test_a_die_that_most_looks_see_from_too_low_is_seen_from_too_low() -> None:
    """A film says "hold the camera higher" as a photo does."""
    above = candidate((1, 0, 0, 0, 0, 0))
    assert isinstance(above.face, Face)
    below = replace(above, face=replace(above.face, low=0.96))
    photo = of_frame(np.zeros((240, 320, 3), np.uint8), "frame")
    for looks, reasons in (((below, above, below), ["too-low"]), ((above, below, above), [])):
        merged = median([looked(each) for each in looks])
        assert [doubt.reason for doubt in doubts_of(photo, merged, [], [])] == reasons


def test_a_film_doubts_a_twelve_sided_die_as_a_photo_does() -> None:
    sure = candidate((0,) * 10 + (1, 0))
    assert isinstance(sure.face, Face)
    sure = replace(sure, face=replace(sure.face, kind="d12"))
    unsure = replace(sure, face=replace(sure.face, unsure=0.8))
    for looks, doubted in (((unsure, sure, unsure), True), ((sure, unsure, sure), False)):
        (merged,) = median([looked(each) for each in looks])
        assert merged.probability == pytest.approx(sure.probability)
        assert (merged.cautious_probability < 0.85) is doubted


def test_what_most_looks_do_not_know_is_no_piece() -> None:
    sure = candidate((1, 0, 0, 0, 0, 0))
    assert median([looked(sure), looked(), looked()]) == []
    (kept,) = median([looked(sure), looked(), looked(sure)])
    assert kept.detection.score == 0.9
    assert kept.is_piece


def test_two_dice_side_by_side_stay_two() -> None:
    one, two = candidate((1, 0, 0, 0, 0, 0)), candidate((0, 1, 0, 0, 0, 0), left=42)
    merged = median([looked(one, two), looked(two, one), looked(one, two)])
    assert sorted(c.face.ranked[0][0] for c in merged if isinstance(c.face, Face)) == [1, 2]


def test_a_blank_of_another_colour_than_the_tiles_is_no_tile_in_a_film_as_on_a_photo() -> None:
    def tile(left: int, first: int, second: int, ground: Lab) -> Candidate:
        ends = [tuple(0.99 if n == value else 0.01 / 12 for n in range(13)) for value in (first, second)]
        face = TileFace(0.01, 0.0, *ends)
        return Candidate(Detection(left, 10, left + 40, 90, 0.9, "tile"), face, Calibration(), ground=ground)

    white, teal = (225.0, 118.0, 112.0), (128.0, 108.0, 118.0)
    tiles = [tile(60 * n, *ends, white) for n, ends in enumerate(((1, 6), (2, 5), (0, 3)))]
    merged = median([looked(*tiles, tile(200, 0, 0, teal)), *[looked(*tiles, tile(201, 0, 0, teal))] * 2])
    assert [each.ground for each in merged] == [white, white, white, teal]
    assert [each.is_piece for each in OneTable(merged).kept] == [True, True, True, False]


def test_a_tile_is_the_same_whichever_way_round_a_look_has_it() -> None:
    corners: Quad = ((10, 10), (70, 10), (70, 40), (10, 40))
    one, blank = (0.0, 1.0), (1.0, 0.0)
    there = Candidate(
        Detection(10, 10, 70, 40, 0.9, "domino", corners), TileFace(0.01, 0.01, one, blank), Calibration()
    )
    a, b, c, d = corners
    back = Candidate(replace(there.detection, quad=(c, d, a, b)), TileFace(0.01, 0.01, blank, one), Calibration())
    (merged,) = median([looked(back), looked(back), looked(there)])
    assert isinstance(merged.face, TileFace)
    assert (merged.face.first, merged.face.second) == (one, blank)
    assert merged.detection.quad == corners


def test_of_two_readings_that_agree_the_surer_one_counts_and_nothing_is_lost() -> None:
    faint, plain = candidate((0, 0.6, 0.4, 0, 0, 0), score=0.3), candidate((0, 0.9, 0.1, 0, 0, 0), 11)
    ours, theirs = candidate((1, 0, 0, 0, 0, 0), 100), candidate((0, 0, 0, 0, 0, 1), 200)
    assert joined([faint, ours], [plain, theirs]) == [plain, ours, theirs]
    assert joined([plain], [faint]) == [plain]


def test_two_readings_that_differ_leave_a_doubt() -> None:
    (both,) = joined([candidate((0, 1, 0, 0, 0, 0))], [candidate((0, 0, 1, 0, 0, 0), 11)])
    assert isinstance(both.face, Face)
    assert both.face.values == pytest.approx((0, 0.5, 0.5, 0, 0, 0))


def test_the_mean_of_several_frames_has_less_noise() -> None:
    random = np.random.default_rng(4)
    scene = random.integers(60, 180, (48, 64, 3))
    frames = [np.clip(scene + random.normal(0, 16, scene.shape), 0, 255).round().astype(np.uint8) for _ in range(4)]
    mean = stacked([of_frame(frame, f"frame {i}") for i, frame in enumerate(frames)])
    assert (mean.name, mean.width, mean.height) == ("frame 3", 64, 48)
    assert np.std(mean.pixels - scene.astype(float)) == pytest.approx(8, rel=0.05)
    bright = [of_frame(np.full((48, 64, 3), value, np.uint8), "bright") for value in (255, 255, 254, 255)]
    assert np.unique(stacked(bright).pixels).tolist() == [255]


# Which piece is which


@dataclass
class MotionEvidence:
    """A past that is known."""

    came: Arrival = "rolled"
    hand: bool = False
    gone: bool = True
    lifted: bool = False
    together: bool = False
    apart: dict[float, Arrival] = field(default_factory=dict)

    def arrival(self, place: Quad) -> Arrival:
        return self.apart.get(place[0][0] + 15, self.came)

    def as_first(self, place: Quad) -> bool:
        return self.arrival(place) == "unmoved"

    def touched(self, *places: Quad) -> bool:
        return self.hand

    def away(self, old: Quad, new: Quad) -> bool:
        return self.gone and (self.lifted or abs(old[0][0] - new[0][0]) > 15)

    def off_table(self, old: Quad, new: Quad) -> bool:
        return self.lifted

    def landed_with(self, place: Quad, others: Sequence[Quad]) -> bool:
        return self.together and bool(others)


def die(value: int, x: float, y: float = 100, colour: str = "white") -> Die:
    ranked = ((value, 0.99),)
    return Die(value, 0.98, ranked, quad(PlacedDie(value, x, y), 30), colour)


def tile(ends: tuple[int, int], x: float) -> Tile:
    return Tile(ends, 0.98, ((ends, 0.99),), quad(PlacedDie(1, x, 100), 30))


ONE_SIXTH = (1 / 6,) * 6
PLAIN_SIX = (0.0, 0.0, 0.0, 0.0, 0.02, 0.98)


@pytest.mark.parametrize(
    ("find", "arrival", "counts"),
    [
        (candidate(ONE_SIXTH, 100, 0.5, 0.9), "rolled", True),  # its top is burnt out
        (candidate(ONE_SIXTH, 100, 0.5, 0.9), "hand", False),
        (candidate(ONE_SIXTH, 100, 0.5, 0.9), "unmoved", False),
        (candidate(ONE_SIXTH, 100, 0.2, 0.5), "rolled", False),  # the detector hardly sees it
        (candidate(ONE_SIXTH, 100, 0.4, 0.999), "rolled", False),  # light from a window
        (candidate(ONE_SIXTH, 35, 0.5, 0.9), "rolled", False),  # the shadow of the die beside it
    ],
)
def test_what_rolled_and_cannot_be_read_is_a_die(find: Candidate, arrival: Arrival, counts: bool) -> None:
    die = candidate(PLAIN_SIX)
    found = with_unreadable([die, find], MotionEvidence(arrival), usual=30)
    assert [each.is_piece for each in found] == [True, counts]
    assert [each.detection for each in found] == [die.detection, find.detection]


@pytest.mark.parametrize(("usual", "counts"), [(25, True), (38, True), (60, False), (18, False)])
def test_where_nothing_else_lies_an_unreadable_die_is_as_large_as_dice_were(usual: float, counts: bool) -> None:
    (found,) = with_unreadable([candidate(ONE_SIXTH, 100, 0.5, 0.9)], MotionEvidence(), usual)
    assert found.is_piece is counts


def counted(
    before: list[Die | Tile], after: list[Die | Tile], evidence: MotionEvidence, apparent_shift: Point = (0.0, 0.0)
) -> list[Piece]:
    tracker = PieceTracker()
    tracker.count(before, MotionEvidence(), (0.0, 0.0))
    return list(tracker.count(after, evidence, apparent_shift))


def short(pieces: list[Piece]) -> list[tuple[int, bool]]:
    return [(each.id, each.thrown) for each in pieces]


def test_the_first_dice_are_thrown() -> None:
    assert short(list(PieceTracker().count([die(1, 50), die(2, 150)], MotionEvidence("unmoved"), (0, 0)))) == [
        (1, True),
        (2, True),
    ]


@pytest.mark.parametrize(
    ("after", "evidence", "expected"),
    [
        ([die(1, 52), die(2, 150)], MotionEvidence("unmoved"), [(1, False), (2, False)]),  # nothing happened
        ([die(2, 148), die(1, 50)], MotionEvidence("unmoved"), [(2, False), (1, False)]),  # and in another order
        ([die(4, 300), die(3, 400)], MotionEvidence("rolled"), [(1, True), (2, True)]),  # both thrown
        ([die(1, 50), die(5, 300)], MotionEvidence("rolled"), [(1, False), (2, True)]),  # one thrown
        ([die(1, 50), die(2, 300)], MotionEvidence("rolled"), [(1, False), (2, True)]),  # which shows the same
        (
            [die(1, 50), die(2, 300)],
            MotionEvidence("hand", hand=True),
            [(1, False), (2, False)],
        ),  # a hand has set it aside
        (
            [die(1, 50), die(2, 190)],
            MotionEvidence("rolled", gone=False),
            [(1, False), (2, False)],
        ),  # it was hit, and slid
        (
            [die(1, 50), die(4, 190)],
            MotionEvidence("rolled", gone=False),
            [(1, False), (2, True)],
        ),  # it rolled by itself
        (
            [die(1, 50), die(4, 190)],
            MotionEvidence("rolled", hand=True, gone=False),
            [(1, False), (2, False)],
        ),  # pushed over
        (
            [die(1, 50), die(4, 151)],
            MotionEvidence("rolled", gone=True),
            [(1, False), (2, True)],
        ),  # thrown to where it had lain
        (
            [die(1, 50), die(2, 151)],
            MotionEvidence("rolled", lifted=True),
            [(1, True), (2, True)],
        ),  # and shows the same again
        (
            [die(1, 50), die(4, 190)],
            MotionEvidence("hand", hand=True, gone=False, lifted=True),
            [(1, False), (2, True)],
        ),  # snatched and thrown under the hand
        (
            [die(1, 50), die(2, 190)],
            MotionEvidence("hand", hand=True, gone=False, lifted=True),
            [(1, False), (2, False)],
        ),  # lifted and put down as it was
        (
            [die(1, 50), replace(die(4, 190), confidence=0.7)],
            MotionEvidence("hand", hand=True, gone=False, lifted=True),
            [(1, False), (2, False)],
        ),  # perhaps as it was
        ([die(1, 50), die(4, 300)], MotionEvidence("hand", hand=True, lifted=True), [(1, False), (2, True)]),  # and far
        ([die(1, 50), die(4, 151)], MotionEvidence("unmoved"), [(1, False), (2, False)]),  # read otherwise
        (
            [die(1, 50), die(2, 150), die(6, 300)],
            MotionEvidence("unmoved"),
            [(1, False), (2, False), (3, False)],
        ),  # overlooked
        (
            [die(1, 50), die(2, 150), die(6, 300)],
            MotionEvidence("rolled"),
            [(1, False), (2, False), (3, True)],
        ),  # one more
        (
            [die(4, 300), die(3, 400)],
            MotionEvidence("hand", hand=True, together=True),
            [(1, True), (2, True)],
        ),  # out of a hand, both at once
        (
            [die(2, 300), die(2, 400)],
            MotionEvidence("hand", hand=True, together=True),
            [(1, True), (2, True)],
        ),  # only one was a two
        (
            [die(4, 300), die(3, 400)],
            MotionEvidence("hand", hand=True),
            [(2, False), (1, False)],
        ),  # turned over, one by one
        (
            [die(1, 50), die(4, 190)],
            MotionEvidence("rolled", hand=True, gone=False, apart={150: "unmoved"}),
            [(1, False), (3, True)],
        ),  # a piece that stayed, though it was not read, was not pushed
        (
            [die(1, 50), replace(die(4, 300), confidence=0.6)],
            MotionEvidence("hand", hand=True),
            [(1, False), (2, False)],
        ),  # misread
        (
            [die(2, 300), die(4, 400)],
            MotionEvidence("rolled", apart={300: "hand"}),
            [(2, False), (1, True)],
        ),  # one put, one thrown
        (
            [die(2, 300), die(4, 400)],
            MotionEvidence("rolled", together=True, apart={300: "hand"}),
            [(1, True), (2, True)],
        ),  # below the hand
        (
            [die(1, 50), die(2, 150), replace(die(6, 300), confidence=0.45)],
            MotionEvidence("hand"),
            [(1, False), (2, False), (3, False)],
        ),  # hardly believed, under a hand
        (
            [die(1, 50), die(2, 150), replace(die(6, 300), confidence=0.45, alternatives=((6, 0.47), (9, 0.44)))],
            MotionEvidence("hand"),
            [(1, False), (2, False), (3, True)],
        ),  # surely a die there, whichever numeral it shows
    ],
)
def test_what_was_thrown(after: list[Die | Tile], evidence: MotionEvidence, expected: list[tuple[int, bool]]) -> None:
    assert short(counted([die(1, 50), die(2, 150)], after, evidence)) == expected


@pytest.mark.parametrize(
    ("after", "arrival", "thrown"),
    [
        ([die(4, 300), die(3, 400)], "unmoved", [True, True]),  # both are new
        ([die(2, 300), die(3, 400)], "unmoved", [True, True]),  # one is new; the other was thrown with it
        ([die(1, 50), die(3, 400)], "unmoved", [False, True]),  # one was set aside
        ([die(1, 50), die(2, 150), die(2, 300)], "unmoved", [False, False, True]),  # one more than there were
        ([die(4, 300)], "unknown", [True]),  # a hand lies over where it came from
        ([die(1, 300), die(2, 400)], "unmoved", [False, False]),  # another camera sees the same dice
        ([die(1, 50), die(3, 152)], "unmoved", [False, False]),  # one was turned over, or misread
        ([die(4, 50), die(3, 152)], "unmoved", [True, True]),  # two were not
        ([die(1, 50), replace(die(3, 400), confidence=0.6)], "unmoved", [False, False]),  # nobody knows what it shows
    ],
)
def test_what_was_thrown_while_nobody_watched(after: list[Die | Tile], arrival: Arrival, thrown: list[bool]) -> None:
    tracker = PieceTracker([Piece(each, die(each, 100 * each - 50), True) for each in (1, 2)])
    counted = tracker.count(after, MotionEvidence(arrival), (0.0, 0.0))
    assert [each.thrown for each in counted] == thrown
    assert tracker.unseen == any(thrown)
    assert not any(each.thrown for each in tracker.count(after, MotionEvidence("unmoved"), (0.0, 0.0)))
    assert not tracker.unseen


def test_a_die_put_back_is_the_one_that_was_away() -> None:
    tracker, hand = PieceTracker(), MotionEvidence("hand", hand=True)
    tracker.count([die(1, 50), die(2, 150), die(3, 250)], MotionEvidence(), (0, 0))
    tracker.count([die(2, 150)], hand, (0, 0))
    assert short(list(tracker.count([die(3, 60), die(2, 150)], hand, (0, 0)))) == [(3, False), (2, False)]


@pytest.mark.parametrize(
    ("back", "arrivals", "thrown"),
    [
        ([die(1, 50), die(2, 150), die(3, 250)], ("hand", "hand", "hand"), False),  # a hand lay over them
        ([die(1, 52), die(6, 150), die(3, 248)], ("hand", "hand", "hand"), False),  # and one is read otherwise
        ([die(1, 50), die(2, 150), die(3, 250)], ("unmoved", "rolled", "unmoved"), False),  # or seemed to come alone
        ([die(1, 50), die(2, 150), die(3, 250)], ("rolled", "rolled", "hand"), True),  # several did: a throw
        ([die(1, 50), die(6, 150), die(5, 250)], ("hand", "hand", "hand"), True),  # two are not what they were
        ([die(1, 50), die(6, 150), die(3, 350)], ("hand", "hand", "hand"), True),  # one lies elsewhere
    ],
)
def test_dice_that_are_back_where_they_lay_were_covered(
    back: list[Die | Tile], arrivals: tuple[Arrival, Arrival, Arrival], thrown: bool
) -> None:
    tracker, hand = PieceTracker(), MotionEvidence("hand", hand=True)
    tracker.count([die(1, 50), die(2, 150), die(3, 250), die(4, 500)], MotionEvidence(), (0, 0))
    tracker.count([die(4, 500)], hand, (0, 0))
    places = [each.box[0][0] + 15 for each in back]
    evidence = MotionEvidence("unmoved", lifted=True, together=True, apart=dict(zip(places, arrivals, strict=True)))
    counted = tracker.count([*back, die(4, 500)], evidence, (0, 0))
    assert any(each.thrown for each in counted) is thrown
    if not thrown:
        assert [each.id for each in counted] == [1, 2, 3, 4]


def test_one_die_back_where_it_lay_may_have_been_thrown() -> None:
    tracker, hand = PieceTracker(), MotionEvidence("hand", hand=True)
    tracker.count([die(1, 50), die(2, 150)], MotionEvidence(), (0, 0))
    tracker.count([die(1, 50)], hand, (0, 0))
    assert short(
        list(tracker.count([die(1, 50), die(5, 150)], MotionEvidence("rolled", apart={50: "unmoved"}), (0, 0)))
    ) == [
        (1, False),
        (2, True),
    ]


def test_dice_that_left_long_ago_were_not_covered() -> None:
    tracker, hand = PieceTracker(), MotionEvidence("hand", hand=True)
    tracker.count([die(1, 50), die(2, 150)], MotionEvidence(), (0, 0))
    for value in (3, 4, 5):
        tracker.count([die(value, 100 + 100 * value)], MotionEvidence("rolled", lifted=True), (0, 0))
    tracker.count([], hand, (0, 0))
    counted = tracker.count([die(1, 50), die(2, 150)], MotionEvidence("rolled", lifted=True), (0, 0))
    assert [each.thrown for each in counted] == [True, True]


def test_thrown_dice_keep_their_colour() -> None:
    before: list[Die | Tile] = [die(1, 50, colour="red"), die(2, 150, colour="white")]
    after: list[Die | Tile] = [die(3, 300, colour="white"), die(4, 400, colour="red")]
    assert short(counted(before, after, MotionEvidence("rolled"))) == [(2, True), (1, True)]


@pytest.mark.parametrize("apparent_shift", [(0.0, 0.0), (80.0, 60.0)])
def test_a_camera_that_was_pushed_throws_nothing(apparent_shift: Point) -> None:
    before: list[Die | Tile] = [die(1, 50), die(2, 150), die(2, 250)]
    after: list[Die | Tile] = [die(1, 130, 160), die(2, 230, 160), die(2, 330, 160)]
    assert short(counted(before, after, MotionEvidence("rolled"), apparent_shift)) == [
        (1, False),
        (2, False),
        (3, False),
    ]


def test_what_a_hand_does_to_a_picture_is_no_push_of_the_camera() -> None:
    def table(seed: int, hand: Point | None = None, bump: Point = (0, 0)) -> Thumbnail:
        film = Film(seed)
        film.dice = [DIE, replace(DIE, x=200, y=150)]
        film.bump(*bump).add(hand=hand)
        return Thumbnail.of(film.frames[-1], 0, 0.0)

    memory = TableMemory(DEFAULT_SETTINGS, PieceSize(0.05))
    memory.count(table(1, hand=(160, 120)), None)
    assert memory.camera_shift(table(2, hand=(220, 60))) == (0, 0)
    memory.count(table(1), None)
    assert memory.camera_shift(table(2, bump=(24, -16))) == pytest.approx((12, -8), abs=0.5)


def test_a_die_that_shows_what_another_did_is_that_one_where_the_other_is_hard_to_read() -> None:
    """A hand has set both aside; one lies in the glare now, and is taken for the other."""
    before: list[Die | Tile] = [die(2, 50), die(6, 150)]
    glare, plain = replace(die(2, 60), confidence=0.6), die(2, 300)
    evidence = MotionEvidence("hand", hand=True, lifted=True)
    assert short(counted(before, [glare, plain], evidence)) == [(1, False), (2, False)]
    assert short(counted(before, [die(2, 60), plain], evidence)) == [(1, False), (2, True)]


def test_what_lay_there_and_was_no_piece_is_none_now() -> None:
    tracker, doubtful = PieceTracker(), replace(die(6, 300), confidence=0.45)
    tracker.count([die(1, 50)], MotionEvidence(), (0, 0))
    assert tracker.lookalikes([die(1, 50), doubtful], MotionEvidence("unmoved")) == [1]
    assert tracker.lookalikes([die(1, 50), doubtful], MotionEvidence("rolled")) == []
    assert tracker.lookalikes([die(1, 50), die(6, 300)], MotionEvidence("unmoved")) == []
    assert PieceTracker().lookalikes([die(1, 50), doubtful], MotionEvidence("unmoved")) == [1]
    assert PieceTracker().lookalikes([replace(die(1, 50), confidence=0.8), doubtful], MotionEvidence("unmoved")) == [
        0,
        1,
    ]
    unclear = replace(doubtful, alternatives=((6, 0.47), (9, 0.44)))  # surely a die, whichever numeral it shows
    assert PieceTracker().lookalikes([die(1, 50), unclear], MotionEvidence("unmoved")) == []


def test_a_die_on_the_same_spot_that_is_hard_to_read_was_not_thrown() -> None:
    after: list[Die | Tile] = [replace(die(4, 50), confidence=0.4)]
    assert short(counted([die(1, 50)], after, MotionEvidence("rolled"))) == [(1, False)]


def test_tiles_are_laid_and_not_thrown() -> None:
    before: list[Die | Tile] = [tile((1, 2), 50)]
    assert short(counted(before, [tile((2, 1), 52), tile((3, 4), 200)], MotionEvidence("rolled"))) == [
        (1, False),
        (2, False),
    ]


# Frames and lines


def test_a_frame_as_a_photo() -> None:
    pixels = load("docs/sample-throw.jpg").pixels[::4, ::4]
    photo = of_frame(pixels, "frame 7")
    assert (photo.name, photo.width, photo.height, photo.scale) == ("frame 7", 400, 300, 1)
    assert photo.full() is photo.pixels
    assert photo.sha256 == of_frame(pixels.copy(), "again").sha256 != of_frame(pixels[1:], "other").sha256
    with pytest.raises(PhotoError):
        of_frame(pixels[:8], "strip")


def test_a_change_as_a_line() -> None:
    change = Change("settled", 12, 0.4)
    assert change.to_json() == {"type": "state", "state": "settled", "frame": 12, "time": 0.4}
    assert Change.from_json(change.to_json()) == change
