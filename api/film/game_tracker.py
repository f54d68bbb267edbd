"""Tracks a game by the rolls of a watched table: the moves behind each roll, the score, and the record.

Choices that the camera cannot see are filled in with the likeliest ones that fit the later rolls (`scorer.camera.follower`).
A film need not show the opening roll: if the first roll that fits the game is a first throw, player 0 begins, and the record's
rules say so (`opening_roll`), unless that option was chosen.
In the record, "corrected" holds `{"watched": {"frame": …, "time": …}}`, the roll that showed or confirmed the move, and
`"inferred": true` if the table alone does not settle it. "seen" holds the reading with its doubts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from api.interpret.selection import select
from api.interpret.typed_moves import check_shown
from api.version import VERSION
from scorer.camera.follower import Followed, Follower, Observation
from scorer.engine.record import Header, Record
from scorer.engine.snapshot import named, said, snapshot, worth_telling
from scorer.engine.worth import Piece
from scorer.games.registry import game_named
from scorer.pieces.text import sentence
from scorer.pieces.tiles import Tile
from vision.reading import Reading
from vision.watch.events import Roll

_OPENING = "opening_roll"
"""The option of games that may begin with rolls for who goes first."""
_INSIST = f"--rules {_OPENING}=true insists on one."


@dataclass(frozen=True, slots=True)
class GameEffect:
    """The effect of a roll.

    Attributes:
        lines: one sentence each.
        snapshot: the most likely state after it (`scorer.engine.snapshot.snapshot`).
    """

    lines: tuple[str, ...]
    snapshot: dict[str, Any]


class GameTracker:
    """Follows a game from its start, roll by roll."""

    def __init__(self, game: str, rules: Sequence[str], players: Sequence[str], begun: str) -> None:
        """Start a game.

        Args:
            game: its name.
            rules: options such as "piddle_points=true".
            players: names in table order.
            begun: when watching began, ISO 8601, for the record.

        Raises:
            ScorerError: the game cannot be played with these players or rules.
        """
        names = tuple(players)
        check_shown(names)
        begun_by = game_named(game).rules.from_texts(rules).for_players(len(names))
        header = Header(game, begun_by, names, begun, {"muggins": VERSION})
        self._stands = self._believed = Record.begin(header)
        self._told: tuple[Followed, ...] = ()
        self._follower = Follower(self._stands.game, self._stands.state)
        # The same game without its opening roll, until a roll shows which of the two the film shows.
        self._unopened = _without_opening(header, rules)
        self._rolls: list[Roll] = []

    def saw(self, roll: Roll) -> GameEffect:
        """Add a roll."""
        try:
            observation = observation_of(roll, self._stands.header.game)
        except ValueError as error:
            return GameEffect((f"Roll {roll.number}: {error}. Not counted.",), snapshot(self._believed))
        self._rolls.append(roll)
        explained = self._follower.observe(observation)
        lines = list(_notes(roll, self._stands.header.game))
        if self._skips_opening(observation, explained):
            explained = True
            lines.append(f"No opening roll was seen; {self._stands.header.players[0]} begins. {_INSIST}")
        lines += self._new() if explained else self._trouble(roll)
        if self._follower.kept_back:
            lines.append("The deal was not seen; this hand is scored once the crib is turned over.")
        return GameEffect(tuple(lines), snapshot(self._believed))

    def finish(self) -> tuple[str, ...]:
        """End the game, making the choices that finish it; the closing sentences."""
        self._follower.finish()
        unexplained = len(self._follower.unexplained)
        missed = f"{unexplained} of {len(self._rolls)} rolls fit no play of the game; they are not in the record."
        return (*self._new(), *((missed,) if unexplained else ()))

    def in_hindsight(self) -> dict[int, GameEffect]:
        """The effect of each roll by number, with everything known now and without earlier guesses."""
        moves: dict[int, list[Followed]] = {}
        for each in self._follower.moves:
            moves.setdefault(each.observation, []).append(each)
        unexplained = {trouble.observation: trouble.text for trouble in self._follower.unexplained}
        record, told = Record.begin(self._stands.header), {}
        for observation, roll in enumerate(self._rolls):
            lines = list(_notes(roll, record.header.game))
            if observation in unexplained:
                lines.append(f"Roll {roll.number}: {named(unexplained[observation], record.header.players)}")
            for each in moves.get(observation, ()):
                record = self._with(record, each)
                both = zip(record.events, said(record), strict=True)
                lines += [sentence(text) for event, text in both if worth_telling(event)]
            told[roll.number] = GameEffect(tuple(lines), snapshot(record))
        return told

    def record(self) -> Record:
        """The most likely game so far; later rolls may change its last moves."""
        return self._believed

    @property
    def settled(self) -> Record:
        """The part of it that is final."""
        return self._stands

    def _skips_opening(self, observation: Observation, explained: bool) -> bool:
        """Whether this first roll fits only the game without its opening; if so, that game is tracked from here on."""
        if self._unopened is None:
            return False
        record, follower = self._unopened
        skips = not explained and follower.observe(observation)
        if skips:
            self._stands = self._believed = record
            self._follower = follower
        if skips or explained:
            self._unopened = None
        return skips

    # The most likely game

    def _new(self) -> Iterator[str]:
        """Update the record; yield a sentence for everything new in it."""
        moves, told = self._follower.moves, self._told
        same = next(
            (at for at, pair in enumerate(zip(moves, told, strict=False)) if pair[0].move != pair[1].move), None
        )
        known = min(len(told), len(moves)) if same is None else same
        if known < len(told):
            yield f"Revised: not {_listed(told[known:])}."
        record = self._stands
        for at, each in enumerate(moves[len(record.moves) :], start=len(record.moves)):
            record = self._with(record, each)
            if at < self._follower.settled:
                self._stands = record
            if at >= known:
                yield from map(sentence, said(record))
        self._believed, self._told = record, moves

    def _with(self, record: Record, followed: Followed) -> Record:
        roll = self._rolls[followed.observation] if self._rolls else None
        if roll is None:
            return record.play(followed.move, corrected={"inferred": True})
        # A deal reconstructed afterwards was not on the table.
        was_on_table = bool(record.game.laid_by(followed.move)) and not (
            followed.move.verb in record.game.hidden_verbs and followed.inferred
        )
        seen = roll.reading.to_json() if was_on_table else None
        return record.play(followed.move, seen=seen, corrected=beside(followed, roll))

    def _trouble(self, roll: Roll) -> Iterator[str]:
        yield f"Roll {roll.number}: {named(self._follower.unexplained[-1].text, self._stands.header.players)}"


def beside(followed: Followed, roll: Roll) -> dict[str, Any]:
    """The "corrected" entry of a move: the roll that showed it, and whether it is inferred; see the module."""
    watched = {"watched": {"frame": roll.frame, "time": round(roll.time, 3)}}
    return {**watched, "inferred": True} if followed.inferred else watched


def observation_of(roll: Roll, game: str) -> Observation:
    """The roll as the game's follower takes it.

    Args:
        roll: with everything on the table.
        game: one of `scorer.games.registry.GAMES`.

    Raises:
        ValueError: a tile does not belong to the game's set.
    """
    selection = select(roll.reading, game)
    if selection.source == "tiles":
        tiles = [Tile.parse(str(name)) for name in selection.values]
        thrown = [roll.pieces[len(roll.reading.dice) + place].thrown for place in selection.places]
        return Observation(tiles=_those(tiles, thrown, True))
    dice = [roll.reading.dice[place] for place in selection.places]
    values, thrown = [die.value for die in dice], [roll.pieces[place].thrown for place in selection.places]
    starter = next((die.value for die in dice if die.starter), None)
    return Observation(_those(values, thrown, True), _those(values, thrown, False), starter)


def is_shown_by(observation: Observation, laid: Sequence[Piece]) -> bool:
    """Whether these pieces, which a move put on the table, are those observed."""
    return sorted(map(str, observation.tiles or observation.thrown)) == sorted(map(str, laid))


def _those(pieces: Sequence[Any], thrown: Sequence[bool], which: bool) -> tuple[Any, ...]:
    return tuple(piece for piece, was in zip(pieces, thrown, strict=True) if was is which)


def _without_opening(header: Header, rules: Sequence[str]) -> tuple[Record, Follower] | None:
    """The game begun without its opening roll; None if it has none, or the option was chosen."""
    names = [text.partition("=")[0].strip() for text in rules]
    if _OPENING in names or not getattr(header.rules, _OPENING, False):
        return None
    record = Record.begin(replace(header, rules=header.rules.from_texts([*rules, f"{_OPENING}=false"])))
    return record, Follower(record.game, record.state)


# Sentences


def _notes(roll: Roll, game: str) -> Iterator[str]:
    yield from select(roll.reading, game).notes
    yield from _doubts(roll.reading)


def _doubts(reading: Reading) -> Iterator[str]:
    if not reading.sure:
        yield f"Please look: {' '.join(doubt.said for doubt in reading.doubts)}"


def _listed(moves: Sequence[Followed]) -> str:
    return ", ".join(str(each.move) for each in moves)
