"""The throws of all games that were not undone, found by their photo and by the layout of their pieces: a photo counts once.

Each line of a record that was played from a photo has a row, from when it is stored until it is undone. A look-up reads one
row by the photo, and a few by the names of the pieces and by the shape of their layout (`Layout.shape`): its cost does not
grow with the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from sqlalchemy import Connection, Engine, Select, delete, insert, select

from api.evidence.reuse import Layout
from api.evidence.throws import reading_of, standing_from_last
from api.store import tables
from api.store.database import reading as reads
from scorer.engine.record import Entry, Record
from vision.reading import Reading

MOST_COMPARED = 100
"""How many throws on either side of a shape, nearest first, have their places compared."""


@dataclass(frozen=True, slots=True)
class StoredThrow:
    """A throw in a game that was not undone.

    Attributes:
        game_id: of the game.
        at: when it was played, ISO 8601; empty if its line has no time.
    """

    game_id: str
    at: str


class Throws:
    """The throws of all games. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def like(self, reading: Reading, but: str) -> list[StoredThrow]:
        """Throws that show the same file, or the same pieces in the same layout.

        Args:
            reading: of a photo.
            but: the game whose own throws are left out.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.throws
        chosen = select(table).where(table.c.game_id != but)
        same_file = chosen.where(table.c.photo == reading.sha256).order_by(table.c.game_id).limit(MOST_COMPARED)
        layout = Layout.of(reading)
        with reads(self._engine) as connection:
            rows = [*connection.execute(same_file)]
            if layout.telling:
                alike = (row for near in _near(chosen, layout) for row in connection.execute(near))
                rows += [row for row in alike if Layout.from_json(row.layout).is_as(layout)]
        return [StoredThrow(row.game_id, row.at) for row in rows]


def _near(chosen: Select[Any], layout: Layout) -> Iterator[Select[Any]]:
    """The stored throws of the same pieces whose shape is nearest, above and below: two short walks along an index."""
    table, shape, by = tables.throws, layout.shape, layout.tolerance
    same = chosen.where(table.c.names == layout.names)
    yield same.where(table.c.shape.between(shape, shape + by)).order_by(table.c.shape).limit(MOST_COMPARED)
    below = same.where(table.c.shape < shape, table.c.shape >= shape - by)
    yield below.order_by(table.c.shape.desc()).limit(MOST_COMPARED)


def keep(connection: Connection, game_id: str, old: Record | None, record: Record) -> None:
    """Store the new throws of a record and delete those undone since, in the transaction of their lines."""
    known, stood = (len(old.lines), len(old.moves)) if old else (0, 0)
    added = list(takewhile(lambda each: each[0] > known, standing_from_last(record)))
    undone = stood - (len(record.moves) - len(added))
    if old and undone:
        gone = [number for number, _ in islice(standing_from_last(old), undone)]
        table = tables.throws
        connection.execute(delete(table).where(table.c.game_id == game_id, table.c.number.in_(gone)))
    insert_all(connection, game_id, reversed(added))


def insert_all(connection: Connection, game_id: str, moves: Iterable[tuple[int, Entry]]) -> None:
    """Store the throws of those moves that were played from photos."""
    read = ((number, entry.at, reading_of(entry.seen)) for number, entry in moves if entry.seen)
    if rows := [_row(game_id, number, at, seen) for number, at, seen in read if seen]:
        connection.execute(insert(tables.throws), rows)


def _row(game_id: str, number: int, at: str, seen: Reading) -> dict[str, Any]:
    layout = Layout.of(seen)
    return {
        "game_id": game_id,
        "number": number,
        "photo": seen.sha256,
        "names": layout.names if layout.telling else None,
        "shape": layout.shape if layout.telling else None,
        "layout": layout.to_json(),
        "at": at,
    }
