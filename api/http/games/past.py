"""The games of a server, and its players: who won how often, their best throw, and their luck."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from api.store import GameRow, Store, StoreError
from scorer.engine.record import Record
from scorer.engine.story import story_and_best_throws
from scorer.games.registry import game_named

MOST_GAMES = 100
"""The most games on one page of the list."""
COUNTED = 500
"""The number of finished games, newest first, that count for the players' tallies."""
_KEPT = 2000


@dataclass(frozen=True, slots=True)
class FinalScore:
    """Points at the end of a game.

    Attributes:
        names: One player, or partners.
    """

    names: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A line in the list of games.

    Attributes:
        begun: ISO 8601.
        winners: Empty while the game goes on.
        scores: Empty while the game goes on.
    """

    id: str
    game: str
    title: str
    players: tuple[str, ...]
    begun: str
    over: bool
    winners: tuple[str, ...]
    scores: tuple[FinalScore, ...]


@dataclass(frozen=True, slots=True)
class ListedGames:
    """A page of the list of games, newest first.

    Attributes:
        more: Whether there are older ones: ask again with `before`, the id of the last one here.
    """

    games: tuple[ListedGame, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class BestThrow:
    """The throw that brought most."""

    text: str
    points: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What a player has done in one kind of game.

    Attributes:
        turns: Turns that `above` is about.
        above: Points above what best play brings on average in as many turns; null where the odds are not known.
    """

    game: str
    title: str
    played: int = 0
    won: int = 0
    turns: int = 0
    above: int | None = None
    best: BestThrow | None = None

    def with_game(self, name: str, ended: Ended) -> Tally:
        """The tally with one more game."""
        side = next(side for side in ended.sides if name in side.score.names)
        known = side.above is not None
        bests = [best for best in (self.best, ended.best.get(name)) if best]
        return replace(
            self,
            played=self.played + 1,
            won=self.won + (name in ended.winners),
            turns=self.turns + side.turns if known else self.turns,
            above=(self.above or 0) + side.above if side.above is not None else self.above,
            best=max(bests, key=lambda best: best.points, default=None),
        )


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """A player, by name."""

    name: str
    games: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class PlayerTallies:
    """Who has played here; who has played most comes first.

    Attributes:
        counted: Games counted: the newest that are over, 500 at most.
    """

    counted: int
    players: tuple[PlayerTally, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """Somebody, or partners, at the end of a game.

    Attributes:
        score: on the board.
        turns: that they took.
        above: points above what best play brings on average in as many turns; None where the odds are not known.
    """

    score: FinalScore
    turns: int
    above: int | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over.

    Attributes:
        winners: names.
        sides: in table order.
        best: by name the throw that brought most.
    """

    winners: tuple[str, ...]
    sides: tuple[Side, ...]
    best: Mapping[str, BestThrow]


@dataclass
class Past:
    """The games of a store. A game that is over is replayed once, as long as it is remembered. Thread-safe."""

    store: Store
    _known: OrderedDict[tuple[str, int], Ended | None] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def games(self, most: int, before: str | None) -> ListedGames:
        """A page of the list of games, newest first.

        Args:
            most: how many.
            before: only games begun before this one.

        Raises:
            Missing, StoreError: see `Store.games`.
        """
        rows = self.store.games(most + 1, before)
        return ListedGames(tuple(self._listed(row) for row in rows[:most]), len(rows) > most)

    def players(self) -> PlayerTallies:
        """Who has played the newest `COUNTED` games that are over; who has played most comes first.

        Raises:
            StoreError: see `Store.games`.
        """
        tallies: dict[str, dict[str, Tally]] = {}
        counted = 0
        for row, ended in self._over():
            counted += 1
            for name in dict.fromkeys(row.players):
                games = tallies.setdefault(name, {})
                tally = games.get(row.game) or Tally(row.game, game_named(row.game).title)
                games[row.game] = tally.with_game(name, ended)
        players = [PlayerTally(name, tuple(games.values())) for name, games in tallies.items()]
        players.sort(key=lambda player: -sum(tally.played for tally in player.games))
        return PlayerTallies(counted, tuple(players))

    def _over(self) -> Iterator[tuple[GameRow, Ended]]:
        over = ((row, self._ended(row)) for row in self.store.every_game() if row.over)
        yield from islice(((row, ended) for row, ended in over if ended is not None), COUNTED)

    def _listed(self, row: GameRow) -> ListedGame:
        ended = self._ended(row) if row.over else None
        winners, scores = (ended.winners, tuple(side.score for side in ended.sides)) if ended else ((), ())
        title, players = game_named(row.game).title, tuple(row.players)
        return ListedGame(row.id, row.game, title, players, row.begun, row.over, winners, scores)

    def _ended(self, row: GameRow) -> Ended | None:
        """How a game ended; None for a damaged one, whose error is reported where it is opened."""
        key = row.id, row.lines
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        try:
            told = _told(self.store.game(row.id).record)
        except StoreError as error:
            if error.code != "game-damaged":
                raise
            told = None
        with self._lock:
            self._known[key] = told
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return told


def _told(record: Record) -> Ended | None:
    if record.result is None:
        return None  # it was undone in the meantime
    names, (went, bests) = record.header.players, story_and_best_throws(record)
    last = went["turns"][-1]["scores"] if went["turns"] else [0] * len(went["sides"])
    luck: Sequence[Mapping[str, Any]] = went["luck"] or [{"turns": 0, "above": None}] * len(last)
    sides = tuple(
        Side(FinalScore(tuple(side["names"]), points), each["turns"], each["above"])
        for side, points, each in zip(went["sides"], last, luck, strict=True)
    )
    best = {names[player]: BestThrow(thrown["text"], thrown["points"]) for player, thrown in bests.items()}
    return Ended(tuple(names[player] for player in record.result.winners), sides, best)
