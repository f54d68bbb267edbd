"""`python -m tests.proof.uploads --times 400`: a server is sent what nobody should send it.

Every answer is a documented refusal with a reason (or a reading, where a photo is in it after all), the server lives, answers
its health at once, and holds as much memory in the end as after the first third.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx2

from tests.api.http.games.play import bearer
from tests.proof.hostile import KINDS, PLACE, READABLE, hostile
from tests.proof.ledger import Game
from tests.proof.load import begin
from tests.proof.server import Server

REFUSALS = {400, 413, 415, 422}


@dataclass
class Found:
    """What came of it.

    Attributes:
        codes: of the refusals, how often each.
        read: uploads that were read.
        first: megabytes after a third of them.
        last: megabytes in the end.
    """

    codes: dict[str, int] = field(default_factory=dict)
    read: int = 0
    first: float = 0.0
    last: float = 0.0

    def note(self, name: str, response: httpx2.Response) -> None:
        """Check an answer."""
        if response.status_code == 200:
            self.read += 1
            return
        assert response.status_code in REFUSALS, f"{name}: {response.status_code} {response.text[:500]}"
        told = response.json()
        assert response.headers["content-type"] == "application/problem+json"
        assert told["status"] == response.status_code
        assert len(told["detail"]) > 20, f"{name} is refused without a reason"
        self.codes[told["code"]] = self.codes.get(told["code"], 0) + 1


def main() -> None:
    """Send so many, and say what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = attacked(options.times, Path(folder) / "data")
    print(f"{options.times} uploads: {found.read} read, refused {dict(sorted(found.codes.items()))}")
    print(f"memory {found.first:.0f} MB after a third of them, {found.last:.0f} MB in the end")


def attacked(times: int, folder: Path, seed: int = 1) -> Found:
    """Send so many: each kind in turn, to a game and beside it.

    Raises:
        AssertionError: an answer is none, or no refusal; or the server is gone.
    """
    server, random, found = Server.start(folder), Random(seed), Found()
    try:
        game = begin(server.url, 1)[0]
        with httpx2.Client(base_url=server.url, timeout=120) as client:
            _read_all(client, game, found)
            for at in range(times):
                name = list(KINDS)[at % len(KINDS)]
                found.note(name, _sent(client, hostile(name, random), game if at % 2 else None))
                assert client.get("/healthz").status_code == 200
                found.first = server.megabytes if at <= times // 3 else found.first
        found.last = server.megabytes
        assert server.alive
    finally:
        server.kill()
    return found


def _sent(client: httpx2.Client, data: bytes, game: Game | None) -> httpx2.Response:
    files = {"photo": ("IMG_1.jpg", data, "image/jpeg")}
    if game is None:
        return client.post("/v1/readings", files=files)
    return client.post(f"{game.path}/photos", files=files, data={"lines": 1}, headers=bearer(game.player))


def _read_all(client: httpx2.Client, game: Game, found: Found) -> None:
    """What is a photo is read, and what is served of it says nothing more than the picture."""
    for name, made in READABLE.items():
        response = _sent(client, made(), game)
        assert response.status_code == 200, f"{name}: {response.text}"
        found.note(name, response)
        reading = response.json()["reading"]["id"]
        served = client.get(f"/v1/readings/{reading}/photo", headers=bearer(game.viewer))
        assert served.headers["content-type"].startswith("image/")
        assert served.headers["x-content-type-options"] == "nosniff"
        assert PLACE.encode() not in served.content, f"{name} tells where it was taken"


if __name__ == "__main__":
    main()
