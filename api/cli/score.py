"""The command `muggins score`: the worth of a throw or hand that is typed in.

It starts within a fraction of a second: nothing here imports the camera, the web or numpy, and rich is imported only for
output that people read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NoReturn, get_args

import typer

from api.cli.questions import flag, taking, value
from scorer.engine.options import GameRules
from scorer.engine.parameters import Parameter
from scorer.engine.worth import Worth
from scorer.errors import ThrowError
from scorer.games.scoring import rules_named, score_parameters, typed, with_starter, worth

UNSCORED = 2
"""Exit code when a throw or hand could not be scored."""
_Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rules", metavar="NAME=VALUE", help="An option of the game's rules, such as bonus=straight; repeatable."
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_Batch = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Score one hand per line, written as on the command line, such as 5H 5D 5S JC --starter 5C, or / 5C for short; "
        "blank lines and comments after # are skipped; - reads standard input. Prints one JSON object per line; an invalid "
        'hand gives {"line", "error"}, and the exit code is 2.',
    ),
]


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
    app.command("score")(taking(_OPTIONS, _score))


_OPTIONS = score_parameters(typed())


def _score(
    game: Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(typed())}.")],
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="VALUES…", help="Dice such as 5 5 2, tiles such as 3-0 4-0, cards such as 5H JC."),
    ] = None,
    rules: _Rules = None,
    as_json: _Json = False,
    batch: _Batch = None,
    **told: Any,
) -> None:
    """Print the worth of a throw or hand."""
    try:
        options = {each.name: value(each, told[each.name]) for each in _OPTIONS}
        asked = _Asked(game, rules_named(game, rules or ()), options)
        _check_source(values, batch)
        if batch is None:
            _show(asked.worth(values or ()), as_json)
            return
    except ThrowError as error:
        _leave(error.message)
    raise typer.Exit(_score_lines(asked, batch))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The game and everything except the pieces; see `scorer.games.scoring.worth`."""

    game: str
    rules: GameRules
    options: Mapping[str, Any]

    def worth(self, words: Sequence[str]) -> Worth:
        """The worth of these pieces.

        Raises:
            ThrowError: not a throw or hand of the game.
        """
        pieces = with_starter(self.game, words, self.options.get("starter"))
        return worth(self.game, pieces, rules=self.rules, **self.options)


def _check_source(values: Sequence[str] | None, batch: str | None) -> None:
    if values and batch is not None:
        raise ThrowError("values-and-batch", "--batch reads hands from a file; pass no values.")
    if not values and batch is None:
        raise ThrowError("no-values", "Nothing to score. Type the values after the game, or give a --batch file.")


def _show(found: Worth, as_json: bool) -> None:
    if as_json:
        print(json.dumps(found.to_json()))
        return
    from api.cli.report.worth import tell_worth
    from api.console import terminal

    tell_worth(terminal(), found)


def _leave(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(UNSCORED)


# One hand per line


def _score_lines(asked: _Asked, batch: str) -> int:
    """Print one JSON object per hand; the exit code says whether all could be scored."""
    code = 0
    for number, line in _hands(batch):
        try:
            told = _on_line(asked, line).to_json()
        except ThrowError as error:
            told, code = {"line": number, "error": {"code": error.code, "message": error.message}}, UNSCORED
        print(json.dumps(told), flush=True)
    return code


def _hands(batch: str) -> Iterator[tuple[int, str]]:
    """Line numbers from 1 and hands without comments; one line in memory at a time."""
    try:
        source = sys.stdin.fileno() if batch == "-" else batch
        with open(source, encoding="utf-8-sig", errors="replace", closefd=batch != "-") as lines:
            for number, line in enumerate(lines, start=1):
                hand = line.partition("#")[0].strip()
                if hand:
                    yield number, hand
    except OSError as error:
        _leave(
            f"Cannot read {batch!r}: {error.strerror}. Give a text file with one hand per line, or - for standard input."
        )


_ON_A_LINE = {flag(each.name): each for each in _OPTIONS}


def _value_on_line(told: Parameter, text: str) -> Any:
    if int in get_args(told.type) and str not in get_args(told.type):
        return _number(told, text)
    return value(told, text)


def _number(told: Parameter, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ThrowError("no-number", f"{flag(told.name)} takes a whole number, got {text!r}.")
    return int(text)


def _on_line(asked: _Asked, line: str) -> Worth:
    """The worth of the hand on a line; options on the line override those of the command line.

    Raises:
        ThrowError: invalid option, number, throw or hand.
    """
    words = iter(line.replace("/", " --starter ").split())
    pieces, given = [], {}
    for word in words:
        if word.startswith("--"):
            told = _line_option(word)
            given[told.name] = _value_on_line(told, _after(word, words))
        else:
            pieces.append(word)
    return replace(asked, options={**asked.options, **given}).worth(pieces)


def _line_option(word: str) -> Parameter:
    if word not in _ON_A_LINE:
        raise ThrowError(
            "unknown-option", f"Unknown option {word!r} in a --batch line. Choose from {', '.join(_ON_A_LINE)}."
        )
    return _ON_A_LINE[word]


def _after(option: str, words: Iterator[str]) -> str:
    word = next(words, None)
    if word is None:
        raise ThrowError("no-value", f"Missing value for {option}.")
    return word
