"""Muggins: the legal moves.

Source: Pagat, "All Fives": who can play must; who cannot draws until a tile fits, which is laid at once, or passes when
nothing is left to draw. Where hands are secret the players enforce that themselves: any tile that fits and is not on the
table yet may be laid, and a draw or a pass is announced.
"""

from __future__ import annotations

from functools import lru_cache

from scorer.engine.draw import Draw
from scorer.engine.game import Legal, Move
from scorer.games.muggins.layout import Layout
from scorer.games.muggins.rules import FIVES, Rules
from scorer.games.muggins.state import Phase, State, Tiles
from scorer.pieces.tiles import FULL_SET, Tile

DRAW, PASS, CALL, UNCLAIMED = Move("draw"), Move("pass"), Move("call"), Move("unclaimed")


def legal_moves(state: State) -> Legal:
    """Everything that may be done next."""
    if state.phase is Phase.PLAY:
        return _turn(state)
    if state.phase is Phase.LEAD:
        return Legal(tuple(Move("lead", (player,)) for player in range(state.players)))
    if state.phase is Phase.CALL:
        claims = (Move("muggins", (player,)) for player in state.opponents(state.turn))
        return Legal((CALL, *claims, UNCLAIMED))
    return Legal(chance=_drawn(state))


def _drawn(state: State) -> Draw | None:
    if state.phase is Phase.OPENING:
        return Draw("opening", tuple(tile for tile in FULL_SET if tile not in state.drawn))
    if state.phase is Phase.DEAL:
        return Draw("deal", state.unseen, state.rules.dealt(state.players), (state.turn,))
    if state.phase is Phase.LEFT:
        return Draw("left", state.unseen, len(state.hands[state.turn]), (state.turn,))
    return None


def _turn(state: State) -> Legal:
    plays = plays_of(state)
    if state.told:
        return Legal(plays) if plays else Legal(chance=Draw("draw", state.unseen))
    if not state.layout.laid:
        return Legal(plays)
    return Legal((*plays, DRAW if state.to_draw else PASS))


def plays_of(state: State) -> tuple[Move, ...]:
    """The tiles that the player to act may lay, each with the one it is laid against; most points first."""
    if state.told:
        return plays_from(state.layout, state.known(state.turn), state.rules)
    return _plays(state.layout, state.unseen)


def plays_from(layout: Layout, hand: Tiles, rules: Rules) -> tuple[Move, ...]:
    """The tiles of a hand that its player may lay, each with the one it is laid against; most points first."""
    may_lead = (must_lead(hand),) if rules.lead == "double" and not layout.laid else hand
    return _plays(layout, may_lead)


@lru_cache(maxsize=16384)
def _plays(layout: Layout, tiles: Tiles) -> tuple[Move, ...]:
    if not layout.laid:
        found = [play(tile) for tile in tiles]
    else:
        found = [play(tile, against) for tile in tiles for against in layout.fitting(tile)]
    return tuple(sorted(found, key=lambda move: -scored(after(layout, move))))


def play(tile: Tile, against: Tile | None = None) -> Move:
    """The move of laying a tile against another; the first is laid against none."""
    return Move("play", tiles=(tile,) if against is None else (tile, against))


def after(layout: Layout, move: Move) -> Layout:
    """The layout after this play."""
    tile, *against = move.tiles
    return layout.and_then(tile, against[0] if against else None)


def scored(layout: Layout) -> int:
    """The pips that the open ends score: all of them, where they add up to a multiple of five."""
    return 0 if layout.count % FIVES else layout.count


def must_lead(tiles: Tiles) -> Tile:
    """The highest double of some tiles; without one the heaviest tile, of equals the one with the higher end."""
    return max(tiles, key=lambda tile: (tile.double, tile.pips, tile.high))


def can_play(state: State, player: int) -> bool:
    """Whether that player, whose hand is known, has a tile that fits."""
    return any(state.layout.fitting(tile) for tile in state.known(player))
