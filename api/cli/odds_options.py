"""What the commands of `odds` and `advise` have in common: their options, and how they refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

NamedRules = Annotated[
    list[str] | None,
    typer.Option("--rules", metavar="NAME=VALUE", help="An option of the game (see `muggins rules`); may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@contextmanager
def refusing() -> Iterator[None]:
    """What the scorer refuses is a wrong use of the command: its sentence goes to standard error, the exit code is 2."""
    from scorer.errors import ScorerError

    try:
        yield
    except ScorerError as error:
        raise typer.BadParameter(error.message) from error


def numbers_named(text: str, option: str, example: str) -> tuple[int, ...]:
    """The whole numbers in "10-10", "40,55" or "1 0".

    Raises:
        typer.BadParameter: these are none.
    """
    if not re.fullmatch(r"[0-9]{1,4}((-|, ?| )[0-9]{1,4})*", text.strip()):
        raise typer.BadParameter(f"{option} {text!r} is no list of numbers. Write it like {option} {example}.")
    return tuple(map(int, re.findall("[0-9]+", text)))


def two_named(text: str, option: str, example: str) -> tuple[int, int]:
    """Yours and the other player's.

    Raises:
        typer.BadParameter: these are not two numbers.
    """
    numbers = numbers_named(text, option, example)
    if len(numbers) != 2:
        raise typer.BadParameter(f"{option} takes two numbers, yours and the other player's, like {option} {example}.")
    return numbers[0], numbers[1]
