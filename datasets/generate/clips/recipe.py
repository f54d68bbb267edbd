"""Recipes of clips: the table in the format of `datasets.generate.blender`, and the kinds and numbers of dice and throws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from datasets.generate.blender import recipe as tables
from datasets.generate.blender.recipe import RecipeError

Recipe = dict[str, Any]

KEYS = {
    "dice": "two numbers of dice, the smaller first, from 1 to 9",
    "throws": "two numbers of throws, the smaller first, from 1 to 9",
    "rates": "frames a second to draw from, each from 10 to 60",
    "fancy": "a share from 0 to 1",
    "samples_moving": "a whole number from 1",
    "table": "a recipe of a table",
}
"""Every key of a recipe, and its valid values."""


def load(path: Path) -> Recipe:
    """The recipe in a file, checked.

    Raises:
        RecipeError: the file is missing or no recipe, a key is unknown or missing, or a value is out of its range.
    """
    try:
        recipe = yaml.safe_load(path.read_text())
    except OSError as error:
        raise RecipeError(f"cannot read the recipe {path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise RecipeError(f"{path} is no YAML: {error}") from error
    if not isinstance(recipe, dict) or set(recipe) != set(KEYS):
        raise RecipeError(f"{path} must have just the keys {', '.join(KEYS)}")
    for key, wanted in KEYS.items():
        if not _fits(key, recipe[key]):
            raise RecipeError(f"{key} must be {wanted}, not {recipe[key]!r}")
    return {**recipe, "table": tables.checked(recipe["table"])}


def _fits(key: str, value: Any) -> bool:
    if key in ("dice", "throws"):
        pair = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
        return pair and 1 <= value[0] <= value[1] <= 9
    if key == "rates":
        return isinstance(value, list) and bool(value) and all(type(n) is int and 10 <= n <= 60 for n in value)
    if key == "fancy":
        return isinstance(value, int | float) and 0 <= value <= 1
    if key == "samples_moving":
        return type(value) is int and value >= 1
    return isinstance(value, dict)
