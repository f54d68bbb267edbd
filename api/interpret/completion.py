"""Completes a selection with what else the photo shows: the starter by its colour, the hand without it, open ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from api.interpret.selection import Selection, select
from scorer.engine.options import GameRules
from scorer.engine.worth import Piece
from scorer.errors import ThrowError
from scorer.games.cribbage_dice.throws import HAND, WITH_EXTRAS
from scorer.games.domino_pips import worth as pips
from scorer.pieces.text import in_words, listed
from vision.domino_layout import DominoLayout, Touch, layout_of
from vision.reading import Reading, Tile

_IN_HAND = 4


def complete(reading: Reading, game: str, rules: GameRules, starter: Piece | None) -> Selection:
    """The pieces of a game, with everything else the photo tells it.

    Args:
        reading: of the photo.
        game: one of `scorer.games.scoring.photographed()`.
        rules: of the game.
        starter: as named by the player; it overrides the photo.
    """
    selection = select(reading, game)
    return _FITTED[game](reading, selection, rules, starter) if game in _FITTED else selection


def _cribbage_dice(reading: Reading, selection: Selection, _: GameRules, starter: Piece | None) -> Selection:
    odd = next((die.value for die in reading.dice if die.starter), None)
    if odd is None and starter is None and _starter_due(reading, selection):
        return selection.noting("No die has another colour, so the starter is unknown. Name it.")
    if odd is None or str(starter) == str(odd):
        return selection
    if starter is not None:
        return selection.noting(f"The starter is {starter} as named, not the odd-coloured {odd}.")
    return replace(selection, options={"starter": odd})


def _starter_due(reading: Reading, selection: Selection) -> bool:
    """Whether this is a whole throw of twelve-sided dice: one is the starter, and the values do not show which."""
    large = all(reading.dice[place].kind == "d12" for place in selection.places)
    return large and len(selection.values) in (HAND, WITH_EXTRAS) and len(set(selection.values)) > 1


# Domino Cribbage


def _domino_cribbage(_: Reading, selection: Selection, __: GameRules, starter: Piece | None) -> Selection:
    """The hand without the starter, which may or may not be in the photo."""
    if starter is None:
        return selection.noting("Without a starter, only the four tiles count.") if _is_hand(selection) else selection
    names = [_either_way(name) for name in selection.values]
    if _either_way(starter) not in names:
        return replace(selection, starter_at=(None,))
    at = names.index(_either_way(starter))
    return replace(selection.without(at), starter_at=(selection.places[at],))


def _is_hand(selection: Selection) -> bool:
    return len(selection.values) == _IN_HAND


def _either_way(name: Piece) -> list[str]:
    return sorted(str(name).split("-"))


def check(selection: Selection, game: str) -> None:
    """Refuse tiles that are not a hand of Domino Cribbage; other games check for themselves.

    Raises:
        ThrowError: "wrong-count"; the message says what is missing.
    """
    if game == "domino-cribbage" and not _is_hand(selection):
        raise ThrowError("wrong-count", _starter_wanted(selection) or _no_hand(selection))


def _starter_wanted(selection: Selection) -> str | None:
    if selection.starter_at or len(selection.values) != _IN_HAND + 1:
        return None
    tiles = listed([str(value) for value in selection.values])
    return f"There are five tiles, {tiles}. Name the starter, such as {selection.values[-1]}."


def _no_hand(selection: Selection) -> str:
    beside = " beside the starter" if selection.starter_at else ""
    lie = {0: "none was", 1: "one was"}.get(len(selection.values), f"{in_words(len(selection.values))} were")
    return f"A hand is four tiles, but {lie} read face up{beside}. Show just the four, with or without the starter."


# Totals


def _domino_pips(reading: Reading, selection: Selection, rules: GameRules, _: Piece | None) -> Selection:
    tiles = [reading.tiles[place] for place in selection.places]
    selection = selection.noting(*_twice(tiles))
    if not (isinstance(rules, pips.Rules) and rules.count == "ends"):
        return selection
    chain = layout_of(tiles)
    return replace(selection.noting(*_odd(chain, selection)), options={"joined": chain.joined})


def _twice(tiles: Sequence[Tile]) -> Iterator[str]:
    """Notes on tiles that occur twice."""
    counts = Counter(tuple(sorted(tile.shown)) for tile in tiles if tile.shown)
    twice = [f"{low}-{high}" for (low, high), count in counts.items() if count > 1]
    if twice:
        yield f"There is more than one {listed(twice)}. Check the reading, unless you mix sets."


def _odd(chain: DominoLayout, selection: Selection) -> Iterator[str]:
    """Notes on a layout that cannot come from a game."""
    if chain.lines > 1:
        yield f"The tiles form {in_words(chain.lines)} separate layouts; the open ends of all are counted."
    for touch in chain.clashes:
        yield _clash(touch, selection)


def _clash(touch: Touch, selection: Selection) -> str:
    one, other = (f"tile {selection.places[at] + 1} ({selection.values[at]})" for at in (touch.tile, touch.other))
    return f"The ends of {one} and {other} touch but do not match. Check that both were read right."


_FITTED: dict[str, Callable[[Reading, Selection, GameRules, Piece | None], Selection]] = {
    "cribbage-dice": _cribbage_dice,
    "domino-cribbage": _domino_cribbage,
    pips.GAME: _domino_pips,
}
