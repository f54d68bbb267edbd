"""The games that were asked for last, so that not every look replays a whole record."""

from __future__ import annotations

import threading
from collections import OrderedDict

from api.store import Store, StoredGame

_MOST = 64


class Shelf:
    """Games by id, each replaced as soon as the store says that it has gone on. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: OrderedDict[str, StoredGame] = OrderedDict()
        self._lock = threading.Lock()

    def game(self, game_id: str) -> StoredGame:
        """The game as it stands; on PostgreSQL another server's move may be missing for the moment that its news takes.

        Raises:
            Missing: "no-game".
            StoreError: it cannot be fetched.
        """
        with self._lock:
            there = self._games.get(game_id)
        if there is None or self._store.changes.since(game_id, len(there.record.lines), 0):
            return self.fetched(game_id)
        return there

    def fetched(self, game_id: str) -> StoredGame:
        """The game as it stands in the store at this moment.

        Raises:
            Missing: "no-game".
            StoreError: it cannot be fetched.
        """
        return self.put(self._store.game(game_id))

    def put(self, game: StoredGame) -> StoredGame:
        """Keep it here, unless a later one is there already; the same is given back."""
        with self._lock:
            there = self._games.get(game.id)
            if there is None or len(there.record.lines) <= len(game.record.lines):
                self._games[game.id] = game
            self._games.move_to_end(game.id)
            while len(self._games) > _MOST:
                self._games.popitem(last=False)
        return game
