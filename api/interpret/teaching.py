"""Parses what people write of the pieces in a photo when they teach a profile: `6 dragon=6 3-5 x ?`, one word per piece."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.detect.boxes import Kind
from vision.taught.pieces import InvalidProfile, TaughtKind
from vision.taught.profile import MissingSides, Profile, missing

_WORD = re.compile(r"(?:(?P<symbol>[^=\s]{1,40})=)?(?P<value>\d{1,2})(?:-(?P<second>\d{1,2}))?")
NO_PIECE, SKIP = "x", "?"
_HOW = "Write 1 to 12 for a die, 3-5 for a tile, dragon=6 for a symbol, x for what is no piece, ? to leave a piece out."
_SIX = 6


@dataclass(frozen=True, slots=True)
class Shows:
    """What a person says a piece shows; the fields are those of `vision.taught.labelling.Said`."""

    kind: TaughtKind
    shows: tuple[int, ...]
    symbol: str = ""


def shows(word: str, symbols: dict[str, int] | None = None, *, twelve: bool = False) -> Shows | None:
    """What a word says of a piece; None: the piece is skipped.

    Args:
        word: as people write it.
        symbols: the values of symbols named before; such a symbol may then stand alone.
        twelve: dice up to 6 are twelve-sided, too.

    Raises:
        InvalidProfile: it is nothing that a piece can show.
    """
    if word == SKIP:
        return None
    if word.lower() == NO_PIECE:
        return Shows("other", ())
    if symbols and word in symbols and not _means_itself(word):
        return _die(symbols[word], word, twelve)
    found = _WORD.fullmatch(word)
    if not found:
        raise InvalidProfile(f"{word!r} is no value. {_HOW}")
    first, symbol = int(found["value"]), found["symbol"] or ""
    if _means_itself(symbol):
        way_out = f"Name it, as in dragon={first}."
        raise InvalidProfile(f"{symbol} says something by itself, so no symbol can be called that. {way_out}")
    if found["second"] is None:
        return _die(first, symbol, twelve)
    ends = (first, int(found["second"]))
    if max(ends) > 12 or symbol:
        raise InvalidProfile(f"{word!r} is no tile: its ends are 0 to 12, as in 3-5.")
    return Shows("domino", ends)


def _means_itself(word: str) -> bool:
    """Whether a word stands for itself and is not the name of a symbol: 6, 3-5, x, ?."""
    return word.lower() in (NO_PIECE, SKIP) or bool((found := _WORD.fullmatch(word)) and not found["symbol"])


def _die(value: int, symbol: str, twelve: bool) -> Shows:
    if not 1 <= value <= 12:
        raise InvalidProfile(f"A die shows 1 to 12, got {value}.")
    return Shows("d12" if twelve or value > _SIX else "d6", (value,), symbol)


def all_shown(text: str, count: int, symbols: dict[str, int], *, twelve: bool = False) -> list[Shows | None]:
    """What a line says of `count` pieces, in reading order. Symbols that it names are added to `symbols`.

    Raises:
        InvalidProfile: wrong number of words, or nothing that a piece can show.
    """
    words = text.replace(",", " ").split()
    if len(words) != count:
        raise InvalidProfile(
            f"{count} {'piece was' if count == 1 else 'pieces were'} found, but {len(words)} "
            f"{'value was' if len(words) == 1 else 'values were'} given. Give one for each, in reading order; ? leaves one out."
        )
    return [remember(shows(word, symbols, twelve=twelve), symbols) for word in words]


def another_shape(number: int, said: Shows) -> InvalidProfile:
    """The error for a piece that cannot be what was said of it, because its shape is another."""
    written, way_out = "-".join(map(str, said.shows)), "leave it out (?) and point at its middle, as in --at"
    if said.kind == "domino":
        return InvalidProfile(
            f"Piece {number} looks like a die, but {written} are the two ends of a tile. Write one value, as in 6. "
            f"If it is a tile, {way_out} 40,65={written}."
        )
    return InvalidProfile(
        f"Piece {number} looks like a tile, but {written} is one value. Write both ends, as in 3-5. "
        f"If it is a die, {way_out} 40,65={written}."
    )


def remember(said: Shows | None, symbols: dict[str, int]) -> Shows | None:
    """Store the value of a symbol in `symbols`; returns `said` unchanged.

    Raises:
        InvalidProfile: the symbol had another value before.
    """
    if said and said.symbol:
        known = symbols.setdefault(said.symbol, said.shows[0])
        if known != said.shows[0]:
            raise InvalidProfile(f"{said.symbol} was {known} before, and is {said.shows[0]} now. Which is it?")
    return said


def not_shown(profile: Profile) -> str:
    """The sides of its dice and ends of its tiles that a profile has not seen yet, and what to do; empty if it has seen all."""
    return " ".join(_still_to_show(each) for each in missing(profile))


def counted(profile: Profile) -> str:
    """The number of pieces that a profile knows, in words."""
    return "one piece" if len(profile.pieces) == 1 else f"{len(profile.pieces)} pieces"


_OF: Mapping[Kind, str] = {"d12": " (of 12)", "domino": " (ends)"}


def _still_to_show(left: MissingSides) -> str:
    of = _OF.get(left.kind, "")
    more = "one more photo is enough" if left.photos == 1 else f"{left.photos} more photos are enough"
    return f"Not shown yet{of}: {sides_of(left)}. {_how_to_show(left)}: {more}. Sides with plain pips may be left out."


def _how_to_show(left: MissingSides) -> str:
    one = len(left.sides) == 1
    if left.kind == "domino":
        return "Lay down a tile that has it" if one else "Lay down tiles that have them"
    if one:
        return "Turn a die to it"
    return "Turn a die to each of them" if left.photos == 1 else "Turn your dice to them"


def sides_of(left: MissingSides) -> str:
    """The sides, as people write them."""
    return ", ".join(map(str, left.sides))


def symbols_of(pieces: Sequence[object]) -> dict[str, int]:
    """The symbols that were named in pieces, with their values."""
    return {piece.symbol: piece.shows[0] for piece in pieces if getattr(piece, "symbol", "")}  # type: ignore[attr-defined]
