"""Seats: each phone says who plays on it; hidden hands stay hidden; moves for others are possible, seen and recorded."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.evidence.keys import ServerKey
from api.http.games import feed as feed_module
from api.http.games.feed import Feed
from api.http.games.live_games import LiveGames, MoveRequest
from api.http.games.visibility import Visibility
from api.store import Store
from tests.api.http.games.play import Player, begun, code
from tests.api.http.games.streams import parsed
from tests.api.http.games.test_tokens import joined, made
from tests.tiles_named import tiles_named

OPENING = ("opening 6-6", "opening 0-0")
FIRST, SECOND = "deal 1 1-0 1-1 2-0 2-1 2-2 3-0", "deal 0 3-1 3-2 3-3 4-0 4-1 4-2"
MINE, YOURS = FIRST.split()[2:], SECOND.split()[2:]


@pytest.fixture
def table(client: TestClient) -> tuple[Player, Player]:
    """Ann, who begins a game of Domino Cribbage and deals, and Ben, each with a phone; both hands are dealt."""
    ann = begun(client, "domino-cribbage", seats=[0])
    ben = joined(ann, 1)
    for phone, move in ((ann, OPENING[0]), (ben, OPENING[1]), (ben, FIRST), (ann, SECOND)):
        after(phone)
        phone.plays(move)
    after(ann)
    after(ben)
    return ann, ben


def after(phone: Player) -> dict[str, Any]:
    """What the phone sees now."""
    phone.snapshot = phone.get(token=phone.player).json()
    return phone.snapshot


def seen_by(phone: Player) -> str:
    """Everything that the server tells this phone."""
    paths = ("", "/history", "/readings", "/token", "/tokens", "/profiles", "/camera", "/record", "/evidence")
    told = [phone.get(path, phone.player).text for path in paths]
    return "\n".join([*told, phone.client.get(f"/table/{phone.id}/outlook", headers=_own(phone)).text])


def told_by_token(client: TestClient, phone: Player, token: str) -> str:
    """The same with any token of the game, and of its readings and its profiles."""
    store = client.app.state.live.table.store  # type: ignore[attr-defined] - TestClient keeps the app as a plain callable
    own = [f"/v1/readings/{kept.id}" for kept in store.readings_of(phone.id)]
    more = [f"/profiles/{each.sha256}" for each in store.profiles.of(phone.id)]
    paths = [*more, *(f"{path}{part}" for path in own for part in ("", "/photo", "/annotated", "/crops/0"))]
    answers = [phone.get(path, token) for path in paths]
    assert {code(answer) for answer in answers} <= {(403, "hands-hidden")}
    return seen_by(replace(phone, player=token))


def _own(phone: Player) -> dict[str, str]:
    return {"authorization": f"Bearer {phone.player}"}


def test_each_phone_is_told_its_own_hand_and_no_other(table: tuple[Player, Player]) -> None:
    ann, ben = table
    assert tiles_named(seen_by(ben)) >= set(MINE)
    assert tiles_named(seen_by(ben)).isdisjoint(YOURS)
    assert tiles_named(seen_by(ann)) >= set(YOURS)
    assert tiles_named(seen_by(ann)).isdisjoint(MINE)


def opened(client: TestClient) -> tuple[Player, Player]:
    """Ann and Ben, who have played the moves of the opening."""
    ann = begun(client, "domino-cribbage", seats=[0])
    ben = joined(ann, 1)
    for phone, move in ((ann, OPENING[0]), (ben, OPENING[1])):
        after(phone)
        phone.plays(move)
    return ann, ben


def test_nobody_else_is_told_what_a_photo_of_a_hand_shows_and_what_the_game_learns_from_it(client: TestClient) -> None:
    ann, ben = opened(client)
    hand = Path("docs/sample-hand.jpg").read_bytes()
    after(ben)
    kept = ben.shows(hand)["reading"]
    shown = {f"{a}-{b}" for tile in kept["reading"]["tiles"] for a, b in (tile["ends"], tile["ends"][::-1])}
    secret = {*shown, "5-3"} - tiles_named(" ".join(OPENING))
    body = {"expected": 0, "change": {"tile": 1, "ends": [5, 3]}}
    assert ben.post(f"/v1/readings/{kept['id']}/corrections", body).status_code == 200
    ben.shows(hand)
    assert [each["learned"] for each in ann.get("/profiles", ann.player).json()["profiles"]] == [True]
    for token in (ann.player, ann.viewer, ann.invite):
        assert tiles_named(told_by_token(client, ann, token)).isdisjoint(secret)


def test_a_hand_stays_hidden_if_another_phone_undoes_a_move_while_its_photo_is_read(client: TestClient) -> None:
    ann, ben = opened(client)
    after(ann)
    after(ben)
    desk = client.app.state.desk  # type: ignore[attr-defined] - TestClient keeps the app as a plain callable
    with ThreadPoolExecutor(1) as sending:
        hand = Path("docs/sample-hand.jpg").read_bytes()
        files, url = {"photo": ("a.jpg", hand, "image/jpeg")}, ben.path("/photos")
        sent = sending.submit(client.post, url, files=files, data={"lines": ben.lines}, headers=_own(ben))
        while not desk._queue._taken and not sent.done():
            time.sleep(0.001)
        assert ann.post("/undo", {"lines": ann.lines}).status_code == 200
        assert code(sent.result()) == (409, "stale")
    assert len(ben.get("/readings", ben.player).json()["readings"]) == 1
    assert ann.get("/readings", ann.player).json()["readings"] == []


def test_offers_are_shown_to_the_player_to_act_alone(table: tuple[Player, Player]) -> None:
    ann, ben = table
    assert ben.snapshot["prompt"].startswith("Ben")
    assert ben.snapshot["offers"]
    assert ann.snapshot["offers"] is None
    told = ben.plays(ben.snapshot["offers"][0]["move"])
    assert told["ruling"]["question"] is None, "it is put to Ann, and would tell Ben what Ann holds"


def test_the_whole_record_waits_for_the_end_of_the_game(table: tuple[Player, Player]) -> None:
    for phone in table:
        for path in ("/record", "/evidence"):
            assert code(phone.get(path, phone.player)) == (403, "hands-hidden")


def test_the_hash_of_a_hidden_move_does_not_tell_it(table: tuple[Player, Player]) -> None:
    """Everybody has the hash of every line. What only the tiles are unknown of could be tried out."""
    ann, _ = table
    store = ann.client.app.state.live.table.store  # type: ignore[attr-defined]
    salts = [entry.by["salt"] for entry in store.game(ann.id).record.entries]
    assert len(set(salts)) == 4
    assert all(len(salt) == 32 and salt not in seen_by(ann) for salt in salts)


def test_nobody_tries_moves_for_a_hidden_hand(table: tuple[Player, Player]) -> None:
    ann, ben = table
    assert code(ann.says(move="discard 1-0 1-1")) == (403, "other-hand")
    assert code(ann.says(move="discard 5-5 6-6")) == (403, "other-hand"), "legal or not, the answer is the same"
    assert ann.get(token=ann.player).json() == ann.snapshot
    ben.plays("discard 1-0 1-1")


def test_a_held_seat_is_not_given_twice(table: tuple[Player, Player]) -> None:
    ann, ben = table
    for seats in ([1], [0, 1], None):
        assert code(ann.post("/join", {"seats": seats}, ann.invite)) == (409, "seat-taken")
        assert code(ann.client.put(ann.path("/seats"), json={"seats": seats}, headers=_own(ann))) == (409, "seat-taken")
    mine = ben.get("/token", ben.player).json()["id"]
    assert ann.client.delete(ann.path(f"/tokens/{mine}"), headers=_own(ann)).status_code == 204
    assert joined(ann, 1).get().status_code == 200


def test_a_camera_does_not_see_hands(table: tuple[Player, Player]) -> None:
    assert code(table[0].post("/tokens", {"role": "camera"})) == (403, "hands-hidden")


def test_open_hands_are_seen_by_all(client: TestClient) -> None:
    ann = begun(client, "domino-cribbage", seats=[0], open_hands=True)
    for move in (*OPENING, FIRST, SECOND):
        ann.plays(move)
    assert ann.get("/record").text == ann.record().text
    assert not ann.get().json()["hands_hidden"]
    assert made(ann, "camera")["role"] == "camera"


def test_a_stream_shows_what_the_seats_allow_as_soon_as_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "_LISTEN", 0.05)
    table = LiveGames(Store.open(None, tmp_path), ServerKey.open(tmp_path))

    async def run() -> None:
        game, _ = table.begin("domino-cribbage", ("Ann", "Ben"), (), seats=None)
        host = next(token for token in table.store.tokens.of(game.id) if token.host)
        feed = Feed(table)
        try:
            stream = await feed.join(game, host)
            await anext(stream)
            only_ann = await asyncio.to_thread(table.sit, game, host, [0])
            ben = (await asyncio.to_thread(table.join, game, [1])).token
            moves = zip((*OPENING, FIRST, SECOND), (only_ann, ben, ben, only_ann), strict=True)
            for lines, (move, token) in enumerate(moves, start=1):
                await asyncio.to_thread(table.play, game.id, lines, MoveRequest(move), token)
            told = [(await asyncio.wait_for(anext(stream), 20)) for _ in range(4)]
            assert not any(tile in json.dumps(parsed(each).told) for each in told for tile in MINE)
            now = table.game(game.id)
            assert table.shown(now, Visibility.of(ben))["offers"], "Ben's own phone is offered what to lay down"
        finally:
            await feed.closed()

    asyncio.run(run())
    table.store.close()


# Where nothing is hidden


def test_a_move_for_another_seat_is_played_seen_and_recorded(crib: Player) -> None:
    ben = joined(crib, 1)
    mine = ben.get("/token", ben.player).json()["id"]
    told = ben.plays("opening 1 6")
    assert told["snapshot"]["by"] == {"device": mine, "camera": None, "name": None, "seats": [1], "for": 0}
    assert ben.record().entries[-1].by == {"device": mine, "seats": [1], "for": 0}
    assert crib.get("/history").json()["lines"][-1]["by"]["for"] == 0
    after(ben)
    assert ben.plays("opening 1 2")["snapshot"]["by"]["for"] is None


def test_an_undo_says_who_took_the_move_back(crib: Player) -> None:
    ben = joined(crib, 1)
    crib.plays("opening 1 6")
    assert ben.post("/undo", {"lines": 2}).json()["by"]["seats"] == [1]
    lines = crib.get("/history").json()["lines"]
    assert [line["how"] for line in lines] == ["typed", "undo"]
    assert lines[0]["undone_by"] == 3


def test_what_a_camera_saw_is_believed_of_cameras_alone(five_due: Player) -> None:
    note = {"watched": {"frame": 40, "time": 2.7}, "inferred": True}
    five_due.post("/undo", {"lines": five_due.lines})
    after(five_due)
    assert five_due.plays("point 5", **note)["snapshot"]["how"] == "claimed"
    five_due.post("/undo", {"lines": five_due.lines})
    camera = made(five_due, "camera", name="webcam")
    after(five_due)
    body = {"lines": five_due.lines, "move": "point 5", **note}
    told = five_due.took(five_due.post("/moves", body, camera["token"]))
    assert told["snapshot"]["how"] == "inferred"
    assert told["snapshot"]["by"]["camera"] == camera["id"]


def test_the_history_has_the_hash_of_every_line(five_due: Player) -> None:
    told = five_due.get("/history").json()
    assert told["hashes"] == [json.loads(line)["hash"] for line in five_due.record().lines]
    assert [line["move"] for line in told["lines"]] == [str(move) for move in five_due.record().moves]


def test_open_hands_are_shown_on_every_phone_until_the_end(client: TestClient) -> None:
    ann = begun(client, "domino-cribbage", open_hands=True)
    for move in (*OPENING, FIRST, SECOND):
        ann.plays(move)
    for token in (ann.player, ann.viewer, joined(ann, 1).player):
        told = ann.get("", token).json()
        assert told["hands_open"]
        assert not told["hands_hidden"]
        assert all(tile in " ".join(told["hands"]) for tile in (*MINE, *YOURS))


def test_a_game_without_hidden_hands_has_none_to_open(client: TestClient) -> None:
    ann = begun(client, "farkle", open_hands=True)
    assert not ann.snapshot["hands_open"]
    assert ann.snapshot["hands"] == []


def test_the_history_says_whose_move_each_was(five_due: Player) -> None:
    five_due.post("/undo", {"lines": five_due.lines})
    lines = five_due.get("/history").json()["lines"]
    assert [line["player"] for line in lines] == [0, 1, 0, 0, None]


def test_whose_hidden_hand_it_is_may_be_told_and_its_tiles_not(table: tuple[Player, Player]) -> None:
    lines = table[0].get("/history").json()["lines"]
    assert [line["player"] for line in lines] == [0, 1, 1, 0]
    assert [line["hidden"] for line in lines] == [False, False, True, True]
