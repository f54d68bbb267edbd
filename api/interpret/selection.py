"""Selects the pieces a game uses from a reading, with notes on the rest; nothing is left out silently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from scorer.engine.expected import Kind
from scorer.engine.worth import Piece
from scorer.errors import ThrowError
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
class Selection:
    """The pieces of a reading that a game uses.

    Attributes:
        source: the list of the reading that contains them.
        places: their indices in it.
        values: their values, as `scorer.games.scoring.worth` takes them; of the same length.
        notes: sentences for the player, such as what was left out.
        options: further arguments for `scorer.games.scoring.worth` found in the photo.
        starter_at: index in `source` of a hand's starter, which is not among them: empty if there is none, None if it is
            not in the photo.
        refused: why they cannot be scored, where the photo tells it.
        sure: False where a note asks a person to look.
    """

    source: Literal["dice", "tiles"]
    places: tuple[int, ...]
    values: tuple[Piece, ...]
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    starter_at: tuple[int | None, ...] = ()
    refused: ThrowError | None = None
    sure: bool = True

    def without(self, at: int) -> Selection:
        """The selection without the piece at this index of `values`."""
        places, values = self.places, self.values
        return replace(self, places=places[:at] + places[at + 1 :], values=values[:at] + values[at + 1 :])

    def noting(self, *notes: str) -> Selection:
        """The selection with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def to_json(self) -> dict[str, Any]:
        """As JSON; places are in the order of the score's `values`."""
        return {"source": self.source, "places": [*self.places, *self.starter_at], "notes": list(self.notes)}


def select(reading: Reading, game: str) -> Selection:
    """Select the pieces of the game's kind, with notes on the others.

    Without any, its substitutes are counted in their place, as if typed.
    """
    kind, substitutes = kind_of(game), pieces_of(game).substitutes
    if kind == "domino":
        selection = _tiles(reading)
    elif substitutes and reading.dice and not _of_kind(reading.dice, kind):
        (other,) = substitutes
        note = f"No {_NAMES[kind][1]} were read, so the {_NAMES[other][1]} are counted."
        selection = _dice(reading, other).noting(note)
    else:
        selection = _dice(reading, kind)
    others = [*_other_dice(reading, selection), *(_other_tiles(reading) if kind != "domino" else ())]
    return selection.noting(f"Not counted: {listed(others)}.") if others else selection


def _dice(reading: Reading, kind: Kind) -> Selection:
    places = _of_kind(reading.dice, kind)
    return Selection("dice", places, tuple(reading.dice[place].value for place in places))


def _of_kind(dice: Sequence[Die], kind: Kind) -> tuple[int, ...]:
    return tuple(place for place, die in enumerate(dice) if die.kind == kind)


def _tiles(reading: Reading) -> Selection:
    places = tuple(place for place, tile in enumerate(reading.tiles) if tile.shown)
    hidden = len(reading.tiles) - len(places)
    notes = (sentence(f"{_so_many(hidden, 'domino')} face down: not counted"),) if hidden else ()
    return Selection("tiles", places, tuple(reading.tiles[place].name for place in places), notes)


def _other_dice(reading: Reading, selection: Selection) -> Iterator[str]:
    """The dice left out, one phrase per kind."""
    left = [
        die for place, die in enumerate(reading.dice) if selection.source != "dice" or place not in selection.places
    ]
    for kind in _SIDES:
        if values := [str(die.value) for die in left if die.kind == kind]:
            yield f"{_so_many(len(values), kind)} ({', '.join(values)})"


def _other_tiles(reading: Reading) -> Iterator[str]:
    if reading.tiles:
        yield f"{_so_many(len(reading.tiles), 'domino')} ({', '.join(tile.name for tile in reading.tiles)})"


def _so_many(count: int, kind: Kind) -> str:
    return f"{in_words(count)} {_NAMES[kind][count > 1]}"
