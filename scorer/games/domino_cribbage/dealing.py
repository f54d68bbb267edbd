"""Before the play: the draw for the deal, the hands, the discard to the crib, the starter.

The texts name no tile that lies face down.
"""

from __future__ import annotations

from dataclasses import replace

from scorer.engine.game import Event, Step, chain, who
from scorer.games.domino_cribbage.rules import IN_PLAY, THE_DEAL, THE_PLAY, WHO_DEALS
from scorer.games.domino_cribbage.state import State, Tiles, next_deal, other
from scorer.games.domino_cribbage.story import peg
from scorer.pieces.melds import Meld
from scorer.pieces.tiles import Tile


def draw(state: State, tile: Tile) -> Step[State]:
    """A tile drawn for the deal; after the second, the highest pip total deals, or both draw again."""
    drew = Event("drew", f"{who(state.turn)} draws {tile}", state.turn, rule=WHO_DEALS)
    drawn = (*state.drawn, tile)
    if len(drawn) == 1:
        return Step(replace(state, drawn=drawn, turn=1), (drew,))
    first, second = (each.pips for each in drawn)
    if first == second:
        tied = Event("tied", "Equal totals: the tiles go back, and both draw again", rule=WHO_DEALS)
        return Step(replace(state, drawn=(), turn=0), (drew, tied))
    dealer = int(second > first)
    deals = Event("dealer", f"{who(dealer)} drew more pips and deals first", dealer, rule=WHO_DEALS)
    return Step(next_deal(state.rules, dealer), (drew, deals))


def deal(state: State, *tiles: Tile) -> Step[State]:
    """Six tiles for the player to act: first the non-dealer, then the dealer."""
    dealt = Event("dealt", f"{who(state.turn)} draws six tiles", state.turn, rule=THE_DEAL)
    state = _with_hand(state, tiles)
    done = state.turn == state.dealer
    return Step(replace(state, phase="discard" if done else "deal", turn=other(state.turn)), (dealt,))


def discard(state: State, *tiles: Tile) -> Step[State]:
    """Two tiles of the player to act go to the crib: first the non-dealer's, then the dealer's."""
    discarded = Event("discarded", f"{who(state.turn)} lays two tiles in the crib", state.turn, rule=THE_DEAL)
    kept = tuple(tile for tile in state.hands[state.turn] if tile not in tiles)
    state = replace(_with_hand(state, kept), crib=tuple(sorted((*state.crib, *tiles))))
    if state.turn == state.dealer:
        return Step(replace(state, phase="starter"), (discarded,))
    return Step(replace(state, turn=state.dealer), (discarded,))


def turn_over(state: State, tile: Tile) -> Step[State]:
    """The dealer turns over the starter: a double is a point for the dealer, which may win. Then the non-dealer leads."""
    dealer = state.dealer
    starter = Event("starter", f"{who(dealer)} turns over the starter, {tile}", dealer, rule=THE_PLAY)
    double = (Meld("double", (str(tile),), (0,), 1),) if tile.double else ()
    return chain(
        replace(state, starter=tile),
        lambda now: Step(now, (starter,)),
        lambda now: peg(now, dealer, double, IN_PLAY),
        lambda now: Step(replace(now, phase="play", turn=other(dealer))),
    )


def _with_hand(state: State, tiles: Tiles) -> State:
    hands = tuple(tiles if player == state.turn else hand for player, hand in enumerate(state.hands))
    return replace(state, hands=hands)
