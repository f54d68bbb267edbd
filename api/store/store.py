"""The store of games, readings and photos.

    store = Store.open(None, Path("data"))
    game = store.begin(record, tokens)
    game = store.append(game, game.record.play(move))       raises Conflict if someone else has moved
    game = store.game(game.id)                              replayed and verified

Data is on disk when `begin`, `append`, `add_reading`, `correct` or `photos.put` returns. Every method may be called from any
thread, and on PostgreSQL from any process: everything is in the database then, photos too.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, insert, select, update

from api.store import tables, throws
from api.store.cameras import CameraQueues
from api.store.changes import Changes, Listener, announce
from api.store.codes import GameCodes
from api.store.database import connect_to, is_postgres, may_be_id, migrate, reading, writing
from api.store.errors import Conflict, Missing, StoreError
from api.store.folder import prepare
from api.store.photos import DatabasePhotos, FolderPhotos, Photos
from api.store.profiles import GameProfiles
from api.store.throws import Throws
from api.store.tokens import GameTokens, StoredToken, insert_all
from api.store.tries import FailedTries
from scorer.engine.record import Record, RecordError

_PAGE = 200
"""Page size when all games are listed."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as of when it was loaded.

    Attributes:
        id: unique name.
        record: its record.
        begun: start time, ISO 8601, as in its record.
        open_hands: whether everyone at the table sees every hand.
    """

    id: str
    record: Record
    begun: str
    open_hands: bool = False


@dataclass(frozen=True, slots=True)
class GameRow:
    """A line in the list of games.

    Attributes:
        id: unique name.
        game: such as "crib-dice".
        players: their names in table order.
        begun: start time, ISO 8601.
        lines: length of its record.
        over: whether it is finished.
    """

    id: str
    game: str
    players: tuple[str, ...]
    begun: str
    lines: int
    over: bool


@dataclass(frozen=True, slots=True)
class StoredReading:
    """A reading of a photo, and its corrections.

    Attributes:
        id: unique name, chosen by the caller.
        game_id: its game, if any.
        photo: name of the photo in `Store.photos`.
        reading: as from `Reading.to_json()`.
        models: networks used.
        at: time, ISO 8601.
        corrections: in order.
        seat: player whose hidden hand it may show; None: nobody's, -1: unknown whose.
    """

    id: str
    game_id: str | None
    photo: str
    reading: Mapping[str, Any]
    models: Mapping[str, Any]
    at: str
    corrections: tuple[Mapping[str, Any], ...] = ()
    seat: int | None = None


class Store:
    """The store. Create it with `open`.

    Attributes:
        photos: the photos.
        tokens: who may do what in which game.
        profiles: of people's own dice, by game.
        codes: that invite to games.
        tries: wrong tokens and codes.
        cameras: waiting rolls of the games' cameras.
        throws: what was thrown in which game, for throws with photos.
        changes: for waiting until a game changes, or its camera has news.
    """

    def __init__(self, engine: Engine, photos: Photos) -> None:
        self._engine = engine
        self.photos = photos
        self.tokens = GameTokens(engine)
        self.profiles = GameProfiles(engine)
        self.codes = GameCodes(engine)
        self.tries = FailedTries(engine)
        self.throws = Throws(engine)
        self.changes = Changes(self._count_lines)
        self.cameras = CameraQueues(engine, self.changes)
        self._listener = Listener(engine, self.changes) if is_postgres(engine) else None

    @classmethod
    def open(cls, url: str | None, folder: Path) -> Store:
        """Open the store, creating or migrating its tables if needed.

        Args:
            url: postgresql+psycopg://…; None: SQLite in `folder`, for one process.
            folder: of the SQLite file and the photos beside it; on PostgreSQL, of the photos that an earlier version stored
                there. Created if needed.

        Raises:
            StoreError: "folder", "wrong-url", "newer-database", or a fault of `api.store.faults`.
        """
        engine = connect_to(url, folder)
        prepare(folder)
        try:
            beside = FolderPhotos(folder / "photos")
            photos = DatabasePhotos(engine, beside) if is_postgres(engine) else beside
            migrate(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, photos)

    def close(self) -> None:
        """Close the database and wake all waiters."""
        self.changes.close()
        if self._listener is not None:
            self._listener.close()
        self._engine.dispose()

    def begin(
        self, record: Record, tokens: Iterable[StoredToken] = (), *, open_hands: bool = False, game_id: str = ""
    ) -> StoredGame:
        """Store a new game with its first tokens.

        Args:
            record: of the game.
            tokens: who may do what in it.
            open_hands: whether everyone at the table sees every hand.
            game_id: of the game, if its id is known beforehand; it must be new.

        Raises:
            StoreError: "database-trouble".
        """
        game = StoredGame(game_id or secrets.token_hex(8), record, record.header.date, open_hands)
        with writing(self._engine) as connection:
            connection.execute(insert(tables.games).values(_game_row(game)))
            _write_lines(connection, game.id, record.lines, 1)
            insert_all(connection, game.id, tokens)
            throws.keep(connection, game.id, None, record)
        return game

    def game(self, game_id: str) -> StoredGame:
        """The game as it stands, its record replayed and verified.

        Raises:
            Missing: "no-game".
            StoreError: "game-damaged": its lines were altered outside this program; "database-trouble".
        """
        with reading(self._engine) as connection:
            row = _game(connection, game_id)
            # Ignore lines that another process may have added since the row was read.
            chosen = tables.lines.c.game_id == game_id, tables.lines.c.number <= row.lines
            lines = connection.scalars(select(tables.lines.c.line).where(*chosen).order_by(tables.lines.c.number)).all()
        return StoredGame(row.id, _loaded(row, lines), row.begun, row.open_hands)

    def games(self, most: int, before: str | None = None) -> list[GameRow]:
        """A page of the list of games, newest first.

        Args:
            most: how many at most.
            before: only games begun before this one (its id).

        Raises:
            Missing: "no-game": there is no game `before`.
            StoreError: "database-trouble".
        """
        games, lines = tables.games, tables.lines
        last = (lines.c.game_id == games.c.id) & (lines.c.number == games.c.lines)
        chosen = select(games, lines.c.line).join(lines, last).order_by(games.c.place.desc()).limit(most)
        with reading(self._engine) as connection:
            if before is not None:
                chosen = chosen.where(games.c.place < _game(connection, before).place)
            rows = connection.execute(chosen).all()
        return [GameRow(r.id, r.game, tuple(r.players), r.begun, r.lines, _closes(r.line)) for r in rows]

    def every_game(self) -> Iterator[GameRow]:
        """All games, newest first.

        Raises:
            StoreError: "database-trouble".
        """
        before = None
        while page := self.games(_PAGE, before):
            yield from page
            before = page[-1].id

    def append(self, game: StoredGame, record: Record) -> StoredGame:
        """Append the record's new lines since the game was loaded.

        Raises:
            Conflict: "moved-on": someone else has written since.
            Missing: "no-game".
            StoreError: "other-record": the record does not continue the stored one; "database-trouble".
        """
        old, new = len(game.record.lines), len(record.lines)
        if record.lines[:old] != game.record.lines:
            raise StoreError("other-record", "This record does not continue the stored one.")
        if new == old:
            return game
        try:
            with writing(self._engine) as connection:
                _advance(connection, game, record)
                _write_lines(connection, game.id, record.lines[old:], old + 1)
                throws.keep(connection, game.id, game.record, record)
        except Conflict:
            # This process may not have been notified.
            self.changes.look_again(game.id)
            raise
        self.changes.tell(game.id, new)
        if is_postgres(self._engine):
            announce(self._engine, game.id, new)
        return replace(game, record=record)

    def add_reading(self, found: StoredReading) -> None:
        """Store a reading; store its photo first.

        Raises:
            ValueError: something in it is not JSON.
            Missing: "no-photo" or "no-game".
            Conflict: "already-there": the name is in use.
            StoreError: "database-trouble".
        """
        if not self.photos.has(found.photo):
            raise Missing("no-photo", "The photo of this reading is not stored.")
        with writing(self._engine) as connection:
            if found.game_id is not None:
                _game(connection, found.game_id)
            connection.execute(insert(tables.readings).values(_reading_row(found)))
            for number, correction in enumerate(found.corrections, start=1):
                _write_correction(connection, found.id, number, correction)

    def reading(self, reading_id: str) -> StoredReading:
        """The reading with its corrections so far.

        Raises:
            Missing: "no-reading".
            StoreError: "database-trouble".
        """
        with reading(self._engine) as connection:
            return _stored(connection, _reading(connection, reading_id))

    def readings_of(self, game_id: str) -> list[StoredReading]:
        """All readings of a game, in order of addition.

        Raises:
            Missing: "no-game".
            StoreError: "database-trouble".
        """
        chosen = select(tables.readings).where(tables.readings.c.game_id == game_id)
        with reading(self._engine) as connection:
            _game(connection, game_id)
            return [_stored(connection, row) for row in connection.execute(chosen.order_by(tables.readings.c.place))]

    def correct(self, reading_id: str, expected: int, correction: Mapping[str, Any]) -> StoredReading:
        """Add a correction; the reading and earlier corrections stay.

        Args:
            reading_id: of the reading.
            expected: number of corrections the person has seen.
            correction: to add.

        Raises:
            ValueError: the correction is not JSON.
            Conflict: "corrected-since": it has a different number of corrections.
            Missing: "no-reading".
            StoreError: "database-trouble".
        """
        with writing(self._engine) as connection:
            found = _stored(connection, _reading(connection, reading_id, lock=True))
            if len(found.corrections) != expected:
                raise Conflict("corrected-since", "Someone else has corrected this reading. Reload it.")
            _write_correction(connection, reading_id, expected + 1, correction)
        return replace(found, corrections=(*found.corrections, _plain(correction)))

    def _count_lines(self, game_id: str) -> int:
        with reading(self._engine) as connection:
            return int(_game(connection, game_id).lines)


def _game_row(game: StoredGame) -> dict[str, Any]:
    header = game.record.header
    return {
        "id": game.id,
        "game": header.game,
        "players": list(header.players),
        "begun": game.begun,
        "lines": len(game.record.lines),
        "head": game.record.head,
        "open_hands": game.open_hands,
    }


def _game(connection: Connection, game_id: str) -> Row[Any]:
    row = None
    if may_be_id(game_id):
        row = connection.execute(select(tables.games).where(tables.games.c.id == game_id)).one_or_none()
    if row is None:
        raise Missing("no-game", "Unknown game.")
    return row


def _loaded(row: Row[Any], lines: Iterable[str]) -> Record:
    try:
        return Record.load("".join(f"{line}\n" for line in lines), row.head)
    except RecordError as error:
        raise StoreError("game-damaged", f"The game {row.id} was altered in storage: {error.message}") from error


def _closes(line: str) -> bool:
    return line.startswith('{"end":')


def _advance(connection: Connection, game: StoredGame, record: Record) -> None:
    """Optimistic locking: of two writers with the same head, only the first succeeds."""
    _game(connection, game.id)
    games = tables.games
    unmoved = games.c.id == game.id, games.c.head == game.record.head
    moved = {"lines": len(record.lines), "head": record.head}
    if connection.execute(update(games).where(*unmoved).values(moved)).rowcount != 1:
        raise Conflict("moved-on", "Someone else has moved in this game. Reload it.")


def _write_lines(connection: Connection, game_id: str, lines: Iterable[str], first: int) -> None:
    rows = [{"game_id": game_id, "number": number, "line": line} for number, line in enumerate(lines, start=first)]
    connection.execute(insert(tables.lines), rows)


def _reading_row(found: StoredReading) -> dict[str, Any]:
    return {
        "id": found.id,
        "game_id": found.game_id,
        "photo": found.photo,
        "reading": _plain(found.reading),
        "models": _plain(found.models),
        "at": found.at,
        "seat": found.seat,
    }


def _reading(connection: Connection, reading_id: str, *, lock: bool = False) -> Row[Any]:
    row = None
    if may_be_id(reading_id):
        chosen = select(tables.readings).where(tables.readings.c.id == reading_id)
        row = connection.execute(chosen.with_for_update() if lock else chosen).one_or_none()
    if row is None:
        raise Missing("no-reading", "Unknown reading.")
    return row


def _stored(connection: Connection, row: Row[Any]) -> StoredReading:
    table = tables.corrections
    chosen = select(table.c.correction).where(table.c.reading_id == row.id).order_by(table.c.number)
    corrections = tuple(connection.scalars(chosen))
    return StoredReading(row.id, row.game_id, row.photo, row.reading, row.models, row.at, corrections, row.seat)


def _write_correction(connection: Connection, reading_id: str, number: int, correction: Mapping[str, Any]) -> None:
    values = {"reading_id": reading_id, "number": number, "correction": _plain(correction)}
    connection.execute(insert(tables.corrections).values(values))


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as they will be loaded; refuses non-JSON here, because the two databases treat it differently."""
    plain: dict[str, Any] = json.loads(json.dumps(values, allow_nan=False))
    return plain
