"""The options of Cribbage Dice."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.options import GameRules, choice, number, switch
from scorer.errors import RulesError
from scorer.games.cribbage_dice.throws import HAND, MOST, WITH_EXTRAS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """How a table plays Cribbage Dice.

    Source: the Cribbage Dice text with its optional rules, and RULINGS, "Cribbage Dice". `target` and `finish_round`
    are what `finish` and `final_turns` are in the other games on a cribbage board. A `round_limit` is played instead of
    a target that is not named: `target` is 0 then. `dataclasses.replace` names every option, the target too.

    Raises:
        RulesError: "bad-option": an option set to what it cannot be, or nothing that would ever end the game.
    """

    target: int = number(
        90,
        "The first to reach 90 points wins, or any number you like; 0: no goal, the round limit alone ends the game.",
        0,
        1000,
    )
    finish_round: bool = switch(
        False, "Finish the Round: once somebody reaches the target the round is played out, and the highest score wins."
    )
    round_limit: int = number(
        0,
        "Round Limit: a set number of rounds instead of a target; one named beside it ends the game earlier. 0: none.",
        0,
        1000,
        instead_of="target",
    )
    once_kept: bool = switch(
        False, "Once kept, always kept: dice kept after a roll stay kept for the rest of the turn."
    )
    seven_dice: bool = switch(
        False, "Roll Two Extra Dice: seven dice are rolled, and two are discarded after the final roll."
    )
    seven_keep_starter: bool = switch(
        True, "Silent on whether the starter of seven dice may be discarded. True: it stays; false: it may be."
    )
    sub_runs: bool = switch(
        False,
        "Runs are the longest there are, so 3-4-5-6 is one run of four; on: the two runs of three in it score, too.",
    )
    tie: str = choice(
        "Silent on equal high scores at the end: they share the win, or the tied players roll one die, high roll wins.",
        "shared",
        "roll_off",
    )
    opening_roll: bool = switch(
        True,
        "Each player rolls one die, the high roll goes first; false: the first player, already agreed upon, goes first.",
    )

    def __post_init__(self) -> None:
        GameRules.__post_init__(self)
        if not self.target and not self.round_limit:
            raise RulesError(
                "bad-option", "With target=0 and round_limit=0 the game would never end: set one of the two."
            )

    def without_effect(self) -> str | None:
        """Why an option that is set changes nothing."""
        if self.finish_round and not self.target:
            return "finish_round has no effect without a target: rounds are played out anyway."
        if self.round_limit and self.target > MOST * self.round_limit:
            return (
                f"target={self.target} has no effect with round_limit={self.round_limit}, in which nobody scores so much: "
                "lower the target, or play more rounds."
            )
        if not self.seven_keep_starter and not self.seven_dice:
            return "seven_keep_starter=false has no effect with five dice: add seven_dice=true."
        if self.tie == "roll_off" and not (self.finish_round or self.round_limit):
            return "tie=roll_off has no effect where the first at the target wins: add finish_round or a round_limit."
        return None

    @property
    def dice(self) -> int:
        """How many dice are thrown at first, the starter among them."""
        return WITH_EXTRAS if self.seven_dice else HAND
