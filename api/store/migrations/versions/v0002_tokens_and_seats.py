"""A game has any number of tokens, each with a role and seats; a reading has the seat whose hand it may show."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_UNKNOWN_SEAT = -1


def upgrade() -> None:
    """Move the two tokens of each game into a table of their own."""
    tokens = _tokens()
    _move(tokens)
    for name in ("viewer", "player"):
        op.drop_column("games", name)
    op.add_column("games", sa.Column("open_hands", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("readings", sa.Column("seat", sa.Integer))
    # The owner of the hand in an earlier photo is unknown: only those who may see all hands see it.
    op.execute(sa.update(sa.table("readings", sa.column("seat"))).values(seat=_UNKNOWN_SEAT))


def _tokens() -> sa.Table:
    return op.create_table(
        "tokens",
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("game_id", sa.String(64), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("seats", sa.JSON(none_as_null=True)),
        sa.Column("host", sa.Boolean, nullable=False),
        sa.Column("made", sa.Text, nullable=False),
        sa.Column("revoked", sa.Text, nullable=False),
    )


def _move(tokens: sa.Table) -> None:
    """Holders of an earlier game's playing token played for the whole table, and become hosts."""
    games = sa.table("games", *map(sa.column, ("id", "begun", "viewer", "player")))
    connection = op.get_bind()
    rows = [
        {
            "id": secrets.token_hex(4),
            "game_id": game.id,
            "role": role,
            "digest": getattr(game, role),
            "name": "",
            "seats": None,
            "host": role == "player",
            "made": game.begun,
            "revoked": "",
        }
        for game in connection.execute(sa.select(games)).all()
        for role in ("viewer", "player")
    ]
    if rows:
        connection.execute(sa.insert(tokens), rows)
