"""Checking costs no more than it may, and damage to one file is no more than one gap."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from PIL import Image

from api.evidence.bundle import Evidence, PhotoLost
from api.evidence.checks.budget import Budget
from api.evidence.findings import Verdict
from api.evidence.verify import verify
from scorer.engine.record import Record
from tests.api.evidence.conftest import begun, rezipped, zipped
from tests.pace import slowness


def verdict_of(data: bytes, budget: Budget | None = None) -> Verdict:
    return verify(BytesIO(data), None, budget=budget)


def forged_line(move: str) -> str:
    """A second line of that Farkle Cribbage game, its hashes in order."""
    start = begun("farkle-crib", "opening_roll=false")
    line = json.dumps({"move": move, "prev": start.head}, separators=(",", ":"))
    return f'{line[:-1]},"hash":"{hashlib.sha256(line.encode()).hexdigest()}"}}\n'


def told(verdict: Verdict, code: str) -> list[str]:
    return [finding.text for finding in verdict.findings if finding.code == code]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, begun("farkle-crib", names=tuple(f"p{number}" for number in range(3_000))).text),
        (2, begun("farkle-crib", "opening_roll=false").text + forged_line("throw " + "A" * 1_000_000)),
    ],
    ids=["players", "move"],
)
def test_a_line_that_no_game_has_is_not_replayed(number: int, text: str) -> None:
    """Each player costs something with every move; hundreds of thousands took hours."""
    (found,) = [each for each in verdict_of(packed({"record.jsonl": text.encode()})).findings if each.code == "record"]
    why = f"The record is not valid. Line {number}: the line is longer than any of a game."
    assert (found.level, found.text) == ("wrong", why)


def test_what_a_forger_wrote_does_not_fill_the_terminal() -> None:
    text = begun("farkle-crib", "opening_roll=false").text + forged_line("throw " + "A" * 900_000)
    (found,) = [each for each in verdict_of(packed({"record.jsonl": text.encode()})).findings if each.code == "record"]
    assert found.level == "wrong"
    assert len(found.text) < 1100


def photos_in(data: bytes) -> list[str]:
    with ZipFile(BytesIO(data)) as found:
        return [name for name in found.namelist() if name.startswith("photos/")]


def packed(files: dict[str, bytes]) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as zipped_here:
        for name, content in files.items():
            zipped_here.writestr(name, content)
    return data.getvalue()


def green(megapixels: int) -> bytes:
    data = BytesIO()
    Image.new("RGB", (megapixels * 200, 5000), "green").save(data, "WEBP", lossless=True)
    return data.getvalue()


RECORD = begun("crib-dice").text.encode()
SHA = "a" * 64
SMALL = {
    "two megabytes of brackets": packed({"manifest.json": b"[" * 2_000_000, "record.jsonl": RECORD}),
    "seventy thousand readings": packed(
        {"readings.json": json.dumps([{"photo": "", "corrections": []}] * 70_000).encode(), "record.jsonl": RECORD}
    ),
    "a million corrections": packed(
        {"readings.json": json.dumps([{"photo": SHA, "corrections": [0] * 600_000}]).encode(), "record.jsonl": RECORD}
    ),
    "a record of newlines": packed({"record.jsonl": b"\n" * 2_000_000}),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_zip_of_a_few_kilobytes_is_checked_in_few_steps(name: str) -> None:
    """Calls are counted, not seconds: each reading or line that was looked at would add several."""
    assert len(SMALL[name]) < 8000
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        verdict = verdict_of(SMALL[name])
    finally:
        sys.setprofile(None)
    assert verdict.level == "wrong"
    assert calls < 50_000


def test_forty_megapixels_in_two_kilobytes_are_no_photo(tile_zip: bytes) -> None:
    """To decode them takes seconds."""
    bomb = green(40)
    assert len(bomb) < 2048
    name = hashlib.sha256(bomb).hexdigest()
    kept = [{"photo": name, "reading": {}, "corrections": []}]
    data = packed({"record.jsonl": RECORD, "readings.json": json.dumps(kept).encode(), f"photos/{name}.webp": bomb})
    begun_at = time.thread_time()
    assert told(verdict_of(data), "unreadable-photo")
    assert time.thread_time() - begun_at < slowness()


def test_a_zip_that_says_it_unpacks_to_more_than_it_can_is_not_unpacked() -> None:
    data = bytearray(packed({"record.jsonl": RECORD}))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (60 << 20).to_bytes(4, "little")
    assert told(verdict_of(bytes(data)), "too-large")


def test_when_the_time_is_over_the_photos_that_are_left_are_named(tile_zip: bytes) -> None:
    (text, *_) = told(verdict_of(tile_zip, Budget(seconds=-1)), "over-budget")
    assert "was not looked at" in text


def test_when_the_pixels_are_used_up_the_next_photo_is_refused(tile_zip: bytes) -> None:
    assert told(verdict_of(tile_zip, Budget(pixels=1000)), "unreadable-photo")


# Damage


def test_a_photo_that_was_damaged_on_the_servers_disk_leaves_one_gap(
    evidence_of: Callable[[Record], Evidence], tile_game: Record
) -> None:
    class Damaged(dict[str, bytes]):
        def __getitem__(self, name: str) -> bytes:
            raise PhotoLost("it was damaged on the server's disk")

    whole = evidence_of(tile_game)
    data = zipped(Evidence(whole.record, Damaged(whole.photos), whole.readings, whole.signed))
    verdict = verdict_of(data)
    (text,) = told(verdict, "no-photo")
    assert "damaged on the server's disk" in text
    assert verdict.level == "warning"
    assert told(verdict, "record")
    assert told(verdict, "signature")


def test_a_photo_that_is_damaged_in_the_zip_is_its_own_gap(tile_zip: bytes) -> None:
    (name, *_) = photos_in(tile_zip)
    with ZipFile(BytesIO(tile_zip)) as found:
        start = found.getinfo(name).header_offset
    data = bytearray(tile_zip)
    data[start + 500] ^= 0xFF
    verdict = verdict_of(bytes(data))
    assert told(verdict, "damaged-file")
    assert any("cannot be unpacked" in text for text in told(verdict, "file"))
    assert told(verdict, "report"), "what comes after it is checked all the same"


@pytest.mark.parametrize("torn", [b'[{"photo": "', b"{}", b"[1, 2, 3]", b'[{"photo": 3, "corrections": []}]'])
def test_torn_readings_are_a_finding(tile_zip: bytes, torn: bytes) -> None:
    verdict = verdict_of(rezipped(tile_zip, {"readings.json": torn}))
    assert told(verdict, "readings")
    assert verdict.level == "wrong"
    assert told(verdict, "record")
