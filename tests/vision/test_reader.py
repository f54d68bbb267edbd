"""The real networks on the rendered sample throw: 2 6 / 5 1 / 1 3."""

import io
import math
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datasets.generate.drawn.dice import D12, draw_class
from models import Manifest, ModelError, load_manifest
from scorer.engine.expected import pieces
from vision.candidate import Candidate
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.photo import Photo, load
from vision.reader import TableReader
from vision.reading import Reading
from vision.taught.profile import Profile

SAMPLE = Path(__file__).parents[2] / "docs" / "sample-throw.jpg"
TRUTH = [1, 1, 2, 3, 5, 6]


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def encoded(image: Image.Image, kind: str = "PNG") -> Photo:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return load(buffer.getvalue(), name="made")


def test_the_sample_throw(reader: TableReader):
    reading = reader.read(load(SAMPLE))
    assert sorted(reading.values) == TRUTH
    assert reading.sure
    assert (reading.photo, reading.width, reading.height) == ("sample-throw.jpg", 1600, 1200)
    names = ("d12", "detector", "dice", "ends", "marks", "numerals", "outlines", "pairs", "second", "witness")
    assert set(reading.models) == set(names)
    assert Reading.from_json(reading.to_json()).values == reading.values


def test_dice_come_in_reading_order(reader: TableReader):
    first, second, *_ = reader.read(load(SAMPLE)).values
    assert (first, second) == (2, 6)


@pytest.mark.parametrize(
    "turn", [Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.FLIP_LEFT_RIGHT]
)
def test_values_do_not_depend_on_how_the_phone_was_held(reader: TableReader, turn: Image.Transpose):
    with Image.open(SAMPLE) as image:
        assert sorted(reader.read(encoded(image.transpose(turn))).values) == TRUTH


@pytest.mark.parametrize("mode", ["L", "RGBA"])
def test_values_do_not_depend_on_how_pixels_are_stored(reader: TableReader, mode: str):
    with Image.open(SAMPLE) as image:
        assert sorted(reader.read(encoded(image.convert(mode))).values) == TRUTH


def test_boxes_are_in_pixels_of_the_full_photo(reader: TableReader):
    with Image.open(SAMPLE) as image:
        large = encoded(image.resize((4000, 3000)), "JPEG")
    assert large.scale == 2
    small, big = reader.read(load(SAMPLE)), reader.read(large)
    assert sorted(big.values) == TRUTH
    for a, b in zip(small.dice, big.dice, strict=True):
        assert np.allclose(np.array(a.box) * 2.5, b.box, atol=40)


def test_small_dice_in_a_large_photo_keep_their_pixels(reader: TableReader):
    table = Image.new("RGB", (4000, 3000), (122, 72, 42))
    with Image.open(SAMPLE) as image:
        table.paste(image.resize((560, 420), Image.Resampling.LANCZOS), (1700, 1300))
    reading = reader.read(encoded(table, "JPEG"))
    assert sorted(reading.values) == TRUTH


def test_a_bare_table_holds_no_dice(reader: TableReader):
    reading = reader.read(encoded(Image.new("RGB", (640, 480), (40, 110, 60))))
    assert reading.dice == ()
    assert [doubt.reason for doubt in reading.doubts] == ["no-pieces"]


def test_a_die_cut_by_the_edge_is_doubted(reader: TableReader):
    with Image.open(SAMPLE) as image:
        reading = reader.read(encoded(image.crop((0, 0, 1040, 1200))))
    assert "cut-off" in [doubt.reason for doubt in reading.doubts]
    assert len(reading.dice) == len(TRUTH) - 1


def test_one_reader_serves_several_threads(reader: TableReader):
    photo = load(SAMPLE)
    with ThreadPoolExecutor(4) as pool:
        readings = list(pool.map(reader.read, [photo] * 8))
    assert {reading.values for reading in readings} == {readings[0].values}


def test_why_networks_cannot_be_opened_is_told_to_who_reads_and_nowhere_else(monkeypatch: pytest.MonkeyPatch):
    unhandled: list[object] = []
    monkeypatch.setattr(threading, "excepthook", unhandled.append)
    shipped = load_manifest()
    no_detector = replace(shipped["dice"], name="detector", classes=("die", "tile"))
    models = (no_detector if model.name == "detector" else model for model in shipped.models)
    damaged = TableReader(Manifest(tuple(models)))
    for thread in threading.enumerate():
        if thread.name == "opening networks":
            thread.join()
    with pytest.raises(ModelError, match="is no detector"):
        damaged.read(load(SAMPLE))
    assert not unhandled


def test_all_networks_are_checked_at_once_or_each_as_a_photo_needs_it():
    models = (replace(each, sha256="0" * 64) if each.name == "ends" else each for each in load_manifest().models)
    damaged = Manifest(tuple(models))
    with pytest.raises(ModelError, match=r"ends\.onnx is damaged"):
        TableReader(damaged)
    later = TableReader(damaged, checked=False)
    assert len(later.read(load(SAMPLE)).dice) == 6
    with pytest.raises(ModelError, match=r"ends\.onnx is damaged"):
        later.read(load(SAMPLE.with_name("sample-hand.jpg")))


@pytest.mark.parametrize("turn", [0, 1])
def test_at_a_glance_the_dice_are_there(reader: TableReader, turn: int):
    photo = load(SAMPLE)
    glanced = reader.reading(photo, reader.candidates_fast(photo, turn))
    assert sorted(glanced.values) == TRUTH


def test_a_table_that_is_known_is_seen_again_as_at_first(reader: TableReader):
    with Image.open(SAMPLE) as image:
        far = Image.new("RGB", (3200, 2400), (90, 70, 50))
        far.paste(image, (200, 300))
    photo = encoded(far)
    first = reader.candidates(photo)
    detect_near = reader.reading(photo, reader.candidates_near(photo, first))
    assert sorted(detect_near.values) == TRUTH
    boxes = [[die.box for die in reading.dice] for reading in (detect_near, reader.reading(photo, first))]
    assert np.abs(np.array(boxes[0]) - np.array(boxes[1])).max() < 12


def test_the_committed_results_are_what_the_reader_says(reader: TableReader):
    """Twenty photos of the measuring set, read again: the model card's numbers are those of the models beside it."""
    import json

    folder = Path(os.environ.get("MUGGINS_PHOTOS", SAMPLE.parents[2] / "shared" / "photos")) / "dice-dev"
    if not folder.is_dir():
        pytest.skip(f"the measuring photos are not here: {folder} (set MUGGINS_PHOTOS)")
    report = json.loads((SAMPLE.parents[1] / "models" / "dice-dev.json").read_text())
    for result in report["photos"][::10]:
        reading = reader.read(load(folder / result["file"]))
        assert sorted(reading.values) == result["read"], result["file"]
        assert reading.sure == (not result["doubts"]), result["file"]


@pytest.fixture(scope="module")
def touching() -> Photo:
    """The sample throw with the 6 pushed against the 2."""
    with Image.open(SAMPLE) as image:
        six = image.crop((722, 262, 960, 512))
        image.paste(image.crop((960, 200, 1100, 520)).resize((300, 320)), (700, 230))
        image.paste(six, (682, 262))
        return encoded(image)


def test_dice_that_touch_are_dice_in_a_game_of_dice(reader: TableReader, touching: Photo):
    reading = reader.read(touching, pieces("d6"))
    assert sorted(reading.values) == TRUTH
    assert reading.tiles == ()


def test_what_looks_like_a_tile_is_read_as_two_dice_in_a_game_of_dice(
    reader: TableReader, touching: Photo, monkeypatch: pytest.MonkeyPatch
):
    quad = ((465.0, 270.0), (912.0, 270.0), (912.0, 505.0), (465.0, 505.0))
    tile = Detection(465, 270, 912, 505, 0.9, "tile", quad)
    monkeypatch.setattr(reader._detector, "detect", lambda _, **__: [tile])
    dice = reader.read(touching, pieces("d6"))
    assert (dice.values, dice.tiles) == ((2, 6), ())
    assert not reader.read(touching).sure, "without a game a person has to look"


def test_a_die_that_looks_like_a_tile_from_low_over_the_table_is_one_in_a_game_of_dice(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch
):
    photo = load(SAMPLE)
    die = next(each for each in reader.candidates(photo) if each.is_piece)
    box = die.detection
    quad = ((box.left, box.bottom), (box.left, box.top), (box.right, box.top), (box.right, box.bottom))
    tile = Detection(box.left, box.top, box.right, box.bottom, 0.9, "tile", quad)
    monkeypatch.setattr(reader._detector, "detect", lambda _, **__: [tile])
    dice = reader.read(photo, pieces("d6"))
    assert (dice.values, dice.tiles) == ((die.face.ranked[0][0],), ())
    knowing = reader.knowing([Profile("none yet")])
    monkeypatch.setattr(knowing, "_kept", list)
    assert len(knowing.candidates(photo, pieces("d6"))) == 1, "a profile is asked of it as of any other die"
    assert len(knowing.candidates(photo)) > 1, "without a game, of a tile that may be a die of the profile"


def test_a_game_of_dominoes_leaves_dice_alone(reader: TableReader):
    reading = reader.read(load(SAMPLE), pieces("domino"))
    assert (reading.dice, reading.tiles) == ((), ())


def test_the_eighth_die_of_seven_is_a_doubt(reader: TableReader):
    with Image.open(SAMPLE) as image:
        table = Image.new("RGB", (2400, 1200), (122, 72, 42))
        table.paste(image)
        table.paste(image.crop((380, 250, 960, 740)), (1700, 300))
    reading = reader.read(encoded(table), pieces("d6", at_most=7))
    assert len(reading.dice) > 7
    assert "at most 7" in next(doubt.message for doubt in reading.doubts if doubt.reason == "number")


def test_a_reader_that_was_told_the_game_looks_for_its_pieces_everywhere():
    photo = load(SAMPLE)
    for_dominoes = TableReader(expected=pieces("domino"))
    assert for_dominoes.candidates(photo) == for_dominoes.candidates_fast(photo, 0) == []
    assert for_dominoes.read(photo, pieces("d6")).values


def test_six_sided_dice_do_in_a_game_of_twelve_sided_ones(reader: TableReader):
    expected = pieces("d12", substitutes=("d6",)).showing({5, 7})
    reading = reader.read(load(SAMPLE), expected)
    assert sorted(reading.values) == TRUTH
    assert [doubt.message for doubt in reading.doubts] == ["6 dice were read, but there should be 5 or 7."]


@pytest.mark.parametrize(("share", "counted"), [(1.0, True), (0.5, False)])
def test_what_may_be_a_die_counts_only_if_it_is_about_as_large_as_the_dice(
    reader: TableReader, share: float, counted: bool
):
    photo = load(SAMPLE)
    found = reader.candidates(photo)
    die = next(each for each in found if each.is_piece)
    side = share * die.detection.width
    hardly = Detection(20, 20, 20 + side, 20 + side, 0.6)
    perhaps = replace(die, detection=hardly, face=replace(die.face, other=0.35))
    assert perhaps.is_piece
    reading = reader.reading(photo, [*found, perhaps])
    assert len(reading.dice) == len(TRUTH) + counted
    assert any("may be a die" in doubt.message or "may not be a die" in doubt.message for doubt in reading.doubts)


def test_a_game_of_twelve_sided_dice_takes_a_die_without_pips_for_one_of_them_sooner(reader: TableReader):
    rng = np.random.default_rng(11)
    table = Image.new("RGB", (640, 640), (114, 114, 114))
    for k in range(9):
        table.paste(Image.fromarray(draw_class(rng, D12 + k)[0]), (40 + k % 3 * 200, 40 + k // 3 * 200))
    photo = encoded(table)
    played = {each.detection: each.face for each in reader.candidates(photo, pieces("d12", "d6"))}
    unplayed = {each.detection: each.face for each in reader.candidates(photo)}
    likelier = [unplayed[box].other - face.other for box, face in played.items() if unplayed[box].kind == "d12"]
    assert len(likelier) > 2
    assert min(likelier) >= 0
    assert max(likelier) > 0


HAND = SAMPLE.with_name("sample-hand.jpg")


def test_the_sample_hand_of_dominoes(reader: TableReader):
    reading = reader.read(load(HAND))
    assert sorted(sorted(tile.ends) for tile in reading.tiles if tile.face_up) == [[0, 0], [0, 6], [1, 4], [2, 5]]
    assert all(tile.face_up for tile in reading.tiles)
    assert reading.dice == ()
    assert Reading.from_json(reading.to_json()).tiles[0].ends == reading.tiles[0].ends


def test_a_lone_tile_that_is_not_sure_counts_where_dominoes_are_played(reader: TableReader):
    photo = load(HAND)
    best = max(reader.candidates(photo, pieces("domino")), key=lambda candidate: candidate.confidence)
    assert isinstance(best.face, TileFace)
    unsure = replace(best, face=replace(best.face, first=tuple(0.4 * p + 0.6 / 13 for p in best.face.first)))
    assert 0.35 < unsure.confidence < 0.6
    assert len(reader.reading(photo, [unsure], pieces("domino")).tiles) == 1
    without_game = reader.reading(photo, [unsure])
    assert without_game.tiles == ()
    assert [doubt.reason for doubt in without_game.doubts] == ["no-pieces", "uncertain-piece"]


def test_ends_are_told_along_the_box(reader: TableReader):
    """The tile nearest to the top right is 6-0 with its blank half towards the corner."""
    tile = max(reader.read(load(HAND)).tiles, key=lambda tile: tile.box[0][0] - tile.box[0][1])
    a, b, c, d = (np.array(corner) for corner in tile.box)
    first, second = (a + d) / 2, (b + c) / 2
    blank = first if tile.ends[0] == 0 else second
    assert {*tile.ends} == {0, 6}
    assert blank[0] == max(first[0], second[0])


def test_what_is_taken_for_a_die_longer_than_any_may_be_a_domino(reader: TableReader, monkeypatch: pytest.MonkeyPatch):
    photo = load(Path("docs/sample-hand.jpg"))
    long = max(
        counted_tiles(reader, photo), key=lambda each: abs(math.log(each.detection.width / each.detection.height))
    )
    box = long.detection
    die = Detection(box.left, box.top, box.right, box.bottom, 0.8)
    monkeypatch.setattr(reader._detector, "detect", lambda _, **__: [die])
    assert {ends_of(each) for each in counted_tiles(reader, photo)} == {ends_of(long)}


def counted_tiles(reader: TableReader, photo: Photo) -> list[Candidate]:
    return [each for each in reader.candidates(photo) if each.is_piece and each.kind == "domino"]


def ends_of(tile: Candidate) -> tuple[int, ...]:
    assert isinstance(tile.face, TileFace)
    return tuple(sorted(tile.face.ranked[0][0]))
