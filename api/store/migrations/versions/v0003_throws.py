"""The throws of all games, so that a photo of one is found in another; those of earlier games are taken from their lines."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from api.evidence.throws import still_standing
from api.store.throws import insert_all
from scorer.engine.game import Move
from scorer.engine.record import Entry

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table, and fill it."""
    op.create_table(
        "throws",
        sa.Column("game_id", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("photo", sa.String(64), nullable=False, index=True),
        sa.Column("names", sa.String(64)),
        sa.Column("shape", sa.Double),
        sa.Column("layout", sa.JSON, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Index("ix_throws_names_shape", "names", "shape"),
    )
    _fill(op.get_bind())


def _fill(connection: sa.Connection) -> None:
    """Fill the table from the stored lines: replaying every game would take minutes."""
    lines = sa.table("lines", *map(sa.column, ("game_id", "number", "line")))
    photographed = sa.select(lines.c.game_id).where(lines.c.line.contains('"seen":', autoescape=True)).distinct()
    for game_id in connection.scalars(photographed.order_by(lines.c.game_id)).all():
        chosen = sa.select(lines.c.number, lines.c.line).where(lines.c.game_id == game_id).order_by(lines.c.number)
        try:
            moves = still_standing(_entries(connection.execute(chosen).all()))
        except (ValueError, LookupError, TypeError, AttributeError):
            # It was altered in storage, which is reported when it is opened.
            continue
        insert_all(connection, game_id, moves)


def _entries(rows: Iterable[sa.Row[Any, Any]]) -> Iterator[tuple[int, Entry]]:
    for number, line in rows:
        told = json.loads(line)
        if "move" in told or "undo" in told:
            move = Move.parse(told["move"]) if "move" in told else None
            yield number, Entry(move, told.get("at", ""), told.get("seen"))
