"""Tiles that are looked at again, from nearer and at another size."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scorer.engine.expected import pieces
from tests.vision.test_reader import encoded
from vision import closer
from vision.candidate import Calibration, Candidate
from vision.classify.dice import Face
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.photo import Photo, load
from vision.reader import TableReader

HAND = Path("docs/sample-hand.jpg")
FACE = Face(0.01, (0.98, *[0.004] * 5))
ENDS = [[0, 0], [0, 6], [1, 4], [2, 5]]
TABLE = np.full((480, 640, 3), 60, np.uint8)
TABLE[:, ::8] = 200


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


@pytest.fixture(scope="module")
def far() -> Photo:
    """The sample hand from farther away."""
    with Image.open(HAND) as image:
        table = Image.new("RGB", (3 * image.width, 3 * image.height), (96, 74, 52))
        table.paste(image, (image.width, image.height))
        return encoded(table)


def _ends(reading) -> list[list[int]]:
    return sorted(sorted(tile.ends) for tile in reading.tiles)


def test_a_tile_that_is_hardly_seen_is_sure_from_nearer(reader: TableReader, far: Photo, monkeypatch) -> None:
    seen = reader._detector.detect(far.pixels)
    faint = [replace(each, score=0.3 * each.score) for each in seen]
    monkeypatch.setattr(reader._detector, "detect", lambda _, **__: faint)
    read = reader.read(far)
    assert _ends(read) == ENDS
    without = reader.reading(far, reader._classify(far, faint))
    assert [tile.confidence for tile in without.tiles] < [tile.confidence for tile in read.tiles]
    assert len(read.doubts) < len(without.doubts)


def test_a_tile_that_two_looks_missed_is_found_at_another_size(reader: TableReader, far: Photo, monkeypatch) -> None:
    seen = reader._detector.detect(far.pixels)
    hidden = max(seen, key=lambda each: each.score)
    others = [
        each for each in seen if abs(each.middle[0] - hidden.middle[0]) + abs(each.middle[1] - hidden.middle[1]) > 20
    ]
    monkeypatch.setattr(reader._detector, "detect", lambda _, **__: others)
    assert len(reader.reading(far, reader._classify(far, others)).tiles) == 3
    assert _ends(reader.read(far)) == ENDS


def test_dice_and_a_game_of_dice_are_not_looked_at_again(reader: TableReader, monkeypatch) -> None:
    def never(*_: object) -> list[Detection]:
        raise AssertionError("a tile was looked for")

    monkeypatch.setattr(reader._detector, "look_again", never)
    throw = load(Path("docs/sample-throw.jpg"))
    assert reader.read(throw).dice
    assert reader.read(load(HAND), pieces("d6")).tiles == ()
    seen = reader._detector.detect(throw.pixels)
    maybe = tile(0.5, 1, 1).detection
    assert closer.doubtful(reader._classify(throw, [*seen, maybe])), "a tile that would be looked at among tiles"
    monkeypatch.setattr(reader._detector, "detect", lambda *_, **__: [*seen, maybe])
    assert reader.read(throw).dice


def test_a_bare_table_stays_bare(reader: TableReader) -> None:
    bare = encoded(Image.fromarray(np.full((480, 640, 3), (60, 110, 70), np.uint8)))
    assert (reader.read(bare).dice, reader.read(bare).tiles) == ((), ())


def test_where_nothing_was_found_the_middle_is_looked_at_by_itself(reader: TableReader, monkeypatch) -> None:
    throw = load(Path("docs/sample-throw.jpg"))
    table = Image.new("RGB", (1500, 1100), (96, 74, 52))
    table.paste(Image.fromarray(throw.pixels).resize((640, 480)), (430, 310))
    photo = encoded(table)
    monkeypatch.setattr(reader._detector, "detect", lambda *_, **__: [])
    monkeypatch.setattr(reader._detector, "with_large", lambda *_, **__: [])
    assert sorted(reader.read(photo).values) == sorted(reader.read(throw).values) != []


def test_a_die_that_was_missed_is_found_once_the_contrast_is_evened(reader: TableReader, monkeypatch) -> None:
    throw = load(Path("docs/sample-throw.jpg"))
    hidden, doubtful, *rest = reader._detector.detect(throw.pixels)
    monkeypatch.setattr(reader._detector, "detect", lambda *_, **__: [replace(doubtful, score=0.6), *rest])
    with monkeypatch.context() as as_before:
        as_before.setattr(reader._detector, "look_for_faint", lambda _: [])
        missing = reader.read(throw)
    read = reader.read(throw)
    away = [np.hypot(*np.subtract(np.mean(each.box, axis=0), hidden.middle)) for each in read.dice]
    (die,) = [each for each, far in zip(read.dice, away, strict=True) if far < hidden.width / 4]
    assert sorted([*missing.values, die.value]) == sorted(read.values)


def test_a_die_in_what_passes_for_a_large_one_is_found(reader: TableReader, monkeypatch) -> None:
    throw = load(Path("docs/sample-throw.jpg"))
    table = Image.new("RGB", (4000, 2000), (96, 74, 52))
    table.paste(Image.fromarray(throw.pixels).resize((400, 300)), (80, 80))
    photo = encoded(table)
    values = sorted(reader.read(throw).values)
    monkeypatch.setattr(reader._detector, "look_for_small", lambda _: [])
    monkeypatch.setattr(reader._detector, "look_for_faint", lambda _: [])
    for score, shown in ((0.5, values), (0.1, [])):
        cup = Detection(0.0, 0.0, 820.0, 460.0, score)
        monkeypatch.setattr(reader._detector, "with_large", lambda *_, cup=cup, **__: [cup])
        assert sorted(reader.read(photo).values) == shown


def test_a_large_die_alone_is_looked_at_again_unless_it_is_read_beyond_doubt(reader: TableReader, monkeypatch) -> None:
    throw = load(Path("docs/sample-throw.jpg"))
    best = max(reader._detector.detect(throw.pixels), key=lambda each: each.score)
    near = tuple(map(round, (best.left - 20, best.top - 20, best.right + 20, best.bottom + 20)))
    die = encoded(Image.fromarray(throw.pixels).crop(near))
    cup = encoded(Image.new("RGB", (near[2] - near[0], near[3] - near[1]), (96, 74, 52)))
    box = best.mapped(1, 1, -near[0], -near[1])
    looks = list[bool]()

    def detect(_: object, *, lone: bool = False, **__: object) -> list[Detection]:
        looks.append(lone)
        return [box]

    monkeypatch.setattr(reader._detector, "detect", detect)
    assert len(reader.read(die).dice) == 1
    assert looks == [True]
    assert reader.read(cup).dice == ()
    assert looks == [True, True, False]


def test_a_large_die_that_is_read_beyond_doubt_is_not_looked_at_for_faint_ones() -> None:
    picture, large = np.zeros((200, 300, 3), np.uint8), Detection(50.0, 20.0, 200.0, 170.0, 0.9)
    die, cup = (Candidate(large, face, Calibration()) for face in (FACE, replace(FACE, other=0.99)))
    other = Candidate(Detection(210.0, 20.0, 280.0, 90.0, 0.3), FACE, Calibration())
    assert closer.is_settled([die], picture)
    assert not closer.look_for_faint([die], picture)
    for seen in ([cup], [die, other], []):
        assert not closer.is_settled(seen, picture)
        assert closer.look_for_faint(seen, picture)


def test_small_dice_that_two_looks_missed_are_found_in_a_larger_picture(reader: TableReader, monkeypatch) -> None:
    throw = load(Path("docs/sample-throw.jpg"))
    table = Image.new("RGB", (2400, 1800), (96, 74, 52))
    table.paste(Image.fromarray(throw.pixels).resize((600, 450)), (900, 700))
    photo = encoded(table)
    plain, *_ = reader._detector.detect(photo.pixels)
    assert plain.long_side < 0.05 * max(photo.pixels.shape)
    monkeypatch.setattr(reader._detector, "detect", lambda *_, **__: [replace(plain, score=0.9)])
    with monkeypatch.context() as as_before:
        as_before.setattr(reader._detector, "look_for_small", lambda _: [])
        assert len(reader.read(photo).values) == 1
    read = reader.read(photo)
    assert sorted(read.values) == sorted(reader.read(throw).values)
    assert not read.sure, "others may be missed still"


def test_small_dice_are_looked_for_where_those_that_count_are_small_or_none_does(reader: TableReader) -> None:
    picture = np.zeros((1000, 2000, 3), np.uint8)
    small = Candidate(Detection(300.0, 300.0, 380.0, 380.0, 0.9), FACE, Calibration())
    large = replace(small, detection=replace(small.detection, right=420.0))
    unlikely = replace(large, face=replace(FACE, other=0.99))
    assert closer.look_for_small([], picture)
    assert closer.look_for_small([unlikely], picture)
    assert closer.look_for_small([small, unlikely], picture)
    assert closer.look_for_small([small, small, large], picture)
    assert not closer.look_for_small([small, large, large], picture)
    assert not closer.look_for_small([small, tile(0.95, 3, 5)], picture)


def test_small_dice_were_missed_where_none_is_counted() -> None:
    picture = np.zeros((1000, 2000, 3), np.uint8)
    found, counted = Detection(100.0, 100.0, 180.0, 180.0, 0.8), Detection(300.0, 300.0, 380.0, 380.0, 0.9)
    one, none = (
        [Candidate(each, face, Calibration())] for each, face in ((counted, FACE), (found, replace(FACE, other=0.99)))
    )
    assert closer.missed_small([found], one, picture) == [found]
    assert closer.missed_small([found], none, picture) == [found], "that one is not counted"
    assert closer.missed_small([replace(counted, left=310.0)], one, picture) == []
    assert closer.missed_small([replace(found, shape="tile")], [], picture) == []
    assert closer.missed_small([replace(found, right=301.0)], [], picture) == [], "it is not small"
    assert closer.missed_small([replace(found, right=139.0, bottom=139.0)], one, picture) == [], "it is far smaller"


def test_what_is_plain_and_what_lies_among_tiles_is_not_looked_at_for_faint_dice(reader: TableReader) -> None:
    throw, hand = load(Path("docs/sample-throw.jpg")), load(HAND)
    dice = reader._classify(throw, [replace(each, score=0.9) for each in reader._detector.detect(throw.pixels)])
    unsure = [replace(dice[0], detection=replace(dice[0].detection, score=0.6)), *dice[1:]]
    tiles = reader._classify(hand, reader._detector.detect(hand.pixels))
    assert not closer.look_for_faint(dice, throw.pixels)
    assert closer.look_for_faint(unsure, throw.pixels)
    assert closer.look_for_faint([], throw.pixels)
    assert not closer.look_for_faint(tiles, hand.pixels)


def test_no_faint_dice_are_looked_for_where_dominoes_are_played(reader: TableReader, monkeypatch) -> None:
    def never(_: object) -> list[Detection]:
        raise AssertionError("dice were looked for")

    bare = encoded(Image.fromarray(np.full((480, 640, 3), (60, 110, 70), np.uint8)))
    monkeypatch.setattr(reader._detector, "look_for_faint", never)
    assert reader.read(bare, pieces("domino")).tiles == ()
    with pytest.raises(AssertionError, match="dice were looked for"):
        reader.read(bare)


def test_dice_were_missed_where_none_was_seen_and_no_plain_tile() -> None:
    die = Detection(105.0, 100.0, 135.0, 140.0, 0.5)
    assert closer.missed_dice([die], []) == [die]
    assert closer.missed_dice([die], [tile(0.1, 1, 2)]) == [die]
    assert closer.missed_dice([die], [tile(0.4, 1, 2)]) == []
    assert closer.missed_dice([die], [Candidate(replace(die, score=0.06), FACE, Calibration())]) == []
    assert closer.missed_dice([replace(die, shape="tile")], []) == []
    far = Candidate(Detection(300.0, 300.0, 325.0, 330.0, 0.9), FACE, Calibration())
    large = replace(die, left=20.0, bottom=220.0)
    assert closer.missed_dice([die, large], [far]) == [die], "a mouse is no die"
    assert closer.missed_dice([large], []) == [large]


def test_beside_dice_any_plain_one_counts_and_alone_one_beyond_question() -> None:
    sure = Candidate(Detection(300.0, 300.0, 340.0, 340.0, 0.9), FACE, Calibration())
    likely = Candidate(Detection(100.0, 100.0, 140.0, 140.0, 0.9), replace(FACE, other=0.7), Calibration())
    hardly = replace(likely, face=replace(FACE, other=0.98))
    assert closer.plainly_dice([likely, hardly], [sure], TABLE) == [replace(likely, found_late=True)]
    assert closer.plainly_dice([likely, hardly], [hardly], TABLE) == []
    assert closer.plainly_dice([likely, sure], [], TABLE) == [replace(each, found_late=True) for each in (likely, sure)]
    fleck = replace(sure, detection=replace(sure.detection, bottom=320.0))
    assert closer.plainly_dice([fleck], [sure], TABLE) == [replace(fleck, found_late=True)]
    assert closer.plainly_dice([fleck], [], TABLE) == []
    assert closer.beyond_question((0, 0, 640, 480), [fleck], TABLE) == []
    assert closer.beyond_question((0, 0, 640, 480), [sure], TABLE) == [replace(sure, found_late=True)]


def test_a_speck_on_even_ground_is_no_die_if_nothing_else_counts() -> None:
    sure = Candidate(Detection(300.0, 300.0, 340.0, 340.0, 0.9), FACE, Calibration())
    dust = np.full((480, 640, 3), 8, np.uint8)
    dust[318:321, 319:322] = 230
    assert closer.plainly_dice([sure], [], dust) == closer.beyond_question((0, 0, 640, 480), [sure], dust) == []
    assert closer.plainly_dice([sure], [sure], dust) == [replace(sure, found_late=True)]
    body = dust.copy()
    body[302:338, 302:338] += 22
    assert closer.plainly_dice([sure], [], body) == [replace(sure, found_late=True)]


def test_half_a_piece_at_the_edge_of_the_middle_counts_for_nothing() -> None:
    sure, unsure, cut = tile(0.95, 3, 5), tile(0.2, 1, 1, sure=0.6, left=300), tile(0.95, 6, 6, left=500)
    part = (50, 50, 580, 400)
    assert closer.beyond_question(part, [sure, unsure, cut], TABLE) == [
        replace(each, found_late=True) for each in (sure, unsure)
    ]
    assert closer.beyond_question(part, [unsure, cut], TABLE) == []


def test_the_middle_is_as_wide_of_its_picture_as_it_is_high() -> None:
    picture = np.zeros((400, 800, 3), np.uint8)
    whole = [(100, 50, 700, 350), (160, 80, 640, 320)]
    assert list(closer.middles(picture, [])) == whole
    cup = Candidate(Detection(100.0, 100.0, 300.0, 300.0, 0.5), FACE, Calibration())
    small, unlikely = Detection(400.0, 100.0, 500.0, 200.0, 0.9), replace(cup.detection, score=0.1)
    others = [replace(cup, detection=each) for each in (small, unlikely)]
    assert list(closer.middles(picture, [*others, cup, tile(0.9, 1, 2)])) == [
        (125, 125, 275, 275),
        (140, 140, 260, 260),
        *whole,
    ]
    assert len(list(closer.middles(picture, [cup, cup, cup]))) == 6, "two that a die may lie in, and the picture"


def tile(score: float, first: int, second: int, sure: float = 0.99, left: float = 100.0) -> Candidate:
    quad = ((left, 100.0), (left + 80, 100.0), (left + 80, 140.0), (left, 140.0))
    ends = [tuple(sure if n == end else (1 - sure) / 12 for n in range(13)) for end in (first, second)]
    found = Detection(left, 100.0, left + 80, 140.0, score, "tile", quad)
    return Candidate(found, TileFace(0.01, 0.01, *ends), Calibration())


def test_what_is_plain_from_nearer_counts_with_a_score_between_both() -> None:
    there, other = tile(0.2, 3, 5), tile(0.7, 1, 1, left=300)
    (kept, nearer) = closer.confirmed([there, other], there, [tile(0.9, 5, 3)])
    assert kept is other
    assert 0.2 < nearer.detection.score < 0.9


def test_a_missed_tile_counts_though_it_is_no_plainer_from_nearer() -> None:
    other, missed = tile(0.7, 1, 1, left=300), tile(0.9, 3, 5)
    (kept, found) = closer.confirmed([other], missed, [tile(0.88, 3, 5)])
    assert kept is other
    assert 0.88 < found.detection.score < 0.9
    assert closer.confirmed([other, missed], missed, [tile(0.88, 3, 5)]) == [other, missed], (
        "what is counted loses nothing"
    )


def test_a_missed_tile_counts_if_it_is_plain_by_both_looks_together() -> None:
    missed, nearer = tile(0.9, 3, 5), tile(0.1, 3, 5)
    assert nearer.confidence < 0.8
    (found,) = closer.confirmed([], missed, [nearer])
    assert found.confidence > 0.8
    assert closer.confirmed([missed], missed, [nearer]) == [missed]
    assert closer.confirmed([], tile(0.1, 3, 5), [nearer]) == []


@pytest.mark.parametrize("nearer", [[], [tile(0.05, 3, 5)], [tile(0.9, 3, 6, sure=0.93)], [tile(0.9, 3, 5, left=300)]])
def test_what_is_not_plain_from_nearer_stays_as_it_was(nearer: list[Candidate]) -> None:
    there = tile(0.2, 3, 5)
    assert closer.confirmed([there], there, nearer) == [there]


def test_only_tiles_in_doubt_are_looked_at_and_never_too_many() -> None:
    doubted = [tile(0.2, 3, 5, left=200.0 * i) for i in range(20)]
    assert len(closer.doubtful([*doubted, tile(0.95, 1, 2)])) == 10
    assert closer.doubtful([tile(0.95, 1, 2)]) == []


def test_of_what_was_missed_only_the_likely_is_looked_at_and_only_the_best_is_read() -> None:
    unlikely, likely = tile(0.06, 3, 5, sure=0.5), tile(0.2, 3, 5, left=300)
    assert unlikely.confidence < 0.1 < likely.confidence
    assert closer.doubtful([unlikely]) == [unlikely], "what two looks saw is looked at sooner"
    assert closer.likely([unlikely, likely]) == [likely]
    found = [tile(0.01 * n, 3, 5).detection for n in range(80)]
    assert closer.best(found) == found[:19:-1]


def test_a_tile_that_fills_the_picture_is_not_looked_at_from_nearer() -> None:
    assert closer.part_around(np.zeros((200, 240, 3), np.uint8), tile(0.5, 1, 2).detection) is None
    part = closer.part_around(np.zeros((800, 900, 3), np.uint8), tile(0.5, 1, 2).detection)
    assert part == (20, 0, 260, 240)


def test_dice_are_alone_where_no_tile_is_counted() -> None:
    die = Candidate(tile(0.9, 1, 1).detection, FACE, Calibration())
    counted, rejected = tile(0.9, 3, 5), tile(0.06, 3, 5, sure=0.3)
    assert closer.dice_alone([die, rejected])
    assert not closer.dice_alone([die, counted])
    assert not closer.dice_alone([rejected])
