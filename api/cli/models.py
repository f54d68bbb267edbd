"""The command `muggins models`: lists the networks and verifies their files."""

from __future__ import annotations

import typer

DAMAGED = 1
"""Exit code when the networks are missing or damaged."""


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command("models")(list_models)


def list_models() -> None:
    """List the networks that read photos, and verify their files."""
    from rich.table import Table

    import models
    from api.console import terminal

    table = Table("Name", "Intact", "Size", "Classes", "Licence", "SHA-256")
    for file, whole, _ in models.verify():
        size, classes = f"{file.size_bytes / 1e6:.1f} MB", ", ".join(file.classes)
        table.add_row(file.name, "yes" if whole else "NO", size, classes, file.licence, file.sha256[:12])
    terminal().print(table)
    _leave_if_damaged()


def _leave_if_damaged() -> None:
    import models

    reasons = [reason for _, whole, reason in models.verify() if not whole]
    if reasons:
        typer.echo("\n".join(reasons), err=True)
        raise typer.Exit(DAMAGED)
