"""What a photo tells a game beside its pieces: the starter by its colour, the tiles of a hand, a layout's open ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from api.interpret.selection import Taken, take
from scorer.engine.options import GameRules
from scorer.engine.worth import Piece
from scorer.errors import ThrowError
from scorer.games.cribbage_dice.throws import HAND, WITH_EXTRAS
from scorer.games.domino_pips import worth as pips
from scorer.pieces.text import in_words, listed
from vision.domino_layout import DominoLayout, Touch, layout_of
from vision.reading import Reading, Tile

_IN_HAND = 4


def fit(reading: Reading, game: str, rules: GameRules, starter: Piece | None) -> Taken:
    """The pieces that the game takes, with what else the photo tells it.

    Args:
        reading: what the photo shows.
        game: one of `scorer.games.scoring.photographed()`.
        rules: the game's own.
        starter: as the player named it; it counts before what the photo tells.
    """
    taken = take(reading, game)
    return _FITTED[game](reading, taken, rules, starter) if game in _FITTED else taken


def _cribbage_dice(reading: Reading, taken: Taken, _: GameRules, starter: Piece | None) -> Taken:
    odd = next((die.value for die in reading.dice if die.starter), None)
    if odd is None and starter is None and _starter_due(reading, taken):
        return taken.noting("No die has another colour, so none was taken for the starter: name it.")
    if odd is None or str(starter) == str(odd):
        return taken
    if starter is not None:
        return taken.noting(f"The starter is the {starter} that was named, not the {odd} of another colour.")
    return replace(taken, options={"starter": odd})


def _starter_due(reading: Reading, taken: Taken) -> bool:
    """Whether a whole throw of twelve-sided dice lies there: one of them is the starter, and values alone do not tell which."""
    large = all(reading.dice[place].kind == "d12" for place in taken.places)
    return large and len(taken.values) in (HAND, WITH_EXTRAS) and len(set(taken.values)) > 1


# Domino Cribbage


def _domino_cribbage(_: Reading, taken: Taken, __: GameRules, starter: Piece | None) -> Taken:
    """The hand without the starter, which is one of the tiles in the photo or lies elsewhere."""
    if starter is None:
        return taken.noting("Without a starter the four tiles count by themselves.") if _is_hand(taken) else taken
    names = [_either_way(name) for name in taken.values]
    if _either_way(starter) not in names:
        return replace(taken, starter_at=(None,))
    at = names.index(_either_way(starter))
    return replace(taken.without(at), starter_at=(taken.places[at],))


def _is_hand(taken: Taken) -> bool:
    return len(taken.values) == _IN_HAND


def _either_way(name: Piece) -> list[str]:
    return sorted(str(name).split("-"))


def check(taken: Taken, game: str) -> None:
    """Refuse tiles that are no hand of Domino Cribbage; any other game says itself what it misses.

    Raises:
        ThrowError: "wrong-count"; the message says what is missing.
    """
    if game == "domino-cribbage" and not _is_hand(taken):
        raise ThrowError("wrong-count", _starter_wanted(taken) or _no_hand(taken))


def _starter_wanted(taken: Taken) -> str | None:
    if taken.starter_at or len(taken.values) != _IN_HAND + 1:
        return None
    tiles = listed([str(value) for value in taken.values])
    return f"Five tiles lie there, {tiles}: name the one that is the starter, like {taken.values[-1]}."


def _no_hand(taken: Taken) -> str:
    beside = " beside the starter" if taken.starter_at else ""
    lie = {0: "none was", 1: "one was"}.get(len(taken.values), f"{in_words(len(taken.values))} were")
    return (
        f"A hand is four tiles, but {lie} read face up{beside}. "
        "Show the four, with the starter or without it, and no others."
    )


# Totals


def _domino_pips(reading: Reading, taken: Taken, rules: GameRules, _: Piece | None) -> Taken:
    tiles = [reading.tiles[place] for place in taken.places]
    taken = taken.noting(*_twice(tiles))
    if not (isinstance(rules, pips.Rules) and rules.count == "ends"):
        return taken
    chain = layout_of(tiles)
    return replace(taken.noting(*_odd(chain, taken)), options={"joined": chain.joined})


def _twice(tiles: Sequence[Tile]) -> Iterator[str]:
    """What a single set cannot show."""
    counts = Counter(tuple(sorted(tile.shown)) for tile in tiles if tile.shown)
    twice = [f"{low}-{high}" for (low, high), count in counts.items() if count > 1]
    if twice:
        yield f"There is more than one {listed(twice)}: look whether they were read right, unless you mix sets."


def _odd(chain: DominoLayout, taken: Taken) -> Iterator[str]:
    """Where the layout is not what a game could have made of it."""
    if chain.lines > 1:
        yield f"The tiles lie in {in_words(chain.lines)} parts that do not touch; the open ends of all are counted."
    for touch in chain.clashes:
        yield _clash(touch, taken)


def _clash(touch: Touch, taken: Taken) -> str:
    one, other = (f"tile {taken.places[at] + 1} ({taken.values[at]})" for at in (touch.tile, touch.other))
    return f"The ends of {one} and {other} touch but are not alike: look whether both were read right."


_FITTED: dict[str, Callable[[Reading, Taken, GameRules, Piece | None], Taken]] = {
    "cribbage-dice": _cribbage_dice,
    "domino-cribbage": _domino_cribbage,
    pips.GAME: _domino_pips,
}
