"""Games with their lines; readings with their corrections."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    _games()
    _readings()


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("players", sa.JSON, nullable=False),
        sa.Column("begun", sa.Text, nullable=False),
        sa.Column("viewer", sa.LargeBinary, nullable=False),
        sa.Column("player", sa.LargeBinary, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
    )
    op.create_table(
        "lines",
        sa.Column("game_id", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("line", sa.Text, nullable=False),
    )


def _readings() -> None:
    op.create_table(
        "readings",
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("game_id", sa.String(64), sa.ForeignKey("games.id"), index=True),
        sa.Column("photo", sa.String(64), nullable=False),
        sa.Column("reading", sa.JSON, nullable=False),
        sa.Column("models", sa.JSON, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "corrections",
        sa.Column("reading_id", sa.String(64), sa.ForeignKey("readings.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("correction", sa.JSON, nullable=False),
    )
