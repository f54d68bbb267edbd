"""The command `muggins score`: what a throw or hand is worth, typed in.

It starts within a fraction of a second: nothing here brings in the camera, the web or numpy, and rich only what a
person reads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NoReturn

import typer

from scorer.engine.options import GameRules
from scorer.engine.worth import Worth
from scorer.errors import ThrowError
from scorer.games.scoring import dice_named, rules_named, typed, worth

UNSCORED = 2
"""Exit code when a throw or hand could not be scored."""
_STARTER_APART = 4, 6
"""So many d12 lie beside a starter that was not named among them: five in all, or seven."""

_Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rules", metavar="NAME=VALUE", help="An option of the game's rules, like bonus=straight; repeat it."
    ),
]
_Starter = Annotated[
    str | None,
    typer.Option(metavar="X", help="Cribbage Dice, Domino Cribbage, cards: the starter, beside the values."),
]
_Point = Annotated[int | None, typer.Option(metavar="V", help="Crib Dice: the value frozen as your point.")]
_Frozen = Annotated[
    int | None, typer.Option(metavar="N", help="Crib Dice: how many dice were frozen before this throw.")
]
_SetAside = Annotated[
    str | None, typer.Option(metavar="DICE", help="Farkle Cribbage: dice set aside earlier in the turn, like 1-5.")
]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_Batch = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Score one hand a line, written as on the command line, like 5H 5D 5S JC --starter 5C, or / 5C for short; "
        "blank lines and what follows a # are skipped; - is standard input. Prints one JSON object a line; a bad hand "
        'gets {"line", "error"}, and the exit code is 2 at the end.',
    ),
]


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
    app.command("score")(_score)


def _score(
    game: Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(typed())}.")],
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="VALUES…", help="Dice like 5 5 2, tiles like 3-0 4-0, cards like 5H JC."),
    ] = None,
    starter: _Starter = None,
    rules: _Rules = None,
    point: _Point = None,
    frozen: _Frozen = None,
    set_aside: _SetAside = None,
    as_json: _Json = False,
    batch: _Batch = None,
) -> None:
    """Say what a throw or a hand is worth."""
    try:
        aside = None if set_aside is None else dice_named(set_aside)
        asked = _Asked(game, rules_named(game, rules or ()), point, frozen, aside, starter)
        _check_source(values, batch)
        if batch is None:
            _show(asked.worth(values or ()), as_json)
            return
    except ThrowError as error:
        _leave(error.message)
    raise typer.Exit(_score_lines(asked, batch))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The game and what is decided beside the pieces: see `scorer.games.scoring.worth`."""

    game: str
    rules: GameRules
    point: int | None
    frozen: int | None
    set_aside: tuple[int, ...] | None
    starter: str | None

    def worth(self, words: Sequence[str]) -> Worth:
        """What these pieces are worth.

        Raises:
            ThrowError: the game has no such throw or hand.
        """
        return worth(
            self.game,
            self._pieces(words),
            rules=self.rules,
            point=self.point,
            frozen=self.frozen,
            set_aside=self.set_aside,
            starter=self.starter,
        )

    def _pieces(self, words: Sequence[str]) -> Sequence[str]:
        """The starter of Cribbage Dice is typed beside the others, as in card hands, but it is one of the dice thrown."""
        if self.game == "cribbage-dice" and self.starter is not None and len(words) in _STARTER_APART:
            return [*words, self.starter]
        return words


def _check_source(values: Sequence[str] | None, batch: str | None) -> None:
    if values and batch is not None:
        raise ThrowError("values-and-batch", "With --batch the hands come from the file: leave the values away.")
    if not values and batch is None:
        raise ThrowError(
            "no-values", "There is nothing to score: type the values after the game, or name a --batch file."
        )


def _show(found: Worth, as_json: bool) -> None:
    if as_json:
        print(json.dumps(found.to_json()))
        return
    from rich.console import Console

    from api.cli.report.worth import tell_worth

    tell_worth(Console(highlight=False), found)


def _leave(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(UNSCORED)


# A hand a line


def _score_lines(asked: _Asked, batch: str) -> int:
    """Print one JSON object for every hand as it comes; the exit code says whether all could be scored."""
    code = 0
    for number, line in _hands(batch):
        try:
            told = _on_line(asked, line).to_json()
        except ThrowError as error:
            told, code = {"line": number, "error": {"code": error.code, "message": error.message}}, UNSCORED
        print(json.dumps(told), flush=True)
    return code


def _hands(batch: str) -> Iterator[tuple[int, str]]:
    """The lines that hold a hand, without their comments, and their numbers from 1; one in memory at a time."""
    try:
        source = sys.stdin.fileno() if batch == "-" else batch
        with open(source, encoding="utf-8-sig", errors="replace", closefd=batch != "-") as lines:
            for number, line in enumerate(lines, start=1):
                hand = line.partition("#")[0].strip()
                if hand:
                    yield number, hand
    except OSError as error:
        _leave(
            f"Cannot read {batch!r}: {error.strerror}. Name a text file with one hand a line, or - for standard input."
        )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ThrowError("no-number", f"{text!r} is no whole number: write one after --point and --frozen.")
    return int(text)


_ON_A_LINE: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--starter": ("starter", str),
    "--point": ("point", _number),
    "--frozen": ("frozen", _number),
    "--set-aside": ("set_aside", dice_named),
}


def _on_line(asked: _Asked, line: str) -> Worth:
    """The worth of the hand on a line, whose own options come before those of the command line.

    Raises:
        ThrowError: no such option, number, throw or hand.
    """
    words = iter(line.replace("/", " --starter ").split())
    pieces, given = [], {}
    for word in words:
        if word.startswith("--"):
            name, read = _line_option(word)
            given[name] = read(_after(word, words))
        else:
            pieces.append(word)
    return replace(asked, **given).worth(pieces)


def _line_option(word: str) -> tuple[str, Callable[[str], Any]]:
    if word not in _ON_A_LINE:
        raise ThrowError(
            "unknown-option", f"A line of hands has no option {word!r}. Choose from {', '.join(_ON_A_LINE)}."
        )
    return _ON_A_LINE[word]


def _after(option: str, words: Iterator[str]) -> str:
    word = next(words, None)
    if word is None:
        raise ThrowError("no-value", f"Nothing follows {option}: write what it is, or leave it away.")
    return word
