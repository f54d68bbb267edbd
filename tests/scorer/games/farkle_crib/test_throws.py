from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.farkle_crib.throws import ALL_BONUSES, Bonus, classic_points, set_asides
from scorer.pieces.dice import ThrowError
from scorer.pieces.set_asides import in_a_phrase, thrown
from tests.examples import examples

throws = st.lists(st.integers(1, 6), min_size=1, max_size=6)
switches = st.frozensets(st.sampled_from(Bonus))
TRIPLE = {1: 20, 2: 4, 3: 6, 4: 8, 5: 10, 6: 12}


def best(values: list[int], *bonuses: Bonus) -> int:
    return set_asides(values, bonuses)[0].points


def worths(values: list[int], *bonuses: Bonus) -> dict[tuple[int, ...], int]:
    return {tuple(sorted(choice.dice)): choice.points for choice in set_asides(values, bonuses)}


def partitions(dice: list[int]) -> Iterator[list[list[int]]]:
    """Every way to split the dice into groups."""
    if not dice:
        yield []
        return
    for size in range(len(dice)):
        for mates in combinations(range(1, len(dice)), size):
            group = [dice[0], *(dice[i] for i in mates)]
            rest = [dice[i] for i in range(1, len(dice)) if i not in mates]
            yield from ([group, *others] for others in partitions(rest))


def group_worth(group: list[int], bonuses: frozenset[Bonus]) -> int | None:
    """Points of dice under one line of the chart, or None. Written apart from the product's chart."""
    counts = sorted(Counter(group).values())
    kinds: dict[tuple[int, ...], tuple[Bonus, int]] = {
        (4,): (Bonus.FOUR_OF_A_KIND, TRIPLE[group[0]] + 10),
        (5,): (Bonus.FIVE_OF_A_KIND, TRIPLE[group[0]] + 15),
        (6,): (Bonus.SIX_OF_A_KIND, TRIPLE[group[0]] + 20),
        (2, 2, 2): (Bonus.THREE_PAIRS, 10),
        (1,) * 6: (Bonus.STRAIGHT, 25),
        (2, 3): (Bonus.FULL_HOUSE, 15),
    }
    if counts == [1]:
        return {1: 2, 5: 1}.get(group[0])
    if counts == [3]:
        return TRIPLE[group[0]]
    bonus, points = kinds.get(tuple(counts), (None, 0))
    return points if bonus in bonuses else None


def naive_worth(dice: list[int], bonuses: frozenset[Bonus]) -> int:
    """The best partition of exactly these dice; 0 when some die scores nothing. One triple of a value at most."""
    totals = [0]
    for groups in partitions(dice):
        worth = [group_worth(group, bonuses) for group in groups]
        triples = [group[0] for group in groups if len(group) == 3]
        if None not in worth and len(set(triples)) == len(triples):
            totals.append(sum(points for points in worth if points))
    return max(totals)


def naive_set_asides(values: list[int], bonuses: frozenset[Bonus]) -> dict[tuple[int, ...], int]:
    chosen = {tuple(sorted(s)) for size in range(1, len(values) + 1) for s in combinations(values, size)}
    return {dice: worth for dice in chosen if (worth := naive_worth(list(dice), bonuses))}


@examples(120)
@given(throws, switches)
def test_set_asides_agree_with_a_naive_search(values: list[int], bonuses: frozenset[Bonus]) -> None:
    assert worths(values, *bonuses) == naive_set_asides(values, bonuses)


@examples(80)
@given(throws.flatmap(lambda values: st.tuples(st.just(values), st.permutations(values))), switches)
def test_order_does_not_matter(pair: tuple[list[int], list[int]], bonuses: frozenset[Bonus]) -> None:
    assert worths(pair[0], *bonuses) == worths(pair[1], *bonuses)


@examples(80)
@given(throws, switches)
def test_choices_are_itemised_and_best_first(values: list[int], bonuses: frozenset[Bonus]) -> None:
    choices = set_asides(values, bonuses)
    assert [c.points for c in choices] == sorted((c.points for c in choices), reverse=True)
    assert len({tuple(sorted(c.dice)) for c in choices}) == len(choices)
    for choice in choices:
        assert tuple(values[i] for i in choice.indices) == choice.dice
        assert len(set(choice.indices)) == len(choice.dice) == len(values) - choice.left
        assert choice.points == sum(item.points for item in choice.items)


def test_the_example_of_the_text_with_its_erratum() -> None:
    assert worths([1, 2, 6, 3, 3, 3]) == {(1, 3, 3, 3): 8, (3, 3, 3): 6, (1,): 2}


def test_the_chart_of_the_text() -> None:
    assert {value: best([value] * 3) for value in range(1, 7)} == TRIPLE
    assert (best([5]), best([1])) == (1, 2)


def test_the_tip_of_the_text() -> None:
    assert worths([1, 1, 5, 5, 4, 6]) == {
        (1, 1, 5, 5): 6,
        (1, 1, 5): 5,
        (1, 1): 4,
        (1, 5, 5): 4,
        (1, 5): 3,
        (1,): 2,
        (5, 5): 2,
        (5,): 1,
    }


def test_a_triple_need_not_be_taken() -> None:
    assert worths([1, 1, 1, 2]) == {(1, 1, 1): 20, (1, 1): 4, (1,): 2}


@pytest.mark.parametrize(("count", "ones", "twos"), [(4, 22, 4), (5, 24, 4), (6, 26, 4)])
def test_basic_more_of_a_kind_is_one_triple_and_singles(count: int, ones: int, twos: int) -> None:
    assert (best([1] * count), best([2] * count)) == (ones, twos)


@pytest.mark.parametrize(
    ("values", "bonus", "without", "with_bonus"),
    [
        ([4, 4, 4, 4], Bonus.FOUR_OF_A_KIND, 8, 18),
        ([4] * 5, Bonus.FIVE_OF_A_KIND, 8, 23),
        ([4] * 6, Bonus.SIX_OF_A_KIND, 8, 28),
        ([1] * 6, Bonus.SIX_OF_A_KIND, 26, 40),
        ([1, 1, 5, 5, 4, 4], Bonus.THREE_PAIRS, 6, 10),
        ([1, 2, 3, 4, 5, 6], Bonus.STRAIGHT, 3, 25),
        ([2, 2, 3, 3, 3], Bonus.FULL_HOUSE, 6, 15),
        ([2, 2, 3, 3, 3, 1], Bonus.FULL_HOUSE, 8, 17),
    ],
)
def test_each_bonus_is_a_switch(values: list[int], bonus: Bonus, without: int, with_bonus: int) -> None:
    assert best(values) == best(values, *(ALL_BONUSES - {bonus, Bonus.FOUR_OF_A_KIND, Bonus.FIVE_OF_A_KIND})) == without
    assert best(values, bonus) == with_bonus


def test_four_and_two_are_not_three_pairs() -> None:
    assert set_asides([2, 2, 2, 2, 3, 3], [Bonus.THREE_PAIRS])[0].dice == (2, 2, 2)


def test_a_full_house_may_be_worth_less_than_its_triple() -> None:
    assert worths([1, 1, 1, 2, 2], Bonus.FULL_HOUSE)[(1, 1, 1, 2, 2)] == 15
    assert best([1, 1, 1, 2, 2], Bonus.FULL_HOUSE) == 20


def test_only_six_of_a_kind_under_its_bonus_is_the_bomb() -> None:
    assert [c.six_alike for c in set_asides([3] * 6, ALL_BONUSES)] == [True, False, False, False]
    assert not any(c.six_alike for c in set_asides([3] * 6))


def test_nothing_scores_is_a_farkle() -> None:
    assert set_asides([2, 3, 4, 6, 6, 2]) == ()


def test_hot_dice_are_all_of_the_throw() -> None:
    assert [c.hot for c in set_asides([1, 5])] == [True, False, False]
    assert not any(c.hot for c in set_asides([1, 4]))


def test_set_aside_dice_are_taken_out_by_value() -> None:
    together, alone = thrown([1, 3, 1, 5, 4, 6], [5, 1]), thrown([3, 1, 4, 6], [5, 1])
    assert (together, alone) == ((1, 2, 4, 5), (0, 1, 2, 3))
    assert set_asides([1, 3, 1, 5, 4, 6], set_aside=[5, 1])[0].indices == (2,)


def test_nothing_combines_across_throws() -> None:
    assert [c.points for c in set_asides([1, 1, 1, 2, 3, 4], set_aside=[1, 1])] == [2]


@pytest.mark.parametrize(
    ("values", "set_aside", "code"),
    [
        ([], [], "wrong-count"),
        ([1] * 7, [], "wrong-count"),
        ([1, 2, 3], [5], "wrong-count"),
        ([1] * 6, [1] * 6, "wrong-count"),
        ([1, 2, 3, 4, 6, 6], [5], "set-aside-not-there"),
        ([1, 7], [], "value-out-of-range"),
        ([1, 2, 3, 4, 6], [0], "value-out-of-range"),
    ],
)
def test_what_cannot_lie_there_is_refused(values: list[int], set_aside: list[int], code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        set_asides(values, set_aside=set_aside)
    assert refused.value.code == code


def test_classic_points_of_the_text() -> None:
    assert classic_points(best([4, 4, 4])) == 400


def test_a_set_aside_in_words() -> None:
    phrases = [in_a_phrase(set_asides(values)[0]) for values in ([3, 3, 3, 1], [5] * 4, [1] * 6, [1, 1, 5])]
    assert phrases == ["three 3s and a 1", "three 5s and one more 5", "three 1s and three more 1s", "two 1s and a 5"]
