"""How many examples a property is tried with: as many as it says when all tests run, a quarter of them in the fast tier."""

from __future__ import annotations

from hypothesis import settings

FAST = "fast"
"""The profile of the fast tier, which `tests/conftest.py` loads."""
_SHARE, _LEAST = 4, 5


def some(count: int) -> int:
    """So many, or the share of them that the fast tier has."""
    fast = settings.get_current_profile_name() == FAST
    return max(min(count, _LEAST), count // _SHARE) if fast else count


def examples(count: int) -> settings:
    """The settings of a property that is tried with so many examples."""
    return settings(max_examples=some(count))
