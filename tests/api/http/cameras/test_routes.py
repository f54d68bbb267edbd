"""Frames and rolls over HTTP: who may send them, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from api.http.cameras.roll_queue import RollQueue
from api.http.cameras.routes import MOST_FRAME_BYTES
from api.http.worker.process import WorkerProcess
from api.store import StoreError
from tests.api.http.games.play import Player, bearer, begun, code
from tests.api.pictures import drawn_throw, jpeg

CAMERA = "camera-of-this-test"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(data=tmp_path_factory.mktemp("data"))
    with TestClient(app, base_url="http://localhost") as running:
        yield running


@pytest.fixture
def crib(client: TestClient) -> Player:
    return begun(client, "crib-dice", "opening_roll=false")


@pytest.fixture(scope="module")
def frame() -> bytes:
    return jpeg(drawn_throw())


def camera_of(game: Player) -> str:
    token: str = game.post("/tokens", {"role": "camera", "name": "webcam"}).json()["token"]
    return token


def sends(game: Player, token: str, photo: bytes, **more: Any) -> Any:
    form = {"camera": CAMERA, "number": 0, "time": 0.0, **more}
    files = {"photo": ("frame.jpg", photo, "image/jpeg")}
    return game.client.post(game.path("/camera/frames"), files=files, data=form, headers=bearer(token))


def test_a_camera_sends_frames_and_is_told_what_waits(crib: Player, frame: bytes) -> None:
    token = camera_of(crib)
    for number in range(2):
        response = sends(crib, token, frame, number=number, time=number / 2)
        assert response.status_code == 200, response.text
    told = response.json()
    assert (told["rolls"], told["waiting"], told["ask"], told["filmed"]) == (0, 0, None, True)
    assert crib.get("/camera", crib.player).json()["filmed"]


def test_who_only_watches_sends_and_settles_nothing(crib: Player, frame: bytes) -> None:
    assert code(sends(crib, crib.viewer, frame)) == (403, "viewer-only")
    assert code(sends(crib, crib.invite, frame)) == (403, "join-first")
    assert code(crib.post("/camera/answers", {"number": 1, "answer": "yes"}, crib.viewer)) == (403, "viewer-only")
    assert code(crib.get("/camera", crib.viewer)) == (403, "viewer-only")


def test_a_camera_that_was_replaced_is_told_so(crib: Player, frame: bytes) -> None:
    token = camera_of(crib)
    assert sends(crib, token, frame).status_code == 200
    assert sends(crib, token, frame, camera="another-camera").status_code == 200
    assert code(sends(crib, token, frame, number=1, time=1.0)) == (409, "camera-replaced")


def test_a_camera_is_refused_where_hands_are_hidden(client: TestClient, frame: bytes) -> None:
    game = begun(client, "domino-cribbage")
    assert code(sends(game, game.player, frame)) == (403, "hands-hidden")
    files = {"photo": ("roll.jpg", frame, "image/jpeg")}
    form = {"camera": CAMERA, "roll": "{}"}
    refused = client.post(game.path("/camera/rolls"), files=files, data=form, headers=bearer(game.player))
    assert code(refused) == (403, "hands-hidden")


def test_what_is_no_frame_is_refused(crib: Player, frame: bytes) -> None:
    token = camera_of(crib)
    assert code(sends(crib, token, b"hello"))[0] == 415
    assert code(sends(crib, token, frame + b"\0" * MOST_FRAME_BYTES)) == (413, "too-large-file")
    assert sends(crib, token, frame, camera="x").status_code == 422
    assert sends(crib, token, frame, time="inf").status_code == 422


def test_a_roll_of_another_program_is_read_by_the_server_itself(crib: Player, frame: bytes) -> None:
    """What the program says that it read does not count; where the two differ a player is asked."""
    roll = {"number": 1, "frame": 10, "time": 0.5, "pieces": ["6"] * 7, "thrown": [[10, 10]], "still": []}
    files = {"photo": ("roll.jpg", frame, "image/jpeg")}
    form = {"camera": CAMERA, "roll": json.dumps(roll)}
    response = crib.client.post(crib.path("/camera/rolls"), files=files, data=form, headers=bearer(camera_of(crib)))
    assert response.status_code == 200, response.text
    told = response.json()
    assert (told["rolls"], told["waiting"]) == (1, 1)
    assert told["ask"]["code"] == "unsure-reading"
    assert "The camera's program read 6 6 6 6 6 6 6" in told["ask"]["text"]
    bad = crib.client.post(
        crib.path("/camera/rolls"), files=files, data={**form, "roll": "{}"}, headers=bearer(crib.player)
    )
    assert bad.status_code == 422
    nonsense = crib.client.post(
        crib.path("/camera/rolls"), files=files, data={**form, "roll": "3, 4"}, headers=bearer(crib.player)
    )
    assert code(nonsense) == (422, "invalid-request")
    assert nonsense.json()["detail"].startswith("roll is no JSON: ")
    settled = crib.post("/camera/answers", {"number": 1, "answer": "no"}).json()
    assert (settled["waiting"], settled["ask"]) == (0, None)
    assert code(crib.post("/camera/answers", {"number": 1, "answer": "no"})) == (409, "settled")


@pytest.mark.parametrize("late", [False, True])
def test_a_roll_that_could_not_be_stored_comes_with_the_next_frame(
    crib: Player, frame: bytes, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """Once, though the store may have kept it before it failed: a watcher tells a roll only once."""
    token, take, taken = camera_of(crib), RollQueue.take, []

    def fails_with_the_second(self: RollQueue, *asked: Any) -> None:
        taken.append(asked)
        if late or len(taken) != 2:
            take(self, *asked)
        if len(taken) == 2:
            raise StoreError("disk-full", "The disk is full.")

    monkeypatch.setattr(RollQueue, "take", fails_with_the_second)
    bare, second = jpeg(drawn_throw(())), jpeg(drawn_throw((2, 3, 3, 4, 6, 6, 1)))
    frames = [each for each in (frame, bare, second) for _ in range(8)]
    answers = [sends(crib, token, each, number=number, time=number / 2) for number, each in enumerate(frames)]
    assert [answer.status_code for answer in answers].count(200) == len(answers) - 1
    assert [len(taken), answers[-1].json()["rolls"]] == [3, 2]


def test_a_throw_that_no_process_watched_is_asked_about(
    crib: Player, frame: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What watches the table is killed, and others have been thrown when another process begins to."""
    token, ask, processes = camera_of(crib), WorkerProcess.ask, []

    def noted(worker: WorkerProcess, *question: Any) -> Any:
        processes.append(worker._running())
        return ask(worker, *question)

    monkeypatch.setattr(WorkerProcess, "ask", noted)
    second = jpeg(drawn_throw((2, 3, 3, 4, 6, 6, 1)))
    for number in range(8):
        told = sends(crib, token, frame, number=number, time=number / 2).json()
    assert told["rolls"] == 1
    processes[-1].kill()
    processes[-1].wait()
    for number in range(8, 16):
        told = sends(crib, token, second, number=number, time=number / 2).json()
    assert told["rolls"] == 2
    while told["ask"]["number"] < 2:  # the first has been seen in another game
        answered = {"number": told["ask"]["number"], "answer": "no", "corrections": 0}
        told = crib.post("/camera/answers", answered).json()
    assert "Nobody watched" in told["ask"]["text"]
