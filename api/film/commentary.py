"""What plays along with the rolls: what is said of each, how the game stands after it, and the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from api.film.output.panel import Panel, Side
from api.film.record_writer import KeptRecord
from api.film.reporter import roll_text
from scorer.engine.record import Record
from vision.watch.events import Roll


class Said(Protocol):
    """What a roll did."""

    @property
    def lines(self) -> Sequence[str]:
        """A sentence each."""

    @property
    def snapshot(self) -> Mapping[str, Any]:
        """How the game stands (`scorer.engine.snapshot.snapshot`)."""


class PlaysAlong(Protocol):
    """A game that follows the rolls: `api.film.game_tracker.Along`."""

    def saw(self, roll: Roll) -> Said:
        """One roll more."""

    def finish(self) -> Sequence[str]:
        """No roll more, and what is said to the end of it."""

    def in_hindsight(self) -> Mapping[int, Said]:
        """What each roll did, by its number, as it is believed now."""

    def record(self) -> Record:
        """The game as it is believed now."""


class Playing:
    """Rolls in their order, with the game they belong to or without one.

    Attributes:
        rolls: from when on, in seconds, and what the lower third says: as it was believed then, and once all has been seen
            as it turned out.
    """

    def __init__(self, along: PlaysAlong | None = None, record: KeptRecord | None = None) -> None:
        self.rolls: list[tuple[float, Panel]] = []
        self._seen: list[Roll] = []
        self._along, self._record = along, record

    def saw(self, roll: Roll) -> Sequence[str]:
        """One roll more, and what is said of it. The record is on the disk when this returns.

        Raises:
            OutputTrouble: it is not, for the disk would not.
        """
        self._seen.append(roll)
        if self._along is None:
            self.rolls.append((roll.counted_time, panel(roll)))
            return ()
        said = self._along.saw(roll)
        self.rolls.append((roll.counted_time, panel(roll, said.lines, said.snapshot)))
        self._keep()
        return said.lines

    def finish(self) -> Sequence[str]:
        """No roll more, and what is said to the end of it."""
        if self._along is None:
            return ()
        said = self._along.finish()
        self._keep()
        known = self._along.in_hindsight()
        for at, roll in enumerate(self._seen):
            if now := known.get(roll.number):
                self.rolls[at] = (roll.counted_time, panel(roll, now.lines, now.snapshot))
        return said

    @property
    def turns(self) -> list[tuple[float, str]]:
        """When each turn began, in seconds, and whose it is."""
        return list(_turns(self._along.record())) if self._along else []

    def _keep(self) -> None:
        if self._record and self._along:
            self._record.keep(self._along.record())


def panel(roll: Roll, said: Sequence[str] = (), snapshot: Mapping[str, Any] | None = None) -> Panel:
    """The lower third from a roll on.

    Args:
        roll: the last one.
        said: what it did, a sentence each.
        snapshot: how the game stands (`scorer.engine.snapshot.snapshot`); None without a game.
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
    """A turn begins with the first throw by another player than the one before."""
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
