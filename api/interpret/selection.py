"""Which pieces of a reading a game is played with, and what is said of the others: never are they added silently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from scorer.engine.expected import Kind
from scorer.engine.worth import Piece
from scorer.games.scoring import kind_of, pieces_of
from scorer.pieces.text import in_words, listed, sentence
from vision.reading import Die, Reading

_SIDES: tuple[Kind, ...] = ("d6", "d12")
_NAMES: dict[Kind, tuple[str, str]] = {
    "d6": ("six-sided die", "six-sided dice"),
    "d12": ("twelve-sided die", "twelve-sided dice"),
    "domino": ("tile", "tiles"),
}


@dataclass(frozen=True, slots=True)
class Taken:
    """The pieces of a reading that a game takes.

    Attributes:
        source: the list of the reading that they are in.
        places: where they are in it.
        values: what they show, as `scorer.games.scoring.worth` is asked; of the same length.
        notes: sentences for the player, such as what was left out.
        options: what else the photo tells `scorer.games.scoring.worth`.
        starter_at: where in `source` the starter of a hand lies that is counted beside them: empty if there is none,
            None if it is not in the photo.
    """

    source: Literal["dice", "tiles"]
    places: tuple[int, ...]
    values: tuple[Piece, ...]
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    starter_at: tuple[int | None, ...] = ()

    def without(self, at: int) -> Taken:
        """All but one of them, which is named by its index in `values`."""
        places, values = self.places, self.values
        return replace(self, places=places[:at] + places[at + 1 :], values=values[:at] + values[at + 1 :])

    def noting(self, *notes: str) -> Taken:
        """The same with more to say."""
        return replace(self, notes=(*self.notes, *notes))

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`; its places follow the `values` of the score."""
        return {"source": self.source, "places": [*self.places, *self.starter_at], "notes": list(self.notes)}


def take(reading: Reading, game: str) -> Taken:
    """The pieces of the kind that the game is played with, and notes that name the others.

    Where none of that kind lies, its substitutes are counted by the same chart, as if typed.
    """
    kind, substitutes = kind_of(game), pieces_of(game).substitutes
    if kind == "domino":
        taken = _tiles(reading)
    elif substitutes and reading.dice and not _of_kind(reading.dice, kind):
        (other,) = substitutes
        taken = _dice(reading, other).noting(f"No {_NAMES[kind][1]} were read, so the {_NAMES[other][1]} are counted.")
    else:
        taken = _dice(reading, kind)
    others = [*_other_dice(reading, taken), *(_other_tiles(reading) if kind != "domino" else ())]
    return taken.noting(f"Not counted: {listed(others)}.") if others else taken


def _dice(reading: Reading, kind: Kind) -> Taken:
    places = _of_kind(reading.dice, kind)
    return Taken("dice", places, tuple(reading.dice[place].value for place in places))


def _of_kind(dice: Sequence[Die], kind: Kind) -> tuple[int, ...]:
    return tuple(place for place, die in enumerate(dice) if die.kind == kind)


def _tiles(reading: Reading) -> Taken:
    places = tuple(place for place, tile in enumerate(reading.tiles) if tile.shown)
    hidden = len(reading.tiles) - len(places)
    notes = (sentence(f"{_so_many(hidden, 'domino')} face down: not counted"),) if hidden else ()
    return Taken("tiles", places, tuple(reading.tiles[place].name for place in places), notes)


def _other_dice(reading: Reading, taken: Taken) -> Iterator[str]:
    """The dice that were not taken, a phrase a kind."""
    left = [die for place, die in enumerate(reading.dice) if taken.source != "dice" or place not in taken.places]
    for kind in _SIDES:
        if values := [str(die.value) for die in left if die.kind == kind]:
            yield f"{_so_many(len(values), kind)} ({', '.join(values)})"


def _other_tiles(reading: Reading) -> Iterator[str]:
    if reading.tiles:
        yield f"{_so_many(len(reading.tiles), 'domino')} ({', '.join(tile.name for tile in reading.tiles)})"


def _so_many(count: int, kind: Kind) -> str:
    return f"{in_words(count)} {_NAMES[kind][count > 1]}"
