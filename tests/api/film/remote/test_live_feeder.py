"""A camera drives a game on a real server, which may be away, and which others play on, too."""

from __future__ import annotations

import itertools
import json
import re
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest

from api.film.remote.background import BackgroundFeeder
from api.film.remote.game_client import CannotJoin, GameClient, Link, ServerGone
from api.film.remote.live_feeder import FeedingWatcher, LiveFeeder
from scorer.engine.record import Record
from tests.api.film.rolls import roll
from tests.api.http.games.play import JOIN_TOKEN, bearer
from tests.api.pictures import drawn_throw, place
from tests.api.served import Served, served
from vision.photo import Pixels
from vision.reading import Die
from vision.watch.events import Change, Frame, Roll

FIRST = roll(1, [5, 5, 5, 2, 2, 3, 6])
SECOND = roll(2, [5, 2, 3, 6], [5, 5, 5])
NEXT = roll(3, [3, 3, 2, 2, 6, 6, 5])
Begin = Callable[..., "Game"]
A_TURN = ("throw 2 2 3 5 5 5 6", "point 5", "throw 2 3 5 6", "stop", "throw 2 2 3 3 5 6 6")


@dataclass
class Game:
    """A game on a server, a camera at it, and a phone."""

    url: str
    id: str
    player: str
    said: list[str] = field(default_factory=list)
    clock: Iterator[float] = field(default_factory=lambda: itertools.count(0.0, 100.0))
    drivers: list[LiveFeeder] = field(default_factory=list)
    events: Path = field(
        default_factory=lambda: Path(tempfile.gettempdir()) / f"watched-{secrets.token_hex(8)}" / "e.jsonl"
    )

    @property
    def link(self) -> Link:
        return Link.parse(f"{self.url}/table/{self.id}#{self.player}")

    def driver(self, *known: Roll) -> LiveFeeder:
        """A new one; these rolls are in its event log."""
        self.events.parent.mkdir(exist_ok=True)
        self.drivers.append(LiveFeeder(self.link, self.said.append, lambda: next(self.clock)))
        self.drivers[-1].resume(self.events, known)
        return self.drivers[-1]

    @property
    def kept(self) -> list[str]:
        """What is on disk beside the event log."""
        return sorted(path.name for path in self.events.parent.rglob("*") if path.is_file())

    def leave(self) -> None:
        for driver in self.drivers:
            driver.close()
        shutil.rmtree(self.events.parent, ignore_errors=True)

    def record(self) -> Record:
        path = f"{self.url}/v1/games/{self.id}/record"
        return Record.load(httpx2.get(path, headers=bearer(self.player), timeout=60).text)

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.record().moves]

    def types(self, move: str) -> None:
        """On a phone."""
        body = {"lines": len(self.record().lines), "move": move}
        path = f"{self.url}/v1/games/{self.id}/moves"
        response = httpx2.post(path, json=body, headers=bearer(self.player), timeout=60)
        assert response.status_code == 200, response.text


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def games() -> Iterator[Begin]:
    """Begins games; at the end nobody sits at them any more."""
    made: list[Game] = []

    def begin(url: str, *rules: str) -> Game:
        made.append(begun(url, *rules))
        return made[-1]

    yield begin
    for game in made:
        game.leave()


@pytest.fixture
def game(server: Served, games: Begin) -> Game:
    server.forget_throws()
    return games(server.url)


def begun(url: str, *rules: str) -> Game:
    wanted = {"game": "crib-dice", "players": ["Ann", "Ben"], "rules": ["opening_roll=false", *rules]}
    told = httpx2.post(f"{url}/v1/games", json=wanted, headers={"x-muggins-join": JOIN_TOKEN}, timeout=60).json()
    return Game(url, told["id"], told["player"])


def frame(shown: Roll) -> Pixels:
    """What the camera sees of the roll."""
    return np.asarray(drawn_throw(shown.reading.values))


def placed(shown: Roll) -> Roll:
    """The roll with its dice where `frame` shows them."""
    pieces = [replace(each, piece=replace(each.piece, box=place(at))) for at, each in enumerate(shown.pieces)]
    dice = tuple(each.piece for each in pieces if isinstance(each.piece, Die))
    return replace(shown, reading=replace(shown.reading, dice=dice), pieces=tuple(pieces))


def beside_half_a_die(pixels: Pixels) -> Pixels:
    """The upper half of the first die once more, at the lower edge where nothing lies."""
    picture, half = pixels.copy(), pixels[110:180, 70:210]
    picture[-half.shape[0] :, 730 : 730 + half.shape[1]] = half
    return picture


def drive(driver: LiveFeeder, *rolls: Roll) -> None:
    for each in rolls:
        saw(driver, placed(each), frame(each))


def saw(driver: LiveFeeder, seen: Roll, pixels: Pixels) -> None:
    driver.keep(seen, pixels)
    driver.on_disk([seen])


def test_a_turn_is_played_as_it_is_seen(game: Game) -> None:
    drive(driver := game.driver(), FIRST, SECOND, NEXT)
    assert tuple(game.moves) == A_TURN
    assert driver.waiting == 0
    assert game.said == ["Seen: point 5", "Seen: stop"]
    assert [entry.corrected for entry in game.record().entries] == [None, watched(2), None, watched(3), None]


def watched(number: int, **more: bool) -> dict[str, object]:
    """What the record says of a choice that the roll of this number told."""
    return {"watched": {"frame": 10 * number, "time": number / 2}, **more}


def test_a_choice_that_the_next_throw_does_not_settle_is_marked_as_inferred(game: Game) -> None:
    """Nothing lies still, so any of three points may have been taken before the stop."""
    drive(game.driver(), roll(1, [5, 5, 5, 2, 2, 6, 6]), roll(2, [3, 3, 2, 2, 6, 6, 5]))
    marked = {str(entry.move): entry.inferred for entry in game.record().entries}
    assert marked == {
        "throw 2 2 5 5 5 6 6": False,
        "point 5": True,
        "stop": False,
        "throw 2 2 3 3 5 6 6": False,
    }


def test_each_throw_has_its_photo(game: Game) -> None:
    drive(game.driver(), FIRST, SECOND)
    throws = [entry for entry in game.record().entries if entry.move and entry.move.verb == "throw"]
    assert [entry.seen["dice"][0]["value"] for entry in throws if entry.seen] == [5, 5]
    listed = httpx2.get(f"{game.url}/v1/games/{game.id}/readings", headers=bearer(game.player), timeout=60).json()
    assert len(listed["readings"]) == 2


def test_a_choice_that_nothing_shows_is_left_to_the_phones(game: Game) -> None:
    """After seven of a kind the next throw may be anybody's."""
    driver = game.driver()
    drive(driver, roll(1, [5] * 7), NEXT)
    assert game.moves == ["throw 5 5 5 5 5 5 5", "point 5"]
    assert game.said[-1] == "Roll 2: waits for a choice; answer on a phone: Ann: throw seven fresh dice or stop"
    said = len(game.said)
    driver.look()
    assert len(game.said) == said
    game.types("stop")
    driver.look()
    assert game.moves[2:] == ["stop", "throw 2 2 3 3 5 6 6"]
    assert [entry.corrected for entry in game.record().entries[1:3]] == [watched(3), None]
    assert driver.waiting == 0


def test_the_phone_was_quicker(game: Game) -> None:
    driver = game.driver()
    game.types("throw 2 2 3 5 5 5 6")
    drive(driver, FIRST)
    game.types("point 5")
    drive(driver, SECOND, NEXT)
    assert tuple(game.moves) == A_TURN


def test_a_lost_answer_plays_nothing_twice(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, send = game.driver(), GameClient.send

    def lost(self: GameClient, source: str, seen: Mapping[str, Any], photo: bytes) -> dict[str, Any]:
        monkeypatch.setattr(GameClient, "send", send)
        send(self, source, seen, photo)
        raise ServerGone("the answer was lost")

    monkeypatch.setattr(GameClient, "send", lost)
    drive(driver, FIRST, SECOND, NEXT)
    driver.look()
    assert tuple(game.moves) == A_TURN
    assert driver.waiting == 0


def test_what_the_server_doubts_waits_on_the_phones_with_all_behind_it(game: Game) -> None:
    """Seven dice are read, but half an eighth one leaves the picture."""
    driver, shown = game.driver(), placed(roll(1, [5, 5, 2, 2, 1, 4, 6]))
    saw(driver, shown, beside_half_a_die(frame(shown)))
    drive(driver, roll(2, [5, 2, 3, 6], [5, 5, 5]))
    assert (game.moves, driver.waiting) == ([], 2)
    assert game.said[0].startswith("Roll 1: please check on a phone: Please check this roll.")
    driver.look()
    assert len(game.said) == 1
    game.types("throw 2 2 4 5 5 5 6")
    driver.look()
    assert game.moves == ["throw 2 2 4 5 5 5 6", "point 5", "throw 2 3 5 6"]
    assert "Roll 1: a phone played throw 2 2 4 5 5 5 6." in game.said
    assert driver.waiting == 0


def test_a_roll_that_is_no_play_is_asked_about(game: Game) -> None:
    driver = game.driver()
    drive(driver, FIRST, roll(2, [3, 3], [6]), roll(3, [5, 2, 3, 6], [5, 5, 5]))
    assert game.moves == [A_TURN[0]]
    assert game.said[0].startswith("Roll 2: please check on a phone: 3-3 beside 6 is no play of the game: Ann: choose")
    path, no = f"{game.url}/v1/games/{game.id}/camera/answers", {"number": 2, "answer": "no"}
    assert httpx2.post(path, json=no, headers=bearer(game.player), timeout=60).is_success
    driver.look()
    assert tuple(game.moves) == A_TURN[:3]
    assert game.said[1:] == ["Roll 2 was left out.", "Seen: point 5"]


def test_a_server_that_was_away_gets_all_in_turn(tmp_path: Path, games: Begin) -> None:
    with served(tmp_path / "server") as first:
        game, port = games(first.url), first.port
        driver = game.driver()
        drive(driver, FIRST)
    drive(driver, SECOND, NEXT)
    assert driver.waiting == 2
    assert game.said == ["Connection lost. Rolls are kept until the server responds. Reconnecting…"]
    with served(tmp_path / "server", port=port):
        driver.look()
        assert tuple(game.moves) == A_TURN
    assert game.said[1:] == ["Seen: point 5", "Seen: stop", "Connected again."]


class Unwell(ThreadingHTTPServer):
    """Answers as a server with a game of Crib Dice does, but first gives these answers to a roll: status, code and sentence.

    Attributes:
        took: rolls that were sent, answered or not.
        others: what it says of throws that others have played.
        page: what answers in its place: status, headers and body.
        late: of each roll that was sent, whether the sender says that others have played since.
    """

    daemon_threads = True

    def __init__(self, *answers: tuple[int, str, str]) -> None:
        super().__init__(("127.0.0.1", 0), _UnwellAnswer)
        self.answers = list(answers)
        self.took = 0
        self.others = 0
        self.late: list[bool] = []
        self.page: tuple[int, dict[str, str], bytes] | None = None

    @property
    def link(self) -> Link:
        return Link(f"http://127.0.0.1:{self.server_port}", "ab12", "s3cret")


class _UnwellAnswer(BaseHTTPRequestHandler):
    server: Unwell

    def do_GET(self) -> None:
        told = {"/v1/games/ab12/token": {"role": "camera"}, "/v1/games/ab12": {"game": "crib-dice"}}
        self._send(200, told.get(self.path, {"waiting": 0, "said": [], "others": self.server.others}))

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["content-length"]))
        if self.server.page:
            self._send(200, None)
            return
        self.server.took += 1
        self.server.late.append(b'"late": true' in sent)
        if not self.server.answers:
            self._send(200, {"waiting": 0, "said": []})
            return
        status, code, detail = self.server.answers.pop(0)
        self._send(status, {"code": code, "detail": detail} if code else None)

    def _send(self, status: int, told: object) -> None:
        data = json.dumps(told).encode() if told is not None else b"<html>Gateway"
        headers: dict[str, str] = {}
        if self.server.page:
            status, headers, data = self.server.page
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def unwell() -> Iterator[Callable[..., Unwell]]:
    running: list[tuple[Unwell, threading.Thread]] = []

    def begin(*answers: tuple[int, str, str]) -> Unwell:
        server = Unwell(*answers)
        running.append((server, threading.Thread(target=server.serve_forever, args=(0.01,))))
        running[-1][1].start()
        return server

    yield begin
    for server, serving in running:
        server.shutdown()
        serving.join()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "code", "sentence"),
    [
        (500, "internal-error", "Something went wrong."),
        (504, "", "The server answers 504."),
        (408, "", "The server answers 408."),
        (409, "camera-busy", "Other servers change what waits of this camera. Try again."),
        (503, "too-many-waiting", "Too many rolls wait for an answer. Answer the first one on a phone."),
    ],
)
def test_a_roll_that_the_server_cannot_take_now_is_sent_again_and_its_sentence_said_once(
    unwell: Callable[..., Unwell], tmp_path: Path, status: int, code: str, sentence: str
) -> None:
    server, said, clock = unwell(*[(status, code, sentence)] * 2), [], itertools.count(0.0, 100.0)
    with closing(LiveFeeder(server.link, said.append, lambda: next(clock))) as driver:
        driver.resume(tmp_path / "e.jsonl", [])
        drive(driver, FIRST)
        driver.look()
        assert (driver.waiting, said) == (1, [f"{sentence} Rolls are kept and sent again."])
        driver.look()
        assert (driver.waiting, server.took) == (0, 3)
    assert said[1:] == ["The server takes rolls again."]


def test_a_roll_that_the_server_refuses_for_good_is_named_and_those_behind_it_are_sent(
    unwell: Callable[..., Unwell], tmp_path: Path
) -> None:
    server, said = unwell((409, "another", "This is not possible."), (400, "not-an-image", "No picture.")), []
    with closing(LiveFeeder(server.link, said.append)) as driver:
        driver.resume(tmp_path / "e.jsonl", [])
        drive(driver, FIRST, SECOND, NEXT)
        assert (driver.waiting, server.took) == (0, 3)
    assert list(tmp_path.iterdir()) == []
    assert said == ["Roll 1 was not taken: This is not possible.", "Roll 2 was not taken: No picture."]


def test_what_was_not_sent_is_named_however_the_watching_ends(unwell: Callable[..., Unwell], tmp_path: Path) -> None:
    server, said, events = unwell(*[(500, "internal-error", "Something went wrong.")] * 9), [], tmp_path / "e.jsonl"
    with closing(LiveFeeder(server.link, said.append)) as driver:
        driver.resume(events, [])
        drive(driver, FIRST)
        driver.keep(placed(SECOND), frame(SECOND))
    again = f"The same command with --events {events} sends them; or play them on a phone."
    assert said[1:] == [f"Rolls 1 and 2 were not sent. {again}"]


def test_who_watches_on_is_told_which_rolls_are_not_sent_and_why(game: Game) -> None:
    game.driver()
    assert game.said == []
    game.driver(FIRST, SECOND)
    said = (
        "2 rolls are known from before and not sent now: taken by the server then, or watched without --serve, which keeps no "
        "photos to send. If the game lacks one, play it on a phone."
    )
    assert (game.said, game.moves) == ([said], [])


def broken(monkeypatch: pytest.MonkeyPatch, *, took: bool = False) -> None:
    """From now on no answer to a roll arrives; the server took it or not."""
    send = GameClient.send

    def lost(self: GameClient, source: str, seen: Mapping[str, Any], photo: bytes) -> dict[str, Any]:
        if took:
            send(self, source, seen, photo)
        raise ServerGone("no route")

    monkeypatch.setattr(GameClient, "send", lost)


@pytest.mark.parametrize("took", [False, True])
def test_a_resumed_watch_sends_what_the_server_has_not_confirmed_and_nothing_counts_twice(
    game: Game, monkeypatch: pytest.MonkeyPatch, took: bool
) -> None:
    drive(first := game.driver(), FIRST)
    with monkeypatch.context() as patch:
        broken(patch, took=took)
        drive(first, SECOND)
        first.close()
    assert game.kept == ["2.jpg", "2.json"]
    assert len(game.moves) == (3 if took else 1)
    resumed = game.driver(FIRST, SECOND)
    drive(resumed, NEXT)
    assert tuple(game.moves) == A_TURN
    assert (resumed.waiting, game.kept) == (0, [])
    assert "Roll 2 was not sent before. Sending now." in game.said


def test_a_roll_that_the_event_log_does_not_have_is_not_sent_since_it_is_found_again(game: Game) -> None:
    game.driver().keep(placed(FIRST), frame(FIRST))
    assert game.kept == ["1.jpg", "1.json"]
    resumed = game.driver()
    assert (game.moves, game.kept) == ([], [])
    drive(resumed, FIRST)
    assert game.moves == [A_TURN[0]]


def test_what_others_have_played_meanwhile_is_asked_about_and_not_played_twice(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive(first := game.driver(), FIRST)
    with monkeypatch.context() as patch:
        broken(patch)
        drive(first, SECOND)
        first.close()
    for move in A_TURN[1:3]:
        game.types(move)
    resumed = game.driver(FIRST, SECOND)
    assert (tuple(game.moves), resumed.waiting) == (A_TURN[:3], 1)
    asked = "Others played before this roll reached the server. Is it still the next one?"
    assert game.said[-1] == f"Roll 2: please check on a phone: {asked}"
    path, no = f"{game.url}/v1/games/{game.id}/camera/answers", {"number": 2, "answer": "no"}
    assert httpx2.post(path, json=no, headers=bearer(game.player), timeout=60).is_success
    drive(resumed, NEXT)
    assert tuple(game.moves) == A_TURN


def test_a_connection_that_broke_also_asks_about_what_others_have_played_meanwhile(
    unwell: Callable[..., Unwell], tmp_path: Path
) -> None:
    server, clock = unwell((503, "busy", "Busy.")), itertools.count(0.0, 100.0)
    with closing(LiveFeeder(server.link, lambda _: None, lambda: next(clock))) as driver:
        driver.resume(tmp_path / "e.jsonl", [])
        drive(driver, FIRST)
        server.others = 1
        driver.look()
        drive(driver, SECOND)
    assert server.late == [False, True, False]


def test_a_roll_of_another_game_stays_where_it_is(
    server: Served, games: Begin, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        broken(patch)
        drive(driver := game.driver(), FIRST)
        driver.close()
    another = games(server.url)
    shutil.copytree(game.events.parent, another.events.parent, dirs_exist_ok=True)
    another.driver(FIRST)
    assert (another.moves, another.kept) == ([], ["1.jpg", "1.json"])
    assert another.said == ["Roll 1 was found for another game and not sent to this one."]
    game.driver(FIRST)
    assert game.moves == [A_TURN[0]]


def test_at_the_end_what_is_missing_is_told(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> None:
        raise ServerGone("no route")

    driver = game.driver()
    monkeypatch.setattr(GameClient, "send", gone)
    drive(driver, FIRST)
    driver.finish(sleep=lambda _: None)
    again = f"The same command with --events {game.events} sends it; or play it on a phone."
    assert game.said[-1] == f"Roll 1 was not sent. {again}"


def test_at_the_end_what_waits_for_an_answer_is_told(game: Game) -> None:
    driver = game.driver()
    drive(driver, roll(1, [5] * 7), NEXT)
    driver.finish(sleep=lambda _: None)
    assert game.said[-1] == "Rolls that wait for an answer on a phone: 1."


def test_after_the_end_nothing_is_played(server: Served, games: Begin) -> None:
    game = games(server.url, "finish=3", "final_turns=at_once")
    driver = game.driver()
    drive(driver, FIRST)
    for move in ("point 5", "stop"):
        game.types(move)
    drive(driver, NEXT)
    assert len(game.moves) == 3
    assert game.said == ["Roll 2 was not played: the game is over."]


def test_a_watcher_whose_rolls_are_played(game: Game) -> None:
    """Each is told when a hand lies over the dice; the photo is the one without it."""
    driver, hand = game.driver(), np.zeros_like(frame(FIRST))
    watcher = FeedingWatcher(_Watcher([placed(FIRST), placed(SECOND)]), driver)
    shown = [hand, frame(FIRST), *[hand] * 21, frame(SECOND), *[hand] * 20]
    found: list[Change | Roll] = []
    for number, pixels in enumerate(shown):
        found += (seen := watcher.see(Frame(pixels, number, number / 10)))
        driver.on_disk(seen)
    assert (watcher.finish(), watcher.seen, watcher.read) == ((), 44, 6)
    assert [event.number for event in found if isinstance(event, Roll)] == [1, 2]
    assert tuple(game.moves) == A_TURN[:3]
    assert [entry.seen and len(entry.seen["dice"]) for entry in game.record().entries] == [7, None, 7]


@dataclass
class _Watcher:
    """Looks at the first, second and last of every 22 frames; of what it sees in the second it tells with the last."""

    rolls: list[Roll]
    seen: int = 0
    read: int = 0

    def prepared(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        return iter(frames)

    def see(self, frame: Frame) -> tuple[Change | Roll, ...]:
        which, place = divmod(self.seen, 22)
        self.seen += 1
        self.read += place in (0, 1, 21)
        if place < 21:
            return ()
        counted = replace(self.rolls[which], counted_frame=frame.number - 20)
        return (Change("counted", frame.number, frame.time), counted)

    def finish(self) -> tuple[Change | Roll, ...]:
        return ()


@pytest.mark.parametrize(
    ("status", "headers", "body", "said"),
    [
        (200, {}, b"<html>Welcome", "No server responds at {origin}.*Another program answers there"),
        (200, {}, b'{"error": 0}', "No server responds at {origin}.*Another program answers there"),
        (200, {}, b"[]", "Another program answers there"),
        (301, {"location": "https://table.example/"}, b"", "sends this link on to https://table.example/"),
        (400, {}, b'{"code": "bad-host", "detail": "Not by this name."}', "Not by this name."),
    ],
)
def test_what_answers_otherwise_than_a_server_of_muggins_is_said_at_the_start(
    unwell: Callable[..., Unwell], status: int, headers: dict[str, str], body: bytes, said: str
) -> None:
    server = unwell()
    server.page = status, headers, body
    with pytest.raises(CannotJoin, match=said.format(origin=server.link.origin)):
        LiveFeeder(server.link, print)


def test_a_page_that_answers_for_the_server_for_a_while_loses_no_roll(
    unwell: Callable[..., Unwell], tmp_path: Path
) -> None:
    server, said, clock = unwell(), [], itertools.count(0.0, 100.0)
    with closing(LiveFeeder(server.link, said.append, lambda: next(clock))) as driver:
        driver.resume(tmp_path / "e.jsonl", [])
        server.page = 200, {}, b"<html>Log in to this network"
        drive(driver, FIRST)
        assert driver.waiting == 1
        server.page = None
        driver.look()
    assert server.took == 1
    assert said == ["Connection lost. Rolls are kept until the server responds. Reconnecting…", "Connected again."]


@pytest.fixture
def slow(unwell: Callable[..., Unwell], monkeypatch: pytest.MonkeyPatch) -> tuple[Unwell, threading.Event]:
    """A server that takes no roll before this event."""
    server, goes_on, post = unwell(), threading.Event(), _UnwellAnswer.do_POST

    def waits(self: _UnwellAnswer) -> None:
        goes_on.wait(60)
        post(self)

    monkeypatch.setattr(_UnwellAnswer, "do_POST", waits)
    return server, goes_on


def test_no_frame_waits_for_a_server_that_is_slow(slow: tuple[Unwell, threading.Event], tmp_path: Path) -> None:
    (server, goes_on), said = slow, []
    with closing(BackgroundFeeder(server.link, said.append)) as feeder:
        feeder.resume(tmp_path / "e.jsonl", [])
        for each in (FIRST, SECOND, NEXT):
            feeder.keep(placed(each), frame(each))
            feeder.on_disk([each])
            feeder.on_disk([])
        assert server.took == 0, "a frame that waited would have waited until it took the first"
        goes_on.set()
        feeder.finish()
    assert (server.took, said, list(tmp_path.iterdir())) == (3, [], [])


def test_what_is_on_its_way_when_the_watching_breaks_off_is_kept(
    slow: tuple[Unwell, threading.Event], tmp_path: Path
) -> None:
    (server, goes_on), said = slow, []
    with closing(BackgroundFeeder(server.link, said.append)) as feeder:
        feeder.resume(tmp_path / "e.jsonl", [])
        feeder.keep(placed(FIRST), frame(FIRST))
        feeder.on_disk([FIRST])
    goes_on.set()
    assert len(said) == 1
    assert said[0].startswith("Roll 1 was not sent. The same command")
    assert [path.name for path in tmp_path.iterdir()] == ["e.jsonl.unsent"]


def _watch_on(feeder: BackgroundFeeder, *rolls: Roll) -> None:
    feeder.on_disk(rolls)
    for _ in range(600):
        time.sleep(0.1)
        feeder.on_disk([])


def test_a_link_that_is_no_longer_valid_ends_the_watching(unwell: Callable[..., Unwell], tmp_path: Path) -> None:
    server = unwell((401, "unknown-token", "This link is not valid any more."))
    with closing(BackgroundFeeder(server.link, lambda _: None)) as feeder:
        feeder.resume(tmp_path / "e.jsonl", [])
        feeder.keep(placed(FIRST), frame(FIRST))
        with pytest.raises(CannotJoin, match="not valid"):
            _watch_on(feeder, FIRST)


@pytest.mark.parametrize(
    "link",
    ["", "http://localhost:8000", "localhost/table/a#b", "http://localhost/table/a", "ftp://localhost/table/a#b"],
)
def test_what_is_no_link(link: str) -> None:
    with pytest.raises(CannotJoin, match="Copy the players' link"):
        Link.parse(link)


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ("http://localhost:80a0/table/ab12#s3cret", "localhost:80a0"),
        ("http://localhost:99999/table/ab12#s3cret", "localhost:99999"),
        ("http://localhost:0/table/ab12#s3cret", "localhost:0"),
        ("http://[::1/table/ab12#s3cret", None),
        ("http://:8000/table/ab12#s3cret", ":8000"),
        ("http://dice..local:8000/table/ab12#s3cret", "dice..local:8000"),
        ("http://192.168.1.400:8000/table/ab12#s3cret", "192.168.1.400:8000"),
    ],
)
def test_a_mistyped_address_of_the_server_is_refused_before_anything_is_asked_of_it(
    link: str, wrong: str | None
) -> None:
    expected = f"{wrong} is not the address of a server" if wrong else "This is not a link to a game"
    with pytest.raises(CannotJoin, match=re.escape(expected)):
        Link.parse(link)


def test_what_is_no_link_is_refused_with_both_links_that_will_do() -> None:
    with pytest.raises(
        CannotJoin, match=r"players' link .* camera link .* both look like http://localhost:8000/table/"
    ):
        Link.parse("http://localhost:8000/camera/ab12#s3cret")


def test_an_address_in_brackets_is_one() -> None:
    assert Link.parse("http://[::1]:8000/table/ab12#s3cret").origin == "http://[::1]:8000"


def test_the_address_and_the_token_apart() -> None:
    apart = Link.parse("https://dice.example:8443/v1/games/ab12", "s3cret")
    assert apart == Link.parse("https://dice.example:8443/table/ab12/#s3cret")


def test_a_link_that_is_not_good(game: Game) -> None:
    for link in (Link(game.url, game.id, "wrong"), Link(game.url, "nothing", game.player)):
        with pytest.raises(CannotJoin):
            LiveFeeder(link, print)
    with pytest.raises(CannotJoin, match="muggins serve"):
        LiveFeeder(Link("http://127.0.0.1:9", "a", "b"), print)


def test_a_link_without_its_port_is_said_to_lack_it() -> None:
    assert "has no port" in Link.parse("http://localhost/table/ab12#s3cret").hint
    assert "muggins serve" in Link.parse("http://localhost:8000/table/ab12#s3cret").hint
