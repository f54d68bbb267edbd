"""What is handed out of a game: its readings as JSON, its photos, and its evidence."""

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
"""Beside what a second look at a photo read, its reading names the first."""
_LOST = {"photo-damaged": "it was damaged on the server's disk"}
_CHUNK = 256 * 1024
_BEGINNINGS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"GIF8": "image/gif", b"RIFF": "image/webp"}


def told(kept: StoredReading) -> dict[str, Any]:
    """A reading as it was read, and as people say it is."""
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
    """The reading alone, as `Reading.to_json` gave it."""
    return {name: value for name, value in kept.reading.items() if name != AGAIN_OF}


def again_of(kept: StoredReading) -> str | None:
    """Of a second look: which reading was the first."""
    first: str | None = kept.reading.get(AGAIN_OF)
    return first


def as_said(kept: StoredReading) -> Reading:
    """The reading with everything that people have corrected."""
    return corrected(Reading.from_json(kept.reading), kept.corrections)


def media_type(photo: bytes) -> str:
    """Of a photo that could be read, so that its beginning tells."""
    return next((kind for begins, kind in _BEGINNINGS.items() if photo.startswith(begins)), "image/heic")


def evidence_of(store: Store, key: ServerKey, game: StoredGame) -> BinaryIO:
    """The zip with all that is known of a game: a file at its beginning, gone once it is closed."""
    readings = [_beside(kept) for kept in store.readings_of(game.id)]
    signed = key.sign(Head.of(game.record, game.id))
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
    try:
        write(Evidence(game.record, _Kept(store.photos), readings, signed), file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def chunks(file: BinaryIO) -> Iterator[bytes]:
    """The file piece by piece; then it is closed."""
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
    """The photos of the store by their hash; one is read when it is asked for."""

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
        return (file.stem for file in self._photos.folder.glob("*/*.bin"))

    def __len__(self) -> int:
        return sum(1 for _ in self)
