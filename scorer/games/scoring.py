"""What a throw or a hand is worth: the single entry point of the command line and the HTTP service.

    worth("crib-dice", [5, 5, 2, 2, 1, 4, 6])                      every point one may choose
    worth("crib-dice", [5, 1, 6, 6, 6], point=5, frozen=2)         safe, what joins and what it adds; or a wipeout
    worth("farkle-crib", [1, 2, 6, 3, 3, 3])                       every set-aside, best first
    worth("cribbage-dice", [5, 10, 10, 10, 11])                    fifteens, pairs, runs
    worth("domino-cribbage", ["3-0", "4-0", "3-1", "3-2"], starter="4-1")
    worth("domino-pips", ["6-6", "6-3", "3-5"])                    pips; or a hand, or open ends, by its rules
    worth("cards", ["5H", "5D", "5S", "JC"], starter="5C")

The JSON of a worth has "game", "values", "outcome", "total", "summary", "choices" and "items" in every game: a hand that
is only counted has items, anything else has choices, unless there is nothing to choose. Each of them has "pieces";
indices count into "values". The further fields of a game are documented at its `score`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from scorer.engine.expected import Expected, Kind
from scorer.engine.options import GameRules
from scorer.engine.parameters import Parameter, parameters
from scorer.engine.worth import Piece, Worth
from scorer.errors import RulesError, ThrowError
from scorer.games.registry import SCORED, AnyScored
from scorer.pieces.text import did_you_mean, listed

__all__ = [
    "ThrowError",
    "Worth",
    "dice_named",
    "in_photo",
    "kind_of",
    "photographed",
    "pieces_of",
    "rules_named",
    "rules_of",
    "score_parameters",
    "typed",
    "with_starter",
    "worth",
]


def photographed() -> tuple[str, ...]:
    """The names of the games and counts that can be read from a photo."""
    return tuple(name for name, game in SCORED.items() if game.photographed)


def typed() -> tuple[str, ...]:
    """The names of the games and counts whose pieces can be typed, the hands of playing cards among them."""
    return tuple(SCORED)


def with_starter(game: str, pieces: Sequence[Piece], starter: Piece | None) -> Sequence[Piece]:
    """Typed pieces as `worth` takes them: in some games the starter, typed apart, is one of them.

    Raises:
        ThrowError: "unknown-game".
    """
    return pieces if starter is None else _named(game).with_starter(pieces, starter)


def worth(game: str, pieces: Sequence[Piece], *, rules: GameRules | None = None, **options: Any) -> Worth:
    """What the pieces on the table are worth.

    Args:
        game: one of `typed()`.
        pieces: dice by their values, tiles like "3-0", cards like "5H"; indices in the answer count into them.
        rules: the game's own; its defaults without them.
        options: further arguments of the game's `score`; None counts as not given.

    Raises:
        ThrowError: no such game, an option or the rules of another game, or pieces that the game does not have.
    """
    asked = _named(game)
    given = {name: value for name, value in options.items() if value is not None}
    _check_options(asked, given)
    if "starter" in given:
        given["starter"] = asked.piece(given["starter"])
    return asked.score(tuple(map(asked.piece, pieces)), _checked(asked, rules), **given)


def score_parameters(games: Iterable[str]) -> tuple[Parameter, ...]:
    """The options of `worth` for these games, by name; each text begins with the games that have the option."""
    told: dict[str, list[tuple[AnyScored, Parameter]]] = {}
    for game in (SCORED[name] for name in games):
        for each in parameters(game.score_options):
            if each.typed:
                told.setdefault(each.name, []).append((game, each))
    return tuple(_merged(each) for each in told.values())


def _merged(told: Sequence[tuple[AnyScored, Parameter]]) -> Parameter:
    """The parameters that several games have under one name, merged into one."""
    texts: dict[str, list[str]] = {}
    for game, each in told:
        texts.setdefault(each.text, []).append(game.title)
    text = ". ".join(f"{', '.join(titles)}: {text}" for text, titles in texts.items())
    first, *others = (each for _, each in told)
    if all(other.type == first.type for other in others):
        least, most = (_bound(told, "least", min), _bound(told, "most", max))
        return replace(first, text=text, least=least, most=most)
    return replace(first, text=text, type=Piece | None, least=None, most=None)


def _bound(told: Sequence[tuple[AnyScored, Parameter]], name: str, widest: Callable[..., int]) -> int | None:
    bounds = [getattr(each, name) for _, each in told]
    return None if None in bounds else widest(bounds)


def in_photo(game: str, *, rules: GameRules | None = None, **options: Any) -> Expected:
    """What a photo to be scored by `worth` with the same options shows.

    Raises:
        ThrowError: as `worth`, for the options.
    """
    asked = _named(game)
    given = {name: value for name, value in options.items() if value is not None}
    _check_options(asked, given)
    return asked.in_photo(_checked(asked, rules), **given)


def pieces_of(game: str) -> Expected:
    """The pieces that the game is played with.

    Raises:
        ThrowError: "unknown-game".
    """
    return _named(game).pieces


def kind_of(game: str) -> Kind:
    """The kind of piece that the game is played with.

    Raises:
        ThrowError: "unknown-game".
    """
    return _named(game).kind


def rules_of(game: str) -> type[GameRules]:
    """The rules class of a game.

    Raises:
        ThrowError: "unknown-game".
    """
    rules: type[GameRules] = _named(game).rules
    return rules


def rules_named(game: str, texts: Iterable[str]) -> GameRules:
    """The rules of a game from `name=value` texts.

    Raises:
        ThrowError: "unknown-game", or the error of the rules: "bad-option" or "unknown-option".
    """
    try:
        return rules_of(game).from_texts(texts)
    except RulesError as error:
        # One kind of error is enough to say what is wrong with a throw.
        raise ThrowError(error.code, error.message) from error


def dice_named(text: str) -> tuple[int, ...]:
    """The values in "1-5-5", or in "1,5,5" or "1 5 5".

    Raises:
        ThrowError: "no-dice", that is no list of values.
    """
    if not re.fullmatch(r"[0-9]{1,2}((-|, ?| )[0-9]{1,2})*", text.strip()):
        raise ThrowError("no-dice", f"{text!r} is not a list of dice. Write the values such as 1-5-5.")
    return tuple(map(int, re.findall(r"[0-9]+", text)))


def _named(game: str) -> AnyScored:
    if game not in SCORED:
        meant = did_you_mean(game, SCORED)
        raise ThrowError("unknown-game", f"There is no game {game!r} here.{meant} Choose one of {', '.join(SCORED)}.")
    return SCORED[game]


def _check_options(asked: AnyScored, used: Collection[str]) -> None:
    strange = sorted(set(used) - {each.name for each in parameters(asked.score_options)})
    if strange:
        raise ThrowError(
            "option-of-another-game",
            f"{asked.name} has no {listed(strange)}. Omit it, or choose the game it belongs to.",
        )


def _checked(asked: AnyScored, rules: GameRules | None) -> GameRules:
    if rules is not None and not isinstance(rules, asked.rules):
        raise ThrowError("option-of-another-game", f"These are no rules of {asked.name}: give it its own, or none.")
    checked: GameRules = asked.rules() if rules is None else rules
    return checked
