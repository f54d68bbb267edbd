from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Move
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.cribbage_dice.odds import advise
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.throws import keeps
from scorer.pieces.dice import ThrowError
from scorer.pieces.melds import score
from tests.examples import examples


def total(values: list[int]) -> int:
    return keeps(values)[0].hand.total


def names(values: list[int]) -> list[str]:
    return [meld.name for meld in keeps(values)[0].hand.melds]


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ([5, 10, 10, 10, 11], 14),
        ([9, 9, 10, 10, 11], 16),
        ([9, 9, 9, 10, 11], 15),
        ([5, 5, 5, 5, 5], 40),
        ([9, 10, 11, 12, 1], 4),
    ],
)
def test_hands_of_the_text(values: list[int], points: int) -> None:
    assert total(values) == points


@pytest.mark.parametrize(
    ("values", "fifteens"),
    [([2, 6, 6, 8, 9], 2), ([2, 3, 5, 11, 12], 4), ([5, 4, 10, 10, 11], 3), ([5, 7, 10, 10, 11], 3)],
)
def test_fifteens_of_the_text(values: list[int], fifteens: int) -> None:
    assert names(values).count("fifteen") == fifteens


@pytest.mark.parametrize(
    ("melds", "points"),
    [([4, 4, 4], 6), ([4] * 4, 12), ([3, 4, 4, 5], 8), ([3, 4, 4, 5, 6], 10), ([9, 10, 11, 12], 4)],
)
def test_pairs_and_runs_of_the_text(melds: list[int], points: int) -> None:
    found = score(melds).melds
    assert sum(meld.points for meld in found if meld.name != "fifteen") == points


def test_run_of_the_text() -> None:
    # The text says 3 points "for the run"; the fifteen of 4 and 11 comes on top.
    assert [(m.name, m.points) for m in keeps([3, 4, 5, 9, 11])[0].hand.melds if m.name != "fifteen"] == [
        ("run of three", 3)
    ]


def test_best_five_of_seven() -> None:
    best, *rest = keeps([5, 1, 5, 12, 5, 5, 11])
    assert (best.hand.values, best.discarded) == ((5, 5, 5, 5, 11), (1, 3))
    assert best.hand.total == 28
    assert rest


@examples(60)
@given(st.lists(st.integers(1, 12), min_size=7, max_size=7), st.data())
def test_keeps_agree_with_enumeration(values: list[int], data: st.DataObject) -> None:
    starter = data.draw(st.one_of(st.none(), st.sampled_from(values)))
    naive = {tuple(sorted(five)): score(five).total for five in combinations(values, 5)}
    naive = {five: points for five, points in naive.items() if starter is None or starter in five}
    found = keeps(values, starter)
    assert {tuple(sorted(keep.hand.values)): keep.hand.total for keep in found} == naive
    assert len(found) == len(naive)
    assert found[0].hand.total == max(naive.values())


@examples(40)
@given(st.lists(st.integers(1, 12), min_size=7, max_size=7))
def test_melds_count_into_the_whole_throw(values: list[int]) -> None:
    for keep in keeps(values):
        assert sorted(keep.indices + keep.discarded) == list(range(7))
        for meld in keep.hand.melds:
            assert meld.pieces == tuple(values[index] for index in meld.indices)
            assert set(meld.indices) <= set(keep.indices)


def test_the_starter_stays_and_earns_nothing() -> None:
    without, starred = keeps([5, 10, 10, 10, 11, 1, 12])[0], keeps([5, 10, 10, 10, 11, 1, 12], starter=1)[0]
    assert 1 not in without.hand.values
    assert 1 in starred.hand.values
    assert keeps([5, 10, 10, 10, 11], starter=11)[0].hand.total == 14


@pytest.mark.parametrize(
    ("values", "starter", "code"),
    [
        ([], None, "wrong-count"),
        ([1] * 6, None, "wrong-count"),
        ([1, 2, 3, 4, 13], None, "value-out-of-range"),
        ([1, 2, 3, 4, 0], None, "value-out-of-range"),
        ([1, 2, 3, 4, 5], 6, "starter-not-there"),
    ],
)
def test_what_is_no_hand_is_refused(values: list[int], starter: int | None, code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        keeps(values, starter)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("values", "longest", "with_sub_runs"),
    [
        # One run of four, or with the two runs of three in it.
        ([3, 4, 5, 6, 12], 4, 4 + 3 + 3),
        # One run of five, two of four, three of three.
        ([8, 9, 10, 11, 12], 5, 5 + 2 * 4 + 3 * 3),
        # The pair makes two runs of four, and doubles each run of three that it is in: 2-3-4 twice, 3-4-5 twice.
        ([2, 3, 3, 4, 5], 2 * 4, 2 * 4 + 4 * 3),
        # Of three there is nothing inside.
        ([7, 8, 9, 12, 12], 3, 3),
    ],
)
def test_runs_inside_longer_runs_score_as_the_table_agrees(values: list[int], longest: int, with_sub_runs: int) -> None:
    def runs(sub_runs: bool) -> int:
        melds = keeps(values, sub_runs=sub_runs)[0].hand.melds
        return sum(meld.points for meld in melds if meld.name.startswith("run"))

    assert (runs(False), runs(True)) == (longest, with_sub_runs)


def test_sub_runs_count_in_a_game_and_in_its_advice() -> None:
    game = CribbageDice()
    for rules, points in ((Rules(), 5), (Rules(sub_runs=True), 22)):
        state = game.start(replace(rules, opening_roll=False), 2)
        state = game.apply(state, Move.parse("throw 8 9 10 11 12")).state
        assert {str(offer.move): offer.points for offer in game.offers(state)}["stop"] == points
        assert game.score((8, 9, 10, 11, 12), rules).total == points
        stop = next(one for one in advise(rules, 8, (9, 10, 11, 12), 0).alternatives if one.move == "stop")
        assert stop.worth == points
