"""What one request may cost the server, and everybody else who waits."""

from __future__ import annotations

import inspect
import json
import math
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient

from api.http import about
from api.http.app import create_app
from api.http.problems import MOST_TOLD
from api.http.worker.process import WorkerProcess
from api.store import Store, StoreError
from tests.api.http.games.play import bearer, begun, code
from tests.api.http.games.running import Running, running
from tests.pace import slowness


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(data=tmp_path_factory.mktemp("data")), base_url="http://localhost") as running_here:
        yield running_here


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("data")) as here:
        yield here


def test_nine_megabytes_of_unknown_keys_are_refused_unread(client: TestClient) -> None:
    body = json.dumps({"game": "crib-dice", "players": ["Ann", "Ben"], **{f"k{at}": 0 for at in range(500_000)}})
    begun_at = time.process_time()
    response = client.post("/v1/score", content=body, headers={"content-type": "application/json"})
    assert response.status_code in {404, 413}
    for path in ("/v1/games", "/v1/advise", "/v1/score/crib-dice"):
        response = client.post(path, content=body, headers={"content-type": "application/json"})
        assert (response.status_code, response.json()["code"]) == (413, "too-large-file")
        assert "64 kB" in response.json()["detail"]
    assert time.process_time() - begun_at < 2 * slowness()


def test_of_thousands_of_things_that_are_wrong_ten_are_told(client: TestClient) -> None:
    with_games = begun(client, "crib-dice")
    response = with_games.post("/moves", {f"k{at}": 0 for at in range(4000)})
    assert code(response) == (422, "invalid-request")
    detail = response.json()["detail"]
    assert detail.count(";") == MOST_TOLD
    assert detail.endswith("more")
    assert len(detail) < 2000


def stops_at_the_next(monkeypatch: pytest.MonkeyPatch, seconds: float = math.inf) -> list[subprocess.Popen[bytes]]:
    """What reads the next photo stands still for so long; the process, once it is asked."""
    stopped: list[subprocess.Popen[bytes]] = []

    def stops(worker: WorkerProcess, *question: object) -> object:
        monkeypatch.undo()
        stopped.append(worker._running())
        stopped[0].send_signal(signal.SIGSTOP)
        if seconds < math.inf:
            threading.Timer(seconds, stopped[0].send_signal, (signal.SIGCONT,)).start()
        return worker.ask(*question)  # type: ignore[arg-type]

    monkeypatch.setattr(WorkerProcess, "ask", stops)
    return stopped


def test_a_photo_whose_sender_leaves_holds_nobody_up(
    server: Running, throw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reads it has hung; who sent it leaves, and the next photo is read."""
    hung = stops_at_the_next(monkeypatch)
    files = {"photo": ("a.jpg", throw, "image/jpeg")}
    with pytest.raises(httpx2.ReadTimeout):
        httpx2.post(f"{server.url}/v1/readings", files=files, timeout=httpx2.Timeout(20, read=0.5))
    assert httpx2.post(f"{server.url}/v1/readings", files=files, timeout=50).status_code == 200
    assert hung[0].returncode == -signal.SIGKILL


def test_a_sender_who_leaves_makes_no_camera_forget_its_table(
    server: Running, throw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reads the photo is slow; a new process would know nothing of the table that is filmed."""
    with httpx2.Client(base_url=server.url, timeout=50) as client:
        game = begun(client, "crib-dice")
        camera = game.post("/tokens", {"role": "camera", "name": "webcam"}).json()["token"]
        frame = {"camera": "camera-of-this-test", "number": 0, "time": 0.0}
        photo = {"photo": ("a.jpg", throw, "image/jpeg")}
        seen = client.post(game.path("/camera/frames"), files=photo, data=frame, headers=bearer(camera))
        assert seen.status_code == 200, seen.text
        slow = stops_at_the_next(monkeypatch, seconds=3)
        with pytest.raises(httpx2.ReadTimeout):
            client.post("/v1/readings", files=photo, timeout=httpx2.Timeout(20, read=0.5))
        assert client.post("/v1/readings", files=photo).status_code == 200
    assert slow[0].poll() is None


def test_health_waits_for_no_thread() -> None:
    """Those that there are may all be waiting for a disk."""
    assert inspect.iscoroutinefunction(about.health)


def test_a_second_server_on_one_folder_is_refused(tmp_path: Path) -> None:
    with TestClient(create_app(data=tmp_path / "data"), base_url="http://localhost"):
        second = TestClient(create_app(data=tmp_path / "data"), base_url="http://localhost")
        with pytest.raises(StoreError, match="--database"):
            second.__enter__()


def test_a_full_disk_is_told_with_the_way_out(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    crib = begun(client, "crib-dice")

    def full(*_: object) -> None:
        raise StoreError("disk-full", "/srv/muggins: no space left")

    monkeypatch.setattr(Store, "append", full)
    response = crib.says(move="opening 3 4")
    assert code(response) == (503, "disk-full")
    assert "free some space" in response.json()["detail"]
    assert "/srv" not in response.text
    assert "Retry-After" not in response.headers
