"""Muggins: texts for the players: the prompt, the choices with their scores, the layout and the score."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.engine.board import STREET, Board, Pegs, ScoreSheet
from scorer.engine.game import Move, Offer, names, who
from scorer.games.muggins.legal import DRAW, PASS, after, legal_moves, plays_of, scored
from scorer.games.muggins.state import Phase, State
from scorer.pieces.text import listed, points
from scorer.pieces.tiles import Tile

LAP = 2 * STREET
"""Holes once round a cribbage board, whose end is 61."""


def prompt(state: State) -> str:
    """What is to be done next."""
    if state.result is not None:
        return f"the game is over: {names(state.result.winners)} won"
    if state.phase is Phase.LEAD:
        return f"{who(state.turn)}: say who holds the highest double, or without any the heaviest tile, and leads"
    return f"{who(state.turn)}: {_due(state)}"


def _due(state: State) -> str:
    if state.phase is Phase.PLAY:
        return _turn(state)
    return {
        Phase.OPENING: "draw a tile, the highest total leads",
        Phase.DEAL: f"take {state.rules.dealt(state.players)} tiles",
        Phase.CALL: f"who called the {state.called} of the open ends?",
        Phase.LEFT: f"turn over what you hold: {_tiles_counted(len(state.hands[state.turn]))}",
    }[state.phase]


def _turn(state: State) -> str:
    if not state.layout.laid:
        return "lead a tile"
    ends = f"the open ends are {state.layout.count}"
    if state.told and not plays_of(state):
        return f"nothing fits, draw from the boneyard; {ends}"
    if state.told:
        return f"play a tile; {ends}"
    return f"play a tile, or {'draw' if state.to_draw else 'pass'} if none fits; {ends}"


def offers(state: State) -> tuple[Offer, ...]:
    """The choices among the legal moves, in the same order, with what each scores."""
    return tuple(_offer(state, move) for move in legal_moves(state).choices)


def _offer(state: State, move: Move) -> Offer:
    if move.verb == "play":
        return _play(state, move)
    gained = state.called // state.rules.unit
    if move == DRAW:
        return Offer(move, f"draw from the boneyard, {state.to_draw} left to draw")
    if move == PASS:
        return Offer(move, "pass")
    if move.verb == "lead":
        return Offer(move, f"{who(move.numbers[0])} leads")
    if move.verb == "muggins":
        return Offer(move, f"{who(move.numbers[0])} said muggins and scores {gained}")
    if move.verb == "call":
        return Offer(move, f"{who(state.turn)} called it and scores {gained}", gained)
    return Offer(move, "nobody called it")


def _play(state: State, move: Move) -> Offer:
    layout = after(state.layout, move)
    tile, *against = move.tiles
    gained = scored(layout) // state.rules.unit
    beside = f" against {against[0]}" if against else ""
    text = f"play {tile}{beside}: the open ends are {layout.count}"
    return Offer(move, f"{text}, for {points(gained)}" if gained else text, gained)


def view(state: State, seat: int | None) -> str:
    """What is on the table, how many tiles everybody holds, and the hand of the player in that seat."""
    if state.phase not in (Phase.PLAY, Phase.CALL, Phase.LEFT):
        return f"{who(seat)} holds {_in_a_row(state.known(seat))}" if seat is not None and state.known(seat) else ""
    ends = ", ".join(f"{end.tile} ({end.counts})" for end in state.layout.ends)
    held = ", ".join(f"{who(player)} {len(hand)}" for player, hand in enumerate(state.hands))
    public = (f"open ends {ends}" if ends else "", f"tiles held {held}", f"boneyard {state.boneyard}")
    own = f"{who(seat)} holds {_in_a_row(state.known(seat))}" if seat is not None and state.known(seat) else ""
    return "; ".join(filter(None, (*public, own)))


def board(state: State) -> Board:
    """A score sheet; a cribbage board where each five scores one point. Nothing ever runs ahead."""
    pegs = tuple(Pegs(side, state.members(side), side, score, score) for side, score in enumerate(state.scores))
    if state.rules.unit == 1:
        return ScoreSheet(state.rules.target, pegs)
    return Board(state.rules.target, pegs, lap=LAP)


def _in_a_row(tiles: Iterable[Tile]) -> str:
    return listed([str(tile) for tile in tiles])


def _tiles_counted(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"
