"""The proof of `tests.proof.uploads`, each kind twice; by itself it goes on for longer."""

from __future__ import annotations

from pathlib import Path

from tests.proof.hostile import KINDS, READABLE
from tests.proof.uploads import attacked

_GROWTH = 60.0
"""Megabytes that allocators and caches may come to hold more. One of the bombs, kept, would be more than that."""


def test_hostile_uploads_are_refused_with_a_reason_and_leave_nothing_behind(tmp_path: Path) -> None:
    found = attacked(2 * len(KINDS), tmp_path / "data")
    assert found.read + sum(found.codes.values()) == 2 * len(KINDS) + len(READABLE)
    assert {"empty-file", "not-a-photo", "unsupported-format", "too-large-file"} <= set(found.codes)
    assert {"truncated", "damaged", "too-many-pixels", "too-narrow", "too-small"} <= set(found.codes)
    assert found.last < found.first + _GROWTH
