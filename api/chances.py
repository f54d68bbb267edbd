"""The commands `muggins odds` and `muggins advise`: exact chances, and the best decision with its reason."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
