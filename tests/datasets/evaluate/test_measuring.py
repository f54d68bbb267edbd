from pathlib import Path

import pytest

from datasets.evaluate.matching import pieces_of
from datasets.evaluate.measuring import Result, confident_and_right, confused, confusion, groups, result_of, summary
from datasets.labels.truth import Piece, Truth, tile
from vision.reading import Die, Doubt, Quad, Reading, Tile

BOX: Quad = ((0, 0), (80, 0), (80, 40), (0, 40))


def read(dice: tuple[int, ...], tiles: tuple[tuple[int | None, int | None], ...], doubts: tuple[Doubt, ...]) -> Reading:
    seen = tuple(Die(value, 0.9, ((value, 0.9),), BOX, "white") for value in dice)
    tiled = tuple(Tile(ends, 0.9, (), BOX, ends[0] is not None) for ends in tiles)
    return Reading("p.jpg", "0" * 64, 100, 100, seen, doubts, {}, {}, tiled)


def result(
    truth: tuple[int, ...], dice: tuple[int, ...], *doubts: int | None, same: bool = False, ambiguous: int = 0
) -> Result:
    pieces = tuple(Piece("d6", (value,)) for value in truth)
    known = Truth(Path("f"), "f", "dice-dev", "s", pieces, ambiguous=ambiguous, same_camera_as_train=same)
    return result_of(known, read(dice, (), tuple(Doubt("uncertain-value", "?", piece) for piece in doubts)))


def tiles(
    truth: tuple[tuple[int, int], ...], seen: tuple[tuple[int | None, int | None], ...], part: str = "m"
) -> Result:
    pieces = tuple(Piece("domino", tile(*ends), outline=BOX) for ends in truth)
    return result_of(Truth(Path("f"), "f", part, "s", pieces), read((), seen, ()))


def test_silent_is_wrong_without_a_doubt():
    assert result((1,), (2,)).silent
    assert not result((1,), (2,), 0).silent
    assert not result((1,), (1,)).silent


def test_summary_counts():
    found = summary([result((1, 2), (1, 2)), result((3,), (4,)), result((5,), (), None), result((6,), (6,), 0)])
    assert (found["photos"], found["exact"], found["right"], found["missed"], found["misread"]) == (4, 2, 3, 1, 1)
    assert (found["silent_errors"], found["doubted"], found["doubted_among_exact"]) == (1, 2, 0.5)
    assert (found["found"], found["pieces"], found["recall"]) == (4, 5, 0.6)


def test_a_wrong_piece_is_flagged_by_a_doubt_that_names_it():
    found = summary([result((1, 2), (1, 5), 1)])
    assert (found["judged"], found["flagged"], found["wrong_not_flagged"]) == (2, 1, 0)


def test_a_doubt_about_another_piece_flags_no_misread_one():
    found = summary([result((1, 2), (1, 5), 0)])
    assert (found["flagged"], found["wrong_not_flagged"], found["silent_errors"]) == (1, 1, 0)


@pytest.mark.parametrize(("truth", "dice"), [((1, 2), (1,)), ((1,), (1, 2))])
def test_any_doubt_flags_what_is_missed_or_extra(truth: tuple[int, ...], dice: tuple[int, ...]):
    assert summary([result(truth, dice, None)])["wrong_not_flagged"] == 0
    assert summary([result(truth, dice)])["wrong_not_flagged_share"] == 0.5


def test_the_training_camera_is_told_apart():
    table = groups([result((1,), (1,)), result((1,), (2,), same=True)])
    assert len(table["pooled, without same_camera_as_train"]) == len(table["same_camera_as_train"]) == 1


def test_parts_of_a_folder_are_never_pooled():
    table = groups([tiles(((1, 2),), ((1, 2),), "board"), tiles(((1, 2),), (), "mixed")])
    assert {name: len(group) for name, group in table.items()} == {"board: pooled": 1, "mixed: pooled": 1}


def test_a_value_read_twice_is_right_once():
    assert sorted(confident_and_right([result((4,), (4, 4))])) == [(0.9, False), (0.9, True)]


def test_photos_with_ambiguous_dice_say_nothing_about_confidence():
    assert confident_and_right([result((4,), (4, 5), ambiguous=1)]) == []


def test_confusion_of_dice():
    counted = confusion([result((1, 6), (1, 4)), result((6,), (6,))])
    assert counted == {"d6": {"1": {"1": 1}, "6": {"4": 1, "6": 1}}}
    assert confused(counted["d6"])
    assert not confused({"6": {"6": 3}})


def test_confusion_of_ends_turns_the_tile_as_it_agrees_best():
    assert confusion([tiles(((2, 5),), ((5, 3),))]) == {"domino": {"2": {"3": 1}, "5": {"5": 1}}}
    assert confusion([tiles(((2, 5),), ((None, None),))])["domino"]["2"] == {"face-down": 1}


def test_what_was_seen_is_told_for_each_photo():
    figures = result((1, 2), (2, 5, 1), 0).to_json()
    assert (figures["truth"], figures["read"], figures["confidences"]) == ([1, 2], [1, 2, 5], [0.9, 0.9, 0.9])
    assert (figures["exact"], figures["right"], figures["extra"]) == (False, 2, 1)
    assert figures["kinds"] == ["d6", "d6", "d6"]
    assert "read_tiles" not in figures
    assert tiles(((5, 2),), ((5, 2), (None, None))).to_json()["read_tiles"] == ["face-down", "2-5"]


def test_confidences_are_rounded_as_readings_are_written():
    exact = Die(3, 0.123456, ((3, 0.123456),), BOX, "white")
    assert pieces_of(Reading("p", "0", 9, 9, (exact,), (), {}, {}))[0].confidence == 0.1235


def test_right_pieces_that_are_doubted_all_the_same():
    found = summary([result((1, 2), (1, 2), 0), result((3,), (4,), 0)])
    assert (found["right"], found["right_doubted"], found["right_doubted_share"]) == (2, 1, 0.5)


def test_a_piece_given_where_none_lies_is_sure_unless_a_doubt_names_it():
    found = summary([result((), (4,), 0), result((), (4,), None), result((), (4, 4)), result((), (), None)])
    assert (found["photos"], found["given"], found["given_sure"], found["silent_errors"]) == (4, 3, 2, 1)
    assert found["given_share"] == 0.75


def test_what_is_of_no_kind_that_lies_there_is_counted_apart():
    one = Truth(Path("f"), "f", "dice-dev", "s", (Piece("d6", (1,)),))
    clean, tile_too, die_too = read((1,), (), ()), read((1,), ((2, 5),), ()), read((1, 1), (), ())
    found = summary([result_of(one, each) for each in (clean, tile_too, die_too)])
    assert (found["photos"], found["exact"], found["exact_of_its_kinds"]) == (3, 1, 2)
