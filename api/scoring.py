"""The command `muggins score`: what a throw or hand is worth, typed in."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
