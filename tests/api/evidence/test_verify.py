"""Evidence that holds, and evidence that was tampered with in one place: that place is found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from PIL import ExifTags, Image

from api.evidence.bundle import Evidence
from api.evidence.findings import Verdict
from api.evidence.keys import Head, ServerKey, short
from api.evidence.throws import lines_named, lines_of, reading_of
from api.evidence.verify import verify
from api.http import languages
from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.api.evidence.conftest import RECORDS, begun, photographed, read_for, rezipped, typed, unsigned, zipped
from vision.photo import load
from vision.reader import TableReader

Made = Callable[[Record], Evidence]


def verdict_of(data: bytes, reader: TableReader | None = None, **known: Any) -> Verdict:
    return verify(BytesIO(data), reader, **known)


def problems(verdict: Verdict) -> dict[str, str]:
    """Code and level of what does not fit."""
    return {finding.code: finding.level for finding in verdict.findings if finding.level != "ok"}


def file_in(data: bytes, name: str) -> bytes:
    with ZipFile(BytesIO(data)) as found:
        return found.read(name)


def photo_name(data: bytes) -> str:
    with ZipFile(BytesIO(data)) as found:
        return next(name for name in found.namelist() if name.startswith("photos/"))


UNREAD = {"not-read-again": "warning"}
"""What is always said when no reader is at hand."""


# What holds


def test_a_good_zip_holds(tile_zip: bytes, dice_zip: bytes, reader: TableReader) -> None:
    for data in (tile_zip, dice_zip):
        verdict = verdict_of(data, reader)
        assert problems(verdict) == {}
        assert verdict.level == "ok"
        codes = {finding.code for finding in verdict.findings}
        assert codes >= {"files", "record", "head", "signature", "moves", "read-again", "report"}
    assert json.loads(json.dumps(verdict.to_json()))["level"] == "ok"


def test_every_record_that_is_shipped_with_the_tests_holds() -> None:
    for file in sorted(RECORDS.glob("*.jsonl")):
        verdict = verdict_of(zipped(Evidence(Record.load(file.read_text()))))
        assert verdict.level == "warning"
        assert set(problems(verdict)) <= {"unsigned", "no-reading", "time-backwards"}


def test_a_zip_that_was_unpacked_and_packed_again_holds(tile_zip: bytes, reader: TableReader) -> None:
    assert problems(verdict_of(rezipped(tile_zip, {}, relisted=False), reader)) == {}


def test_readings_beside_the_record_are_read_again(
    tile_game: Record, photos: dict[str, bytes], again_photo: bytes, reader: TableReader
) -> None:
    reading = read_for(tile_game, reader, load(again_photo))
    kept = {"photo": reading.sha256, "reading": reading.to_json(), "corrections": []}
    verdict = verdict_of(zipped(Evidence(tile_game, {**photos, reading.sha256: again_photo}, [kept])), reader)
    assert problems(verdict) == {"unsigned": "warning"}
    assert [finding.code for finding in verdict.findings].count("read-again") == 2


def test_what_comes_of_several_readings_of_a_photo_is_said_once(
    tile_game: Record, photos: dict[str, bytes], again_photo: bytes, reader: TableReader
) -> None:
    reading = read_for(tile_game, reader, load(again_photo))
    others = (reading, reading, replace(reading, photo="IMG_2.jpg"))
    kept = [{"photo": reading.sha256, "reading": each.to_json(), "corrections": []} for each in others]
    verdict = verdict_of(zipped(Evidence(tile_game, {**photos, reading.sha256: again_photo}, kept)), reader)
    about = f"The photo {reading.sha256[:12]}… of no line"
    said = [finding.text for finding in verdict.findings if finding.text.startswith(about)]
    assert said == [f"{about}: the photo is read as it was then."]


def test_lines_are_named_one_or_several() -> None:
    verdict = verdict_of(zipped(Evidence(begun("crib-dice"))))
    assert "The record is an unbroken chain of 1 line, and" in " ".join(finding.text for finding in verdict.findings)
    lines = lines_of(Record.load((RECORDS / "crib-dice-undone-after-the-end.jsonl").read_text()))[:3]
    told = [lines_named(lines[:count]) for count in range(4)]
    assert told == ["no line", "line 2", "lines 2 and 3", "lines 2, 3, and 4"]


def stored(record: Record, number: int, **changed: Any) -> dict[str, Any]:
    """The reading of an entry of the record as a server stores it."""
    entry = record.entries[number]
    assert entry.seen is not None
    corrections = (entry.corrected or {}).get("corrections", [])
    own = {"photo": entry.seen["sha256"], "reading": dict(entry.seen), "corrections": corrections, "at": entry.at}
    return own | changed


BY = {"device": "a1", "seats": [0, 1]}
CHANGE = {"change": {"die": 0, "value": 4}}


@pytest.fixture(scope="session")
def changed_game(dice_game: Record) -> Record:
    """A throw on a server, played once as it was read and then as a person corrected it."""
    seen, before = dice_game.entries[2].seen, typed(begun("farkle-crib", "opening_roll=false"))
    at = "2026-11-21T20:17:00+00:00"
    reading = reading_of(seen)
    assert reading
    values = sorted([4, *reading.values[1:]])
    then = before.play(Move("throw", tuple(sorted(reading.values))), at=at, seen=seen, by=BY)
    how = {"corrections": [CHANGE], "confirmed": "unsure-reading"}
    return then.undo(at=at, by=BY).play(Move("throw", tuple(values)), at=at, seen=seen, corrected=how, by=BY)


def with_readings(made: Evidence, *readings: dict[str, Any]) -> Verdict:
    return verdict_of(zipped(replace(made, readings=readings)))


def test_stored_corrections_may_be_those_of_the_record_and_no_others(evidence_of: Made, changed_game: Record) -> None:
    made, other = evidence_of(changed_game), {"change": {"die": 1, "value": 6}}
    own = stored(changed_game, 2)
    assert problems(with_readings(made, own)) == UNREAD
    unplayed = with_readings(made, own | {"corrections": [CHANGE, other]})
    assert problems(unplayed) == {"corrected-beside": "warning", **UNREAD}
    for corrections in ([], [other], [other, CHANGE]):
        forged = with_readings(made, own | {"corrections": corrections})
        assert problems(forged) == {"other-corrections": "wrong", **UNREAD}


def test_stored_corrections_of_what_was_played_as_read_are_to_be_looked_at(
    evidence_of: Made, dice_game: Record
) -> None:
    invented = [CHANGE, {"say": "Ben changed the die after Ann had seen it"}]
    found = with_readings(evidence_of(dice_game), stored(dice_game, 2, corrections=invented))
    assert problems(found) == {"corrected-beside": "warning", **UNREAD}
    (text,) = [each.text for each in found.findings if each.code == "corrected-beside"]
    assert text == "Line 4: its photo was corrected in a way that the record does not show."


def test_a_stored_reading_that_was_changed_or_taken_out_is_found(
    evidence_of: Made, changed_game: Record, reader: TableReader
) -> None:
    made, own = evidence_of(changed_game), stored(changed_game, 2)
    other = json.loads(json.dumps(own["reading"]))
    other["dice"][0]["value"] = 4
    assert problems(with_readings(made, own | {"reading": other})) == {"other-reading": "wrong", **UNREAD}
    assert problems(with_readings(made, stored(changed_game, 2, photo="x"))) == {
        "no-stored-reading": "warning",
        "no-photo": "warning",
        **UNREAD,
    }
    assert problems(verdict_of(zipped(made))) == {"no-readings": "warning", **UNREAD}
    # A second reading of the photo is read again, like those of photos that were not played.
    both = zipped(replace(made, readings=[own, own | {"reading": other}]))
    assert problems(verdict_of(both, reader))["read-again"] == "warning"


@pytest.mark.parametrize("at", ["1999-01-01T00:00:00+00:00", "2026-11-21T20:18:00+00:00"])
def test_a_reading_of_another_time_is_to_be_looked_at(evidence_of: Made, changed_game: Record, at: str) -> None:
    found = with_readings(evidence_of(changed_game), stored(changed_game, 2, at=at))
    assert problems(found) == {"reading-time": "warning", **UNREAD}


# Files


@pytest.mark.parametrize("name", ["record.jsonl", "report.html", "report.css", "annotated/12.jpg", "photos"])
def test_a_file_that_was_changed_is_named(tile_zip: bytes, name: str) -> None:
    name = photo_name(tile_zip) if name == "photos" else name
    verdict = verdict_of(rezipped(tile_zip, {name: file_in(tile_zip, name) + b" "}, relisted=False))
    assert any(finding.text == f"{name} was changed." for finding in verdict.findings)
    assert verdict.level == "wrong"


def test_a_file_that_was_added_or_taken_out_is_named(tile_zip: bytes) -> None:
    stray = f"photos/{'0' * 64}.jpg"
    added = verdict_of(rezipped(tile_zip, {stray: b"x"}, relisted=False))
    assert {"file", "stray"} <= problems(added).keys()
    gone = verdict_of(rezipped(tile_zip, {"report.html": None}, relisted=False))
    assert problems(gone) == {"file": "wrong", "no-report": "warning", **UNREAD}


@pytest.mark.parametrize("manifest", [None, b"", b"[]", b"{}", b"[" * 100_000, b"\xff"])
def test_a_zip_that_lists_nothing(tile_zip: bytes, manifest: bytes | None) -> None:
    verdict = verdict_of(rezipped(tile_zip, {"manifest.json": manifest}, relisted=False))
    assert problems(verdict)["no-manifest"] == "wrong"


def test_a_zip_without_a_record(tile_zip: bytes) -> None:
    assert problems(verdict_of(rezipped(tile_zip, {"record.jsonl": None})))["no-record"] == "wrong"


def test_what_is_no_zip() -> None:
    assert problems(verdict_of(b"Dear Ben,")) == {"no-zip": "wrong"}


# The record, by somebody who mends the manifest too


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [(b"play 5-2", b"play 4-1", 10), (b'"Ann"', b'"Ben"', 1), (b'"ends":[5,2]', b'"ends":[5,3]', 12)],
)
def test_a_line_that_was_changed_is_found(tile_zip: bytes, was: bytes, now: bytes, line: int) -> None:
    record = file_in(tile_zip, "record.jsonl")
    assert was in record
    verdict = verdict_of(rezipped(tile_zip, {"record.jsonl": record.replace(was, now)}))
    found = next(finding for finding in verdict.findings if finding.code == "record")
    assert (found.level, found.line) == ("wrong", line)


def test_a_tail_that_was_cut_off_is_found_by_the_signature(tile_zip: bytes) -> None:
    record = b"".join(file_in(tile_zip, "record.jsonl").splitlines(keepends=True)[:-1])
    found = problems(verdict_of(rezipped(tile_zip, {"record.jsonl": record})))
    assert found.items() >= {"head": "wrong", "signature": "wrong"}.items()


def test_a_record_without_end_is_not_replayed(tile_zip: bytes) -> None:
    verdict = verdict_of(rezipped(tile_zip, {"record.jsonl": b"\n" * 30_000}))
    assert problems(verdict)["record"] == "wrong"
    assert "20000 lines" in str(verdict.findings)


def test_a_game_written_anew_is_found_by_who_was_there(
    evidence_of: Made, tile_game: Record, key: ServerKey, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The forger signs with their own key, and everything in the zip matches: only what others noted reveals it."""
    mine = ServerKey.open(tmp_path_factory.mktemp("forger"))
    anew = typed(begun("domino-cribbage"), "opening 6-5", "opening 6-4")
    forged = zipped(replace(evidence_of(anew), signed=mine.sign(Head.of(anew, "g-1"))))
    assert verdict_of(forged).level == "ok"
    assert problems(verdict_of(forged, key=key.public.hex())) == {"other-key": "wrong"}
    assert problems(verdict_of(forged, key=short(key.public.hex()))) == {"other-key": "wrong"}
    assert problems(verdict_of(forged, heads=[short(tile_game.head)])) == {"noted-head": "wrong"}


def test_a_head_noted_at_any_time_in_the_game_is_found_again(
    tile_zip: bytes, tile_game: Record, key: ServerKey
) -> None:
    at_seven = json.loads(tile_game.lines[6])["hash"]
    verdict = verdict_of(tile_zip, heads=[short(at_seven).lower(), tile_game.head], key=short(key.public.hex()))
    assert problems(verdict) == UNREAD
    assert [finding.line for finding in verdict.findings if finding.code == "noted-head"] == [7, 12]


# The signature


def signed_as(data: bytes, **changed: object) -> bytes:
    manifest = json.loads(file_in(data, "manifest.json"))
    manifest["signed"] = {**manifest["signed"], **changed} if changed else None
    return rezipped(data, {"manifest.json": json.dumps(manifest).encode()})


def test_a_signature_that_was_changed_is_found(tile_zip: bytes, tile_game: Record, key: ServerKey) -> None:
    earlier = key.sign(Head.of(tile_game.undo(), "g-1")).to_json()
    for changed in ({"signature": "00" * 64}, {"key": "00" * 32}, {"game": "g-2"}, {"lines": "12"}, earlier):
        assert problems(verdict_of(signed_as(tile_zip, **changed)))["signature"] == "wrong", changed


def test_no_signature_is_a_warning_and_wrong_where_one_must_be(tile_zip: bytes, key: ServerKey) -> None:
    bare = signed_as(tile_zip)
    assert problems(verdict_of(bare))["unsigned"] == "warning"
    assert problems(verdict_of(bare, key=key.public.hex()))["unsigned"] == "wrong"


# Photos, readings and moves, in a record whose chain is good


def retold(record: Record, change: Callable[[dict[str, Any]], None]) -> Record:
    """The record with its last line written anew by somebody who makes the hashes too, with another reading."""
    seen = json.loads(json.dumps(record.entries[-1].seen))
    change(seen)
    corrected = record.entries[-1].corrected
    return _before(record).play(record.moves[-1], at=record.entries[-1].at, seen=seen, corrected=corrected)


def _before(record: Record) -> Record:
    return Record.load("".join(f"{line}\n" for line in record.lines[:-1]))


def test_a_reading_that_was_changed_is_found_by_reading_again(
    evidence_of: Made, tile_game: Record, reader: TableReader
) -> None:
    def higher(seen: dict[str, Any]) -> None:
        seen["tiles"][2]["ends"] = [6, 2]

    data = zipped(evidence_of(retold(tile_game, higher)))
    assert {"read-again": "wrong"}.items() <= problems(verdict_of(data, reader)).items()
    text = next(f.text for f in verdict_of(data, reader).findings if f.code == "read-again")
    assert text == "Line 12: read again by the same networks: then 2-6, now 2-5."


def test_a_photo_that_shows_nothing_of_its_reading_is_wrong(
    evidence_of: Made, dice_game: Record, photos: dict[str, bytes], reader: TableReader
) -> None:
    """A photo of the bare table, and a throw that was made up: the networks are not sure, but they never saw that."""
    data = BytesIO()
    Image.new("RGB", (640, 480), (90, 60, 40)).save(data, "JPEG")
    bare = data.getvalue()
    sha256 = hashlib.sha256(bare).hexdigest()
    seen = {**(dice_game.entries[2].seen or {}), "sha256": sha256}
    invented = begun("farkle-crib", "opening_roll=false").play(
        dice_game.moves[-1], seen={**seen, "doubts": [], "sure": True}
    )
    verdict = verdict_of(zipped(Evidence(invented, {sha256: bare})), reader)
    assert [each.level for each in verdict.findings if each.code == "read-again"] == ["wrong"]


def test_other_networks_or_a_doubt_make_it_a_thing_to_look_at(
    evidence_of: Made, tile_game: Record, dice_game: Record, reader: TableReader
) -> None:
    def of_old(seen: dict[str, Any]) -> None:
        seen["tiles"][2]["ends"], seen["models"] = [6, 2], {"ends": "0" * 64}

    def other_die(seen: dict[str, Any]) -> None:
        seen["dice"][0]["value"] = 4

    for record in (retold(tile_game, of_old), retold(dice_game, other_die)):
        assert problems(verdict_of(zipped(evidence_of(record)), reader))["read-again"] == "warning"


def test_a_move_that_was_not_seen_is_found(evidence_of: Made, dice_game: Record) -> None:
    entry = dice_game.entries[2]
    before = typed(begun("crib-dice", "opening_roll=false"), "throw 2 3 3 4 4 5 6", "point 4")
    better = Move.parse("throw 1 4 4 5 6")
    found = verdict_of(zipped(evidence_of(before.play(better, seen=entry.seen)))).findings
    assert [(each.level, each.line) for each in found if each.code == "not-as-seen"] == [("wrong", 4)]


@pytest.mark.parametrize(
    ("notes", "level", "codes"),
    [
        ({"said": "throw 1 4 4 5 6"}, "ok", {"corrected"}),
        ({"said": "throw 1 4 4 5 5"}, "wrong", {"not-as-seen"}),
        ({"corrections": [{"change": {"die": 0, "value": 2}}]}, "wrong", {"not-as-seen"}),
        ({"corrections": [{"say": "x"}]}, "wrong", {"not-as-seen"}),
        ({"corrections": [3]}, "wrong", {"not-as-seen"}),
        ({"corrections": {"change": {}}}, "wrong", {"not-as-seen"}),
        ({"corrections": [{"change": {"die": "0", "value": "2"}}]}, "wrong", {"not-as-seen"}),
        ({"confirmed": "unsure-reading"}, "wrong", {"not-as-seen"}),
        ({"note": "x"}, "wrong", {"unknown-note", "not-as-seen"}),
    ],
)
def test_what_is_noted_must_lead_from_the_reading_to_the_move(
    evidence_of: Made, dice_game: Record, notes: dict[str, Any], level: str, codes: set[str]
) -> None:
    before = typed(begun("crib-dice", "opening_roll=false"), "throw 2 3 3 4 4 5 6", "point 4")
    played = before.play(Move.parse("throw 1 4 4 5 6"), seen=dice_game.entries[2].seen, corrected=notes)
    found = [each for each in verdict_of(zipped(evidence_of(played))).findings if each.line == 4]
    assert {each.code for each in found if each.code not in UNREAD} - {"picture"} == codes
    assert Verdict(tuple(each for each in found if each.code in codes)).level == level


def test_a_note_that_means_nothing_is_to_be_looked_at(evidence_of: Made, changed_game: Record) -> None:
    """Also where the move follows from the corrections."""
    entry = changed_game.entries[-1]
    assert entry.move is not None
    notes = {**(entry.corrected or {}), "note": "x"}
    odd = _before(changed_game).play(entry.move, at=entry.at, seen=entry.seen, corrected=notes, by=BY)
    assert problems(with_readings(evidence_of(odd), stored(odd, 2))) == {"unknown-note": "warning", **UNREAD}


def test_a_person_who_changes_what_was_read_beyond_doubt_is_to_be_looked_at(
    evidence_of: Made, tile_game: Record
) -> None:
    """The hashes and the chain fit; only the photo and the move tell two stories."""
    before, seen = _before(tile_game), tile_game.entries[-1].seen

    def told(move: str, notes: dict[str, Any]) -> list[tuple[str, str]]:
        record = before.play(Move.parse(move), seen=seen, corrected=notes)
        found = verdict_of(zipped(evidence_of(record))).findings
        return [(each.level, each.text) for each in found if each.code == "corrected"]

    assert told("play 6-6", {"said": "play 6-6"}) == [
        (
            "warning",
            "Line 12: its photo was read as play 4-1 without a doubt, and a person changed that. "
            "The move was said: play 6-6.",
        )
    ]
    plain = "Line 12: a person corrected or confirmed the reading."
    assert told("play 4-1", {"said": "play 4-1"}) == [("ok", f"{plain} The move was said: play 4-1.")]
    undone = before.play(Move.parse("play 6-6"), seen=seen, corrected={"said": "play 6-6"}).undo()
    assert "corrected" not in problems(verdict_of(zipped(evidence_of(undone))))


def test_what_a_person_corrected_of_a_doubtful_reading_is_told(evidence_of: Made, changed_game: Record) -> None:
    found = with_readings(evidence_of(changed_game), stored(changed_game, 2)).findings
    assert [(each.level, each.text) for each in found if each.code == "corrected"] == [
        ("ok", "Line 4: a person corrected or confirmed the reading. Die 1 shows 4.")
    ]


def test_pieces_that_lie_elsewhere_are_to_be_looked_at(
    evidence_of: Made, tile_game: Record, reader: TableReader
) -> None:
    def shifted(by: float) -> Record:
        def shift(seen: dict[str, Any]) -> None:
            seen["tiles"][0]["box"] = [[x + by, y] for x, y in seen["tiles"][0]["box"]]

        return retold(tile_game, shift)

    assert problems(verdict_of(zipped(evidence_of(shifted(3.0))), reader)) == {}
    found = verdict_of(zipped(evidence_of(shifted(200.0))), reader)
    assert problems(found) == {"read-again": "warning"}
    text = "Line 12: the photo is read as it was then, but 1 of the pieces lie elsewhere on it."
    assert text in [each.text for each in found.findings]


def test_what_was_inferred_is_said_and_is_no_correction(evidence_of: Made, dice_game: Record) -> None:
    """Not as seen: a thing to look at, which nobody has corrected."""
    before = typed(begun("crib-dice", "opening_roll=false"), "throw 2 3 3 4 4 5 6")
    before = before.play(Move.parse("point 4"), corrected={"watched": {"frame": 20, "time": 1.0}, "inferred": True})
    other, seen = Move.parse("throw 1 4 4 5 6"), dice_game.entries[2].seen
    inferred = before.play(other, seen=seen, corrected={"inferred": True})
    found = verdict_of(zipped(evidence_of(inferred))).findings
    told = {(each.code, each.line): (each.level, each.text) for each in found}
    assert told["inferred", 3] == (
        "ok",
        "Line 3: point 4 was claimed to be inferred from what followed (frame 20, 1.0 s).",
    )
    assert told["inferred", 4] == ("ok", "Line 4: throw 1 4 4 5 6 was claimed to be inferred from what followed.")
    unlike = "Line 4: throw 1 4 4 5 6 does not match the reading of the photo, but claimed to be inferred from what followed."
    assert told["not-as-seen", 4] == ("warning", unlike)
    assert not [each for each in found if each.code == "corrected"]
    counted = "Moves read from photos: 1, typed or chosen: 1, claimed to come from a camera: 1."
    assert next(each.text for each in found if each.code == "moves") == counted


def test_that_a_camera_watched_is_no_correction(evidence_of: Made, dice_game: Record) -> None:
    before = typed(begun("crib-dice", "opening_roll=false"), "throw 2 3 3 4 4 5 6", "point 4")
    watched = {"watched": {"frame": 20, "time": 1.0}}
    other, seen = Move.parse("throw 1 4 4 5 6"), dice_game.entries[2].seen
    verdict = verdict_of(zipped(evidence_of(before.play(other, seen=seen, corrected=watched))))
    assert problems(verdict)["not-as-seen"] == "wrong"


def test_choices_that_the_camera_told_are_counted_apart(evidence_of: Made) -> None:
    before = typed(begun("crib-dice", "opening_roll=false"), "throw 2 3 3 4 4 5 6")
    for by, how in (
        ({"camera": "c1", "name": "webcam"}, "revealed by the next roll"),
        ({"device": "a1", "seats": [0]}, "claimed to come from a camera"),
    ):
        told = before.play(Move.parse("point 4"), corrected={"watched": {"frame": 20, "time": 1.0}}, by=by)
        (counted,) = [each.text for each in verdict_of(zipped(evidence_of(told))).findings if each.code == "moves"]
        assert counted == f"Moves read from photos: 0, typed or chosen: 1, {how}: 1."


def test_that_a_film_has_no_photos_is_said_once(evidence_of: Made, dice_game: Record) -> None:
    """Of its rolls; a photo between them that is not there is named itself, and so is a frame that a server should have kept."""
    read, filmed = dice_game.entries[2], typed(begun("farkle-crib", "opening_roll=false"), *2 * ["throw 2 3 3 4 6 6"])
    by: list[dict[str, Any] | None] = [None, None, BY]
    for frame, sender in enumerate(by, start=30):
        seen = {**(read.seen or {}), "photo": f"frame {frame}", "sha256": f"{frame:064x}"}
        notes = {"watched": {"frame": frame, "time": 1.0}}
        filmed = filmed.play(read.move, seen=seen, corrected=notes, by=sender).undo()
    found = [each for each in verdict_of(zipped(evidence_of(filmed))).findings if each.code == "no-photo"]
    assert [(each.level, each.line) for each in found] == [("warning", 4), ("warning", 8)]
    assert found[0].text == (
        "2 moves were read from a film or camera, whose pictures are not in the zip. Compare with the film, or watch it "
        "again with muggins watch."
    )
    assert found[1].text.endswith("of line 8 is not in the zip, which gives the reason: it was not stored.")


def test_what_is_no_reading_is_said_and_never_drawn(evidence_of: Made, tile_game: Record) -> None:
    def endless(seen: dict[str, Any]) -> None:
        seen["tiles"][0]["box"] = [[0.0, 0.0], [1e300, 0.0], [1e300, 1e300], [0.0, 1e300]]

    assert problems(verdict_of(zipped(evidence_of(retold(tile_game, endless))))) == {"no-reading": "warning"}


def test_a_photo_that_is_not_there_is_a_warning(tile_zip: bytes) -> None:
    verdict = verdict_of(rezipped(tile_zip, {photo_name(tile_zip): None}))
    assert problems(verdict) == {"no-photo": "warning", "stray": "wrong"}
    (text,) = [each.text for each in verdict.findings if each.code == "stray"]
    assert text == "annotated/12.jpg was drawn from a photo that is missing."
    both = {photo_name(tile_zip): None, "annotated/12.jpg": None}
    assert problems(verdict_of(rezipped(tile_zip, both))) == {"no-photo": "warning", "report": "wrong"}


@pytest.mark.parametrize("name", ["annotated/11.jpg", "annotated/012.jpg", "photos/other"])
def test_a_picture_that_belongs_nowhere_is_found(tile_zip: bytes, hand_photo: bytes, name: str) -> None:
    name = photo_name(tile_zip).replace(".jpg", ".png") if name == "photos/other" else name
    assert problems(verdict_of(rezipped(tile_zip, {name: hand_photo}))) == {"stray": "wrong", **UNREAD}


def test_a_photo_that_was_swapped_is_found(tile_zip: bytes, throw_photo: bytes) -> None:
    found = problems(verdict_of(rezipped(tile_zip, {photo_name(tile_zip): throw_photo})))
    assert found == {"other-photo": "wrong"}


def test_a_photo_that_says_where_it_was_taken_is_said(
    hand_photo: bytes, reader: TableReader, tile_game: Record
) -> None:
    """Another program might have put it in."""
    said, file = Image.Exif(), BytesIO()
    said.get_ifd(ExifTags.IFD.GPSInfo).update({1: "N", 2: (48.0, 12.0, 30.0)})
    with Image.open(BytesIO(hand_photo)) as picture:
        picture.save(file, "JPEG", exif=said, quality="keep")
    telling = file.getvalue()
    sha256 = hashlib.sha256(telling).hexdigest()
    before = _before(tile_game)
    record = photographed(before, read_for(before, reader, load(telling)))
    data = rezipped(zipped(Evidence(record)), {f"photos/{sha256}.jpg": telling})
    assert problems(verdict_of(data))["place"] == "warning"


@pytest.mark.parametrize("photo", [b"Dear Ben,", b"\xff\xd8\xff\xe1\xff"])
def test_a_photo_that_is_none_is_found(tile_game: Record, photo: bytes) -> None:
    sha256 = hashlib.sha256(photo).hexdigest()
    record = retold(tile_game, lambda seen: seen.update(sha256=sha256))
    data = rezipped(zipped(Evidence(record)), {f"photos/{sha256}.jpg": photo})
    assert problems(verdict_of(data))["unreadable-photo"] == "wrong"


# What is only for people


@pytest.mark.parametrize("name", ["report.html", "report.css", "annotated/12.jpg"])
def test_a_page_or_picture_that_tells_another_story_is_found(tile_zip: bytes, dice_zip: bytes, name: str) -> None:
    other = (
        file_in(dice_zip, "annotated/4.jpg") if name.endswith("jpg") else file_in(tile_zip, name) + b"<p>Ben won.</p>"
    )
    code = "picture" if name.endswith("jpg") else "report"
    changed = rezipped(tile_zip, {name: other})
    assert problems(verdict_of(changed)) == {code: "wrong", **UNREAD}
    manifest = json.loads(file_in(changed, "manifest.json"))
    manifest["versions"]["muggins"] = "0.0.1"
    older = rezipped(changed, {"manifest.json": json.dumps(manifest).encode()})
    assert problems(verdict_of(older)) == {code: "warning", **UNREAD}


def test_strange_readings_beside_the_record_break_nothing(tile_zip: bytes) -> None:
    strange = [
        1,
        {},
        {"photo": 7, "corrections": []},
        {"photo": "x", "corrections": 3},
        {"photo": "x", "corrections": [[]]},
    ]
    verdict = verdict_of(rezipped(tile_zip, {"readings.json": json.dumps(strange).encode()}))
    assert problems(verdict) == {"no-photo": "warning", "readings": "wrong", **UNREAD}
    assert reading_of(strange[2]) is None


def test_an_unsigned_zip_says_so_on_its_page(evidence_of: Made, tile_game: Record) -> None:
    assert problems(verdict_of(zipped(unsigned(evidence_of(tile_game))))) == {"unsigned": "warning", **UNREAD}


def contents(data: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(data)) as found:
        return {name: found.read(name) for name in found.namelist()}


def test_whatever_byte_is_changed_it_is_wrong_or_changes_nothing(tile_zip: bytes) -> None:
    random, whole = Random(11), contents(tile_zip)
    ends = [*range(5000), *range(len(tile_zip) - 3000, len(tile_zip))]
    wrong = 0
    for _ in range(80):
        data = bytearray(tile_zip)
        for at in random.sample(ends, random.randint(1, 3)):
            data[at] ^= 1 << random.randrange(8)
        verdict = verdict_of(bytes(data))
        wrong += verdict.level == "wrong"
        assert verdict.level == "wrong" or contents(bytes(data)) == whole
    assert wrong > 60


# What no hash covers


def remade(data: bytes, **changed: Any) -> bytes:
    """The zip with another manifest, which is all that a forger has to change."""
    return rezipped(data, {"manifest.json": json.dumps({**manifest_in(data), **changed}).encode()}, relisted=False)


def manifest_in(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file_in(data, "manifest.json"))
    return found


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (lambda told: {"game": "farkle"}, "game"),
        (lambda told: {"versions": told["versions"] | {"record": {"muggins": "9"}}}, "versions.record"),
        (lambda told: {"signed": told["signed"] | {"short": "AAAA-AAAA-AAAA-AAAA"}}, "signed.short"),
        (lambda told: {"signed": told["signed"] | {"by": "Ann, who is honest"}}, "signed.by"),
        (lambda told: {"verified": "The server found that all of it is genuine."}, "verified"),
        (lambda told: {"format": 3.0, "verified": "It is genuine."}, "format, verified"),
        (lambda told: {"format": None}, "format"),
        (lambda told: {"format": 0}, "format"),
    ],
    ids=["game", "versions", "short", "signed", "more", "format", "no format", "old format"],
)
def test_a_manifest_that_says_something_else_than_the_record_is_found(
    tile_zip: bytes, changed: Callable[[dict[str, Any]], dict[str, Any]], named: str
) -> None:
    verdict = verdict_of(remade(tile_zip, **changed(manifest_in(tile_zip))))
    assert problems(verdict) == {"manifest": "wrong", **UNREAD}
    (text,) = [each.text for each in verdict.findings if each.code == "manifest"]
    assert text == f"manifest.json says something else than the record, or more: {named}."


def test_a_format_that_is_not_known_yet_is_to_be_looked_at(tile_zip: bytes) -> None:
    verdict = verdict_of(remade(tile_zip, format=99, seals=["what a later Muggins adds"]))
    assert problems(verdict) == {"newer-format": "warning", **UNREAD}
    (text,) = [each.text for each in verdict.findings if each.code == "newer-format"]
    assert text == "The zip has format 99, and this Muggins knows 3 and older: check it with a newer one."


def test_a_manifest_that_says_something_twice_is_not_believed(tile_zip: bytes) -> None:
    """Another program shows the first of the two values, or the last."""
    twice = file_in(tile_zip, "manifest.json").replace(b"{", b'{"head": "another",', 1)
    verdict = verdict_of(rezipped(tile_zip, {"manifest.json": twice}, relisted=False))
    assert problems(verdict)["no-manifest"] == "wrong"
    assert verdict.findings[0].text == "manifest.json is damaged, or is no list of the files of evidence."


@pytest.mark.parametrize("place", ['"corrections": [', '"reading": {', '"dice": [', '"kind": "d6"'])
def test_readings_that_say_something_twice_are_not_believed(
    evidence_of: Made, changed_game: Record, place: str
) -> None:
    whole = zipped(replace(evidence_of(changed_game), readings=[stored(changed_game, 0)]))
    name = place.split(":")[0]
    twice = file_in(whole, "readings.json").replace(place.encode(), f"{name}: [], {place}".encode(), 1)
    assert json.loads(twice) == json.loads(file_in(whole, "readings.json")), "this program takes the last value"
    verdict = verdict_of(rezipped(whole, {"readings.json": twice}))
    (finding,) = [each for each in verdict.findings if each.code == "readings"]
    assert finding.level == "wrong"
    assert finding.text == "readings.json has two values for the same name: programs differ in which one they show."
    assert finding.text in languages.sentences("de")


def test_which_moves_have_no_photo_is_said(evidence_of: Made, dice_game: Record) -> None:
    """Of those that stand; choices are none of them."""

    def told(record: Record) -> list[str]:
        found = verdict_of(zipped(evidence_of(record))).findings
        return [each.text for each in found if each.code == "without-photo"]

    seen = dice_game.entries[2].seen
    rest = "No photo proves what lay on the table in"
    assert told(dice_game) == [f"Moves that a photo can show: 3, with one: 1. {rest} lines 2 and 3."]
    assert told(dice_game.undo()) == [f"Moves that a photo can show: 2, with one: 0. {rest} lines 2 and 3."]
    photographed_first = begun("farkle-crib", "opening_roll=false").play(dice_game.moves[-1], seen=seen)
    assert told(photographed_first) == []


def test_which_moves_a_phone_made_for_another_player_is_said(evidence_of: Made) -> None:
    """Also of moves that were undone; an undo is no move, and a camera moves for nobody."""
    record = begun("farkle-crib", "opening_roll=false")
    makers: list[dict[str, Any] | None] = [
        {"device": "a1", "seats": [0], "for": 1},
        {"device": "a1", "seats": [0]},
        {"device": "b2", "seats": [], "for": 0},
        {"device": "b2", "seats": [0], "for": 7},
        {"camera": "c3", "name": "webcam", "for": 1},
        None,
    ]
    for by in makers:
        record = record.play(Move.parse("throw 2 3 3 4 6 6"), by=by).undo(by=by)
    record = record.play(Move.parse("throw 2 3 3 4 6 6"), by=makers[0])
    found = [each for each in verdict_of(zipped(evidence_of(record))).findings if each.code == "for-another"]
    assert [(each.level, each.text, each.line) for each in found] == [
        ("ok", "The phone of Ann moved for Ben in lines 2 and 14.", 0),
        ("ok", "A phone without a seat moved for Ann in line 6.", 6),
    ]


def test_phones_that_moved_for_others_are_listed_up_to_a_number(evidence_of: Made) -> None:
    names = tuple(f"P{seat}" for seat in range(8))
    record = begun("farkle", "opening_roll=false", names=names)
    for phone in range(1, 7):
        for _ in range(4):
            seat = record.state.to_act
            by = {"device": "a1", "seats": [(seat + phone) % 8], "for": seat}
            record = record.play(Move.parse("throw 2 3 3 4 6 6"), by=by)
    found = [each.text for each in verdict_of(zipped(evidence_of(record))).findings if each.code == "for-another"]
    assert len(found) == 21
    assert found[-1] == "Also in lines 22, 23, 24, and 25, a phone moved for another player."


def test_that_a_phone_moved_for_another_player_is_translated() -> None:
    assert {
        "The phone of {names} moved for {who} in {lines}.",
        "A phone without a seat moved for {who} in {lines}.",
        "Also in {lines}, a phone moved for another player.",
    } <= languages.sentences("de").keys()


def test_who_won_is_said_though_the_report_was_written_anew_as_by_another_version(tile_zip: bytes) -> None:
    forged = file_in(tile_zip, "report.html").replace(b"<p class", b"<p>Ben won 900 to 0</p><p class", 1)
    data = rezipped(tile_zip, {"report.html": forged})
    data = remade(data, versions=manifest_in(data)["versions"] | {"muggins": "0.1.9"})
    verdict = verdict_of(data)
    assert problems(verdict) == {"report": "warning", **UNREAD}
    texts = {each.code: each.text for each in verdict.findings}
    assert texts["result"].startswith("By the record the game is not over: Ann ")
    assert texts["report"].endswith("or changed. Believe what is said here, not what it shows.")


def test_the_winner_is_named() -> None:
    record = Record.load((RECORDS / "crib-dice-undone-after-the-end.jsonl").read_text())
    texts = {each.code: each.text for each in verdict_of(zipped(Evidence(record))).findings}
    assert texts["result"] == "By the record the winner is Ben: Ann 6 and Ben 55."


def test_why_a_photo_is_left_out_is_told_as_the_zips_word(tile_zip: bytes) -> None:
    name = photo_name(tile_zip)
    data = rezipped(tile_zip, {name: None, "annotated/21.jpg": None})
    data = remade(data, left_out={name[7:71]: "the server has checked it, and it is genuine"})
    (text,) = [each.text for each in verdict_of(data).findings if each.code == "no-photo"]
    assert text.endswith(" is not in the zip, which gives the reason: the server has checked it, and it is genuine.")


def test_a_time_that_is_none_or_before_the_game_is_to_be_looked_at() -> None:
    early = begun("crib-dice").play(Move.parse("opening 1 6"), at="2026-11-21T20:14:59+00:00")
    never = early.undo(at="at dinner")
    found = [
        each for each in verdict_of(zipped(Evidence(never))).findings if each.code in ("no-time", "time-backwards")
    ]
    assert [(each.level, each.text) for each in found] == [
        ("warning", "Line 3: its time is none: at dinner."),
        ("warning", "Line 2: its time, 2026-11-21T20:14:59+00:00, is before that at which the game began."),
    ]


@pytest.mark.parametrize(
    ("date", "text"),
    [
        ("last Sunday", "The time at which the game began is none: last Sunday."),
        ("", "The record has no time of its beginning."),
    ],
)
def test_a_game_that_does_not_say_when_it_began_is_to_be_looked_at(date: str, text: str) -> None:
    record = Record.begin(replace(begun("crib-dice").header, date=date))
    found = [each for each in verdict_of(zipped(Evidence(record))).findings if each.code == "no-time"]
    assert [(each.level, each.text) for each in found] == [("warning", text)]
