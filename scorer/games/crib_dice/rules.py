"""The options of Crib Dice: both editions, the advanced and the alternate rules, and what RULINGS leaves to the table.

Source: the Crib Dice text, V 2.1 and the damaged other edition (Howard Fosdick); RULINGS, "All games on a cribbage
board" and "Crib Dice", which names every default here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from scorer.engine.options import GameRules, choice, number, numbers, switch
from scorer.errors import RulesError
from scorer.games.crib_dice.throws import Doubles
from scorer.pieces.text import listed

TITLE = "Crib Dice"
OPENING = f"{TITLE}, Play: who goes first"
PLAY = f"{TITLE}, Play"
PIDDLE = f"{TITLE}, Piddle and Rollover"
SEVEN = f"{TITLE}, Automatic Rollover"
CHART = f"{TITLE}, Scoring Chart"
FUCHLE = f"{TITLE}, Fuchle"
GAME_END = f"{TITLE}, Game End"
BOMB = f"{TITLE}, The Bomb"
PIDDLE_POINTS = f"{TITLE}, Piddle Points"
DOUBLE_FUCHLE = f"{TITLE}, Double Fuchle"
SKUNK = f"{TITLE}, Skunk and Double-Skunk"
BUMPING = f"{TITLE}, One Peg per Hole"
LOSER = f"{TITLE}, Find a Loser"
FREEZING = "Muggins's rulings, Crib Dice: freeze_all"
ROLLING = "Muggins's rulings, Crib Dice: roll_at_five_or_six"
TIES = "Muggins's rulings, All games on a cribbage board: tie"

ADVANCED = ("piddle_points", "bomb", "double_fuchle", "skunk", "bumping")
SHORTEST, LONGEST = 2, 1000
MOST_SINGLES = 5
_PARTNERS_OF = {4: 2, 6: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """The rules of one game of Crib Dice. Without arguments it is the basic game of V 2.1.

    Raises:
        RulesError: "bad-option": a value that an option cannot have, or options that contradict each other.
    """

    edition: Literal["v2.1", "other"] = choice(
        "Which text is played; the other edition has no advanced rules but the bomb, and doubles of the point in a "
        "piddle never score.",
        "v2.1",
        "other",
    )
    finish: int = number(121, "A cribbage board: 120 holes; a peg at 121 or more is off the board.", SHORTEST, LONGEST)
    final_turns: Literal["same_round", "at_once"] = choice(
        "Game End: all remaining players complete their final turn in the round in which a peg leaves the board.",
        "same_round",
        "at_once",
    )
    tie: Literal["shared", "roll_off"] = choice(
        "The text is silent on equal totals: they share the win, or the tied players roll two dice, highest wins.",
        "shared",
        "roll_off",
    )
    opening_roll: bool = switch(True, "Roll two dice, highest total goes first; off: the first player leads.")
    freeze_all: bool = switch(
        True,
        "A player freezes any dice matching the point: all of them; off: two or more at first, later at least one.",
    )
    piddle_fail_counts: bool = switch(True, "A wipeout is a turn without score: a failed piddle is one.")
    fuchle_at_start: bool = switch(True, "Fuchle: the third wipeout in a row fuchles a peg at the start, too.")
    piddle_points: bool = switch(False, "Advanced: dice of the point in a piddle count, up to seven of a kind.")
    piddle_double_point: Literal["auto", "no_result", "seven_then_reroll", "seven_then_rollover"] = choice(
        "Doubles of the point in a piddle are no result, roll again; with piddle points they score for seven of a "
        "kind, and then both are rolled again or it is a rollover. Auto: seven_then_reroll with piddle points, "
        "no_result without.",
        "auto",
        "no_result",
        "seven_then_reroll",
        "seven_then_rollover",
    )
    roll_at_five_or_six: bool = switch(
        False,
        "With five or six frozen a player stops or piddles; on: the remaining two dice or one may be rolled instead, as "
        "any throw on the point.",
    )
    stop_after_piddle: bool = switch(
        False, "After a won piddle the seven dice must be rolled; on: the player may stop there."
    )
    bomb: bool = switch(
        False,
        "Advanced: six 1s as the point may exchange pegs with the leader; at five the bomb is announced before the "
        "piddle.",
    )
    bomb_fail_counts: bool = switch(True, "A failed bomb scores no points for the turn: that is a wipeout.")
    bomb_scores_points: bool = switch(
        False, "A bomb exchanges pegs instead of scoring; on: what was frozen before the bomb is pegged after it."
    )
    double_fuchle: bool = switch(False, "Advanced: two more wipeouts while off the board by a fuchle eliminate.")
    skunk: bool = switch(
        False, "Advanced: not half way round when another wins loses 2 games; fuchled and off the board loses 4."
    )
    double_skunk_unmoved: bool = switch(
        False, "Off the board means fuchled: a peg that never left the start is skunked only; on: it loses 4, too."
    )
    bumping: bool = switch(False, "Advanced: a peg that comes to a taken hole of its lane sends the other 5 back.")
    lanes: tuple[int, ...] = numbers(
        "Ideally one lane for each player: the lane of each side in turn, like 0,0,1; nothing: one each.",
        0,
        MOST_SINGLES - 1,
    )
    find_a_loser: bool = switch(
        False, "Alternate: finished pegs leave play until one is left on the board, who loses, at once."
    )
    long_game: bool = switch(False, "Alternate: double the distance to the finish and to the skunk line.")
    partners: bool = switch(False, "Alternate: 4 or 6 players in pairs, seated alternately, one peg for each pair.")
    pandemonium: bool = switch(False, "Alternate: five 1s are a bomb, the fourth wipeout fuchles, the sixth is out.")

    def __post_init__(self) -> None:
        # No zero-argument super(): the class that `slots` makes is not the one this method was compiled in.
        GameRules.__post_init__(self)
        self._check_edition()
        if self.piddle_double_point.startswith("seven") and not self.piddle_points:
            raise RulesError(
                "bad-option",
                f"piddle_double_point={self.piddle_double_point} scores dice of a piddle: "
                "switch piddle_points on, or set it to no_result.",
            )

    def without_effect(self) -> str | None:
        """Why an option that is set changes nothing."""
        return next(self._reasons_without_effect(), None)

    def _reasons_without_effect(self) -> Iterator[str]:
        if self.pandemonium and not self.bomb:
            yield "pandemonium makes five 1s a bomb: switch bomb on too."
        if self.bumping and len(set(self.lanes)) == len(self.lanes):
            yield "bumping has no effect where every peg has a lane of its own: name shared lanes, like lanes=0,0."
        if self.lanes and not self.bumping:
            yield "lanes has no effect without bumping: switch bumping on too."
        if not self.bomb_fail_counts and not self.bomb:
            yield "bomb_fail_counts=false has no effect without bomb: switch bomb on too."
        if not self.bomb_fail_counts and self.pandemonium:
            yield "bomb_fail_counts=false has no effect with pandemonium, where no bomb can fail: choose one of the two."
        if not self.fuchle_at_start and not (self.double_fuchle or self.skunk):
            yield "fuchle_at_start=false has no effect without double_fuchle or skunk: switch one of them on too."
        if self.bomb_scores_points and not self.bomb:
            yield "bomb_scores_points has no effect without bomb: switch bomb on too."
        if self.double_skunk_unmoved and not self.skunk:
            yield "double_skunk_unmoved has no effect without skunk: switch skunk on too."
        if self.find_a_loser and self.tie == "roll_off":
            yield "tie=roll_off has no effect with find_a_loser, which ranks by who finishes first: choose one of the two."
        if self.find_a_loser and self.final_turns == "at_once":
            yield "final_turns=at_once has no effect with find_a_loser, which ends at once anyway: choose one of the two."
        if self.tie == "roll_off" and self.final_turns == "at_once":
            yield "tie=roll_off has no effect with final_turns=at_once, which leaves one peg ahead: choose one of the two."

    @classmethod
    def advanced(cls, **options: Any) -> Self:
        """The game with the five advanced rules, which the text strongly recommends; options as for the class."""
        return cls(**{**dict.fromkeys(ADVANCED, True), **options})

    def sides(self, players: int) -> int:
        """How many sides so many players make: one each, or pairs.

        Raises:
            RulesError: "bad-players", or "bad-option" where the lanes are not theirs.
        """
        sides = self._pairs(players) if self.partners else _singles(players)
        if self.lanes and len(self.lanes) != sides:
            raise RulesError(
                "bad-option",
                f"lanes names {len(self.lanes)} lanes for {sides} sides: name one for each, or none at all.",
            )
        return sides

    @property
    def goal(self) -> int:
        """The first position off the board."""
        return self.finish * 2 if self.long_game else self.finish

    @property
    def skunk_line(self) -> int:
        """A peg below it is skunked: the first hole of the board's second half, 61 of 121; twice that in a long game."""
        half = (self.finish + 1) // 2
        return half * 2 if self.long_game else half

    @property
    def fuchle_at(self) -> int:
        """Wipeouts in a row that fuchle."""
        return 4 if self.pandemonium else 3

    @property
    def out_at(self) -> int:
        """Wipeouts in a row that eliminate under `double_fuchle`."""
        return self.fuchle_at + 2

    @property
    def bomb_at(self) -> int:
        """How many 1s are a bomb without a piddle."""
        return 5 if self.pandemonium else 6

    @property
    def doubles(self) -> Doubles:
        """What doubles of the point mean in a piddle, "auto" resolved."""
        if self.piddle_double_point == "auto":
            return "seven_then_reroll" if self.piddle_points else "no_result"
        return self.piddle_double_point

    def _check_edition(self) -> None:
        strange = list(self._not_in_the_other()) if self.edition == "other" else []
        if strange:
            raise RulesError(
                "bad-option",
                f"The other edition has no {listed(strange)}: switch off what it lacks, or play edition=v2.1.",
            )

    def _not_in_the_other(self) -> Iterator[str]:
        return (name for name in ADVANCED if name != "bomb" and getattr(self, name))

    def _pairs(self, players: int) -> int:
        if players not in _PARTNERS_OF:
            raise RulesError(
                "bad-players",
                f"Partners need 4 or 6 players, got {players}: seat so many, or switch partners off.",
            )
        return _PARTNERS_OF[players]


def _singles(players: int) -> int:
    if not 2 <= players <= MOST_SINGLES:
        way_out = "switch partners on" if players in _PARTNERS_OF else f"seat 2 to {MOST_SINGLES}"
        raise RulesError(
            "bad-players", f"Crib Dice without partners is for 2 to {MOST_SINGLES} players, got {players}: {way_out}."
        )
    return players
