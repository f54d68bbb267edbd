"""Makes commands and options from the parameters of a game's questions (`scorer.engine.parameters`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter as Argument
from inspect import Signature, signature
from operator import getitem
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin

import typer

from scorer.engine.parameters import Parameter, parameters
from scorer.pieces.text import sentence

Q = TypeVar("Q")


def taking(told: Iterable[Parameter], function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a command with these options before its own; it receives them by name.

    Args:
        told: the options.
        function: takes them as `**told`, and options of its own.
    """
    own = [each for each in signature(function, eval_str=True).parameters.values() if each.kind != Argument.VAR_KEYWORD]
    every = [*map(_argument, told), *(each.replace(kind=Argument.KEYWORD_ONLY) for each in own)]

    def command(**given: Any) -> Any:
        return function(**given)

    command.__doc__ = function.__doc__
    command.__signature__ = Signature(every)  # type: ignore[attr-defined] # what inspect reads
    command.__annotations__ = {each.name: each.annotation for each in every}
    return command


def asked(question: type[Q], given: Mapping[str, Any]) -> Q:
    """The question with values from a command line.

    Raises:
        ThrowError: the situation cannot occur, or a value is not a list of dice.
    """
    told = {each.name: value(each, given[each.name]) for each in parameters(question) if each.name in given}
    return question(**told)


def value(told: Parameter, given: Any) -> Any:
    """The value of an option, from what typer parsed.

    Raises:
        ThrowError: "no-dice".
    """
    if _item_of(told.type) is None:
        return given
    if given is None:
        return told.default
    if told.on_table:
        return tuple(given)
    from scorer.games.scoring import dice_named  # where `read` needs no game, none is loaded

    return dice_named(given) if _item_of(told.type) is int else tuple(given.replace(",", " ").split())


def flag(name: str) -> str:
    """The name of an option on the command line: "--rolls-left"."""
    return f"--{name.replace('_', '-')}"


def _argument(told: Parameter) -> Argument:
    annotation = getitem(cast("Any", Annotated), (_typed(told), _info(told)))  # with types known only at run time
    default = Argument.empty if told.required else (None if _item_of(told.type) else told.default)
    return Argument(told.name, Argument.KEYWORD_ONLY, default=default, annotation=annotation)


def _typed(told: Parameter) -> Any:
    """The option's type for typer: pieces on the table one by one, other lists as one word such as 1-5-5 or 6-5,5-3."""
    item = _item_of(told.type)
    if item is None:
        # A piece is a die or a tile: the game says which.
        return str | None if {int, str} <= {*get_args(told.type)} else told.type
    if told.on_table:
        return list[item] if told.required else list[item] | None  # type: ignore[valid-type] # made at run time
    return str if told.required else str | None


def _info(told: Parameter) -> Any:
    text = sentence(told.text)
    if told.on_table:
        return typer.Argument(metavar=f"{told.metavar}..." if told.required else f"[{told.metavar}]...", help=text)
    if told.type is bool:
        return typer.Option(flag(told.name), help=text)
    # No bounds: the game refuses values out of bounds, with its own message.
    return typer.Option(flag(told.name), metavar=told.metavar, help=text)


def _item_of(kind: Any) -> type | None:
    """The item type of a tuple, also of an optional one; None for anything else."""
    tuples = [each for each in (kind, *get_args(kind)) if get_origin(each) is tuple]
    return get_args(tuples[0])[0] if tuples else None
