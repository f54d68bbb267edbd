import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.crib_dice.throws import chart, points_to_choose, throw_on
from scorer.pieces.dice import ThrowError
from tests.examples import examples

seven = st.lists(st.integers(1, 6), min_size=7, max_size=7)
FIVES = {2: 2, 3: 5, 4: 10, 5: 15, 6: 20, 7: 25}


def offers(values: list[int]) -> list[tuple[int, int, int]]:
    return [(meld.pieces[0], len(meld.pieces), meld.points) for meld in points_to_choose(values)]


def test_the_scoring_chart_of_the_text() -> None:
    assert {count: chart(5, count) for count in range(2, 8)} == FIVES


def test_the_chart_is_literal() -> None:
    assert (chart(1, 2), chart(1, 3), chart(1, 7)) == (2, 1, 5)
    assert [chart(value, 2) for value in range(1, 7)] == [2] * 6


@pytest.mark.parametrize(("value", "count"), [(0, 2), (7, 2), (5, 1), (5, 8)])
def test_the_chart_has_no_other_lines(value: int, count: int) -> None:
    with pytest.raises(ValueError, match="no line"):
        chart(value, count)


def test_tips_of_the_text() -> None:
    assert offers([6, 6, 6, 6, 6, 1, 3]) == [(6, 5, 18)]
    assert offers([4, 4, 4, 5, 5, 3, 1]) == [(4, 3, 4), (5, 2, 2)]


def test_first_throw_of_the_example() -> None:
    assert offers([5, 5, 2, 2, 1, 4, 6]) == [(5, 2, 2), (2, 2, 2)]
    assert [meld.indices for meld in points_to_choose([5, 5, 2, 2, 1, 4, 6])] == [(0, 1), (2, 3)]


@examples(100)
@given(seven)
def test_every_pair_is_offered_and_all_matching_dice_are_frozen(values: list[int]) -> None:
    found = offers(values)
    assert found
    assert {(value, count) for value, count, _ in found} == {
        (v, values.count(v)) for v in values if values.count(v) > 1
    }
    assert [worth for *_, worth in found] == sorted((worth for *_, worth in found), reverse=True)


def test_second_throw_of_the_example() -> None:
    alone = throw_on([5, 1, 6, 6, 6], point=5, frozen=2)
    assert (alone.outcome, alone.frozen, alone.total, alone.adds, alone.joined) == ("safe", 3, 5, 3, (0,))
    together = throw_on([6, 5, 1, 5, 6, 5, 6], point=5, frozen=2)
    assert (together.outcome, together.total, together.thrown) == ("safe", 5, (0, 2, 4, 5, 6))
    assert together.joined == (5,)


def test_a_1_is_safe_but_does_not_join() -> None:
    throw = throw_on([1, 1, 6, 2], point=5, frozen=3)
    assert (throw.outcome, throw.frozen, throw.total, throw.adds, throw.joined) == ("safe", 3, 5, 0, ())


def test_neither_the_point_nor_a_1_is_a_wipeout() -> None:
    throw = throw_on([2, 3, 4, 6], point=5, frozen=3)
    assert (throw.outcome, throw.total, throw.adds) == ("wipeout", 0, -5)


def test_a_third_1_costs_a_point() -> None:
    throw = throw_on([1, 2, 3, 4, 6], point=1, frozen=2)
    assert (throw.outcome, throw.total, throw.adds) == ("safe", 1, -1)


def test_seven_of_a_kind_rolls_over() -> None:
    throw = throw_on([4, 4, 4], point=4, frozen=4)
    assert (throw.outcome, throw.frozen, throw.total) == ("rollover", 7, 20)


@examples(150)
@given(st.integers(1, 6), st.integers(2, 4), st.data())
def test_a_photo_of_the_thrown_dice_and_one_of_all_seven_agree(point: int, frozen: int, data: st.DataObject) -> None:
    dice = data.draw(st.lists(st.integers(1, 6), min_size=7 - frozen, max_size=7 - frozen))
    everything = data.draw(st.permutations(dice + [point] * frozen))
    alone, together = throw_on(dice, point, frozen), throw_on(everything, point, frozen)
    assert (alone.outcome, alone.frozen, alone.total) == (together.outcome, together.frozen, together.total)
    assert sorted(everything[i] for i in together.thrown) == sorted(dice)
    assert (alone.outcome == "wipeout") == (point not in dice and 1 not in dice)


@pytest.mark.parametrize("frozen", [5, 6])
@pytest.mark.parametrize(
    ("dice", "outcome", "total_at_five"),
    [((2, 3), "piddle-won", 15), ((5, 3), "piddle-won", 15), ((3, 3), "piddle-lost", 0), ((5, 5), "piddle-again", 15)],
)
def test_the_basic_piddle(frozen: int, dice: tuple[int, int], outcome: str, total_at_five: int) -> None:
    throw = throw_on(dice, point=5, frozen=frozen)
    expected = total_at_five + 5 * (frozen - 5) if total_at_five else 0
    assert (throw.outcome, throw.frozen, throw.total) == (outcome, frozen, expected)


def test_piddle_points_of_the_text() -> None:
    one = throw_on([4, 2], point=4, frozen=5, piddle_points=True)
    assert (one.outcome, one.frozen, one.total) == ("piddle-won", 6, 16)
    two = throw_on([4, 4], point=4, frozen=5, piddle_points=True)
    assert (two.outcome, two.frozen, two.total) == ("piddle-again", 7, 20)


@pytest.mark.parametrize(("dice", "outcome"), [((4, 2), "piddle-won"), ((4, 4), "piddle-again")])
def test_piddle_points_stop_at_seven(dice: tuple[int, int], outcome: str) -> None:
    for frozen in (6, 7):
        throw = throw_on(dice, point=4, frozen=frozen, piddle_points=True)
        assert (throw.outcome, throw.frozen, throw.total) == (outcome, 7, 20)


def test_piddle_points_are_lost_with_the_piddle() -> None:
    assert throw_on([1, 1], point=4, frozen=7, piddle_points=True).total == 0


@pytest.mark.parametrize(
    ("frozen", "piddle_points", "shown"),
    [(5, False, 7), (6, False, 7), (6, False, 8), (5, True, 7), (6, True, 8), (7, True, 7), (7, True, 8)],
)
def test_a_piddle_with_the_frozen_dice_in_the_picture(frozen: int, piddle_points: bool, shown: int) -> None:
    throw = throw_on([5] * (shown - 2) + [1, 2], point=5, frozen=frozen, piddle_points=piddle_points)
    assert throw.outcome == "piddle-won"
    assert throw.thrown == (shown - 2, shown - 1)


@pytest.mark.parametrize(
    ("shown", "frozen", "piddle_points"),
    [
        (0, 2, False),
        (6, 2, False),
        (8, 2, False),
        (1, 6, False),
        (3, 5, False),
        (8, 5, False),
        (9, 6, False),
        (7, 6, True),
        (9, 5, True),
    ],
)
def test_a_count_that_does_not_fit_is_refused(shown: int, frozen: int, piddle_points: bool) -> None:
    with pytest.raises(ThrowError) as refused:
        throw_on([5] * shown, point=5, frozen=frozen, piddle_points=piddle_points)
    assert refused.value.code == "wrong-count"


@pytest.mark.parametrize(
    ("values", "point", "frozen", "code"),
    [
        ([5, 5, 1, 2, 3, 4, 6], 5, 3, "set-aside-not-there"),
        ([5, 1, 6, 6, 7], 5, 2, "value-out-of-range"),
        ([5, 1, 6, 6, 6], 7, 2, "bad-point"),
        ([5, 1, 6, 6, 6], 5, 1, "bad-frozen"),
        ([5, 1], 5, 8, "bad-frozen"),
        ([5, 1], 5, 7, "already-rolled-over"),
    ],
)
def test_what_cannot_lie_there_is_refused(values: list[int], point: int, frozen: int, code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        throw_on(values, point, frozen)
    assert refused.value.code == code


@pytest.mark.parametrize("count", [0, 5, 6, 8])
def test_the_first_throw_is_seven_dice(count: int) -> None:
    with pytest.raises(ThrowError, match="seven") as refused:
        points_to_choose([1] * count)
    assert refused.value.code == "wrong-count"
