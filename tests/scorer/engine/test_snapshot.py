"""The whole state in one object: for every state of random games, and for what a page must not be misled by."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.engine.snapshot import named, snapshot
from scorer.games.registry import GAMES, game_named
from tests.examples import examples


def begun(game: str, *names: str, **rules: object) -> Record:
    return Record.begin(Header(game, game_named(game).rules(**rules), names, "2026-11-21T20:15:00+00:00"))


def one_more(record: Record, random: Random) -> Record:
    legal = record.game.legal_moves(record.state)
    by_chance = legal.chance is not None and (not legal.choices or random.random() < 0.4)
    return record.play(legal.chance.sample(random) if by_chance and legal.chance else random.choice(legal.choices))


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 60))
@examples(25)
def test_it_says_what_the_game_says_with_names_for_numbers(game: str, seed: int, moves: int) -> None:
    random, record = Random(seed), begun(game, "Ann", "Ben {1}")
    for _ in range(moves):
        record = one_more(record, random) if record.result is None else record
    told = snapshot(record)
    assert json.loads(json.dumps(told)) == {**told, "board": json.loads(json.dumps(told["board"]))}
    legal = record.game.legal_moves(record.state)
    assert tuple(Move.parse(offer["move"]) for offer in told["offers"]) == legal.choices
    assert (told["chance"], told["to_act"], told["moves"]) == (
        legal.chance is not None,
        record.state.to_act,
        len(record.moves),
    )
    for offer in told["offers"]:
        after = record.play(Move.parse(offer["move"]))
        assert {each["move"] for each in offer["then"]} <= set(map(str, record.game.legal_moves(after.state).choices))
        assert not offer["then"] or (after.state.to_act == record.state.to_act and snapshot(after)["chance"])
    followed = [each for offer in told["offers"] for each in offer["then"]]
    texts = [told["prompt"], *(each["text"] for each in (*told["events"], *told["offers"], *followed))]
    assert not re.search(r"\{\d+\}", "".join(texts).replace("Ben {1}", ""))
    assert [(event["player"], event["points"]) for event in told["events"]] == [
        (event.player, event.points) for event in record.events
    ]
    assert [(pegs["back"], pegs["front"]) for pegs in told["board"]["pegs"]] == [
        (pegs.back, pegs.front) for pegs in record.game.board(record.state).pegs
    ]


def test_a_choice_has_its_worth_and_what_makes_it() -> None:
    record = begun("farkle-crib", "Ann", "Ben", opening_roll=False).play(Move.parse("throw 1 1 1 4 5 6"))
    best = snapshot(record)["offers"][0]
    assert best == {
        "move": "keep 1 1 1 5",
        "text": "set aside three 1s and a 5 for 21 points",
        "points": 21,
        "items": [
            {"name": "three 1s", "pieces": [1, 1, 1], "points": 20},
            {"name": "a 5", "pieces": [5], "points": 1},
        ],
        "then": [{"move": "stop", "text": "stop and peg 21 points", "points": 21}],
    }
    assert snapshot(record)["rules"] == {"opening_roll": "false"}


def test_that_a_move_is_inferred_is_said_and_an_undo_takes_it_along() -> None:
    thrown = begun("crib-dice", "Ann", "Ben", opening_roll=False).play(Move.parse("throw 1 2 3 4 5 5 6"))
    point = Move.parse("point 5")
    told = [thrown.play(point, corrected=noted) for noted in (None, {"watched": {"frame": 3}}, {"inferred": True})]
    texts = [[event["text"] for event in snapshot(each)["events"]] for each in told]
    assert texts[0] == texts[1]
    assert texts[2] == [f"{texts[0][0]} (inferred)", *texts[0][1:]]
    assert [snapshot(each)["inferred"] for each in (thrown, *told)] == [False, False, False, True]
    assert snapshot(told[2].undo())["inferred"] is False


def test_a_result_is_told_by_name() -> None:
    record = begun("crib-dice", "Ann", "Ben", opening_roll=False, finish=14, skunk=True, final_turns="at_once")
    assert snapshot(record)["result"] is None
    for text in ("throw 6 6 6 6 6 6 6", "point 6", "throw 1 2 6 6 6 6 6", "point 6", "stop"):
        record = record.play(Move.parse(text))
    told = snapshot(record)
    assert told["result"] == {"winners": ["Ann"], "ranking": [["Ann"], ["Ben"]], "lost": {"Ann": 0, "Ben": 2}}
    assert (told["to_act"], told["offers"], told["chance"]) == (None, [], False)
    assert {"won"} <= {event["name"] for event in told["events"]}


def test_braces_that_stand_for_nobody_stay() -> None:
    assert named("{1} takes {0}'s peg, {2}", ("Ann {1}", "Ben")) == "Ben takes Ann {1}'s peg, {2}"
