"""Whole games with random rules: they end, nothing breaks, and a second, naive scorer pegs the same points."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Event, Move, Seen
from scorer.games.domino_cribbage.game import DominoCribbage
from scorer.games.domino_cribbage.rules import Rules
from scorer.games.domino_cribbage.state import State
from scorer.pieces.tiles import FULL_SET, Tile
from tests.examples import examples

GAME = DominoCribbage()
rules = st.builds(
    Rules,
    target=st.sampled_from((61, 121)),
    opening_roll=st.booleans(),
    play_scope=st.sampled_from(("shared", "own")),
    blank_rescore=st.booleans(),
    blank_in_fifteens=st.booleans(),
)
games = examples(30)


def played(options: Rules, random: Random) -> Iterator[tuple[State, Move, State, tuple[Event, ...]]]:
    """A whole game of random moves: the state, the move, the state after it and what happened."""
    state = GAME.start(options, 2)
    for _ in range(2000):
        legal = GAME.legal_moves(state)
        if not legal:
            return
        move = random.choice(legal.choices) if legal.choices else legal.chance.sample(random)
        step = GAME.apply(state, move)
        yield state, move, step.state, step.events
        state = step.state
    raise AssertionError("the game does not end")


def naive_fifteens_pairs_runs(tiles: Sequence[Tile], blank: bool) -> int:
    """A hand by brute force over all sets of tiles."""
    sets = [combo for size in range(1, 6) for combo in combinations(tiles, size)]
    points = 2 * sum(
        sum(tile.pips for tile in combo) == 15 and (blank or all(tile.pips for tile in combo)) for combo in sets
    )
    points += 2 * sum(len(combo) == 2 and combo[0].pips == combo[1].pips for combo in sets)
    runs = [len(combo) for combo in sets if len(combo) > 2 and in_sequence([tile.pips for tile in combo])]
    # A maximal run lies in no longer one; equal lengths apart would need six tiles.
    return points + max(runs, default=0) * runs.count(max(runs, default=0))


def in_sequence(values: Sequence[int]) -> bool:
    ordered = sorted(values)
    return ordered == list(range(ordered[0], ordered[0] + len(ordered)))


def naive_hand(options: Rules, hands: Sequence[Sequence[Tile]], leader: int, falls: Sequence[Tile]) -> list[int]:
    """The points both players peg in a play, refereed tile by tile; fails where a tile falls out of turn."""
    points, held = [0, 0], [set(hands[0]), set(hands[1])]
    turn, last, count, line = leader, leader, 0, []
    for tile in falls:
        fits = [any(count + each.pips <= 31 for each in held[player]) for player in (0, 1)]
        if not any(fits):
            points[last] += 1
            turn, count, line = (1 - last if held[1 - last] else last), 0, []
        elif not fits[turn]:
            turn = 1 - turn
        assert tile in held[turn]
        held[turn].remove(tile)
        count += tile.pips
        line.append((turn, tile.pips))
        points[turn] += 2 * (count == 15 and (options.blank_rescore or tile.pips > 0)) + 2 * (count == 31)
        values = [pips for player, pips in line if player == turn or options.play_scope == "shared"]
        tails = [values[-size:] for size in range(2, len(values) + 1)]
        points[turn] += max((len(tail) * (len(tail) - 1) for tail in tails if len(set(tail)) == 1), default=0)
        points[turn] += max((len(tail) for tail in tails if len(tail) > 2 and in_sequence(tail)), default=0)
        last, turn = turn, 1 - turn
        if count == 31:
            turn, count, line = (1 - last if held[1 - last] else last), 0, []
    if not any(held) and line:
        points[last] += 1
    return points


@games
@given(rules, st.integers(0, 2**32))
def test_games_end_and_no_invariant_breaks(options, seed):
    for before, move, after, events in played(options, Random(seed)):
        assert Move.parse(str(move)) == move
        assert all(now >= then for now, then in zip(after.scores, before.scores, strict=True))
        gained = Counter[int]()
        for event in events:
            gained[event.player] += event.points
            assert event.points == sum(item.points for item in event.items)
            assert "{" not in event.said(["Ann", "Bob"])
        assert [gained[0], gained[1]] == [now - then for now, then in zip(after.scores, before.scores, strict=True)]
        assert (after.result is None) == (max(after.scores) < options.target) == (after.to_act is not None)
        hidden = (*after.hands[0], *after.hands[1], *after.crib, *((after.starter,) if after.starter else ()))
        assert sorted((*hidden, *after.unseen)) == list(FULL_SET)
        assert after.count <= 31
        assert hash(after) == hash(GAME.apply(before, move).state)
        assert GAME.prompt(after)


@games
@given(rules, st.integers(0, 2**32))
def test_every_choice_applies_and_is_offered_in_order(options, seed):
    for state, _, after, _ in played(options, Random(seed)):
        choices = GAME.legal_moves(state).choices
        offers = GAME.offers(state)
        assert tuple(offer.move for offer in offers) == choices
        for offer in offers:
            assert offer.points == sum(item.points for item in offer.items)
            step = GAME.apply(state, offer.move)
            if state.phase == "play":
                pegs = [item for event in step.events if event.name == "pegged" for item in event.items]
                certain = sum(item.points for item in pegs if item.name != "go")
                won = step.state.phase == "over"
                assert offer.points in (certain, sum(item.points for item in pegs)) or won
        assert after != state


@games
@given(rules, st.integers(0, 2**32))
def test_a_second_naive_scorer_pegs_and_counts_the_same(options, seed):
    falls: list[Tile] = []
    pegs = [0, 0]
    for before, move, after, events in played(options, Random(seed)):
        if after.phase == "over":
            break
        if before.phase != "play":
            falls, pegs = [], [0, 0]
            continue
        falls.append(move.tiles[0])
        for event in events:
            if event.name == "pegged":
                pegs[event.player] += event.points
        if after.phase == "deal":
            assert pegs == naive_hand(options, before.hands, 1 - before.dealer, falls)
            order = (before.hands[1 - before.dealer], before.hands[before.dealer], before.crib)
            expected = [naive_fifteens_pairs_runs((*each, before.starter), options.blank_in_fifteens) for each in order]
            assert [event.points for event in events if event.name == "counted"] == expected


@games
@given(rules, st.integers(0, 2**32))
def test_a_photo_finds_back_every_move_that_a_camera_can_know(options, seed):
    random = Random(seed)
    for state, move, _, _ in played(options, Random(seed)):
        if state.phase == "discard":
            continue
        on_table = [()]
        if state.phase == "play":
            starter = (state.starter,)
            everything = tuple(play.tile for play in state.played)
            series = tuple(play.tile for play in state.series)
            on_table = [(), series, everything, starter, (*series, *starter), (*everything, *starter)]
        if state.phase == "opening":
            on_table = [(), state.drawn]
        for before in on_table:
            tiles = list(chain(before, move.tiles))
            random.shuffle(tiles)
            assert GAME.recognise(state, Seen(tiles=tuple(tiles))) == (move,)
