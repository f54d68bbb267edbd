"""The database tables. A game is stored as its record lines; state and score come from replaying them."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

# Named, so that later migrations can refer to constraints.
metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

games = Table(
    "games",
    metadata,
    Column("place", Integer, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("players", JSON, nullable=False),
    Column("begun", Text, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("head", String(64), nullable=False),
    Column("open_hands", Boolean, nullable=False),
)
"""One row per game. `place` is the order, `lines` the length of the record, `head` the hash of its last line; with
`open_hands` everyone at the table sees every hand."""

tokens = Table(
    "tokens",
    metadata,
    Column("place", Integer, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, index=True),
    Column("role", String(16), nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("seats", JSON(none_as_null=True)),
    Column("host", Boolean, nullable=False),
    Column("made", Text, nullable=False),
    Column("revoked", Text, nullable=False),
)
"""Who may do what in a game: see `api.store.tokens.StoredToken`. `seats` null: the whole table; `revoked` empty: valid."""

lines = Table(
    "lines",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", Text, nullable=False),
)
"""The record of each game, line by line from 1; append-only."""

readings = Table(
    "readings",
    metadata,
    Column("place", Integer, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("game_id", ForeignKey("games.id"), index=True),
    Column("photo", String(64), nullable=False),
    Column("reading", JSON, nullable=False),
    Column("models", JSON, nullable=False),
    Column("at", Text, nullable=False),
    Column("seat", Integer),
)
"""Readings of photos, unmodified. `seat` is the player whose hand it may show; null: nobody's, -1: unknown whose."""

corrections = Table(
    "corrections",
    metadata,
    Column("reading_id", ForeignKey("readings.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("correction", JSON, nullable=False),
)
"""Corrections of readings, in order from 1."""

throws = Table(
    "throws",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("photo", String(64), nullable=False, index=True),
    Column("names", String(64)),
    Column("shape", Double),
    Column("layout", JSON, nullable=False),
    Column("at", Text, nullable=False),
    Index("ix_throws_names_shape", "names", "shape"),
)
"""The lines that were played from photos and not undone: see `api.store.throws`. Derived from `lines`. `names` and `shape`
are null where the places do not distinguish throws.
"""

profiles = Table(
    "profiles",
    metadata,
    Column("place", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, index=True),
    Column("sha256", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("at", Text, nullable=False),
    Column("used", Boolean, nullable=False),
)
"""Every version of the profiles that photos of a game were read with: a file each (`data`), never changed. `used`: for
future photos.
"""

codes = Table(
    "codes",
    metadata,
    Column("letters", String(16), primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, index=True),
    Column("until", Double, nullable=False),
)
"""Short codes that invite to games. `until` is in seconds since 1970."""

failures = Table(
    "failures",
    metadata,
    Column("place", Integer, primary_key=True),
    Column("client", Text, nullable=False),
    Column("about", String(64), nullable=False),
    Column("at", Double, nullable=False, index=True),
    Index("ix_failures_client_about", "client", "about"),
)
"""Wrong tokens and codes of the last minute, by the client's address and what was tried. `at` is in seconds since 1970."""

cameras = Table(
    "cameras",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("queue", JSON, nullable=False),
)
"""The waiting rolls of each game's camera. `version` counts the changes: of two writers the second has to read again."""

photos = Table(
    "photos",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Photos by their SHA-256, on PostgreSQL; beside SQLite they lie in a folder."""
