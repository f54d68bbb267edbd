"""Profiles of people's own dice that games use."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the table; earlier games have none."""
    op.create_table(
        "profiles",
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String(64), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("used", sa.Boolean, nullable=False),
    )
