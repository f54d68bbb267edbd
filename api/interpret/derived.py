"""Pydantic models derived from frozen dataclasses, so that JSON shapes are declared only in the classes they describe.

    response(Board, "lanes", "streets")          the fields of `Board` and these properties, described by its docstring
    request(CribDiceMoment, game=Literal[...])   the parameters of a question, strict, with their bounds

Descriptions are taken from docstrings ("Attributes:") and from `scorer.engine.parameters`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import fields
from functools import reduce
from operator import or_
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from fastapi import Form
from pydantic import BaseModel, ConfigDict, Field, create_model

from scorer.engine.parameters import Parameter, parameters
from scorer.games.scoring import dice_named
from scorer.pieces.text import sentence

LONGEST_NAME = 10
"""The most characters of a typed piece name."""
LARGEST_NUMBER = 99
Q = TypeVar("Q")


class Strict(BaseModel):
    """No undocumented fields."""

    model_config = ConfigDict(extra="forbid")


class Request(Strict):
    """Strict input: no undocumented fields, no type coercion (true is not 1)."""

    model_config = ConfigDict(strict=True)


def array(of: Any) -> Any:
    """A list of a type known only at run time."""
    return list[of]


def union(*kinds: Any) -> Any:
    """A union of these types."""
    return reduce(or_, kinds)


# Responses


def response(source: type, *also: str, name: str = "", base: type[BaseModel] = Strict, **types: Any) -> type[BaseModel]:
    """The model of a frozen dataclass's JSON.

    Args:
        source: the dataclass.
        also: properties that are in its JSON, too.
        name: of the model; by default that of the dataclass.
        base: its base class.
        types: of fields with another type in JSON, or only in JSON; None leaves a field out.
    """
    hints = get_type_hints(source)
    own = {each.name: hints[each.name] for each in fields(source)}
    for each in also:
        own[each] = get_type_hints(getattr(source, each).fget)["return"]
    shape = {each: kind for each, kind in (own | types).items() if kind is not None}
    told = described(source)
    return model(
        name or source.__name__, summary(source), {each: (kind, told.get(each)) for each, kind in shape.items()}, base
    )


def model(
    name: str, text: str, shape: dict[str, tuple[Any, str | None]], base: type[BaseModel] = Strict
) -> type[BaseModel]:
    """A model with these fields, each a type and its description; all are required."""
    made: dict[str, Any] = {
        each: (kind, ... if _has_text(kind) or not told else Field(description=sentence(told.rstrip("."))))
        for each, (kind, told) in shape.items()
    }
    return create_model(name, __base__=base, __doc__=text, __module__=__name__, **made)


def _has_text(kind: Any) -> bool:
    """Whether the type has a description of its own."""
    return get_origin(kind) is Annotated and any(getattr(each, "description", None) for each in get_args(kind)[1:])


def summary(source: type) -> str:
    """The first paragraph of its docstring, in one line."""
    return " ".join(re.split(r"\n\s*\n", inspect.getdoc(source) or "")[0].split())


def described(source: type) -> dict[str, str]:
    """Descriptions by name: of attributes, from the docstrings of the class and its bases, and of properties, from their own."""
    told: dict[str, str] = {}
    for each in reversed(source.__mro__):
        for name, member in vars(each).items():
            if isinstance(member, property) and member.__doc__:
                told[name] = summary(member.fget) if member.fget else ""  # type: ignore[arg-type]
        told |= _attributes(inspect.cleandoc(vars(each).get("__doc__") or ""))
    return told


def _attributes(docstring: str) -> dict[str, str]:
    section = re.search(r"^Attributes:\n((?:[ ]+.*\n?|\n)*)", docstring, re.MULTILINE)
    if section is None:
        return {}
    each = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", section[1], re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in each}


# Requests


def request(question: type, name: str, text: str, base: type[BaseModel] = Request, **more: Any) -> type[BaseModel]:
    """The model of a question's parameters.

    Args:
        question: a dataclass of `scorer.engine.parameters`.
        name: of the model.
        text: its description.
        base: its base class.
        more: further fields, as `pydantic.create_model` takes them.
    """
    return create_model(
        name, __base__=base, __doc__=text, __module__=__name__, **more, **body_fields(parameters(question))
    )


def body_fields(told: Iterable[Parameter]) -> dict[str, Any]:
    """The parameters as fields of a JSON object."""
    return {
        each.name: (
            bounded(each),
            Field(... if each.required else each.default, max_length=each.at_most, description=sentence(each.text)),
        )
        for each in told
        if each.typed
    }


def bounded(told: Parameter) -> Any:
    """The type of a parameter with its bounds; numbers and names are always bounded."""
    kinds = [each for each in (get_args(told.type) or (told.type,)) if each not in (type(None), ...)]
    if get_origin(told.type) is tuple:
        return array(_item(kinds[0], told))
    made = [_list_or_item(each, told) for each in kinds]
    optional = type(None) in get_args(told.type)
    return union(*made, *([type(None)] if optional else []))


def _list_or_item(kind: Any, told: Parameter) -> Any:
    if get_origin(kind) is tuple:
        return array(_item(get_args(kind)[0], told))
    return _item(kind, told)


def _item(kind: Any, told: Parameter) -> Any:
    if kind is bool:
        return bool
    if kind is str:
        return Annotated[str, Field(max_length=LONGEST_NAME)]
    most = LARGEST_NUMBER if told.most is None else told.most
    return Annotated[int, Field(ge=told.least or 0, le=most)]


def form_type(told: Parameter) -> Any:
    """The parameter as a field of a form: a number, the name of a piece, or dice such as 1-5-5."""
    text = sentence(told.text)
    if any(get_origin(each) is tuple for each in (told.type, *get_args(told.type))):
        return Annotated[str | None, Form(pattern="^[0-9]{1,2}(-[0-9]{1,2}){0,11}$", description=text)]
    if str in get_args(told.type):
        return Annotated[str | None, Form(pattern="^[0-9]{1,2}(-[0-9]{1,2})?$", description=text)]
    return Annotated[int | None, Form(ge=told.least, le=told.most, description=text)]


def form_value(told: Parameter, given: Any) -> Any:
    """The value of a parameter in a form.

    Raises:
        ThrowError: "no-dice".
    """
    pieces = any(get_origin(each) is tuple for each in (told.type, *get_args(told.type)))
    return dice_named(given) if pieces and given is not None else given


def asked(question: type[Q], body: BaseModel) -> Q:
    """The question in a request.

    Raises:
        ThrowError: the situation cannot occur.
    """
    given = {each.name: getattr(body, each.name) for each in parameters(question)}
    return question(**{name: tuple(each) if isinstance(each, list) else each for name, each in given.items()})
