"""Farkle: its options. Every house scores a little differently; the defaults are the scoring that all of them share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.engine.options import GameRules, choice, number, switch
from scorer.errors import RulesError

UNIT = 50
"""All points are multiples of it, and the lowest score, a 5, is worth one unit."""
LIGHTEST_TRIPLES = 500
"""The lowest score of two triples without a bonus of their own: three 2s and three 3s."""
FEWEST_PLAYERS = 2
_POINTS = ("target", "opening_score", "straight", "three_pairs", "two_triplets", "three_farkles")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """How a table plays Farkle.

    Raises:
        RulesError: "bad-option": an option set to what it cannot be, or one that has no effect with the others.
    """

    target: int = number(
        10_000,
        "The score that begins the end of the game; many tables play to 5,000 or 20,000.",
        500,
        100_000,
        (500, 2000, 10_000),
    )
    final_turns: Literal["last_turn", "same_round", "at_once"] = choice(
        "When a player reaches the target, every other player has one last turn; or the round is played out; or it ends.",
        "last_turn",
        "same_round",
        "at_once",
    )
    opening_score: int = number(
        0,
        "On the board: a player without points must make at least so many in one turn to keep them; often 500.",
        0,
        5000,
        (0, 500),
    )
    of_a_kind: Literal["triples", "doubled", "added", "thousands"] = choice(
        "Four, five and six of a kind: as triples and single dice; each die beyond three doubles the triple, or adds it "
        "once more; or 1,000, 2,000 and 3,000.",
        "triples",
        "doubled",
        "added",
        "thousands",
    )
    straight: int = number(
        0, "1-2-3-4-5-6 in one throw; often 1,500, or 2,500; 0: no score of its own.", 0, 5000, (0, 1500)
    )
    three_pairs: int = number(
        0, "Three pairs in one throw; often 1,500, or 750; 0: no score of its own.", 0, 5000, (0, 1500)
    )
    four_and_two: bool = switch(False, "Four of a kind and a pair are three pairs too.")
    two_triplets: int = number(
        0, "Two threes of a kind in one throw; often 2,500; 0: no score of its own.", 0, 5000, (0, 1500)
    )
    three_farkles: int = number(
        0,
        "The third farkle in a row costs so many points, not below nothing; often 1,000; 0: nothing.",
        0,
        5000,
        (0, 1000),
    )
    opening_roll: bool = switch(
        True, "Each player rolls one die, and the highest begins; off, the first player begins."
    )

    def __post_init__(self) -> None:
        GameRules.__post_init__(self)
        odd = next((name for name in _POINTS if getattr(self, name) % UNIT), None)
        if odd is not None:
            raise RulesError("bad-option", f"{odd} must be a multiple of {UNIT}, got {getattr(self, odd)}.")

    def without_effect(self) -> str | None:
        """Why an option that is set changes nothing."""
        if self.four_and_two and not self.three_pairs:
            return "four_and_two has no effect without three_pairs: give that its points too."
        if 0 < self.opening_score <= UNIT:
            return f"opening_score={self.opening_score} has no effect, for any score is at least that: set it higher, or to 0."
        if 0 < self.two_triplets <= LIGHTEST_TRIPLES:
            return f"two_triplets={self.two_triplets} has no effect, for two triplets score that anyway: set it higher, or to 0."
        return None

    def check_players(self, players: int) -> None:
        """Refuse a table that cannot play.

        Raises:
            RulesError: "bad-players".
        """
        if players < FEWEST_PLAYERS:
            raise RulesError("bad-players", f"Farkle is for {FEWEST_PLAYERS} players or more, not {players}.")
