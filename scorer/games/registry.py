"""The four games by name: the door through which records, the referee and the command line find them."""

from __future__ import annotations

from typing import Any

from scorer.engine.game import Game
from scorer.errors import RulesError
from scorer.games.crib_dice.game import CribDice
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.domino_cribbage.game import DominoCribbage
from scorer.games.farkle_crib.game import FarkleCrib

AnyGame = Game[Any, Any]

GAMES: dict[str, AnyGame] = {game.name: game for game in (CribDice(), CribbageDice(), FarkleCrib(), DominoCribbage())}
"""Every game by its name."""


def game_named(name: str) -> AnyGame:
    """The game of that name.

    Raises:
        RulesError: "unknown-game".
    """
    if name not in GAMES:
        raise RulesError("unknown-game", f"There is no game {name!r} here. Choose one of {', '.join(GAMES)}.")
    return GAMES[name]
