"""A throw's worth: the one door through which the command line and the HTTP service ask.

    worth("crib-dice", [5, 5, 2, 2, 1, 4, 6])                      every point one may choose
    worth("crib-dice", [5, 1, 6, 6, 6], point=5, frozen=2)         safe, what joins and what it adds; or a wipeout
    worth("farkle-crib", [1, 2, 6, 3, 3, 3])                       every set-aside, best first
    worth("cribbage-dice", [5, 10, 10, 10, 11])                    fifteens, pairs, runs
    worth("domino-cribbage", ["3-0", "4-0", "3-1", "3-2"], starter="4-1")
    worth("domino-pips", ["6-6", "6-3", "3-5"])                    pips; or a hand, or open ends, by its rules
    worth("cards", ["5H", "5D", "5S", "JC"], starter="5C")

The JSON of a worth has "game", "values", "outcome", "total", "summary", "choices" and "items" in every game: a hand that
is simply counted has items, anything else has choices, unless there is nothing to choose. Each of them has "pieces";
indices count into "values". Beside them:
    - crib-dice, with a point frozen: "point", "frozen_before", "frozen" (now), "thrown" and "joined" (indices), "adds",
      "bomb". A point to choose has "point", "frozen", "rolls_over" and "bomb"; so has a number of dice to freeze.
    - farkle-crib: "bonuses" (those played), "thrown" (indices), "hot_dice", and the same throw with all bonuses:
      "bonus_outcome", "bonus_total", "bonus_hot_dice", "bonus_choices". A set-aside has "left", "hot_dice", "bomb" and
      "classic_points".
    - cribbage-dice, domino-cribbage, cards: "starter". Five of seven dice have "discarded" (indices).
    - domino-pips: "count", what was counted.
Outcomes: "choose-point" and those of `crib_dice.throws.Outcome`; "scores" or "farkle"; "counted", or "choose-five".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scorer.engine.options import GameRules
from scorer.engine.worth import Piece, Worth
from scorer.errors import RulesError, ThrowError
from scorer.games.cards import worth as cards_worth
from scorer.games.crib_dice import rules as crib_dice_rules
from scorer.games.crib_dice import worth as crib_dice
from scorer.games.cribbage_dice import rules as cribbage_dice_rules
from scorer.games.cribbage_dice import worth as cribbage_dice
from scorer.games.domino_cribbage import rules as domino_cribbage_rules
from scorer.games.domino_cribbage import worth as domino_cribbage
from scorer.games.domino_pips import worth as pips
from scorer.games.farkle_crib import rules as farkle_crib_rules
from scorer.games.farkle_crib import worth as farkle_crib
from scorer.pieces.text import listed, sentence
from scorer.pieces.tiles import Tile

__all__ = ["GAMES", "TYPED", "Kind", "ThrowError", "Worth", "dice_named", "kind_of", "rules_named", "rules_of", "worth"]

Kind = Literal["d6", "d12", "domino", "card"]
"""What a game is played with."""


@dataclass(frozen=True, slots=True)
class _Game:
    """What stands behind the door: what a game is played with, its rules, the options of its worth, and its pieces."""

    kind: Kind
    rules: type[GameRules]
    options: frozenset[str]
    worth: Callable[..., Worth]
    piece: Callable[[Piece], Piece]


def _die(piece: Piece) -> int:
    if isinstance(piece, str) and not re.fullmatch(r"[0-9]{1,4}", piece):
        raise ThrowError("no-die", f"{piece!r} is no value of a die: write a whole number.")
    return int(piece)


def _tile(piece: Piece) -> Piece:
    try:
        return str(Tile.parse(str(piece)))
    except ValueError as error:
        raise ThrowError("no-tile", sentence(str(error))) from error


def _game(
    kind: Kind, rules: type[GameRules], found: Callable[..., Worth], piece: Callable[[Piece], Piece], *options: str
) -> _Game:
    return _Game(kind, rules, frozenset(options), found, piece)


_PHOTOGRAPHED = {
    "crib-dice": _game("d6", crib_dice_rules.Rules, crib_dice.worth, _die, "point", "frozen"),
    "farkle-crib": _game("d6", farkle_crib_rules.Rules, farkle_crib.worth, _die, "set_aside"),
    "cribbage-dice": _game("d12", cribbage_dice_rules.Rules, cribbage_dice.worth, _die, "starter"),
    "domino-cribbage": _game("domino", domino_cribbage_rules.Rules, domino_cribbage.worth, _tile, "starter"),
    pips.GAME: _game("domino", pips.Rules, pips.worth, str, "joined"),
}
_GAMES = {**_PHOTOGRAPHED, "cards": _game("card", cards_worth.CardRules, cards_worth.worth, str, "starter")}
GAMES = tuple(_PHOTOGRAPHED)
"""The games whose pieces a photo is read for."""
TYPED = tuple(_GAMES)
"""All games whose pieces can be named, the hands of playing cards among them."""


def worth(
    game: str,
    pieces: Sequence[Piece],
    *,
    rules: GameRules | None = None,
    point: int | None = None,
    frozen: int | None = None,
    set_aside: Sequence[int] | None = None,
    starter: Piece | None = None,
    joined: Sequence[pips.Joined] | None = None,
) -> Worth:
    """What the pieces on the table are worth.

    Args:
        game: one of `TYPED`.
        pieces: dice by their values, tiles like "3-0", cards like "5H"; indices in the answer count into them.
        rules: the game's own; its defaults without them.
        point: crib-dice: the value frozen; only together with `frozen`. Without them it is the first throw of seven.
        frozen: crib-dice: how many dice were frozen before this throw.
        set_aside: farkle-crib: values set aside earlier in the turn.
        starter: cribbage-dice: the value of the starter die, which is among `pieces`; domino-cribbage and cards: the
            tile or card turned up, which is not.
        joined: domino-pips: for each tile, which of its ends are covered; see `scorer.games.domino_pips.worth.worth`.

    Raises:
        ThrowError: no such game, an option or the rules of another game, or pieces that the game does not have.
    """
    asked = _named(game)
    named = {"point": point, "frozen": frozen, "set_aside": set_aside, "starter": starter, "joined": joined}
    given: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    _check_options(game, asked, given)
    if starter is not None:
        given["starter"] = asked.piece(starter)
    return asked.worth(tuple(map(asked.piece, pieces)), _checked(game, asked, rules), **given)


def kind_of(game: str) -> Kind:
    """What the game is played with.

    Raises:
        ThrowError: "unknown-game".
    """
    return _named(game).kind


def rules_of(game: str) -> type[GameRules]:
    """The rules class of a game.

    Raises:
        ThrowError: "unknown-game".
    """
    return _named(game).rules


def rules_named(game: str, texts: Iterable[str]) -> GameRules:
    """The rules of a game from `name=value` texts.

    Raises:
        ThrowError: "unknown-game", or the complaint of the rules: "bad-option" or "unknown-option".
    """
    rules = _named(game).rules
    try:
        return rules.from_texts(texts)
    except RulesError as error:
        # For whoever asks what a throw is worth, one kind of error is enough.
        raise ThrowError(error.code, error.message) from error


def dice_named(text: str) -> tuple[int, ...]:
    """The values in "1-5-5", or in "1,5,5" or "1 5 5".

    Raises:
        ThrowError: "no-dice", that is no list of values.
    """
    if not re.fullmatch(r"[0-9]{1,2}((-|, ?| )[0-9]{1,2})*", text.strip()):
        raise ThrowError("no-dice", f"{text!r} is no list of dice. Write the values like 1-5-5.")
    return tuple(map(int, re.findall(r"[0-9]+", text)))


def _named(game: str) -> _Game:
    if game not in _GAMES:
        raise ThrowError("unknown-game", f"There is no game {game!r} here. Choose one of {', '.join(TYPED)}.")
    return _GAMES[game]


def _check_options(game: str, asked: _Game, used: Collection[str]) -> None:
    strange = sorted(set(used) - asked.options)
    if strange:
        raise ThrowError(
            "option-of-another-game",
            f"{game} has no {listed(strange)}: leave that away, or choose the game it belongs to.",
        )


def _checked(game: str, asked: _Game, rules: GameRules | None) -> GameRules:
    if rules is None:
        return asked.rules()
    if not isinstance(rules, asked.rules):
        raise ThrowError("option-of-another-game", f"These are no rules of {game}: give it its own, or none.")
    return rules
