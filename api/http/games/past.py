"""The games of a server, and its players: who won how often, their best throw, and their luck."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from api.store import GameRow, Store, StoreError
from scorer.engine.record import Record
from scorer.engine.story import best_throws, story
from scorer.games.registry import game_named

MOST_GAMES = 100
"""Games of a page of the list."""
COUNTED = 500
"""Games that are over and are counted for the players: the newest ones."""
_KEPT = 2000


@dataclass(frozen=True, slots=True)
class Side:
    """Somebody, or partners, at the end of a game.

    Attributes:
        names: of its players.
        points: on the board.
        turns: that they took.
        above: points above what best play brings on average in as many turns; None where the odds are not known.
    """

    names: tuple[str, ...]
    points: int
    turns: int
    above: int | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over.

    Attributes:
        winners: names.
        sides: in table order.
        best: by name the throw that brought most, with text and points.
    """

    winners: tuple[str, ...]
    sides: tuple[Side, ...]
    best: Mapping[str, Mapping[str, Any]]


@dataclass
class Tally:
    """What a player has done in one kind of game."""

    played: int = 0
    won: int = 0
    turns: int = 0
    above: int | None = None
    best: Mapping[str, Any] | None = None

    def count(self, name: str, ended: Ended) -> None:
        """Count a game."""
        side = next(side for side in ended.sides if name in side.names)
        self.played += 1
        self.won += name in ended.winners
        if side.above is not None:
            self.above = (self.above or 0) + side.above
            self.turns += side.turns
        best = ended.best.get(name)
        if best and (self.best is None or best["points"] > self.best["points"]):
            self.best = best


@dataclass
class Past:
    """The games of a store. A game that is over is replayed once, as long as it is remembered. Thread-safe."""

    store: Store
    _known: OrderedDict[tuple[str, int], Ended | None] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def games(self, most: int, before: str | None) -> dict[str, Any]:
        """A page of the list of games, newest first, ready for `json.dumps`.

        Args:
            most: how many.
            before: only games begun before this one.

        Raises:
            Missing, StoreError: see `Store.games`.
        """
        rows = self.store.games(most + 1, before)
        return {"games": [self._listed(row) for row in rows[:most]], "more": len(rows) > most}

    def players(self) -> dict[str, Any]:
        """Who has played the newest `COUNTED` games that are over, ready for `json.dumps`; who has played most comes first.

        Raises:
            StoreError: see `Store.games`.
        """
        tallies: dict[str, dict[str, Tally]] = {}
        counted = 0
        for row, ended in self._over():
            counted += 1
            for name in dict.fromkeys(row.players):
                tallies.setdefault(name, {}).setdefault(row.game, Tally()).count(name, ended)
        played = Counter({name: sum(tally.played for tally in games.values()) for name, games in tallies.items()})
        return {"counted": counted, "players": [_player(name, tallies[name]) for name, _ in played.most_common()]}

    def _over(self) -> Iterator[tuple[GameRow, Ended]]:
        over = ((row, self._ended(row)) for row in self.store.every_game() if row.over)
        yield from islice(((row, ended) for row, ended in over if ended is not None), COUNTED)

    def _listed(self, row: GameRow) -> dict[str, Any]:
        ended = self._ended(row) if row.over else None
        return {
            "id": row.id,
            "game": row.game,
            "title": game_named(row.game).title,
            "players": list(row.players),
            "begun": row.begun,
            "over": row.over,
            "winners": list(ended.winners) if ended else [],
            "scores": [{"names": list(side.names), "points": side.points} for side in ended.sides] if ended else [],
        }

    def _ended(self, row: GameRow) -> Ended | None:
        """How a game ended; None for one that is damaged, which says so where it is opened."""
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
        return None  # an undo came meanwhile
    names, went = record.header.players, story(record)
    last = went["turns"][-1]["scores"] if went["turns"] else [0] * len(went["sides"])
    luck: Sequence[Mapping[str, Any]] = went["luck"] or [{"turns": 0, "above": None}] * len(last)
    sides = tuple(
        Side(tuple(side["names"]), points, each["turns"], each["above"])
        for side, points, each in zip(went["sides"], last, luck, strict=True)
    )
    best = {names[player]: thrown for player, thrown in best_throws(record).items()}
    return Ended(tuple(names[player] for player in record.result.winners), sides, best)


def _player(name: str, games: Mapping[str, Tally]) -> dict[str, Any]:
    return {
        "name": name,
        "games": [
            {
                "game": game,
                "title": game_named(game).title,
                "played": tally.played,
                "won": tally.won,
                "turns": tally.turns,
                "above": tally.above,
                "best": None if tally.best is None else {key: tally.best[key] for key in ("text", "points")},
            }
            for game, tally in games.items()
        ],
    }
