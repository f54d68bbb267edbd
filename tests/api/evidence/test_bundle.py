"""What is in the zip, and what is not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile

from PIL import ExifTags, Image

import models
from api.evidence.bundle import Evidence, write
from api.evidence.keys import SignedHead
from api.evidence.throws import lines_of, plain, reading_of
from scorer.engine.record import Record
from tests.api.evidence.conftest import RECORDS, begun, photographed, read_for, typed, zipped
from vision.photo import load
from vision.reader import TableReader


def opened(data: bytes) -> ZipFile:
    return ZipFile(BytesIO(data))


def test_everything_is_there_and_listed(dice_zip: bytes, dice_game: Record, throw_photo: bytes) -> None:
    sha256 = hashlib.sha256(throw_photo).hexdigest()
    photo, picture = f"photos/{sha256}.jpg", "annotated/4.jpg"
    with opened(dice_zip) as found:
        manifest = json.loads(found.read("manifest.json"))
        assert set(found.namelist()) == {"manifest.json", *manifest["files"]}
        assert set(manifest["files"]) == {"record.jsonl", photo, picture, "report.html", "report.css"}
        assert all(hashlib.sha256(found.read(name)).hexdigest() == digest for name, digest in manifest["files"].items())
        assert found.read("record.jsonl").decode() == dice_game.text
        assert found.read(photo) == throw_photo
        assert load(found.read(picture)).width == load(throw_photo).width
    assert (manifest["head"], manifest["lines"]) == (dice_game.head, 6)
    assert manifest["models"] == models.load_manifest().hashes
    SignedHead.from_json(manifest["signed"]).check()


def test_the_same_game_is_the_same_zip(
    dice_zip: bytes, dice_game: Record, evidence_of: Callable[[Record], Evidence]
) -> None:
    assert zipped(evidence_of(dice_game)) == dice_zip
    with opened(dice_zip) as found:
        infos = found.infolist()
    assert {(info.date_time[0], info.compress_type, info.external_attr >> 16) for info in infos} == {
        (1980, ZIP_STORED, 0o100644)
    }


def test_a_photo_that_is_lost_or_changed_is_left_out_and_named(tile_game: Record, hand_photo: bytes) -> None:
    sha256 = hashlib.sha256(hand_photo).hexdigest()
    for photos, why in (({}, "it was not stored"), ({sha256: hand_photo + b"x"}, "it was changed after it was stored")):
        file = BytesIO()
        assert write(Evidence(tile_game, photos), file) == {sha256: why}
        with ZipFile(file) as found:
            assert not [name for name in found.namelist() if "/" in name]
            assert json.loads(found.read("manifest.json"))["left_out"] == {sha256: why}
            assert b"The photo is not here." in found.read("report.html")


def test_no_photo_goes_out_that_says_where_it_was_taken(reader: TableReader, throw_photo: bytes) -> None:
    said, file = Image.Exif(), BytesIO()
    said.get_ifd(ExifTags.IFD.GPSInfo).update({1: "N", 2: (48.0, 12.0, 30.0)})
    with Image.open(BytesIO(throw_photo)) as picture:
        picture.save(file, "JPEG", exif=said, quality="keep")
    telling = file.getvalue()
    record = typed(begun("farkle-crib", "opening_roll=false"), *2 * ["throw 2 3 3 4 6 6"])
    photo = load(telling)
    data = zipped(Evidence(photographed(record, read_for(record, reader, photo)), {photo.sha256: telling}))
    assert b"GPS" not in data
    with opened(data) as found:
        assert "location" in json.loads(found.read("manifest.json"))["left_out"][photo.sha256]


def test_readings_beside_the_record_go_along_with_their_photos(
    tile_game: Record, photos: dict[str, bytes], throw_photo: bytes, reader: TableReader
) -> None:
    reading = reader.read(load(throw_photo))
    kept = {
        "id": "r-2",
        "photo": reading.sha256,
        "reading": reading.to_json(),
        "corrections": [{"piece": 0, "value": 1}],
    }
    with opened(zipped(Evidence(tile_game, photos, [kept]))) as found:
        assert json.loads(found.read("readings.json")) == [json.loads(json.dumps(kept))]
        assert f"photos/{reading.sha256}.jpg" in found.namelist()


def test_a_game_without_photos_has_evidence_too() -> None:
    for file in sorted(RECORDS.glob("*.jsonl")):
        record = Record.load(file.read_text())
        with opened(zipped(Evidence(record))) as found:
            assert "report.html" in found.namelist()
            assert json.loads(found.read("manifest.json"))["signed"] is None


# The record line by line


def test_lines_are_numbered_as_in_the_file() -> None:
    for file in sorted(RECORDS.glob("*.jsonl")):
        record = Record.load(file.read_text())
        told = lines_of(record)
        texts = [json.loads(line) for line in file.read_text().split("\n")[:-1]]
        closing = {number for number, text in enumerate(texts, start=1) if "end" in text}
        assert [line.number for line in told] == [n for n in range(2, len(texts) + 1) if n not in closing]
        assert {line.number + 1 for line in told if line.closing} == closing
        for line in told:
            assert line.head == texts[line.number - 1]["hash"]
            assert str(line.entry.move) == texts[line.number - 1].get("move", "None")


def test_an_undone_line_names_the_line_that_did_it(dice_game: Record) -> None:
    assert {line.number: line.undone_by for line in lines_of(dice_game)} == {2: 0, 3: 0, 4: 5, 5: 0, 6: 0}
    assert {line.number: line.same_as for line in lines_of(dice_game)} == {2: 0, 3: 0, 4: 4, 5: 0, 6: 4}


def test_a_reading_is_taken_from_nobody_unlooked(dice_game: Record) -> None:
    seen = json.loads(json.dumps(dice_game.entries[2].seen))
    assert reading_of(seen)
    die = seen["dice"][0]
    far = [[1e300, 0.0]] * 4
    for wrong in (
        {"dice": [{**die, "box": far}]},
        {"dice": [die] * 201},
        {"dice": [{**die, "value": "2"}]},
        {"dice": [{**die, "value": 13}]},
        {"sha256": "../../etc/passwd"},
        {"width": 10**9},
        {"width": 0},
        {"photo": "x" * 1001},
        {"sure": not seen["sure"]},
        {"more": 1},
    ):
        assert reading_of(seen | wrong) is None, wrong
    assert reading_of({"dice": [4], "starter": None, "sure": 0.97}) is None
    assert reading_of([1]) is None


def test_plain_words_end_somewhere() -> None:
    deep: object = 1
    for _ in range(900):
        deep = [deep]
    assert plain(deep) == "…"
    assert plain({"dice": [[3, 8]], "by": "hand"}) == "dice 3 8, by hand"
