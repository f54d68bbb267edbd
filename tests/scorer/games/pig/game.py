"""Pig, the smallest game there is: one die, thrown on as long as one dares; a 1 loses the turn. See docs/add-your-game.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorer.engine.board import Pegs, ScoreSheet
from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Event, Game, Legal, Move, Offer, Result, Seen, Step, Throws, Unclear, throw
from scorer.engine.options import GameRules, number
from scorer.engine.worth import Choice, Table, Worth
from scorer.errors import IllegalMove, RulesError, ThrowError
from scorer.pieces.dice import check_values

STOP = Move("stop")
RULE = "Pig"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """How a table plays Pig."""

    target: int = number(100, "The first to reach so many points wins.", 10, 1000, (10, 30))


@dataclass(frozen=True, slots=True)
class State:
    """A game: what is banked, whose turn it is, and what the turn has brought."""

    rules: Rules
    scores: tuple[int, ...]
    player: int = 0
    points: int = 0
    result: Result | None = None

    @property
    def players(self) -> int:
        return len(self.scores)

    @property
    def to_act(self) -> int | None:
        return None if self.result else self.player


class Pig(Game[Rules, State]):
    """For two players or more."""

    name = "pig"
    title = "Pig"
    summary = "One die: throw on or stop, a 1 loses the turn; first to 100 points wins."
    rules = Rules
    pieces = pieces("d6", at_most=1)

    def start(self, rules: Rules, players: int) -> State:
        if players < 2:
            raise RulesError("bad-players", f"Pig is for 2 players or more, not {players}.")
        return State(rules, (0,) * players)

    def legal_moves(self, state: State) -> Legal:
        if state.result:
            return Legal()
        return Legal((STOP,) if state.points else (), Throws(1, 6))

    def offers(self, state: State) -> tuple[Offer, ...]:
        text = f"stop and bank {state.points}"
        return tuple(Offer(move, text, state.points) for move in self.legal_moves(state).choices)

    def prompt(self, state: State) -> str:
        if state.result:
            return f"the game is over: {{{state.player}}} won"
        stop = f"stop with {state.points}, or " if state.points else ""
        return f"{{{state.player}}}: {stop}throw the die"

    def board(self, state: State) -> ScoreSheet:
        running = [state.points if player == state.player else 0 for player in range(state.players)]
        rows = (
            Pegs(player, (player,), player, score, score + running[player]) for player, score in enumerate(state.scores)
        )
        return ScoreSheet(state.rules.target, tuple(rows))

    def on_table(self, state: State) -> Expected:
        return self.pieces.showing({1})

    def recognise(self, state: State, seen: Seen) -> tuple[Move, ...]:
        if state.result:
            raise Unclear("game-over", "The game is over. Begin a new one.")
        if len(seen.dice) != 1:
            raise Unclear("wrong-count", f"Pig has one die, and {len(seen.dice)} were read. Show it alone.")
        return (throw(seen.dice),)

    def why_not(self, state: State, move: Move) -> IllegalMove:
        return IllegalMove("no-such-move", f"{move} is no move now: throw one die, or stop once you have points.", RULE)

    def follow(self, state: State, move: Move) -> Step[State]:
        if move == STOP:
            return self._banked(state)
        (value,) = move.numbers
        thrown = Event(
            "thrown", f"{{{state.player}}} throws {value}", state.player, 0 if value == 1 else value, rule=RULE
        )
        if value > 1:
            return Step(replace(state, points=state.points + value), (thrown,))
        return Step(
            self._next(state), (thrown, Event("lost", "the turn is lost", state.player, -state.points, rule=RULE))
        )

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        check_values(pieces, 6)
        if len(pieces) != 1:
            raise ThrowError("wrong-count", f"Pig has one die, got {len(pieces)}.")
        points = 0 if pieces == (1,) else pieces[0]
        choices = (Choice("add it", f"add {points}", pieces, (0,), points, ()),) if points else ()
        outcome, text = ("scores", f"{points} more.") if points else ("lost", "The turn is lost.")
        return Worth(self.name, pieces, outcome, points, text, choices, (Table("Pig", ("Points",), ((str(points),),)),))

    def _banked(self, state: State) -> Step[State]:
        score = state.scores[state.player] + state.points
        scores = (*state.scores[: state.player], score, *state.scores[state.player + 1 :])
        banked = Event("banked", f"{{{state.player}}} banks {state.points}", state.player, state.points, rule=RULE)
        if score < state.rules.target:
            return Step(self._next(replace(state, scores=scores)), (banked,))
        others = tuple(player for player in range(state.players) if player != state.player)
        lost = tuple(int(player != state.player) for player in range(state.players))
        result = Result((state.player,), ((state.player,), others), lost)
        won = Event("won", f"{{{state.player}}} wins with {score}", state.player, rule=RULE)
        return Step(replace(state, scores=scores, points=0, result=result), (banked, won))

    def _next(self, state: State) -> State:
        return replace(state, player=(state.player + 1) % state.players, points=0)
