import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import ThrowError
from scorer.pieces import batch
from scorer.pieces.batch import RANKS, RANKS_WITH_SUB_RUNS, TILES, TILES_WITHOUT_BLANK, Values, totals
from scorer.pieces.melds import itself, score
from tests.examples import examples


def itemised(hand: list[int], values: Values) -> int:
    """The slow path's total of one hand."""
    if values.ten_at_most:
        return score(hand, sub_runs=values.sub_runs).total
    counts_as = itself if values.blank_in_fifteens else lambda value: value or 16
    return score(hand, counts_as).total


@pytest.mark.parametrize("values", [RANKS, RANKS_WITH_SUB_RUNS, TILES, TILES_WITHOUT_BLANK])
def test_every_hand_has_the_total_of_its_items(values: Values) -> None:
    hands = batch.multisets() + np.uint8(values.lowest)
    assert totals(hands, values).tolist() == [itemised(hand, values) for hand in hands.tolist()]


@examples(30)
@given(st.sampled_from([RANKS, TILES, TILES_WITHOUT_BLANK]), st.randoms(use_true_random=False))
def test_the_order_within_a_hand_does_not_matter(values: Values, chance) -> None:
    hands = batch.multisets() + np.uint8(values.lowest)
    shuffled = np.random.default_rng(chance.getrandbits(32)).permuted(hands, axis=1)
    assert (totals(shuffled, values) == totals(hands, values)).all()


def test_the_table_has_every_hand_of_13_values() -> None:
    assert batch.table(RANKS).shape == (371_293,)
    assert batch.table(RANKS).dtype == np.uint8
    assert int(batch.table(RANKS).max()) == 40  # five 5s


@pytest.mark.parametrize("count", [0, 1, batch._CHUNK - 1, batch._CHUNK, batch._CHUNK + 1, 3 * batch._CHUNK + 7])
def test_hands_of_any_number_keep_their_places(count: int) -> None:
    hands = np.random.default_rng(count).integers(1, 14, (count, 5), dtype=np.uint8)
    found = totals(hands)
    assert found.dtype == np.uint8
    assert found.shape == (count,)
    spots = range(0, count, max(1, count // 50))
    assert [int(found[spot]) for spot in spots] == [score(hands[spot].tolist()).total for spot in spots]


def test_hands_need_not_lie_in_one_piece() -> None:
    wide = np.random.default_rng(3).integers(1, 14, (200, 10), dtype=np.uint8)
    assert (totals(wide[::2, ::2]) == totals(np.ascontiguousarray(wide[::2, ::2]))).all()


def test_the_double_blank_makes_a_second_fifteen_or_none() -> None:
    hand = np.array([[0, 7, 8, 2, 4]], np.uint8)
    assert totals(hand, TILES).tolist() == [4]
    assert totals(hand, TILES_WITHOUT_BLANK).tolist() == [2]


@pytest.mark.parametrize(
    ("values", "wrong", "span"), [(RANKS, 0, "1 to 13"), (RANKS, 14, "1 to 13"), (TILES, 13, "0 to 12")]
)
def test_a_value_out_of_range_is_refused_by_its_hand(values: Values, wrong: int, span: str) -> None:
    hands = np.full((3 * batch._CHUNK, 5), 5, np.uint8)
    hands[2 * batch._CHUNK + 9, 3] = wrong
    with pytest.raises(ThrowError, match=f"Hand {2 * batch._CHUNK + 9} .* holds {wrong}: .* from {span}"):
        totals(hands, values)


@pytest.mark.parametrize(
    "hands",
    [np.ones((3, 4), np.uint8), np.ones(5, np.uint8), np.ones((3, 5), np.int64), [[1, 2, 3, 4, 5]]],
)
def test_what_is_no_array_of_hands_is_refused(hands) -> None:
    with pytest.raises(ThrowError, match=r"uint8\[N, 5\]"):
        totals(hands)
