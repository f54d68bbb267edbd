"""What the players of a load were told was kept, and whether it is."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import httpx2

from scorer.engine.record import Record
from tests.api.http.games.play import bearer

AWAY = (502, 503, 504)
"""The database is away; or a proxy says that the server is, which may have kept the move for all that."""


@dataclass(frozen=True)
class Game:
    """A game that is played, and its tokens."""

    id: str
    viewer: str
    player: str

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"


@dataclass(frozen=True)
class Asked:
    """A move or an undo that was sent.

    Attributes:
        game: in which game.
        lines: how many the player knew.
        move: as text; None takes the last one back.
    """

    game: Game
    lines: int
    move: str | None

    def send(self, client: httpx2.Client) -> httpx2.Response:
        body: dict[str, Any] = {"lines": self.lines, **({"move": self.move} if self.move else {})}
        path = f"{self.game.path}/{'moves' if self.move else 'undo'}"
        return client.post(path, json=body, headers=bearer(self.game.player))


@dataclass(frozen=True)
class Kept:
    """What the server has said of it: that it is kept, in the lines up to `lines`, the last of which has this hash."""

    asked: Asked
    lines: int
    head: str


@dataclass
class MoveLog:
    """Safe to be written from any thread.

    Attributes:
        kept: of each game, what was acknowledged.
        unsure: of each game, what was sent and got no answer, or that somebody is away: it may be kept or not.
        photos: readings that were acknowledged, with their game and the hash of the photo.
        strange: answers that nobody should get.
        refused: how many got 409, for another was quicker.
    """

    kept: dict[Game, list[Kept]] = field(default_factory=lambda: defaultdict(list))
    unsure: dict[Game, list[Asked]] = field(default_factory=lambda: defaultdict(list))
    photos: list[tuple[Game, str, str]] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    refused: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def moves(self) -> int:
        """How many were acknowledged."""
        return sum(map(len, self.kept.values()))

    @property
    def unanswered(self) -> int:
        return sum(map(len, self.unsure.values()))

    def lost(self, asked: Asked) -> None:
        with self._lock:
            self.unsure[asked.game].append(asked)

    def answered(self, asked: Asked, response: httpx2.Response) -> bool:
        """Whether the move was played; the answer is noted."""
        with self._lock:
            if response.status_code == 200:
                told = response.json()
                told = told.get("snapshot", told)
                self.kept[asked.game].append(Kept(asked, told["lines"], told["head"]["head"]))
            elif response.status_code == 409:
                self.refused += 1
            elif response.status_code in AWAY:
                self.unsure[asked.game].append(asked)
            else:
                self.strange.append(f"{response.status_code} {response.text}")
        return response.status_code == 200

    def photographed(self, game: Game, response: httpx2.Response) -> None:
        with self._lock:
            if response.status_code == 200:
                reading = response.json()["reading"]
                self.photos.append((game, reading["id"], reading["reading"]["sha256"]))
            elif response.status_code not in AWAY:
                self.strange.append(f"{response.status_code} {response.text}")

    def add(self, other: MoveLog) -> None:
        """Take what was noted of other games."""
        self.kept.update(other.kept)
        self.unsure.update(other.unsure)
        self.photos += other.photos
        self.refused += other.refused

    def ask_again(self, client: httpx2.Client) -> None:
        """As a phone does that got no answer: the same move for the same line."""
        for unsure in list(self.unsure.values()):
            for asked in unsure[:]:
                self.answered(asked, asked.send(client))

    def check(self, client: httpx2.Client) -> None:
        """Everything that was acknowledged is there, in its place, once; and nothing that nobody has asked for.

        Raises:
            AssertionError: it is not.
        """
        assert not self.strange, self.strange[:5]
        for game in set(self.kept) | set(self.unsure):
            response = client.get(f"{game.path}/record", headers=bearer(game.player))
            assert response.status_code == 200, response.text
            snapshot = client.get(game.path, headers=bearer(game.viewer)).json()
            # Loading it is verifying it: the chain of hashes, and every move by the rules.
            record = Record.load(response.text, snapshot["head"]["head"])
            self.check_record(game, record)
        for game, reading, sha256 in self.photos:
            photo = client.get(f"/v1/readings/{reading}/photo", headers=bearer(game.viewer))
            assert hashlib.sha256(photo.content).hexdigest() == sha256

    def check_record(self, game: Game, record: Record) -> None:
        taken = Counter(number for kept in self.kept[game] for number in range(kept.asked.lines + 1, kept.lines + 1))
        assert max(taken.values(), default=1) == 1, "two moves were acknowledged for one line"
        for kept in self.kept[game]:
            _check_there(record, kept)
        others = set(range(2, len(record.lines) + 1)) - set(taken)
        # An unanswered move may have been kept: then it stands just where it was meant to.
        may_be = {asked.lines + 1 for asked in self.unsure[game]}
        ends = {number for number in others if record.lines[number - 1].startswith('{"end":')}
        assert others - ends <= may_be, f"lines that nobody asked for: {sorted(others - may_be)}"


def _check_there(record: Record, kept: Kept) -> None:
    assert len(record.lines) >= kept.lines, f"lost: {kept.asked}"
    line = record.lines[kept.lines - 1]
    assert kept.head in line, f"another line stands there: {kept.asked}"
    first = record.lines[kept.asked.lines]
    said = f'"move":"{kept.asked.move}"' if kept.asked.move else '"undo"'
    assert said in first.replace('": ', '":'), f"not what was asked: {kept.asked}: {first}"
