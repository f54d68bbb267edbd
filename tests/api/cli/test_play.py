"""`muggins play` and `muggins replay`: the real command, real files, whole games."""

from __future__ import annotations

import json
import resource
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from api.cli.table.boards import board_lines, choices_lines, labels
from api.evidence.keys import short
from api.files.record_file import RecordFile
from scorer.engine.board import Board, Pegs, ScoreSheet
from scorer.engine.record import Header, Record
from scorer.engine.snapshot import snapshot
from scorer.games.domino_cribbage.rules import Rules as DominoRules
from scorer.games.registry import GAMES, game_named
from tests.api.conftest import Muggins

ONE_ROUND = "\na\nstop\n"
"""Enter throws or draws, a takes the first choice, stop stops; what is not possible at the moment is refused."""
AS_A_PLAYER_MIGHT = ONE_ROUND * 500


def objects(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def loaded(file: Path) -> Record:
    return Record.load(file.read_text())


@pytest.fixture
def played(muggins: Muggins, tmp_path: Path) -> Callable[..., Path]:
    """Plays a short game of Crib Dice by these answers and gives its record."""

    def play(*answers: str, name: str = "game.jsonl", players: str = "Ann,Ben") -> Path:
        typed = "".join(f"{answer}\n" for answer in answers)
        file = tmp_path / name
        start = ("play", "crib-dice", "--players", players, "--rules", "finish=21", "--seed", 3)
        done = muggins(*start, "--record", file, input=typed)
        assert done.returncode == 0, done.stderr
        return file

    return play


class Terminal:
    """A program that plays along: a line in, an object out."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.first = self._object()

    def say(self, text: str) -> dict[str, Any]:
        assert self.process.stdin
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()
        return self._object()

    def _object(self) -> dict[str, Any]:
        assert self.process.stdout
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


@pytest.fixture
def driven(command: list[str]) -> Callable[..., Any]:
    @contextmanager
    def drive(*arguments: str | Path) -> Iterator[Terminal]:
        pipe = subprocess.PIPE
        whole = [*command, "play", *map(str, arguments), "--json"]
        with subprocess.Popen(whole, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
            yield Terminal(process)

    return drive


# Whole games


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_a_few_keys_and_told_again(muggins: Muggins, tmp_path: Path, game: str) -> None:
    file = tmp_path / "game.jsonl"
    arguments = ("play", game, "--players", "Ann,Ben", "--seed", 7, "--record", file)
    done = muggins(*arguments, input=AS_A_PLAYER_MIGHT, env={"COLUMNS": "100", "PYTHONUTF8": "1"})
    assert (done.returncode, done.stderr) == (0, "")
    record = loaded(file)
    assert record.result
    winner = record.header.players[record.result.winners[0]]
    assert done.stdout.splitlines()[-2:] == [f"{winner} wins.", f"The whole game: muggins replay {file}"]

    told = objects(muggins("replay", file, "--json").stdout)
    assert [each["played"] for each in told] == [[], *([str(move)] for move in record.moves)]
    ends = snapshot(loaded(file))
    assert told[-1] == {**json.loads(json.dumps(ends)), "played": [str(record.moves[-1])]}

    story = muggins("replay", file, env={"COLUMNS": "300", "PYTHONUTF8": "1"}).stdout
    happened = [event for each in told for event in each["events"] if event["name"] != "turn"]
    assert all(event["text"][1:] in story for event in happened)
    assert f"{winner} wins." in story


def test_a_game_that_is_left_and_gone_on_with_is_the_same_game(muggins: Muggins, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    start = ("play", "farkle-crib", "--players", "Ann,Ben", "--seed", 5)
    muggins(*start, "--record", whole, input=AS_A_PLAYER_MIGHT)
    left = muggins(*start, "--record", parts, input=ONE_ROUND * 9)
    moves = len(loaded(parts).moves)
    assert left.returncode == 0
    assert f"Game saved at move {moves}. Resume with: muggins play --record {parts}" in left.stdout
    # The three answers go round: the rest begins where it was left.
    muggins("play", "--record", parts, "--seed", 5, input=AS_A_PLAYER_MIGHT)
    assert 5 < moves < len(loaded(parts).moves)
    assert loaded(parts).moves == loaded(whole).moves
    assert loaded(parts).result


# What may be typed


def test_dice_letters_moves_and_undo(played: Callable[..., Path]) -> None:
    file = played("6 6", "1 2", "5 5 2 2 1 4 6", "b", "undo", "point 5", "throw 6 5 1 3 2", "UNDO", "quit", "stop")
    record = loaded(file)
    assert list(map(str, record.moves)) == ["opening 6 6", "opening 1 2", "throw 1 2 2 4 5 5 6", "point 5"]
    assert [entry.move is None for entry in record.entries].count(True) == 2
    assert str(record.entries[-2].move) == "throw 1 2 3 5 6"


def test_what_is_refused_changes_nothing_and_says_why(driven: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with driven("crib-dice", "--players", "Ann,Ben", "--rules", "opening_roll=false", "--record", file) as driver:
        driver.say("5 5 2 2 1 4 6")
        before = file.read_bytes()
        refused = {text: driver.say(text)["error"] for text in ("point 4", "", "1 2", "z", "{1} {9}", "yes", "0-0-7")}
        assert file.read_bytes() == before
        assert driver.say("moves")["offers"] == driver.say("board")["offers"] != []
        assert "undo" in driver.say("help")["help"]
    assert {text: error["code"] for text, error in refused.items()} | {"point 4": "", "0-0-7": ""} == {
        "point 4": "",
        "": "choice-first",
        "1 2": "choice-first",
        "z": "no-such-choice",
        "{1} {9}": "unreadable-move",
        "yes": "unknown-move",
        "0-0-7": "",
    }
    assert refused["point 4"]["rule"] == "Crib Dice, Play"
    assert "two or more matching dice" in refused["point 4"]["message"]


def test_the_first_die_is_the_starter_and_a_keep_may_go_unsaid(driven: Callable[..., Any], tmp_path: Path) -> None:
    rules = ("--rules", "opening_roll=false", "--record", tmp_path / "game.jsonl")
    with driven("cribbage-dice", "--players", "Ann,Ben", *rules) as driver:
        assert driver.say("5 10 4 11 10")["played"] == ["throw 5 4 10 10 11"]
        assert driver.say("5 10 10 11 7")["played"] == ["keep 10 10 11", "throw 7"]
        assert driver.say("undo")["undone"] == ["throw 7"]
        assert driver.say("throw 5")["prompt"].startswith("Ann: 5-10-10-11 with the starter on 5")
        # All dice shown in a throw of one: which of them is the starter is clear. Nothing thrown is a doubt.
        doubt = driver.say("5 5 10 10 11")["error"]
        assert (doubt["code"], bool(doubt["confirm"])) == ("nothing-thrown", True)
        assert driver.say("yes")["played"] == doubt["confirm"]
    assert loaded(tmp_path / "game.jsonl").entries[-1].corrected == {"confirmed": "nothing-thrown"}


def test_bytes_that_are_no_text_are_refused_like_any_other(played: Callable[..., Path], muggins: Muggins) -> None:
    file = played("6 6")
    done = muggins("play", "--record", file, input=b"\xff\xfe\x00\n\n", text=False)
    assert done.returncode == 0
    assert len(loaded(file).moves) == 2


def test_only_the_player_to_act_sees_his_tiles() -> None:
    header = Header("domino-cribbage", DominoRules(), ("Ann", "Ben"), "2026-11-21T20:15:00+00:00")
    random, record, asked = Random(4), Record.begin(header), 0
    while record.result is None:
        state, legal = record.state, record.game.legal_moves(record.state)
        console = Console(file=StringIO(), width=200)
        for line in choices_lines(record):
            console.print(line)
        shown = set(console.file.getvalue().replace(",", " ").replace(":", " ").split())  # type: ignore[attr-defined]
        hidden = {str(tile) for tile in (*state.left(1 - state.turn), *state.crib)} - {
            str(tile) for tile in state.left(state.turn)
        }
        assert not shown & hidden
        if legal.choices:
            assert {str(tile) for tile in state.left(state.turn)} <= shown
            asked += 1
        chance = legal.chance.sample(random) if legal.chance else None
        record = record.play(chance or random.choice(legal.choices))
    assert asked > 20


# The record on the disk


def test_a_game_killed_between_two_answers_has_lost_nothing(driven: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with driven("domino-cribbage", "--players", "Ann,Ben", "--seed", 2, "--record", file) as driver:
        answers = [driver.say(text) for text in ("", "", "", "", "", "", "a", "a", "", "b", "a")]
        driver.process.kill()
    moves = [move for answer in answers for move in answer.get("played", ())]
    assert len(moves) > 8
    assert list(map(str, loaded(file).moves)) == moves


def test_an_edited_record_is_refused_by_its_line_and_left_alone(played: Callable[..., Path], muggins: Muggins) -> None:
    file = played("6 6", "1 2", "5 5 2 2 1 4 6")
    edited = file.read_text().replace("throw 1 2 2 4 5 5 6", "throw 1 2 2 5 5 5 6")
    file.write_text(edited)
    for command in ("play", "replay"):
        arguments = ("--record", file) if command == "play" else (file,)
        done = muggins(command, *arguments, input="\n\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{file}: Line 4: the line was changed after it was written" in done.stderr
        error = objects(muggins(command, *arguments, "--json").stdout)[0]["error"]
        assert (error["code"], error["line"]) == ("edited-line", 4)
    assert file.read_text() == edited


def test_nothing_is_ever_overwritten(played: Callable[..., Path], muggins: Muggins, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ben,\n")
    done = muggins("play", "crib-dice", "--players", "Ann,Ben", "--record", letter, input="\n")
    assert (done.returncode, letter.read_text()) == (2, "Dear Ben,\n")

    game = played("6 6")
    before = game.read_bytes()
    others: tuple[tuple[str, ...], ...] = (("farkle-crib",), ("--players", "Ben,Ann"), ("--rules", "skunk=true"))
    for other in others:
        refused = muggins("play", *other, "--record", game, input="\n")
        assert (refused.returncode, game.read_bytes()) == (2, before)
        assert "The record is of a game" in refused.stderr

    record, now = loaded(game), datetime(2026, 11, 21, 20, 15)
    names = [RecordFile.create_in(tmp_path, record, now).path.name for _ in range(3)]
    stem = "crib-dice-2026-11-21-201500"
    assert names == [f"{stem}.jsonl", f"{stem}-2.jsonl", f"{stem}-3.jsonl"]


def test_a_name_too_long_to_show_begins_no_game(muggins: Muggins, tmp_path: Path) -> None:
    for length, code in ((40, 0), (41, 2)):
        file = tmp_path / f"{length}.jsonl"
        done = muggins("play", "crib-dice", "--players", f"Ann,{'B' * length}", "--record", file, input="")
        assert (done.returncode, file.exists()) == (code, code == 0)
    assert "has 41. Shorten it." in done.stderr


def test_who_practices_alone_is_not_asked_who_begins(muggins: Muggins, tmp_path: Path) -> None:
    start = ("play", "farkle-crib", "--players", "Ann", "--rules", "finish=31", "--record", tmp_path / "alone.jsonl")
    begun = muggins(*start, input="\n")
    assert begun.returncode == 0, begun.stderr
    assert "who begins" not in begun.stdout
    assert "Ann throws" in begun.stdout
    assert muggins(*start, input="").returncode == 0


def test_a_practice_that_began_with_a_roll_stays_readable() -> None:
    game = game_named("farkle-crib")
    rules = game.rules(opening_roll=True)
    record = Record.begin(Header("farkle-crib", rules, ("Ann",), "2026-11-28T20:15:00+00:00", {}))
    assert record.state.phase == "opening"


def test_two_tables_cannot_write_one_record(driven: Callable[..., Any], played: Callable[..., Path]) -> None:
    file = played("6 6")
    with driven("--record", file) as one, driven("--record", file) as other:
        assert one.say("1 2")["moves"] == 2
        assert "someone else" in other.say("1 3")["error"]["message"]
        assert other.process.wait(10) == 1
    assert list(map(str, loaded(file).moves)) == ["opening 6 6", "opening 1 2"]


def test_a_full_disk_is_said_and_what_was_written_stands(muggins: Muggins, tmp_path: Path) -> None:
    file, room = tmp_path / "game.jsonl", 3000
    done = muggins(
        *("play", "farkle-crib", "--players", "Ann,Ben", "--record", file),
        input=AS_A_PLAYER_MIGHT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 1
    assert f"Cannot write to the record {file}: " in done.stderr
    assert "Traceback" not in done.stderr
    assert len(loaded(file).moves) > 3
    assert len(file.read_bytes()) <= room


# Telling again


def test_one_moment_of_a_game(played: Callable[..., Path], muggins: Muggins) -> None:
    file = played("6 6", "1 2", "5 5 2 2 1 4 6", "point 5", "stop")
    now = objects(muggins("replay", file, "--at", 4, "--json").stdout)
    assert [(each["moves"], each["played"]) for each in now] == [(4, ["point 5"])]
    assert (now[0]["board"]["pegs"][0]["back"], now[0]["board"]["pegs"][0]["front"]) == (0, 2)
    assert "After move 4, point 5:" in muggins("replay", file, "--at", 4).stdout
    beyond = muggins("replay", file, "--at", 6)
    assert (beyond.returncode, beyond.stdout) == (2, "")


def test_several_games_are_a_session(played: Callable[..., Path], muggins: Muggins, tmp_path: Path) -> None:
    one = played(*ONE_ROUND.split("\n") * 50, name="one.jsonl")
    # In the other order at the table the same throws win for the other player.
    other = played(*ONE_ROUND.split("\n") * 50, name="other.jsonl", players="Ben,Ann")
    begun = played("6 6", name="begun.jsonl")
    added = objects(muggins("replay", one, other, begun, "--json").stdout)[-1]["session"]
    assert added["players"] == ["Ann", "Ben"]
    assert (added["games"], added["unfinished"]) == (2, 1)
    assert (added["won"], added["lost"], added["winners"]) == ([1, 1], [1, 1], ["Ann", "Ben"])
    story = muggins("replay", one, other, begun).stdout
    assert "Ann: won 1, lost 1" in story
    assert "Ann and Ben share the session." in story

    twice = muggins("replay", one, other, one)
    assert (twice.returncode, twice.stdout) == (2, "")
    assert "Records 1 and 3 are of the same game" in twice.stderr

    strangers = played(*ONE_ROUND.split("\n") * 50, name="strangers.jsonl", players="Ann,Cid")
    refused = muggins("replay", one, strangers)
    assert (refused.returncode, refused.stdout) == (2, "")


def test_a_head_that_was_kept_finds_lines_cut_off(played: Callable[..., Path], muggins: Muggins) -> None:
    file = played("6 6", "1 2")
    head, lines = loaded(file).head, file.read_text().splitlines(keepends=True)
    assert muggins("replay", file, "--head", head).returncode == 0
    file.write_text("".join(lines[:-1]))
    cut = muggins("replay", file, "--head", head)
    assert (cut.returncode, cut.stdout) == (2, "")
    file.write_text("".join(lines[:-1]) + lines[-1][:20])
    torn = muggins("replay", file)
    assert (torn.returncode, torn.stdout) == (2, "")
    assert "--drop-torn-line" in torn.stderr
    assert muggins("replay", file, "--drop-torn-line").returncode == 0


def test_a_head_is_taken_short_as_verify_prints_it_and_a_mistyped_one_refused(
    played: Callable[..., Path], muggins: Muggins
) -> None:
    file = played("6 6", "1 2")
    kept = short(loaded(file).head)
    for written in (kept, kept.lower().replace("-", " ")):
        assert muggins("replay", file, "--head", written).returncode == 0
    other = muggins("replay", file, "--head", "AAAA-AAAA-AAAA-AAAA")
    assert (other.returncode, other.stdout) == (2, "")
    assert "not the last line that was kept" in other.stderr
    mistyped = muggins("replay", file, "--head", "abc")
    assert (mistyped.returncode, mistyped.stdout) == (1, "")
    assert "'abc' has 3." in mistyped.stderr


def test_a_foreign_record_cannot_command_the_terminal(muggins: Muggins, tmp_path: Path) -> None:
    rules = game_named("crib-dice").rules()
    record = Record.begin(Header("crib-dice", rules, ("\x1b[2JAnn", "Ben"), "\x1b]0;x\x07"))
    file = tmp_path / "foreign.jsonl"
    file.write_text(record.text)
    for arguments in (("replay", file), ("play", "--record", file)):
        done = muggins(*arguments, input="1 1\n")
        assert done.returncode == 0
        assert "\\x1b[2JAnn" in done.stdout
        assert not {"\x1b", "\x07"} & set(done.stdout + done.stderr)


# Drawing


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", "████▒▒··┊·"), ("ascii", "####++..|.")])
def test_a_line_shows_what_is_banked_and_what_runs(encoding: str, expected: str) -> None:
    class Paper(StringIO):
        pass

    Paper.encoding = encoding
    board = Board(36, (Pegs(0, (0,), 0, 15, 22), Pegs(1, (1,), 1, 40, 40)))
    console = Console(file=Paper(), width=20)
    first, second = (line.plain for line in board_lines(board, ("Ann", "Ben"), 0, console))
    assert expected in first
    assert first.endswith("15 +7 = 22  of 36")
    assert second.endswith("40  off the board")


def test_a_score_sheet_has_no_board_to_be_off() -> None:
    sheet = ScoreSheet(10000, (Pegs(0, (0,), 0, 9500, 9500), Pegs(1, (1,), 1, 10050, 10050)))
    first, second = (line.plain for line in board_lines(sheet, ("Ann", "Ben"), 0, Console(file=StringIO(), width=80)))
    assert first.endswith("9500  of 10000")
    assert second.endswith("10050  of 10000")


def test_where_no_score_ends_the_game_the_line_ends_at_the_most_that_anyone_has() -> None:
    sheet = ScoreSheet(0, (Pegs(0, (0,), 0, 13, 13), Pegs(1, (1,), 1, 0, 0)))
    first, second = (line.plain for line in board_lines(sheet, ("Ann", "Ben"), 1, Console(width=80)))
    assert first.endswith("   13")
    assert second.endswith("    0")
    assert list(board_lines(ScoreSheet(0, (Pegs(0, (0,), 0, 0, 0),)), ("Ann",), 0, Console(width=80)))


def test_there_are_letters_for_every_choice() -> None:
    many = labels(64)
    assert many[:2] + many[25:28] == ["a", "b", "z", "aa", "ab"]
    assert len(set(many)) == 64


def test_a_zip_of_evidence_is_not_a_record(muggins: Muggins, tmp_path: Path) -> None:
    file = tmp_path / "evidence.zip"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("record.jsonl", "")
    done = muggins("replay", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == f"{file}: Line 1: this is a zip, not a record. If it is the evidence of a game, use muggins verify.\n"
    )


def test_a_film_or_photo_is_not_a_record(muggins: Muggins, tmp_path: Path) -> None:
    film = Path("api/demo/game.mp4")
    for command in (("replay", film), ("evidence", film, "--out", tmp_path / "e.zip"), ("play", "--record", film)):
        done = muggins(*command)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"{film}: This is a film, not a record. muggins watch reads films, and writes the record of the game with "
            "--game and --record: give that file.\n"
        )
    photo = muggins("replay", "docs/sample-throw.jpg")
    assert "This is a JPEG, not a record. Give the .jsonl file that play or watch wrote." in photo.stderr
    assert not list(tmp_path.iterdir())
