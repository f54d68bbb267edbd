"""Ways of cheating, tried against two honest phones over HTTP, and what the phones, and the evidence, show of it.

Ann and Ben each have a phone with an event stream; Mallory has what each way needs. What a phone shows is taken from its own
stream, as its page is: the last snapshot there, and the history that the page fetches. docs/hardening.md has the table.
"""

from __future__ import annotations

import io
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

import httpx2
import pytest
from PIL import ExifTags, Image

from api.evidence.bundle import Evidence, write
from api.evidence.findings import Verdict
from api.evidence.keys import Head, ServerKey
from api.evidence.verify import verify
from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.api.http.games.play import bearer, code
from tests.api.http.games.running import Running, running
from tests.api.http.games.streams import events
from tests.e2e.throws import jpeg, photo
from tests.tiles_named import tiles_named

_PATIENCE = 300.0


class Phone:
    """A phone at the table: a token, and the page of the game, which stays open and keeps the head of every snapshot."""

    on: ClassVar[list[Phone]] = []
    """Every phone that is switched on."""

    def __init__(self, url: str, game: str, token: str) -> None:
        self.url, self.game, self.token = url, game, token
        self.client = httpx2.Client(base_url=url, timeout=120)
        self.snapshots: list[dict[str, Any]] = []
        self._page = threading.Thread(target=self._watch, daemon=True)
        self._page.start()
        Phone.on.append(self)

    def off(self) -> None:
        """Switched off; its page has ended with the server."""
        self._page.join(60)
        self.client.close()
        Phone.on.remove(self)

    def _watch(self) -> None:
        """Until the server ends."""
        with suppress(httpx2.TransportError), self._stream() as response:
            for seen in events(response):
                self.snapshots.append(seen.told)

    def _stream(self) -> AbstractContextManager[httpx2.Response]:
        return self.client.stream("GET", f"/v1/games/{self.game}/events", headers=bearer(self.token))

    @property
    def shown(self) -> dict[str, Any]:
        """The last snapshot that came to its page."""
        return self.snapshots[-1]

    @property
    def heads(self) -> dict[int, dict[str, Any]]:
        """What it keeps: the head of each snapshot, by the number of lines (`api/web/table/heads.js`)."""
        return {told["lines"]: told["head"] for told in self.snapshots}

    @property
    def history(self) -> dict[str, Any]:
        return told(self.get("/history"))

    def waits_for(self, lines: int) -> None:
        until = time.monotonic() + _PATIENCE
        while not self.snapshots or self.shown["lines"] < lines:
            assert time.monotonic() < until, f"the page does not show line {lines}"
            time.sleep(0.02)

    def get(self, path: str = "") -> httpx2.Response:
        return self.client.get(f"/v1/games/{self.game}{path}", headers=bearer(self.token))

    def post(self, path: str, body: Any) -> httpx2.Response:
        return self.client.post(f"/v1/games/{self.game}{path}", json=body, headers=bearer(self.token))

    def says(self, lines: int, **said: Any) -> httpx2.Response:
        return self.post("/moves", {"lines": lines, **said})

    def shows(self, lines: int, photo: bytes) -> dict[str, Any]:
        files = {"photo": ("a.jpg", photo, "image/jpeg")}
        path = f"/v1/games/{self.game}/photos"
        return told(self.client.post(path, files=files, data={"lines": lines}, headers=bearer(self.token)))


@dataclass
class Table:
    """A game with the phones of Ann, the host, and of Ben.

    Attributes:
        phones: theirs.
        viewer: the token of the link for watching.
        invite: the token of the invitation.
    """

    phones: tuple[Phone, Phone]
    viewer: str
    invite: str

    @property
    def ann(self) -> Phone:
        return self.phones[0]

    @property
    def ben(self) -> Phone:
        return self.phones[1]

    def someone(self, token: str) -> Phone:
        """A phone with another token."""
        return Phone(self.ann.url, self.ann.game, token)

    def plays(self, *moves: str) -> int:
        """Typed on Ann's phone; how many lines both phones then show."""
        lines = int(self.ann.shown["lines"])
        for move in moves:
            lines = told(self.ann.says(lines, move=move))["snapshot"]["lines"]
        return self.both_show(lines)

    def both_show(self, lines: int) -> int:
        for phone in self.phones:
            phone.waits_for(lines)
        return lines

    def unmoved(self, lines: int) -> None:
        """Neither phone was shown anything new."""
        time.sleep(0.5)
        assert [phone.shown["lines"] for phone in self.phones] == [lines, lines]
        assert {phone.get().json()["lines"] for phone in self.phones} == {lines}

    def evidence(self) -> Verdict:
        """What anybody finds who checks the evidence without reading the photos again."""
        return verify(io.BytesIO(self.ann.get("/evidence").content), None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cheated") / "data"


@contextmanager
def serving(folder: Path) -> Iterator[Running]:
    """A server; the phones that talked to it are switched off after it."""
    with running(folder) as started:
        yield started
    for phone in [phone for phone in Phone.on if phone.url == started.url]:
        phone.off()


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Running]:
    with serving(folder) as started:
        yield started


@pytest.fixture
def dice(server: Running) -> Table:
    """Farkle Cribbage, where the six dice of the sample photo may be the first throw."""
    return begun(server, "farkle-crib", "opening_roll=false")


@pytest.fixture
def hands(server: Running) -> Table:
    """Domino Cribbage, dealt: hidden hands."""
    table, lines = begun(server, "domino-cribbage"), 1
    for phone, move in (
        (table.ann, "opening 6-6"),
        (table.ben, "opening 0-0"),
        (table.ben, "deal 1 1-0 1-1 2-0 2-1 2-2 3-0"),
        (table.ann, "deal 0 3-1 3-2 3-3 4-0 4-1 4-2"),
    ):
        lines = table.both_show(told(phone.says(lines, move=move))["snapshot"]["lines"])
    return table


def begun(server: Running, game: str, *rules: str) -> Table:
    wanted = {"game": game, "players": ["Ann", "Ben"], "rules": rules, "seats": [0]}
    with httpx2.Client(base_url=server.url, timeout=120) as client:
        made = client.post("/v1/games", json=wanted).json()
        path, invited = f"/v1/games/{made['id']}/join", bearer(made["invite"])
        joined = client.post(path, json={"seats": [1]}, headers=invited).json()
    ann, ben = (Phone(server.url, made["id"], token) for token in (made["player"], joined["token"]))
    table = Table((ann, ben), made["viewer"], made["invite"])
    table.both_show(1)
    return table


def told(response: httpx2.Response) -> dict[str, Any]:
    """The answer, once it is found to be a good one."""
    assert response.is_success, response.text
    answer: dict[str, Any] = response.json()
    return answer


@pytest.fixture
def throw(request: pytest.FixtureRequest) -> bytes:
    """A photo of six dice, none of them a 1, that lie otherwise for every test: a photo of another's counts as played."""
    return jpeg(photo((5, 2, 3, 6, 2, 3), seed=crc32(request.node.name.encode())))


def saved(photo: bytes, *, scale: float = 1.0, cut: int = 0, taken: str = "") -> bytes:
    """The photo saved anew: smaller, cropped, with another time in it."""
    exif, file = Image.Exif(), io.BytesIO()
    if taken:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = taken
    with Image.open(io.BytesIO(photo)) as whole:
        part = whole.crop((cut, cut, whole.width, whole.height))
        part.resize((round(part.width * scale), round(part.height * scale))).save(file, "JPEG", quality=90, exif=exif)
    return file.getvalue()


def thrown(table: Table, photo: bytes) -> int:
    """Ann's throw, honestly from a photo, and her turn ended: the lines that both phones show."""
    seen = table.ann.shows(1, photo)
    if seen["ruling"]["outcome"] == "doubt":
        seen = told(table.ann.says(1, reading=seen["reading"]["id"], confirm=True))
    table.both_show(seen["snapshot"]["lines"])
    return table.plays(table.ann.shown["offers"][0]["move"], "stop")


def asked_and_marked(table: Table, lines: int, seen: dict[str, Any], doubt: str) -> None:
    """It is not played unasked; who confirms it all the same is named on both phones and in the evidence."""
    assert seen["ruling"]["doubt"]["code"] == doubt
    table.unmoved(lines)
    done = told(table.ben.says(lines, reading=seen["reading"]["id"], confirm=True))
    table.both_show(done["snapshot"]["lines"])
    for phone in table.phones:
        assert phone.shown["how"] == "corrected", "not as read: a person has confirmed it"
        assert phone.shown["by"]["seats"] == [1]
        assert phone.history["lines"][-1]["how"] == "corrected"
    assert {finding.code: finding.level for finding in table.evidence().findings}[doubt] == "warning"


# Photos


def test_the_same_photo_for_both_players(dice: Table, throw: bytes) -> None:
    lines = thrown(dice, throw)
    asked_and_marked(dice, lines, dice.ben.shows(lines, throw), "photo-again")


def test_the_same_photo_cropped_smaller_and_saved_anew(dice: Table, throw: bytes) -> None:
    lines = thrown(dice, throw)
    asked_and_marked(dice, lines, dice.ben.shows(lines, saved(throw, scale=0.75, cut=16)), "photo-again")


def test_a_photo_that_another_game_played(server: Running, dice: Table, throw: bytes) -> None:
    """Both phones see who confirmed it; of the other game they learn nothing but the day."""
    other = begun(server, "farkle-crib", "opening_roll=false")
    thrown(other, throw)
    asked_and_marked(dice, 1, dice.ben.shows(1, saved(throw, scale=0.75, cut=16)), "photo-elsewhere")
    for phone in dice.phones:
        assert other.ann.game not in json.dumps([phone.snapshots, phone.history, told(phone.get("/readings"))])


def test_a_photo_of_last_year(dice: Table, throw: bytes) -> None:
    seen = dice.ben.shows(1, saved(throw, taken="2020:02:03 10:11:12"))
    asked_and_marked(dice, 1, seen, "photo-old")


def test_a_reading_corrected_after_it_was_played(dice: Table, throw: bytes) -> None:
    """What was played stays; the correction is beside it, and in the evidence."""
    lines = thrown(dice, throw)
    before = [phone.history for phone in dice.phones]
    record = dice.ann.get("/record").text
    reading = next(line["reading"] for line in before[0]["lines"] if line["reading"])
    body = {"expected": 0, "change": {"die": 0, "value": 1}}
    path = f"/v1/readings/{reading}/corrections"
    now = told(dice.ben.client.post(path, json=body, headers=bearer(dice.ben.token)))
    assert now["reading"]["dice"][0]["value"] != 1
    dice.unmoved(lines)
    assert [phone.history for phone in dice.phones] == before
    assert dice.ann.get("/record").text == record
    for phone in dice.phones:
        kept = [each for each in told(phone.get("/readings"))["readings"] if each["id"] == reading]
        assert [each["change"]["value"] for each in kept[0]["corrections"]] == [1], "both phones can see it"


def test_a_move_said_to_be_watched_by_a_camera(dice: Table) -> None:
    said = told(dice.ben.says(1, move="throw 1 1 1 1 1 1", watched={"frame": 40, "time": 2.7}))
    dice.both_show(said["snapshot"]["lines"])
    for phone in dice.phones:
        assert phone.shown["how"] == "claimed"
        assert phone.shown["by"]["seats"] == [1]
        assert phone.shown["by"]["camera"] is None
    assert code(dice.ben.post("/tokens", {"role": "camera", "name": "webcam"})) == (403, "host-only")
    assert any("claimed to come from a camera: 1" in finding.text for finding in dice.evidence().findings)


# Seats and tokens


def test_a_move_for_the_other_player(dice: Table) -> None:
    """Possible, for people play on one phone, too; but both see whose phone it was, and may take it back."""
    lines = dice.both_show(told(dice.ben.says(1, move="throw 1 1 2 3 4 5"))["snapshot"]["lines"])
    for phone in dice.phones:
        assert (phone.shown["by"]["seats"], phone.shown["by"]["for"]) == ([1], 0)
        assert phone.shown["how"] == "typed"
        assert phone.history["lines"][-1]["by"]["for"] == 0
    assert dice.ann.post("/undo", {"lines": lines}).status_code == 200
    dice.both_show(lines + 1)
    assert [phone.history["lines"][0]["undone_by"] for phone in dice.phones] == [lines + 1] * 2


def test_a_viewer_or_a_guest_who_has_not_joined_moves(dice: Table) -> None:
    for token, refusal in ((dice.viewer, "viewer-only"), (dice.invite, "join-first")):
        mallory = dice.someone(token)
        assert code(mallory.says(1, move="throw 1 1 2 3 4 5")) == (403, refusal)
        assert code(mallory.post("/undo", {"lines": 1})) == (403, refusal)
    dice.unmoved(1)


def test_a_link_that_was_revoked(dice: Table) -> None:
    mallory = dice.someone(told(dice.someone(dice.invite).post("/join", {"seats": [1]}))["token"])
    mine = told(mallory.get("/token"))["id"]
    for phone in dice.phones:
        listed = {token["id"]: token for token in told(phone.get("/tokens"))["tokens"]}
        assert listed[mine]["seats"] == [1], "both phones list who joined"
    path = f"/v1/games/{dice.ann.game}/tokens/{mine}"
    assert dice.ann.client.delete(path, headers=bearer(dice.ann.token)).status_code == 204
    assert code(mallory.says(1, move="throw 1 1 2 3 4 5")) == (401, "revoked-token")
    assert code(mallory.get("/history")) == (401, "revoked-token")
    dice.unmoved(1)
    for phone in dice.phones:
        assert {token["id"]: token for token in told(phone.get("/tokens"))["tokens"]}[mine]["revoked"]


def test_a_look_at_hidden_tiles(hands: Table) -> None:
    ann = ("3-1", "3-2", "3-3", "4-0", "4-1", "4-2")
    for token in (hands.viewer, hands.invite, hands.ben.token):
        mallory = hands.someone(token)
        paths = ("", "/history", "/readings", "/record", "/evidence", "/tokens", "/token")
        said = "\n".join(mallory.get(path).text for path in paths)
        assert tiles_named(said).isdisjoint(ann)
        for path in ("/record", "/evidence"):
            assert code(mallory.get(path)) == (403, "hands-hidden")
    assert code(hands.ann.post("/tokens", {"role": "camera"})) == (403, "hands-hidden")
    told_ben = json.dumps(hands.ben.snapshots)
    assert tiles_named(told_ben).isdisjoint(ann), "nor does the stream of Ben's phone"
    assert all(tile in json.dumps(hands.ann.shown) for tile in ann), "Ann's own phone shows them"


# The record


def warned(phone: Phone, heads: dict[int, dict[str, Any]]) -> set[str]:
    """What the page warns of that kept these heads, when it looks at the game and its history (`api/web/table/heads.js`)."""
    shown, hashes = told(phone.get()), phone.history["hashes"]
    changed = any(lines > len(hashes) or hashes[lines - 1] != head["head"] for lines, head in heads.items())
    other_key = any(head["key"] != shown["head"]["key"] for head in heads.values())
    return {name for name, found in (("changed", changed), ("other-key", other_key)) if found}


def forged(record: Record) -> Record:
    """Another throw, in a chain of hashes that fits, at the same times."""
    first, *_ = record.entries
    return Record.begin(record.header).play(Move.parse("throw 1 1 1 1 1 1"), at=first.at, by=first.by)


def test_evidence_written_anew_and_signed_with_the_servers_own_key(dice: Table, folder: Path) -> None:
    dice.plays("throw 1 1 2 3 4 5")
    record = Record.load(dice.ann.get("/record").text)
    other, file = forged(record), io.BytesIO()
    write(Evidence(other, signed=ServerKey.open(folder).sign(Head.of(other, dice.ann.game))), file)
    assert verify(io.BytesIO(file.getvalue()), None).level != "wrong", "by itself nothing tells it"
    for phone in dice.phones:
        kept = phone.heads[len(record.lines)]
        verdict = verify(io.BytesIO(file.getvalue()), None, heads=[kept["head"]], key=kept["key"])
        assert [finding.code for finding in verdict.findings if finding.level == "wrong"] == ["noted-head"]
        honest = verify(io.BytesIO(phone.get("/evidence").content), None, heads=[kept["short"]], key=kept["key"])
        assert honest.level != "wrong"
        assert not warned(phone, phone.heads)


@pytest.fixture
def stopped(tmp_path: Path) -> tuple[Path, Table]:
    """The folder of a server that was ended after a throw, and the phones as they were."""
    folder = tmp_path / "data"
    with serving(folder) as server:
        table = begun(server, "farkle-crib", "opening_roll=false")
        table.plays("throw 1 1 2 3 4 5")
    return folder, table


@contextmanager
def again(folder: Path, table: Table) -> Iterator[list[Phone]]:
    """A server with that folder runs once more, and both phones come back to it."""
    with serving(folder) as server:
        yield [Phone(server.url, phone.game, phone.token) for phone in table.phones]


def test_a_line_edited_in_the_servers_database(stopped: tuple[Path, Table]) -> None:
    folder, table = stopped
    with closing(sqlite3.connect(folder / "muggins.db")) as database, database:
        edit = "UPDATE lines SET line = replace(line, 'throw 1 1 2 3 4 5', 'throw 1 1 1 1 1 1') WHERE number = 2"
        assert database.execute(edit).rowcount == 1
    with again(folder, table) as phones:
        for phone in phones:
            refused = phone.get()
            assert refused.status_code == 503, "the game is not shown, and goes on nowhere"
            assert "damaged" in refused.json()["code"]
            assert not phone.says(2, move="throw 1 1 1 1 1 1").is_success


def test_a_whole_record_written_anew_in_the_servers_database(stopped: tuple[Path, Table]) -> None:
    folder, table = stopped
    with closing(sqlite3.connect(folder / "muggins.db")) as database, database:
        lines = [line for (line,) in database.execute("SELECT line FROM lines ORDER BY number")]
        other = forged(Record.load("".join(f"{line}\n" for line in lines)))
        database.execute("UPDATE lines SET line = ? WHERE number = 2", (other.lines[1],))
        database.execute("UPDATE games SET head = ?", (other.head,))
    with again(folder, table) as phones:
        for phone, before in zip(phones, table.phones, strict=True):
            assert warned(phone, before.heads) == {"changed"}


def test_the_servers_key_exchanged(stopped: tuple[Path, Table]) -> None:
    folder, table = stopped
    (folder / "signing-key.pem").unlink()
    with again(folder, table) as phones:
        for phone, before in zip(phones, table.phones, strict=True):
            assert warned(phone, before.heads) == {"other-key"}
