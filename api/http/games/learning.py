"""What a game learns from its players' corrections: a profile that its next photos are read with.

It is derived from the stored readings and corrections alone, so it is the same after a restart and on every server of a
database. Earlier readings do not change. Each version is stored before a photo is read with it, and is part of the evidence.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from anyio.to_thread import run_sync

from api.evidence.throws import standing
from api.http.games import export
from api.interpret import typed_moves
from api.interpret.lessons import said_of
from api.store import Store, StoredGame, StoredReading, StoreError
from scorer.engine.record import Record
from vision.photo import PhotoError
from vision.reading import Reading
from vision.taught.labelling import Said
from vision.taught.pieces import InvalidProfile, TaughtPiece
from vision.taught.profile import MOST_PIECES, Profile

log = logging.getLogger(__name__)

THIS_GAME = "this game"
"""The name of the profile that a game makes for itself."""
_MOST_CACHED = 300
"""Readings whose cut pieces are cached; one takes some 30 KB."""

Teach = Callable[[bytes, Sequence[Said]], Awaitable[list[TaughtPiece]]]
"""Cuts the named pieces out of a photo: `Desk.teach`."""


class Learning:
    """The profiles of all games of this server."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cut: OrderedDict[tuple[str, int], tuple[TaughtPiece, ...]] = OrderedDict()
        self._left: set[tuple[str, str]] = set()
        """Versions, by game, that went out of use because the moves that taught them were undone, not by a player's choice."""

    async def profiles(self, game: StoredGame, teach: Teach) -> list[bytes]:
        """The files of all profiles that the next photo of a game is read with, the game's own included.

        Raises:
            StoreError: the readings or profiles could not be read or stored.
            Busy, SenderLeft, WorkerFailed: as of `teach`.
        """
        used = await run_sync(lambda: self._store.profiles.of(game.id, used=True))
        readings = await run_sync(self._store.readings_of, game.id)
        if corrected := _last_of_each([kept for kept in readings if kept.corrections]):
            learned = await self._learned(corrected, _undone(game.record), teach)
            if await run_sync(self._keep, game.id, learned, [each.sha256 for each in used if each.name == THIS_GAME]):
                used = await run_sync(lambda: self._store.profiles.of(game.id, used=True))
        return [profile.data for profile in used]

    async def _learned(self, corrected: Sequence[StoredReading], undone: set[str], teach: Teach) -> Profile | None:
        """The profile that corrected readings teach; None: they teach nothing."""
        lessons = [kept for kept in corrected if kept.photo not in undone]
        pieces = [piece for kept in lessons for piece in await self._pieces(kept, teach)]
        # The latest pieces are kept: they show the dice and the light of now.
        return Profile(THIS_GAME).with_pieces(pieces[-MOST_PIECES:]) if pieces else None

    def _keep(self, game_id: str, learned: Profile | None, used: Sequence[str]) -> bool:
        """Use the learned profile instead of the versions in use (their SHA-256); returns whether that changes anything."""
        profiles = self._store.profiles
        if learned is None:
            for sha256 in used:
                profiles.leave(game_id, sha256)
                self._left.add((game_id, sha256))
            return bool(used)
        # A player may have put this version aside; the profile comes back with the next correction.
        aside = profiles.knows(game_id, THIS_GAME, learned.sha256) and (game_id, learned.sha256) not in self._left
        if learned.sha256 in used or (aside and not used):
            return False
        profiles.put(game_id, THIS_GAME, learned.data, typed_moves.now())
        return True

    async def _pieces(self, kept: StoredReading, teach: Teach) -> tuple[TaughtPiece, ...]:
        key = (kept.id, len(kept.corrections))
        if key not in self._cut:
            self._cut[key] = await self._taught(kept, teach)
        self._cut.move_to_end(key)
        while len(self._cut) > _MOST_CACHED:
            self._cut.popitem(last=False)
        return self._cut[key]

    async def _taught(self, kept: StoredReading, teach: Teach) -> tuple[TaughtPiece, ...]:
        said = said_of(Reading.from_json(export.as_read(kept)), kept.corrections)
        try:
            photo = await run_sync(self._store.photos.get, kept.photo)
            return tuple(await teach(photo, said)) if said else ()
        except (StoreError, InvalidProfile, PhotoError) as error:
            # The game goes on. The photo is tried again once it is corrected again, or the server restarts.
            log.warning("A corrected photo (reading %s) teaches nothing: %s", kept.id, error)
            return ()


def _undone(record: Record) -> set[str]:
    """The photos whose moves were all undone, for good or until the next move: their corrections may be mistakes."""
    played = {entry.seen["sha256"] for entry in record.entries if entry.move and entry.seen and "sha256" in entry.seen}
    return played - {entry.seen["sha256"] for _, entry in standing(record) if entry.seen and "sha256" in entry.seen}


def _last_of_each(readings: Sequence[StoredReading]) -> list[StoredReading]:
    """The last corrected reading of each photo, in order."""
    return list({kept.photo: kept for kept in readings}.values())
