"""What a token shows of a game: hidden hands only to those who hold their seats, until the game is over.

The host may start a game with open hands; then everybody sees everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import Self

from api.store import StoredGame, StoredReading, StoredToken
from scorer.engine.snapshot import named


@dataclass(frozen=True, slots=True)
class Visibility:
    """What a token shows.

    Attributes:
        plays: whether its holder is shown the offers to the player to act.
        seats: the players whose hidden hands it shows; None: all.
    """

    plays: bool
    seats: frozenset[int] | None

    @classmethod
    def of(cls, token: StoredToken) -> Self:
        """What this token shows."""
        if token.role == "player":
            return cls(True, None if token.seats is None else frozenset(token.seats))
        return cls(token.role == "camera", frozenset())

    def hand(self, game: StoredGame, seat: int | None) -> bool:
        """Whether it shows the hand of this player; None: the owner of the hand is unknown."""
        return self.all_hands(game) or (seat is not None and self.seats is not None and seat in self.seats)

    def all_hands(self, game: StoredGame) -> bool:
        """Whether it shows the whole game."""
        players = len(game.record.header.players)
        return not hides_hands(game) or self.seats is None or len(self.seats) == players

    def reading(self, game: StoredGame, kept: StoredReading) -> bool:
        """Whether it shows this photo and its reading. Viewers who only watch see none while hands are hidden."""
        if not hides_hands(game):
            return True
        return self.plays and (self.hand(game, kept.seat) if kept.seat is not None else self.seats != frozenset())

    def offers(self, game: StoredGame) -> bool:
        """Whether it shows the choices of the player to act."""
        return self.plays and self.hand(game, game.record.state.to_act)

    def hands(self, game: StoredGame) -> list[str]:
        """The hands of its own seats and the table as they see it, in words; of all seats where hands are open.

        Empty in games without hidden hands.
        """
        record, names = game.record, game.record.header.players
        if not has_open_hands(game) and not (self.plays and hides_hands(game)):
            return []
        seats = range(len(names)) if self.seats is None or game.open_hands else sorted(self.seats)
        return [named(text, names) for seat in seats if (text := record.game.view(record.state, seat))]


def has_hidden_hands(game: StoredGame) -> bool:
    """Whether hands are hidden from other players in this game while it lasts."""
    return game.record.game.holds_secrets(game.record.header.rules) and not game.open_hands


def has_open_hands(game: StoredGame) -> bool:
    """Whether everybody sees hands that would otherwise be hidden now, as the host chose."""
    return game.open_hands and game.record.result is None and game.record.game.holds_secrets(game.record.header.rules)


def hides_hands(game: StoredGame) -> bool:
    """Whether record and photos reveal hands that must stay hidden until the game is over."""
    return has_hidden_hands(game) and game.record.result is None


def hidden_now(game: StoredGame) -> int | None:
    """The player whose hidden hand the next move deals or chooses from; None if the next move is public."""
    record = game.record
    if not hides_hands(game):
        return None
    legal = record.game.legal_moves(record.state)
    verbs = {move.verb for move in chain(legal.choices, islice(legal.chance or (), 1))}
    seat: int | None = record.state.to_act
    return seat if verbs & record.game.hidden_verbs else None
