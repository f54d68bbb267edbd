"""A game followed by what its table shows: the referee plays along with a camera.

    follower = Follower(game, game.start(rules, players=2))
    follower.observe(Observation(thrown=(1, 2, 2, 4, 5, 5, 6)))
    follower.observe(Observation(thrown=(1, 3, 5, 6, 6), still=(5, 5)))
    follower.moves                              the throws, and between them "point 5", for no other leaves two 5s lying

What a player says is not seen: which point, when to stop. Every choice that the rules allow is tried with every roll
that follows; the explanations that hold are kept side by side as a tree, each as likely as its choices
(`priors`), and the likeliest is believed. What all of them share stands for good. A move is `inferred` where another
explanation held beside it, or would have, had it been kept; so pegs that only the likelihood put there are always marked.

A deal that lies face down cannot be seen. Where players show their hands as they are dealt, the tiles that are played tell
what went to the crib. Where they do not, a hand is told at once when its crib is turned over (`hidden_deal`); if it never
is, as when somebody has won before, what was played of that hand is a trouble.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import exp, inf
from typing import Any

from scorer.camera.observation import Observation as Observation
from scorer.camera.observation import Trust, matching_moves
from scorer.camera.priors import GO_ON, choice_priors
from scorer.engine.game import Move
from scorer.games.registry import AnyGame
from scorer.pieces.text import dice_in_a_row, listed, sentence

FAR_BEHIND = 4.0
"""An explanation that is less likely than the best by this factor (a natural logarithm) is given up."""
MOST, MOST_OF_TILES = 64, 256
"""Explanations that are kept at a time; more where hands are hidden, for two discards of six tiles each have 225."""
LATEST = 24
"""Rolls after which the likeliest explanation stands for good, whatever may follow."""
IT_ENDS = 6.0
"""How much likelier (a natural logarithm) is what ends the game, if nothing more was seen."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A move as the table told it.

    Attributes:
        move: what was done.
        inferred: the table does not settle it: it is the likeliest of several.
        observation: the roll that it was seen by, or that bore it out, counted from 0.
        chance: how likely it was, with all before it, when it was last looked at; explanations that come to the same state
            count as one.
    """

    move: Move
    inferred: bool
    observation: int
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class Trouble:
    """A roll that no legal play explains: it is kept and said, and not scored.

    Attributes:
        observation: which, counted from 0.
        seen: what it showed.
        text: a sentence for the table; "{0}" stands for the name of player 0.
    """

    observation: int
    seen: Observation
    text: str


@dataclass(eq=False, slots=True)
class _Moment:
    """A state that a sequence of moves leads to, in the tree of all explanations.

    Attributes:
        state: as it is then.
        parent: the moment before; None where what stands for good ends.
        move: what led here from there.
        observation: the roll by which it did.
        log_likelihood: the logarithm of how likely all choices up to here are.
        open: another explanation was given up beside it that nothing had refuted.
        after: what may have followed.
    """

    state: Any
    parent: _Moment | None = None
    move: Move = field(default_factory=lambda: Move("begin"))
    observation: int = -1
    log_likelihood: float = 0.0
    open: bool = False
    after: dict[Move, _Moment] = field(default_factory=dict)

    def followed(self, chance: float) -> Followed:
        """The move that led here, as it is told."""
        alone = self.parent is None or len(self.parent.after) == 1
        return Followed(self.move, self.open or not alone, self.observation, chance)


@dataclass(frozen=True, slots=True)
class _Way:
    """How an explanation may go on.

    Attributes:
        state: at its end.
        steps: the moves, with the state after each.
        last: the last of them, with the state before it.
        log_likelihood: the logarithm of how likely it is, with all before it.
    """

    state: Any
    steps: tuple[tuple[Move, Any], ...] = ()
    last: tuple[Any, Move] | None = None
    log_likelihood: float = 0.0


class Follower:
    """Follows one game from a state on; see the module."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game = game
        self._stands: list[Followed] = []
        self._root = _Moment(state)
        self._ends = [self._root]
        self._observations = 0
        self._unexplained_rolls: list[Trouble] = []
        self._unseen: list[tuple[int, Observation]] = []

    @property
    def moves(self) -> tuple[Followed, ...]:
        """All moves as believed now; the last few may change until what follows settles them."""
        chances = self._chances_of_all()
        return (*self._stands, *(moment.followed(chances[moment]) for moment in _path(self._best)))

    @property
    def settled(self) -> int:
        """How many of the moves stand for good."""
        return len(self._stands)

    @property
    def state(self) -> Any:
        """The game as believed now."""
        return self._best.state

    @property
    def unexplained(self) -> tuple[Trouble, ...]:
        """The rolls that no legal play explains."""
        return tuple(self._unexplained_rolls)

    def observe(self, observation: Observation) -> bool:
        """One roll more. Whether a legal play explains it; if none does, all else stays as it was."""
        number, self._observations = self._observations, self._observations + 1
        expanded = self._expand(observation, number) or self._in_hindsight(observation, number)
        if not expanded:
            return self._unexplained(observation, number)
        self._ends = self._best_of(expanded)
        while self._root.after and self._root.observation < number - LATEST:
            self._decide()
        self._advance()
        return True

    def finish(self) -> None:
        """Nothing more will be seen: choices that end the game are made, and what is believed stands."""
        endings = [(end, way) for end in self._ends for way in self._endings(end)]
        end, way = max(
            endings, key=lambda each: each[1].log_likelihood, default=(self._root, _Way(None, log_likelihood=-inf))
        )
        if way.log_likelihood + IT_ENDS >= self._best.log_likelihood:
            last = _insert(end, way, max(self._observations - 1, 0))
            last.log_likelihood = inf
            for moment in _path(last, end):
                moment.open = True
            self._ends.append(last)
        while self._root.after:
            self._decide()
            self._advance()
        self._give_back()

    @property
    def _best(self) -> _Moment:
        return max(self._ends, key=lambda end: round(end.log_likelihood, 6))

    def _chances_of_all(self) -> Mapping[_Moment, float]:
        """How likely every moment is, of all that is kept."""
        most = self._best.log_likelihood
        # The end of a game that is taken for granted is infinitely likely.
        weights = [exp(end.log_likelihood - most) if end.log_likelihood < most else 1.0 for end in self._ends]
        shares: dict[_Moment, float] = defaultdict(float)
        for end, weight in zip(self._ends, weights, strict=True):
            for moment in _path(end):
                shares[moment] += weight / sum(weights)
        return shares

    # Hands of dominoes that are dealt face down

    @property
    def kept_back(self) -> int:
        """Rolls, of the last ones, that will be explained once all tiles of a hand were seen, if they are."""
        return len(self._unseen)

    def _unexplained(self, observation: Observation, number: int) -> bool:
        """Nothing explains it now; a tile of a hand whose deal was not seen is kept back."""
        deal = self.game.hidden_deal
        if not (deal and deal.waits(self.state) and len(observation.tiles) == 1 and not observation.thrown):
            self._give_back()
            self._trouble(number, observation)
            return False
        if len(self._unseen) == deal.one_by_one:
            self._give_back()
        self._unseen.append((number, observation))
        return True

    def _in_hindsight(self, observation: Observation, number: int) -> list[_Moment]:
        """What the hand was, if this is its crib."""
        deal = self.game.hidden_deal
        if not deal or (len(self._unseen), len(observation.tiles)) != (deal.one_by_one, deal.together):
            return []
        tiles = [seen.tiles[0] for _, seen in self._unseen]
        expanded = [
            self._recalled(end, _Way(steps[-1][1], steps, log_likelihood=end.log_likelihood + likeliness), number)
            for end in self._ends
            for steps, likeliness in deal.reconstruct(end.state, tiles, observation.tiles)
        ]
        if expanded:
            self._unseen.clear()
            for end in self._ends:
                _cut(end)
        return expanded

    def _recalled(self, end: _Moment, way: _Way, number: int) -> _Moment:
        """The end of a hand told in hindsight: each tile by the roll that showed it, the deal open for good."""
        last = _insert(end, way, number)
        numbers = iter([at for at, _ in self._unseen])
        for moment in _path(last, end):
            if moment.move.verb in self.game.hidden_verbs:
                moment.open = True
            else:
                moment.observation = next(numbers)
        return last

    def _give_back(self) -> None:
        """What was kept back will not be explained."""
        for number, observation in self._unseen:
            self._trouble(number, observation)
        self._unseen.clear()

    def _trouble(self, number: int, observation: Observation) -> None:
        self._unexplained_rolls.append(Trouble(number, observation, _no_play(self.game, self.state, observation)))

    # How explanations go on

    def _expand(self, observation: Observation, number: int) -> list[_Moment]:
        """What each explanation may go on to by this observation, taken as strictly as it can be; the others are refuted."""
        for trust in Trust:
            ways = [(end, list(self._ways(end, observation, trust))) for end in self._ends]
            if any(found for _, found in ways):
                break
        else:
            return []
        expanded = [_insert(end, way, number) for end, found in ways for way in found]
        for end, found in ways:
            if not found:
                _cut(end)
        for moment in expanded if trust is not Trust.AS_SEEN else ():
            moment.open = True
        return expanded

    def _ways(self, end: _Moment, observation: Observation, trust: Trust) -> Iterator[_Way]:
        """Every sequence of unseen choices with the move behind it that the observation shows."""
        for way in self._chosen(_Way(end.state, log_likelihood=end.log_likelihood)):
            goes_on = self._chances(way).get(GO_ON, 0.0)
            for move in matching_moves(self.game, way.state, observation, trust):
                yield self._and(way, move, goes_on)

    def _endings(self, end: _Moment) -> Iterator[_Way]:
        """Every sequence of unseen choices that ends the game."""
        for way in self._chosen(_Way(end.state, log_likelihood=end.log_likelihood)):
            if way.steps and way.state.to_act is None:
                yield way

    def _chosen(self, way: _Way) -> Iterator[_Way]:
        """This way, and with every sequence of unseen choices behind it."""
        yield way
        for move, likeliness in self._chances(way).items():
            if move is not GO_ON and not self.game.laid_by(move):
                yield from self._chosen(self._and(way, move, likeliness))

    def _chances(self, way: _Way) -> Mapping[Move | None, float]:
        if not self.game.legal_moves(way.state).choices:
            return {}
        return choice_priors(self.game, way.state, way.last)

    def _and(self, way: _Way, move: Move, likeliness: float) -> _Way:
        after = self.game.follow(way.state, move).state
        return _Way(after, (*way.steps, (move, after)), (way.state, move), way.log_likelihood + likeliness)

    # Which explanations are kept

    def _best_of(self, expanded: list[_Moment]) -> list[_Moment]:
        """The likely ones, one a state; the others are given up."""
        by_state: dict[Any, _Moment] = {}
        most = MOST_OF_TILES if self.game.hidden_deal else MOST
        # Rounded, so that equals stay in the order in which the game offers them.
        ranked = sorted(expanded, key=lambda moment: round(-moment.log_likelihood, 6))
        for moment in ranked:
            if moment.log_likelihood > ranked[0].log_likelihood - FAR_BEHIND and len(by_state) < most:
                by_state.setdefault(moment.state, moment)
        kept = set(map(id, by_state.values()))
        for moment in ranked:
            if id(moment) not in kept:
                _give_up(moment)
        return list(by_state.values())

    def _decide(self) -> None:
        """The first move that is open is made as the likeliest explanation has it."""
        best = self._best
        first = next(_path(best))
        for end in self._ends:
            if next(_path(end), None) is not first:
                _give_up(end)
        self._ends = [end for end in self._ends if next(_path(end), None) is first]
        self._commit(first)

    def _advance(self) -> None:
        """What all explanations share stands for good."""
        while len(self._root.after) == 1:
            self._commit(next(iter(self._root.after.values())))

    def _commit(self, moment: _Moment) -> None:
        self._stands.append(moment.followed(self._chances_of_all()[moment]))
        self._root, moment.parent = moment, None


def _insert(end: _Moment, way: _Way, number: int) -> _Moment:
    """The moment at the end of the way, which begins where this explanation ends."""
    for move, state in way.steps:
        end = end.after.setdefault(move, _Moment(state, end, move, number))
    end.log_likelihood = way.log_likelihood
    return end


def _path(end: _Moment, begin: _Moment | None = None) -> Iterator[_Moment]:
    """The moments that lead here, without the one that it begins with."""
    path = []
    while end.parent is not None and end is not begin:
        path.append(end)
        end = end.parent
    return reversed(path)


def _cut(end: _Moment) -> None:
    """An explanation is refuted: it goes, as far back as no other shares it."""
    while end.parent is not None and not end.after:
        del end.parent.after[end.move]
        end = end.parent


def _give_up(end: _Moment) -> None:
    """An explanation goes that nothing has refuted: whatever differs from it stays open."""
    child, parent = end, end.parent
    while parent is not None:
        for moment in parent.after.values():
            moment.open |= moment is not child
        child, parent = parent, parent.parent
    _cut(end)


def _no_play(game: AnyGame, state: Any, observation: Observation) -> str:
    pieces = [dice_in_a_row(observation.thrown), *map(str, observation.tiles)]
    what = listed([each for each in pieces if each]) or "what is on the table"
    beside = f" beside {dice_in_a_row(observation.still)}" if observation.still else ""
    deal = game.hidden_deal
    hidden = f". {deal.reason}" if deal and deal.hides(state) else ""
    return sentence(f"{what}{beside} is no play of the game: {game.prompt(state)}{hidden}")
