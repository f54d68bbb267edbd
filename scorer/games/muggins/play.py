"""Muggins: what the moves lead to. Every move here is legal, see `Game.apply`.

Sources: see `rules`. Where hands are told, a pass follows by itself, for who can play must and who can draw must, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scorer.engine.game import Event, Move, Step, chain, names, who
from scorer.engine.roll_off import RollOff
from scorer.games.muggins import ending
from scorer.games.muggins.ending import credit
from scorer.games.muggins.legal import after, can_play, must_lead, scored
from scorer.games.muggins.rules import BONEYARD, CLAIM, DEAL, LEAD, PLAY, SCORING
from scorer.games.muggins.state import Hand, Phase, State, next_hand


def follow(state: State, move: Move) -> Step[State]:
    """What a legal move leads to."""
    return _FOLLOW[move.verb](state, move)


# Before the play


def _opening(state: State, move: Move) -> Step[State]:
    """A tile drawn for the lead; once all have drawn, the highest total leads, and equal ones draw again."""
    (tile,) = move.tiles
    drew = Event("drew", f"{who(state.turn)} draws {tile}", state.turn, rule=LEAD)
    roll_off = state.roll_off.cast(tile.pips)
    drawn = replace(state, roll_off=roll_off, drawn=(*state.drawn, tile))
    if not roll_off.complete:
        return Step(replace(drawn, turn=roll_off.to_roll), (drew,))
    highest, *others = roll_off.highest
    if others:
        again = RollOff(roll_off.highest)
        tied = Event("tied", f"{names(roll_off.highest)} drew equal totals and draw again", rule=LEAD)
        return Step(replace(state, roll_off=again, drawn=(), turn=highest), (drew, tied))
    leads = Event("leads", f"{who(highest)} drew the most pips and leads", highest, rule=LEAD)
    return Step(next_hand(state, highest), (drew, leads))


def _lead(state: State, move: Move) -> Step[State]:
    (leader,) = move.numbers
    text = f"{who(leader)} holds the highest double, or without one the heaviest tile, and leads"
    leads = Event("leads", text, leader, rule=LEAD)
    return Step(replace(state, phase=Phase.PLAY, turn=leader, leader=leader), (leads,))


def _deal(state: State, move: Move) -> Step[State]:
    """The tiles of the player to act; after the last hand the play begins."""
    dealt = Event("dealt", f"{who(state.turn)} takes {len(move.tiles)} tiles", state.turn, rule=DEAL)
    holding = state.with_hand(state.turn, move.tiles)
    if state.turn + 1 < state.players:
        return Step(replace(holding, turn=state.turn + 1), (dealt,))
    leader = _holder(holding) if state.rules.lead == "double" else state.leader
    return Step(replace(holding, phase=Phase.PLAY, turn=leader, leader=leader), (dealt,))


def _holder(state: State) -> int:
    """Who holds the tile that has to be led."""
    tile = must_lead(tuple(tile for player in range(state.players) for tile in state.known(player)))
    return next(player for player in range(state.players) if tile in state.known(player))


# A turn


def _play(state: State, move: Move) -> Step[State]:
    tile, *against = move.tiles
    layout = after(state.layout, move)
    beside = f" against {against[0]}" if against else ""
    text = f"{who(state.turn)} plays {tile}{beside}: the open ends are {layout.count}"
    played = Event("played", text, state.turn, rule=PLAY)
    laid = replace(_without(state, tile), layout=layout, passes=0)
    points = scored(layout)
    if points and state.rules.muggins:
        return Step(replace(laid, phase=Phase.CALL, called=points), (played,))
    return chain(
        laid, lambda now: Step(now, (played,)), lambda now: credit(now, now.turn, points, "open ends", SCORING), _go_on
    )


def _without(state: State, tile: object) -> State:
    """The state with the tile removed from the hand of the player to act; from a secret hand, any one tile."""
    hand = state.hands[state.turn]
    at = hand.index(tile) if tile in hand else 0
    return state.with_hand(state.turn, hand[:at] + hand[at + 1 :])


def _called(state: State, move: Move) -> Step[State]:
    """The score goes to who called it."""
    points = state.called
    caller = move.numbers[0] if move.numbers else state.turn
    playing = replace(state, phase=Phase.PLAY, called=0)
    if move.verb == "unclaimed":
        nobody = Event("unclaimed", f"nobody calls the {points} of the open ends", rule=CLAIM)
        return chain(playing, lambda now: Step(now, (nobody,)), _go_on)
    what = "open ends" if move.verb == "call" else f"open ends that {who(state.turn)} overlooked"
    rule = SCORING if move.verb == "call" else CLAIM
    return chain(playing, lambda now: credit(now, caller, points, what, rule), _go_on)


def _go_on(state: State) -> Step[State]:
    """After a play: the hand is over, or the next player is to act."""
    if not state.hands[state.turn]:
        return ending.went_out(state)
    return to_move(state, (state.turn + 1) % state.players)


def to_move(state: State, first: int) -> Step[State]:
    """The first player from that seat on who can move; players before them pass. If nobody can move, the game is blocked."""
    if not state.told:
        return Step(replace(state, turn=first))
    events: tuple[Event, ...] = ()
    for seat in range(state.players):
        player = (first + seat) % state.players
        if state.to_draw or can_play(state, player):
            return Step(replace(state, turn=player), events)
        events = (*events, _passes(player))
    blocked = ending.blocked(replace(state, turn=first))
    return Step(blocked.state, (*events, *blocked.events))


def _passes(player: int) -> Event:
    return Event("passed", f"{who(player)} can neither play nor draw and passes", player, rule=BONEYARD)


def _draw(state: State, move: Move) -> Step[State]:
    drew = Event("drew", f"{who(state.turn)} draws from the boneyard", state.turn, rule=BONEYARD)
    tiles: Hand = move.tiles or (None,)
    hand = (*state.hands[state.turn], *tiles)
    holding = state.with_hand(state.turn, tuple(sorted(filter(None, hand))) if state.told else hand)
    return chain(holding, lambda now: Step(now, (drew,)), lambda now: to_move(now, now.turn))


def _pass(state: State, _: Move) -> Step[State]:
    """An announced pass; when all have passed in a row, the game is blocked."""
    passed = replace(state, passes=state.passes + 1)
    if passed.passes == state.players:
        return chain(passed, lambda now: Step(now, (_passes(now.turn),)), ending.blocked)
    return Step(replace(passed, turn=(state.turn + 1) % state.players), (_passes(state.turn),))


_FOLLOW: dict[str, Callable[[State, Move], Step[State]]] = {
    "opening": _opening,
    "lead": _lead,
    "deal": _deal,
    "play": _play,
    "call": _called,
    "muggins": _called,
    "unclaimed": _called,
    "draw": _draw,
    "pass": _pass,
    "left": ending.turned_over,
}
