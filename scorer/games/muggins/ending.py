"""Muggins: how a hand and the game end.

Sources: Pagat, "All Fives": who goes out scores the pips that the opponents hold, as fives; a blocked game goes to the side
with the fewest pips; the first to reach the target wins. Wikipedia: each hand is rounded by itself, 27 pips to 25 and 28 to
30. Which of these a table plays is an option.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.engine.game import Event, Move, Result, Step, chain, names, who
from scorer.games.muggins.rules import BLOCKED, END, FIVES, LEAD, OUT, Rules
from scorer.games.muggins.state import Phase, State, next_hand, opening
from scorer.pieces.text import listed, points


def credit(state: State, player: int, pips: int, what: str, rule: str) -> Step[State]:
    """The pips as points for the player's side: at the target the game is won at once. Nothing happens for none."""
    if not pips:
        return Step(state)
    side, gained = state.side(player), pips // state.rules.unit
    scores = tuple(score + gained * (each == side) for each, score in enumerate(state.scores))
    scored = Event("scored", f"{who(player)} scores {gained} for the {what}", player, gained, rule=rule)
    now = replace(state, scores=scores)
    if scores[side] < state.rules.target:
        return Step(now, (scored,))
    text = f"{names(state.members(side))} {'win' if state.rules.partners else 'wins'} with {points(scores[side])}"
    won = Event("won", text, player, rule=END)
    return Step(replace(now, phase=Phase.OVER, turn=player, called=0, result=_result(now, side)), (scored, won))


def _result(state: State, winner: int) -> Result:
    levels = sorted({score for side, score in enumerate(state.scores) if side != winner}, reverse=True)
    others = (
        tuple(player for player in range(state.players) if _is_at(state, player, winner, level)) for level in levels
    )
    winners = state.members(winner)
    lost = tuple(int(player not in winners) for player in range(state.players))
    return Result(winners, (winners, *others), lost)


def _is_at(state: State, player: int, winner: int, level: int) -> bool:
    side = state.side(player)
    return side != winner and state.scores[side] == level


# The end of a hand


def went_out(state: State) -> Step[State]:
    """The player to act has laid the last tile: the opponents' hands count."""
    out = Event("out", f"{who(state.turn)} goes out", state.turn, rule=OUT)
    return chain(replace(state, out=state.turn), lambda now: Step(now, (out,)), _turn_over_next)


def blocked(state: State) -> Step[State]:
    """Nobody can play: all hands count."""
    event = Event("blocked", "nobody can play: the game is blocked", rule=BLOCKED)
    return chain(replace(state, out=None), lambda now: Step(now, (event,)), _turn_over_next)


def turned_over(state: State, move: Move) -> Step[State]:
    """What a player held lies on the table."""
    pips = sum(tile.pips for tile in move.tiles)
    tiles = listed([str(tile) for tile in move.tiles])
    left = Event("left", f"{who(state.turn)} holds {tiles}: {pips} pips", state.turn, rule=OUT)
    return chain(state.with_hand(state.turn, move.tiles), lambda now: Step(now, (left,)), _turn_over_next)


def _turn_over_next(state: State) -> Step[State]:
    """The next hand that counts and is not known yet is turned over; when all are known, the hand is scored."""
    counting = range(state.players) if state.out is None else state.opponents(state.out)
    due = [player for player in counting if len(state.known(player)) < len(state.hands[player])]
    if due:
        return Step(replace(state, phase=Phase.LEFT, turn=due[0]))
    return _score_out(state, state.out) if state.out is not None else _score_blocked(state)


def _score_out(state: State, player: int) -> Step[State]:
    pips = rounded(state.rules, [_pips(state, each) for each in state.opponents(player)])
    return chain(
        state,
        lambda now: credit(now, player, pips, "pips that the opponents hold", OUT),
        lambda now: _deal_again(now, player),
    )


def _score_blocked(state: State) -> Step[State]:
    sides = range(len(state.scores))
    held = [sum(_pips(state, player) for player in state.members(side)) for side in sides]
    lightest = [side for side in sides if held[side] == min(held)]
    if len(lightest) > 1:
        level = Event("level", f"the lightest hands are equal, {min(held)} pips: nobody scores", rule=BLOCKED)
        return chain(state, lambda now: Step(now, (level,)), lambda now: _deal_again(now, None))
    (side,) = lightest
    player = state.members(side)[0]
    others = [_pips(state, each) for each in state.opponents(player)]
    if state.rules.blocked == "difference":
        others = [sum(others) - held[side]]
    pips = rounded(state.rules, others)
    return chain(
        state,
        lambda now: credit(now, player, pips, "lightest hand", BLOCKED),
        lambda now: _deal_again(now, None),
    )


def rounded(rules: Rules, hands: Sequence[int]) -> int:
    """The pips of these hands as a multiple of five, the way this table rounds them."""
    if rules.going_out == "each":
        return sum(map(_nearest, hands))
    return sum(hands) // FIVES * FIVES if rules.going_out == "down" else _nearest(sum(hands))


def _nearest(pips: int) -> int:
    """The nearest multiple of five; no whole number lies in the middle of two."""
    return (pips + FIVES // 2) // FIVES * FIVES


def _pips(state: State, player: int) -> int:
    return sum(tile.pips for tile in state.known(player))


def _deal_again(state: State, out: int | None) -> Step[State]:
    """The next hand. Who went out leads it; after a blocked one tiles are drawn again, or the next seat leads."""
    if state.rules.lead == "drawn" and out is None:
        again = Event("draws-again", "tiles are drawn for the lead again", rule=LEAD)
        return Step(opening(state), (again,))
    leader = (state.leader + 1) % state.players if out is None else out
    mixed = Event("mixed", "all tiles are mixed for the next hand", rule=LEAD)
    return Step(next_hand(state, leader), (mixed,))
