"""Random full games with random rules: they end, nothing breaks on the way, and pictures lead to the same moves."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Move, Seen, Unclear
from scorer.errors import IllegalMove
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.cribbage_dice.legal import FirstThrows
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import State
from tests.examples import examples

GAME = CribbageDice()
RULES = st.builds(
    Rules,
    target=st.integers(1, 130),
    finish_round=st.booleans(),
    round_limit=st.integers(0, 12),
    once_kept=st.booleans(),
    seven_dice=st.booleans(),
    seven_keep_starter=st.booleans(),
    tie=st.sampled_from(["shared", "roll_off"]),
    opening_roll=st.booleans(),
)
PLAYERS = st.integers(2, 6)
SEEDS = st.integers(0, 2**32)
VERBS = st.sampled_from(["keep", "throw", "stop", "discard", "opening"])


def any_move(state: State, random: Random) -> Move:
    legal = GAME.legal_moves(state)
    if legal.choices:
        return random.choice(legal.choices)
    assert legal.chance is not None
    return legal.chance.sample(random)


def check(state: State) -> None:
    """What holds in every state."""
    dice = state.rules.dice
    turn = state.turn
    on_table = {"decide": dice, "discard": dice, "rethrow": dice - state.to_throw}.get(state.phase, 0)
    assert len(turn.table if turn.starter else ()) == on_table
    assert turn.rolls <= 3
    assert list(turn.others) == sorted(turn.others)
    board = GAME.board(state)
    assert all(0 <= pegs.back <= pegs.front <= pegs.back + 40 for pegs in board.pegs)
    assert [board.off(pegs.back) for pegs in board.pegs].count(True) <= (
        state.players if state.rules.finish_round else 1
    )
    assert [offer.move for offer in GAME.offers(state)] == list(GAME.legal_moves(state).choices)
    assert GAME.prompt(state).startswith("The game" if state.result else f"{{{state.to_act}}}: ")


@examples(60)
@given(RULES, PLAYERS, SEEDS)
def test_games_end_and_nothing_breaks(rules: Rules, players: int, seed: int) -> None:
    random, state, moves = Random(seed), GAME.start(rules, players), 0
    while state.to_act is not None:
        move = any_move(state, random)
        before = hash(state)
        assert Move.parse(str(move)) == move
        step = GAME.apply(state, move)
        gained = sum(step.state.scores) - sum(state.scores)
        assert gained == sum(event.points for event in step.events)
        assert hash(state) == before
        state, moves = step.state, moves + 1
        if moves % 5 == 0:
            check(state)
    check(state)
    assert state.result is not None
    assert max(state.scores) == state.scores[state.result.winners[0]]
    assert sorted(player for level in state.result.ranking for player in level) == list(range(players))
    assert sum(state.result.lost) == players - len(state.result.winners)


@examples(25)
@given(RULES, PLAYERS, SEEDS)
def test_every_choice_applies_and_no_state_sticks(rules: Rules, players: int, seed: int) -> None:
    random, state = Random(seed), GAME.start(rules, players)
    for _ in range(40):
        if state.to_act is None:
            break
        reached = {GAME.apply(state, move).state for move in GAME.legal_moves(state).choices}
        assert state not in reached
        state = GAME.apply(state, any_move(state, random)).state


@examples(60)
@given(RULES, SEEDS, st.text("0123456789 -", max_size=12), VERBS)
def test_refused_moves_leave_the_state(rules: Rules, seed: int, rest: str, verb: str) -> None:
    random, state = Random(seed), GAME.start(rules, 2)
    for _ in range(random.randrange(12)):
        if state.to_act is not None:
            state = GAME.apply(state, any_move(state, random)).state
    try:
        move = Move.parse(f"{verb} {rest}")
    except ValueError:
        return
    if move in GAME.legal_moves(state):
        return
    before = (hash(state), repr(state))
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, move)
    assert refused.value.rule
    assert (hash(state), repr(state)) == before


def picture(state: State, move: Move, *, everything: bool, starter_seen: bool, random: Random) -> Seen:
    """What a camera sees after this throw."""
    starter = state.turn.starter or (move.numbers[0] if state.phase == "throw" else 0)
    around = state.turn.table if state.phase == "rethrow" and everything else ()
    dice = [*move.numbers, *around]
    random.shuffle(dice)
    shown = state.phase == "throw" or (starter_seen and bool(around))
    return Seen(tuple(dice), starter if shown else None)


@examples(60)
@given(RULES, SEEDS, st.booleans(), st.booleans())
def test_pictures_lead_to_the_same_throws(rules: Rules, seed: int, everything: bool, starter_seen: bool) -> None:
    random, state = Random(seed), GAME.start(rules, 3)
    while state.to_act is not None:
        move = any_move(state, random)
        if not GAME.legal_moves(state).choices:
            seen = picture(state, move, everything=everything, starter_seen=starter_seen, random=random)
            assert GAME.recognise(state, seen) == (move,)
        state = GAME.apply(state, move).state


def ruling(state: State, seen: Seen) -> tuple[tuple[Move, ...], str]:
    """The moves a picture leads to, perhaps only once confirmed, and the doubt's code."""
    try:
        return GAME.recognise(state, seen), ""
    except Unclear as trouble:
        return trouble.moves, trouble.code


def played(state: State, moves: tuple[Move, ...]) -> State:
    for move in moves:
        state = GAME.apply(state, move).state
    return state


@examples(100)
@given(RULES, SEEDS)
def test_an_unsaid_keep_leads_to_the_same_state_or_is_asked(rules: Rules, seed: int) -> None:
    random, state = Random(seed), GAME.start(rules, 2)
    while state.to_act is not None and state.round < 8:
        move = any_move(state, random)
        kept = GAME.apply(state, move).state
        if move.verb == "keep":
            throw = any_move(kept, random)
            seen = Seen((*kept.turn.table, *throw.numbers), state.turn.starter)
            moves, doubt = ruling(state, seen)
            lies_as_before = sorted(kept.turn.others + throw.numbers) == list(state.turn.others)
            assert doubt in (["nothing-thrown"] if lies_as_before else ["", "choice-first"])
            assert moves or rules.once_kept
            assert not moves or played(state, moves) == played(kept, (throw,))
        state = kept


def test_first_throws_are_all_there_once() -> None:
    throws = FirstThrows(3)
    everything = list(throws)
    assert len(everything) == len(set(everything)) == len(throws) == 12 * 78
    assert all(move in throws for move in everything)
    assert Move("throw", (1, 3, 2)) not in throws
    assert Move("throw", (13, 2, 3)) not in throws
    assert Move("keep", (1, 2, 3)) not in throws
    assert throws.sample(Random(3)) in throws
