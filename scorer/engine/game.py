"""What every game is: frozen rules, frozen hashable states, value moves with a text form, and `apply`.

    game = GAMES["crib-dice"]                                   (scorer.games.registry)
    state = game.start(game.rules(piddle_points=True), players=2)
    state = game.apply(state, Move.parse("throw 1 2 2 4 5 5 6")).state

What chance brings (a throw, a deal) is a move like any other, so a list of moves is a whole game. A throw may be legal
beside choices: after a safe throw one may "stop", or simply throw on. States hold players by number, from 0; names are
added where they are printed.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import comb
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from scorer.engine.advice import Advice
from scorer.engine.board import Board
from scorer.engine.expected import Expected
from scorer.engine.hidden import HiddenDeal
from scorer.engine.moment import Moment, WholeTurn
from scorer.engine.options import Preset
from scorer.engine.scored import R, Scored
from scorer.engine.worth import Piece
from scorer.errors import IllegalMove, MoveError, ThrowError
from scorer.pieces.melds import Meld
from scorer.pieces.text import listed
from scorer.pieces.tiles import Tile

_VERB = re.compile(r"[a-z]+(-[a-z]+)*")
_NUMBER = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class Move:
    """One thing done at the table: a verb, and the numbers (dice, players) or tiles that it names.

    The text form round-trips: `Move.parse(str(move)) == move`. Dice and tiles whose order means nothing are sorted by
    the maker of the move, so that equal moves are equal values.

    Raises:
        MoveError: "not-whole": a number that is no whole one. 1.0 and True equal 1, but their text could not be read back.
    """

    verb: str
    numbers: tuple[int, ...] = ()
    tiles: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        for number in self.numbers:
            if type(number) is not int:
                raise MoveError("not-whole", f"{self.verb} takes whole numbers, got {number!r}.")

    def __str__(self) -> str:
        return " ".join(map(str, (self.verb, *self.numbers, *self.tiles)))

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move from text like "throw 1 2 2 4 5 5 6", "stop" or "discard 3-0 6-6".

        Raises:
            MoveError: "unreadable-move".
        """
        verb, *rest = text.split() or [""]
        if not _VERB.fullmatch(verb):
            raise MoveError("unreadable-move", f"{text!r} is not a move: start with a word like throw, keep or stop.")
        tiles = [word for word in rest if "-" in word]
        numbers = [word for word in rest if "-" not in word]
        if rest != numbers + tiles or not all(map(_NUMBER.fullmatch, numbers)):
            expected = f"expected whole numbers or tiles like 3-0 after {verb}"
            raise MoveError("unreadable-move", f"{text!r} is not a move: {expected}.")
        return cls(verb, tuple(map(int, numbers)), tuple(_tile(word, text) for word in tiles))


def _tile(word: str, text: str) -> Tile:
    try:
        return Tile.parse(word)
    except ValueError as error:
        raise MoveError("unreadable-move", f"{text!r} is not a move: {error}.") from error


class Chance(Collection[Move], ABC):
    """Everything that chance may bring next, as a collection: membership is cheap, iterating may take long."""

    @abstractmethod
    def sample(self, random: Random) -> Move:
        """One of them, as real dice or a shuffled set would bring it."""

    @abstractmethod
    def shown_by(self, dice: tuple[int, ...], starter: int | None, tiles: tuple[Tile, ...]) -> Iterator[Move]:
        """The moves that these pieces, newly on the table, may be; the caller checks whether they are legal.

        Args:
            dice: values thrown.
            starter: the value of the die among them that differs from the others; None: unknown.
            tiles: tiles laid face up.
        """


@dataclass(frozen=True, slots=True)
class Throws(Chance):
    """Every throw of `count` dice, their values sorted."""

    count: int
    faces: int
    verb: str = "throw"

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Move)
            and move == Move(self.verb, tuple(sorted(move.numbers)))
            and len(move.numbers) == self.count
            and all(1 <= value <= self.faces for value in move.numbers)
        )

    def __iter__(self) -> Iterator[Move]:
        for dice in combinations_with_replacement(range(1, self.faces + 1), self.count):
            yield Move(self.verb, dice)

    def __len__(self) -> int:
        return comb(self.faces + self.count - 1, self.count)

    def shown_by(self, dice: tuple[int, ...], starter: int | None, tiles: tuple[Tile, ...]) -> Iterator[Move]:  # noqa: ARG002
        """The throw of these dice."""
        if dice:
            yield throw(dice, self.verb)

    def sample(self, random: Random) -> Move:
        """One throw, as real dice bring it."""
        return throw((random.randint(1, self.faces) for _ in range(self.count)), self.verb)


def throw(dice: Collection[int] | Iterator[int], verb: str = "throw") -> Move:
    """The move of throwing these values, in any order."""
    return Move(verb, tuple(sorted(dice)))


@dataclass(frozen=True, slots=True)
class Legal(Collection[Move]):
    """The legal moves of a state: choices in the order to list them, and chance moves. Empty: the game is over."""

    choices: tuple[Move, ...] = ()
    chance: Chance | None = None

    def __contains__(self, move: object) -> bool:
        return move in self.choices or (self.chance is not None and move in self.chance)

    def __iter__(self) -> Iterator[Move]:
        yield from self.choices
        yield from self.chance or ()

    def __len__(self) -> int:
        return len(self.choices) + len(self.chance or ())


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice as it is put to a player: the move, what it is in words, and what it is worth."""

    move: Move
    text: str
    points: int = 0
    items: tuple[Meld[int | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a move leads to.

    Attributes:
        name: stable kebab-case name, like "wipeout", "pegged", "bumped", "won".
        text: a sentence without its full stop; "{0}" stands for the name of player 0.
        player: whom it happens to.
        points: points it brings (below 0: takes).
        items: the melds or chart lines that make up the points.
        rule: where the rules say so, like "Crib Dice, Fuchle".
    """

    name: str
    text: str
    player: int | None = None
    points: int = 0
    items: tuple[Meld[int | str], ...] = ()
    rule: str = ""

    def said(self, names: Sequence[str]) -> str:
        """The text with the players' names in it."""
        return re.sub(r"\{(\d+)\}", lambda found: names[int(found[1])], self.text)


def who(player: int) -> str:
    """The place of a player's name in the text of an event, an offer or a prompt."""
    return f"{{{player}}}"


def names(players: Iterable[int]) -> str:
    """The places of several players' names: "{0} and {2}"."""
    return listed(list(map(who, players)))


def ranked(scores: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """All players by score, the highest first, equal ones together."""
    return tuple(
        tuple(player for player, score in enumerate(scores) if score == level)
        for level in sorted(set(scores), reverse=True)
    )


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes:
        winners: the players who share the win; in "Find a Loser" all but the loser.
        ranking: all players, best first, equals together.
        lost: games each player has lost, for a session: 0 for winners, 1, 2 skunked, 4 double-skunked.
    """

    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a camera saw, or a person typed: values only.

    Attributes:
        dice: the values of all dice in the picture, in any order.
        starter: the value of the die that differs from the others, which is among `dice`; None: unknown.
        tiles: the tiles that lie face up.
        touching: the pairs of them that touch, in any order; empty also where this is unknown.
        typed: a person typed these pieces; no camera saw them.
    """

    dice: tuple[int, ...] = ()
    starter: int | None = None
    tiles: tuple[Tile, ...] = ()
    touching: tuple[tuple[Tile, Tile], ...] = ()
    typed: bool = False


class Unclear(ThrowError):  # noqa: N818 - it is a doubt, to be shown as one
    """What was seen cannot be a move here: nothing is scored, and the players are asked.

    Attributes:
        moves: what would be played if a person confirms what was seen; empty if nothing could.
    """

    def __init__(self, code: str, message: str, moves: tuple[Move, ...] = ()) -> None:
        super().__init__(code, message)
        self.moves = moves


class State(Protocol):
    """What every frozen, hashable state offers."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def to_act(self) -> int | None:
        """The player whose move is next; None once it is over."""

    @property
    def result(self) -> Result | None:
        """How it ended, once it has."""


S = TypeVar("S", bound=State)
Dice = tuple[int, ...]
GO_ON = None
"""Stands for throwing on, in a list of choices."""
IN_ONE_GO = 2
"""The most choices beside a throw that are offered in one go with the choice before them."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The state after a move, and what happened on the way."""

    state: S
    events: tuple[Event, ...] = field(default=())

    def after(self, *events: Event) -> Step[S]:
        """The step with these earlier events in front."""
        return Step(self.state, (*events, *self.events))


def chain(state: S, *actions: Callable[[S], Step[S]]) -> Step[S]:
    """Apply the actions in turn, each to the state that the one before returned; stop once the game is over."""
    events: tuple[Event, ...] = ()
    for action in actions:
        if state.to_act is None:
            break
        step = action(state)
        state, events = step.state, (*events, *step.events)
    return Step(state, events)


class Game(Scored[R], Generic[R, S]):
    """A game as pure functions of frozen states. `apply` is the only way to make a move, and refuses illegal ones.

    Every game implements the first methods; those with a default come after them, and a game overrides them if needed.
    """

    summary: ClassVar[str]
    """How the game is won, in one line for the phone."""
    in_short: ClassVar[tuple[str, ...]] = ()
    """The rules that a new player needs, a sentence each: read in half a minute."""
    presets: ClassVar[tuple[Preset, ...]] = ()
    """Sets of rules that a table can choose at once, instead of option by option; pages show the first three."""
    visible_verbs: ClassVar[frozenset[str]] = frozenset({"opening", "throw", "roll-off", "deal", "play"})
    """Verbs of moves that can be seen on the table; the other moves are only announced."""
    hidden_verbs: ClassVar[frozenset[str]] = frozenset()
    """Verbs of moves whose tiles lie face down."""
    hidden_deal: ClassVar[HiddenDeal | None] = None
    """How a camera that follows the game reconstructs a hand that was dealt face down."""
    moment: ClassVar[type[Moment[Any]] | None] = None
    """The question for advice on a turn; None: the game has none."""
    whole_turn: ClassVar[type[WholeTurn[Any]] | None] = None
    """The question for the worth of a whole turn; None: the game has none."""
    weighs_points: ClassVar[float] = 2.0
    """Difference in turn points that makes one choice e times as likely as another, as people play."""

    @abstractmethod
    def start(self, rules: R, players: int) -> S:
        """The state before the first move.

        Raises:
            RulesError: "bad-players": wrong number of players for the game or the rules.
        """

    @abstractmethod
    def legal_moves(self, state: S) -> Legal:
        """Everything that may be done next."""

    @abstractmethod
    def offers(self, state: S) -> tuple[Offer, ...]:
        """The choices among the legal moves, in the same order, with what each is worth."""

    @abstractmethod
    def prompt(self, state: S) -> str:
        """What is to be done next, for the player to act: "{0}: throw all seven dice"; braces as in `Event.text`."""

    @abstractmethod
    def board(self, state: S) -> Board:
        """Where the pegs stand; a `ScoreSheet` for a game that has no board."""

    @abstractmethod
    def on_table(self, state: S) -> Expected:
        """What a photo taken now should show: the pieces on the table, or those that may be thrown or laid next.

        A count that is not among `counts` fits no move of this state. A camera that follows a whole game may meet other counts
        after choices that were not announced, but never more than `pieces.at_most`.
        """

    @abstractmethod
    def recognise(self, state: S, seen: Seen) -> tuple[Move, ...]:
        """The moves that a picture of the table shows: mostly one throw. RULINGS, "What a photo means in a game".

        Raises:
            Unclear: what was seen fits no legal move, or more than one.
        """

    @abstractmethod
    def why_not(self, state: S, move: Move) -> IllegalMove:
        """The reason why a move is not among the legal ones."""

    @abstractmethod
    def follow(self, state: S, move: Move) -> Step[S]:
        """What a legal move leads to. Callers use `apply`, which makes sure that it is legal."""

    def apply(self, state: S, move: Move) -> Step[S]:
        """The next state and what happened on the way; pure, so the state given stays as it is.

        Raises:
            IllegalMove: with the reason and the rule that the move breaks.
        """
        if move not in self.legal_moves(state):
            raise self.why_not(state, move)
        return self.follow(state, move)

    # What has a default

    def offers_with(self, state: S, move: Move) -> tuple[Offer, ...]:
        """The choices that may be made in one go with this choice, instead of throwing on: "set these aside, and stop".

        For a move that is only announced, these are the choices of the state that it leads to, with their worths there; none
        where there are more than `IN_ONE_GO`, or another player is to act.
        """
        if self.laid_by(move):
            return ()
        after = self.follow(state, move).state
        if after.to_act != state.to_act:
            return ()
        legal = self.legal_moves(after)
        return self.offers(after) if legal.chance is not None and len(legal.choices) <= IN_ONE_GO else ()

    def view(self, state: S, seat: int | None) -> str:  # noqa: ARG002
        """What is on the table but not in the prompt, and the hand of the player `seat`; None: only what everybody may see."""
        return ""

    def holds_secrets(self, rules: R) -> bool:  # noqa: ARG002
        """Whether a state contains information that is hidden from some players while the game lasts."""
        return bool(self.hidden_verbs)

    def laid_by(self, move: Move) -> tuple[Piece, ...]:
        """The pieces that a move puts on the table; none for a move that is only announced."""
        return (tuple(map(str, move.tiles)) or move.numbers) if move.verb in self.visible_verbs else ()

    def set_aside(self, state: S) -> tuple[Dice, ...]:  # noqa: ARG002
        """The dice already on the table when the next throw is made; several alternatives where tables differ."""
        return ((),)

    def lay_before(self, state: S, move: Move) -> tuple[Piece, ...]:
        """The pieces that lay face up on the table before this move, which puts pieces there."""
        return self.set_aside(state)[0] if move.verb not in CONTESTS else ()

    def leaves_lying(self, state: S, move: Move) -> bool:  # noqa: ARG002
        """Whether the pieces of the previous move stay where they are, because this move uses dice of its own."""
        return False

    def starter(self, state: S, move: Move) -> Piece | None:  # noqa: ARG002
        """The piece on the table that is the starter once this move is made."""
        return None

    def seen_as_typed(self, state: S, pieces: tuple[Piece, ...]) -> Seen:  # noqa: ARG002
        """Dice or tiles that a player typed without a verb, as an observation of the table."""
        if self.kind == "domino":
            return Seen(tiles=tuple(Tile.parse(str(piece)) for piece in pieces))
        return Seen(tuple(map(int, pieces)))

    def advise(self, state: S, *, hands: bool) -> Advice | None:  # noqa: ARG002
        """The best decision now; None where there is nothing to choose, or no advice is available.

        Args:
            state: what is to be decided.
            hands: whether the advice may reveal what a player holds.
        """
        return None

    def choice_worths(self, state: S) -> dict[Move | None, float]:
        """The worth of each choice in points of the turn; the key `GO_ON` stands for throwing on."""
        return {offer.move: float(offer.points) for offer in self.offers(state)}

    def streaks(self, state: S) -> tuple[tuple[int, str], ...]:  # noqa: ARG002
        """What is announced of a side between two moves, like "2 farkles in a row"."""
        return ()


CONTESTS = frozenset({"opening", "roll-off"})
"""Verbs of rolls that decide who begins or wins: they are made on an empty table."""
