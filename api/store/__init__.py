"""Persistent storage: games, readings and corrections in a database, photos in a folder."""

from api.store.errors import Conflict, Missing, StoreError
from api.store.profiles import StoredProfile
from api.store.store import GameRow, Store, StoredGame, StoredReading
from api.store.throws import StoredThrow
from api.store.tokens import Role, StoredToken

__all__ = [
    "Conflict",
    "GameRow",
    "Missing",
    "Role",
    "Store",
    "StoreError",
    "StoredGame",
    "StoredProfile",
    "StoredReading",
    "StoredThrow",
    "StoredToken",
]
