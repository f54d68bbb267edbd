"""The options of Domino Cribbage. Source: its text, and RULINGS, "Domino Cribbage".

The options of other games on a cribbage board have nothing to decide here: the first to reach the target wins at once,
so there are no final turns and no ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.engine.options import GameRules, choice, number, switch
from scorer.errors import RulesError

THE_DEAL = "Domino Cribbage, The Deal"
THE_PLAY = "Domino Cribbage, The Play"
SCORING = "Domino Cribbage, Scoring"
IN_PLAY = "Domino Cribbage, Scores made during play"
AFTER_PLAY = "Domino Cribbage, Scores made after the play"
WHO_DEALS = "Muggins's rulings, All games on a cribbage board: who goes first"

TARGETS = (61, 121)
"""Once round the board, and twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """How a table plays Domino Cribbage.

    Raises:
        RulesError: "bad-option", an option set to what it cannot be.
    """

    target: int = number(
        61,
        "The first to get 61 points wins, once round the board; 121, twice round, is also possible; nothing between.",
        low=TARGETS[0],
        high=TARGETS[1],
    )
    opening_roll: bool = switch(
        True,
        "The text names no way to choose the dealer: highest pip total drawn deals first; false: the first player deals.",
    )
    play_scope: Literal["shared", "own"] = choice(
        'Pairs and runs in the play count tiles "whether yours or your opponent\'s", yet also "own exposed tiles" only.',
        "shared",
        "own",
    )
    blank_rescore: bool = switch(
        True, "2 points for bringing the total to exactly fifteen; here also for 0-0 that leaves it there."
    )
    blank_in_fifteens: bool = switch(
        True, "2 points for any combination of tiles that total to fifteen; 0-0 added makes a second one."
    )

    def __post_init__(self) -> None:
        GameRules.__post_init__(self)
        if self.target not in TARGETS:
            raise RulesError("bad-option", f"target cannot be {self.target}: it is 61 (once round the board) or 121.")
