"""Shared by `odds` and `advise`: options and error handling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

NamedRules = Annotated[
    list[str] | None,
    typer.Option("--rules", metavar="NAME=VALUE", help="An option of the game (see `muggins rules`); repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@contextmanager
def refusing() -> Iterator[None]:
    """Turn scorer errors into usage errors: message on standard error, exit code 2."""
    from scorer.errors import ScorerError

    try:
        yield
    except ScorerError as error:
        raise typer.BadParameter(error.message) from error


def numbers_named(text: str, option: str, example: str) -> tuple[int, ...]:
    """Parse whole numbers from "10-10", "40,55" or "1 0".

    Raises:
        typer.BadParameter: the text is not such a list.
    """
    if not re.fullmatch(r"[0-9]{1,4}((-|, ?| )[0-9]{1,4})*", text.strip()):
        raise typer.BadParameter(f"{option} {text!r} is not a list of numbers. Example: {option} {example}.")
    return tuple(map(int, re.findall("[0-9]+", text)))


def two_named(text: str, option: str, example: str) -> tuple[int, int]:
    """Parse your number and the other player's.

    Raises:
        typer.BadParameter: there are not exactly two.
    """
    numbers = numbers_named(text, option, example)
    if len(numbers) != 2:
        raise typer.BadParameter(
            f"{option} takes two numbers, yours and the other player's, such as {option} {example}."
        )
    return numbers[0], numbers[1]
