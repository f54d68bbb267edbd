"""What is made of a reading in a game."""

from __future__ import annotations

from api.interpret.rulings import of_reading
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.registry import game_named
from tests.api.table import d6, d12, reading, tile
from vision.reading import Doubt

UNSURE = (Doubt("uncertain-value", "This may be 1 or 4.", piece=0),)


def crib(*moves: str) -> Record:
    record = Record.begin(Header("crib-dice", game_named("crib-dice").rules(), ("Ann", "Ben"), "2026-11-21"))
    for move in moves:
        record = record.play(Move.parse(move))
    return record


def test_what_is_sure_and_fits_is_played() -> None:
    verdict = of_reading(crib(), reading(d6(6), d6(1)))
    assert (verdict.outcome, verdict.moves) == ("played", (Move("opening", (1, 6)),))


def test_what_is_unsure_is_never_played_unasked() -> None:
    verdict = of_reading(crib(), reading(d6(6), d6(1), doubts=UNSURE))
    assert verdict.outcome == "doubt"
    assert verdict.moves == ()
    assert verdict.doubt is not None
    assert (verdict.doubt.code, verdict.doubt.moves) == ("unsure-reading", (Move("opening", (1, 6)),))
    assert "Die 1: This may be 1 or 4." in verdict.doubt.message
    assert verdict.confirmed().moves == (Move("opening", (1, 6)),)


def test_what_does_not_fit_is_a_doubt_that_no_confirmation_plays() -> None:
    verdict = of_reading(crib(), reading(d6(6), d6(1), d6(2), doubts=UNSURE))
    assert verdict.doubt is not None
    assert (verdict.doubt.code, verdict.doubt.moves) == ("wrong-count", ())
    assert verdict.confirmed().outcome == "doubt"


def test_a_choice_is_asked_and_a_photo_does_not_answer_it() -> None:
    verdict = of_reading(crib("opening 1 6", "opening 1 2", "throw 1 2 3 4 5 5 6"), reading(d6(6), d6(1)))
    assert verdict.doubt is not None
    assert verdict.doubt.code == "choice-first"
    told = verdict.to_json(("Ann", "Ben"))
    assert "point 5" in [offer["move"] for offer in told["question"]["offers"]]
    assert "{" not in told["question"]["text"]


def test_pieces_of_another_game_are_named_and_not_counted() -> None:
    verdict = of_reading(crib(), reading(d6(6), d6(1), d12(11)))
    assert verdict.outcome == "played"
    assert "11" in verdict.notes[0]


def test_a_tile_that_is_in_no_set_is_a_doubt() -> None:
    record = Record.begin(
        Header("domino-cribbage", game_named("domino-cribbage").rules(), ("Ann", "Ben"), "2026-11-21")
    )
    verdict = of_reading(record, reading(tile("9-8")))
    assert verdict.doubt is not None
    assert verdict.doubt.code == "no-such-tile"
