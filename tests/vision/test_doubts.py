from dataclasses import dataclass, replace

import numpy as np
import pytest

from vision.candidate import Calibration, Candidate, marked_alone
from vision.classify.dice import Face
from vision.classify.pairs import Whole
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.doubts import (
    doubts_of,
    doubts_of_cut_off,
    doubts_of_number,
    leaves_picture,
    maybe_dice,
    maybe_tile,
    tiles_among_dice,
)
from vision.photo import Note, Photo
from vision.select import suppress_overlaps

CALIBRATION = Calibration()
SURE_FIVE = Face(0.001, (0.001, 0.001, 0.001, 0.001, 0.995, 0.001))
FIVE_OR_SIX = Face(0.001, (0.0, 0.0, 0.0, 0.0, 0.6, 0.4))
NO_DIE = Face(0.999, (0.1, 0.1, 0.1, 0.1, 0.5, 0.1))


def photo(width: int = 1000, height: int = 800, notes: tuple[Note, ...] = (), scale: int = 1) -> Photo:
    pixels = np.zeros((height, width, 3), np.uint8)
    return Photo("p.jpg", width * scale, height * scale, "JPEG", scale, pixels, notes)


def candidate(left: float, top: float, side: float, face: Face = SURE_FIVE, score: float = 0.9) -> Candidate:
    return Candidate(Detection(left, top, left + side, top + side, score), face, CALIBRATION)


def reasons(dice: list[Candidate], rejected: list[Candidate] | None = None, of: Photo | None = None) -> list[str]:
    return [doubt.reason for doubt in doubts_of(of or photo(), dice, [], rejected or [])]


def test_a_clear_die_raises_no_doubt():
    assert reasons([candidate(400, 400, 100)]) == []


def test_a_bare_table_is_doubted():
    assert reasons([]) == ["no-pieces"]


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (("d6", "d12", "domino"), "No dice or dominoes were found. Take"),
        (("d12", "d6"), "No dice were found. Take"),
        (("domino",), "No dominoes were found; dice do not count here. Take"),
    ],
)
def test_what_was_not_found_is_what_the_game_looks_for(kinds: tuple[str, ...], said: str):
    (doubt,) = doubts_of(photo(), [], [], [], kinds)
    assert doubt.message.startswith(said)


def test_of_a_twelve_sided_die_it_takes_more_evidence_before_nobody_is_asked_to_look():
    twelve = Face(0.02, (0.0,) * 8 + (0.99, 0.01, 0.0, 0.0), "d12")
    assert reasons([candidate(400, 400, 100, twelve)]) == []
    die = candidate(400, 400, 100, replace(twelve, unsure=0.7))
    assert die.cautious_probability < 0.85 < die.probability
    (doubt,) = doubts_of(photo(), [die], [], [])
    assert doubt.message.startswith(f"This may not be a twelve-sided die ({die.cautious_probability:.0%} sure)")


def test_what_a_die_loses_by_its_size_it_is_doubted_for_but_still_named_if_it_is_left_out():
    odd = replace(candidate(400, 400, 100, Face(0.4, SURE_FIVE.values), score=0.7), context_penalty=3.0)
    assert reasons([candidate(100, 100, 100)], [odd]) == ["uncertain-piece"]
    assert odd.probability < 0.3 < odd.by_itself


def test_a_close_call_names_both_values():
    (doubt,) = doubts_of(photo(), [candidate(400, 400, 100, FIVE_OR_SIX)], [], [])
    assert (doubt.reason, doubt.piece) == ("uncertain-value", 0)
    assert "5 (60%) or 6 (40%)" in doubt.message


@pytest.mark.parametrize("box", [(0, 300, 60, 400), (300, 0, 400, 60), (940, 300, 1000, 400), (300, 740, 400, 800)])
def test_a_die_cut_by_any_edge_leaves_the_picture(box: tuple[float, float, float, float]):
    cut = Candidate(Detection(*box, 0.9), SURE_FIVE, CALIBRATION)
    assert leaves_picture(photo(), cut)
    (doubt,) = doubts_of_cut_off(photo(), [cut])
    assert (doubt.reason, doubt.piece) == ("cut-off", None)
    assert "not counted" in doubt.message


@pytest.mark.parametrize(("left", "top"), [(0, 300), (300, 0), (900, 300), (300, 700)])
def test_a_whole_die_that_touches_an_edge_is_not(left: float, top: float):
    assert not leaves_picture(photo(), candidate(left, top, 100))


def test_a_die_of_few_pixels_is_too_small_but_not_if_the_full_photo_has_more():
    assert reasons([candidate(400, 400, 10)]) == ["too-small"]
    assert reasons([candidate(400, 400, 10)], of=photo(scale=2)) == []


def test_the_first_frame_of_an_animation_is_told():
    assert reasons([candidate(400, 400, 100)], of=photo(notes=(Note("first-frame", "only the first"),))) == [
        "first-frame"
    ]


def test_networks_that_disagree_make_a_doubt_either_way():
    counted = candidate(400, 400, 100, Face(0.6, SURE_FIVE.values), score=0.7)
    left_out = candidate(100, 100, 100, Face(0.9, SURE_FIVE.values), score=0.5)
    assert counted.is_piece
    assert not left_out.is_piece
    assert reasons([counted]) == ["uncertain-piece"]
    assert reasons([candidate(400, 400, 100)], [left_out]) == ["uncertain-piece"]
    assert reasons([candidate(400, 400, 100)], [candidate(100, 100, 100, NO_DIE)]) == []


def test_a_die_whose_value_is_a_guess_is_counted_only_if_it_is_surely_a_die():
    guess = (0.3, 0.25, 0.2, 0.15, 0.05, 0.05)
    shadow = candidate(100, 100, 100, Face(0.4, guess), score=0.6)
    die = candidate(100, 100, 100, Face(0.01, guess), score=0.95)
    assert shadow.probability > 0.5
    assert not shadow.is_piece
    assert die.is_piece
    assert reasons([], [shadow]) == ["no-pieces", "uncertain-piece"]
    assert reasons([die]) == ["uncertain-value"]


def test_pips_of_a_large_die_are_no_dice():
    large, pip = candidate(100, 100, 400, score=0.6), candidate(150, 150, 60, Face(0.7, SURE_FIVE.values))
    assert suppress_overlaps([pip, large]) == [large]


def test_a_large_find_that_is_no_die_swallows_nothing():
    large, small = candidate(100, 100, 400, NO_DIE), candidate(150, 150, 60)
    assert small in suppress_overlaps([small, large])


def test_dice_in_a_round_tray_that_looks_like_a_die_are_kept():
    tray, dice = candidate(50, 50, 700, score=0.3), [candidate(200 + 150 * i, 300, 100) for i in range(3)]
    assert suppress_overlaps([tray, *dice]) == dice


def test_two_finds_of_one_die_count_once_and_neighbours_twice():
    first, again, neighbour = candidate(100, 100, 100), candidate(110, 105, 100, score=0.7), candidate(205, 100, 100)
    assert suppress_overlaps([again, first, neighbour]) == [first, neighbour]


def test_overlapping_dice_are_doubted():
    assert "overlapping" in reasons([candidate(100, 100, 100), candidate(145, 100, 100)])


def test_the_probability_grows_with_either_network():
    weak, strong = Detection(0, 0, 9, 9, 0.3), Detection(0, 0, 9, 9, 0.9)
    assert CALIBRATION.probability(weak, SURE_FIVE) < CALIBRATION.probability(strong, SURE_FIVE)
    assert CALIBRATION.probability(strong, NO_DIE) < CALIBRATION.probability(strong, SURE_FIVE)


def test_the_calibration_reads_the_manifest_s_names():
    numbers = {"temperature": 0.8, "detector": 0.1, "classifier": 0.2, "offset": 0.3}
    assert Calibration.of(numbers) == Calibration(0.1, 0.2, 0.3)
    assert Calibration.of(numbers | {"back": -2.0}).back == -2.0


def chances(value: int, p: float = 0.99) -> tuple[float, ...]:
    return tuple(p if n == value else (1 - p) / 12 for n in range(13))


THREE_FIVE = TileFace(0.001, 0.01, chances(3), chances(5))


def tile(left: float, top: float, face: TileFace = THREE_FIVE, score: float = 0.9, long: float = 200) -> Candidate:
    right, bottom = left + long, top + long / 2
    quad = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Candidate(Detection(left, top, right, bottom, score, "tile", quad), face, CALIBRATION)


def tile_doubts(*tiles: Candidate, of: Photo | None = None) -> list[tuple[str, int | None]]:
    return [(doubt.reason, doubt.tile) for doubt in doubts_of(of or photo(), [], tiles, [])]


def test_a_clear_tile_raises_no_doubt():
    assert tile_doubts(tile(100, 100)) == []


def test_a_tile_with_one_unclear_end_is_doubted_and_both_readings_are_named():
    unclear = TileFace(0.001, 0.01, chances(3), (0,) * 5 + (0.55, 0.45) + (0,) * 6)
    (doubt,) = doubts_of(photo(), [], [tile(100, 100), tile(100, 300, unclear)], [])
    assert (doubt.reason, doubt.piece, doubt.tile) == ("uncertain-value", None, 1)
    assert "3-5" in doubt.message
    assert "3-6" in doubt.message


def test_a_tile_surely_face_down_is_no_doubt_and_one_that_may_be_is():
    assert tile_doubts(tile(100, 100, TileFace(0.001, 0.99, chances(0, 0.3), chances(0, 0.3)))) == []
    assert tile_doubts(tile(100, 100, TileFace(0.001, 0.4, chances(0), chances(0)))) == [("face-down", 0)]


def test_a_tile_that_leaves_the_picture_is_told_apart_from_one_at_the_edge():
    assert leaves_picture(photo(), tile(-40, 100))
    assert not leaves_picture(photo(), tile(-2, 100))


def test_a_tile_of_few_pixels_is_too_small_but_not_if_the_full_photo_has_more():
    assert tile_doubts(tile(100, 100, long=18)) == [("too-small", 0)]
    assert tile_doubts(tile(100, 100, long=18), of=photo(scale=2)) == []
    many = TileFace(0.001, 0.001, chances(3), chances(10))
    assert tile_doubts(tile(100, 100, long=24)) == []
    assert tile_doubts(tile(100, 100, many, long=24)) == [("too-small", 0)]


def test_a_piece_that_only_a_look_at_the_middle_found_is_small_unless_it_is_large_in_the_picture():
    small, large = (replace(candidate(400, 400, side), found_late=True) for side in (60, 200))
    assert (reasons([small]), reasons([large])) == (["too-small"], [])
    assert reasons([replace(small, found_late=False)]) == []
    tiles = [replace(tile(100, 100, long=long), found_late=True) for long in (90, 200)]
    assert [tile_doubts(each) for each in tiles] == [[("too-small", 0)], []]


def test_tiles_that_touch_do_not_overlap_and_a_pile_does():
    assert tile_doubts(tile(100, 100), tile(300, 100)) == []
    assert tile_doubts(tile(100, 100), tile(150, 150)) == [("overlapping", 0)]


def test_a_tile_s_half_is_no_die():
    half = candidate(100, 100, 100, Face(0.4, SURE_FIVE.values), score=0.5)
    assert suppress_overlaps([half, tile(100, 100)]) == [tile(100, 100)]


def test_what_lies_half_on_a_tile_and_half_beside_it_is_no_die():
    half_on = candidate(55, 100, 100, Face(0.1, SURE_FIVE.values), score=0.3)
    assert half_on.is_piece
    assert suppress_overlaps([half_on, tile(100, 100)]) == [tile(100, 100)]
    beside = replace(half_on, detection=half_on.detection.mapped(1, 1, -50, 0))
    assert beside in suppress_overlaps([beside, tile(100, 100)])


def test_two_sure_dice_that_touch_are_no_tile_and_a_sure_tile_s_ends_are_no_dice():
    ends = [candidate(100, 100, 98), candidate(200, 100, 98)]
    faint = tile(100, 100, score=0.3)
    assert faint.is_piece
    assert sorted(suppress_overlaps([*ends, faint]), key=lambda c: c.detection.left) == ends
    guessed = [candidate(die.detection.left, 100, 98, Face(0.3, SURE_FIVE.values), score=0.5) for die in ends]
    assert suppress_overlaps([*guessed, tile(100, 100)]) == [tile(100, 100)]


def test_a_die_longer_than_any_is_a_domino_where_the_whole_looks_like_one():
    long = Candidate(Detection(100, 100, 300, 200, 0.9), SURE_FIVE, CALIBRATION)
    faint = tile(100, 100, score=0.3)
    assert faint.is_piece
    assert suppress_overlaps([long, faint]) == [long]
    assert suppress_overlaps([long, replace(faint, whole=Whole(0.2, 0.7))]) == [long]
    domino = replace(faint, whole=Whole(0.003, 0.002))
    assert suppress_overlaps([long, domino]) == [domino]


def test_the_confidence_of_a_tile_needs_both_ends():
    one_unclear = tile(100, 100, TileFace(0.001, 0.01, chances(3), chances(5, 0.6)))
    assert one_unclear.confidence < 0.6 < tile(100, 100).confidence


def upright_tile(left: float, top: float, right: float, bottom: float, score: float = 0.9) -> Candidate:
    quad = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Candidate(Detection(left, top, right, bottom, score, "tile", quad), THREE_FIVE, CALIBRATION)


def test_in_a_line_of_tiles_those_between_two_tiles_are_no_tiles_though_one_looks_likelier():
    line = [upright_tile(200 * i, 100, 200 * i + 198, 200, 0.85) for i in range(5)]
    between = [upright_tile(200 * i + 100, 100, 200 * i + 298, 200, 0.9) for i in range(4)]
    assert sorted(suppress_overlaps([*between, *line]), key=lambda c: c.detection.left) == line


def test_a_double_between_two_tiles_is_their_ends_even_where_one_of_them_is_hardly_seen():
    one = tile(100, 100, TileFace(0.03, 0.01, chances(1), chances(5)))
    hardly = tile(300, 100, TileFace(0.6, 0.01, chances(5, 0.6), chances(0, 0.6)), score=0.3)
    bridge = tile(200, 100, TileFace(0.001, 0.01, chances(5), chances(5)), score=0.95)
    assert not hardly.is_piece
    assert bridge.probability > one.probability
    assert one in suppress_overlaps([bridge, one, hardly])
    assert bridge in suppress_overlaps([bridge, one]), "with one tile beside it the double is as good"


def test_a_long_box_around_a_tile_is_no_die():
    flat = tile(100, 100, score=0.6)
    long = Candidate(Detection(100, 100, 300, 205, 0.7), replace(SURE_FIVE, other=0.01), CALIBRATION)
    assert long.probability > flat.probability
    assert [kept for kept in suppress_overlaps([long, flat]) if kept.is_piece] == [flat]
    assert [kept for kept in suppress_overlaps([long]) if kept.is_piece] == [long]


def test_a_tile_found_twice_counts_once_and_crossed_tiles_of_a_pile_stay():
    tile_and_again = [tile(100, 100), tile(104, 103, score=0.7)]
    assert suppress_overlaps(tile_and_again) == tile_and_again[:1]
    flat, across = upright_tile(100, 200, 300, 300), upright_tile(260, 150, 360, 350)
    assert suppress_overlaps([flat, across]) == [flat, across]


def test_a_whole_boneyard_is_sorted_out():
    tiles = [
        upright_tile(210 * (i % 12), 110 * (i // 12), 210 * (i % 12) + 200, 110 * (i // 12) + 100) for i in range(120)
    ]
    shifted = [
        upright_tile(c.detection.left + 100, c.detection.top, c.detection.right + 100, c.detection.bottom, 0.3)
        for c in tiles
    ]
    assert len(suppress_overlaps([*shifted, *tiles])) == 120


def test_the_back_of_a_tile_needs_more_to_be_believed():
    careful = Calibration(back=-3.0)
    back = TileFace(0.1, 0.99, chances(0, 0.3), chances(0, 0.3))
    detection = tile(100, 100).detection
    assert careful.probability(detection, back) < CALIBRATION.probability(detection, back)
    assert careful.probability(detection, THREE_FIVE) == pytest.approx(
        CALIBRATION.probability(detection, THREE_FIVE), abs=0.01
    )


def test_a_tile_believed_instead_of_sure_dice_is_doubted():
    beside, on_it = candidate(400, 100, 95), candidate(102, 102, 95)
    assert [doubt.tile for doubt in maybe_dice([tile(100, 300), tile(100, 100)], [beside, on_it])] == [1]
    faint = candidate(102, 102, 95, Face(0.6, SURE_FIVE.values), score=0.3)
    assert list(maybe_dice([tile(100, 100)], [beside, faint])) == []


def test_a_tile_with_a_likely_die_in_either_end_is_doubted():
    maybe = Face(0.7, SURE_FIVE.values)
    ends = [candidate(left, 102, 95, maybe, score=0.1) for left in (102, 203)]
    assert [doubt.tile for doubt in maybe_dice([tile(100, 100)], ends)] == [0]
    again = candidate(104, 104, 95, maybe, score=0.1)
    none = candidate(203, 102, 95, replace(maybe, other=0.95), score=0.1)
    for others in ([ends[0]], [ends[0], again], [ends[0], none]):
        assert list(maybe_dice([tile(100, 100)], others)) == []


def test_a_tile_that_shows_nothing_is_not_counted():
    guess = TileFace(0.01, 0.01, (1 / 13,) * 13, (1 / 13,) * 13)
    assert not tile(100, 100, guess).is_piece
    assert tile(100, 100).is_piece


def test_an_unsure_tile_counts_beside_a_sure_one_only():
    unsure = replace(THREE_FIVE, first=chances(3, 0.5))
    lone, sure, die = tile(100, 100, unsure), tile(500, 100), candidate(400, 400, 100)
    assert [c.is_piece for c in (lone, sure)] == [True, True]
    assert [c.is_piece for c in marked_alone([lone, die])] == [False, True]
    assert [c.is_piece for c in marked_alone([lone, sure])] == [True, True]
    assert marked_alone([sure])[0].is_piece
    taught = tile(100, 100, replace(unsure, profile="runes"))
    assert [c.is_piece for c in marked_alone([taught, die])] == [True, True]


def test_a_back_counts_beside_a_sure_face_only():
    """By itself a black oblong is a phone; where nobody asks whether tiles are alone, dominoes are played with."""
    back, face, die = (
        tile(100, 100, TileFace(0.02, 0.99, chances(0, 0.3), chances(0, 0.3))),
        tile(500, 100),
        candidate(400, 400, 100),
    )
    assert back.face_down
    assert back.is_piece
    assert [c.is_piece for c in marked_alone([back, die])] == [False, True]
    assert [c.is_piece for c in marked_alone([back, face])] == [True, True]


def test_a_tile_that_is_not_sure_but_likely_counts_alone():
    likely = tile(100, 100, replace(THREE_FIVE, first=chances(3, 0.75)))
    (marked,) = marked_alone([likely])
    assert 0.6 < marked.confidence < 0.85
    assert marked.is_piece


def test_a_die_in_what_looked_like_a_tile_is_doubted():
    beside, end = candidate(400, 100, 95), candidate(102, 102, 95)
    assert [doubt.piece for doubt in maybe_tile([beside, end], [tile(100, 100, score=0.2)])] == [1]
    assert list(maybe_tile([beside, end], [tile(100, 100, score=0.1)])) == []


def test_a_tile_whose_ends_pass_for_dice_is_doubted_and_names_both():
    five, two = SURE_FIVE, Face(0.1, (0.0, 0.99, 0.01, 0.0, 0.0, 0.0))
    flat = tile(100, 100)
    torn = Candidate(flat.detection, flat.face, CALIBRATION, (five, two))
    assert (flat.dice_likeness, torn.dice_likeness) == (0.0, pytest.approx(0.9))
    (doubt,) = maybe_dice([torn], [])
    assert (doubt.reason, doubt.tile) == ("overlapping", 0)
    assert "5 and 2" in doubt.message
    blank = replace(torn, face=replace(THREE_FIVE, second=chances(0, 0.9)), whole=Whole(0.2, 0.6))
    (doubt,) = maybe_dice([blank], [])
    assert "a die and its shadow" in doubt.message
    (doubt,) = maybe_dice([replace(torn, whole=Whole(0.2, 0.6))], [])
    assert "two dice that touch, 5 and 2," in doubt.message, "a shadow has no pips"
    assert list(maybe_dice([flat], [])) == []


def test_dominoes_vouch_for_the_one_whose_ends_pass_for_dice_and_dice_do_not():
    flat, torn = tile(100, 100), with_ends_as_dice(tile(100, 300), 0.1)
    assert list(maybe_dice([flat, torn], [])) == []
    assert [doubt.tile for doubt in maybe_dice([torn, with_ends_as_dice(tile(400, 100), 0.4)], [])] == [0, 1]


def test_a_die_with_pips_seen_from_the_side_is_doubted():
    front = replace(SURE_FIVE, low=0.9)
    assert reasons([candidate(100, 100, 100, front)]) == ["too-low"]
    assert reasons([candidate(100, 100, 100, replace(front, low=0.4))]) == []


def with_ends_as_dice(piece: Candidate, other: float) -> Candidate:
    """A tile both ends of which are dice, but for a chance."""
    die = Face(other, SURE_FIVE.values)
    return replace(piece, ends_as_dice=(die, die))


def test_among_dominoes_a_tile_that_was_hardly_seen_counts_if_both_ends_are_plain():
    careful = Calibration(detector=0.9, classifier=0.4, offset=0.6)
    plain = TileFace(0.001, 0.001, chances(3, 0.99), chances(5, 0.99))
    hardly = replace(tile(100, 100, plain, score=0.06), calibration=careful)
    assert 0.35 < hardly.confidence < hardly.probability < 0.5
    assert [each.is_piece for each in marked_alone([tile(500, 100), hardly])] == [True, True]
    assert [each.is_piece for each in marked_alone([hardly])] == [False]
    assert not replace(hardly, face=replace(plain, first=chances(3, 0.9))).is_piece
    (doubt,) = doubts_of(photo(), [], [hardly], [])
    assert (doubt.reason, doubt.tile) == ("uncertain-piece", 0)


@dataclass(frozen=True)
class Table:
    """What a game of dice says of the table."""

    kinds: frozenset[str] = frozenset({"d6"})
    looked_for: frozenset[str] = frozenset({"d6"})
    at_most: int | None = 7
    counts: frozenset[int] = frozenset()


def test_more_dice_than_can_lie_there_make_the_unlikeliest_of_them_doubtful():
    dice = [candidate(100 * i, 100, 90, score=0.6 if i == 3 else 0.9) for i in range(8)]
    (doubt,) = doubts_of_number(dice, [], Table())
    assert (doubt.reason, doubt.piece) == ("number", 3)
    assert "at most 7" in doubt.message
    assert list(doubts_of_number(dice[:7], [], Table())) == []


def test_fewer_dice_than_were_thrown_are_told():
    (doubt,) = doubts_of_number([candidate(100, 100, 90)] * 6, [], Table(counts=frozenset({7})))
    assert (doubt.reason, doubt.piece) == ("number", None)
    assert doubt.message == "6 dice were read, but there should be 7."
    assert list(doubts_of_number([candidate(100, 100, 90)] * 3, [], Table(counts=frozenset({3, 7})))) == []
    (doubt,) = doubts_of_number([candidate(100, 100, 90)], [], Table(counts=frozenset({7})))
    assert doubt.message == "1 die was read, but there should be 7."


def test_an_empty_table_is_only_said_to_be_empty():
    assert list(doubts_of_number([], [], Table(counts=frozenset({7})))) == []


def test_half_a_die_at_the_edge_is_named_though_the_classifier_takes_it_for_none():
    half = Candidate(Detection(0, 300, 60, 400, 0.8), NO_DIE, CALIBRATION)
    assert not half.is_piece
    assert leaves_picture(photo(), half)
    assert not leaves_picture(photo(), replace(half, detection=replace(half.detection, score=0.3)))


def test_a_domino_among_dice_may_be_two_dice():
    assert [doubt.tile for doubt in tiles_among_dice([candidate(100, 100, 90)], [tile(300, 100)])] == [0]
    assert list(tiles_among_dice([], [tile(300, 100)])) == []


def test_other_dice_are_not_counted_where_those_of_the_game_lie():
    twelve = Face(0.001, (0.99, *(0.001,) * 11), "d12")
    dice = [candidate(100 * i, 100, 90, twelve) for i in range(5)]
    rules = Table(kinds=frozenset({"d12"}), counts=frozenset({5}))
    assert list(doubts_of_number([*dice, candidate(600, 100, 90)], [], rules)) == []
    assert len(list(doubts_of_number([candidate(600, 100, 90)], [], rules))) == 1


def test_a_die_as_large_as_a_tile_is_no_end_of_it():
    piece = tile(100, 100, score=0.2)
    box = piece.detection
    same = Candidate(Detection(box.left, box.top, box.right, box.bottom, 0.9), SURE_FIVE, CALIBRATION)
    assert list(maybe_tile([same], [piece])) == []
    assert list(maybe_dice([tile(100, 100)], [same])) == []
