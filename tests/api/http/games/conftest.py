"""A real server with a store of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import delete

from api.http.app import create_app
from api.store.database import writing
from api.store.tables import throws
from tests.api.http.games.play import Player, begun

SAMPLE = Path("docs/sample-throw.jpg")


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(data=tmp_path_factory.mktemp("data"))
    with TestClient(app, base_url="http://localhost") as running:
        yield running


@pytest.fixture
def forgotten(client: TestClient) -> None:
    """The tests share a server, and its photos: forget what the games of other tests threw, as on a new one."""
    store = client.app.state.live.table.store  # type: ignore[attr-defined] - TestClient keeps the app as a plain callable
    with writing(store._engine) as connection:
        connection.execute(delete(throws))


@pytest.fixture
def crib(client: TestClient, forgotten: None) -> Player:
    """A short game of Crib Dice that has just begun."""
    return begun(client, "crib-dice", "finish=21")


@pytest.fixture
def five_due(crib: Player) -> Player:
    """The same where two 5s are frozen, and five dice may be thrown."""
    for move in ("opening 1 6", "opening 1 2", "throw 1 2 3 4 5 5 6", "point 5"):
        crib.plays(move)
    return crib


@pytest.fixture
def six_due(client: TestClient, forgotten: None) -> Player:
    """A game of Farkle Cribbage, where the six dice of the sample photo may be the first throw."""
    return begun(client, "farkle-crib", "opening_roll=false")


@pytest.fixture(scope="session")
def sample() -> bytes:
    return SAMPLE.read_bytes()
