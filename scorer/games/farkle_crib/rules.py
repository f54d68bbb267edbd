"""Farkle Cribbage: its options, named and defaulted as RULINGS has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

from scorer.engine.options import GameRules, any_of, choice, number, numbers, switch
from scorer.errors import RulesError
from scorer.games.farkle_crib.throws import Bonus

MOST_LANES = 8
THREE_FARKLES = "three-farkles"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """How a table plays Farkle Cribbage; the defaults are the basic game.

    Raises:
        RulesError: "bad-option", an option set to what it cannot be.
    """

    finish: int = number(
        121,
        "Be the first off the end of the board: with 120 holes, 121 or more is off, and the overshoot counts.",
        31,
        1000,
    )
    final_turns: Literal["same_round", "at_once"] = choice(
        "When a peg is off the board, the remaining players complete their final turn in that round (or it ends at once).",
        "same_round",
        "at_once",
    )
    tie: Literal["shared", "roll_off"] = choice(
        "The text names no tie-break: equal highest pegs share the win (or roll two dice off, highest wins).",
        "shared",
        "roll_off",
    )
    opening_roll: bool = switch(True, "Roll to determine who goes first: two dice each; off, the first player begins.")
    bonus: frozenset[str] = any_of(
        "Optional Bonus Scores: add one or more of these, your choice; six-of-a-kind is the Bomb.",
        (*(bonus.value for bonus in Bonus), THREE_FARKLES),
    )
    two_triples: bool = switch(
        False, "Triples score once; the text does not say whether six of a kind are two triples. True: they may be."
    )
    three_pairs_4_2: bool = switch(
        False, "Three Pairs, 10: the text does not say whether four of a kind and a pair are three pairs too."
    )
    bomb_exchange: Literal["end_turn_forfeit", "end_turn_bank", "continue"] = choice(
        "The Bomb may exchange your peg with the leader's; the text does not say what becomes of the turn: "
        "it ends and its other points are lost, it ends and they are pegged after the exchange, or it goes on.",
        "end_turn_forfeit",
        "end_turn_bank",
        "continue",
    )
    lanes: tuple[int, ...] = numbers(
        "One Peg per Hole: the lane of each player's peg, in order; pegs that share one stop short of a taken hole.",
        0,
        MOST_LANES - 1,
    )

    def for_players(self, players: int) -> Self:
        """The rules for a game of this many players: a single player does not roll for who goes first."""
        return replace(self, opening_roll=False) if players == 1 else self

    def without_effect(self) -> str | None:
        """Why an option that is set changes nothing."""
        if self.three_pairs_4_2 and Bonus.THREE_PAIRS not in self.bonus:
            return "three_pairs_4_2 has no effect without bonus=three-pairs: add that bonus."
        if self.bomb_exchange != "end_turn_forfeit" and Bonus.SIX_OF_A_KIND not in self.bonus:
            return f"bomb_exchange={self.bomb_exchange} has no effect without bonus=six-of-a-kind, the Bomb: add that bonus."
        if self.two_triples and Bonus.SIX_OF_A_KIND in self.bonus:
            return "two_triples has no effect with bonus=six-of-a-kind, which never scores less: choose one of the two."
        if self.tie == "roll_off" and self.final_turns == "at_once":
            return "tie=roll_off has no effect with final_turns=at_once, which leaves one peg ahead: choose one of the two."
        if self.lanes and len(set(self.lanes)) == len(self.lanes):
            return "lanes has no effect where every peg has a lane of its own: name shared lanes, like lanes=0,0."
        return None

    @property
    def chart_bonuses(self) -> frozenset[Bonus]:
        """The bonuses that are lines of the chart: all but three farkles in a row."""
        return frozenset(Bonus(name) for name in self.bonus if name != THREE_FARKLES)

    @property
    def three_farkles(self) -> bool:
        """Do three farkles in a row cost 10?"""
        return THREE_FARKLES in self.bonus

    def check_players(self, players: int) -> None:
        """Refuse a table that cannot play by these rules.

        Raises:
            RulesError: "bad-players", or "bad-option": `lanes` is for another number of players.
        """
        if players < 1:
            raise RulesError(
                "bad-players", "Farkle Cribbage is for any number of players, one for practice; not for none."
            )
        if self.lanes and len(self.lanes) != players:
            raise RulesError(
                "bad-option",
                f"lanes names {len(self.lanes)} of them for {players} players: name one for each player, or none.",
            )
