"""What several servers with one database share: codes, failed tries, cameras and photos."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the tables. Rolls that wait in files of an earlier version are imported when their game is opened."""
    op.create_table(
        "codes",
        sa.Column("letters", sa.String(16), primary_key=True),
        sa.Column("game_id", sa.String(64), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("until", sa.Double, nullable=False),
    )
    op.create_table(
        "failures",
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("about", sa.String(64), nullable=False),
        sa.Column("at", sa.Double, nullable=False, index=True),
        sa.Index("ix_failures_client_about", "client", "about"),
    )
    op.create_table(
        "cameras",
        sa.Column("game_id", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("queue", sa.JSON, nullable=False),
    )
    op.create_table(
        "photos",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
