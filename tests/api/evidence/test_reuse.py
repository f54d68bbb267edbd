"""A throw counts once, however its photo comes back."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest

from api.evidence.bundle import Evidence
from api.evidence.findings import Verdict
from api.evidence.reuse import Layout, is_older, same_layout, same_throw
from api.evidence.verify import verify
from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.api.evidence.conftest import begun, typed, zipped
from vision.reading import Die, Quad, Reading

TURN = complex(0.97, 0.24)


def box(place: complex, side: float = 60) -> Quad:
    x, y, half = place.real, place.imag, side / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def reading(places: list[complex], values: list[int], sha256: str) -> Reading:
    dice = tuple(
        Die(value, 0.99, ((value, 0.99),), box(place), "white", "d6")
        for place, value in zip(places, values, strict=True)
    )
    return Reading(
        "photo", sha256 * 64, 1600, 1200, dice=dice, tiles=(), doubts=(), models={"any": "a" * 64}, timings_ms={}
    )


def thrown(seed: int, count: int = 6) -> tuple[list[complex], list[int]]:
    random = Random(seed)
    places = [complex(random.uniform(100, 1500), random.uniform(100, 1100)) for _ in range(count)]
    return places, [random.randint(1, 6) for _ in range(count)]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("moved", [1, 0.5, TURN, -1j], ids=["as it was", "smaller", "turned", "on its side"])
def test_a_throw_saved_anew_cropped_scaled_or_turned_is_the_same(seed: int, moved: complex) -> None:
    places, values = thrown(seed)
    random = Random(seed)
    again = [400 + 300j + moved * place + complex(random.gauss(0, 2), random.gauss(0, 2)) for place in places]
    order = random.sample(range(len(again)), len(again))
    other = reading([again[at] for at in order], [values[at] for at in order], "b")
    assert same_layout(reading(places, values, "a"), other)


def test_other_throws_of_the_same_values_are_others() -> None:
    alike = 0
    for seed in range(300):
        places, values = thrown(seed, 4)
        others, _ = thrown(seed + 1000, 4)
        alike += same_layout(reading(places, values, "a"), reading(others, values, "b"))
    assert alike <= 2


@pytest.mark.parametrize("seed", range(20))
def test_a_throw_that_is_shown_in_a_mirror_is_the_same(seed: int) -> None:
    places, values = thrown(seed)
    assert same_layout(
        reading(places, values, "a"), reading([1600 - place.conjugate() for place in places], values, "b")
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [(900, 900), (1600, 900), (1200, 1200)], ids=["narrower", "lower", "a square"])
@pytest.mark.parametrize("turned", [False, True], ids=["upright", "on its side"])
def test_a_throw_whose_picture_was_stretched_is_the_same(seed: int, size: tuple[int, int], turned: bool) -> None:
    places, values = thrown(seed)
    random = Random(seed)
    wide, high = size[0] / 1600, size[1] / 1200
    again = [complex(wide * z.real + random.gauss(0, 2), high * z.imag + random.gauss(0, 2)) for z in places]
    again = [complex(size[1] - z.imag, z.real) for z in again] if turned else again
    width, height = size[::-1] if turned else size
    other = replace(reading(again, values, "b"), width=width, height=height)
    assert same_layout(reading(places, values, "a"), other)


@pytest.mark.parametrize("count", [3, 4, 6])
def test_a_throw_is_rarely_another_one_stretched(count: int) -> None:
    alike = 0
    for seed in range(300):
        (places, _), (others, _) = thrown(seed, count), thrown(seed + 1000, count)
        alike += same_layout(reading(places, [*range(1, count + 1)], "a"), reading(others, [*range(1, count + 1)], "b"))
    assert alike <= 3


def test_one_die_is_the_same_only_in_the_same_file() -> None:
    places, values = thrown(1, 1)
    one, other = reading(places, values, "a"), reading(places, values, "b")
    assert not same_throw(one, other)
    assert same_throw(one, replace(other, sha256=one.sha256))


def test_two_dice_are_the_same_where_they_lie_in_the_same_place_of_the_picture() -> None:
    places, values = thrown(1, 2)
    one = reading(places, values, "a")
    smaller = replace(reading([0.5 * place + 1 - 2j for place in places], values, "b"), width=800, height=600)
    assert same_throw(one, smaller)
    assert not same_throw(one, reading([place + 40 for place in places], values, "b"))


@pytest.mark.parametrize("count", [2, 3, 6])
def test_the_shape_of_a_throw_stays_within_its_tolerance(count: int) -> None:
    """Or the store would not find it again."""
    same = 0
    for seed in range(300):
        places, values = thrown(seed, count)
        random = Random(seed)
        noise = 4 if count == 2 else 12
        again = [place + complex(random.gauss(0, noise), random.gauss(0, noise)) for place in places]
        one, other = Layout.of(reading(places, values, "a")), Layout.of(reading(again, values, "b"))
        if one.is_as(other):
            same += 1
            assert one.names == other.names
            assert abs(one.shape - other.shape) <= one.tolerance
    assert 30 < same < 300, "some are as far apart as they may be, some farther"


def test_a_layout_is_kept_as_json() -> None:
    layout = Layout.of(reading(*thrown(3), "a"))
    assert Layout.from_json(json.loads(json.dumps(layout.to_json()))).is_as(layout)


# In a record


def played(record: Record, seen: Reading, at: str) -> Record:
    move = "throw " + " ".join(str(die.value) for die in seen.dice)
    return record.play(Move.parse(move), at=at, seen=seen.to_json())


def codes(record: Record) -> set[str]:
    return {finding.code for finding in verdict(record).findings if finding.level == "warning"}


def verdict(record: Record) -> Verdict:
    return verify(BytesIO(zipped(Evidence(record))), None)


@pytest.fixture
def farkle() -> Record:
    """Both throws to come are farkles, so that one player follows the other."""
    return begun("farkle-crib", "opening_roll=false")


FARKLE = [2, 3, 3, 4, 6, 6]


def minute(at: int) -> str:
    return f"2026-11-21T20:{at:02}:00+00:00"


@pytest.mark.parametrize(("sha", "shift"), [("a", 0), ("b", 40 + 25j)], ids=["the same file", "the same cropped"])
def test_a_photo_that_was_played_for_both_players_is_to_be_looked_at(farkle: Record, sha: str, shift: complex) -> None:
    places, _ = thrown(5)
    first = reading(places, FARKLE, "a")
    again = reading([place + shift for place in places], FARKLE, sha)
    record = played(played(farkle, first, minute(16)), again, minute(17))
    assert "photo-again" in codes(record)


def test_two_throws_and_one_taken_back_and_played_again_are_none_of_that(farkle: Record) -> None:
    one, other = reading(thrown(5)[0], FARKLE, "a"), reading(thrown(6)[0], FARKLE, "b")
    record = played(played(farkle, one, minute(16)), other, minute(17))
    assert "photo-again" not in codes(record)
    again = played(played(farkle, one, minute(16)).undo(at=minute(17)), one, minute(18))
    assert "photo-again" not in codes(again)


def test_a_photo_that_is_confirmed_again_within_the_same_second_is_to_be_looked_at(farkle: Record) -> None:
    first = reading(thrown(5)[0], FARKLE, "a")
    at_once = played(farkle, first, minute(16))
    move = at_once.moves[0]
    again = at_once.play(move, at=minute(16), seen=first.to_json(), corrected={"confirmed": "photo-again"})
    assert "photo-again" in codes(again)
    between = at_once.play(move, at=minute(16)).play(move, at=minute(16), seen=first.to_json())
    assert "photo-again" in codes(between)


def test_moves_of_one_photo_that_was_played_once_are_none_of_that(farkle: Record) -> None:
    first = reading(thrown(5)[0], FARKLE, "a")
    assert "photo-again" not in codes(played(played(farkle, first, minute(16)), first, minute(16)))


def test_times_that_run_backwards_are_named(farkle: Record) -> None:
    record = typed(farkle, "throw 2 3 3 4 6 6").play(Move.parse("throw 2 3 3 4 6 6"), at="2026-11-21T19:00:00+00:00")
    assert "time-backwards" in codes(record)
    assert "time-backwards" not in codes(typed(farkle, "throw 2 3 3 4 6 6"))


@pytest.mark.parametrize(
    ("taken", "older"),
    [
        ("2026-11-21T20:10:00+00:00", True),
        ("2026-11-21T21:10:00+01:00", True),
        ("2026-11-21T20:14:00+00:00", False),
        ("2026-11-21T20:16:00+00:00", False),
        ("2026-11-21T20:10:00", False),
        ("", False),
        ("yesterday", False),
    ],
    ids=["older", "in another zone", "clocks differ", "newer", "no zone", "unknown", "no time"],
)
def test_a_photo_is_older_than_a_move_beyond_what_clocks_differ_by(taken: str, older: bool) -> None:
    assert is_older(taken, "2026-11-21T20:15:00+00:00") is older
