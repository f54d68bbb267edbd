import os
from pathlib import Path
from typing import Any

import pytest

from datasets.evaluate.matching import Match, compare, match
from datasets.labels.truth import DOWN, Face, Piece, Truth, load, tile
from vision.reading import Die, Doubt, Point, Quad, Reading, Tile

SHARED = Path(os.environ.get("MUGGINS_PHOTOS", Path(__file__).parents[4] / "shared" / "photos"))
KNOWN: dict[str, Any] = {"path": Path("p.jpg"), "file": "p.jpg", "part": "mixed", "source": "s"}


def box(x: float, y: float, wide: float = 80, high: float = 40) -> Quad:
    a, b, c, d = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
    return (a, b), (c, b), (c, d), (a, d)


def die(value: int, confidence: float = 0.9, at: Point = (0, 0)) -> Die:
    return Die(value, confidence, ((value, confidence),), box(*at, 40, 40), "white")


def domino(first: int | None, second: int | None, at: Point = (0, 0), confidence: float = 0.9) -> Tile:
    return Tile((first, second), confidence, (), box(*at), first is not None)


def reading(*pieces: Die | Tile, doubts: tuple[Doubt, ...] = ()) -> Reading:
    dice = tuple(piece for piece in pieces if isinstance(piece, Die))
    tiles = tuple(piece for piece in pieces if isinstance(piece, Tile))
    return Reading("p.jpg", "0" * 64, 1000, 1000, dice, doubts, {}, {}, tiles)


def dice_truth(*values: int, ambiguous: int = 0) -> Truth:
    return Truth(**KNOWN, pieces=tuple(Piece("d6", (value,)) for value in values), ambiguous=ambiguous)


def lying(first: int, second: int, at: Point | None = None) -> Piece:
    return Piece("domino", tile(first, second), centre=at)


def tile_truth(*pieces: Piece, face_down: int = 0) -> Truth:
    return Truth(**KNOWN, pieces=pieces, face_down=face_down)


def counts(found: Match) -> tuple[int, int, int, int]:
    return len(found.right), len(found.missed), len(found.extra), len(found.misread)


def faces(found: Match) -> list[tuple[Face, Face]]:
    return [(piece.face, seen.face) for piece, seen in found.pairs]


CASES = [
    ([1, 2, 3], 0, [3, 1, 2], (True, 3, 0, 0, 0)),
    ([1, 2, 3], 0, [1, 2], (False, 2, 1, 0, 0)),
    ([1, 2], 0, [1, 2, 2], (False, 2, 0, 1, 0)),
    ([1, 2], 0, [1, 5], (False, 1, 0, 0, 1)),
    ([], 0, [], (True, 0, 0, 0, 0)),
    ([], 0, [4], (False, 0, 0, 1, 0)),
    ([6, 6], 1, [6, 6], (True, 2, 0, 0, 0)),
    ([6, 6], 1, [6, 6, 2], (True, 2, 0, 0, 0)),
    ([6, 6], 1, [6, 6, 2, 3], (False, 2, 0, 1, 0)),
    ([6, 6], 1, [6, 2], (False, 1, 0, 0, 1)),
    ([6, 6], 1, [6, 2, 3], (False, 1, 0, 0, 1)),
]


@pytest.mark.parametrize(("truth", "ambiguous", "read", "expected"), CASES)
def test_bare_faces(truth: list[int], ambiguous: int, read: list[int], expected: tuple[Any, ...]):
    assert tuple(compare(truth, ambiguous, read).values()) == expected


@pytest.mark.parametrize(("truth", "ambiguous", "read", "expected"), CASES)
def test_dice_without_places_count_as_bare_faces_do(
    truth: list[int], ambiguous: int, read: list[int], expected: tuple[Any, ...]
):
    found = match(dice_truth(*truth, ambiguous=ambiguous), reading(*map(die, read)))
    assert (found.exact, *counts(found)) == expected


def test_of_equal_dice_the_surest_is_the_right_one():
    found = match(dice_truth(4), reading(die(4, 0.6), die(4, 0.8)))
    assert [seen.confidence for seen in found.right] == [0.8]
    assert [seen.confidence for seen in found.extra] == [0.6]


def test_the_least_sure_of_the_surplus_dice_is_the_ambiguous_one():
    found = match(dice_truth(6, ambiguous=1), reading(die(6), die(2, 0.9), die(3, 0.4)))
    assert [seen.face for seen in found.excused] == [(3,)]
    assert [seen.face for seen in found.extra] == [(2,)]


def test_a_die_of_the_wrong_kind_is_misread():
    truth = Truth(**KNOWN, pieces=(Piece("d12", (5,)),))
    assert counts(match(truth, reading(die(5)))) == (0, 0, 0, 1)


@pytest.mark.parametrize("at", [(100.0, 100.0), None])
def test_a_tile_may_lie_either_way_round(at: Point | None):
    found = match(tile_truth(lying(6, 1, at)), reading(domino(1, 6, (103, 98))))
    assert found.exact
    assert counts(found) == (1, 0, 0, 0)


def test_places_tell_swapped_tiles_from_right_ones():
    read = reading(domino(1, 2, (300, 100)), domino(3, 4, (100, 100)))
    assert match(tile_truth(lying(1, 2), lying(3, 4)), read).exact
    found = match(tile_truth(lying(1, 2, (100, 100)), lying(3, 4, (300, 100))), read)
    assert faces(found) == [((1, 2), (3, 4)), ((3, 4), (1, 2))]


@pytest.mark.parametrize("placed", [True, False])
def test_two_equal_tiles_are_two(placed: bool):
    truth = tile_truth(*(lying(2, 2, at if placed else None) for at in ((100, 100), (300, 100))))
    assert match(truth, reading(domino(2, 2, (300, 100)), domino(2, 2, (100, 100)))).exact
    assert counts(match(truth, reading(domino(2, 2, (300, 100))))) == (1, 1, 0, 0)
    three = [domino(2, 2, (x, 100)) for x in (100, 300, 500)]
    assert counts(match(truth, reading(*three))) == (2, 0, 1, 0)


def test_a_tile_read_more_than_half_a_tile_away_is_another():
    near, far = reading(domino(1, 2, (139, 100))), reading(domino(1, 2, (141, 100)))
    truth = tile_truth(lying(1, 2, (100, 100)))
    assert match(truth, near).exact
    assert counts(match(truth, far)) == (0, 1, 1, 0)


@pytest.mark.parametrize("turned", [False, True])
def test_an_outline_holds_the_tile_whichever_way_its_corners_run(turned: bool):
    outline = box(100, 100)[::-1] if turned else box(100, 100)
    truth = tile_truth(Piece("domino", (1, 2), outline=outline))
    assert match(truth, reading(domino(2, 1, (115, 110)))).exact
    assert counts(match(truth, reading(domino(2, 1, (115, 121))))) == (0, 1, 1, 0)


def test_one_find_is_not_two_tiles():
    outlines = [Piece("domino", (1, 2), outline=box(100, 100)), Piece("domino", (1, 2), outline=box(120, 100))]
    assert counts(match(tile_truth(*outlines), reading(domino(1, 2, (110, 100))))) == (1, 1, 0, 0)


def test_tiles_that_lie_face_down_may_be_listed_or_not():
    truth = tile_truth(lying(1, 2, (100, 100)), face_down=1)
    up, down = domino(1, 2, (100, 100)), domino(None, None, (300, 100))
    assert match(truth, reading(up)).exact
    assert match(truth, reading(up, down)).exact
    assert counts(match(truth, reading(up, down, domino(None, None, (500, 100))))) == (1, 0, 1, 0)
    assert counts(match(truth, reading(up, domino(0, 0, (300, 100))))) == (1, 0, 1, 0)


def test_a_tile_called_face_down_that_is_not():
    down = reading(domino(None, None, (100, 100)))
    assert faces(match(tile_truth(lying(1, 2, (100, 100)), face_down=1), down)) == [((1, 2), DOWN)]
    assert counts(match(tile_truth(lying(1, 2)), down)) == (0, 1, 1, 0)
    assert counts(match(tile_truth(lying(1, 2), face_down=1), down)) == (0, 1, 0, 0)


def test_a_die_among_dominoes_is_extra_and_a_tile_among_dice():
    truth = tile_truth(lying(1, 2, (100, 100)))
    assert counts(match(truth, reading(domino(1, 2, (100, 100)), die(2, at=(110, 100))))) == (1, 0, 1, 0)
    assert counts(match(truth, reading(die(2, at=(100, 100))))) == (0, 1, 1, 0)
    assert counts(match(dice_truth(3), reading(die(3), domino(3, 3)))) == (1, 0, 1, 0)


def test_an_unreadable_piece_may_be_read_as_anything_where_it_lies():
    unclear = Piece("d6", (5,), outline=box(500, 500, 40, 40))
    truth = Truth(**KNOWN, pieces=(Piece("d6", (1,), outline=box(100, 100, 40, 40)),), unclear=(unclear,))
    right = die(1, at=(100, 100))
    for read in ((right,), (right, die(2, at=(505, 500))), (right, domino(6, 6, (505, 500)))):
        assert match(truth, reading(*read)).exact
    assert counts(match(truth, reading(right, die(2, at=(600, 500))))) == (1, 0, 1, 0)


def test_a_doubt_names_a_die_or_a_tile():
    doubts = (Doubt("uncertain-value", "", piece=0), Doubt("uncertain-value", "", tile=1), Doubt("first-frame", ""))
    truth = Truth(**KNOWN, pieces=(Piece("d6", (1,)), Piece("d6", (2,)), lying(1, 2), lying(3, 4)))
    found = match(truth, reading(die(1), die(2), domino(1, 2), domino(3, 4), doubts=doubts))
    assert {seen.face for seen in found.right if seen.flagged} == {(1,), (3, 4)}


def outline_of(piece: Piece, off: float) -> Quad:
    """Where a detector would see the piece: its outline, or a small one around its centre, so many pixels off."""
    corners = piece.outline or box(*(piece.centre or (0, 0)), 30, 15)
    a, b, c, d = ((x + off, y - off) for x, y in corners)
    return a, b, c, d


@pytest.mark.parametrize(("part", "off"), [("board", 10.0), ("mixed", 2.0), ("crops", 10.0)])
def test_the_shared_dominoes_read_as_they_lie_are_all_exact(part: str, off: float):
    folder = SHARED / "domino-dev" / part
    if not folder.is_dir():
        pytest.skip(f"the measuring photos are not here: {folder} (set MUGGINS_PHOTOS)")
    for truth in load(folder):
        read = [Tile((p.face[1], p.face[0]), 0.9, (), outline_of(p, off)) for p in truth.tiles]
        assert match(truth, reading(*reversed(read))).exact, truth.file
        if read:
            assert counts(match(truth, reading(*read[1:]))) == (len(read) - 1, 1, 0, 0), truth.file
