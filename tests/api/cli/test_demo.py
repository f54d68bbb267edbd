"""`muggins demo`: the film that comes with Muggins, the real networks, and the game that was played."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import av
import pytest
import typer

from api.cli import demo as command_demo
from api.cli.demo import FILM, PLAYED, differences, verdict
from api.files.record_file import RecordFile
from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.api.conftest import Muggins
from tests.api.film.films import tracks
from tests.api.served import interruptible


@dataclass
class Demo:
    """A demo that has run."""

    done: subprocess.CompletedProcess[str]
    folder: Path

    @property
    def record(self) -> Record:
        return RecordFile.open(self.folder / "game.jsonl").record

    @property
    def rolls(self) -> list[dict[str, list[int]]]:
        events = map(json.loads, (self.folder / "rolls.jsonl").read_text("utf-8").splitlines())
        return [event for event in events if event["type"] == "roll"]


@pytest.fixture(scope="module")
def demo(muggins: Muggins, tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """It takes a minute, so it runs once for all tests."""
    folder = tmp_path_factory.mktemp("demo")
    return Demo(muggins("demo", cwd=folder, timeout=900), folder / "muggins-demo")


@pytest.fixture(scope="module")
def played() -> Record:
    return RecordFile.open(PLAYED).record


def test_the_record_is_that_of_the_game_that_was_played(demo: Demo, played: Record) -> None:
    assert [str(move) for move in demo.record.moves] == [str(move) for move in played.moves]
    assert demo.record.result == played.result
    assert demo.record.header.rules == played.header.rules
    assert demo.done.returncode == 0
    assert f"all {len(played.moves)} moves" in demo.done.stdout.splitlines()[-1]


def test_every_throw_is_a_roll_and_nothing_else_is(demo: Demo, played: Record) -> None:
    thrown = [sorted(move.numbers) for move in played.moves if move.verb == "throw"]
    assert [sorted(roll["thrown"]) for roll in demo.rolls] == thrown
    told = [line for line in demo.done.stdout.splitlines() if "  roll " in line]
    assert len(told) == len(thrown)


def test_the_film_is_drawn_on_with_its_sound_and_a_chapter_a_turn(demo: Demo, played: Record) -> None:
    annotated = demo.folder / "annotated.mp4"
    assert tracks(annotated) == {"video": "h264", "audio": "aac"}
    with av.open(FILM) as film, av.open(annotated) as drawn:
        assert abs(drawn.duration - film.duration) < av.time_base / 10
        titles = [chapter["metadata"]["title"] for chapter in drawn.chapters()]
    turns = [state.to_act for state, move in zip(played.history, played.moves, strict=False) if move.verb == "throw"]
    changes = [player for player, before in zip(turns, [None, *turns], strict=False) if player != before]
    assert titles == [played.header.players[player] for player in changes]


def test_every_roll_has_its_subtitle(demo: Demo) -> None:
    assert (demo.folder / "game.srt").read_text("utf-8").count(" --> ") == len(demo.rolls)


def test_it_says_what_to_open_and_how_to_go_on(demo: Demo) -> None:
    assert demo.done.stderr.splitlines()[-1] == (
        "Open muggins-demo/annotated.mp4. For your own film: muggins watch FILM --game crib-dice"
    )


# What stands in the way


def test_what_lies_there_is_not_written_over(muggins: Muggins, tmp_path: Path) -> None:
    (tmp_path / "annotated.mp4").write_text("mine")
    done = muggins("demo", "--out", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "overwrite it with --force" in done.stderr
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"annotated.mp4": "mine"}


@pytest.mark.parametrize(("name", "code"), [("file", 2), ("file/below", 1)])
def test_a_folder_that_cannot_be_is_refused(muggins: Muggins, tmp_path: Path, name: str, code: int) -> None:
    (tmp_path / "file").touch()
    done = muggins("demo", "--out", tmp_path / name)
    assert (done.returncode, done.stdout) == (code, "")
    assert "Choose another" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_not_writable_is_told_with_its_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(typer.Exit):
        command_demo._make(tmp_path)
    assert capsys.readouterr().err == f"No permission to write to folder {tmp_path}. Choose another with --out.\n"


def test_force_writes_over_what_is_there_and_ctrl_c_stops_it(command: list[str], tmp_path: Path) -> None:
    events = tmp_path / "rolls.jsonl"
    events.write_text("of something else")
    (tmp_path / "annotated.mp4").write_text("of something else")
    typed = [*command, "demo", "--force", "--out", str(tmp_path)]
    running = subprocess.Popen(typed, preexec_fn=interruptible, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 300
    while not (events.exists() and '"type": "state"' in events.read_text("utf-8")):
        assert time.monotonic() < until
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=300)
    assert running.returncode == 130, said
    assert said.splitlines()[-1].endswith("to resume.")


# What differs


@pytest.mark.parametrize(
    ("watched", "said"),
    [
        (("throw 1 2", "point 2", "stop"), []),
        (("throw 1 2", "point 1", "stop"), ['Move 2: played "point 2", watched "point 1".']),
        (("throw 1 2", "stop"), ['Move 2: played "point 2", watched nothing.']),
        (("throw 1 2", "point 2", "throw 3", "stop"), ['Move 3: played nothing, watched "throw 3".']),
        ((), ['Move 1: played "throw 1 2", "point 2", "stop", watched nothing.']),
    ],
)
def test_what_differs_is_told_by_its_place(watched: tuple[str, ...], said: list[str]) -> None:
    played = tuple(map(Move.parse, ("throw 1 2", "point 2", "stop")))
    assert list(differences(played, tuple(map(Move.parse, watched)))) == said


def test_the_verdict_is_plain() -> None:
    assert verdict(9, 0) == "The record matches the game that was played: all 9 moves."
    assert verdict(9, 1) == "The record differs from the game that was played in one place, of 9 moves."
    assert verdict(9, 2).endswith("in 2 places, of 9 moves.")
