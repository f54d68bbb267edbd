"""A live game, and what may be done in it: each step is kept before it is told.

Whoever acts says how many lines of the record he knew. Has the record grown since, his move was meant for another moment:
it is refused as stale, and he looks again. So a request that is sent twice is played once.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from api.evidence.keys import Head, ServerKey
from api.http.games import export
from api.http.games.access import Role, Tokens, digest
from api.http.games.game_cache import Shelf
from api.interpret import rulings, typed_moves
from api.interpret.corrections import corrected
from api.interpret.on_table import lying
from api.interpret.rulings import Verdict
from api.store import Conflict, Missing, Store, StoredGame, StoredReading
from api.version import VERSION
from scorer.camera.referee import question
from scorer.engine.record import Header, Record
from scorer.engine.snapshot import snapshot
from scorer.games.registry import game_named
from vision.reading import Reading


class Stale(Exception):  # noqa: N818 - it says what became of the attempt
    """The game has gone on since the player looked; nothing was done."""

    def __init__(self, known: int, lines: int) -> None:
        super().__init__(
            f"The game has gone on since you looked: its record has {lines} lines, not {known}. Look again."
        )


@dataclass(frozen=True, slots=True)
class Done:
    """What a request has brought about.

    Attributes:
        game: as it stands now.
        verdict: what came of the photo or move.
        reading: what it was read from, if anything.
    """

    game: StoredGame
    verdict: Verdict
    reading: StoredReading | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A move as a player, or a watching camera, says it; not all of it empty.

    Attributes:
        move: typed, in words, or as bare dice or tiles.
        reading: the name of a reading to play.
        corrections: how many corrections of it the player has seen.
        confirm: play what was doubted.
        inferred: a camera infers the move; nobody said it.
        watched: the frame and time of the roll by which a camera knows or infers it.
    """

    move: str | None = None
    reading: str | None = None
    corrections: int = 0
    confirm: bool = False
    inferred: bool = False
    watched: Mapping[str, Any] | None = None

    @property
    def by_camera(self) -> dict[str, Any]:
        """What the record says of a camera that told it; empty where a person did."""
        told = {"watched": dict(self.watched or {}), "inferred": self.inferred}
        return {name: each for name, each in told.items() if each}


class Table:
    """All live games of this server. Its methods block while they write, and may be called from any thread."""

    def __init__(self, store: Store, key: ServerKey) -> None:
        self.store = store
        self._key = key
        self._shelf = Shelf(store)

    def begin(self, game: str, players: Sequence[str], rules: Sequence[str]) -> tuple[StoredGame, Tokens]:
        """A new game.

        Args:
            game: its name.
            players: their names in table order.
            rules: options like "piddle_points=true".

        Raises:
            ScorerError: no game can be played so.
            StoreError: it could not be kept.
        """
        names = tuple(name.strip() for name in players)
        typed_moves.check_shown(names)
        header = Header(game, game_named(game).rules.from_texts(rules), names, typed_moves.now(), {"muggins": VERSION})
        tokens = Tokens.new()
        return self.store.begin(Record.begin(header), digest(tokens.viewer), digest(tokens.player)), tokens

    def game(self, game_id: str) -> StoredGame:
        """The game as it stands.

        Raises:
            Missing: "no-game".
        """
        return self._shelf.game(game_id)

    def expected(self, game_id: str, lines: int) -> StoredGame:
        """The game, if its record has just so many lines.

        Raises:
            Missing: "no-game".
            Stale: it has not.
        """
        game = self._shelf.game(game_id)
        if len(game.record.lines) != lines:
            # Another server may have moved, and its news be on the way.
            game = self._shelf.fetched(game_id)
        if len(game.record.lines) != lines:
            raise Stale(lines, len(game.record.lines))
        return game

    def see(self, game_id: str, lines: int, reading: Reading, photo: bytes) -> Done:
        """Keep a photo and its reading, and play what it shows if nothing about it is in doubt.

        Args:
            game_id: of which game.
            lines: how many the player knew.
            reading: what the photo shows.
            photo: its bytes, without the place.

        Raises:
            Stale, Conflict: the game has gone on; the reading is kept all the same.
            StoreError: something could not be kept.
        """
        kept = self._add(game_id, self.store.photos.put(photo), reading, {})
        return self._from_reading(self.expected(game_id, lines), kept, confirm=False)

    def play(self, game_id: str, lines: int, said: Said) -> Done:
        """Play a move that was typed or chosen, or a reading that was corrected or is confirmed.

        Raises:
            Stale, Conflict: the game or the reading is not as the player knew it.
            Missing: no such game, or no such reading in it.
            ScorerError: it is no move, or not here.
            StoreError: it could not be kept.
        """
        game = self.expected(game_id, lines)
        if said.reading is None:
            return self._typed(game, said)
        kept = self.reading_of(game_id, said.reading)
        if len(kept.corrections) != said.corrections:
            raise Conflict("corrected-since", "Somebody else has corrected this reading: look at it again.")
        if said.move is None:
            return self._from_reading(game, kept, confirm=said.confirm)
        return self._instead(game, kept, said.move)

    def undo(self, game_id: str, lines: int) -> StoredGame:
        """Take the last standing move back.

        Raises:
            Stale, Conflict: the game has gone on.
            RecordError: "nothing-to-undo".
        """
        game = self.expected(game_id, lines)
        return self._keep(game, game.record.undo(at=typed_moves.now()))

    def reading_of(self, game_id: str, reading_id: str) -> StoredReading:
        """A reading of that game.

        Raises:
            Missing: "no-reading": there is none, or it belongs to another game.
        """
        kept = self.store.reading(reading_id)
        if kept.game_id != game_id:
            raise Missing("no-reading", "There is no such reading here.")
        return kept

    def look_again(self, first: StoredReading, reading: Reading) -> StoredReading:
        """Keep what a second look at the photo of a reading saw. Nothing is played, and the first reading stays.

        Raises:
            StoreError: it could not be kept.
        """
        of = export.again_of(first) or first.id
        return self._add(first.game_id, first.photo, reading, {export.AGAIN_OF: of})

    def correct(self, reading_id: str, expected: int, correction: Mapping[str, Any]) -> StoredReading:
        """Keep what a person says of a reading. What was played from it stays: undo it, and play the reading again.

        Raises:
            BadCorrection: it does not fit.
            Conflict: somebody else has corrected it since.
            Missing: "no-reading".
        """
        kept = self.store.reading(reading_id)
        if len(kept.corrections) == expected:
            corrected(Reading.from_json(kept.reading), [*kept.corrections, correction])
        return self.store.correct(reading_id, expected, correction)

    def shown(self, game: StoredGame, role: Role) -> dict[str, Any]:
        """The game as one plain object: to a viewer without the offers, which may tell a hand."""
        told = snapshot(game.record)
        signed = self._key.sign(Head.of(game.record, game.id)).to_json()
        offers = told["offers"] if role == "player" else None
        more = {"id": game.id, "lines": len(game.record.lines), "head": signed, "lying": lying(game.record)}
        return {**told, **more, "offers": offers}

    # How a reading and a move are kept

    def _add(self, game_id: str | None, photo: str, reading: Reading, beside: Mapping[str, Any]) -> StoredReading:
        kept = StoredReading(
            id=secrets.token_hex(8),
            game_id=game_id,
            photo=photo,
            reading={**reading.to_json(), **beside},
            models=dict(reading.models),
            at=typed_moves.now(),
        )
        self.store.add_reading(kept)
        return kept

    def _typed(self, game: StoredGame, said: Said) -> Done:
        text = " ".join((said.move or "").lower().split())
        seen = typed_moves.seen_in(game.record, text)
        if seen is None:
            return self._played(game, Verdict((typed_moves.written(game.record, text),)), said.by_camera)
        verdict = rulings.of_seen(game.record, seen)
        if not said.confirm:
            return self._played(game, verdict, said.by_camera)
        return self._played(game, verdict.confirmed(), rulings.how(None, (), verdict.doubt))

    def _from_reading(self, game: StoredGame, kept: StoredReading, *, confirm: bool) -> Done:
        reading = Reading.from_json(kept.reading)
        verdict = rulings.of_reading(game.record, corrected(reading, kept.corrections))
        doubt = verdict.doubt if confirm else None
        how = {**rulings.how(reading, kept.corrections, doubt), **self._first_of(kept)}
        return self._played(game, verdict.confirmed() if confirm else verdict, how, kept)

    def _instead(self, game: StoredGame, kept: StoredReading, text: str) -> Done:
        """A person says what the photo shows: his move, with the photo beside it."""
        move = typed_moves.written(game.record, " ".join(text.lower().split()))
        how = {**rulings.how(Reading.from_json(kept.reading), kept.corrections, None), **self._first_of(kept)}
        return self._played(game, Verdict((move,)), {**how, "said": str(move)}, kept)

    def _first_of(self, kept: StoredReading) -> dict[str, Any]:
        """Where a second look is played, the line keeps both: what the first saw stands beside it, in short."""
        of = export.again_of(kept)
        if of is None:
            return {}
        first = Reading.from_json(self.store.reading(of).reading)
        seen = {"dice": list(first.values), "tiles": [tile.name for tile in first.tiles]}
        return {export.AGAIN_OF: of, "first": {name: pieces for name, pieces in seen.items() if pieces}}

    def _played(
        self, game: StoredGame, verdict: Verdict, how: Mapping[str, Any], kept: StoredReading | None = None
    ) -> Done:
        if verdict.doubt:
            return Done(game, verdict, kept)
        record = typed_moves.after(
            game.record, verdict.moves, seen=export.as_read(kept) if kept else None, corrected=how or None
        )
        now = self._keep(game, record)
        asked = question(record.game, record.state)
        return Done(now, replace(verdict, events=record.events, question=asked), kept)

    def _keep(self, game: StoredGame, record: Record) -> StoredGame:
        kept = self.store.append(game, record)
        return self._shelf.put(replace(kept, record=_as_loaded(record)))


def _as_loaded(record: Record) -> Record:
    """With the events of the last line alone, as everybody else sees it, not of all lines that were added at once."""
    if record.entries[-1].move is None:
        return record
    return replace(record, events=record.game.apply(record.history[-2], record.moves[-1]).events)


def hides_hands(game: StoredGame) -> bool:
    """Whether the record, and photos of hands, tell what must not be seen before the game is over."""
    return bool(game.record.game.hidden_verbs) and game.record.result is None
