"""Exports of a game: readings as JSON, photos, and evidence."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from api.evidence.bundle import Evidence, PhotoLost, write
from api.evidence.keys import Head, ServerKey
from api.interpret.corrections import corrected
from api.store import Store, StoredGame, StoredReading, StoreError
from api.store.photos import Photos
from vision.reading import Reading

log = logging.getLogger(__name__)

AGAIN_OF = "again_of"
"""Key in a second reading of a photo that refers to the first."""
TAKEN = "taken"
"""Key in a reading: when the photo was taken, according to its EXIF."""
_LOST = {"photo-damaged": "it was damaged on the server's disk"}
_CHUNK = 256 * 1024
_BEGINNINGS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"GIF8": "image/gif", b"RIFF": "image/webp"}


def reading_json(kept: StoredReading) -> dict[str, Any]:
    """A reading as JSON: as read, and as corrected by people."""
    return {
        "id": kept.id,
        "game": kept.game_id,
        "again_of": again_of(kept),
        "at": kept.at,
        "reading": as_read(kept),
        "corrections": [dict(each) for each in kept.corrections],
        "corrected": as_said(kept).to_json(),
    }


def as_read(kept: StoredReading) -> dict[str, Any]:
    """The reading alone, as from `Reading.to_json`."""
    return {name: value for name, value in kept.reading.items() if name not in (AGAIN_OF, TAKEN)}


def again_of(kept: StoredReading) -> str | None:
    """For a second reading of a photo: the id of the first."""
    first: str | None = kept.reading.get(AGAIN_OF)
    return first


def taken(kept: StoredReading) -> str:
    """When the photo was taken, according to its EXIF; empty if unknown."""
    at: str = kept.reading.get(TAKEN, "")
    return at


def as_said(kept: StoredReading) -> Reading:
    """The reading with all corrections applied."""
    return corrected(Reading.from_json(kept.reading), kept.corrections)


def media_type(photo: bytes) -> str:
    """The media type of a readable photo, from its first bytes."""
    return next((kind for begins, kind in _BEGINNINGS.items() if photo.startswith(begins)), "image/heic")


def evidence_of(store: Store, key: ServerKey, game: StoredGame) -> BinaryIO:
    """The evidence zip of a game as a temporary file, positioned at its start."""
    readings = [_beside(kept) for kept in store.readings_of(game.id)]
    signed = key.sign(Head.of(game.record, game.id))
    profiles = {profile.sha256: profile.data for profile in store.profiles.of(game.id)}
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `chunks`
    try:
        write(Evidence(game.record, _Kept(store.photos), readings, signed, profiles), file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def chunks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the file in chunks, then close it."""
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _beside(kept: StoredReading) -> dict[str, Any]:
    first = again_of(kept)
    return {
        "id": kept.id,
        "photo": kept.photo,
        "at": kept.at,
        "reading": as_read(kept),
        "corrections": [dict(each) for each in kept.corrections],
        **({AGAIN_OF: first} if first else {}),
    }


class _Kept(Mapping[str, bytes]):
    """The store's photos by hash, read lazily."""

    def __init__(self, photos: Photos) -> None:
        self._photos = photos

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._photos.has(name)

    def __getitem__(self, name: str) -> bytes:
        try:
            return self._photos.get(name)
        except StoreError as error:
            log.error("%s: %s", error.code, error.message)
            raise PhotoLost(_LOST.get(error.code, "the server's disk did not give it")) from error

    def __iter__(self) -> Iterator[str]:
        return self._photos.names()

    def __len__(self) -> int:
        return sum(1 for _ in self)
