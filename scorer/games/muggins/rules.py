"""Muggins: its options. What the published rules share is fixed; where they differ there is an option.

Sources: Pagat, "All Fives", "Muggins" and "Five Up" (pagat.com/tile/wdom): the spinner, how ends count, the boneyard, the
lead, partners, and 61 points on a cribbage board at one for each five. R. F. Foster, "Complete Hoyle", "Muggins, or All
Fives": no spinner, the highest double sets, the last two tiles stay in the boneyard, overlooked points are claimed, 100
points. Encyclopaedia Britannica, "Muggins": five tiles, 200 points. Wikipedia, "Muggins (dominoes)": seven tiles for two
players, five for more; the hands of the others are rounded one by one, 27 pips to 25 and 28 to 30.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.engine.options import GameRules, choice, number, switch
from scorer.errors import RulesError
from scorer.pieces.tiles import FULL_SET

GAME = "muggins"
TITLE = "Muggins"
FIVES = 5
FEWEST_PLAYERS, MOST_PLAYERS, IN_PARTNERS = 2, 4, 4
FOR_TWO, FOR_MORE = 7, 5
"""Tiles in a hand where nothing else is agreed."""

LEAD = "Muggins, the lead"
DEAL = "Muggins, the deal"
PLAY = "Muggins, the play"
BONEYARD = "Muggins, the boneyard"
SCORING = "Muggins, scoring"
CLAIM = "Muggins, overlooked points"
OUT = "Muggins, going out"
BLOCKED = "Muggins, the blocked game"
END = "Muggins, the end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """How a table plays Muggins.

    Raises:
        RulesError: "bad-option", an option set to what it cannot be.
    """

    target: int = number(
        100,
        "The first to reach so many points wins at once; 61, 150, 200 and 250 are common too.",
        20,
        1000,
        (20, 61, 100),
    )
    per_five: Literal["5", "1"] = choice(
        "Open ends that add up to 15 score 15; or 3, one point for each five, as on a cribbage board.", "5", "1"
    )
    spinner: Literal["first", "none", "all"] = choice(
        "The first double may be played on all four sides (All Fives); or no double (Hoyle's Muggins); or all (Five Up).",
        "first",
        "none",
        "all",
    )
    hand: int = number(
        0, "Tiles in each hand, at least 3; 0: seven for two players, five for three or four.", 0, 9, (0, 5, 7)
    )
    kept_back: int = number(
        0, "So many tiles of the boneyard are never drawn; in Hoyle's the last two.", 0, 2, (0, 1, 2)
    )
    lead: Literal["drawn", "double", "first_player"] = choice(
        "Who draws the highest tile leads the first hand, and again after a blocked one; else who went out. Or the highest "
        "double is set in every hand, without one the heaviest tile. Or the first player begins.",
        "drawn",
        "double",
        "first_player",
    )
    going_out: Literal["together", "each", "down"] = choice(
        "Who goes out scores the pips that the opponents hold: together to the nearest five, or each hand to the nearest "
        "five, or together rounded down.",
        "together",
        "each",
        "down",
    )
    blocked: Literal["all", "difference"] = choice(
        "Nobody can play: the lightest hand scores all pips of the others, or those less its own; equal ones score nothing.",
        "all",
        "difference",
    )
    muggins: bool = switch(
        False, "A player who overlooks a score loses it to the opponent who says muggins; the table says who called it."
    )
    partners: bool = switch(False, "Four players in two partnerships, opposite each other, with one score.")
    hands: Literal["secret", "told"] = choice(
        "Only the layout is told, and what is left at the end of a hand; or every tile dealt and drawn, too: then the rules "
        "of the draw are checked, and advice can be given.",
        "secret",
        "told",
    )

    def __post_init__(self) -> None:
        GameRules.__post_init__(self)
        if 0 < self.hand < 3:
            raise RulesError("bad-option", f"hand must be 3 to 9, or 0 for the usual number, got {self.hand}.")

    def without_effect(self) -> str | None:
        """Why an option that is set changes nothing."""
        if self.kept_back and self.partners and self.hand * IN_PARTNERS == len(FULL_SET):
            return f"kept_back has no effect where four partners hold {self.hand} tiles each, which is all: set hand lower."
        return None

    def dealt(self, players: int) -> int:
        """Tiles in each hand."""
        return self.hand or (FOR_TWO if players == FEWEST_PLAYERS else FOR_MORE)

    @property
    def unit(self) -> int:
        """Pips that score one point."""
        return FIVES if self.per_five == "1" else 1

    def check_players(self, players: int) -> None:
        """Refuse a table that cannot play.

        Raises:
            RulesError: "bad-players".
        """
        if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            text = f"{TITLE} is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {players}."
            raise RulesError("bad-players", text)
        if self.partners and players != IN_PARTNERS:
            raise RulesError("bad-players", f"Partners are four players, not {players}: turn partners off, or be four.")
        if self.dealt(players) * players > len(FULL_SET):
            text = f"{players} hands of {self.hand} are more than the {len(FULL_SET)} tiles: set hand lower."
            raise RulesError("bad-players", text)
