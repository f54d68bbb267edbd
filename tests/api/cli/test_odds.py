"""`muggins odds` and `muggins advise`, as a process: what people read, the JSON, and what is refused."""

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.main import application
from tests.api.conftest import Muggins

BELL = ("3-0", "4-0", "3-1", "3-2", "6-6", "0-0")


def told(muggins: Muggins, *arguments: str) -> Any:
    done = muggins(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def read(muggins: Muggins, *arguments: str) -> list[str]:
    done = muggins(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


# Odds


@pytest.mark.parametrize(
    ("hands", "total", "maximum"),
    [("cards", 12_994_800, 29), ("domino-cribbage", 98_280, 24), ("cribbage-dice", 248_832, 40)],
)
def test_hands_as_json(muggins: Muggins, hands: str, total: int, maximum: int) -> None:
    found = told(muggins, "odds", "hands", hands)
    histogram = {int(score): count for score, count in found["histogram"].items()}
    assert (found["game"], found["total"], found["maximum"]) == (hands, total, maximum)
    assert sum(histogram.values()) == total
    assert Fraction(found["mean_exact"]) == Fraction(sum(score * count for score, count in histogram.items()), total)
    assert found["mean"] == float(Fraction(found["mean_exact"]))


def test_hands_for_people_have_every_row_of_the_texts_table(muggins: Muggins) -> None:
    first, *table = read(muggins, "odds", "hands", "cards")
    assert first == "12,994,800 card hands: 4.769 points on average, 29 at most."
    rows = [row.split("│")[1:4] for row in table if row.startswith("│")]
    assert [int(score) for score, _, _ in rows] == list(range(30))
    assert [cell.strip() for cell in rows[2]] == ["2", "2,813,796", "21.6532%"]
    assert [cell.strip() for cell in rows[19]] == ["19", "0", "none"]


def test_the_double_blank_in_fifteens_changes_the_hands(muggins: Muggins) -> None:
    without = told(muggins, "odds", "hands", "domino-cribbage", "--rules", "blank_in_fifteens=no")
    assert without["rules"] == {"blank_in_fifteens": "false"}
    assert without["mean"] < told(muggins, "odds", "hands", "domino-cribbage")["mean"]


def test_a_turn_of_farkle_crib(muggins: Muggins) -> None:
    found = told(muggins, "odds", "turn", "farkle-crib")
    # Of one or two dice neither a 1 nor a 5; of three also no triple: (4 ** 3 - 4) / 6 ** 3.
    assert {dice: found["p_farkle"][dice] for dice in "123"} == {"1": "2/3", "2": "4/9", "3": "5/18"}
    assert list(found["p_farkle"]) == list("123456")
    assert float(Fraction(found["expected_exact"])) == found["expected"] == pytest.approx(8.9297, abs=1e-4)
    bonuses = told(muggins, "odds", "turn", "farkle-crib", "--rules", "bonus=all", "--rules", "three_pairs_4_2=yes")
    assert set(bonuses["rules"]) == {"bonus", "three_pairs_4_2"}
    assert bonuses["expected"] > found["expected"]


def test_a_turn_of_crib_dice(muggins: Muggins) -> None:
    found = told(muggins, "odds", "turn", "crib-dice")
    assert float(Fraction(found["expected_exact"])) == found["expected"]
    assert found["p_piddle"]["won_in_the_end"] == "6/7"
    rows = {(row["point"], row["frozen"]): row["go_on_up_to"] for row in found["policy"]}
    first, *table = read(muggins, "odds", "turn", "crib-dice")
    assert first.startswith(f"Under best play a turn brings {found['expected']:.3f} points on average")
    fours = next(row for row in table if re.match(r"│ +4 │", row))
    shown = [cell.strip() for cell in fours.split("│")[2:-1]]
    assert shown == ["stop" if rows[4, dice] is None else f"to {rows[4, dice]}" for dice in range(2, 7)]
    assert any("8/27" in row and "125/216" in row for row in table)


def test_a_turn_of_cribbage_dice_by_its_rolls(muggins: Muggins) -> None:
    one, two = (told(muggins, "odds", "turn", "cribbage-dice", "--rolls", rolls) for rolls in "12")
    three = told(muggins, "odds", "turn", "cribbage-dice")
    # A single roll leaves nothing to decide: it is the mean of all throws of five.
    assert one["expected_exact"] == told(muggins, "odds", "hands", "cribbage-dice")["mean_exact"]
    assert one["expected"] < two["expected"] < three["expected"]
    assert three["rolls"] == 3
    assert f"{three['expected']:.3f} points on average" in read(muggins, "odds", "turn", "cribbage-dice")[0]


# Advice


@pytest.mark.parametrize(
    ("situation", "best", "worth"),
    [
        (("crib-dice", "--point", "5", "--frozen", "4", "--banked", "4"), "stop", None),
        (("crib-dice", "5", "5", "2", "2", "1", "4", "6"), "point 5", None),
        (("crib-dice", "--point", "6", "--frozen", "2", "6", "1", "2", "3", "4"), "throw", None),
        (("farkle-crib", "1", "2", "6", "3", "3", "3"), "keep 1 3 3 3, stop", 8),
        (("farkle-crib", "--points", "25", "--to-throw", "4"), "stop", 25),
        (("cribbage-dice", "4", "10", "10", "11", "--starter", "5", "--rolls-left", "2"), "keep 10 10 11", None),
        (("cribbage-dice", "10", "10", "10", "11", "--starter", "5", "--rolls-left", "0"), "stop", 14),
        (("domino-cribbage", *BELL, "--dealer"), "discard 0-0 6-6", None),
        (("domino-cribbage", *BELL), "discard 0-0 6-6", None),
    ],
)
def test_advice_is_sorted_exact_and_says_why(
    muggins: Muggins, situation: tuple[str, ...], best: str, worth: int | None
) -> None:
    found = told(muggins, "advise", *situation)
    worths = [Fraction(one["worth_exact"]) for one in found["alternatives"]]
    assert (found["game"], found["best"], found["alternatives"][0]["move"]) == (situation[0], best, best)
    assert worths == sorted(worths, reverse=True)
    assert worth in (None, worths[0])
    assert found["why"].endswith(".")
    for one in found["alternatives"]:
        assert one["worth"] == float(Fraction(one["worth_exact"]))
        assert all(0 <= chance <= 1 for chance in one["chances"].values())


def test_people_read_why_first_then_every_alternative(muggins: Muggins) -> None:
    situation = ("crib-dice", "--point", "5", "--frozen", "3", "--banked", "12")
    why, *table = read(muggins, "advise", *situation)
    assert why == told(muggins, "advise", *situation)["why"]
    assert "worth 16.98 points on average, against the 17 you have" in why
    assert any(re.search("stop and peg 17 points.*17.00", row) for row in table)
    assert any(re.search("throw four dice.*16.98.*20%", row) for row in table)
    assert "Worth: expected points of the turn." in table


def test_points_are_not_shown_as_percent(muggins: Muggins) -> None:
    assert "%" not in "".join(read(muggins, "advise", "domino-cribbage", *BELL))
    best = told(muggins, "advise", "domino-cribbage", *BELL)["alternatives"][0]
    assert best["chances"] == {}
    assert best["worth"] == pytest.approx(
        best["points"]["hand"] - best["points"]["crib"] - best["points"]["double_starter"]
    )


def test_options_of_the_game_change_the_advice(muggins: Muggins) -> None:
    throw = ("cribbage-dice", "4", "10", "10", "11", "--starter", "5", "--rolls-left", "1", "--kept", "4-10")
    bound = told(muggins, "advise", *throw, "--rules", "once_kept=true")
    assert {one["move"] for one in bound["alternatives"]} == {"stop", "keep 4 10", "keep 4 10 10", "keep 4 10 11"}
    free = muggins("advise", *throw, "--json")
    assert (free.returncode, free.stdout) == (2, "")
    assert "once_kept=true" in free.stderr


def test_a_race_is_played_for_the_win(muggins: Muggins) -> None:
    # The last turn, on a short board: 5 holes behind, 3 points win nothing, however sure they are.
    last = ("advise", "farkle-crib", "1", "5", "--points", "1", "--race", "27,33", "--answer", "--rules", "finish=31")
    found = told(muggins, *last)
    worths = {one["move"]: one["worth"] for one in found["alternatives"]}
    assert found["best"] == "keep 1 5, throw"
    assert worths["keep 1 5, stop"] == 0 < worths["keep 1 5, throw"] < 1
    assert all("worth_exact" not in one for one in found["alternatives"])
    assert {key: found["race"][key] for key in ("mine", "theirs", "answer")} == {
        "mine": 27,
        "theirs": 33,
        "answer": True,
    }
    assert 0 < found["race"]["typical_error"] < found["race"]["error"] < 0.01
    done = muggins(*last)
    assert done.stderr == "Playing the race out. This can take a minute.\n"
    why, *table = done.stdout.splitlines()
    assert "% of the games" in why
    assert table[-1].startswith("Chances to win are accurate to 0.01% on average and 0.3% at worst")


def test_streaks_count_in_a_race_of_crib_dice(muggins: Muggins) -> None:
    race = ("advise", "crib-dice", "--point", "1", "--frozen", "4", "--race", "5,5", "--rules", "finish=12")
    fresh, threatened = (told(muggins, *race, "--streaks", streaks) for streaks in ("0,0", "2,0"))
    worths = [{one["move"]: one["worth"] for one in found["alternatives"]} for found in (fresh, threatened)]
    assert worths[0]["stop"] == worths[1]["stop"]
    assert worths[0]["throw"] > worths[1]["throw"]


# Refusals


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("odds hands bridge", "Choose one of cards, cribbage-dice, domino-cribbage."),
        ("odds hands cards --rules crib=yes", "No option changes the hands of cards"),
        ("odds turn domino-cribbage", "crib-dice|cribbage-dice|farkle|farkle-crib"),
        ("odds turn crib-dice --rolls 2", "No such option: --rolls"),
        ("odds turn crib-dice --rules bomp=yes", "There is no option 'bomp' here."),
        ("odds turn crib-dice --rules bomb=maybe", "bomb cannot be 'maybe': it is true or false."),
        ("advise bridge 1 2", "crib-dice|cribbage-dice|domino-cribbage|farkle|farkle-crib|muggins"),
        ("advise crib-dice 1 2 3", "The first throw of a turn is 7 dice, and 3 dice were read."),
        ("advise crib-dice --point 5", "point and frozen go together"),
        ("advise crib-dice 5 5 2 2 1 4 7", "No die shows 7"),
        ("advise crib-dice --answer", "--streaks and --answer need --race"),
        ("advise crib-dice --race 121,5", "The player to move stands at hole 0 to 120"),
        ("advise crib-dice --race forty,5", "--race 'forty,5' is not a list of numbers. Example: --race 40,55."),
        ("advise crib-dice --race 40", "--race takes two numbers"),
        ("advise farkle-crib 2 2 3 3 4 4", "Nothing scores: a farkle, and the turn is over."),
        ("advise farkle-crib 1 5 5", "With fewer, also give the points set aside earlier"),
        (
            "odds turn farkle --banked -5 --rules opening_score=500",
            "The score before the turn must be 0 or more, got -5.",
        ),
        ("advise farkle 1 2 6 3 3 3 --banked -50", "The score before the turn must be 0 or more, got -50."),
        ("advise farkle 1 2 6 3 3 3 --points -300", "Turn points must be 0 or more, got -300."),
        ("advise farkle --points 300 --to-throw 9", "A throw is 1 to 6 dice, not 9."),
        ("advise farkle-crib --points 10 --to-throw 0", "A throw is 1 to 6 dice, not 0."),
        ("advise farkle-crib 1 5 5 --points 3 --to-throw 2", "3 dice are already thrown"),
        ("advise farkle-crib --to-throw 9 --points 3", "A throw is 1 to 6 dice, not 9."),
        ("advise cribbage-dice 4 10 10 11 --starter 5 --rolls-left 3", "A turn has 3 rolls at most"),
        ("advise cribbage-dice 4 10 10 11 --rolls-left 1", "Missing option '--starter'"),
        ("advise domino-cribbage 3-0 4-0 3-1 3-2 6-6 0", "'0' is no tile: write its two ends like 3-0."),
        ("advise domino-cribbage 3-0 4-0", "2 are named: name all."),
    ],
)
def test_bad_input_is_refused_in_a_sentence(arguments: str, says: str) -> None:
    # In this process: so many starts of the command take long, and the next test makes one.
    done = CliRunner().invoke(application(), arguments.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert isinstance(done.exception, SystemExit)
    assert "".join(says.split()) in unboxed(done.stderr)


def test_a_refusal_of_the_command_itself(muggins: Muggins) -> None:
    done = muggins("advise", "crib-dice", "1", "2", "3", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "and3dicewereread." in unboxed(done.stderr)


def unboxed(message: str) -> str:
    """The message without blanks and the box around it, which breaks lines, and words at a hyphen too."""
    return re.sub(r"[│╭╮╰╯─\s]", "", message)
