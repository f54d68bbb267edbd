"""A game learns from corrections: the same dice are read right the next time, nothing read changes, and evidence knows why."""

from __future__ import annotations

import asyncio
import io
import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlalchemy import Engine, event

from api.evidence.findings import Finding
from api.evidence.verify import verify
from api.http.games.learning import Learning
from api.store import Store
from tests.api.evidence.conftest import rezipped
from tests.api.http.games.play import Player, bearer, begun
from tests.vision.taught.drawn import EMBLEM, Thrown, thrown
from vision.photo import PhotoError
from vision.reader import TableReader
from vision.taught.labelling import Said
from vision.taught.pieces import TaughtPiece
from vision.taught.profile import MOST_BYTES, MOST_PIECES, Profile

SET = 6
FIRST, SECOND = [6, 6, 3], [6, 2, 5, 6]


@pytest.fixture
def game(client: TestClient) -> Player:
    return begun(client, "farkle-crib", "opening_roll=false")


def seen(kept: dict[str, Any]) -> list[int]:
    return sorted(die["value"] for die in kept["reading"]["dice"])


def corrects(player: Player, kept: dict[str, Any], **correction: Any) -> dict[str, Any]:
    body = {"expected": len(kept["corrections"]), **correction}
    answer = player.post(f"/v1/readings/{kept['id']}/corrections", body)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def corrected(player: Player, throw: Thrown) -> dict[str, Any]:
    """Send a throw whose emblems are not read, and add them where they lie."""
    kept: dict[str, Any] = player.shows(throw.jpeg)["reading"]
    before = kept
    assert seen(kept) == [value for value in sorted(throw.values) if value != 6]
    for value, (x, y) in zip(throw.values, throw.places, strict=True):
        if value == 6:
            kept = corrects(player, kept, add={"kind": "d6", "value": 6, "at": [x, y]})
    return before


def test_what_players_correct_is_read_right_the_next_time_and_the_evidence_says_why(
    game: Player, tmp_path: Path
) -> None:
    before = corrected(game, thrown(EMBLEM, FIRST, 3, SET))
    after = game.shows(thrown(EMBLEM, SECOND, 5, SET).jpeg)["reading"]
    assert seen(after) == sorted(SECOND)
    emblems = [die for die in after["reading"]["dice"] if die["value"] == 6]
    assert [die["profile"] for die in emblems] == ["this game"] * 2
    assert list(after["reading"]["profiles"]) == ["this game"]
    # What was read before stays as it was read.
    assert game.get(f"/v1/readings/{before['id']}").json()["reading"] == before["reading"]
    findings = checked(game, tmp_path)
    assert [each for each in findings if each.level == "wrong"] == []
    assert {each.level for each in findings if each.code == "read-again"} == {"ok"}
    # The corrected throw was never played, so the record does not show what was said of it.
    (told,) = [each for each in findings if each.code == "profile"]
    assert told.level == "warning"
    assert "the record has no correction that says what 3 of them show" in told.text


def checked(player: Player, folder: Path) -> tuple[Finding, ...]:
    """What is found in the evidence of the game."""
    file = folder / "evidence.zip"
    file.write_bytes(player.get("/evidence").content)
    return verify(file, TableReader()).findings


def test_a_profile_is_believed_as_far_as_the_record_and_the_photos_show_it(game: Player, tmp_path: Path) -> None:
    throw = thrown(EMBLEM, [6, 1, 3, 2, 5, 6], 3, SET)
    before = corrected(game, throw)
    made = game.get(f"/v1/readings/{before['id']}").json()["corrections"]
    game.took(game.says(reading=before["id"], corrections=len(made), confirm=True))
    game.plays("keep 1 5")
    game.plays("stop")
    (after,) = [game.shows(thrown(EMBLEM, [6, 2, 5, 6, 1, 3], 5, SET).jpeg)["reading"]]
    assert list(after["reading"]["profiles"]) == ["this game"]
    (told,) = [each for each in checked(game, tmp_path) if each.code == "profile"]
    assert (told.level, told.text.split(": ")[1]) == ("ok", "6 pieces on photos that were corrected in this game.")

    (own,) = game.get("/profiles").json()["profiles"]
    pieces = Profile.from_bytes(game.get(f"/profiles/{own['sha256']}").content).pieces
    one, other = (next(each for each in pieces if each.shows == (value,)) for value in (1, 3))
    forged = {
        "other value": (replace(one, shows=(3,)), "has no correction that says what 1 of them show"),
        "other place": (replace(one, at=other.at), "has no correction that says what 1 of them show"),
        "other picture": (replace(one, jpeg=other.jpeg), "1 of them could not be found so on the photos"),
        "other photo": (replace(one, photo="0" * 64), "not all from this game"),
    }
    for name, (piece, _) in forged.items():
        data = Profile(name, (piece, *(each for each in pieces if each is not one))).data
        files = {"profile": ("x.json", data, "application/json")}
        assert game.client.put(game.path("/profiles"), files=files, headers=bearer(game.player)).status_code == 200
    game.shows(thrown(EMBLEM, [6, 2, 5, 6, 1, 3], 7, SET).jpeg)
    found = [each for each in checked(game, tmp_path) if each.code == "profile"]
    for name, (_, why) in forged.items():
        (told,) = [each for each in found if f"profile {name}:" in each.text]
        assert told.level == "warning"
        assert why in told.text


def test_what_was_learned_can_be_kept_put_aside_and_used_in_another_game(game: Player, client: TestClient) -> None:
    corrected(game, thrown(EMBLEM, FIRST, 3, SET))
    game.shows(thrown(EMBLEM, SECOND, 5, SET).jpeg)
    (told,) = game.get("/profiles").json()["profiles"]
    assert told["name"] == "this game"
    kept = game.get(f"/profiles/{told['sha256']}").content
    assert client.delete(game.path(f"/profiles/{told['sha256']}"), headers=bearer(game.player)).status_code == 204
    assert game.get("/profiles").json()["profiles"] == []
    again = game.shows(thrown(EMBLEM, [1, 6], 8, SET).jpeg)["reading"]
    assert seen(again) == [1]
    other = begun(client, "farkle-crib", "opening_roll=false")
    learned = Profile.from_bytes(kept).pieces
    # The first correction in that game would put it out of use; the game that learned it may have it back.
    refused = uses(other, "this game", learned)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-profile")
    assert "Give this profile another name" in refused.json()["detail"]
    assert other.get("/profiles").json()["profiles"] == []
    assert uses(game, "this game", learned).json()["learned"] is True
    data = Profile("dragons", Profile.from_bytes(kept).pieces).data
    files = {"profile": ("dragons.json", data, "application/json")}
    used = client.put(other.path("/profiles"), files=files, headers=bearer(other.player))
    assert used.json()["pieces"] == told["pieces"]
    there = other.shows(thrown(EMBLEM, SECOND, 5, SET).jpeg)["reading"]
    assert seen(there) == sorted(SECOND)
    assert list(there["reading"]["profiles"]) == ["dragons"]


def test_a_slip_that_was_undone_teaches_nothing(game: Player) -> None:
    first, second = (thrown(EMBLEM, [5, 1, 3, 2, 5, 4], seed, SET).jpeg for seed in (3, 5))
    kept = game.shows(first)["reading"]
    kept = corrects(game, kept, change={"die": 1, "value": 6})
    game.took(game.says(reading=kept["id"], corrections=1, confirm=True))
    doubted = game.shows(second)["reading"]
    assert list(doubted["reading"]["profiles"]) == ["this game"]
    game.snapshot = game.post("/undo", {"lines": game.lines}).json()
    plain = game.shows(second)["reading"]
    assert plain["reading"]["profiles"] == {}
    assert game.get("/profiles").json()["profiles"] == []
    # Played once more after all, it was no slip.
    game.snapshot = game.post("/undo", {"lines": game.lines}).json()
    told = game.took(game.says(reading=kept["id"], corrections=1, confirm=True))
    assert told["ruling"]["outcome"] == "question", told
    again = game.shows(second)["reading"]
    assert again["reading"]["profiles"] == doubted["reading"]["profiles"]


def test_a_profile_from_elsewhere_is_pointed_out_and_a_forged_one_is_not_believed(game: Player, tmp_path: Path) -> None:
    throw = thrown(EMBLEM, FIRST, 3, SET)
    data = taught(game.client, throw)
    game.client.put(
        game.path("/profiles"), files={"profile": ("x.json", data, "application/json")}, headers=bearer(game.player)
    )
    game.shows(thrown(EMBLEM, SECOND, 5, SET).jpeg)
    file = tmp_path / "evidence.zip"
    file.write_bytes(game.get("/evidence").content)
    assert [f.level for f in verify(file, None).findings if f.code == "profile"] == ["warning"]
    own = Profile.from_bytes(data)
    another = replace(own, pieces=own.pieces[1:]).data
    for forged, told in (
        (another, ("other-profile", "wrong")),
        (b"{}", ("no-profile", "warning")),
        (None, ("no-profile", "warning")),
    ):
        zipped = rezipped(file.read_bytes(), {f"profiles/{own.sha256}.json": forged})
        findings = verify(io.BytesIO(zipped), None).findings
        assert [(f.code, f.level) for f in findings if f.code.endswith("-profile")] == [told]


def taught(client: TestClient, throw: Thrown) -> bytes:
    """A profile of a throw, as the page "Teach my dice" makes it."""
    photo = {"photo": ("throw.jpg", throw.jpeg, "image/jpeg")}
    found = client.post("/v1/pieces", files=photo).json()
    assert len(found["pieces"]) == len(throw.values)
    said = [
        {"kind": "d6", "shows": [value], "at": list(at), "symbol": "dragon" if value == 6 else ""}
        for value, at in zip(throw.values, throw.places, strict=True)
    ]
    answer = client.post("/v1/profiles", files=photo, data={"name": "dragons", "said": json.dumps(said)})
    assert answer.status_code == 200, answer.text
    assert {piece.said for piece in Profile.from_bytes(answer.content).pieces} == {"3", "dragon = 6"}
    return answer.content


def test_ordinary_photos_teach_and_a_large_profile_is_used(game: Player, sample: bytes) -> None:
    """Photos of phones have megabytes, and so have profiles."""
    large = io.BytesIO()
    with Image.open(io.BytesIO(sample)) as picture:
        picture.resize((4000, 3000)).save(large, "JPEG", quality=98)
    assert len(large.getvalue()) > 1_500_000
    data = b""
    for jpeg in (sample, large.getvalue()):
        photo = {"photo": ("throw.jpg", jpeg, "image/jpeg")}
        found = game.client.post("/v1/pieces", files=photo)
        assert found.status_code == 200, found.text
        said = [{"kind": "d6", "shows": each["shows"], "at": _middle(each["box"])} for each in found.json()["pieces"]]
        form = {"name": "mine", "said": json.dumps(said)}
        before = {"profile": ("mine.json", data, "application/json")} if data else {}
        answer = game.client.post("/v1/profiles", files=photo | before, data=form)
        assert answer.status_code == 200, answer.text
        data = answer.content
    pieces = Profile.from_bytes(data).pieces
    large_profile = Profile("mine", pieces * (MOST_PIECES // len(pieces))).data
    assert len(large_profile) > 500_000
    files = {"profile": ("mine.json", large_profile, "application/json")}
    used = game.client.put(game.path("/profiles"), files=files, headers=bearer(game.player))
    assert used.status_code == 200, used.text


def test_a_file_larger_than_any_profile_is_refused_with_the_reason(game: Player) -> None:
    files = {"profile": ("mine.json", bytes(MOST_BYTES + 100_000), "application/json")}
    answer = game.client.put(game.path("/profiles"), files=files, headers=bearer(game.player))
    assert answer.status_code == 413
    assert "Teach it again from fewer photos." in answer.json()["detail"]


def test_profiles_that_together_are_too_large_for_one_game_are_refused(game: Player) -> None:
    corners = ((40.0, 40.0), (120.0, 40.0), (120.0, 120.0), (40.0, 120.0))
    die = TaughtPiece("d6", (6,), corners, thrown(EMBLEM, [6], 3, SET).jpeg)
    many, heavy = (die,) * MOST_PIECES, (replace(die, jpeg=die.jpeg + bytes(5_000_000)),)
    for pieces in (many, heavy):
        assert [uses(game, name, pieces).status_code for name in ("one", "two", "one")] == [200] * 3
        refused = uses(game, "three", pieces)
        assert (refused.status_code, refused.json()["code"]) == (422, "bad-profile")
        assert "choose 'Stop using' beside another one first" in refused.json()["detail"]
        assert len(game.get("/profiles").json()["profiles"]) == 2


def uses(game: Player, name: str, pieces: tuple[TaughtPiece, ...]) -> httpx2.Response:
    files = {"profile": ("x.json", Profile(name, pieces).data, "application/json")}
    return game.client.put(game.path("/profiles"), files=files, headers=bearer(game.player))


def _middle(box: list[list[float]]) -> list[float]:
    return [sum(corner[axis] for corner in box) / len(box) for axis in (0, 1)]


def test_a_profile_with_a_picture_that_cannot_be_read_is_refused_before_it_spoils_photos(game: Player) -> None:
    corners = ((40.0, 40.0), (120.0, 40.0), (120.0, 120.0), (40.0, 120.0))
    damaged = Profile("mine", (TaughtPiece("d6", (6,), corners, b"no picture"),)).data
    files = {"profile": ("mine.json", damaged, "application/json")}
    answer = game.client.put(game.path("/profiles"), files=files, headers=bearer(game.player))
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-profile")
    assert answer.json()["detail"].startswith("A picture of this profile cannot be read.")
    assert game.get("/profiles").json()["profiles"] == []


@pytest.mark.parametrize("data", [b"", b"[]", b'{"profile": "muggins-profile", "version": 2}', b"\xff\xd8"])
def test_what_is_no_profile_is_refused_with_the_reason(game: Player, data: bytes) -> None:
    files = {"profile": ("x.json", data, "application/json")}
    answer = game.client.put(game.path("/profiles"), files=files, headers=bearer(game.player))
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-profile")
    assert game.get("/profiles").json()["profiles"] == []


def test_what_is_said_of_no_piece_is_refused(client: TestClient) -> None:
    photo = {"photo": ("throw.jpg", thrown(EMBLEM, FIRST, 3, SET).jpeg, "image/jpeg")}
    for said in ("[]", "no", '[{"kind": "d6"}]', '[{"kind": "d6", "shows": [9], "at": [5, 5]}]'):
        answer = client.post("/v1/profiles", files=photo, data={"name": "x", "said": said})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-profile"), said


def test_a_corrected_photo_that_cannot_be_read_again_teaches_nothing_and_the_game_goes_on(
    game: Player, caplog: pytest.LogCaptureFixture
) -> None:
    corrected(game, thrown(EMBLEM, FIRST, 3, SET))
    store = store_of(game)
    learning, asked = Learning(store), []

    async def teach(photo: bytes, said: Sequence[Said]) -> list[TaughtPiece]:
        asked.append(said)
        raise PhotoError("too-costly", "Reading this photo takes too long.")

    for _ in range(2):
        assert asyncio.run(learning.profiles(store.game(game.id), teach)) == []
    assert len(asked) == 1
    (told,) = (each.getMessage() for each in caplog.records if each.levelname == "WARNING")
    assert told.endswith("teaches nothing: Reading this photo takes too long.")


def test_a_photo_takes_from_the_database_only_the_profiles_that_it_is_read_with(game: Player) -> None:
    corrected(game, thrown(EMBLEM, FIRST, 3, SET))
    game.shows(thrown(EMBLEM, SECOND, 5, SET).jpeg)
    with watched(store_of(game)._engine) as asked:
        game.shows(thrown(EMBLEM, [1, 6], 8, SET).jpeg)
    files = [statement for statement in asked if "profiles.data" in statement]
    assert len(files) == 1
    assert "AND profiles.used" in files[0]


@contextmanager
def watched(engine: Engine) -> Iterator[list[str]]:
    """What is asked of a database meanwhile."""
    asked: list[str] = []

    def note(*told: Any) -> None:
        asked.append(told[2])

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)


def store_of(game: Player) -> Store:
    store: Store = game.client.app.state.live.table.store  # type: ignore[attr-defined] - TestClient keeps the app as a plain callable
    return store


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"at": [math.nan, math.nan]}, "What was said of the pieces is not as"),
        ({"at": [1e308, 1e308]}, "This position is outside the photo."),
        ({"at": [-500, -500]}, "This position is outside the photo."),
        ({"shows": []}, "Say what the piece of kind 'd6' shows."),
        ({"kind": "domino", "shows": [3]}, "A piece of kind 'domino' cannot show 3."),
        ({"box": [[math.nan, 0], [1, 0], [1, 1], [0, 1]]}, "What was said of the pieces is not as"),
        ({"box": [[90, 90]] * 4}, "This outline is empty or not on the photo."),
        (
            {"box": [[9000, 9000], [9100, 9000], [9100, 9100], [9000, 9100]]},
            "This outline is empty or not on the photo.",
        ),
        ({"box": [[-1e6, -1e6], [1e6, -1e6], [1e6, 1e6], [-1e6, 1e6]]}, "This outline is empty or not on the photo."),
    ],
    ids=str,
)
def test_what_no_piece_shows_and_where_no_piece_lies_is_refused_with_the_reason(
    client: TestClient, said: dict[str, Any], why: str
) -> None:
    photo = {"photo": ("throw.jpg", thrown(EMBLEM, FIRST, 3, SET).jpeg, "image/jpeg")}
    told = {"kind": "d6", "shows": [3], "at": [100, 100], **said}
    answer = client.post("/v1/profiles", files=photo, data={"name": "x", "said": json.dumps([told])})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-profile")
    assert answer.json()["detail"].startswith(why)


def test_a_camera_over_the_table_reads_with_what_the_game_has_learned(game: Player) -> None:
    corrected(game, thrown(EMBLEM, FIRST, 3, SET))
    frame, form = thrown(EMBLEM, SECOND, 5, SET).jpeg, {"camera": "camera-of-this-test"}
    for number in range(40):
        files = {"photo": ("frame.jpg", frame, "image/jpeg")}
        data = {**form, "number": number, "time": number / 4}
        answer = game.client.post(game.path("/camera/frames"), files=files, data=data, headers=bearer(game.player))
        assert answer.status_code == 200, answer.text
        if answer.json()["rolls"]:
            break
    assert answer.json()["rolls"] == 1
    (kept,) = [each for each in game.get("/readings").json()["readings"] if "this game" in each["reading"]["profiles"]]
    assert seen(kept) == sorted(SECOND)
    assert {die["profile"] for die in kept["reading"]["dice"] if die["value"] == 6} == {"this game"}
