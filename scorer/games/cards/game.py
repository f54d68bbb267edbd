"""Hands of playing cards, as something to count; see `worth`."""

from __future__ import annotations

from typing import Any

from scorer.engine import expected
from scorer.engine.scored import Scored
from scorer.engine.worth import Worth
from scorer.games.cards.worth import CardRules, worth
from scorer.games.registry import register


class Cards(Scored[CardRules]):
    """Four cards and the starter."""

    name = "cards"
    title = "Cribbage hands of playing cards"
    rules = CardRules
    pieces = expected.pieces("card", at_most=5)
    photographed = False
    score_options = frozenset({"starter"})

    def score(self, pieces: tuple[Any, ...], rules: CardRules, **options: Any) -> Worth:
        """What a hand or a crib scores, see `worth.worth`."""
        return worth(pieces, rules, **options)


register(Cards())
