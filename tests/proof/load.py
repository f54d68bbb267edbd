"""Players who move as fast as they are answered, alone and against each other, and one who takes photos."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

import httpx2
from PIL import Image

from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.api.http.games.play import bearer
from tests.proof.ledger import AWAY, Asked, Game, MoveLog
from tests.proof.server import JOIN

_PHOTO = Path(__file__).resolve().parents[2] / "docs/sample-throw.jpg"
_UNDONE = 0.1
"""The share of moves that take one back."""
_PATIENCE = 0.05
"""Seconds after an answer that the database is away."""


def begin(where: str | httpx2.Client, count: int) -> list[Game]:
    """New games of Crib Dice, at this address or with this client."""
    if isinstance(where, str):
        with httpx2.Client(base_url=where, timeout=60) as client:
            return begin(client, count)
    wanted = {"game": "crib-dice", "players": ["Ann", "Ben"]}
    answers = [where.post("/v1/games", json=wanted, headers=JOIN).raise_for_status().json() for _ in range(count)]
    return [Game(told["id"], told["viewer"], told["player"]) for told in answers]


@dataclass
class Load:
    """Players at the servers of these addresses, until they are told to stop or nobody answers any more.

    Attributes:
        urls: each request goes to any of them.
        games: each is played by all.
        ledger: what they were told.
        connect: makes a client of an address.
    """

    urls: Sequence[str]
    games: Sequence[Game]
    ledger: MoveLog
    players: int = 4
    photos: bool = True
    seed: int = 0
    connect: Callable[[str], httpx2.Client] = lambda url: httpx2.Client(base_url=url, timeout=120)
    _ended: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        players = [Player(self, Random(self.seed * 100 + at)) for at in range(self.players)]
        works = [player.play for player in players] + ([self._take_photos] if self.photos else [])
        self._threads = [threading.Thread(target=self._work, args=(work,), daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def end(self) -> None:
        """Let all clients finish what they have begun."""
        self._ended.set()
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive(), "somebody still waits for an answer"

    def wait_for(self, moves: int, seconds: float) -> None:
        """Until so many more moves were acknowledged."""
        goal, until = self.ledger.moves + moves, time.monotonic() + seconds
        while self.ledger.moves < goal:
            assert time.monotonic() < until, f"{goal - self.ledger.moves} moves of {moves} are missing"
            time.sleep(0.01)

    def _work(self, work: object) -> None:
        try:
            work()  # type: ignore[operator]
        except httpx2.TransportError:
            return
        except Exception as error:
            self.ledger.strange.append(repr(error))

    def _take_photos(self) -> None:
        with self.connect(self.urls[0]) as client:
            game = begin(client, 1)[0]
            while not self.ended:
                self.ledger.photographed(game, shown(client, game))


class Player:
    """A client that knows the games as it last saw them."""

    def __init__(self, load: Load, random: Random) -> None:
        self._load = load
        self._random = random
        self._clients = [load.connect(url) for url in load.urls]
        self._known: dict[Game, Record] = {}

    def play(self) -> None:
        try:
            while not self._load.ended:
                self._move(self._random.choice(self._load.games), self._random.choice(self._clients))
        finally:
            for client in self._clients:
                client.close()

    def _move(self, game: Game, client: httpx2.Client) -> None:
        record = self._known.get(game) or self._looked(game, client)
        if record is None or record.result:
            return
        asked = self._thought_up(game, record)
        try:
            response = asked.send(client)
        except httpx2.TransportError:
            self._load.ledger.lost(asked)
            raise
        self._known.pop(game, None)
        if self._load.ledger.answered(asked, response):
            self._known[game] = _after(record, asked)

    def _thought_up(self, game: Game, record: Record) -> Asked:
        lines = len(record.lines)
        if record.moves and self._random.random() < _UNDONE:
            return Asked(game, lines, None)
        legal = record.game.legal_moves(record.state)
        if legal.chance is not None and (not legal.choices or self._random.random() < 0.5):
            return Asked(game, lines, str(legal.chance.sample(self._random)))
        return Asked(game, lines, str(self._random.choice(legal.choices)))

    def _looked(self, game: Game, client: httpx2.Client) -> Record | None:
        response = client.get(f"{game.path}/record", headers=bearer(game.player))
        if response.status_code in AWAY:
            time.sleep(_PATIENCE)
            return None
        assert response.status_code == 200, response.text
        return Record.load(response.text)


def _after(record: Record, asked: Asked) -> Record:
    """As the server has it, but for the time of day."""
    return record.play(Move.parse(asked.move)) if asked.move else record.undo()


def shown(client: httpx2.Client, game: Game) -> httpx2.Response:
    """The answer to a photo that is read and kept, and never played, for it shows no opening."""
    files = {"photo": ("IMG_1.jpg", small_photo(), "image/jpeg")}
    return client.post(f"{game.path}/photos", files=files, data={"lines": 1}, headers=bearer(game.player))


@cache
def small_photo() -> bytes:
    data = BytesIO()
    Image.open(_PHOTO).resize((640, 480)).save(data, "JPEG", quality=85)
    return data.getvalue()
