"""Texts for the player to act: the prompt, and the choices with their worths."""

from __future__ import annotations

from scorer.engine.board import Board, Pegs
from scorer.engine.game import Move, Offer, who
from scorer.games.cribbage_dice.legal import STOP, discard_move, hands_of_seven, keep_moves
from scorer.games.cribbage_dice.state import ROLLS, State, best, best_of, standing
from scorer.games.cribbage_dice.throws import MOST, Keep
from scorer.pieces.dice import dice_counted, take_out
from scorer.pieces.text import dice_in_a_row, in_words


def prompt(state: State) -> str:
    """What is to be done next."""
    if state.to_act is None:
        return "The game is over"
    return f"{who(state.to_act)}: {_due(state)}"


def _due(state: State) -> str:
    return f"{_lies(state)}; {due(state)}" if state.phase in ("decide", "discard") else due(state)


def due(state: State) -> str:
    """What is to be done next, without the player's name and the dice."""
    if state.phase in ("decide", "discard"):
        return _choice(state)
    return {
        "opening": "roll one die, high roll goes first",
        "roll-off": "roll one die, high roll wins",
        "throw": f"throw all {in_words(state.to_throw)} dice, the starter among them",
        "rethrow": f"throw {_the_dice(state.to_throw)} that you did not keep",
    }[state.phase]


def _the_dice(count: int) -> str:
    return "the die" if count == 1 else f"the {in_words(count)} dice"


def _lies(state: State) -> str:
    turn = state.turn
    return f"{dice_in_a_row(turn.others)} with the starter on {turn.starter} counts {in_words(standing(state))}"


def _choice(state: State) -> str:
    if state.phase == "discard":
        return "discard two dice"
    left = ROLLS - state.turn.rolls
    return f"stop, or keep some dice and throw the others ({in_words(left)} roll{'s' if left > 1 else ''} left)"


def offers(state: State) -> tuple[Offer, ...]:
    """The choices among the legal moves, in the same order.

    A stop or discard is worth what it scores, a keep what the kept dice and the starter count already. The items'
    indices count into the dice on the table, the starter first.
    """
    if state.phase == "discard":
        return tuple(_discard(state, hand) for hand in hands_of_seven(state))
    if state.phase == "decide":
        return (_stop(state), *(_keep(state, move) for move in keep_moves(state)))
    return ()


def _stop(state: State) -> Offer:
    hand = best(state)
    discarding = f"discard two of them, keep {dice_in_a_row(hand.hand.values)} and " if hand.discarded else ""
    return _offer(STOP, f"stop, {discarding}count {hand.hand.aloud()}", hand)


def _keep(state: State, move: Move) -> Offer:
    thrown = set(take_out(state.turn.others, move.numbers))
    kept = (index for index in range(len(state.turn.others)) if index not in thrown)
    hand = best_of(state, (0, *(index + 1 for index in kept)))
    what = dice_in_a_row(move.numbers) if move.numbers else "only the starter"
    return _offer(move, f"keep {what} and throw {dice_counted(len(thrown))}: so far {hand.hand.aloud()}", hand)


def _discard(state: State, hand: Keep) -> Offer:
    move = discard_move(state, hand)
    kept = dice_in_a_row(hand.hand.values)
    return _offer(move, f"discard {dice_in_a_row(move.numbers)} and keep {kept}: {hand.hand.aloud()}", hand)


def _offer(move: Move, text: str, hand: Keep) -> Offer:
    return Offer(move, text, hand.hand.total, hand.hand.melds)


def board(state: State) -> Board:
    """Where the pegs stand: a lane for everybody, the front peg as far ahead as the dice on the table count now."""
    pegs = tuple(_pegs(state, player) for player in range(state.players))
    # Without a target nobody ever leaves the board, whatever the dice.
    finish = state.rules.target or state.rules.round_limit * MOST + 1
    return Board(finish, pegs)


def _pegs(state: State, player: int) -> Pegs:
    back = state.scores[player]
    running = standing(state) if player == state.to_act else 0
    return Pegs(player, (player,), player, back, back + running)
