from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.melds import Hand, score
from scorer.words import in_words

hands = st.lists(st.integers(1, 13), min_size=0, max_size=6)


def named(hand: Hand) -> list[tuple[str, int]]:
    return [(meld.name, meld.points) for meld in hand.melds]


def naive_total(values: list[int]) -> int:
    """Fifteens by sums, pairs two by two, runs as sets of places that no longer run contains."""
    places = range(len(values))
    subsets = [chosen for size in range(1, len(values) + 1) for chosen in combinations(places, size)]
    fifteens = sum(2 for chosen in subsets if sum(min(values[i], 10) for i in chosen) == 15)
    pairs = sum(2 for a, b in combinations(values, 2) if a == b)
    runs = [chosen for chosen in subsets if len(chosen) >= 3 and is_run([values[i] for i in chosen])]
    maximal = [run for run in runs if not any(set(run) < set(other) for other in runs)]
    return fifteens + pairs + sum(len(run) for run in maximal)


def is_run(values: list[int]) -> bool:
    ordered = sorted(values)
    return all(b - a == 1 for a, b in pairwise(ordered))


@settings(max_examples=150, deadline=None)
@given(hands)
def test_total_agrees_with_a_naive_count(values: list[int]) -> None:
    assert score(values).total == naive_total(values)


@settings(max_examples=50, deadline=None)
@given(hands.flatmap(lambda values: st.tuples(st.just(values), st.permutations(values))))
def test_order_does_not_matter(pair: tuple[list[int], list[int]]) -> None:
    assert sorted(named(score(pair[0]))) == sorted(named(score(pair[1])))


@settings(max_examples=50, deadline=None)
@given(hands)
def test_melds_name_the_pieces_they_are_made_of(values: list[int]) -> None:
    for meld in score(values).melds:
        assert meld.pieces == tuple(values[index] for index in meld.indices)
        assert len(set(meld.indices)) == len(meld.indices)


def test_a_run_is_maximal() -> None:
    assert named(score([3, 4, 5, 6])) == [("fifteen", 2), ("run of four", 4)]


def test_no_run_wraps() -> None:
    assert score([11, 12, 1]).total == 0


def test_equal_dice_count_up_to_five_of_a_kind() -> None:
    assert [score([4] * count).total for count in range(1, 6)] == [0, 2, 6, 12, 20]


def test_what_counts_in_a_fifteen_is_a_parameter() -> None:
    assert score([5, 11]).total == 2
    assert score([4, 11], counts_as=lambda value: value).total == 2
    assert score([5, 11], counts_as=lambda value: value).total == 0


def test_counting_aloud() -> None:
    assert score([10, 5, 11, 12]).aloud() == "fifteen two, fifteen four, fifteen six, and a run of three is nine"
    assert score([7, 8, 8, 9]).aloud() == (
        "fifteen two, fifteen four, a pair is six, a run of three is nine, and a run of three is twelve"
    )
    assert score([4, 5, 6, 10]).aloud() == "fifteen two, fifteen four, and a run of three is seven"
    assert score([9, 9]).aloud() == "a pair is two"
    assert score([9, 12]).aloud() == "nothing"


def test_numbers_in_words() -> None:
    assert [in_words(n) for n in (0, 12, 20, 29, 40, 99, 100)] == [
        "nothing",
        "twelve",
        "twenty",
        "twenty-nine",
        "forty",
        "ninety-nine",
        "100",
    ]
