"""A game played along with rolls: its record, what is said, and what is marked as inferred."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from api.evidence.throws import reading_of
from api.film.game_tracker import GameTracker, observation_of
from scorer.camera.follower import Observation
from scorer.engine.record import Record
from scorer.errors import ScorerError
from scorer.games.registry import GAMES
from scorer.pieces.tiles import Tile
from tests.api.conftest import Muggins
from tests.api.film.rolls import laid, roll
from tests.api.table import d12, face_down
from tests.scorer.filmed import TEMPERS, filmed
from vision.reading import Doubt
from vision.watch.events import Roll

BEGUN = "2026-11-21T20:15:00+00:00"
NAMES = ("Ann", "Ben")
A_TURN = (roll(1, [1, 2, 2, 4, 5, 5, 6]), roll(2, [1, 3, 5, 6, 6], [5, 5]), roll(3, [1, 1, 2, 3, 4, 5, 6]))


def tracker(*rolls: Roll, rules: Sequence[str] = ("opening_roll=false",), game: str = "crib-dice") -> GameTracker:
    table = GameTracker(game, rules, NAMES, BEGUN)
    for each in rolls:
        table.saw(each)
    return table


def marks(record: Record) -> list[tuple[str, bool, int]]:
    """Each move, whether it is inferred, and by which frame."""
    return [
        (str(entry.move), bool((entry.corrected or {}).get("inferred")), (entry.corrected or {})["watched"]["frame"])
        for entry in record.entries
    ]


def test_a_turn_becomes_a_record() -> None:
    record = tracker(*A_TURN).record()
    assert marks(record) == [
        ("throw 1 2 2 4 5 5 6", False, 10),
        ("point 5", False, 20),
        ("throw 1 3 5 6 6", False, 20),
        ("stop", False, 30),
        ("throw 1 1 2 3 4 5 6", False, 30),
    ]
    assert record.state.holes == (5, 0)
    assert (record.header.date, record.header.players) == (BEGUN, NAMES)


def test_what_was_read_stands_beside_a_throw() -> None:
    unsure = roll(2, [1, 3, 5, 6, 6], [5, 5], (Doubt("uncertain-value", "It may be a 4.", 2),))
    record = tracker(A_TURN[0], unsure).record()
    seen = [reading_of(entry.seen) for entry in record.entries]
    assert seen == [A_TURN[0].reading, None, unsure.reading]
    assert not seen[2].sure  # type: ignore[union-attr]


def test_the_record_is_one_that_replays(tmp_path: Path, muggins: Muggins) -> None:
    """And the story says which move was inferred, as the record does."""
    record = tracker(roll(1, [1, 2, 2, 4, 6, 6, 6]), roll(2, [1, 1, 2, 3, 4, 5, 6])).record()
    assert Record.load(record.text, record.head) == record
    file = tmp_path / "game.jsonl"
    file.write_text(record.text, "utf-8")
    wide = {"COLUMNS": "200", "PYTHONUTF8": "1"}
    story = muggins("replay", file, env=wide)
    assert story.returncode == 0, story.stderr
    assert re.findall(r"(\w+ \d+) \(inferred\)", story.stdout) == ["point 6"]
    assert "After move 2, point 6 (inferred):" in muggins("replay", file, "--at", 2, env=wide).stdout
    steps = [json.loads(line) for line in muggins("replay", file, "--json").stdout.splitlines()]
    assert [(step["played"], step["inferred"]) for step in steps] == [
        ([], False),
        (["throw 1 2 2 4 6 6 6"], False),
        (["point 6"], True),
        (["stop"], False),
        (["throw 1 1 2 3 4 5 6"], False),
    ]


def test_what_is_said() -> None:
    table = tracker()
    first, second, third = (table.saw(each) for each in A_TURN)
    assert first.lines == ("Ann throws 1-2-2-4-5-5-6.",)
    assert second.lines[0] == "Ann has two 5s frozen, 2 points this turn."
    assert "Ann pegs 5 points, to hole 5." in third.lines
    assert third.snapshot["to_act"] == 1
    assert [pegs["back"] for pegs in third.snapshot["board"]["pegs"]] == [5, 0]


def test_what_is_inferred_is_said_so() -> None:
    table = tracker(roll(1, [1, 2, 2, 4, 6, 6, 6]))
    said = table.saw(roll(2, [1, 1, 2, 3, 4, 5, 6]))
    assert said.lines[0] == "Ann has three 6s frozen, 6 points this turn (inferred)."
    assert marks(table.record())[1] == ("point 6", True, 20)


def test_doubts_and_unexplained_rolls_are_said() -> None:
    table = tracker(A_TURN[0])
    doubtful = roll(2, [1, 3, 3], [6, 6], (Doubt("uncertain-value", "It may be a 4.", 2),))
    lines = table.saw(doubtful).lines
    assert lines[0] == "Please look: Die 3: It may be a 4."
    assert lines[1].startswith("Roll 2: 1-3-3 beside 6-6 is no play of the game: Ann: choose your point")
    assert table.saw(A_TURN[1]).lines[0] == "Ann has two 5s frozen, 2 points this turn."
    assert table.finish()[-1] == "1 of 3 rolls fit no play of the game; they are not in the record."


def test_a_film_need_not_show_the_opening_roll() -> None:
    table = GameTracker("crib-dice", [], NAMES, BEGUN)
    first, *_ = [table.saw(each) for each in A_TURN]
    assert first.lines == (
        "No opening roll was seen; Ann begins. --rules opening_roll=true insists on one.",
        "Ann throws 1-2-2-4-5-5-6.",
    )
    assert table.record() == tracker(*A_TURN).record()
    assert Record.load(table.record().text) == table.record()
    assert table.in_hindsight()[1].lines == ("Ann throws 1-2-2-4-5-5-6.",)


def test_rolls_before_the_first_that_fits_tell_nothing_of_the_opening() -> None:
    table = GameTracker("crib-dice", [], NAMES, BEGUN)
    said = [table.saw(each) for each in (roll(9, [1, 2, 3]), *A_TURN)]
    assert "roll two dice for who goes first" in said[0].lines[0]
    assert "No opening roll was seen" in said[1].lines[0]
    assert marks(table.record()) == marks(tracker(*A_TURN).record())
    assert table.finish()[-1] == "1 of 4 rolls fit no play of the game; they are not in the record."


@pytest.mark.parametrize("rules", [["opening_roll=true"], ["finish=61", " opening_roll = on"]])
def test_an_opening_roll_that_was_chosen_is_insisted_on(rules: Sequence[str]) -> None:
    table = GameTracker("crib-dice", rules, NAMES, BEGUN)
    assert "roll two dice for who goes first" in table.saw(A_TURN[0]).lines[0]
    assert table.record().moves == ()


def test_an_opening_roll_that_was_seen_counts() -> None:
    table = GameTracker("crib-dice", [], NAMES, BEGUN)
    said = [table.saw(each) for each in (roll(1, [1, 2]), roll(2, [1, 2, 2, 4, 5, 5, 6]), roll(3, [5, 6]))]
    assert said[0].lines == ("Ann rolls 1-2, 3 in all.",)
    assert "is no play of the game" in said[1].lines[0]
    assert said[2].lines[-1] == "Ben goes first."


@pytest.mark.parametrize(
    ("game", "first"),
    [
        ("farkle", roll(1, [1, 2, 2, 4, 5, 6])),
        ("farkle-crib", roll(1, [1, 2, 2, 4, 5, 6])),
        ("cribbage-dice", roll(1, [d12(value) for value in (5, 4, 10, 10, 11)])),
        ("domino-cribbage", laid(1, "3-0 3-1 3-2 4-0 6-5 6-6")),
    ],
)
def test_every_game_is_followed_without_its_opening_roll(game: str, first: Roll) -> None:
    table = GameTracker(game, [], NAMES, BEGUN)
    assert table.saw(first).lines[0].startswith("No opening roll was seen; Ann begins.")
    assert table.record().moves
    assert table.record().header.rules.to_json()["opening_roll"] is False


def test_second_thoughts_are_told() -> None:
    """A point that was believed is another one once the end of the game is seen."""
    table = GameTracker("cribbage-dice", ["opening_roll=false"], NAMES, BEGUN)
    first = table.saw(roll(1, [d12(value) for value in (5, 4, 10, 10, 11)]))
    believed = str(table.record().moves[0])
    lines = table.saw(roll(2, [d12(7), d12(8), d12(9), d12(12)], [d12(11)])).lines
    assert first.lines
    assert believed != "throw 11 4 5 10 10"
    assert lines[0] == f"Revised: not {believed}."
    assert [str(move) for move in table.record().moves][:2] == ["throw 11 4 5 10 10", "keep"]


def test_in_hindsight_nothing_is_thought_twice() -> None:
    table = GameTracker("cribbage-dice", ["opening_roll=false"], NAMES, BEGUN)
    first = table.saw(roll(1, [d12(value) for value in (5, 4, 10, 10, 11)]))
    second = table.saw(roll(2, [d12(7), d12(8), d12(9), d12(12)], [d12(11)]))
    told = table.in_hindsight()
    assert list(told) == [1, 2]
    assert told[1].lines != first.lines
    assert not any("Revised" in line for said in told.values() for line in said.lines)
    assert told[2].snapshot == second.snapshot


def test_in_hindsight_a_wipeout_is_the_last_that_is_said_of_its_roll() -> None:
    """Films show the last sentences, as many as fit; whose turn it is, the score beside them shows."""
    table = tracker(A_TURN[0], roll(2, [2, 3, 4, 6, 6], [5, 5]), roll(3, [1, 1, 2, 3, 4, 5, 6]))
    told = table.in_hindsight()
    assert told[2].lines[-1] == "Ann throws 2-3-4-6-6: no 5 and no 1, a wipeout; the turn's 2 points are lost."
    assert told[2].snapshot["to_act"] == 1


def test_in_hindsight_unexplained_rolls_are_still_told() -> None:
    table = tracker(A_TURN[0], roll(4, [1, 3, 3], [6, 6]), A_TURN[1])
    told = table.in_hindsight()
    assert told[4].lines[0].startswith("Roll 4: 1-3-3 beside 6-6 is no play of the game")
    assert told[4].snapshot == told[1].snapshot
    assert told[2].lines[0] == "Ann has two 5s frozen, 2 points this turn."


def test_the_end_is_the_end_of_the_game() -> None:
    table = tracker(roll(1, [1, 2, 2, 4, 5, 5, 5]), rules=("opening_roll=false", "finish=4", "final_turns=at_once"))
    said = table.finish()
    assert table.record().result is not None
    assert any("Ann" in line and "(inferred)" in line for line in said)
    assert table.settled == table.record()


def test_what_stands_for_good_only_grows() -> None:
    table = tracker()
    before = table.settled
    for each in A_TURN:
        table.saw(each)
        assert table.settled.lines[: len(before.lines)] == before.lines
        before = table.settled
    assert len(before.moves) == 5


def test_pieces_of_other_kinds_do_not_play() -> None:
    table = tracker(roll(1, [1, 2, 2, 4, 5, 5, 6, d12(3), face_down()]))
    assert [str(move) for move in table.record().moves] == ["throw 1 2 2 4 5 5 6"]


def test_the_starter_is_the_odd_die() -> None:
    seen = roll(1, [d12(5, starter=True), d12(4), d12(10), d12(10), d12(11)])
    assert observation_of(seen, "cribbage-dice") == Observation((5, 4, 10, 10, 11), (), 5)


def test_tiles_that_lay_there_already_were_not_laid() -> None:
    assert observation_of(laid(1, "4-0", "3-0 6-6"), "domino-cribbage") == Observation(tiles=(Tile(4, 0),))


def test_a_hand_of_dominoes_is_told_with_its_crib() -> None:
    table = GameTracker("domino-cribbage", ["opening_roll=false"], NAMES, BEGUN)
    names = ["4-1", "3-0", "1-0", "4-0", "2-0", "6-1", "2-1", "1-1", "5-5"]
    for number, name in enumerate(names, start=1):
        said = table.saw(laid(number, name, " ".join(names[: number - 1])))
        assert said.lines == ("The deal was not seen; this hand is scored once the crib is turned over.",)
    said = table.saw(laid(10, "0-0 6-6 2-2 6-5", " ".join(names)))
    assert "Ben deals the next hand." in said.lines
    record = table.record()
    assert Record.load(record.text) == record
    told = {entry.move.verb: entry for entry in record.entries if entry.move}
    assert (told["deal"].seen, told["deal"].corrected) == (
        None,
        {"watched": {"frame": 100, "time": 5.0}, "inferred": True},
    )
    assert told["starter"].corrected == {"watched": {"frame": 10, "time": 0.5}}


def test_a_tile_of_another_set_is_not_counted() -> None:
    table = GameTracker("domino-cribbage", [], NAMES, BEGUN)
    said = table.saw(laid(1, "9-9"))
    assert "Not counted." in said.lines[0]
    assert table.record().moves == ()


@pytest.mark.parametrize("players", [("Ann",), ("Ann", "Ann"), ("Ann", "B\x1b[1m")])
def test_players_that_cannot_play(players: tuple[str, ...]) -> None:
    with pytest.raises(ScorerError):
        GameTracker("crib-dice", [], players, BEGUN)


def test_a_whole_game() -> None:
    game = GAMES["crib-dice"]
    film = filmed(game, game.rules(finish=61), 2, TEMPERS["bold"], Random(3))
    table = GameTracker("crib-dice", ["finish=61"], NAMES, BEGUN)
    for number, observation in enumerate(film.observations, start=1):
        table.saw(roll(number, observation.thrown, observation.still))
    table.finish()
    assert table.record().moves == film.moves
    assert table.record().result == film.end.result
    assert Record.load(table.record().text) == table.record()
