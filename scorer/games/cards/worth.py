"""What a hand of playing cards is worth: four cards and the starter, counted.

Source: the Domino Cribbage text, which tabulates these hands; see `scorer.pieces.cards`.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.options import GameRules, switch
from scorer.engine.parameters import parameter
from scorer.engine.worth import Worth, counted, hand_table
from scorer.pieces.cards import Card, score_cards


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRules(GameRules):
    """How the cards are counted.

    Raises:
        RulesError: "bad-option", an option set to what it cannot be.
    """

    crib: bool = switch(
        False, "A flush of four counts in a hand; in the crib only five of a suit, starter included, do."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a hand may have beside its values."""

    starter: str | None = parameter("the card turned up, such as 5C", None, metavar="X")


def worth(pieces: tuple[str, ...], rules: CardRules, starter: str | None = None) -> Worth:
    """What a hand or a crib scores.

    Args:
        pieces: four cards, written like "5H".
        rules: are they the crib?
        starter: the card turned up; without it the four count by themselves.

    Raises:
        ThrowError: "no-card", "wrong-count" or "same-card-twice".
    """
    cards = [Card.parse(piece) for piece in pieces]
    turned = None if starter is None else Card.parse(starter)
    hand = score_cards(cards, turned, crib=rules.crib)
    names = tuple(map(str, cards if turned is None else [*cards, turned]))
    missing = " without a starter" if turned is None else ""
    table = hand_table(f"Cribbage: {' '.join(names)}{missing}", "Cards", hand, " ".join)
    return counted("cards", names, hand, table, starter=None if turned is None else str(turned))
