"""Comments on every roll: what it did, the score after it, and the record of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from api.film.output.panel import Panel, Side
from api.film.record_writer import RecordWriter
from api.film.reporter import roll_text
from scorer.engine.record import Record
from vision.watch.events import Roll


class RollEffect(Protocol):
    """The effect of a roll."""

    @property
    def lines(self) -> Sequence[str]:
        """One sentence each."""

    @property
    def snapshot(self) -> Mapping[str, Any]:
        """The game after it (`scorer.engine.snapshot.snapshot`)."""


class FollowsGame(Protocol):
    """Follows a game roll by roll; see `api.film.game_tracker.GameTracker`."""

    def saw(self, roll: Roll) -> RollEffect:
        """Add a roll."""

    def finish(self) -> Sequence[str]:
        """End the game; the closing sentences."""

    def in_hindsight(self) -> Mapping[int, RollEffect]:
        """The effect of each roll by number, with everything known now."""

    def record(self) -> Record:
        """The most likely game so far."""


class Commentary:
    """Comments on rolls in order, with or without a game.

    Attributes:
        rolls: start time in seconds and panel; revised by `finish` once the whole game is known.
    """

    def __init__(self, tracker: FollowsGame | None = None, record: RecordWriter | None = None) -> None:
        self.rolls: list[tuple[float, Panel]] = []
        self._seen: list[Roll] = []
        self._tracker, self._record = tracker, record

    def saw(self, roll: Roll) -> Sequence[str]:
        """Add a roll and return the comments on it. The record is on disk when this returns.

        Raises:
            OutputError: the record cannot be written.
        """
        self._seen.append(roll)
        if self._tracker is None:
            self.rolls.append((roll.counted_time, panel(roll)))
            return ()
        said = self._tracker.saw(roll)
        self.rolls.append((roll.counted_time, panel(roll, said.lines, said.snapshot)))
        self._keep()
        return said.lines

    def finish(self) -> Sequence[str]:
        """End the game; the closing sentences."""
        if self._tracker is None:
            return ()
        said = self._tracker.finish()
        self._keep()
        known = self._tracker.in_hindsight()
        for at, roll in enumerate(self._seen):
            if now := known.get(roll.number):
                self.rolls[at] = (roll.counted_time, panel(roll, now.lines, now.snapshot))
        return said

    @property
    def turns(self) -> list[tuple[float, str]]:
        """Start of each turn in seconds, and the player's name."""
        return list(_turns(self._tracker.record())) if self._tracker else []

    def _keep(self) -> None:
        if self._record and self._tracker:
            self._record.keep(self._tracker.record())


def panel(roll: Roll, said: Sequence[str] = (), snapshot: Mapping[str, Any] | None = None) -> Panel:
    """The lower third after a roll.

    Args:
        roll: the latest one.
        said: what it did, one sentence each.
        snapshot: the game after it (`scorer.engine.snapshot.snapshot`); None without a game.
    """
    return Panel(
        title=f"Roll {roll.number}",
        shown=roll_text(roll),
        pieces=roll.pieces,
        doubtful=not roll.reading.sure,
        said=tuple(line for line in said if not any(doubt.said in line for doubt in roll.reading.doubts)),
        sides=_sides(snapshot) if snapshot else (),
    )


def _turns(record: Record) -> Iterator[tuple[float, str]]:
    """A turn starts with the first throw by a different player."""
    last = None
    for entry, before in zip(record.entries, record.history, strict=False):
        player = before.to_act
        if entry.seen and entry.corrected and player != last:
            last = player
            yield entry.corrected["watched"]["time"], record.header.players[player]


def _sides(snapshot: Mapping[str, Any]) -> tuple[Side, ...]:
    return tuple(
        Side(
            name=" & ".join(snapshot["players"][player] for player in pegs["players"]),
            score=pegs["back"],
            running=max(0, pegs["front"] - pegs["back"]),
            acting=snapshot["to_act"] in pegs["players"],
        )
        for pegs in snapshot["board"]["pegs"]
    )
