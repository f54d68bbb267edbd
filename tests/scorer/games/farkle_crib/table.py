"""A table to test at: states, moves as text, and random games."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from scorer.engine.game import Event, Move, Step, throw
from scorer.games.farkle_crib.game import FarkleCrib
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.state import State

GAME = FarkleCrib()
BONUSES = Rules.option("bonus").words
FARKLE = "throw 2 2 3 3 4 6"


def table(*holes: int, **options: Any) -> State:
    """A game in which player 0 begins a round with the pegs in these holes."""
    state = GAME.start(Rules(opening_roll=False, **options), len(holes))
    return replace(state, holes=holes)


def bonus(*names: str) -> frozenset[str]:
    return frozenset(names)


def play(state: State, *moves: str) -> State:
    return last(state, *moves).state


def last(state: State, *moves: str) -> Step[State]:
    """The last of the steps that the moves lead to, with its events."""
    step = Step(state)
    for move in moves:
        step = GAME.apply(step.state, Move.parse(move))
    return step


def turn(state: State, points: int) -> State:
    """The state after one whole turn: it pegs 1, 2, 4 or 20 points, or farkles for 0."""
    dice = {1: "5", 2: "1", 4: "2 2 2", 20: "1 1 1"}
    thrown = {1: "2 2 3 3 4 5", 2: "1 2 2 3 3 4", 4: "2 2 2 3 3 4", 20: "1 1 1 2 3 4"}
    return play(state, f"throw {thrown[points]}", f"keep {dice[points]}", "stop") if points else play(state, FARKLE)


def named(step: Step[State], name: str) -> Event:
    """The one event of that name."""
    (event,) = [event for event in step.events if event.name == name]
    return event


def keeps(state: State) -> dict[str, int]:
    """The choices as text, with their points, in order."""
    return {str(offer.move): offer.points for offer in GAME.offers(state)}


def random_rules(random: Random, players: int) -> Rules:
    bonuses = frozenset(name for name in BONUSES if random.random() < 0.5)
    exchanges = (
        ["end_turn_forfeit", "end_turn_bank", "continue"] if "six-of-a-kind" in bonuses else ["end_turn_forfeit"]
    )
    return Rules(
        finish=random.choice([31, 61, 121]),
        final_turns=random.choice(["same_round", "at_once"]),
        tie=random.choice(["shared", "roll_off"]),
        opening_roll=random.random() < 0.5,
        bonus=bonuses,
        two_triples=random.random() < 0.5,
        three_pairs_4_2="three-pairs" in bonuses and random.random() < 0.5,
        bomb_exchange=random.choice(exchanges),
        lanes=tuple(random.randrange(2) for _ in range(players)) if random.random() < 0.5 else (),
    )


def random_move(random: Random, state: State) -> Move:
    """A legal move; now and then all the dice thrown are alike, or the bombs would be too rare to test."""
    legal = GAME.legal_moves(state)
    if legal.chance is None or (legal.choices and random.random() < 0.5):
        return random.choice(legal.choices)
    fair = legal.chance.sample(random)
    loaded = fair.verb == "throw" and random.random() < 0.1
    return throw([random.randint(1, 6)] * len(fair.numbers)) if loaded else fair


def random_game(random: Random) -> Iterator[tuple[State, Move, Step[State]]]:
    """Every step of a random game with random rules: the state, the move, and what it leads to."""
    players = random.randint(2, 8)
    state = GAME.start(random_rules(random, players), players)
    while state.to_act is not None:
        move = random_move(random, state)
        step = GAME.apply(state, move)
        yield state, move, step
        state = step.state
