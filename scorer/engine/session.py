"""A session: several games by the same players, and who has won and lost how many.

Source: the Crib Dice text: the session is won by winning the most games; "Skunk and Double-Skunk": a skunked player
loses two games, a double-skunked one four.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.engine.game import Result
from scorer.errors import ScorerError


@dataclass(frozen=True, slots=True)
class Session:
    """The games of an evening.

    Attributes:
        players: their names.
        results: how every game ended; players are numbered as in `players`.
    """

    players: tuple[str, ...]
    results: tuple[Result, ...]

    @property
    def won(self) -> tuple[int, ...]:
        """Games that each player has won; a shared win is one for each."""
        return tuple(sum(player in result.winners for result in self.results) for player in range(len(self.players)))

    @property
    def lost(self) -> tuple[int, ...]:
        """Games that each player has lost, skunks counted as two and double skunks as four."""
        return tuple(sum(result.lost[player] for result in self.results) for player in range(len(self.players)))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the most games; several if equal, nobody before a game was won."""
        most = max(self.won, default=0)
        return tuple(player for player, won in enumerate(self.won) if won == most > 0)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "players": list(self.players),
            "games": len(self.results),
            "won": list(self.won),
            "lost": list(self.lost),
            "winners": [self.players[player] for player in self.winners],
        }


def session_of(games: Sequence[tuple[Sequence[str], Result]]) -> Session:
    """The session that these games make; the players may have sat in another order each time.

    Args:
        games: for every game the names in its table order, and how it ended.

    Raises:
        ScorerError: "other-players": not the same people in every game.
    """
    names = tuple(games[0][0]) if games else ()
    strangers = [name for players, _ in games for name in set(players) ^ set(names)]
    if strangers:
        raise ScorerError(
            "other-players", f"A session is the same people in every game; {strangers[0]} is not in all of them."
        )
    return Session(names, tuple(_seated(result, players, names) for players, result in games))


def _seated(result: Result, players: Sequence[str], names: Sequence[str]) -> Result:
    to = [names.index(name) for name in players]
    return Result(
        winners=tuple(sorted(to[player] for player in result.winners)),
        ranking=tuple(tuple(sorted(to[player] for player in equals)) for equals in result.ranking),
        lost=tuple(result.lost[players.index(name)] for name in names),
    )
