"""What a person at the terminal reads, around readings made by hand."""

from __future__ import annotations

import io
import re

from rich.console import Console

from api.cli.report.photos import Read
from api.cli.report.reading import for_people
from api.interpret.score_request import ScoreRequest, answer
from tests.api.table import d6, d12, face_down, reading, tile
from vision.reading import Doubt, Reading


def told(seen: Reading, request: ScoreRequest | None = None) -> str:
    out = io.StringIO()
    for_people(Console(file=out, width=400))(Read(answer(seen, request or ScoreRequest()), None))
    return out.getvalue()


def cells(text: str) -> list[list[str]]:
    """The rows of the tables."""
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines() if line.startswith("│")]


def test_tiles_get_a_table_with_their_doubts() -> None:
    doubts = (Doubt("uncertain-value", "This may be 3-4.", tile=0), Doubt("first-frame", "It moves."))
    text = told(reading(tile("3-5"), face_down(), doubts=doubts))
    assert cells(text) == [["1", "3-5", "99%", "This may be 3-4."], ["2", "face down", "90%", ""]]
    assert re.findall("Please look: (.*)", text) == ["It moves."]


def test_dice_of_six_sides_say_no_kind() -> None:
    assert cells(told(reading(d6(5)))) == [["1", "5", "99%", "white", ""]]


def test_twelve_sided_dice_say_their_kind_and_the_starter() -> None:
    doubt = Doubt("starter", "Two have a colour of their own.", 2)
    text = told(reading(d6(5), d12(12, starter=True), d12(9), doubts=(doubt,)))
    assert cells(text) == [
        ["1", "5", "99%", "white", "d6", ""],
        ["2", "12", "99%", "red", "d12, starter", ""],
        ["3", "9", "99%", "blue", "d12", "Two have a colour of their own."],
    ]


def test_a_doubt_about_a_tile_is_not_put_beside_a_die() -> None:
    text = told(reading(d6(5), tile("3-5"), doubts=(Doubt("cut-off", "It leaves the picture.", tile=0),)))
    assert cells(text) == [["1", "5", "99%", "white", ""], ["1", "3-5", "99%", "It leaves the picture."]]


def test_what_was_left_out_is_noted_before_the_worth() -> None:
    text = told(reading(d6(5), tile("3-5")), ScoreRequest("domino-pips"))
    note, total = text.index("Note: Not counted"), text.index("8 pips on 1 tile.")
    assert note < total
