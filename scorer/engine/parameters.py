"""What a question to a game may be told: fields of a frozen dataclass, each with its description and bounds.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Options:
        point: int | None = parameter("the value that you froze", None, least=1, most=6, metavar="V")

Command-line options and HTTP models are derived from the fields; a game writes them nowhere else. A field is a whole
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
        name: of the field.
        type: its type, like `int | None` or `tuple[str, ...]`.
        text: what it is, in a phrase without a full stop.
        default: its value where none is given; `MISSING` where one has to be.
        least: the least number that it may be, or that its numbers may be.
        most: the largest.
        at_most: how many pieces a tuple holds at most.
        metavar: how a command line stands for its value.
        on_table: the pieces on the table, which a command line takes without naming them.
        typed: a person may give it; else only a photo shows it.
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
    """A field with what `Parameter` says of it; `more` as there."""
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
    """The options of what takes none."""
