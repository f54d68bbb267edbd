"""A game played along with the rolls of a watched table: what they mean, how it stands then, and its record.

Choices that nobody saw are the likeliest that what follows bears out (`scorer.camera.follower`). In the record a move bears in
"corrected", beside what a person may have changed elsewhere, `{"watched": {"frame": …, "time": …}}`, the roll that showed it
or bore it out; and `"inferred": true` where the table does not settle it. What was read, with its doubts, is in "seen".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from api.interpret.selection import take
from api.interpret.typed_moves import check_shown
from api.version import VERSION
from scorer.camera.follower import Followed, Follower, Observation
from scorer.camera.observation import VISIBLE_VERBS
from scorer.engine.record import Header, Record
from scorer.engine.snapshot import named, said, snapshot, worth_telling
from scorer.games.registry import game_named
from scorer.pieces.text import sentence
from scorer.pieces.tiles import Tile
from vision.reading import Reading
from vision.watch.events import Roll


@dataclass(frozen=True, slots=True)
class Said:
    """What a roll brought about.

    Attributes:
        lines: a sentence each.
        snapshot: how the game stands, as believed now (`scorer.engine.snapshot.snapshot`).
    """

    lines: tuple[str, ...]
    snapshot: dict[str, Any]


class Along:
    """Follows a game from its beginning, roll by roll."""

    def __init__(self, game: str, rules: Sequence[str], players: Sequence[str], begun: str) -> None:
        """Sit down.

        Args:
            game: its name.
            rules: options like "piddle_points=true".
            players: names in table order.
            begun: when the watching began, ISO 8601, for the record.

        Raises:
            ScorerError: no game can be played so.
        """
        names = tuple(players)
        check_shown(names)
        header = Header(game, game_named(game).rules.from_texts(rules), names, begun, {"muggins": VERSION})
        self._stands = self._believed = Record.begin(header)
        self._told: tuple[Followed, ...] = ()
        self._follower = Follower(self._stands.game, self._stands.state)
        self._rolls: list[Roll] = []

    def saw(self, roll: Roll) -> Said:
        """One roll more."""
        try:
            observation = observation_of(roll, self._stands.header.game)
        except ValueError as error:
            return Said((f"Roll {roll.number}: {error}. It is not counted.",), snapshot(self._believed))
        self._rolls.append(roll)
        explained = self._follower.observe(observation)
        lines = [*_notes(roll, self._stands.header.game), *(self._new() if explained else self._trouble(roll))]
        if self._follower.kept_back:
            lines.append("The deal was not seen: what this hand scores is told once the crib is turned over.")
        return Said(tuple(lines), snapshot(self._believed))

    def finish(self) -> tuple[str, ...]:
        """No roll more: choices that end the game are made. What is said of it."""
        self._follower.finish()
        troubles = len(self._follower.troubles)
        missed = f"No play of the game explains {troubles} of {len(self._rolls)} rolls; they are not in the record."
        return (*self._new(), *((missed,) if troubles else ()))

    def in_hindsight(self) -> dict[int, Said]:
        """What each roll brought about, by its number, as it is believed now: without what was thought meanwhile."""
        moves: dict[int, list[Followed]] = {}
        for each in self._follower.moves:
            moves.setdefault(each.observation, []).append(each)
        troubles = {trouble.observation: trouble.text for trouble in self._follower.troubles}
        record, told = Record.begin(self._stands.header), {}
        for observation, roll in enumerate(self._rolls):
            lines = list(_notes(roll, record.header.game))
            if observation in troubles:
                lines.append(f"Roll {roll.number}: {named(troubles[observation], record.header.players)}")
            for each in moves.get(observation, ()):
                record = self._with(record, each)
                both = zip(record.events, said(record), strict=True)
                lines += [sentence(text) for event, text in both if worth_telling(event)]
            told[roll.number] = Said(tuple(lines), snapshot(record))
        return told

    def record(self) -> Record:
        """The game as it is believed now; its last moves may be others once more was seen."""
        return self._believed

    @property
    def settled(self) -> Record:
        """The part of it that stands for good."""
        return self._stands

    # What is believed

    def _new(self) -> Iterator[str]:
        """The record is brought up to date; what is new in it is told."""
        moves, told = self._follower.moves, self._told
        same = next(
            (at for at, pair in enumerate(zip(moves, told, strict=False)) if pair[0].move != pair[1].move), None
        )
        known = min(len(told), len(moves)) if same is None else same
        if known < len(told):
            yield f"On second thoughts, not {_listed(told[known:])}."
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
        # A deal that is told in hindsight is not what lay there.
        lay_there = followed.move.verb in VISIBLE_VERBS and not (followed.move.verb == "deal" and followed.inferred)
        seen = roll.reading.to_json() if lay_there else None
        return record.play(followed.move, seen=seen, corrected=beside(followed, roll))

    def _trouble(self, roll: Roll) -> Iterator[str]:
        yield f"Roll {roll.number}: {named(self._follower.troubles[-1].text, self._stands.header.players)}"


def beside(followed: Followed, roll: Roll) -> dict[str, Any]:
    """What the record says beside a move: which roll showed it or bore it out, and whether it is inferred; see the module."""
    watched = {"watched": {"frame": roll.frame, "time": round(roll.time, 3)}}
    return {**watched, "inferred": True} if followed.inferred else watched


def observation_of(roll: Roll, game: str) -> Observation:
    """What the roll shows of that game.

    Args:
        roll: with all that lay on the table.
        game: one of `scorer.games.registry.GAMES`.

    Raises:
        ValueError: a tile lies there that is none of the game's set.
    """
    taken = take(roll.reading, game)
    if taken.source == "tiles":
        tiles = [Tile.parse(str(name)) for name in taken.values]
        thrown = [roll.pieces[len(roll.reading.dice) + place].thrown for place in taken.places]
        return Observation(tiles=_those(tiles, thrown, True), still_tiles=_those(tiles, thrown, False))
    dice = [roll.reading.dice[place] for place in taken.places]
    values, thrown = [die.value for die in dice], [roll.pieces[place].thrown for place in taken.places]
    starter = next((die.value for die in dice if die.starter), None)
    return Observation(_those(values, thrown, True), _those(values, thrown, False), starter)


def _those(pieces: Sequence[Any], thrown: Sequence[bool], which: bool) -> tuple[Any, ...]:
    return tuple(piece for piece, was in zip(pieces, thrown, strict=True) if was is which)


# What is said


def _notes(roll: Roll, game: str) -> Iterator[str]:
    yield from take(roll.reading, game).notes
    yield from _doubts(roll.reading)


def _doubts(reading: Reading) -> Iterator[str]:
    if not reading.sure:
        yield f"Please look: {' '.join(doubt.said for doubt in reading.doubts)}"


def _listed(moves: Sequence[Followed]) -> str:
    return ", ".join(str(each.move) for each in moves)
