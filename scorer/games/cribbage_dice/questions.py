"""Cribbage Dice: the questions about its scores and its odds."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.advice import Advice
from scorer.engine.moment import Moment, TurnOdds, WholeTurn
from scorer.engine.parameters import parameter
from scorer.errors import ThrowError
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import ROLLS
from scorer.games.cribbage_dice.throws import FACES, WITH_EXTRAS

_BESIDE_STARTER = WITH_EXTRAS - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a hand may have beside its values."""

    starter: int | None = parameter(
        "the value of the starter die, if not the odd-coloured one", None, least=1, most=FACES, metavar="X"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageDiceMoment(Moment[Rules]):
    """Choose the dice to keep, or stop; after the last roll of seven dice, the two to discard.

    muggins advise cribbage-dice 4 10 10 11 --starter 5 --rolls-left 2
    """

    dice: tuple[int, ...] = parameter(
        "the dice on the table, without the starter",
        least=1,
        most=FACES,
        at_most=_BESIDE_STARTER,
        metavar="DIE",
        on_table=True,
    )
    starter: int = parameter("the value of the starter die", least=1, most=FACES, metavar="V")
    rolls_left: int = parameter(f"rolls you have left, 0 to {ROLLS - 1}", least=0, most=ROLLS - 1)
    kept: tuple[int, ...] = parameter(
        "with the option once_kept=true: dice kept earlier, such as 10-10",
        (),
        least=1,
        most=FACES,
        at_most=_BESIDE_STARTER,
        metavar="DICE",
    )

    def advice(self, rules: Rules) -> Advice:
        """Which dice to keep."""
        from scorer.games.cribbage_dice.odds import advise

        if self.kept and not rules.once_kept:
            raise ThrowError(
                "option-without-effect",
                "kept has no effect without the option once_kept=true: kept dice may be rolled again. Omit it.",
            )
        return advise(rules, self.starter, self.dice, self.rolls_left, self.kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageDiceTurn(WholeTurn[Rules]):
    """A whole turn of Cribbage Dice."""

    rolls: int = parameter(f"rolls in the turn, 1 to {ROLLS}", ROLLS, least=1, most=ROLLS)

    def odds(self, rules: Rules) -> TurnOdds:
        """Its worth with every starter."""
        from scorer.games.cribbage_dice.odds import turn

        return turn(rules, self.rolls)
