"""Recipes: the kinds of tables to render, read from YAML and validated before the first scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml

from datasets.generate.parts.dice_models import BODIES

Recipe = dict[str, Any]


class RecipeError(ValueError):
    """A recipe that cannot be used; the message says what to change."""


def load(path: Path, changes: Iterable[str] = ()) -> Recipe:
    """A recipe from a file, with `changes` ("key=value", the value as in YAML) applied, completed and validated.

    Raises:
        RecipeError: the file is missing or no recipe, a key is unknown or missing, or a value is out of its range.
    """
    return checked(_read(path) | dict(_change(change) for change in changes))


def checked(recipe: Recipe) -> Recipe:
    """The recipe, completed with defaults.

    Raises:
        RecipeError: a key is unknown or missing, or a value is out of its range.
    """
    if unknown := sorted(set(map(str, recipe)) - set(KEYS)):
        raise RecipeError(f"unknown key {', '.join(unknown)}; a recipe has {', '.join(sorted(KEYS))}")
    full = DEFAULTS | recipe
    if missing := sorted(set(KEYS) - set(full)):
        raise RecipeError(f"the recipe lacks {', '.join(missing)}")
    for key, value in full.items():
        fits, wanted = KEYS[key]
        if not fits(value):
            raise RecipeError(f"{key} must be {wanted}, not {value!r}")
    return full


def _read(path: Path) -> Recipe:
    try:
        recipe = yaml.safe_load(path.read_text())
    except OSError as error:
        raise RecipeError(f"cannot read the recipe {path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise RecipeError(f"{path} is no YAML: {error}") from error
    if not isinstance(recipe, dict):
        raise RecipeError(f"{path} holds no recipe: it must be a list of 'key: value'")
    return recipe


def _change(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        raise RecipeError(f"{text!r} changes nothing: write --set key=value")
    try:
        return key.strip(), yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise RecipeError(f"the value of --set {text} is no YAML") from error


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _share(value: Any) -> bool:
    return _number(value) and 0 <= value <= 1


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _kinds(value: Any) -> bool:
    return _weights(value, {"d6", "d12", "domino", "modelled"})


def _bodies(value: Any) -> bool:
    return _weights(value, set(BODIES))


def _weights(value: Any, names: set[str]) -> bool:
    known = isinstance(value, dict) and bool(value) and set(value) <= names
    return known and all(_number(v) and v >= 0 for v in value.values()) and sum(value.values()) > 0


def _widths(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_number, value)) and 0 < value[0] <= value[1] <= 1


def _sizes(value: Any) -> bool:
    pairs = isinstance(value, list) and bool(value) and all(isinstance(size, list) and len(size) == 2 for size in value)
    return pairs and all(_whole(side) and 32 <= side <= 4096 for size in value for side in size)


_A_SHARE = (_share, "a share from 0 to 1")
KEYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "kinds": (_kinds, "weights of d6, d12, domino and modelled, such as {d6: 1, domino: 2}"),
    "models": (lambda value: isinstance(value, str), "a folder with dice-themes"),
    "bodies": (_bodies, f"weights of {', '.join(BODIES)}, such as {{d12: 1}}"),
    "mixed": _A_SHARE,
    "empty": _A_SHARE,
    "look_alikes": _A_SHARE,
    "cribbage_boards": _A_SHARE,
    "cocked": _A_SHARE,
    "materials": (lambda value: value in ("all", "plain"), "all or plain"),
    "tray": _A_SHARE,
    "table_edge": _A_SHARE,
    "die_width": (_widths, "two shares of the picture's width, the smaller first"),
    "tile_width": (_widths, "two shares of the picture's width, the smaller first"),
    "lowest_view_degrees": (lambda value: _number(value) and 5 <= value <= 90, "degrees from 5 to 90"),
    "highest_view_degrees": (lambda value: _number(value) and 5 < value <= 90, "degrees from 5 to 90"),
    "standing": _A_SHARE,
    "defocus": _A_SHARE,
    "sizes": (_sizes, "a list of [width, height], each from 32 to 4096"),
    "samples": (_whole, "a whole number from 1"),
    "degraded": (lambda value: isinstance(value, bool), "true or false"),
}
"""Every key of a recipe: a test of its value, and the valid values in words."""

DEFAULTS: Recipe = {
    "kinds": {"d6": 1.0},
    "models": "",
    "bodies": dict.fromkeys(BODIES, 1.0),
    "mixed": 0.0,
    "cribbage_boards": 0.0,
    "materials": "all",
    "table_edge": 0.0,
    "tile_width": [0.015, 0.3],
    "highest_view_degrees": 90,
    "standing": 0.0,
    "degraded": True,
}
"""The default values of a recipe."""
