"""The tables. A game is its lines: no state, no score is kept, because a replay of the lines gives them."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Integer, LargeBinary, MetaData, String, Table, Text

# Named, so that a later migration can speak of each constraint.
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
    Column("viewer", LargeBinary, nullable=False),
    Column("player", LargeBinary, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("head", String(64), nullable=False),
)
"""One row a game. `place` is their order; `lines` counts those in `lines`; `head`, the hash of the last, is the version."""

lines = Table(
    "lines",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", Text, nullable=False),
)
"""The record of each game, line by line, counted from 1; never changed, never taken away."""

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
)
"""What was read from each photo, as it was read."""

corrections = Table(
    "corrections",
    metadata,
    Column("reading_id", ForeignKey("readings.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("correction", JSON, nullable=False),
)
"""What people changed of a reading, in turn, counted from 1; the reading itself stays."""
