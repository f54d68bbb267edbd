"""Packs everything that settles a dispute into one zip: record, photos, readings, report, and signature.

    with open("evidence.zip", "xb") as file:
        left_out = write(Evidence(record, photos, signed=key.sign(Head.of(record, game_id))), file)

    record.jsonl            the record
    photos/<sha256>.jpg     the record's photos, byte for byte (without location metadata: see `place`)
    annotated/<line>.jpg    a photo annotated with the reading of that line
    readings.json           readings stored with the game, with corrections
    profiles/<sha256>.json  profiles of people's own dice that these were read with
    report.html, report.css for people
    manifest.json           the hash of every other file, versions, the signed head

The same game gives the same zip, bit for bit, with the same versions of Muggins and Pillow: timestamps are fixed, and
nothing is compressed, since photos already are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import PIL

import models
from api.evidence.keys import SignedHead
from api.evidence.place import without_place
from api.evidence.report import STYLE, ReportContents, page
from api.evidence.throws import Line, lines_of, reading_of
from api.version import VERSION
from scorer.engine.record import Record
from vision.draw import annotate
from vision.photo import Photo, PhotoError, load
from vision.reading import Reading

FORMAT = 3
"""The report differs from format to format; the proof has not changed since the first."""
MAGIC = "muggins-evidence"
RECORD, READINGS, REPORT, SHEET, MANIFEST = (
    "record.jsonl",
    "readings.json",
    "report.html",
    "report.css",
    "manifest.json",
)
SUFFIXES = {"JPEG": "jpg", "PNG": "png", "WebP": "webp", "GIF": "gif", "HEIC": "heic"}
_WHEN = (1980, 1, 1, 0, 0, 0)
"""The earliest timestamp of a zip."""
_QUALITY = 88
_MODE = 0o100644 << 16
_UNIX = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """The data of a game.

    Attributes:
        record: of the game.
        photos: bytes of photos by SHA-256; read one at a time, so that it can be backed by files.
        readings: stored with the game, played or not, each a JSON object with "photo" (SHA-256), "reading"
            (`Reading.to_json`) and "corrections" (a list of objects); other keys are kept as they are.
        signed: the record's head with the server's signature; None without a server.
        profiles: files of the profiles that photos were read with, by SHA-256.
    """

    record: Record
    photos: Mapping[str, bytes] = field(default_factory=dict)
    readings: Sequence[Mapping[str, Any]] = ()
    signed: SignedHead | None = None
    profiles: Mapping[str, bytes] = field(default_factory=dict)


def write(evidence: Evidence, to: BinaryIO) -> dict[str, str]:
    """Write the zip, with one photo in memory at a time.

    Args:
        evidence: the game.
        to: a binary file that can seek.

    Returns:
        Photos left out: SHA-256 and reason, as in the manifest.
    """
    with ZipFile(to, "w", ZIP_STORED) as zipped:
        writer = _Writer(zipped)
        writer.add(RECORD, evidence.record.text.encode())
        lines = lines_of(evidence.record)
        left_out = _add_photos(writer, evidence, lines)
        for sha256 in known_profiles(lines, evidence.readings):
            if sha256 in evidence.profiles:
                writer.add(profile_name(sha256), evidence.profiles[sha256])
        if evidence.readings:
            writer.add(READINGS, dumped(list(evidence.readings)))
        contents = ReportContents(evidence.record, pictured(lines, writer.files), evidence.readings, evidence.signed)
        writer.add(REPORT, page(contents).encode())
        writer.add(SHEET, STYLE.encode())
        writer.add(MANIFEST, dumped(_manifest(evidence, writer.files, left_out)))
    return left_out


def known_profiles(lines: Sequence[Line], readings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The SHA-256 of every profile that a photo of the game was read with."""
    read = [line.reading for line in lines] + [reading_of(each.get("reading")) for each in readings]
    return sorted({sha256 for reading in read if reading for sha256 in reading.profiles.values()})


def profile_name(sha256: str) -> str:
    """The name of a profile in the zip."""
    return f"profiles/{sha256}.json"


class _Writer:
    """Writes a zip and collects the hashes of its files."""

    def __init__(self, zipped: ZipFile) -> None:
        self._zipped = zipped
        self.files: dict[str, str] = {}

    def add(self, name: str, data: bytes) -> None:
        """Add a file."""
        info = ZipInfo(name, _WHEN)
        info.external_attr, info.create_system = _MODE, _UNIX
        self._zipped.writestr(info, data)
        self.files[name] = hashlib.sha256(data).hexdigest()


def dumped(value: Any) -> bytes:
    """Canonical JSON: equal values give equal bytes."""
    return f"{json.dumps(value, indent=2, sort_keys=True)}\n".encode()


def _manifest(evidence: Evidence, files: Mapping[str, str], left_out: Mapping[str, str]) -> dict[str, Any]:
    return {
        "evidence": MAGIC,
        "format": FORMAT,
        "game": evidence.record.header.game,
        "lines": len(evidence.record.lines),
        "head": evidence.record.head,
        "signed": evidence.signed.to_json() if evidence.signed else None,
        "versions": {"muggins": VERSION, "pillow": PIL.__version__, "record": dict(evidence.record.header.versions)},
        "models": models.load_manifest().hashes,
        "files": dict(files),
        "left_out": dict(left_out),
    }


# Photos


def _add_photos(writer: _Writer, evidence: Evidence, lines: Sequence[Line]) -> dict[str, str]:
    left_out: dict[str, str] = {}
    for sha256 in named(lines, evidence.readings):
        try:
            data = _right(sha256, evidence.photos)
            photo = load(data)
        except (_LeftOut, PhotoError) as error:
            left_out[sha256] = str(error)
            continue
        writer.add(f"photos/{sha256}.{SUFFIXES[photo.format]}", data)
        for number, reading in drawn(lines, sha256):
            writer.add(picture_name(number), picture(reading, photo))
    return left_out


class PhotoLost(LookupError):  # noqa: N818 - named after the outcome
    """Raised by the mapping of photos: this one was stored, but its bytes are missing. The text is a phrase."""


class _LeftOut(Exception):  # noqa: N818 - named after the outcome
    """A photo is left out of the zip; the message says why."""


def _right(sha256: str, photos: Mapping[str, bytes]) -> bytes:
    if sha256 not in photos:
        raise _LeftOut("it was not stored")
    try:
        data = photos[sha256]
    except PhotoLost as error:
        raise _LeftOut(str(error)) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise _LeftOut("it was changed after it was stored")
    if without_place(data) != data:
        raise _LeftOut("it contains metadata such as its location")
    return data


def named(lines: Sequence[Line], readings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The photos of a game, each once: in order of lines, then those of other readings."""
    others = (str(kept.get("photo", "")) for kept in readings)
    return [sha256 for sha256 in dict.fromkeys([*(line.photo for line in lines), *others]) if sha256]


def drawn(lines: Sequence[Line], sha256: str) -> list[tuple[int, Reading]]:
    """The lines of a photo that get an annotated picture, with their readings; equal readings are drawn once."""
    own = [line for line in lines if line.photo == sha256 and line.same_as == line.number]
    return [(line.number, line.reading) for line in own if line.reading]


def pictured(lines: Sequence[Line], names: Container[str]) -> dict[int, str]:
    """The annotated picture of every line that has one among these files."""
    shown = {line.number: picture_name(line.same_as) for line in lines if line.reading}
    return {number: name for number, name in shown.items() if name in names}


def picture_name(number: int) -> str:
    """The name of a line's annotated picture in the zip."""
    return f"annotated/{number}.jpg"


def picture(reading: Reading, photo: Photo) -> bytes:
    """The annotated photo as JPEG."""
    data = BytesIO()
    annotate(reading, photo.pixels).save(data, "JPEG", quality=_QUALITY)
    return data.getvalue()
