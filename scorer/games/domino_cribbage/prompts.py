"""Texts for the player to act: the prompt, and the choices with their worths; and the board."""

from __future__ import annotations

from scorer.engine.board import STREET, Board, Pegs
from scorer.engine.game import Move, Offer, who
from scorer.games.domino_cribbage.legal import legal_moves
from scorer.games.domino_cribbage.pegging import closing, made
from scorer.games.domino_cribbage.play import laid
from scorer.games.domino_cribbage.state import State, other
from scorer.games.domino_cribbage.story import for_what
from scorer.pieces.melds import score_tiles
from scorer.pieces.text import listed
from scorer.pieces.tiles import Tile

LAP = 2 * STREET
"""Holes once round the board, up and down: the text's circuit, whose end is 61."""


def prompt(state: State) -> str:
    """What is to be done next."""
    if state.phase == "over":
        return f"The game is over: {who(state.turn)} has won"
    return f"{who(state.turn)}: {_due(state)}"


def _due(state: State) -> str:
    whose = "your own" if state.turn == state.dealer else f"{who(state.dealer)}'s"
    return {
        "opening": "draw a tile, the highest total deals first",
        "deal": "draw six tiles",
        "discard": f"lay two tiles in {whose} crib",
        "starter": "turn over the starter",
        "play": f"play a tile, the count is {state.count}",
    }[state.phase]


def offers(state: State) -> tuple[Offer, ...]:
    """The choices among the legal moves, in the same order.

    A discard is worth what the four tiles kept score by themselves, a tile what it pegs. That includes the point for a go
    only where it is known that the opponent cannot play: otherwise it would reveal what the other holds.
    """
    choices = legal_moves(state).choices
    return tuple(_discard(state, move) if state.phase == "discard" else _play(state, move) for move in choices)


def _discard(state: State, move: Move) -> Offer:
    kept = tuple(tile for tile in state.hands[state.turn] if tile not in move.tiles)
    hand = score_tiles(kept, blank_in_fifteens=state.rules.blank_in_fifteens)
    text = f"{_named(move.tiles)} to the crib, keep {_named(kept)}: {hand.aloud()}"
    return Offer(move, text, hand.total, hand.melds)


def _play(state: State, move: Move) -> Offer:
    tile = move.tiles[0]
    now = laid(state, tile)
    rival = other(state.turn)
    open_secret = not now.left(rival) or now.was_passed(rival)
    melds = (*made(now), *(closing(now) if open_secret else ()))
    text = f"play {tile}, making {now.count}" + (f": {for_what(melds)}" if melds else "")
    return Offer(move, text, sum(meld.points for meld in melds), melds)


def _named(tiles: tuple[Tile, ...]) -> str:
    return listed([str(tile) for tile in tiles])


def board(state: State) -> Board:
    """Where the pegs stand: 60 holes once round. Points are pegged as they are made, so nothing ever runs ahead."""
    pegs = tuple(Pegs(player, (player,), player, hole, hole) for player, hole in enumerate(state.scores))
    return Board(state.rules.target, pegs, lap=LAP)
