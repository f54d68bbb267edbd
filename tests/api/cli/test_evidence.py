"""`muggins evidence` and `muggins verify`: the real commands, a real record, a real photo."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from PIL import ExifTags, Image

from api.evidence.bundle import Evidence
from api.evidence.keys import Head, ServerKey, short
from scorer.engine.record import Record
from tests.api.conftest import Muggins
from tests.api.evidence.conftest import RECORDS, begun, photographed, rezipped, typed, zipped
from tests.vision.taught.drawn import SYMBOLS, thrown
from vision.photo import load, of_frame
from vision.reader import TableReader
from vision.taught.labelling import Said, taught_from
from vision.taught.profile import Profile

PHOTO = Path("docs/sample-throw.jpg")


@pytest.fixture(scope="module")
def game() -> Record:
    record = typed(begun("farkle-crib", "opening_roll=false"), *2 * ["throw 2 3 3 4 6 6"])
    return photographed(record, TableReader().read(load(PHOTO)))


@pytest.fixture
def file(tmp_path: Path, game: Record) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(game.text)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The photo under another name, as a phone made it: with the place in it, which was not in what was hashed."""
    said, data = Image.Exif(), PHOTO.read_bytes()
    said.get_ifd(ExifTags.IFD.GPSInfo).update({1: "N", 2: (48.0, 12.0, 30.0)})
    block = said.tobytes()
    told = data[:2] + b"\xff\xe1" + (2 + len(block)).to_bytes(2, "big") + block + data[2:]
    inner = tmp_path / "phone" / "2026"
    inner.mkdir(parents=True)
    (inner / "IMG_1.jpg").write_bytes(told)
    (inner / "notes.txt").write_text("Dear Ben,")
    return tmp_path / "phone"


def test_a_game_is_packed_and_holds(muggins: Muggins, file: Path, folder: Path, game: Record) -> None:
    target = file.with_name("game-evidence.zip")
    done = muggins("evidence", file, "--photos", folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"Written: {target}\n", "")
    sha256 = hashlib.sha256(PHOTO.read_bytes()).hexdigest()
    with ZipFile(target) as found:
        assert found.read(f"photos/{sha256}.jpg") == PHOTO.read_bytes()

    checked = muggins("verify", target, "--head", short(game.head), env={"PYTHONUTF8": "1", "COLUMNS": "60"})
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.splitlines()[-1] == "Nothing is wrong, but please check what is marked."
    marked = [line for line in checked.stdout.splitlines() if line.startswith("LOOK")]
    assert marked == ["LOOK  The record is not signed by a server: its owner could have rewritten it."]
    assert "Line 4: the photo is read as it was then." in checked.stdout


def test_what_was_written_anew_and_signed_with_another_key_is_not_called_fine(muggins: Muggins, tmp_path: Path) -> None:
    record, key = typed(begun("crib-dice"), "opening 1 6"), ServerKey.open(tmp_path)
    file = tmp_path / "anew.zip"
    file.write_bytes(zipped(Evidence(record, signed=key.sign(Head.of(record, "a1")))))
    done = muggins("verify", file)
    fine, what_to_do = done.stdout.splitlines()[-2:]
    assert (done.returncode, fine) == (0, "Everything matches, as far as the zip alone can tell.")
    assert what_to_do.startswith("Anyone can rewrite a whole game and sign it with a key of their own.")
    known = muggins("verify", file, "--key", short(key.public.hex()))
    fine, what_else = known.stdout.splitlines()[-2:]
    assert fine == "Everything matches."
    assert what_else.startswith(
        "The person who runs the server can rewrite a game and sign it again with the same key."
    )


def test_what_a_noted_code_proves_is_said(muggins: Muggins, tmp_path: Path) -> None:
    """Up to its line, and nothing of what follows; a code of the last line proves all of it."""
    record, key = typed(begun("crib-dice"), "opening 1 6"), ServerKey.open(tmp_path)
    file = tmp_path / "game.zip"
    file.write_bytes(zipped(Evidence(record, signed=key.sign(Head.of(record, "a1")))))
    early = short(json.loads(record.lines[0])["hash"])
    told = muggins("verify", file, "--head", early).stdout.splitlines()
    assert f"ok    The head you noted, {early}, is the head after line 1. It proves nothing of what follows." in told
    assert told[-1].startswith("The person who runs the server can rewrite a game")
    told = muggins("verify", file, "--head", early, "--head", record.head).stdout.splitlines()
    assert told[-1] == "Everything matches."


def test_what_is_wrong_is_said_with_exit_code_2(muggins: Muggins, file: Path, folder: Path, tmp_path: Path) -> None:
    target, forged = tmp_path / "out.zip", tmp_path / "forged.zip"
    muggins("evidence", file, "--photos", folder, "--out", target)
    forged.write_bytes(rezipped(target.read_bytes(), {"record.jsonl": file.read_bytes().replace(b"Ben", b"Zoe")}))
    done = muggins("verify", forged, "--json")
    verdict = json.loads(done.stdout)
    assert (done.returncode, verdict["level"]) == (2, "wrong")
    assert {"level": "wrong", "code": "record", "line": 1}.items() <= verdict["findings"][-1].items()
    assert muggins("verify", target, "--head", "AAAA-AAAA-AAAA-AAAA").returncode == 2
    told = muggins("verify", forged)
    verdict_told, what_to_do = told.stdout.splitlines()[-2:]
    assert verdict_told == "This evidence cannot be trusted."
    assert what_to_do.startswith("Save the evidence again on the page of the game")


def test_another_file_or_a_mistyped_code_is_not_wrong_evidence(muggins: Muggins, file: Path) -> None:
    for other, seems in ((file, "This is the record of a game alone"), (PHOTO.resolve(), "This is a picture")):
        done = muggins("verify", other, "--json")
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{other}: {seems}" in done.stderr
        assert "`muggins evidence`" in done.stderr
    for option in ("--head", "--key"):
        done = muggins("verify", file, option, "K7QD")
        assert (done.returncode, done.stdout) == (1, "")
        assert "'K7QD' has 4." in done.stderr


def test_photos_that_are_missing_are_named(muggins: Muggins, file: Path) -> None:
    done = muggins("evidence", file, "--json")
    sha256 = hashlib.sha256(PHOTO.read_bytes()).hexdigest()
    assert json.loads(done.stdout)["left_out"] == {sha256: "it was not stored"}
    again = muggins("evidence", file, "--out", file.with_name("other.zip"))
    assert (again.returncode, again.stderr.splitlines()) == (
        0,
        [
            f"Left out photo {sha256[:12]}…: it was not stored.",
            "To include photos, name their folder with --photos, and another zip with --out.",
        ],
    )
    searched = muggins("evidence", file, "--photos", file.parent, "--out", file.with_name("third.zip"))
    assert searched.stderr == f"Left out photo {sha256[:12]}…: it was not stored.\n"


def test_nobody_is_asked_for_photos_of_a_film(muggins: Muggins, tmp_path: Path) -> None:
    start = typed(begun("farkle-crib", "opening_roll=false"), *2 * ["throw 2 3 3 4 6 6"])
    reading = TableReader().read(of_frame(load(PHOTO).pixels, "frame 31"))
    frame = photographed(start, reading, {"watched": {"frame": 31, "time": 1.0}})
    (tmp_path / "film.jsonl").write_text(frame.text)
    done = muggins("evidence", tmp_path / "film.jsonl")
    assert done.stderr.splitlines() == [
        "This game was read from a film or camera, whose pictures are not kept. Hand over the film with the zip."
    ]


def test_the_profiles_that_photos_were_read_with_are_packed(muggins: Muggins, tmp_path: Path) -> None:
    throw = thrown(SYMBOLS, [1, 2, 3, 4, 5, 6], 1, 5)
    picture, own = load(throw.jpeg), {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    said = [Said("d6", (value,), at) for value, at in zip(throw.values, throw.places, strict=True)]
    reader = TableReader()
    profile = Profile("dragons").with_pieces(taught_from(picture, reader.candidates(picture), said))
    read = reader.knowing([profile]).read(picture)
    record = photographed(begun("farkle-crib", "opening_roll=false"), read)
    file = tmp_path / "game.jsonl"
    file.write_text(record.text)
    (tmp_path / "dragons.json").write_bytes(profile.data)

    without = muggins("evidence", file, "--json", "--out", tmp_path / "without.zip", env=own)
    assert json.loads(without.stdout)["profiles_left_out"] == [profile.sha256]
    named = muggins("evidence", file, "--out", tmp_path / "named.zip", "--profile", tmp_path / "dragons.json", env=own)
    assert "profile" not in named.stderr
    assert muggins("profiles", "import", tmp_path / "dragons.json", env=own).returncode == 0
    kept = muggins("evidence", file, "--json", "--out", tmp_path / "kept.zip", env=own)
    assert json.loads(kept.stdout)["profiles_left_out"] == []
    for name in ("named.zip", "kept.zip"):
        with ZipFile(tmp_path / name) as found:
            assert found.read(f"profiles/{profile.sha256}.json") == profile.data


def test_nothing_is_overwritten_and_a_bad_record_is_no_evidence(muggins: Muggins, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "letter.zip"
    target.write_text("Dear Ben,\n")
    done = muggins("evidence", file, "--out", target)
    assert (done.returncode, done.stdout, target.read_text()) == (1, "", "Dear Ben,\n")
    assert done.stderr == f"{target} already exists. Name another zip with --out, or delete that one.\n"

    file.write_text(file.read_text().replace("Ben", "Zoe"))
    bad = muggins("evidence", file, "--out", tmp_path / "new.zip")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "Line 1: the line was changed" in bad.stderr
    assert not (tmp_path / "new.zip").exists()
    lost = muggins("evidence", tmp_path / "none.jsonl")
    assert (lost.returncode, "Cannot read the record" in lost.stderr) == (1, True)
    assert muggins("verify", tmp_path / "none.zip").returncode == 1


def test_records_of_every_game_become_evidence(muggins: Muggins, tmp_path: Path) -> None:
    for record in sorted(RECORDS.glob("*.jsonl")):
        target = tmp_path / f"{record.stem}.zip"
        assert muggins("evidence", record, "--out", target).returncode == 0
        assert target.stat().st_size > 10_000
