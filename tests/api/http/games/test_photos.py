"""Photos in a game: read, played, doubted, corrected, kept and handed out."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from fastapi.testclient import TestClient
from PIL import ExifTags, Image
from sqlalchemy import update

from api.evidence.verify import verify
from api.http.games import live_games
from api.store.database import writing
from api.store.tables import lines
from tests.api.http.games.play import Player, bearer, begun, code
from vision.photo import load
from vision.reader import TableReader

WHERE = "Somewhere street 5"


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


@pytest.fixture(scope="module")
def tagged(sample: bytes) -> bytes:
    """The sample throw as a phone sends it: with the place where it was taken."""
    exif, file = Image.Exif(), io.BytesIO()
    exif[0x010E] = WHERE
    exif.get_ifd(0x8825)[1] = "N"
    with Image.open(io.BytesIO(sample)) as picture:
        picture.save(file, "JPEG", quality=95, exif=exif)
    assert WHERE.encode() in file.getvalue()
    return file.getvalue()


def settled(player: Player, told: dict[str, Any]) -> dict[str, Any]:
    """The same once a person has confirmed what was doubted."""
    if told["ruling"]["outcome"] != "doubt":
        return told
    kept = told["reading"]
    assert told["ruling"]["doubt"]["moves"]
    return player.took(player.says(reading=kept["id"], corrections=len(kept["corrections"]), confirm=True))


def corrects(player: Player, reading: str, expected: int, **correction: Any) -> Any:
    return player.post(f"/v1/readings/{reading}/corrections", {"expected": expected, **correction})


def test_a_photo_is_played_and_the_record_holds_what_was_seen(
    six_due: Player, sample: bytes, reader: TableReader
) -> None:
    now = reader.read(load(sample))
    told = six_due.shows(sample)
    assert (told["ruling"]["outcome"] == "doubt") == (not now.sure)
    done = settled(six_due, told)
    assert done["ruling"]["moves"] == [f"throw {' '.join(map(str, sorted(now.values)))}"]
    entry = six_due.record().entries[-1]
    assert entry.seen is not None
    assert entry.seen == done["reading"]["reading"]
    assert (entry.corrected is None) == now.sure


def test_a_photo_of_a_running_game_is_read_for_the_dice_that_may_lie_there(five_due: Player, sample: bytes) -> None:
    told = five_due.shows(sample)
    doubts = {doubt["reason"]: doubt["message"] for doubt in told["reading"]["reading"]["doubts"]}
    assert doubts["number"] == "6 dice were read, but there should be 5 or 7."
    kept = five_due.post(f"/v1/readings/{told['reading']['id']}/look-again", {})
    assert "number" in [doubt["reason"] for doubt in kept.json()["reading"]["doubts"]]


def test_a_photo_that_does_not_fit_is_kept_and_nothing_is_played(crib: Player, sample: bytes) -> None:
    told = crib.shows(sample)
    assert told["ruling"]["doubt"]["code"] == "wrong-count"
    assert told["snapshot"]["lines"] == 1
    assert [kept["id"] for kept in crib.get("/readings").json()["readings"]] == [told["reading"]["id"]]


def test_a_stale_photo_is_refused_before_it_is_read(crib: Player, sample: bytes) -> None:
    files, url = {"photo": ("a.jpg", sample, "image/jpeg")}, crib.path("/photos")
    refused = crib.client.post(url, files=files, data={"lines": 2}, headers=bearer(crib.player))
    assert code(refused) == (409, "stale")
    assert crib.get("/readings").json()["readings"] == []


def dated(photo: bytes, at: str) -> bytes:
    """The photo as a phone sends it, with the time when it was taken."""
    exif, file = Image.Exif(), io.BytesIO()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = at
    with Image.open(io.BytesIO(photo)) as picture:
        picture.save(file, "JPEG", quality=95, exif=exif)
    return file.getvalue()


def test_a_photo_older_than_the_game_or_its_last_move_is_asked_about_and_marked(six_due: Player, sample: bytes) -> None:
    told = six_due.shows(dated(sample, "2020:02:03 10:11:12"))
    assert told["ruling"]["doubt"]["code"] == "photo-old"
    assert "2020-02-03 10:11:12, before the game began" in told["ruling"]["doubt"]["message"]
    settled(six_due, told)
    entry = six_due.record().entries[-1]
    assert entry.corrected is not None
    assert entry.corrected["confirmed"] == "photo-old"
    assert entry.corrected["taken"].startswith("2020-02-03T10:11:12")
    verdict = verify(io.BytesIO(six_due.get("/evidence").content), None)
    assert [finding.line for finding in verdict.findings if finding.code == "photo-old"] == [six_due.lines]
    six_due.plays(six_due.snapshot["offers"][0]["move"])
    six_due.plays("stop")
    again = six_due.shows(dated(sample, "2020:02:03 10:11:12"))
    assert again["ruling"]["doubt"]["code"] == "photo-again", "which says better what is wrong"


def test_a_move_that_is_typed_for_an_old_photo_or_one_that_was_played_is_asked_about_too(
    six_due: Player, sample: bytes
) -> None:
    told = six_due.shows(dated(sample, "2020:02:03 10:11:12"))
    instead = {"move": told["ruling"]["doubt"]["moves"][0], "reading": told["reading"]["id"]}
    for doubted in ("photo-old", "photo-again"):
        asked = six_due.took(six_due.says(**instead))
        assert asked["ruling"]["doubt"]["code"] == doubted
        assert asked["ruling"]["doubt"]["moves"] == [instead["move"]]
        six_due.took(six_due.says(**instead, confirm=True))
        corrected = six_due.record().entries[-1].corrected
        assert corrected is not None
        assert (corrected["confirmed"], corrected["said"]) == (doubted, instead["move"])
        assert ("taken" in corrected) == (doubted == "photo-old")
        six_due.plays(six_due.snapshot["offers"][0]["move"])
        six_due.plays("stop")
    assert {"photo-old", "photo-again"} <= {code for code, _ in report_of(six_due)[1]}


def test_a_photo_of_now_is_not_called_old(six_due: Player, sample: bytes) -> None:
    told = six_due.shows(dated(sample, f"{datetime.now():%Y:%m:%d %H:%M:%S}"))
    doubt = told["ruling"]["doubt"]
    assert doubt is None or doubt["code"] != "photo-old"


def test_what_is_no_photo_is_a_problem(crib: Player) -> None:
    for data, expected in ((b"", (422, "empty-file")), (b"hello", (415, "not-a-photo"))):
        files, url = {"photo": ("a.jpg", data, "image/jpeg")}, crib.path("/photos")
        assert code(crib.client.post(url, files=files, data={"lines": 1}, headers=bearer(crib.player))) == expected


def test_the_place_is_neither_kept_nor_served(crib: Player, tagged: bytes) -> None:
    kept = crib.shows(tagged)["reading"]
    served = crib.get(f"/v1/readings/{kept['id']}/photo")
    assert served.headers["content-type"] == "image/jpeg"
    assert hashlib.sha256(served.content).hexdigest() == kept["reading"]["sha256"]
    with Image.open(io.BytesIO(served.content)) as picture:
        assert dict(picture.getexif()) == {}
    assert WHERE.encode() not in served.content
    assert kept["reading"]["photo"] == "photo"


def test_a_correction_keeps_the_original_and_is_what_is_played(six_due: Player, sample: bytes) -> None:
    kept = six_due.shows(sample)["reading"]
    if six_due.lines > 1:
        six_due.snapshot = six_due.post("/undo", {"lines": six_due.lines}).json()
    was = [die["value"] for die in kept["reading"]["dice"]]
    other = was[0] % 6 + 1
    now = corrects(six_due, kept["id"], 0, change={"die": 0, "value": other}).json()
    assert now["reading"] == kept["reading"]
    assert [die["value"] for die in now["corrected"]["dice"]] == [other, *was[1:]]
    assert six_due.get(f"/v1/readings/{kept['id']}").json() == now
    done = settled(six_due, six_due.took(six_due.says(reading=kept["id"], corrections=1)))
    assert done["ruling"]["moves"] == [f"throw {' '.join(map(str, sorted([other, *was[1:]])))}"]
    entry = six_due.record().entries[-1]
    assert entry.seen == kept["reading"]
    assert entry.corrected is not None
    assert entry.corrected["corrections"] == [{"change": {"die": 0, "value": other}}]


def test_pieces_are_added_and_removed(crib: Player, sample: bytes) -> None:
    kept = crib.shows(sample)["reading"]
    count = len(kept["reading"]["dice"])
    for step in range(count - 1):
        assert corrects(crib, kept["id"], step, remove={"die": 0}).status_code == 200
    told = corrects(crib, kept["id"], count - 1, add={"kind": "d6", "value": 6, "at": [900, 900]}).json()
    assert [die["value"] for die in told["corrected"]["dice"]] == [kept["reading"]["dice"][-1]["value"], 6]
    done = settled(crib, crib.took(crib.says(reading=kept["id"], corrections=count)))
    assert done["snapshot"]["lines"] == 2


def test_two_who_correct_at_once_do_not_overwrite_each_other(crib: Player, sample: bytes) -> None:
    kept = crib.shows(sample)["reading"]["id"]
    assert corrects(crib, kept, 0, change={"die": 0, "value": 6}).status_code == 200
    assert code(corrects(crib, kept, 0, change={"die": 0, "value": 5})) == (409, "corrected-since")
    assert code(crib.says(reading=kept, corrections=0)) == (409, "corrected-since")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"change": {"die": 50, "value": 1}}, "bad-correction"),
        ({"change": {"die": 0, "value": 7}}, "bad-correction"),
        ({}, "invalid-request"),
        ({"change": {"die": 0, "value": 1}, "remove": {"die": 0}}, "invalid-request"),
    ],
)
def test_a_correction_that_does_not_fit_is_a_problem(
    crib: Player, sample: bytes, said: dict[str, Any], expected: str
) -> None:
    kept = crib.shows(sample)["reading"]["id"]
    assert code(corrects(crib, kept, 0, **said)) == (422, expected)


def test_a_reading_belongs_to_its_game(client: TestClient, crib: Player, sample: bytes) -> None:
    kept, other = crib.shows(sample)["reading"]["id"], begun(client, "crib-dice")
    assert code(other.says(reading=kept)) == (404, "no-reading")
    for path in ("", "/photo", "/annotated"):
        url = f"/v1/readings/{kept}{path}"
        assert code(other.get(url)) == (401, "wrong-token")
        assert crib.get(url).status_code == 200
    assert code(client.get("/v1/readings/nowhere")) == (404, "no-reading")


def test_a_viewer_corrects_nothing(crib: Player, sample: bytes) -> None:
    kept = crib.shows(sample)["reading"]["id"]
    body = {"expected": 0, "change": {"die": 0, "value": 6}}
    assert code(crib.post(f"/v1/readings/{kept}/corrections", body, crib.viewer)) == (403, "viewer-only")


def test_the_annotated_picture_is_of_the_photo(crib: Player, sample: bytes) -> None:
    kept = crib.shows(sample)["reading"]["id"]
    drawn = crib.get(f"/v1/readings/{kept}/annotated")
    with Image.open(io.BytesIO(drawn.content)) as picture:
        assert (picture.format, picture.width) == ("JPEG", 1600)


def test_a_person_may_say_what_the_photo_shows(crib: Player, sample: bytes) -> None:
    kept = crib.shows(sample)["reading"]
    done = crib.plays("opening 3 4", reading=kept["id"])
    assert done["ruling"]["moves"] == ["opening 3 4"]
    entry = crib.record().entries[-1]
    assert (entry.seen, entry.corrected) == (kept["reading"], {"said": "opening 3 4"})


def test_the_evidence_holds_what_verify_asks_for(
    six_due: Player, sample: bytes, reader: TableReader, tmp_path: Path
) -> None:
    settled(six_due, six_due.shows(sample))
    zipped = tmp_path / "evidence.zip"
    zipped.write_bytes(six_due.get("/evidence").content)
    heads = [six_due.snapshot["head"]["short"]]
    verdict = verify(zipped, reader, heads=heads, key=six_due.snapshot["head"]["key"])
    assert verdict.level == "ok", [finding for finding in verdict.findings if finding.level != "ok"]


def saved_anew(photo: bytes) -> bytes:
    """The same picture, cropped, turned a little, smaller, and another file."""
    data = io.BytesIO()
    with Image.open(io.BytesIO(photo)) as whole:
        turned = whole.rotate(4, Image.Resampling.BICUBIC, expand=False, fillcolor=whole.getpixel((5, 5)))
        cropped = turned.crop((20, 10, whole.width, whole.height))
        cropped.resize((whole.width * 3 // 4, whole.height * 3 // 4)).save(data, "JPEG", quality=85)
    return data.getvalue()


def test_a_photo_counts_once(six_due: Player, sample: bytes) -> None:
    """The same file, and the same picture saved anew, smaller and cropped, are asked about; what is confirmed is marked."""
    settled(six_due, six_due.shows(sample))
    six_due.plays(six_due.snapshot["offers"][0]["move"])
    six_due.plays("stop")
    for again in (sample, saved_anew(sample)):
        told = six_due.shows(again)
        assert told["ruling"]["doubt"]["code"] == "photo-again"
        assert "in line 2" in told["ruling"]["doubt"]["message"]
        assert told["ruling"]["doubt"]["moves"]
    said = six_due.says(reading=told["reading"]["id"], confirm=True)
    assert six_due.took(said)["ruling"]["outcome"] == "question"
    assert six_due.record().entries[-1].corrected == {"confirmed": "photo-again"}
    evidence = io.BytesIO(six_due.get("/evidence", six_due.player).content)
    assert "photo-again" in {finding.code for finding in verify(evidence, None).findings}


def another(client: TestClient) -> Player:
    return begun(client, "farkle-crib", "opening_roll=false", players=("Cleo", "Dan"))


def report_of(player: Player) -> tuple[str, set[tuple[str, int]]]:
    """The report of a game, and what `verify` says is to be looked at, with the lines."""
    data = io.BytesIO(player.get("/evidence", player.player).content)
    looks = {(each.code, each.line) for each in verify(data, None).findings if each.level == "warning"}
    with ZipFile(data) as zipped:
        return zipped.read("report.html").decode(), looks


@pytest.mark.parametrize("change", [bytes, saved_anew], ids=["the same file", "the same picture saved anew"])
def test_a_photo_that_another_game_played_is_asked_about_and_marked(
    client: TestClient, six_due: Player, sample: bytes, change: Callable[[bytes], bytes]
) -> None:
    settled(six_due, six_due.shows(sample))
    other, today = another(client), f"{datetime.now():%Y-%m-%d}"
    told = other.shows(change(sample))
    doubt = told["ruling"]["doubt"]
    assert (doubt["code"], told["snapshot"]["lines"]) == ("photo-elsewhere", 1)
    assert f"played already in another game, on {today}." in doubt["message"]
    settled(other, told)
    entry = other.record().entries[-1]
    assert entry.corrected is not None
    assert (entry.corrected["confirmed"], entry.corrected["elsewhere"]) == ("photo-elsewhere", today)
    report, looks = report_of(other)
    assert ("photo-elsewhere", other.lines) in looks
    assert f"Please look: This throw was played already in another game, on {today}." in report
    assert "photo-elsewhere" not in {code for code, _ in report_of(six_due)[1]}, "which played it first"


def test_of_another_game_nothing_is_told_but_the_day(
    client: TestClient, six_due: Player, sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        then.setattr(live_games.typed_moves, "now", lambda: "2026-03-01T10:11:12+00:00")
        settled(six_due, six_due.shows(sample))
    other = another(client)
    told = other.shows(sample)
    assert "on 2026-03-01." in told["ruling"]["doubt"]["message"]
    settled(other, told)
    shown = [other.get(path, other.player).text for path in ("", "/history", "/record", "/readings")]
    shown += [report_of(other)[0], str(told)]
    for secret in (six_due.id, "Ann", "Ben", "10:11:12", six_due.snapshot["head"]["head"]):
        assert not any(secret in each for each in shown), secret


def test_a_move_that_is_typed_for_such_a_photo_is_marked_too(
    client: TestClient, six_due: Player, sample: bytes
) -> None:
    settled(six_due, six_due.shows(sample))
    other = another(client)
    told = other.shows(sample)
    other.plays(told["ruling"]["doubt"]["moves"][0], reading=told["reading"]["id"], confirm=True)
    assert ("photo-elsewhere", other.lines) in report_of(other)[1]


def test_a_photo_that_the_other_game_took_back_is_good_here(client: TestClient, six_due: Player, sample: bytes) -> None:
    settled(six_due, six_due.shows(sample))
    six_due.snapshot = six_due.post("/undo", {"lines": six_due.lines}).json()
    doubt = another(client).shows(sample)["ruling"]["doubt"]
    assert doubt is None or doubt["code"] != "photo-elsewhere"


def test_a_hand_that_is_hidden_in_its_game_is_told_to_no_other(
    client: TestClient, six_due: Player, sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To be told that it was played would tell it to who guesses."""
    settled(six_due, six_due.shows(sample))
    monkeypatch.setattr(live_games, "hides_hands", lambda game: game.id == six_due.id)
    doubt = another(client).shows(sample)["ruling"]["doubt"]
    assert doubt is None or doubt["code"] != "photo-elsewhere"


def test_a_damaged_game_that_played_it_stops_no_other(client: TestClient, six_due: Player, sample: bytes) -> None:
    settled(six_due, six_due.shows(sample))
    table = client.app.state.live.table  # type: ignore[attr-defined] - TestClient keeps the app as a plain callable
    table._cache._games.clear()
    with writing(table.store._engine) as connection:
        connection.execute(update(lines).where(lines.c.game_id == six_due.id, lines.c.number == 2).values(line="{}"))
    other = another(client)
    settled(other, other.shows(sample))
    assert other.lines == 2


def test_dominoes_in_a_game_of_dice_are_called_dominoes(six_due: Player) -> None:
    told = six_due.shows(Path("docs/sample-hand.jpg").read_bytes())
    said = "These look like 4 dominoes, but this game is played with dice. Show the dice alone."
    assert told["ruling"]["doubt"]["message"] == said
    assert [each["reason"] for each in told["reading"]["reading"]["doubts"]] == ["other-pieces"]


def test_a_die_too_few_is_counted_as_ever(crib: Player, sample: bytes) -> None:
    crib.plays("opening 1 6")
    crib.plays("opening 1 2")
    assert "6 dice were read" in crib.shows(sample)["ruling"]["doubt"]["message"]
