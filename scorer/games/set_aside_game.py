"""What farkle games share (six dice; scoring dice are set aside, the others thrown on): the turn, and what a photo shows.

Source: RULINGS, "What a photo means in a game": either the thrown dice alone or all six, the set-aside ones taken out by
value; the count tells which. What only the player can choose is asked, never guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from scorer.engine import game
from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Dice, Game, Move, Seen, Unclear, throw
from scorer.engine.parameters import parameter
from scorer.engine.scored import R
from scorer.errors import ThrowError
from scorer.pieces.dice import check_values, dice_counted, were_read
from scorer.pieces.set_asides import DICE, FACES, thrown
from scorer.pieces.text import dice_in_a_row, in_a_row


class Phase(StrEnum):
    """What is to be done next."""

    OPENING = "opening"
    """Dice are rolled for who begins."""
    THROW = "throw"
    """A turn begins with all six dice."""
    KEEP = "keep"
    """The dice are thrown, and at least one that scores is set aside."""
    GO_ON = "go-on"
    """Stop, or throw on."""
    ROLL_OFF = "roll-off"
    """Dice are rolled for the win, in games that break ties so."""
    OVER = "over"


_CONTESTS = {Phase.OPENING: "roll for the start", Phase.ROLL_OFF: "roll-off"}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn so far.

    Attributes:
        points: what it has brought; lost by a throw in which nothing scores.
        aside: the dice set aside since all six were last taken up, sorted.
        thrown: the dice on the table until some are set aside, sorted.
    """

    points: int = 0
    aside: Dice = ()
    thrown: Dice = ()

    @property
    def dice(self) -> int:
        """How many dice the next throw is."""
        return DICE - len(self.aside)

    def keeping(self, dice: Dice, points: int) -> Turn:
        """The turn after these dice are set aside; once all six score, all six may be thrown again."""
        aside = tuple(sorted(self.aside + dice))
        return Turn(self.points + points, aside if len(aside) < DICE else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a throw may have before it."""

    set_aside: tuple[int, ...] | None = parameter(
        "dice set aside earlier in the turn, such as 1-5-5", None, least=1, most=FACES, at_most=DICE, metavar="DICE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A situation in a turn, in which one asks for advice."""

    dice: tuple[int, ...] = parameter(
        "the throw on the table, if any", (), least=1, most=FACES, at_most=DICE, metavar="DIE", on_table=True
    )
    points: int = parameter("points set aside earlier in this turn", 0, least=0, most=99_999)
    to_throw: int | None = parameter(
        "with no dice on the table: how many you would throw, six if not given", None, least=1, most=DICE
    )

    def __post_init__(self) -> None:
        if self.points < 0:
            raise ThrowError("bad-total", f"Turn points must be 0 or more, got {self.points}.")
        if self.to_throw is not None and not 1 <= self.to_throw <= DICE:
            raise ThrowError("wrong-count", f"A throw is 1 to {DICE} dice, not {self.to_throw}.")
        if self.dice and self.to_throw not in (None, len(self.dice)):
            raise ThrowError(
                "wrong-count",
                f"to_throw is for a throw to come, but {len(self.dice)} dice are already thrown. Omit it.",
            )
        if not self.points and self.count < DICE:
            raise ThrowError(
                "wrong-count",
                f"A turn starts with {DICE} dice. With fewer, also give the points set aside earlier in the turn.",
            )

    @property
    def count(self) -> int:
        """Dice thrown, or to throw."""
        return len(self.dice) or self.to_throw or DICE


class State(game.State, Protocol):
    """What the states of these games offer beside the common attributes."""

    @property
    def phase(self) -> Phase:
        """What is to be done next."""

    @property
    def turn(self) -> Turn:
        """The turn so far."""

    @property
    def farkles(self) -> tuple[int, ...]:
        """For every player, farkles in a row; counted only where the third costs points."""


S = TypeVar("S", bound=State)


class SetAsideGame(Game[R, S], Generic[R, S]):
    """A game of six dice in which scoring dice are set aside and the others thrown on."""

    contest_dice: ClassVar[int]
    """Dice that each player rolls in an opening or a roll-off."""
    pieces = pieces("d6", at_most=DICE)
    score_options = ScoreOptions

    def on_table(self, state: S) -> Expected:
        """The thrown dice alone, or all six."""
        if state.phase in _CONTESTS:
            return self.pieces.showing({self.contest_dice})
        return self.pieces if state.phase is Phase.OVER else self.pieces.showing({DICE, state.turn.dice})

    def in_photo(self, rules: R, *, set_aside: Sequence[int] = (), **_: Any) -> Expected:  # noqa: ARG002 - of any rules
        """With dice set aside, the thrown ones alone or all six."""
        return self.pieces.showing({DICE, DICE - len(set_aside)}) if set_aside else self.pieces

    def view(self, state: S, seat: int | None) -> str:  # noqa: ARG002 - nothing is hidden
        """The dice that the prompt does not name."""
        return f"set aside {dice_in_a_row(state.turn.aside)}" if state.turn.aside and state.result is None else ""

    def set_aside(self, state: S) -> tuple[Dice, ...]:
        """The dice set aside in this turn."""
        return (state.turn.aside,)

    def streaks(self, state: S) -> tuple[tuple[int, str], ...]:
        """The farkles of every player in a row, where they are counted."""
        return tuple((player, in_a_row(count, "farkle")) for player, count in enumerate(state.farkles))

    def recognise(self, state: S, seen: Seen) -> tuple[Move, ...]:
        """The throw that a picture shows.

        Raises:
            Unclear: "choice-first", "game-over", "wrong-count", "value-out-of-range", "set-aside-not-there" or
                "tiles-there".
        """
        if state.phase is Phase.OVER:
            raise Unclear("game-over", "The game is over, so these dice are no throw of it. Begin a new game.")
        if state.phase is Phase.KEEP:
            dice = dice_in_a_row(state.turn.thrown)
            raise Unclear("choice-first", f"First say which dice of {dice} are set aside; then show the next throw.")
        try:
            move = self._shown(state, seen.dice)
        except ThrowError as error:
            raise Unclear(error.code, error.message) from error
        if seen.tiles:
            text = f"{self.title} has no dominoes: clear them away, or confirm the dice."
            raise Unclear("tiles-there", text, (move,))
        return (move,)

    def _shown(self, state: S, dice: Dice) -> Move:
        if state.phase in _CONTESTS:
            _check_count(dice, self.contest_dice, _CONTESTS[state.phase])
            return throw(dice, state.phase.value)
        if not state.turn.aside:
            _check_count(dice, DICE, "throw")
        return throw(dice[index] for index in thrown(dice, state.turn.aside))


def _check_count(dice: Dice, count: int, name: str) -> None:
    check_values(dice, FACES)
    if len(dice) != count:
        alone = "that die" if count == 1 else f"those {count} dice"
        text = f"This {name} is {dice_counted(count)}; {were_read(len(dice))}. Show {alone} alone."
        raise ThrowError("wrong-count", text)
