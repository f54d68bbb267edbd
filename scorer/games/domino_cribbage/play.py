"""The play to thirty-one, and the counting after it.

Source: the Domino Cribbage text, "The Play" and "Scoring"; RULINGS, "Domino Cribbage". A go is said when nothing fits,
and then it must be: who can play must. So it is no choice and no move, but an event that follows by itself; and so do
the reset and the counting, which stops when the game is won.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scorer.engine.game import Event, Move, Step, chain, who
from scorer.games.domino_cribbage import dealing
from scorer.games.domino_cribbage.pegging import closing, made, stuck
from scorer.games.domino_cribbage.rules import AFTER_PLAY, IN_PLAY, THE_DEAL, THE_PLAY
from scorer.games.domino_cribbage.state import LIMIT, Phase, Play, State, Tiles, next_deal, other
from scorer.games.domino_cribbage.story import credit, peg
from scorer.pieces.melds import score_tiles
from scorer.pieces.text import listed
from scorer.pieces.tiles import Tile


def follow(state: State, move: Move) -> Step[State]:
    """What a legal move leads to."""
    return _FOLLOW[state.phase](state, *move.tiles)


def play(state: State, tile: Tile) -> Step[State]:
    """A tile is played and scored; then whatever follows without a choice, up to the next hand."""
    mover = state.turn
    return chain(
        laid(state, tile),
        lambda now: Step(now, (Event("played", f"{who(mover)} plays {tile}: {now.count}", mover, rule=THE_PLAY),)),
        lambda now: peg(now, mover, made(now), IN_PLAY),
        _go,
        lambda now: peg(now, mover, closing(now), IN_PLAY),
        _go_on,
    )


def laid(state: State, tile: Tile) -> State:
    """The tile of the player to act lies face up, and nothing has followed yet."""
    return replace(state, played=(*state.played, Play(state.turn, tile)))


def _go(state: State) -> Step[State]:
    """The opponent says go, once in a series, if that player holds tiles and none fits. At thirty-one nobody does."""
    rival = other(state.turn)
    silent = state.count == LIMIT or state.was_passed(rival) or state.fitting(rival) or not state.left(rival)
    if silent:
        return Step(state)
    return Step(state, (Event("go", f"{who(rival)} says go", rival, rule=THE_PLAY),))


def _go_on(state: State) -> Step[State]:
    rival = other(state.turn)
    if not state.left(rival) and not state.left(state.turn):
        return _count_all(state)
    if state.count == LIMIT or stuck(state):
        return _reset(state)
    return Step(replace(state, turn=rival) if state.fitting(rival) else state)


def _reset(state: State) -> Step[State]:
    """The count begins at nothing; the opponent of the last player leads, if there is a tile left to lead."""
    leader = other(state.turn) if state.left(other(state.turn)) else state.turn
    reset = Event("reset", f"The count goes back to nothing, and {who(leader)} leads", leader, rule=THE_PLAY)
    return Step(replace(state, turn=leader, series_from=len(state.played)), (reset,))


def _count_all(state: State) -> Step[State]:
    dealer = state.dealer
    return chain(
        state,
        lambda now: _count(now, other(dealer), now.hands[other(dealer)]),
        lambda now: _count(now, dealer, now.hands[dealer]),
        lambda now: _count(now, dealer, now.crib, "the crib, "),
        _pass_the_deal,
    )


def _count(state: State, player: int, tiles: Tiles, what: str = "") -> Step[State]:
    starter = () if state.starter is None else (state.starter,)
    hand = score_tiles((*tiles, *starter), blank_in_fifteens=state.rules.blank_in_fifteens)
    lie = f"{listed([str(tile) for tile in tiles])} with the starter {state.starter}"
    text = f"{who(player)} counts {what}{lie}: {hand.aloud()}"
    return credit(state, player, Event("counted", text, player, hand.total, hand.melds, AFTER_PLAY))


def _pass_the_deal(state: State) -> Step[State]:
    dealer = other(state.dealer)
    deals = Event("dealer", f"{who(dealer)} deals the next hand", dealer, rule=THE_DEAL)
    return Step(next_deal(state.rules, dealer, state.scores), (deals,))


_FOLLOW: dict[Phase, Callable[..., Step[State]]] = {
    "opening": dealing.draw,
    "deal": dealing.deal,
    "discard": dealing.discard,
    "starter": dealing.turn_over,
    "play": play,
}
