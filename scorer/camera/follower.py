"""Follows a game by what its table shows: tracks the possible moves between the rolls that a camera sees.

    follower = Follower(game, game.start(rules, players=2))
    follower.observe(Observation(thrown=(1, 2, 2, 4, 5, 5, 6)))
    follower.observe(Observation(thrown=(1, 3, 5, 6, 6), still=(5, 5)))
    follower.moves                              the throws, and between them "point 5": only it leaves two 5s on the table

Choices that a player only announces are not seen: which point, when to stop. Every choice that the rules allow is tried with
every roll that follows. The explanations that fit are kept side by side as a tree (a beam search), each as likely as its
choices (`priors`), and the likeliest is believed. Moves that all of them share are settled. A move is `inferred` where
another explanation fitted, too, or would have fitted had it been kept; so pegs that only the likelihood moved are always marked.

A face-down deal cannot be seen. Where players show their hands as they are dealt, the tiles that are played tell
what went to the crib. Where they do not, the whole hand is reconstructed when its crib is turned over (`hidden_deal`); if it
never is, as when somebody has won before, the tiles played of that hand are reported as a trouble.
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
"""Explanations that are less likely than the best by this factor (a natural logarithm) are dropped."""
MOST, MOST_OF_TILES = 64, 256
"""The beam width: explanations kept at a time; more where hands are hidden, for two discards of six tiles each have 225."""
LATEST = 24
"""Rolls after which the likeliest explanation is settled, whatever follows."""
IT_ENDS = 6.0
"""Bonus in log likelihood for explanations in which the game ends, if nothing more was seen."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A move as the table showed it.

    Attributes:
        move: what was done.
        inferred: the table does not settle it: it is the likeliest of several.
        observation: the roll that showed or confirmed it, counted from 0.
        chance: the probability of it and all moves before it, when it was last evaluated; explanations that reach the same
            state count as one.
    """

    move: Move
    inferred: bool
    observation: int
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class Trouble:
    """A roll that no legal play explains: it is kept and reported, and not scored.

    Attributes:
        observation: its number, from 0.
        seen: what it showed.
        text: a sentence for the table; "{0}" stands for the name of player 0.
    """

    observation: int
    seen: Observation
    text: str


@dataclass(eq=False, slots=True)
class _Moment:
    """A node in the tree of all explanations: a state that a sequence of moves leads to.

    Attributes:
        state: the state.
        parent: the node before; None at the root, where the settled moves end.
        move: the move from there to here.
        observation: the roll that showed that move.
        log_likelihood: the log likelihood of all choices up to here.
        open: another explanation beside it was dropped although nothing had refuted it.
        after: the child nodes.
    """

    state: Any
    parent: _Moment | None = None
    move: Move = field(default_factory=lambda: Move("begin"))
    observation: int = -1
    log_likelihood: float = 0.0
    open: bool = False
    after: dict[Move, _Moment] = field(default_factory=dict)

    def followed(self, chance: float) -> Followed:
        """The move that led here, as reported to callers."""
        alone = self.parent is None or len(self.parent.after) == 1
        return Followed(self.move, self.open or not alone, self.observation, chance)


@dataclass(frozen=True, slots=True)
class _Way:
    """A continuation of an explanation.

    Attributes:
        state: at its end.
        steps: the moves, with the state after each.
        last: the last of them, with the state before it.
        log_likelihood: its log likelihood, with all before it.
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
        """How many of the moves are settled."""
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
        """Process one more roll. Returns whether a legal play explains it; if none does, everything else stays as it was."""
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
        """End of input: choices that end the game are made, and the believed moves are settled."""
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
        """The probability of every node, given the explanations that are kept."""
        most = self._best.log_likelihood
        # An assumed end of the game has infinite likelihood.
        weights = [exp(end.log_likelihood - most) if end.log_likelihood < most else 1.0 for end in self._ends]
        shares: dict[_Moment, float] = defaultdict(float)
        for end, weight in zip(self._ends, weights, strict=True):
            for moment in _path(end):
                shares[moment] += weight / sum(weights)
        return shares

    # Hands of dominoes that are dealt face down

    @property
    def kept_back(self) -> int:
        """How many of the last rolls wait until all tiles of a hand were seen; they may be explained then."""
        return len(self._unseen)

    def _unexplained(self, observation: Observation, number: int) -> bool:
        """Handle a roll that nothing explains now; a tile of a hand whose deal was not seen is kept back."""
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
        """The possible hands, if this observation is the crib of the hidden one; otherwise empty."""
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
        """The end of a reconstructed hand: each tile has the roll that showed it, and the deal stays open for good."""
        last = _insert(end, way, number)
        numbers = iter([at for at, _ in self._unseen])
        for moment in _path(last, end):
            if moment.move.verb in self.game.hidden_verbs:
                moment.open = True
            else:
                moment.observation = next(numbers)
        return last

    def _give_back(self) -> None:
        """Report the rolls that were kept back as unexplained."""
        for number, observation in self._unseen:
            self._trouble(number, observation)
        self._unseen.clear()

    def _trouble(self, number: int, observation: Observation) -> None:
        self._unexplained_rolls.append(Trouble(number, observation, _no_play(self.game, self.state, observation)))

    # How explanations go on

    def _expand(self, observation: Observation, number: int) -> list[_Moment]:
        """The nodes that explain this observation, under the strictest `Trust` that has any; the others are refuted."""
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
        """Every sequence of unseen choices that ends in a move which the observation shows."""
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
        """This way, and its extensions by every sequence of unseen choices."""
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
        """The likely nodes, one per state; the others are dropped."""
        by_state: dict[Any, _Moment] = {}
        most = MOST_OF_TILES if self.game.hidden_deal else MOST
        # Rounded, so that ties keep the order in which the game offers them.
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
        """Settle the first unsettled move as in the likeliest explanation."""
        best = self._best
        first = next(_path(best))
        for end in self._ends:
            if next(_path(end), None) is not first:
                _give_up(end)
        self._ends = [end for end in self._ends if next(_path(end), None) is first]
        self._commit(first)

    def _advance(self) -> None:
        """Settle the moves that all explanations share."""
        while len(self._root.after) == 1:
            self._commit(next(iter(self._root.after.values())))

    def _commit(self, moment: _Moment) -> None:
        self._stands.append(moment.followed(self._chances_of_all()[moment]))
        self._root, moment.parent = moment, None


def _insert(end: _Moment, way: _Way, number: int) -> _Moment:
    """Insert the way into the tree after this node; returns the node at its end."""
    for move, state in way.steps:
        end = end.after.setdefault(move, _Moment(state, end, move, number))
    end.log_likelihood = way.log_likelihood
    return end


def _path(end: _Moment, begin: _Moment | None = None) -> Iterator[_Moment]:
    """The nodes on the path to this one, after `begin`."""
    path = []
    while end.parent is not None and end is not begin:
        path.append(end)
        end = end.parent
    return reversed(path)


def _cut(end: _Moment) -> None:
    """Remove a refuted explanation, back to the first node that another one shares."""
    while end.parent is not None and not end.after:
        del end.parent.after[end.move]
        end = end.parent


def _give_up(end: _Moment) -> None:
    """Drop an explanation that nothing has refuted: nodes that differ from it are marked as open."""
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
