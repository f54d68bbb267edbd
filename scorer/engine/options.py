"""The options of a game's rules: declared once with their default and what the text says, checked as they are made.

    class Rules(GameRules):
        bomb: bool = switch(False, "Advanced: six 1s as the point may exchange pegs with the leader.")

From that come the checks, `name=value` on a command line, JSON, and the table of options in the docs.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, cast

from scorer.errors import RulesError
from scorer.pieces.text import did_you_mean, listed

Kind = Literal["switch", "number", "choice", "set", "numbers"]
_TRUE, _FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


class _Unnamed(int):
    """The default of a number that nobody has set: equal to it, but told apart from the same number set by hand."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    Attributes:
        name: its name in the rules object and on the command line.
        kind: a switch is a bool, a number an int, a choice one of some words, a set any of some words, "numbers" a tuple.
        default: the value RULINGS names.
        says: one line on what the text says.
        words: what a choice or set chooses from.
        low, high: bounds of a number, inclusive.
        examples: of a number, values that tables play with.
        instead_of: the number that this one replaces once it is set, unless both are set; empty: none.
    """

    name: str
    kind: Kind
    default: Any
    says: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    examples: tuple[int, ...] = ()
    instead_of: str = ""

    @property
    def values(self) -> str:
        """What it may be set to, in words."""
        listed = ", ".join(self.words)
        span = f"{self.low} to {self.high}"
        return {
            "switch": "true or false",
            "number": f"a whole number, {span}",
            "numbers": f"whole numbers from {span} joined by commas, or nothing",
            "choice": f"one of {listed}",
            "set": f"any of {listed}, joined by commas, all, or none",
        }[self.kind]

    def allows(self, value: object) -> bool:
        """Is this value allowed?"""
        if self.kind == "switch":
            return isinstance(value, bool)
        if self.kind == "number":
            return self._is_number(value)
        if self.kind == "numbers":
            return isinstance(value, tuple) and all(self._is_number(number) for number in value)
        if self.kind == "choice":
            return value in self.words
        return isinstance(value, frozenset) and value <= set(self.words)

    def refusal(self, value: object) -> str:
        """Why a value is not allowed, in a sentence that names the part of it that is wrong."""
        strange = sorted(map(str, value - set(self.words))) if isinstance(value, frozenset) else [value]
        meant = did_you_mean(str(strange[0]), self.words) if len(strange) == 1 else ""
        return f"{self.name} cannot be {listed([_quoted(each) for each in strange])}: it is {self.values}.{meant}"

    def _is_number(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def parsed(self, text: str) -> object:
        """The value that the text stands for; an unreadable text is returned unchanged, for `allows` to refuse."""
        return _PARSERS[self.kind](self, text.strip())

    def written(self, value: Any) -> str:
        """The value as text that `parsed` reads."""
        if self.kind == "switch":
            return str(value).lower()
        if self.kind in ("set", "numbers"):
            return ",".join(map(str, sorted(value) if self.kind == "set" else value)) or "none"
        return str(value)


def _quoted(value: object) -> str:
    """A value as the user wrote it."""
    return repr(",".join(map(str, value)) if isinstance(value, tuple) else value)


def _switch(_: Option, text: str) -> object:
    word = text.lower()
    return True if word in _TRUE else False if word in _FALSE else text


def _number(_: Option, text: str) -> object:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text


def _word(_: Option, text: str) -> object:
    return text


def _set(option: Option, text: str) -> object:
    if text in ("", "none"):
        return frozenset()
    return frozenset(option.words if text == "all" else (word.strip() for word in text.split(",")))


def _numbers(option: Option, text: str) -> object:
    if text in ("", "none"):
        return ()
    return tuple(_number(option, part.strip()) for part in text.split(","))


_PARSERS = {"switch": _switch, "number": _number, "choice": _word, "set": _set, "numbers": _numbers}


def switch(default: bool, says: str) -> bool:
    """A field that is on or off."""
    return cast("bool", _field("switch", default, says))


def number(
    default: int, says: str, low: int, high: int, examples: tuple[int, ...] = (), *, instead_of: str = ""
) -> int:
    """A field that is a whole number between two bounds; tests play the examples. `instead_of`: see `Option`."""
    more = {"low": low, "high": high, "examples": examples, "instead_of": instead_of}
    return cast("int", _field("number", _Unnamed(default), says, **more))


def numbers(says: str, low: int, high: int) -> tuple[int, ...]:
    """A field of several whole numbers, none by default."""
    return cast("tuple[int, ...]", _field("numbers", (), says, low=low, high=high))


def choice(says: str, default: str, *others: str) -> Any:
    """A field that is one of some words; the first is the default."""
    return _field("choice", default, says, words=(default, *others))


def any_of(says: str, words: Collection[str]) -> frozenset[str]:
    """A field that is a set of switches, all off by default."""
    return cast("frozenset[str]", _field("set", frozenset(), says, words=tuple(words)))


def _field(kind: Kind, default: Any, says: str, **more: Any) -> Any:
    return dataclasses.field(default=default, metadata={"option": (kind, says, more)})


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of rules that a table can choose at once.

    Attributes:
        title: its name, like "Advanced".
        says: what is different, in one line.
        options: as `name=value` texts.
    """

    title: str
    says: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """Base of every game's frozen rules: a value, checked when it is made, equal when all its options are.

    Raises:
        RulesError: "bad-option", an option set to what it cannot be.
    """

    def __post_init__(self) -> None:
        self._settle_unnamed()
        for option in self.options():
            value = getattr(self, option.name)
            if not option.allows(value):
                raise RulesError("bad-option", option.refusal(value))

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """Every option, in the order in which the docs list them."""
        return tuple(_option(field) for field in dataclasses.fields(cls))

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Self:
        """Rules from `name=value` texts; of a repeated name the last counts.

        Raises:
            RulesError: "bad-option" or "unknown-option".
        """
        pairs = [text.partition("=") for text in texts]
        bare = next((name for name, equals, _ in pairs if not equals), None)
        if bare is not None:
            raise RulesError("bad-option", f"{bare!r} sets nothing: write an option as name=value.")
        rules = cls(**{name.strip(): cls.option(name.strip()).parsed(value) for name, _, value in pairs})
        if reason := rules.without_effect():
            raise RulesError("bad-option", reason)
        return rules

    def for_players(self, players: int) -> Self:  # noqa: ARG002 - for games to override
        """The rules for a game of this many players: a single player does not roll for who goes first."""
        return self

    def without_effect(self) -> str | None:
        """Why an option that is set changes nothing, as a sentence; None where all do.

        Checked when a table chooses its rules, but not in the constructor: older records stay readable.
        """
        return None

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Rules from what `to_json` gave; options that are not named have their default.

        Raises:
            RulesError: "bad-option" or "unknown-option".
        """
        return cls(**{name: _from_json(cls.option(name), value) for name, value in values.items()})

    @classmethod
    def option(cls, name: str) -> Option:
        """The option of that name.

        Raises:
            RulesError: "unknown-option".
        """
        known = {option.name: option for option in cls.options()}
        if name not in known:
            meant = did_you_mean(name, known)
            raise RulesError(
                "unknown-option", f"There is no option {name!r} here.{meant} Choose from {', '.join(known)}."
            )
        return known[name]

    def to_json(self) -> dict[str, Any]:
        """Every option, sets as sorted lists: the complete rules, even if defaults change later."""
        return {option.name: _to_json(getattr(self, option.name)) for option in self.options()}

    def changed(self) -> dict[str, str]:
        """The options to name for these rules, written as on a command line: those that differ from their default, and the
        numbers that such an option would otherwise replace.
        """
        values = {option: getattr(self, option.name) for option in self.options()}
        differing = [option for option, value in values.items() if value != option.default]
        replaced = {option.instead_of for option in differing}
        named = [option for option in values if option in differing or option.name in replaced]
        return {option.name: option.written(values[option]) for option in named}

    def _settle_unnamed(self) -> None:
        """Resolve numbers that nobody set: to their lowest value if another option replaces them, otherwise to their default."""
        replaced = {option.instead_of for option in self.options() if option.instead_of and getattr(self, option.name)}
        for option in self.options():
            if isinstance(getattr(self, option.name), _Unnamed):
                object.__setattr__(self, option.name, option.low if option.name in replaced else option.default)


def _option(field: dataclasses.Field[Any]) -> Option:
    kind, says, more = field.metadata["option"]
    default = int(field.default) if isinstance(field.default, _Unnamed) else field.default
    return Option(field.name, kind, default, says, **more)


def _to_json(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def _from_json(option: Option, value: object) -> object:
    if isinstance(value, list):
        return frozenset(map(str, value)) if option.kind == "set" else tuple(value)
    return value
