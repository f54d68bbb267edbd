"""The parameters of a question to a game: fields of a frozen dataclass, each with its description and bounds.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Options:
        point: int | None = parameter("the value that you froze", None, least=1, most=6, metavar="V")

Command-line options and HTTP models are derived from the fields, and declared nowhere else. A field is a whole
number, a switch, the name of a piece (a text, or a number), or a tuple of numbers or texts.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, get_type_hints

_KEY = "parameter"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One field of a question.

    Attributes:
        name: the field's name.
        type: its type, like `int | None` or `tuple[str, ...]`.
        text: what it is, in a phrase without a full stop.
        default: its default value; `MISSING` where a value is required.
        least: lower bound of the number or numbers.
        most: upper bound.
        at_most: the most pieces that a tuple may hold.
        metavar: placeholder for the value in the command's help.
        on_table: the pieces on the table, which are positional arguments of the command.
        typed: a person may give it; otherwise only a photo shows it.
    """

    name: str
    type: Any
    text: str
    default: Any = MISSING
    least: int | None = None
    most: int | None = None
    at_most: int | None = None
    metavar: str = "N"
    on_table: bool = False
    typed: bool = True

    @property
    def required(self) -> bool:
        """Whether a value has to be given."""
        return self.default is MISSING


def parameter(text: str, default: Any = MISSING, **more: Any) -> Any:
    """A dataclass field described by a `Parameter`; `more`: its other attributes."""
    return field(default=default, metadata={_KEY: {"text": text, "default": default, **more}})


def parameters(question: type) -> tuple[Parameter, ...]:
    """The parameters of a frozen dataclass, in their order."""
    return _parameters(question)


@cache
def _parameters(question: type[Any]) -> tuple[Parameter, ...]:
    types = get_type_hints(question)
    return tuple(Parameter(each.name, types[each.name], **each.metadata[_KEY]) for each in fields(question))


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The options of a question that has none."""
