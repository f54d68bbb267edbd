"""The commands `muggins odds` and `muggins advise`: exact probabilities, and the best decision with its reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli import advise
from api.cli.odds_options import AsJson, NamedRules, refusing

if TYPE_CHECKING:
    from scorer.odds.hands import Distribution

HANDS = ("cards", "domino-cribbage", "cribbage-dice")

_odds = typer.Typer(
    help="Exact probabilities: the distribution of hands, and the value of a turn.", no_args_is_help=True
)


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
    app.add_typer(_odds, name="odds")
    app.add_typer(advise.app, name="advise")


@_odds.command()
def hands(
    of: Annotated[str, typer.Argument(metavar="HANDS", help=f"One of {', '.join(HANDS)}.")],
    rules: NamedRules = None,
    as_json: AsJson = False,
) -> None:
    """Count all hands by score.

    Card hands are sets of five cards times the choice of starter, domino hands are sets of five tiles, and hands of
    cribbage-dice are ordered throws of five d12. The only option that matters is domino-cribbage's blank_in_fifteens.
    """
    with refusing():
        counted, options = _counted(of, rules or [])
    if as_json:
        typer.echo(json.dumps({**counted.to_json(), "rules": options}))
        return
    from api.cli.report.odds import show_hands

    show_hands(counted)


def _counted(of: str, options: list[str]) -> tuple[Distribution, dict[str, str]]:
    """The hands, and the options changed from their defaults."""
    from scorer.odds.hands import cards, d12, dominoes

    if of not in HANDS:
        raise typer.BadParameter(f"No hands for {of!r}. Choose one of {', '.join(HANDS)}.")
    if of == "domino-cribbage":
        from scorer.games.domino_cribbage.rules import Rules

        rules = Rules.from_texts(options)
        return dominoes(blank_in_fifteens=rules.blank_in_fifteens), rules.changed()
    if options:
        raise typer.BadParameter(f"No option changes the hands of {of}. Omit --rules.")
    return (cards() if of == "cards" else d12()), {}


@_odds.command()
def turn(
    game: Annotated[str, typer.Argument(metavar="GAME", help="One of crib-dice, cribbage-dice, farkle-crib.")],
    rolls: Annotated[
        int | None, typer.Option(min=1, max=3, help="cribbage-dice: rolls in the turn. Default: three.")
    ] = None,
    rules: NamedRules = None,
    as_json: AsJson = False,
) -> None:
    """Print the expected points of a turn under best play, and how to play it.

    The result is exact. Play maximises points, regardless of the score of the game.
    """
    if rolls is not None and game != "cribbage-dice":
        raise typer.BadParameter("--rolls is for cribbage-dice only; in other games a turn lasts until you stop.")
    with refusing():
        found = _best_turn(game)(rules or [], rolls)
    if as_json:
        typer.echo(json.dumps(found.to_json()))
        return
    from api.cli.report.odds import show_turn

    show_turn(found)


def _best_turn(game: str) -> Callable[[list[str], int | None], Any]:
    turns = {"crib-dice": _crib_dice, "cribbage-dice": _cribbage_dice, "farkle-crib": _farkle_crib}
    if game not in turns:
        raise typer.BadParameter(f"No turn odds for {game!r}. Choose one of {', '.join(turns)}.")
    return turns[game]


def _crib_dice(options: list[str], _: int | None) -> Any:
    from scorer.games.crib_dice.odds import turn
    from scorer.games.crib_dice.rules import Rules

    return turn(Rules.from_texts(options))


def _cribbage_dice(options: list[str], rolls: int | None) -> Any:
    from scorer.games.cribbage_dice.odds import turn
    from scorer.games.cribbage_dice.rules import Rules
    from scorer.games.cribbage_dice.state import ROLLS

    return turn(Rules.from_texts(options), ROLLS if rolls is None else rolls)


def _farkle_crib(options: list[str], _: int | None) -> Any:
    from scorer.games.farkle_crib.odds import turn
    from scorer.games.farkle_crib.rules import Rules

    return turn(Rules.from_texts(options))
