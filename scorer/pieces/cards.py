"""Standard cribbage hands of playing cards: four cards and the starter.

Source: the Domino Cribbage text, whose "Comments & Strategy" tabulates these hands, with the scores that every edition
of the card game gives: fifteens, pairs, runs, a flush of four in hand or of five with the starter (in the crib only of
five), and one for his nobs, the jack of the starter's suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from scorer.errors import ThrowError
from scorer.pieces.melds import NOBS, Hand, Meld, refuse_twice, score
from scorer.pieces.text import in_words

SUITS = "CDHS"
RANKS = tuple(range(1, 14))
JACK = 11
IN_HAND = 4
_LETTERS = {1: "A", JACK: "J", 12: "Q", 13: "K"}
_RANK_OF = {_LETTERS.get(rank, str(rank)): rank for rank in RANKS} | {"T": 10}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A playing card, written "5H", "10C" or "JS".

    Attributes:
        rank: 1 (ace) to 13 (king).
        suit: one of "C", "D", "H", "S".
        name: the card as it is written.
    """

    rank: int
    suit: str
    name: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.rank not in RANKS or self.suit not in SUITS or len(self.suit) != 1:
            _no_card(f"rank {self.rank!r} of suit {self.suit!r}")
        # Stored, because every score of a hand reads it from each card.
        object.__setattr__(self, "name", f"{_LETTERS.get(self.rank, self.rank)}{self.suit}")

    def __str__(self) -> str:
        return self.name

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written "5H", "10C" (or "TC"), "JC", "AS"; lower case is fine, too.

        Raises:
            ThrowError: "no-card".
        """
        rank, suit = _RANK_OF.get(text[:-1].upper()), text[-1:].upper()
        if rank is None or suit not in SUITS:
            _no_card(repr(text))
        return cls(rank, suit)


DECK = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
"""The 52 cards, aces first."""


def score_cards(hand: Sequence[Card], starter: Card | None, *, crib: bool = False) -> Hand[str]:
    """Everything four cards and the starter score; indices count into the hand, the starter coming last.

    Args:
        hand: the four cards of a hand or of the crib.
        starter: the card turned up; None scores the four alone, which earn neither nobs nor a crib's flush.
        crib: the four are the crib, whose flush needs the starter too.

    Raises:
        ThrowError: "wrong-count" or "same-card-twice".
    """
    _check_count(hand)
    cards = [*hand] if starter is None else [*hand, starter]
    names = [card.name for card in cards]
    refuse_twice(names, "card")
    ranks = [card.rank for card in cards]
    plain = score(ranks, pieces=names)
    by_suits = [*_flush(cards, crib), *(_nobs(names) if JACK in ranks else ())]
    return Hand(plain.values, (*plain.melds, *by_suits)) if by_suits else plain


def _check_count(hand: Sequence[Card]) -> None:
    """Refuse anything but four cards.

    Raises:
        ThrowError: "wrong-count".
    """
    if len(hand) != IN_HAND:
        raise ThrowError(
            "wrong-count",
            f"A hand is {in_words(IN_HAND)} cards and the starter. You gave {in_words(len(hand))}. "
            "Give four, and the starter separately.",
        )


def _flush(cards: Sequence[Card], crib: bool) -> list[Meld[str]]:
    suit = cards[0].suit
    if not suit == cards[1].suit == cards[2].suit == cards[3].suit:
        return []
    size = len(cards) if cards[-1].suit == suit else IN_HAND
    if crib and size == IN_HAND:
        return []
    return [Meld(f"flush of {in_words(size)}", tuple(card.name for card in cards[:size]), tuple(range(size)), size)]


def _nobs(names: Sequence[str]) -> list[Meld[str]]:
    jack = f"J{names[-1][-1]}"
    if len(names) == IN_HAND or jack not in names[:IN_HAND]:
        return []
    return [Meld(NOBS, (jack,), (names.index(jack),), 1)]


def _no_card(text: str) -> NoReturn:
    raise ThrowError(
        "no-card", f"{text} is no card: write its rank (A, 2 to 10, J, Q, K) and its suit (C, D, H, S), like 5H."
    )
