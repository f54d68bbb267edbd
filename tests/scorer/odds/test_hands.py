import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from scorer.odds.hands import Distribution, cards, d12, dominoes
from scorer.pieces.cards import DECK

# Score and number of hands: the thirty rows of the card table in the Domino Cribbage text, "Comments & Strategy".
# fmt: off
TABLE = {
    0: 1009008, 1: 99792, 2: 2813796, 3: 505008, 4: 2855676, 5: 697508, 6: 1800268, 7: 751324, 8: 1137236, 9: 361224,
    10: 388740, 11: 51680, 12: 317340, 13: 19656, 14: 90100, 15: 9168, 16: 58248, 17: 11196, 18: 2708, 19: 0,
    20: 8068, 21: 2496, 22: 444, 23: 356, 24: 3680, 25: 0, 26: 0, 27: 0, 28: 76, 29: 4,
}
# fmt: on


def by_sums_and_ranks(values: tuple[int, ...], counts: list[int]) -> int:
    """Fifteens, pairs and runs counted with nothing of the product: sums by growing a list, runs along the values."""
    sums = Counter([0])
    for count in counts:
        sums += Counter({before + count: ways for before, ways in sums.items()})
    held = Counter(values)
    points = 2 * sums[15] + sum(count * (count - 1) for count in held.values())
    length, ways = 0, 1
    for value in range(15):
        if held[value]:
            length, ways = length + 1, ways * held[value]
            continue
        points += length * ways if length > 2 else 0
        length, ways = 0, 1
    return points


def histogram(scores: Counter[int]) -> dict[int, int]:
    return {score: scores[score] for score in range(max(scores) + 1)}


def naive_cards(ranks: tuple[int, ...]) -> dict[int, int]:
    """Every five cards of a deck of these ranks, every one of them the starter once."""
    scores: Counter[int] = Counter()
    deck = [(rank, suit) for rank in ranks for suit in "CDHS"]
    for five in combinations(deck, 5):
        values = tuple(rank for rank, _ in five)
        plain = by_sums_and_ranks(values, [min(rank, 10) for rank in values])
        for starter in five:
            hand = [card for card in five if card != starter]
            flush = (5 if hand[0][1] == starter[1] else 4) if len({suit for _, suit in hand}) == 1 else 0
            scores[plain + flush + ((11, starter[1]) in hand)] += 1
    return histogram(scores)


def test_the_card_table_of_the_text_row_for_row() -> None:
    found = cards()
    assert found.counts == TABLE
    assert found.total == 12_994_800
    assert found.maximum == 29
    assert found.mean == Fraction(sum(score * count for score, count in TABLE.items()), 12_994_800)


@pytest.mark.parametrize("ranks", [(4, 5, 6, 11), (1, 9, 10, 11, 13), (5, 10, 11, 12)])
def test_small_decks_agree_with_every_hand_dealt(ranks: tuple[int, ...]) -> None:
    assert cards(ranks).counts == naive_cards(ranks)


def test_the_real_deck_is_the_one_counted() -> None:
    assert len(DECK) == 52
    assert cards().total == len(DECK) * 51 * 50 * 49 * 48 // 24


@pytest.mark.parametrize("blank", [True, False])
def test_domino_hands_agree_with_every_set_of_five_tiles(blank: bool) -> None:
    totals = [high + low for high in range(7) for low in range(high + 1)]
    scores: Counter[int] = Counter()
    for hand in combinations(totals, 5):
        scores[by_sums_and_ranks(hand, [total or (0 if blank else 99) for total in hand])] += 1
    found = dominoes(blank_in_fifteens=blank)
    assert found.counts == histogram(scores)
    assert found.total == 98_280
    assert found.maximum == 24


def test_d12_hands_agree_with_every_throw() -> None:
    """Every throw is made; those with the same values in another order are counted together."""
    scores: Counter[int] = Counter()
    throws = np.indices((12,) * 5, dtype=np.uint8).reshape(5, -1).T + np.uint8(1)
    for values, ways in Counter(map(bytes, np.sort(throws, axis=1))).items():
        scores[by_sums_and_ranks(tuple(values), [min(value, 10) for value in values])] += ways
    found = d12()
    assert found.counts == histogram(scores)
    assert found.total == 248_832
    assert (found.maximum, found.counts[40]) == (40, 1)
    assert found.mean == Fraction(41431, 7776)


def test_json_holds_every_row() -> None:
    plain = dominoes().to_json()
    assert plain["total"] == sum(plain["histogram"].values()) == 98_280
    assert list(plain["histogram"]) == [str(score) for score in range(25)]
    assert plain["mean_exact"] == "277337/49140"
    assert plain["mean"] == pytest.approx(277337 / 49140)
    assert plain["maximum"] == 24


def test_mean_and_maximum_of_a_handful() -> None:
    small = Distribution({0: 1, 1: 0, 2: 3})
    assert (small.total, small.mean, small.maximum) == (4, Fraction(3, 2), 2)


def test_the_card_table_needs_no_more_than_numpy() -> None:
    code = "import sys, scorer.odds.hands as hands; hands.cards(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "numpy" in loaded
    assert not {"cv2", "onnxruntime", "fastapi", "rich", "api", "vision"} & set(loaded)
