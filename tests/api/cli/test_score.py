import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scorer.games.scoring import typed, worth
from tests.api.conftest import Muggins


def objects(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.parametrize(
    ("typed", "total"),
    [
        ("cribbage-dice 4 10 10 11 --starter 5", 8),
        ("cribbage-dice 5 4 10 10 11 --starter 5", 8),
        ("cribbage-dice 1 2 10 10 11 4 --starter 5", 10),
        ("domino-cribbage 3-0 4-0 3-1 3-2 --starter 4-1", 16),
        ("cards 5H 5D 5S JC --starter 5C", 29),
        ("cards 2H 4H 6H 8H --starter KC --rules crib=true", 0),
        ("crib-dice 5 1 6 6 6 --point 5 --frozen 2", 5),
        ("farkle-crib 1 3 1 5 4 6 --set-aside 1-5", 2),
        ("farkle-crib 2 2 2 2 4 4 --rules bonus=three-pairs --rules three_pairs_4_2=yes", 10),
    ],
)
def test_a_hand_typed_in_is_scored(muggins: Muggins, typed: str, total: int) -> None:
    done = muggins("score", *typed.split(), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (told,) = objects(done.stdout)
    assert (told["game"], told["total"]) == (typed.split()[0], total)
    assert sum(item["points"] for item in told["items"]) == (total if told["outcome"] == "counted" else 0)


@pytest.mark.parametrize(
    ("typed", "choices"),
    [
        ("farkle-crib 1 2 6 3 3 3", [([3, 3, 3, 1], 8), ([3, 3, 3], 6), ([1], 2)]),
        ("crib-dice 5 5 2 2 1 4 6", [([5, 5], 2), ([2, 2], 2)]),
    ],
)
def test_choices_are_listed_best_first(muggins: Muggins, typed: str, choices: list[tuple[list[int], int]]) -> None:
    (told,) = objects(muggins("score", *typed.split(), "--json").stdout)
    assert [(choice["pieces"], choice["points"]) for choice in told["choices"]] == choices


def test_people_hear_it_counted_and_see_what_makes_it(muggins: Muggins) -> None:
    wide = {**os.environ, "COLUMNS": "200"}
    done = muggins("score", "cards", "5H", "5D", "5S", "JC", "--starter", "5C", env=wide)
    assert done.returncode == 0
    assert done.stdout.startswith("Fifteen two, fifteen four,")
    assert "and one for his nobs is twenty-nine." in done.stdout
    assert "│ four of a kind │ 5H 5D 5S 5C │ 12     │" in done.stdout


@pytest.mark.parametrize(
    ("hand", "summary"),
    [
        (
            "domino-cribbage 3-0 4-0 3-1 3-2",
            "Without a starter, a pair is two, a run of three is five, and a run of three is eight.",
        ),
        ("cards 5H 6H 9D KC", "Without a starter, fifteen two, fifteen four."),
    ],
)
def test_a_hand_without_a_starter_says_so(muggins: Muggins, hand: str, summary: str) -> None:
    told = " ".join(muggins("score", *hand.split()).stdout.split())  # in whatever width
    assert told.startswith(f"{summary} ")
    assert "without a starter scores" in told


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("whist 1 2", "There is no game 'whist' here."),
        ("cards", "Nothing to score"),
        ("cards 5H --batch hands.txt", "pass no values"),
        ("cards --batch no-such-file", "Cannot read 'no-such-file': No such file or directory."),
        ("cards 5H 5D 5S JC 5C", "Give four, and the starter separately"),
        ("cards 5H 5D 5S JC --starter 5", "'5' is no card"),
        ("cribbage-dice 4 10 10 11 --starter 0", "No die shows 0"),
        (
            "cribbage-dice 4 10 10 11 9 --starter 5",
            "but none of the dice does. It may not be rolled again: look whether it was turned, or correct the dice.",
        ),
        ("crib-dice 5 5 --point 0 --frozen 0", "The point is a value from 1 to 6, not 0."),
        ("farkle-crib 1 2 --set-aside one", "Write the values such as 1-5-5."),
        ("farkle-crib 1 2 --rules bonus=flush", "bonus cannot be 'flush': it is any of"),
        ("farkle-krib 1 2", "Did you mean 'farkle-crib'?"),
        ("farkle-crib 1 2 --rules bonnus=all", "Did you mean 'bonus'?"),
        ("farkle-crib 1 2 --rules bonus", "write an option as name=value"),
        ("farkle-crib 1 2 --starter 1", "farkle-crib has no starter"),
    ],
)
def test_what_cannot_be_scored_gets_one_clear_line(muggins: Muggins, typed: str, complaint: str) -> None:
    done = muggins("score", *typed.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1


BATCH = """\ufeff# The best hand there is, twice
5H 5D 5S JC --starter 5C

5H 5D 5S JC / 5C   # for short
5H 5D 5S
6H 6D 6S 7C
5H 5D 5S JC --starter
5H 5D 5S JC --rules crib=true
"""


def test_a_batch_scores_a_hand_a_line_and_names_the_bad_ones(muggins: Muggins, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(BATCH, "utf-8")
    done = muggins("score", "cards", "--batch", file)
    told = objects(done.stdout)
    assert (done.returncode, done.stderr) == (2, "")
    best = worth("cards", ["5H", "5D", "5S", "JC"], starter="5C").to_json()
    assert told[:2] == [best, best]
    assert told[3]["total"] == 6
    trouble = {bad["line"]: bad["error"]["code"] for bad in told if "error" in bad}
    assert trouble == {5: "wrong-count", 7: "no-value", 8: "unknown-option"}


def test_a_batch_comes_from_standard_input_with_options_of_its_own(muggins: Muggins) -> None:
    lines = "5 1 6 6 6 --point 5 --frozen 2\n5 6\n"
    done = muggins("score", "crib-dice", "--batch", "-", "--point", "5", "--frozen", "5", input=lines)
    assert done.returncode == 0
    assert [(told["outcome"], told["total"]) for told in objects(done.stdout)] == [("safe", 5), ("piddle-won", 15)]


def test_a_batch_answers_each_line_as_it_comes(command: list[str]) -> None:
    with subprocess.Popen(
        [*command, "score", "farkle-crib", "--batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for value, points in ((1, 2), (5, 1)):
            running.stdin.write(f"{value}\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["total"] == points
        running.stdin.close()


def test_the_batch_is_explained(muggins: Muggins) -> None:
    told = muggins("score", "--help", env={**os.environ, "COLUMNS": "200"}).stdout
    assert all(game in told for game in typed())
    assert "--starter 5C" in told


def test_nothing_heavy_is_imported_to_score(command: list[str]) -> None:
    # (pydantic is not among them: the newest typer checks its own values with it, in every command.)
    heavy = {
        "cv2",
        "fastapi",
        "numpy",
        "onnxruntime",
        "PIL",
        "pydantic",
        "rich",
        "uvicorn",
        "vision",
        "models",
        "api.interpret.schemas",
    }
    code = (
        "import sys; sys.argv = ['muggins', 'score', 'cards', '5H', '5D', '5S', 'JC', '--starter', '5C', '--json']\n"
        "from api.cli.main import main\n"
        "try: main()\n"
        f"except SystemExit as left: print(left.code, sorted({heavy} & set(sys.modules)))"
    )
    scored, imported = subprocess.check_output([command[0], "-c", code], text=True).splitlines()
    assert json.loads(scored)["total"] == 29
    assert imported == "0 []"
