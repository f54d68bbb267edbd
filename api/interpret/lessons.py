"""What corrections of a reading teach: the pieces that people corrected or confirmed, and those that they left unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from api.interpret.corrections import corrected
from vision.detect.boxes import Outline, overlap
from vision.reading import Die, Doubt, Quad, Reading, Tile, middle_of
from vision.taught.labelling import Said

_SHARED = 0.1
"""The largest part of a removed piece's area that may overlap a remaining piece: two detections of one die are no look-alike."""


def said_of(read: Reading, corrections: Iterable[Mapping[str, Any]]) -> list[Said]:
    """Everything that a person said of a photo, or saw and left unchanged: the corrected pieces, and what is no piece.

    A piece that is still in doubt says nothing. An added one has no outline: it was only pointed at.
    """
    said = corrected(read, corrections)
    known = set(_boxes(read))
    dice = [_die(die, known) for at, die in enumerate(said.dice) if not _doubted(said.doubts, "piece", at)]
    tiles = [
        _tile(tile, {each.box: each for each in read.tiles})
        for at, tile in enumerate(said.tiles)
        if tile.shown is not None and not _doubted(said.doubts, "tile", at)
    ]
    return [*dice, *tiles, *(Said("other", (), middle_of(box), box=box) for box in look_alikes(read, said))]


def look_alikes(read: Reading, said: Reading) -> list[Quad]:
    """The outlines of pieces that people removed from a reading, where no other piece lies."""
    stays = [Outline.around(box) for box in _boxes(said)]
    gone = [box for box in _boxes(read) if box not in set(_boxes(said))]
    return [box for box in gone if not any(overlap(Outline.around(box), other) > _SHARED for other in stays)]


def _doubted(doubts: Sequence[Doubt], kind: str, at: int) -> bool:
    return any(getattr(doubt, kind) == at for doubt in doubts)


def _die(die: Die, known: set[Quad]) -> Said:
    return Said(die.kind, (die.value,), middle_of(die.box), box=die.box if die.box in known else None)


def _tile(tile: Tile, read: Mapping[Quad, Tile]) -> Said:
    """What a tile was said to show. People name ends in any order; if both are as read, their order is that of the outline."""
    assert tile.shown is not None
    before = read.get(tile.box)
    if before is None:
        return Said("domino", tile.shown, middle_of(tile.box))
    as_read = before.shown is not None and sorted(before.shown) == sorted(tile.shown)
    shows = before.shown if as_read and before.shown else tile.shown
    return Said("domino", shows, middle_of(tile.box), box=tile.box, either=not as_read)


def _boxes(reading: Reading) -> list[Quad]:
    return [*(die.box for die in reading.dice), *(tile.box for tile in reading.tiles)]
