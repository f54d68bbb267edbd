import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import ThrowError
from scorer.pieces.batch import total_cards
from scorer.pieces.cards import DECK, Card, score_cards
from scorer.pieces.melds import Hand
from tests.examples import examples


def counted(text: str, *, crib: bool = False) -> Hand[str]:
    """The hand written "5H 5D 5S JC + 5C", the starter last."""
    hand, _, starter = text.partition("+")
    up = Card.parse(starter.strip()) if starter else None
    return score_cards([Card.parse(card) for card in hand.split()], up, crib=crib)


def naive_total(hand: list[Card], starter: Card, crib: bool) -> int:
    """Every subset looked at by itself; a run counts when no other rank of the hand continues it."""
    ranks = [card.rank for card in (*hand, starter)]
    subsets = [chosen for size in range(2, 6) for chosen in combinations(ranks, size)]
    points = 2 * sum(sum(min(rank, 10) for rank in chosen) == 15 for chosen in subsets)
    points += 2 * sum(chosen[0] == chosen[1] for chosen in subsets if len(chosen) == 2)
    for chosen in map(sorted, subsets):
        lowest, highest = chosen[0], chosen[-1]
        if (
            len(chosen) > 2
            and chosen == list(range(lowest, highest + 1))
            and not {lowest - 1, highest + 1} & set(ranks)
        ):
            points += len(chosen)
    suits = {card.suit for card in hand}
    if len(suits) == 1:
        points += 5 if starter.suit in suits else 0 if crib else 4
    return points + sum(card.name == f"J{starter.suit}" for card in hand)


@examples(200)
@given(st.permutations(DECK), st.booleans())
def test_both_paths_agree_with_a_naive_count(deck: list[Card], crib: bool) -> None:
    hand, starter = deck[:4], deck[4]
    expected = naive_total(hand, starter, crib)
    assert score_cards(hand, starter, crib=crib).total == expected
    assert total_cards(hand, starter, crib=crib) == expected


@examples(100)
@given(st.sampled_from("CDHS"), st.randoms(use_true_random=False), st.booleans())
def test_flushes_and_nobs_agree_with_a_naive_count(suit: str, chance: random.Random, crib: bool) -> None:
    hand = chance.sample([card for card in DECK if card.suit == suit], 4)
    starter = chance.choice([card for card in DECK if card not in hand])
    expected = naive_total(hand, starter, crib)
    assert score_cards(hand, starter, crib=crib).total == total_cards(hand, starter, crib=crib) == expected


def test_the_best_hand_is_29() -> None:
    hand = counted("5H 5D 5S JC + 5C")
    assert hand.total == 29
    assert [meld.name for meld in hand.melds] == ["fifteen"] * 8 + ["four of a kind", "his nobs"]
    assert hand.aloud().endswith("fifteen sixteen, four of a kind is twenty-eight, and one for his nobs is twenty-nine")
    assert counted("5H 5D 5S 5C + JC").total == 28


def test_melds_name_the_cards_and_where_they_lie() -> None:
    hand = counted("5H 10C JS AD + KD")
    assert hand.values == (5, 10, 11, 1, 13)
    assert [(meld.pieces, meld.indices) for meld in hand.melds] == [
        (("5H", "10C"), (0, 1)),
        (("5H", "JS"), (0, 2)),
        (("5H", "KD"), (0, 4)),
    ]
    assert hand.melds[0].text == "fifteen (5H 10C): 2 points"


def test_a_flush_is_four_in_hand_or_five_with_the_starter_and_in_the_crib_only_five() -> None:
    four, five = "2H 4H 6H 8H + KS", "2H 4H 6H 8H + KH"
    assert counted(four).aloud() == "a flush of four is four"
    assert counted(five).aloud() == "a flush of five is five"
    assert counted(five).melds[0].pieces == ("2H", "4H", "6H", "8H", "KH")
    assert counted(four, crib=True).total == 0
    assert counted(five, crib=True).total == 5
    assert counted("2H 4H 6H 8S + KH").total == 0


def test_his_nobs_is_the_jack_in_hand_of_the_starters_suit() -> None:
    assert counted("JH 2S 4D 8C + KH").aloud() == "one for his nobs is one"
    assert counted("JH 2S 4D 8C + KS").total == 0
    assert counted("KH 2S 4D 8C + JH").total == 0


def test_without_a_starter_the_four_are_scored_alone() -> None:
    hand = counted("4H 5H 6H JH")
    assert hand.aloud() == "fifteen two, fifteen four, a run of three is seven, and a flush of four is eleven"
    assert total_cards([Card(rank, "H") for rank in (4, 5, 6, 11)], None) == 11
    assert counted("4H 5H 6H JH", crib=True).total == 7


def test_every_card_is_read_back_from_its_text() -> None:
    assert [Card.parse(str(card)) for card in DECK] == list(DECK)
    assert len(set(map(str, DECK))) == 52
    assert Card.parse("TC") == Card.parse("10c") == Card(10, "C")


@pytest.mark.parametrize("text", ["", "5", "H", "1H", "11H", "5X", "5 H", "H5", "5HD", "\u0665H"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ThrowError, match="is no card: write its rank") as refused:
        Card.parse(text)
    assert refused.value.code == "no-card"


@pytest.mark.parametrize(("rank", "suit"), [(0, "C"), (14, "C"), (5, "h"), (5, ""), (5, "CD")])
def test_a_card_of_no_deck_is_refused(rank: int, suit: str) -> None:
    with pytest.raises(ThrowError, match="is no card"):
        Card(rank, suit)


@pytest.mark.parametrize("scored", [score_cards, total_cards])
def test_a_hand_that_no_deck_deals_is_refused(scored) -> None:
    with pytest.raises(ThrowError, match="The card 5H is named twice") as twice:
        scored([Card.parse(card) for card in ("5H", "6H", "7H", "8H")], Card.parse("5H"))
    assert twice.value.code == "same-card-twice"
    for count in (0, 3, 5):
        with pytest.raises(ThrowError, match="A hand is four cards") as wrong:
            scored(list(DECK[:count]), DECK[51])
        assert wrong.value.code == "wrong-count"
