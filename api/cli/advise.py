"""The command `muggins advise`: the best decision in a turn, with the value of every alternative."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.odds_options import AsJson, NamedRules, numbers_named, refusing, two_named

if TYPE_CHECKING:
    from scorer.engine.advice import Advice
    from scorer.odds.race import Race, Standing
    from scorer.odds.race_solver import Course, T
    from scorer.pieces.tiles import Tile

FARKLE_DICE = 6

app = typer.Typer(
    help="The best decision in your turn, the reason, and the value of every alternative.",
    no_args_is_help=True,
    # So that the usage line above an unknown-game error lists the games.
    subcommand_metavar="{crib-dice|cribbage-dice|farkle-crib|domino-cribbage} ...",
)

OnTable = Annotated[list[int] | None, typer.Argument(metavar="[DIE]...", help="The dice on the table, if any.")]
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


@app.command("crib-dice")
def crib_dice(
    dice: OnTable = None,
    point: Annotated[int | None, typer.Option(metavar="V", help="The value you froze as your point.")] = None,
    frozen: Annotated[int | None, typer.Option(metavar="N", help="How many dice are frozen on it.")] = None,
    banked: Annotated[int, typer.Option(min=0, max=9999, help="Points of earlier rollovers in this turn.")] = 0,
    race: Pegs = None,
    streaks: Streaks = None,
    answer: Answering = False,
    rules: NamedRules = None,
    as_json: AsJson = False,
) -> None:
    """Choose a point after a throw of seven dice; or, with a point frozen, whether to stop.

    muggins advise crib-dice 5 5 2 2 1 4 6

    muggins advise crib-dice --point 5 --frozen 3 --banked 12
    """
    from scorer.games.crib_dice.odds import advise
    from scorer.games.crib_dice.rules import Rules

    held, standing = _held(point, frozen), _standing(race, streaks, answer)
    with refusing():
        options = Rules.from_texts(rules or [])
        advice = advise(options, banked, held, dice or ())
        if standing is None:
            _tell(advice, as_json)
            return
        from scorer.odds import race as races

        course = races.crib_dice_course(options)
        solved = _solved(course, standing, lambda progress: races.crib_dice_race(options, progress))
        advice = races.advise_crib_dice(solved, standing, banked, held, dice or ())
    _tell(advice, as_json, race=_race_json(solved, standing))


def _held(point: int | None, frozen: int | None) -> tuple[int, int] | None:
    if point is None and frozen is None:
        return None
    if point is None or frozen is None:
        raise typer.BadParameter("--point and --frozen go together: the frozen value and the number of frozen dice.")
    return point, frozen


@app.command("farkle-crib")
def farkle_crib(
    thrown: OnTable = None,
    points: Annotated[int, typer.Option(min=0, max=9999, help="Points set aside earlier in this turn.")] = 0,
    dice: Annotated[
        int | None, typer.Option(metavar="N", help="With no dice on the table: how many you would throw. Default: six.")
    ] = None,
    race: Pegs = None,
    streaks: Streaks = None,
    answer: Answering = False,
    rules: NamedRules = None,
    as_json: AsJson = False,
) -> None:
    """Choose what to set aside and whether to stop; or, without dice, whether to throw again.

    muggins advise farkle-crib 1 2 6 3 3 3 --points 10

    muggins advise farkle-crib --points 10 --dice 3
    """
    from scorer.games.farkle_crib.odds import advise
    from scorer.games.farkle_crib.rules import Rules

    to_throw, standing = _farkle_dice(thrown or [], points, dice), _standing(race, streaks, answer)
    with refusing():
        options = Rules.from_texts(rules or [])
        advice = advise(options, points, to_throw, thrown or ())
        if standing is None:
            _tell(advice, as_json)
            return
        from scorer.odds import race as races

        course = races.farkle_crib_course(options)
        solved = _solved(course, standing, lambda progress: races.farkle_crib_race(options, progress))
        advice = races.advise_farkle_crib(solved, standing, points, to_throw, thrown or ())
    _tell(advice, as_json, race=_race_json(solved, standing))


def _farkle_dice(thrown: list[int], points: int, dice: int | None) -> int:
    """The number of dice to throw; impossible situations are refused."""
    if thrown and dice not in (None, len(thrown)):
        raise typer.BadParameter(f"--dice is for a throw to come, but {len(thrown)} dice are already thrown. Omit it.")
    count = len(thrown) or dice or FARKLE_DICE
    if not points and count < FARKLE_DICE:
        raise typer.BadParameter(
            f"A turn starts with {FARKLE_DICE} dice. Use --points for the points set aside earlier."
        )
    return count if dice is None else dice


@app.command("cribbage-dice")
def cribbage_dice(
    dice: Annotated[list[int], typer.Argument(metavar="DIE...", help="The dice on the table, without the starter.")],
    starter: Annotated[int, typer.Option(metavar="V", help="The value of the starter die.")],
    rolls_left: Annotated[int, typer.Option(metavar="N", help="Rolls you have left, 0 to 2.")],
    kept: Annotated[
        str | None,
        typer.Option(metavar="DICE", help="With --rules once_kept=true: dice kept earlier, such as 10-10."),
    ] = None,
    rules: NamedRules = None,
    as_json: AsJson = False,
) -> None:
    """Choose the dice to keep, or stop; after the last roll of seven dice, the two to discard.

    muggins advise cribbage-dice 4 10 10 11 --starter 5 --rolls-left 2
    """
    from scorer.games.cribbage_dice.odds import advise
    from scorer.games.cribbage_dice.rules import Rules

    before = numbers_named(kept, "--kept", "10-10") if kept else ()
    with refusing():
        options = Rules.from_texts(rules or [])
        advice = advise(options, starter, dice, rolls_left, before)
    if before and not options.once_kept:
        typer.echo("--kept has no effect without --rules once_kept=true: kept dice may be rolled again.", err=True)
    _tell(advice, as_json)


@app.command("domino-cribbage")
def domino_cribbage(
    tiles: Annotated[list[str], typer.Argument(metavar="TILE...", help="The six tiles dealt to you, such as 3-0.")],
    dealer: Annotated[bool, typer.Option("--dealer", help="You are the dealer: the crib is yours.")] = False,
    rules: NamedRules = None,
    as_json: AsJson = False,
) -> None:
    """Choose the two tiles to lay in the crib.

    muggins advise domino-cribbage 3-0 4-0 3-1 3-2 6-6 0-0 --dealer
    """
    from scorer.games.domino_cribbage.odds import discard
    from scorer.games.domino_cribbage.rules import Rules

    with refusing():
        advice = discard(Rules.from_texts(rules or []), _tiles(tiles), dealer=dealer)
    _tell(advice, as_json)


def _tiles(texts: list[str]) -> list[Tile]:
    from scorer.pieces.text import sentence
    from scorer.pieces.tiles import Tile

    try:
        return [Tile.parse(text) for text in texts]
    except ValueError as error:
        raise typer.BadParameter(sentence(str(error))) from error


# The race


def _standing(pegs: str | None, streaks: str | None, answer: bool) -> Standing | None:
    from scorer.odds.race import Standing

    if pegs is None:
        if streaks is not None or answer:
            raise typer.BadParameter("--streaks and --answer need --race: give your hole and theirs.")
        return None
    lost = two_named(streaks, "--streaks", "1,0") if streaks is not None else (0, 0)
    return Standing(*two_named(pegs, "--race", "40,55"), *lost, leads=not answer)


def _solved(course: Course[T], standing: Standing, solve: Callable[[Callable[[float], None]], Race[T]]) -> Race[T]:
    from scorer.odds.race import check_standing

    check_standing(course, standing)
    with _bar("Playing the race out") as progress:
        return solve(progress)


@contextmanager
def _bar(words: str) -> Iterator[Callable[[float], None]]:
    """A progress callback from 0 to 1: a bar on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
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
