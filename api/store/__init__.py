"""Persistent storage: games, readings and corrections in a database, photos in a folder."""

from api.store.errors import Conflict, Missing, StoreError
from api.store.store import GameRow, Store, StoredGame, StoredReading

__all__ = ["Conflict", "GameRow", "Missing", "Store", "StoreError", "StoredGame", "StoredReading"]
