"""The command `muggins advise`: the best decision in a turn, with the value of every alternative.

Every game with a `Game.moment` has a subcommand, with an option for each field of its question.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import getdoc
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.odds_options import AsJson, NamedRules, refusing, two_named
from api.cli.questions import asked, taking
from scorer.engine.parameters import parameters
from scorer.games.registry import GAMES, AnyGame
from scorer.odds.race_moment import RaceMoment

if TYPE_CHECKING:
    from scorer.engine.advice import Advice
    from scorer.odds.race import Race, Standing
    from scorer.odds.race_solver import Course, T

Pegs = Annotated[
    str | None,
    typer.Option(
        "--race",
        metavar="MINE,THEIRS",
        help="Maximise the chance to win against one player instead of points: your hole and theirs.",
    ),
]
Streaks = Annotated[
    str | None,
    typer.Option(metavar="MINE,THEIRS", help="With --race: turns in a row that you and they have lost so far."),
]
Answering = Annotated[
    bool, typer.Option("--answer", help="With --race: the other player started this round and yours is its last turn.")
]


def advised() -> dict[str, AnyGame]:
    """The games that give advice, by name."""
    return {name: game for name, game in GAMES.items() if game.moment is not None}


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.add_typer(_commands(), name="advise")


def _commands() -> typer.Typer:
    app = typer.Typer(
        help="The best decision in your turn, the reason, and the value of every alternative.",
        no_args_is_help=True,
        # So that the usage line above an unknown-game error lists the games.
        subcommand_metavar=f"{{{'|'.join(advised())}}} ...",
    )
    for name, game in advised().items():
        app.command(name, help=getdoc(game.moment))(_command(game))
    return app


def _command(game: AnyGame) -> Callable[..., Any]:
    """The command for one game: for points, and where two can race, for the chance to win."""
    moment = game.moment
    assert moment is not None

    def for_points(rules: NamedRules = None, as_json: AsJson = False, **told: Any) -> None:
        with refusing():
            advice = asked(moment, told).advice(game.rules.from_texts(rules or []))
        _tell(advice, as_json)

    def for_points_or_the_race(
        race: Pegs = None,
        streaks: Streaks = None,
        answer: Answering = False,
        rules: NamedRules = None,
        as_json: AsJson = False,
        **told: Any,
    ) -> None:
        standing = _standing(race, streaks, answer)
        if standing is None:
            for_points(rules, as_json, **told)
            return
        with refusing():
            question = asked(moment, told)
            assert isinstance(question, RaceMoment)
            _tell_race(question, game.rules.from_texts(rules or []), standing, as_json)

    races = issubclass(moment, RaceMoment)
    return taking(parameters(moment), for_points_or_the_race if races else for_points)


# The race


def _standing(pegs: str | None, streaks: str | None, answer: bool) -> Standing | None:
    from scorer.odds.race import Standing

    if pegs is None:
        if streaks is not None or answer:
            raise typer.BadParameter("--streaks and --answer need --race: give your hole and theirs.")
        return None
    lost = two_named(streaks, "--streaks", "1,0") if streaks is not None else (0, 0)
    return Standing(*two_named(pegs, "--race", "40,55"), *lost, leads=not answer)


def _tell_race(question: RaceMoment[Any], rules: Any, standing: Standing, as_json: bool) -> None:
    from scorer.odds.race import advice

    question.advice(rules)  # An impossible throw is refused before the race is solved, which takes long.
    solved = _solved(question.course(rules), standing, told=not as_json)
    found = advice(solved, question.decisions(solved.turns(standing)))
    _tell(found, as_json, race=_race_json(solved, standing))


def _solved(course: Course[T], standing: Standing, *, told: bool) -> Race[T]:
    from scorer.odds.race import Race, check_standing

    check_standing(course, standing)
    with _bar("Playing the race out", told=told) as progress:
        return Race(course, progress)


@contextmanager
def _bar(words: str, *, told: bool) -> Iterator[Callable[[float], None]]:
    """A progress callback from 0 to 1: a bar on standard error; where that is no terminal, a line if `told`."""
    if not sys.stderr.isatty():
        if told:
            typer.echo(f"{words}. This can take a minute.", err=True)
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

    # The first step alone takes seconds: the clock shows progress.
    columns = (SpinnerColumn(), *Progress.get_default_columns()[:-1], TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(words, total=1.0)
        yield lambda done: bar.update(task, completed=done)


def _race_json(race: Race[T], standing: Standing) -> dict[str, Any]:
    return {
        "mine": standing.mine,
        "theirs": standing.theirs,
        "streaks": [standing.streak, standing.their_streak],
        "answer": not standing.leads,
        **race.error_to_json(),
    }


def _tell(advice: Advice, as_json: bool, race: dict[str, Any] | None = None) -> None:
    if as_json:
        typer.echo(json.dumps({**advice.to_json(), **({"race": race} if race else {})}))
        return
    from api.cli.report.odds import show_advice

    show_advice(advice, race)
