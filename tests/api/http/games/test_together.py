"""Several who act at once: on one server, and on two servers with one PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest

from tests.api.http.games.play import Player, bearer
from tests.api.http.games.running import running
from tests.api.http.games.streams import events
from tests.api.pictures import drawn_throw, jpeg
from tests.api.store.cluster import programs
from tests.api.store.cluster import running as cluster

MOVES = ("opening 1 6", "opening 1 2", "throw 1 2 3 4 5 5 6", "point 5")


def test_of_many_who_move_at_once_one_wins(crib: Player) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda low: crib.says(move=f"opening {low} 6"), (1, 2, 3, 4, 5, 1, 2, 3)))
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 7]
    assert len(crib.record().moves) == 1


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL is installed here (initdb and pg_ctl)")
    with ExitStack() as stack:
        database = stack.enter_context(cluster(found)).emptied()
        folder = tmp_path_factory.mktemp("shared")
        urls = [stack.enter_context(running(folder, database)).url for _ in range(2)]
        yield urls[0], urls[1]


def test_a_move_on_one_server_is_seen_on_the_other(two: tuple[str, str]) -> None:
    with httpx2.Client(base_url=two[0], timeout=30) as here, httpx2.Client(base_url=two[1], timeout=30) as there:
        game = here.post("/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"]}).json()
        url, player = f"/v1/games/{game['id']}", bearer(game["player"])
        with there.stream("GET", f"{url}/events", headers=bearer(game["viewer"])) as response:
            seen = events(response)
            assert next(seen).id == 1
            for lines, move in enumerate(MOVES, start=1):
                # Now here, now there: each must know at once what the other has kept.
                asked = (here, there)[lines % 2].post(
                    f"{url}/moves", json={"lines": lines, "move": move}, headers=player
                )
                assert asked.status_code == 200, asked.text
                assert next(seen).id == lines + 1


def test_two_servers_sign_with_one_key_and_let_one_move_win(two: tuple[str, str]) -> None:
    begun = httpx2.post(f"{two[0]}/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"]}).json()
    player = bearer(begun["player"])
    urls = [f"{url}/v1/games/{begun['id']}" for url in two]
    for lines, move in enumerate(MOVES, start=1):
        assert _at_once(urls, {"lines": lines, "move": move}, player) == [200, 409]
    for url in urls:
        # The news of the last move may be on its way.
        while (told := httpx2.get(url, headers=player).json())["lines"] <= len(MOVES):
            time.sleep(0.02)
        assert told["head"]["key"] == begun["snapshot"]["head"]["key"]
        assert told["prompt"] == "Ann: throw the five unfrozen dice or stop"


def _at_once(urls: list[str], said: dict[str, Any], headers: dict[str, str]) -> list[int]:
    def says(url: str) -> int:
        return httpx2.post(f"{url}/moves", json=said, headers=headers, timeout=30).status_code

    with ThreadPoolExecutor(len(urls)) as pool:
        return sorted(pool.map(says, urls))


def test_a_camera_at_one_server_is_heard_of_at_the_other(two: tuple[str, str]) -> None:
    with httpx2.Client(base_url=two[0], timeout=60) as here, httpx2.Client(base_url=two[1], timeout=60) as there:
        game = here.post("/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"]}).json()
        url, player = f"/v1/games/{game['id']}", bearer(game["player"])
        with there.stream("GET", f"{url}/events", headers=player) as response:
            said = response.iter_lines()
            assert "event: snapshot" in (next(said), next(said))
            assert not there.get(f"{url}/camera", headers=player).json()["filmed"]
            frame = {"photo": ("frame.jpg", jpeg(drawn_throw()), "image/jpeg")}
            form = {"camera": "camera-of-this-test", "number": 0, "time": 0.0}
            sent = here.post(f"{url}/camera/frames", files=frame, data=form, headers=player)
            assert sent.status_code == 200, sent.text
            assert any(line == "event: camera" for line in said)
        assert there.get(f"{url}/camera", headers=player).json()["filmed"]


def test_a_code_made_at_one_server_is_good_at_the_other(two: tuple[str, str]) -> None:
    with httpx2.Client(base_url=two[0], timeout=60) as here, httpx2.Client(base_url=two[1], timeout=60) as there:
        game = here.post("/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"]}).json()
        code = here.post(f"/v1/games/{game['id']}/codes", json={}, headers=bearer(game["player"])).json()["code"]
        assert there.post("/v1/codes", json={"code": code}).json()["id"] == game["id"]
        wrong = [(here, there)[at % 2].post("/v1/codes", json={"code": "AAAAAA"}) for at in range(11)]
        assert [answer.status_code for answer in wrong] == [*[404] * 10, 429]
