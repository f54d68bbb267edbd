"""Real games read from the real sample photos, and their evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from PIL import Image

from api.evidence.bundle import Evidence, write
from api.evidence.keys import Head, ServerKey
from api.interpret.observation import seen_from_reading
from scorer.camera.referee import rule
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.registry import game_named
from vision.photo import Photo, load
from vision.reader import TableReader
from vision.reading import Reading

SAMPLES = Path("docs")
RECORDS = Path("tests/scorer/engine/records")


def begun(game: str, *rules: str, names: tuple[str, ...] = ("Ann", "Ben")) -> Record:
    return Record.begin(Header(game, game_named(game).rules.from_texts(rules), names, "2026-11-21T20:15:00+00:00"))


def typed(record: Record, *moves: str) -> Record:
    for move in moves:
        record = record.play(Move.parse(move), at="2026-11-21T20:16:00+00:00")
    return record


def read_for(record: Record, reader: TableReader, photo: Photo) -> Reading:
    """What a server reads in a photo of this game's table as the game stands."""
    return reader.read(photo, record.game.on_table(record.state))


def photographed(record: Record, reading: Reading, corrected: Mapping[str, Any] | None = None) -> Record:
    """The record with what the referee makes of the reading, as a server writes it."""
    moves = rule(record.game, record.state, seen_from_reading(reading, record.header.game)).moves
    assert moves, "the photo shows a move"
    for move in moves:
        record = record.play(move, at="2026-11-21T20:17:00+00:00", seen=reading.to_json(), corrected=corrected)
    return record


def played_from_a_photo(reader: TableReader, hand: Photo) -> Record:
    """Domino Cribbage; the fourth tile of the play is read from a photo of all four."""
    record = typed(
        begun("domino-cribbage"),
        *("opening 6-5", "opening 6-2", "deal 1 0-0 3-3 5-3 5-5 6-0 6-3", "deal 0 2-2 4-1 4-4 5-2 6-4 6-6"),
        *("discard 3-3 5-3", "discard 2-2 4-4", "starter 5-4", "play 0-0", "play 5-2", "play 6-0"),
    )
    reading = read_for(record, reader, hand)
    assert reading.sure
    return photographed(record, reading)


def zipped(evidence: Evidence) -> bytes:
    file = BytesIO()
    write(evidence, file)
    return file.getvalue()


def rezipped(data: bytes, changed: Mapping[str, bytes | None], *, relisted: bool = True) -> bytes:
    """The zip with files changed, added or (None) taken out, by somebody who knows how to mend the manifest."""
    with ZipFile(BytesIO(data)) as old:
        files: dict[str, bytes | None] = {**{name: old.read(name) for name in old.namelist()}, **changed}
    if relisted:
        manifest = json.loads(files["manifest.json"] or b"{}")
        kept = {name: body for name, body in files.items() if body is not None and name != "manifest.json"}
        manifest["files"] = {name: hashlib.sha256(body).hexdigest() for name, body in kept.items()}
        files["manifest.json"] = json.dumps(manifest).encode()
    file = BytesIO()
    with ZipFile(file, "w") as new:
        for name, body in files.items():
            if body is not None:
                new.writestr(name, body)
    return file.getvalue()


@pytest.fixture(scope="session")
def reader() -> TableReader:
    return TableReader()


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> ServerKey:
    return ServerKey.open(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def throw_photo() -> bytes:
    """Six dice, and a doubt: half a seventh, which leaves the picture."""
    data = BytesIO()
    with Image.open(SAMPLES / "sample-throw.jpg") as whole:
        half = whole.crop((910, 440, 1170, 570))
        whole.paste(half, (100, whole.height - half.height))
        whole.save(data, "JPEG", quality=92)
    return data.getvalue()


@pytest.fixture(scope="session")
def hand_photo() -> bytes:
    """Four tiles, all of them sure."""
    return (SAMPLES / "sample-hand.jpg").read_bytes()


@pytest.fixture(scope="session")
def again_photo(hand_photo: bytes) -> bytes:
    """Another file with the same tiles."""
    data = BytesIO()
    with Image.open(BytesIO(hand_photo)) as whole:
        whole.save(data, "JPEG", quality=92)
    return data.getvalue()


@pytest.fixture(scope="session")
def dice_game(reader: TableReader, throw_photo: bytes) -> Record:
    """Farkle Cribbage with a throw from the photo, taken back, confirmed and thrown again."""
    record = typed(begun("farkle-crib", "opening_roll=false"), *2 * ["throw 2 3 3 4 6 6"])
    reading = read_for(record, reader, load(throw_photo, name="a <b>.jpg"))
    assert [doubt.reason for doubt in reading.doubts] == ["cut-off"]
    record = photographed(record, reading).undo(at="2026-11-21T20:17:00+00:00")
    return photographed(record, reading, {"confirmed": "by <Ben>"})


@pytest.fixture(scope="session")
def tile_game(reader: TableReader, hand_photo: bytes) -> Record:
    return played_from_a_photo(reader, load(hand_photo))


@pytest.fixture(scope="session")
def photos(throw_photo: bytes, hand_photo: bytes) -> dict[str, bytes]:
    return {hashlib.sha256(data).hexdigest(): data for data in (throw_photo, hand_photo)}


@pytest.fixture(scope="session")
def evidence_of(photos: dict[str, bytes], key: ServerKey) -> Callable[[Record], Evidence]:
    def made(record: Record) -> Evidence:
        return Evidence(record, photos, signed=key.sign(Head.of(record, "g-1")))

    return made


@pytest.fixture(scope="session")
def tile_zip(evidence_of: Callable[[Record], Evidence], tile_game: Record) -> bytes:
    return zipped(evidence_of(tile_game))


@pytest.fixture(scope="session")
def dice_zip(evidence_of: Callable[[Record], Evidence], dice_game: Record) -> bytes:
    return zipped(evidence_of(dice_game))


def unsigned(evidence: Evidence) -> Evidence:
    return replace(evidence, signed=None)
