"""What an evidence zip contains, parsed as it is asked for. Nothing in it is trusted, and what is damaged is empty."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from api.evidence.archive import Archive, InvalidArchive
from api.evidence.bundle import MAGIC, MANIFEST, READINGS, SUFFIXES
from api.evidence.checks.budget import Budget
from api.evidence.keys import BadSignature, SignedHead


class Contents:
    """The files of an evidence zip.

    Attributes:
        archive: the zip.
        budget: what checking it may cost.
    """

    def __init__(self, archive: Archive, budget: Budget) -> None:
        self.archive, self.budget = archive, budget

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest; empty if it is invalid."""
        found = self.parsed(MANIFEST, _named_once)
        return found if isinstance(found, dict) and found.get("evidence") == MAGIC else {}

    def parsed(self, name: str, made: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
        """A JSON file; None if it is missing or damaged. `made`: makes its objects of their names and values."""
        try:
            return json.loads(self.archive.read(name), object_pairs_hook=made)
        except (KeyError, ValueError, RecursionError, InvalidArchive):
            return None

    def part(self, name: str) -> Mapping[str, Any]:
        """An object of the manifest by its name; empty without one."""
        found = self.manifest.get(name)
        return found if isinstance(found, dict) else {}

    def signed(self) -> SignedHead | None:
        """The signed head that the manifest has; None without one."""
        try:
            return SignedHead.from_json(self.part("signed"))
        except BadSignature:
            return None

    @cached_property
    def readings(self) -> list[Mapping[str, Any]]:
        """The list of readings beside the record; empty if it is damaged, larger than any of a game, or has a name twice."""
        return [] if self.readings_repeat_a_name else self._bounded_readings

    @cached_property
    def readings_repeat_a_name(self) -> bool:
        """Whether an object in the list of readings has the same name twice. A larger list than any of a game is not searched."""
        return bool(self._bounded_readings) and self.parsed(READINGS, _named_once) is None

    @cached_property
    def _bounded_readings(self) -> list[Mapping[str, Any]]:
        found = self.parsed(READINGS) if READINGS in self.archive else []
        if not isinstance(found, list) or len(found) > self.budget.readings:
            return []
        kept = [each for each in found if _is_kept_reading(each)]
        return kept if sum(len(each["corrections"]) for each in kept) <= self.budget.corrections else []

    def photo_name(self, sha256: str) -> str:
        """The photo's name in the zip; empty if missing."""
        names = (f"photos/{sha256}.{suffix}" for suffix in SUFFIXES.values())
        return next((name for name in names if name in self.archive), "")


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object that says nothing twice: programs differ in which of two values they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _is_kept_reading(value: object) -> bool:
    return (
        isinstance(value, dict) and isinstance(value.get("photo"), str) and isinstance(value.get("corrections"), list)
    )
