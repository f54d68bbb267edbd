"""Rolls on their way into the record: what is sure is played, what is not waits for a player, nothing is lost or doubled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete

from api.evidence.keys import ServerKey
from api.evidence.provenance import provenance
from api.http.cameras.roll_queue import MOST_WAITING, RollQueue, TooManyWaiting
from api.http.cameras.stored_queue import EARLIER_FOLDER, MOST_SOURCES, Queue, QueueLost, StoredQueue
from api.http.games.live_games import LiveGames, MoveRequest
from api.store import Conflict, Store, StoredReading
from api.store.database import writing
from api.store.tables import cameras
from tests.api.film.rolls import roll
from vision.reading import Doubt
from vision.watch.events import Roll

A_TURN = ["throw 2 2 3 5 5 5 6", "point 5", "throw 2 3 5 6", "stop", "throw 2 2 3 3 5 6 6"]
FIRST, SECOND = ([5, 5, 5, 2, 2, 3, 6], []), ([5, 2, 3, 6], [5, 5, 5])
NEXT = ([3, 3, 2, 2, 6, 6, 5], [])
LOOK = (Doubt("uncertain-value", "This may be 5 (80%) or 6 (20%).", 0),)


def apart(fell: Roll) -> Roll:
    """The same roll with every die in a place of its own, no two rolls alike."""
    places = [(40.0 * at, 30.0 * fell.number * at * at) for at in range(len(fell.reading.dice))]
    dice = [
        replace(die, box=((x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20)))
        for die, (x, y) in zip(fell.reading.dice, places, strict=True)
    ]
    pieces = tuple(replace(piece, piece=die) for piece, die in zip(fell.pieces, dice, strict=True))
    return replace(fell, reading=replace(fell.reading, dice=tuple(dice)), pieces=pieces)


class Filmed:
    """A game of Crib Dice, its camera and its players."""

    def __init__(self, folder: Path, table: LiveGames, *rules: str) -> None:
        self.folder, self.table = folder, table
        game, _ = table.begin("crib-dice", ["Ann", "Ben"], ["opening_roll=false", *rules])
        self.id = game.id
        self.phone = next(token for token in table.store.tokens.of(game.id) if token.role == "player")
        self.camera = table.hand_out(game, "camera", "webcam", instead=False).token
        self.open()

    def open(self) -> None:
        """As a server does that has started again."""
        self.queue = RollQueue(self.table, self.id, StoredQueue(self.table.store, self.id, self.folder))

    def sees(self, dice: tuple[list[int], list[int]], doubts: tuple[Doubt, ...] = (), source: str = "") -> Roll:
        """A roll, with a picture of its own."""
        number = self.queue.queue.next_number
        photo = f"picture {number} {dice}".encode()
        fell = roll(number, *dice, doubts=doubts)
        fell = apart(replace(fell, reading=replace(fell.reading, sha256=hashlib.sha256(photo).hexdigest())))
        self.queue.take(fell, photo, self.camera, source)
        return fell

    def plays(self, move: str) -> None:
        """On a phone."""
        self.table.play(self.id, len(self.table.game(self.id).record.lines), MoveRequest(move=move), self.phone)
        self.queue.advance()

    def undoes(self) -> None:
        self.table.undo(self.id, len(self.table.game(self.id).record.lines), self.phone)
        self.queue.advance()

    def says(self, answer: str, corrections: int = 0) -> None:
        assert self.queue.ask is not None
        self.queue.answer(self.queue.queue.waiting[0].roll.number, answer, corrections)  # type: ignore[arg-type]

    def corrects(self, die: int, value: int) -> None:
        kept = self.asked
        self.table.correct(kept.id, len(kept.corrections), {"change": {"die": die, "value": value}})

    @property
    def asked(self) -> StoredReading:
        return self.table.store.reading(self.queue.queue.waiting[0].reading)

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.table.game(self.id).record.moves]

    @property
    def waiting(self) -> int:
        return len(self.queue.queue.waiting)

    @property
    def code(self) -> str | None:
        """Of what is asked."""
        return self.queue.ask.code if self.queue.ask else None


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveGames]:
    folder = tmp_path_factory.mktemp("data")
    store = Store.open(None, folder)
    yield LiveGames(store, ServerKey.open(folder))
    store.close()


@pytest.fixture
def film(tmp_path: Path, table: LiveGames) -> Callable[..., Filmed]:
    return lambda *rules: Filmed(tmp_path, table, *rules)


def test_a_turn_is_played_as_it_is_seen(film: Callable[..., Filmed]) -> None:
    game = film()
    for dice in (FIRST, SECOND, NEXT):
        game.sees(dice)
    assert game.moves == A_TURN
    assert (game.waiting, game.code) == (0, None)
    entries = game.table.game(game.id).record.entries
    assert [sorted(entry.corrected or {}) for entry in entries] == [[], ["watched"], [], ["watched"], []]
    assert [bool(entry.seen) for entry in entries] == [True, False, True, False, True]


def test_moves_are_watched_only_by_a_camera_with_a_token_of_its_own(film: Callable[..., Filmed]) -> None:
    game = film()
    for dice in (FIRST, SECOND):
        game.sees(dice)
    entries = game.table.game(game.id).record.entries
    assert [provenance(entry) for entry in entries] == ["photo", "watched", "photo"]
    assert {(entry.by or {})["camera"] for entry in entries} == {game.camera.id}
    other = film()
    other.camera = other.phone
    for dice in (FIRST, SECOND):
        other.sees(dice)
    entries = other.table.game(other.id).record.entries
    assert [provenance(entry) for entry in entries] == ["photo", "claimed", "photo"]


def test_a_roll_that_waits_is_its_cameras_even_once_its_link_is_revoked(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(FIRST, LOOK)
    game.table.revoke(game.table.game(game.id), game.camera.id)
    game.open()
    game.queue.advance()
    game.says("yes")
    assert (game.table.game(game.id).record.entries[0].by or {})["camera"] == game.camera.id


def test_a_roll_in_doubt_waits_with_all_behind_it_until_a_player_has_looked(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(FIRST, LOOK)
    game.sees(SECOND)
    game.sees(NEXT)
    assert (game.moves, game.waiting, game.code) == ([], 3, "unsure-reading")
    told = game.queue.to_json()
    assert told["ask"]["may_confirm"]
    assert told["ask"]["reading"] == game.asked.id
    game.says("yes")
    assert game.moves == A_TURN
    assert game.table.game(game.id).record.entries[0].corrected == {"confirmed": "unsure-reading"}


def test_a_corrected_roll_is_played_as_corrected(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(([6, 5, 5, 2, 2, 3, 6], []), LOOK)
    game.sees(SECOND)
    game.corrects(0, 5)
    with pytest.raises(Conflict, match="corrected"):
        game.says("yes", corrections=0)
    game.says("yes", corrections=1)
    assert game.moves == A_TURN[:3]


def test_what_was_no_throw_is_left_out_and_the_next_one_counts(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(FIRST)
    game.sees(([3, 3], [6]))
    game.sees(SECOND)
    assert (game.code, game.waiting) == ("no-play", 2)
    assert not game.queue.to_json()["ask"]["may_confirm"]
    game.says("no")
    assert game.moves == A_TURN[:3]


def test_a_choice_that_no_roll_shows_is_the_players(film: Callable[..., Filmed]) -> None:
    """After seven of a kind the next throw may be anybody's."""
    game = film()
    game.sees(([5] * 7, []))
    game.sees(NEXT)
    assert game.moves == ["throw 5 5 5 5 5 5 5", "point 5"]
    assert (game.code, game.waiting) == ("choice", 1)
    game.plays("stop")
    assert game.moves[2:] == ["stop", "throw 2 2 3 3 5 6 6"]
    assert game.waiting == 0


def test_a_phone_that_plays_the_roll_in_doubt_itself_settles_it(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(([6, 5, 5, 2, 2, 3, 6], []), LOOK)
    game.sees(SECOND)
    game.plays(A_TURN[0])
    assert game.moves == A_TURN[:3]
    assert game.waiting == 0


def test_a_phone_that_was_quicker_is_not_doubled(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(FIRST, LOOK)
    game.plays(A_TURN[0])
    with pytest.raises(Conflict, match="settled"):
        game.queue.answer(1, "yes", 0)
    assert game.moves == A_TURN[:1]


def test_after_an_undo_a_waiting_roll_is_not_played_by_itself(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(([5] * 7, []))
    game.sees(NEXT)
    game.undoes()
    assert (game.code, game.waiting) == ("taken-back", 1)
    game.undoes()
    game.plays("throw 5 5 5 5 5 5 6")
    assert (game.moves, game.waiting) == (["throw 5 5 5 5 5 5 6"], 1)
    game.says("yes")
    assert game.moves[-1] == "throw 2 2 3 3 5 6 6"


def test_a_server_that_starts_again_goes_on_and_plays_nothing_twice(film: Callable[..., Filmed]) -> None:
    game = film()
    game.sees(FIRST)
    game.sees(SECOND, LOOK)
    game.open()
    game.queue.advance()
    assert (game.moves, game.code) == (A_TURN[:1], "unsure-reading")
    last = game.queue.queue.last
    assert last is not None
    assert (last.number, last.thrown) == (2, (5, 2, 3, 6))
    game.says("yes")
    game.open()
    game.queue.advance()
    assert game.moves == A_TURN[:3]


def test_a_server_that_died_between_record_and_queue_plays_nothing_twice(
    film: Callable[..., Filmed], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = film()
    play = LiveGames.play

    def dies(self: LiveGames, *asked: object) -> object:
        play(self, *asked)  # type: ignore[arg-type]
        raise QueueLost(game.folder, OSError("killed"))

    monkeypatch.setattr(LiveGames, "play", dies)
    with pytest.raises(QueueLost):
        game.sees(FIRST)
    monkeypatch.setattr(LiveGames, "play", play)
    game.open()
    assert game.waiting == 1
    game.queue.advance()
    assert (game.moves, game.waiting) == (A_TURN[:1], 0)


def test_a_program_that_sends_a_roll_again_is_counted_once(film: Callable[..., Filmed]) -> None:
    game = film()
    fell = game.sees(FIRST, source="webcam-1")
    game.queue.take(fell, b"the same", game.camera, "webcam-1")
    assert game.moves == A_TURN[:1]
    other = replace(fell, reading=replace(fell.reading, sha256="0" * 64))
    game.queue.take(other, b"another program counts from 1", game.camera, "webcam-2")
    assert game.waiting == 1
    game.queue.take(fell, b"the first again, after the other", game.camera, "webcam-1")
    assert game.waiting == 1


def test_no_end_of_programs_is_remembered() -> None:
    queue = Queue()
    for number in range(3 * MOST_SOURCES):
        queue = queue.with_taken("webcam", number + 1).with_taken(f"webcam-{number}", 7)
    assert len(queue.taken) == MOST_SOURCES
    assert (queue.taken["webcam"], queue.taken[f"webcam-{number}"]) == (3 * MOST_SOURCES, 7)
    assert Queue.from_json(json.loads(json.dumps(queue.to_json()))) == queue


def test_after_the_end_nothing_is_played(film: Callable[..., Filmed]) -> None:
    game = film("finish=3", "final_turns=at_once")
    game.sees(FIRST)
    game.plays("point 5")
    game.plays("stop")
    game.sees(NEXT)
    assert (len(game.moves), game.waiting) == (3, 0)
    assert game.queue.queue.said[-1][1].endswith("the game is over.")


def test_a_queue_takes_no_end_of_rolls(film: Callable[..., Filmed]) -> None:
    game = film()
    for _ in range(MOST_WAITING):
        game.sees(FIRST, LOOK)
    with pytest.raises(TooManyWaiting):
        game.sees(NEXT)
    assert game.waiting == MOST_WAITING


def test_a_damaged_queue_is_named(film: Callable[..., Filmed]) -> None:
    game = film()
    game.table.store.cameras.put(game.id, 1, {"last": None}, announced=False)
    with pytest.raises(QueueLost, match="data folder"):
        game.open()


def test_what_an_earlier_version_left_in_a_file_waits_still(film: Callable[..., Filmed]) -> None:
    game = film()
    fell = game.sees(FIRST, LOOK)
    told = game.queue.queue.to_json()
    earlier = {name: told[name] for name in ("last", "heard", "waiting")} | {"taken": {"": 1, "webcam-1": 7}}
    with writing(game.table.store._engine) as connection:
        connection.execute(delete(cameras).where(cameras.c.game_id == game.id))
    file = game.folder / EARLIER_FOLDER / f"{game.id}.json"
    file.parent.mkdir()
    file.write_text(json.dumps(earlier))
    game.open()
    game.queue.refresh()
    assert (game.waiting, game.code, game.queue.queue.taken["webcam-1"]) == (1, "unsure-reading", 7)
    assert game.queue.queue.last == Roll.from_json(fell.to_json())
    file.write_text("{")
    game.open()
    assert game.waiting == 1, "it is taken over once"


def test_a_damaged_file_of_an_earlier_version_is_named(tmp_path: Path, film: Callable[..., Filmed]) -> None:
    game = film()
    file = tmp_path / EARLIER_FOLDER / "another.json"
    file.parent.mkdir()
    file.write_text("{")
    with pytest.raises(QueueLost, match="data folder"):
        StoredQueue(game.table.store, "another", tmp_path)


# Several servers


def test_two_servers_take_every_roll_once_and_know_what_is_asked(film: Callable[..., Filmed]) -> None:
    game = film()
    other = RollQueue(game.table, game.id, StoredQueue(game.table.store, game.id, game.folder))
    game.sees(FIRST, LOOK)
    game.sees(SECOND)
    other.refresh()
    assert other.to_json() == game.queue.to_json()
    assert (other.to_json()["waiting"], other.to_json()["ask"]["code"]) == (2, "unsure-reading")
    other.answer(1, "yes", 0)
    with pytest.raises(Conflict, match="another phone"):
        game.queue.answer(1, "yes", 0)
    # Its own number is counted on from what the other has taken.
    game.sees(NEXT)
    assert (game.moves, game.waiting) == (A_TURN, 0)
    assert [number for number, _ in game.queue.queue.said] == [*range(1, len(game.queue.queue.said) + 1)]


def test_who_was_overtaken_between_reading_and_storing_tries_again(
    film: Callable[..., Filmed], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = film()
    other = RollQueue(game.table, game.id, StoredQueue(game.table.store, game.id, game.folder))
    put, overtaken = StoredQueue.put, []

    def late(self: StoredQueue, queue: Queue) -> None:
        if not overtaken:
            overtaken.append(queue)
            other.film("camera of the other server")
        put(self, queue)

    monkeypatch.setattr(StoredQueue, "put", late)
    game.sees(FIRST)
    assert overtaken
    assert (game.moves, game.waiting) == (A_TURN[:1], 0)
    assert game.queue.queue.camera == "camera of the other server"
    assert game.queue.queue.last is not None
    assert game.queue.queue.last.number == 1
