"""The command `muggins odds`: exact probabilities."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from api.cli.odds_options import AsJson, NamedRules, refusing
from api.cli.questions import asked, taking
from scorer.engine.options import GameRules
from scorer.engine.parameters import parameters
from scorer.games.registry import GAMES, SCORED, AnyGame, AnyScored
from scorer.pieces.text import listed


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.add_typer(_commands(), name="odds")


def _commands() -> typer.Typer:
    odds = typer.Typer(
        help="Exact probabilities: the distribution of hands, and the value of a turn.", no_args_is_help=True
    )
    odds.command()(hands)
    turns = {name: game for name, game in GAMES.items() if game.whole_turn is not None}
    turn = typer.Typer(help=_TURN, no_args_is_help=True, subcommand_metavar=f"{{{'|'.join(turns)}}} ...")
    for name, game in turns.items():
        turn.command(name, help=_TURN)(_turn(game))
    odds.add_typer(turn, name="turn")
    return odds


# Hands


def _counted() -> dict[str, AnyScored]:
    return {name: game for name, game in SCORED.items() if game.hands_title}


def hands(
    of: Annotated[str, typer.Argument(metavar="HANDS", help=f"One of {', '.join(_counted())}.")],
    rules: NamedRules = None,
    as_json: AsJson = False,
) -> None:
    """Count all hands by score.

    A hand of cards or tiles is a set; with cards, times the choice of the starter. A throw of dice is in order.
    """
    if of not in _counted():
        raise typer.BadParameter(f"Unknown hands {of!r}. Choose one of {', '.join(_counted())}.")
    game = SCORED[of]
    with refusing():
        options = game.rules.from_texts(rules or [])
        _check_options(game, options.changed())
        counted = game.hands(options)
    if as_json:
        typer.echo(json.dumps({"game": of, **counted.to_json(), "rules": options.changed()}))
        return
    from api.cli.report.odds import show_hands

    show_hands(game.hands_title, counted)


def _check_options(game: AnyScored, changed: Iterable[str]) -> None:
    if set(changed) <= game.hands_options:
        return
    which = f"Only {listed(sorted(game.hands_options))} changes" if game.hands_options else "No option changes"
    raise typer.BadParameter(f"{which} the hands of {game.name}. Omit the others.")


# A turn

_TURN = """Print the expected points of a turn under best play, and how to play it.

The result is exact. Play maximises points, regardless of the score of the game.
"""


def _turn(game: AnyGame) -> Callable[..., Any]:
    question = game.whole_turn
    assert question is not None

    def turn(rules: NamedRules = None, as_json: AsJson = False, **told: Any) -> None:
        with refusing():
            options: GameRules = game.rules.from_texts(rules or [])
            found = asked(question, told).odds(options)
        if as_json:
            typer.echo(json.dumps(found.to_json()))
            return
        from api.cli.report.odds import show_turn

        show_turn(found)

    return taking(parameters(question), turn)
