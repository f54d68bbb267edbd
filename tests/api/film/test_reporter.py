"""What the person who waits is told of a roll."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from api.film.reporter import TextReporter, roll_text
from tests.api.film.rolls import roll
from tests.api.table import tile
from vision.reading import Doubt
from vision.watch.events import Change

UNSURE = roll(2, [3, 1], [6], (Doubt("uncertain-value", "It may be a 4.", 2),))


def told(event, *said: str) -> list[str]:  # type: ignore[no-untyped-def]
    out = StringIO()
    TextReporter(Console(file=out, width=200)).tell(event, said)
    return out.getvalue().splitlines()


def test_without_a_game_a_doubt_is_told_with_its_reason() -> None:
    line, reason = told(UNSURE)
    assert line.endswith("roll 2: 1 3, beside 6?  please look")
    assert reason.strip() == "Die 3: It may be a 4."


def test_a_game_has_said_it_already() -> None:
    assert [line.strip() for line in told(UNSURE, "Please look: Die 3: It may be a 4.", "Ann throws 1-3.")][1:] == [
        "Please look: Die 3: It may be a 4.",
        "Ann throws 1-3.",
    ]


def test_a_question_mark_stands_at_the_die_or_tile_in_doubt_and_at_no_other() -> None:
    doubts = (Doubt("uncertain-value", "", 0), Doubt("uncertain-value", "", None, 1), Doubt("first-frame", ""))
    assert roll_text(roll(1, [3, 1, 3, tile("1-0"), tile("6-5")], (), doubts)) == "1 3? 3 1-0 6-5?"


def test_a_change_of_state_is_worth_no_line() -> None:
    assert told(Change("rolling", 1, 0.1)) == []
