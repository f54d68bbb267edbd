"""The commands `muggins play` and `muggins replay`: a whole game in the terminal, kept as a record."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
