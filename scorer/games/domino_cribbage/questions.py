"""Domino Cribbage: the questions about its scores and its odds."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.advice import Advice
from scorer.engine.moment import Moment
from scorer.engine.parameters import parameter
from scorer.games.domino_cribbage.rules import Rules
from scorer.pieces.tiles import typed_tile


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a hand may have beside its values."""

    starter: str | None = parameter("the starter, such as 4-1, beside the four tiles", None, metavar="X")


@dataclass(frozen=True, slots=True, kw_only=True)
class DominoCribbageMoment(Moment[Rules]):
    """Choose the two tiles to lay in the crib.

    muggins advise domino-cribbage 3-0 4-0 3-1 3-2 6-6 0-0 --dealer
    """

    tiles: tuple[str, ...] = parameter(
        "the six tiles dealt to you, such as 3-0", at_most=6, metavar="TILE", on_table=True
    )
    dealer: bool = parameter("you are the dealer: the crib is yours", False)

    def advice(self, rules: Rules) -> Advice:
        """Which two tiles to lay in the crib."""
        from scorer.games.domino_cribbage.odds import discard

        return discard(rules, [typed_tile(text) for text in self.tiles], dealer=self.dealer)
