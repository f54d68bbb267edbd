from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import ThrowError
from scorer.pieces.melds import Hand, Meld, score, score_tiles
from scorer.pieces.text import in_words
from scorer.pieces.tiles import FULL_SET, Tile
from tests.examples import examples

hands = st.lists(st.integers(1, 13), min_size=0, max_size=6)


def named(hand: Hand | Hand[str]) -> list[tuple[str, int]]:
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


@examples(150)
@given(hands)
def test_total_agrees_with_a_naive_count(values: list[int]) -> None:
    assert score(values).total == naive_total(values)


@examples(50)
@given(hands.flatmap(lambda values: st.tuples(st.just(values), st.permutations(values))))
def test_order_does_not_matter(pair: tuple[list[int], list[int]]) -> None:
    assert sorted(named(score(pair[0]))) == sorted(named(score(pair[1])))


@examples(50)
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


# The worked examples of the Cribbage Dice text: the throw, and the points it states for each kind of meld.
DICE = [
    ([2, 6, 6, 8, 9], {"fifteen": 4}),
    ([2, 3, 5, 11, 12], {"fifteen": 8}),
    ([4, 4, 4], {"three of a kind": 6}),
    ([4, 4, 4, 4], {"four of a kind": 12}),
    ([4, 4, 4, 4, 4], {"five of a kind": 20}),
    ([3, 4, 5, 9, 11], {"run of three": 3}),
    ([9, 10, 11, 12], {"run of four": 4}),
    ([3, 4, 4, 5], {"run of three": 6, "pair": 2}),
    ([1, 2, 2, 3, 4], {"run of four": 8, "pair": 2}),
    ([9, 9, 9, 10, 11], {"run of three": 9, "three of a kind": 6}),
    ([9, 9, 10, 10, 11], {"run of three": 12, "pair": 4}),
    ([5, 4, 10, 10, 11], {"fifteen": 6}),
    ([5, 10, 10, 10, 11], {"fifteen": 8, "three of a kind": 6}),
]


@pytest.mark.parametrize(("values", "stated"), DICE)
def test_worked_examples_of_cribbage_dice(values: list[int], stated: dict[str, int]) -> None:
    found: Counter[str] = Counter()
    for name, points in named(score(values)):
        found[name] += points
    assert stated.items() <= found.items()


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([3, 4, 4, 5], 8),
        ([1, 2, 2, 3, 4], 10),
        ([9, 9, 9, 10, 11], 15),
        ([9, 9, 10, 10, 11], 16),
        ([5, 10, 10, 10, 11], 14),
        ([5, 5, 5, 5, 5], 40),
    ],
)
def test_whole_totals_of_cribbage_dice(values: list[int], total: int) -> None:
    assert score(values).total == total


def tiles(text: str) -> list[Tile]:
    return [Tile.parse(tile) for tile in text.split()]


def test_bells_hand_is_16() -> None:
    hand = score_tiles(tiles("3-0 4-0 3-1 3-2 4-1"))
    assert hand.total == 16
    runs = {frozenset(meld.pieces) for meld in hand.melds if meld.name == "run of three"}
    assert runs == {
        frozenset({"3-0", "4-0", "4-1"}),
        frozenset({"3-0", "3-1", "4-1"}),
        frozenset({"3-0", "3-1", "3-2"}),
        frozenset({"4-0", "3-2", "3-0"}),
    }
    assert [meld.name for meld in hand.melds].count("pair") == 2
    assert hand.aloud().startswith("a pair is two, a pair is four, a run of three is seven, ")


def test_the_double_blank_makes_a_second_fifteen() -> None:
    hand = tiles("0-0 6-2 6-1 6-6 1-0")
    assert [meld.pieces for meld in score_tiles(hand).melds] == [("6-1", "6-2"), ("0-0", "6-1", "6-2")]
    assert [meld.pieces for meld in score_tiles(hand, blank_in_fifteens=False).melds] == [("6-1", "6-2")]
    assert score_tiles(tiles("0-0 1-0 2-0"), blank_in_fifteens=False).total == 3  # a blank may run


def test_tiles_count_their_total_in_a_fifteen() -> None:
    assert score_tiles(tiles("6-6 2-1")).aloud() == "fifteen two"
    assert score_tiles(tiles("6-5 3-2")).total == 0


@examples(100)
@given(st.permutations(FULL_SET), st.booleans())
def test_tiles_agree_with_a_naive_count(drawn: list[Tile], blank: bool) -> None:
    values = [tile.pips for tile in drawn[:5]]
    subsets = [chosen for size in range(1, 6) for chosen in combinations(values, size)]
    fifteens = sum(sum(chosen) == 15 and (blank or 0 not in chosen) for chosen in subsets)
    # The other melds do not know what counts in a fifteen: a count without fifteens of its own.
    others = naive_total(values) - 2 * sum(sum(min(value, 10) for value in chosen) == 15 for chosen in subsets)
    assert score_tiles(drawn[:5], blank_in_fifteens=blank).total == 2 * fifteens + others


def test_the_same_tile_twice_is_refused() -> None:
    with pytest.raises(ThrowError, match="The tile 3-0 is named twice") as refused:
        score_tiles(tiles("3-0 4-0 0-3 3-2 4-1"))
    assert refused.value.code == "same-tile-twice"


def test_a_meld_in_a_line() -> None:
    assert score([5, 10]).melds[0].text == "fifteen (5-10): 2 points"
    assert score_tiles(tiles("6-6 2-1")).melds[0].text == "fifteen (2-1 6-6): 2 points"
    assert Meld("his nobs", ("JC",), (3,), 1).text == "his nobs (JC): 1 point"


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
