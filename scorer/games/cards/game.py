"""Hands of playing cards, as something that is only counted; see `worth`."""

from __future__ import annotations

from typing import Any

from scorer.engine import expected
from scorer.engine.scored import HandCounts, Scored
from scorer.engine.worth import Worth
from scorer.games.cards import shapes
from scorer.games.cards.worth import CardRules, ScoreOptions, worth
from scorer.games.registry import register


class Cards(Scored[CardRules]):
    """Four cards and the starter."""

    name = "cards"
    title = "Cribbage hands of playing cards"
    rules = CardRules
    pieces = expected.pieces("card", at_most=5)
    photographed = False
    shapes = (shapes.Cards,)
    score_options = ScoreOptions
    hands_title = "card hands"

    def score(self, pieces: tuple[Any, ...], rules: CardRules, **options: Any) -> Worth:
        """What a hand or a crib scores, see `worth.worth`."""
        return worth(pieces, rules, **options)

    def hands(self, rules: CardRules) -> HandCounts:  # noqa: ARG002
        """The distribution of the scores of all hands."""
        from scorer.odds.hands import cards

        return cards()


register(Cards())
