"""A cache of recent games, so that not every request replays a whole record."""

from __future__ import annotations

import threading
from collections import OrderedDict

from api.store import Store, StoredGame

_MOST = 64


class GameCache:
    """Recent games by id, replaced when the store reports a change. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: OrderedDict[str, StoredGame] = OrderedDict()
        self._lock = threading.Lock()

    def game(self, game_id: str) -> StoredGame:
        """The current game; on PostgreSQL, moves of other servers may arrive with a short delay.

        Raises:
            Missing: "no-game".
            StoreError: it cannot be loaded.
        """
        with self._lock:
            there = self._games.get(game_id)
        if there is None or self._store.changes.since(game_id, len(there.record.lines), 0):
            return self.fetched(game_id)
        return there

    def fetched(self, game_id: str) -> StoredGame:
        """Load the current game from the store.

        Raises:
            Missing: "no-game".
            StoreError: it cannot be loaded.
        """
        return self.put(self._store.game(game_id))

    def put(self, game: StoredGame) -> StoredGame:
        """Cache the game unless a later state is cached; return it."""
        with self._lock:
            there = self._games.get(game.id)
            if there is None or len(there.record.lines) <= len(game.record.lines):
                self._games[game.id] = game
            self._games.move_to_end(game.id)
            while len(self._games) > _MOST:
                self._games.popitem(last=False)
        return game
