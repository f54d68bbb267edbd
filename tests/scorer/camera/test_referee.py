"""The referee: what lay on the table is the move that was made, a question with the legal choices, or a doubt.

RULINGS, "What a photo means in a game". Where a reading fits and yet proves nothing, the doubt carries the moves that a
person may confirm; in a random game that is one case: seven of a kind are thrown in Crib Dice, and seven dice of the
same value are seen again, which may not have been thrown again.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.camera.referee import Question, Ruling, last_shown, question, rule
from scorer.engine.game import Move, Seen
from scorer.engine.options import GameRules
from scorer.engine.record import Header, Record
from scorer.games.registry import GAMES, AnyGame
from scorer.pieces.tiles import FULL_SET, Tile
from tests.examples import examples
from tests.scorer.randomly import pictures, random_move, random_setting, shuffled, steps

GAME_NAMES = st.sampled_from(sorted(GAMES))
SEEDS = st.integers(0, 2**32)
MAY_LIE_THERE_STILL = "nothing-thrown"


def check_question(asked: Question | None, game: AnyGame, state: Any) -> None:
    """The question names the player and exactly the legal choices, each once, with what it is worth."""
    legal = game.legal_moves(state)
    assert (asked is None) == (not legal.choices)
    if asked is None:
        return
    assert tuple(offer.move for offer in asked.offers) == legal.choices
    assert asked.offers == game.offers(state)
    assert (asked.player, asked.may_throw) == (state.to_act, legal.chance is not None)
    assert asked.text == game.prompt(state)
    assert [Move.parse(offer["move"]) for offer in json.loads(json.dumps(asked.to_json()))["offers"]] == [
        *legal.choices
    ]


def check_doubt(ruling: Ruling, game: AnyGame, state: Any, before: int) -> None:
    """Nothing is scored, the reason is told, and what may be confirmed is legal."""
    assert (ruling.moves, ruling.events) == ((), ())
    assert ruling.state is state
    assert hash(state) == before
    assert ruling.doubt.code
    assert ruling.doubt.message.endswith(".") or ruling.doubt.message.endswith(")")
    assert json.loads(json.dumps(ruling.doubt.to_json()))["code"] == ruling.doubt.code
    played(game, state, ruling.doubt.moves)


def played(game: AnyGame, state: Any, moves: tuple[Move, ...]) -> Any:
    for move in moves:
        state = game.apply(state, move).state
    return state


@examples(60)
@given(GAME_NAMES, SEEDS)
def test_every_throw_of_a_game_is_found_from_every_picture_of_it(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    game = setting.game
    for state, move, step in steps(setting, random):
        for picture in pictures(setting, state, move):
            ruling = rule(game, state, shuffled(picture, random))
            if ruling.doubt is not None:
                assert (name, ruling.doubt.code) == ("crib-dice", MAY_LIE_THERE_STILL)
                assert (state.phase, set(move.numbers)) == ("seven", {state.turn.point})
                assert ruling.doubt.moves == (move,)
                check_doubt(ruling, game, state, hash(state))
                check_question(ruling.question, game, state)
            else:
                assert (ruling.moves, ruling.state, ruling.events) == ((move,), step.state, step.events)
                check_question(ruling.question, game, step.state)


@examples(30)
@given(GAME_NAMES, SEEDS)
def test_a_choice_is_asked_with_all_that_is_legal_and_never_read_off_the_table(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    for state, _, _ in steps(setting, random):
        check_question(question(setting.game, state), setting.game, state)
        legal = setting.game.legal_moves(state)
        if legal.chance is None and not any(map(setting.game.laid_by, legal.choices)):
            check_only_a_question(setting.game, state, random)


def check_only_a_question(game: AnyGame, state: Any, random: Random) -> None:
    """Some of the dice or tiles on the table are seen: the choice is asked. All of Cribbage Dice's may tell it."""
    hand = state.hands[state.turn] if game.name == "domino-cribbage" else ()
    few = random.randint(1, 4)
    seen = Seen(tiles=hand[:few]) if hand else Seen(tuple(random.randint(1, 6) for _ in range(few)))
    ruling = rule(game, state, seen)
    assert ruling.doubt.code == "choice-first"
    check_doubt(ruling, game, state, hash(state))
    check_question(ruling.question, game, state)


def readings(random: Random) -> Seen:
    """Any reading at all: too many dice, too few, values that no die has, the same tile twice."""
    dice = tuple(random.randint(0, random.choice((6, 12, 14))) for _ in range(random.choice((0, 0, 1, 2, 5, 6, 7, 9))))
    tiles = tuple(random.choices(FULL_SET, k=random.choice((0, 0, 0, 1, 1, 2, 4, 6, 7))))
    starter = random.choice((None, None, *dice, 3))
    return Seen(dice, starter, tiles)


@examples(30)
@given(GAME_NAMES, SEEDS)
def test_any_reading_is_legal_moves_or_a_doubt_that_leaves_the_state(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    game, state = setting.game, setting.start
    while state.to_act is not None:
        before = hash(state)
        ruling = rule(game, state, readings(random))
        if ruling.doubt is None:
            assert ruling.moves
            assert played(game, state, ruling.moves) == ruling.state
            check_question(ruling.question, game, ruling.state)
        else:
            check_doubt(ruling, game, state, before)
            check_question(ruling.question, game, state)
        state = game.apply(state, random_move(game, state, random)).state
    over = rule(game, state, readings(random))
    assert (over.doubt.code, over.question, over.doubt.moves) == ("game-over", None, ())


@examples(20)
@given(SEEDS)
def test_an_unsaid_keep_of_cribbage_dice_leads_to_the_same_state_or_is_asked(seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES["cribbage-dice"], random)
    before = None
    for state, move, step in steps(setting, random):
        if before is not None and state.phase == "rethrow":
            ruling = rule(setting.game, before, Seen((*state.turn.table, *move.numbers), state.turn.starter))
            if ruling.doubt is None:
                assert ruling.state == step.state
            else:
                assert ruling.doubt.code in ("nothing-thrown", "choice-first")
        before = state


# The rulings one by one, at a real table


def state_after(name: str, *moves: str, players: int = 2, **options: Any) -> tuple[AnyGame, Any]:
    game = GAMES[name]
    rules: GameRules = game.rules(opening_roll=False, **options)
    return game, played(game, game.start(rules, players), tuple(map(Move.parse, moves)))


def test_the_count_tells_whether_set_aside_dice_lie_beside() -> None:
    table = state_after("farkle-crib", "throw 1 2 3 4 5 6", "keep 1 5")
    for dice in ((6, 5, 1, 2), (5, 6, 5, 1, 1, 2)):
        assert rule(*table, Seen(dice)).moves == (Move.parse("throw 1 2 5 6"),)
    neither = rule(*table, Seen((1, 2, 3, 4, 6)))
    assert (neither.doubt.code, neither.doubt.moves, neither.state) == ("wrong-count", (), table[1])


def test_a_throw_is_played_and_its_choices_are_asked_best_first() -> None:
    ruling = rule(*state_after("crib-dice"), Seen((5, 5, 2, 2, 1, 4, 6)))
    assert ruling.moves == (Move.parse("throw 1 2 2 4 5 5 6"),)
    assert {str(offer.move): offer.points for offer in ruling.question.offers} == {"point 5": 2, "point 2": 2}
    assert (ruling.question.player, ruling.question.may_throw) == (0, False)


def test_stop_or_throw_on_is_asked() -> None:
    table = state_after("crib-dice", "throw 1 2 2 4 5 5 6", "point 5")
    asked = question(*table)
    assert ([str(offer.move) for offer in asked.offers], asked.may_throw) == (["stop"], True)


def test_seven_dice_of_a_kind_seen_again_may_lie_there_still() -> None:
    table = state_after("crib-dice", "throw 4 4 4 4 4 4 4", "point 4")
    ruling = rule(*table, Seen((4,) * 7))
    assert (ruling.doubt.code, ruling.doubt.moves) == (MAY_LIE_THERE_STILL, (Move.parse("throw 4 4 4 4 4 4 4"),))
    assert rule(*table, Seen((4, 4, 4, 4, 4, 4, 3))).doubt is None


def test_a_starter_that_changed_is_a_doubt() -> None:
    table = state_after("cribbage-dice", "throw 5 4 10 10 11", "keep 10 10")
    ruling = rule(*table, Seen((6, 10, 10, 2, 3), 6))
    assert (ruling.doubt.code, ruling.state) == ("starter-changed", table[1])
    assert rule(*table, Seen((5, 10, 10, 2, 3), 5)).moves == (Move.parse("throw 2 3"),)


def test_a_tile_seen_twice_is_a_doubt() -> None:
    table = state_after("domino-cribbage")
    tiles = tuple(map(Tile.parse, ("3-0", "0-3", "1-1", "2-2", "4-4", "6-6")))
    assert rule(*table, Seen(tiles=tiles)).doubt.code == "same-tile-twice"


@pytest.mark.parametrize("name", ["crib-dice", "farkle-crib"])
def test_dominoes_among_the_dice_are_a_doubt_that_a_person_may_confirm(name: str) -> None:
    game, state = state_after(name)
    dice = (1, 2, 2, 3, 4, 5, 6)[: len(game.legal_moves(state).chance.sample(Random(1)).numbers)]
    ruling = rule(game, state, Seen(dice, tiles=(Tile(3, 0),)))
    assert (ruling.doubt.code, ruling.doubt.moves) == ("tiles-there", (Move("throw", dice),))
    assert ruling.state == state


def record_of(name: str, *moves: str, **rules: Any) -> Record:
    game = GAMES[name]
    record = Record.begin(
        Header(name, game.rules(opening_roll=False, **rules), ("Ann", "Ben"), "2026-11-21T20:15:00+00:00")
    )
    for move in moves:
        record = record.play(Move.parse(move))
    return record


FIRST, SIX = "throw 1 2 2 4 5 5 6", "throw 2 5 5 5 5 5 5"


@pytest.mark.parametrize(
    ("name", "moves", "dice", "played"),
    [
        ("crib-dice", (FIRST, "point 5"), (1, 2, 2, 4, 5, 5, 6), "throw 1 2 2 4 6"),
        ("crib-dice", (FIRST, "point 5"), (1, 2, 2, 4, 6), "throw 1 2 2 4 6"),
        ("crib-dice", (FIRST, "point 5", "stop"), (6, 1, 2, 2, 4, 5, 5), FIRST),
        ("farkle-crib", ("throw 1 2 3 3 4 6", "keep 1"), (1, 2, 3, 3, 4, 6), "throw 2 3 3 4 6"),
        ("farkle-crib", ("throw 1 2 3 3 4 6", "keep 1"), (2, 3, 3, 4, 6), "throw 2 3 3 4 6"),
        ("farkle", ("throw 1 2 3 3 4 6", "keep 1", "stop"), (1, 2, 3, 3, 4, 6), "throw 1 2 3 3 4 6"),
        ("farkle", ("throw 2 2 3 3 4 6",), (2, 2, 3, 3, 4, 6), "throw 2 2 3 3 4 6"),
        # Six are frozen; the second die of the piddle was one of them.
        ("crib-dice", (SIX, "point 5", "piddle 2 3"), (5, 5, 5, 5, 5, 2, 3), "throw 2 3 5 5 5 5 5"),
        ("crib-dice", (SIX, "point 5", "piddle 3 3"), (5, 5, 5, 5, 5, 3, 3), "throw 3 3 5 5 5 5 5"),
        ("crib-dice", (SIX, "point 5", "piddle 5 5"), (5, 5, 5, 5, 5, 5, 5), "piddle 5 5"),
    ],
)
def test_a_table_that_lies_as_it_lay_is_no_throw(
    name: str, moves: tuple[str, ...], dice: tuple[int, ...], played: str
) -> None:
    record = record_of(name, *moves)
    ruling = rule(record.game, record.state, Seen(dice), last_shown(record))
    assert ruling.doubt is not None
    assert (ruling.doubt.code, ruling.moves) == ("nothing-thrown", ())
    assert [str(move) for move in ruling.doubt.moves] == [played]
    other = (*dice[:-1], dice[-1] % 6 + 1)
    changed = rule(record.game, record.state, Seen(other), last_shown(record))
    assert changed.doubt is None or changed.doubt.code != "nothing-thrown"


@pytest.mark.parametrize(
    ("moves", "played"),
    [
        (("piddle 3 4",), "throw 2 2 2 2 2 5 6"),
        (("piddle 3 3",), "throw 2 2 2 2 2 5 6"),
        (("piddle 2 2",), "piddle 5 6"),
        (("piddle 2 2", "piddle 3 4"), "throw 2 2 2 2 2 5 6"),
    ],
)
def test_the_dice_beside_a_piddle_with_extra_dice_are_no_throw(moves: tuple[str, ...], played: str) -> None:
    seven = (2, 2, 2, 2, 2, 5, 6)
    record = record_of("crib-dice", "throw 2 2 2 2 2 5 6", "point 2", *moves, piddle_points=True, bomb=False)
    doubt = rule(record.game, record.state, Seen(seven), last_shown(record)).doubt
    assert doubt is not None
    assert (doubt.code, [str(move) for move in doubt.moves]) == ("nothing-thrown", [played])
    changed = rule(record.game, record.state, Seen((*seven[:-1], 1)), last_shown(record))
    assert changed.doubt is None or changed.doubt.code != "nothing-thrown"


@pytest.mark.parametrize("name", ["domino-cribbage", "muggins"])
def test_a_tile_that_still_lies_there_after_a_tie_is_not_drawn_again(name: str) -> None:
    game, (one, other) = GAMES[name], (Tile(3, 0), Tile(2, 1))
    record = Record.begin(Header(name, game.rules(), ("Ann", "Ben"), "2026-11-28T20:15:00+00:00"))
    for tile in (one, other):
        record = record.play(Move("opening", tiles=(tile,)))
    for seen in ((other,), (one, other)):
        ruling = rule(record.game, record.state, Seen(tiles=seen), last_shown(record))
        assert ruling.doubt is not None
        moves = ["opening 2-1"] if len(seen) == 1 else []
        assert (ruling.doubt.code, [str(each) for each in ruling.doubt.moves]) == ("nothing-thrown", moves)
    another = rule(record.game, record.state, Seen(tiles=(Tile(6, 1),)), last_shown(record))
    assert [str(move) for move in another.moves] == ["opening 6-1"]


def test_typed_dice_may_be_those_of_before() -> None:
    record = record_of("crib-dice", FIRST, "point 5", "stop")
    assert rule(record.game, record.state, Seen((1, 2, 2, 4, 5, 5, 6))).moves == (Move.parse(FIRST),)
