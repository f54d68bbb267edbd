"""`muggins watch` as it is typed, with the real networks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from api.cli import watch
from tests.api.conftest import Muggins
from tests.api.film.films import Bytes, film, grey, tracks
from tests.api.pictures import drawn_throw
from tests.api.served import interruptible
from vision.detect.boxes import KINDS
from vision.watch.events import Frame, Roll

WIDE = {**os.environ, "COLUMNS": "200"}
_SIZE = (480, 320)


@pytest.fixture(scope="module")
def throws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two throws of drawn dice, each swept away again."""
    return film(tmp_path_factory.mktemp("throws") / "throws.mp4", _pictures(), sound="aac")


def _pictures() -> list[Bytes]:
    empty, pictures = _drawn(()), []
    for values in ((1, 2, 3), (4, 5, 6, 1)):
        on_table = _drawn(values)
        rolling = [np.roll(on_table, (by, -by), (0, 1)) for by in (60, 35, 15)]
        pictures += [*[empty] * 6, *rolling, *[on_table] * 12]
    return [*pictures, *[empty] * 6]


def _drawn(values: tuple[int, ...]) -> Bytes:
    return np.asarray(drawn_throw(values).resize(_SIZE, Image.Resampling.BOX))


def test_every_throw_is_found_once_told_and_drawn(muggins: Muggins, throws: Path, tmp_path: Path) -> None:
    done = muggins("watch", throws, "--events", tmp_path / "e.jsonl", "--out", tmp_path / "o.mp4", timeout=600)
    assert done.returncode == 0, done.stderr
    told = [line.split(": ", 1) for line in done.stdout.splitlines() if "  roll " in line]
    assert [when.split()[-1] for when, _ in told] == ["1", "2"]
    events = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text("utf-8").splitlines()]
    rolls = [event for event in events if event["type"] == "roll"]
    assert [[int(digit) for digit in what if digit.isdigit()] for _, what in told] == [
        sorted(roll["values"]) for roll in rolls
    ]
    assert [len(roll["values"]) for roll in rolls] == [3, 4]
    end, made = events[-2:]
    assert (end["type"], made["type"], made["path"]) == ("end", "made", str(tmp_path / "o.mp4"))
    assert end["read"] < end["seen"]
    assert tracks(tmp_path / "o.mp4") == {"video": "h264", "audio": "aac"}


def test_programs_get_the_events_as_they_are_kept(muggins: Muggins, throws: Path, tmp_path: Path) -> None:
    done = muggins("watch", throws, "--events", tmp_path / "e.jsonl", "--to", "1.9", "--json", timeout=600)
    kept = (tmp_path / "e.jsonl").read_text("utf-8").splitlines()
    assert (done.returncode, done.stdout.splitlines()) == (0, kept[1:-1])
    assert "roll" in {json.loads(line)["type"] for line in kept}


def test_ctrl_c_stops_and_says_how_to_go_on(command: list[str], tmp_path: Path) -> None:
    long = film(tmp_path / "long.mp4", _pictures() * 10)
    running = subprocess.Popen(
        [*command, "watch", str(long)],
        preexec_fn=interruptible,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert running.stdout is not None
    assert any("roll 1" in line for line in running.stdout), "the first roll is printed as soon as it is found"
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=300)
    assert running.returncode == 130, said
    assert '"type": "roll"' in (tmp_path / "long.mp4.rolls.jsonl").read_text("utf-8")
    assert "to resume." in said


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        (["none.mp4"], "No such file, folder or camera"),
        (["75"], "Camera 75 does not respond"),
        (["a.mp4", "--from", "soon"], "such as 1:35"),
        (["a.mp4", "--from", "9:00"], "after the end"),
        (["a.mp4", "--from", "2", "--to", "1"], "must be after --from"),
        (["a.mp4", "--record", "r.jsonl"], "--record needs a game"),
        (["a.mp4", "--record", "r.jsonl", "--chapters"], "--record and --chapters need a game"),
        (["a.mp4", "--players", "Ann,Ben"], "--players needs a game. Name it with --game."),
        (["a.mp4", "--rules", "finish=61"], "--rules needs a game"),
        (
            ["a.mp4", "--game", "crib-dice", "--players", f"Ann,{'B' * 41}"],
            f"Names have up to 40 characters, {'B' * 40}… has 41. Shorten it.",
        ),
        (["a.mp4", "--game", "whist"], "There is no game 'whist'"),
        (["a.mp4", "--game", "nope"], "Choose one of crib-dice, cribbage-dice, domino-cribbage, farkle, farkle-crib, "),
        (["a.mp4", "--game", "cards"], "There is no game 'cards'"),
        (["a.mp4", "--game", "crib-dice", "--rules", "x=1"], "x"),
        (["a.mp4", "--out", "o.avi"], "must end in .mp4"),
        (["a.mp4", "--out", "a.mp4", "--force"], "would overwrite the source"),
        (["picture.png"], "Use `muggins read`"),
        (["a.mp4", "--serve", "http://localhost/"], "not a link to a game"),
        (["a.mp4", "--serve", "http://localhost/", "--game", "farkle"], "Leave out --game"),
        (["a.mp4", "--serve", "http://localhost/", "--record", "r.jsonl"], "Leave out --record"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence_and_nothing_is_left(
    muggins: Muggins, tmp_path: Path, typed: list[str], complaint: str
) -> None:
    film(tmp_path / "a.mp4", [grey(5)] * 3)
    Image.fromarray(grey(5)).save(tmp_path / "picture.png")
    done = muggins("watch", *typed, cwd=tmp_path, env=WIDE)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"a.mp4", "picture.png"}


@pytest.mark.parametrize(
    ("game", "kinds"),
    [("crib-dice", ("d6",)), ("cribbage-dice", ("d6", "d12")), ("domino-cribbage", ("domino",)), (None, KINDS)],
)
def test_the_pieces_of_the_game_are_looked_for(game: str | None, kinds: tuple[str, ...]) -> None:
    assert watch._kinds(watch._pieces(game) if game else None) == kinds


def test_a_watcher_of_a_domino_game_leaves_dice_alone() -> None:
    watcher = watch._watcher(watch._ReadWith(watch._pieces("domino-cribbage"), ()))([])
    lying = _drawn((4, 5, 6))
    found = [event for number in range(30) for event in watcher.see(Frame(lying, number, number / 10))]
    assert watcher.read
    assert [event for event in (*found, *watcher.finish()) if isinstance(event, Roll)] == []
    assert watcher.pieces == ()


def test_it_is_explained(muggins: Muggins) -> None:
    told = muggins("watch", "--help", env=WIDE).stdout
    for option in (
        "--game",
        "--events",
        "--record",
        "--out",
        "--overlay",
        "--subtitles",
        "--chapters",
        "--from",
        "--every",
    ):
        assert option in told
    assert "Nothing leaves this computer" in told
