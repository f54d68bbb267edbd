"""Playing over HTTP, as a phone does."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from fastapi.testclient import TestClient

from scorer.engine.record import Record

JOIN_TOKEN = "token-of-these-tests"
"""Of servers that are started for tests; an app by itself asks for none."""


@dataclass
class Player:
    """Somebody with the tokens of a game."""

    client: TestClient
    id: str
    viewer: str
    invite: str
    player: str
    snapshot: dict[str, Any]
    random: Random = field(default_factory=lambda: Random(5))

    @property
    def lines(self) -> int:
        return int(self.snapshot["lines"])

    def get(self, path: str = "", token: str | None = None, **options: Any) -> Any:
        return self.client.get(self.path(path), headers=bearer(token or self.viewer), **options)

    def post(self, path: str, body: Any = None, token: str | None = None, **options: Any) -> Any:
        return self.client.post(self.path(path), json=body, headers=bearer(token or self.player), **options)

    def path(self, path: str) -> str:
        return path if path.startswith("/v1/") else f"/v1/games/{self.id}{path}"

    def says(self, **said: Any) -> Any:
        return self.post("/moves", {"lines": self.lines, **said})

    def plays(self, move: str, **said: Any) -> dict[str, Any]:
        """The answer, once it is found to be a good one."""
        return self.took(self.says(move=move, **said))

    def shows(self, photo: bytes) -> dict[str, Any]:
        files = {"photo": ("IMG_1.jpg", photo, "image/jpeg")}
        url, headers = self.path("/photos"), bearer(self.player)
        return self.took(self.client.post(url, files=files, data={"lines": self.lines}, headers=headers))

    def took(self, response: Any) -> dict[str, Any]:
        assert response.status_code == 200, response.text
        told: dict[str, Any] = response.json()
        self.snapshot = told["snapshot"]
        return told

    def record(self) -> Record:
        return Record.load(self.get("/record", self.player).text)

    def goes_on(self) -> None:
        """One move: the first offer, or else chance."""
        offers, record = self.snapshot["offers"], self.record()
        chance = record.game.legal_moves(record.state).chance
        if offers and (chance is None or self.random.random() < 0.5):
            self.plays(offers[0]["move"])
        else:
            assert chance is not None
            self.plays(str(chance.sample(self.random)))


def begun(client: TestClient, game: str, *rules: str, players: tuple[str, ...] = ("Ann", "Ben"), **more: Any) -> Player:
    wanted = {"game": game, "players": list(players), "rules": list(rules), **more}
    response = client.post("/v1/games", json=wanted, headers={"x-muggins-join": JOIN_TOKEN})
    assert response.status_code == 201, response.text
    return Player(client, **response.json())


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


def code(response: Any) -> tuple[int, str]:
    """The status and the code of what is found to be a problem."""
    told = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert told["status"] == response.status_code
    return told["status"], told["code"]
