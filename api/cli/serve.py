"""The command `muggins serve`: the table's server, with links and QR codes for the phones around it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from api.http.serve.settings import Settings

FAILED, BAD_OPTION = 1, 2
"""Exit codes: the networks, the folder or the port cannot be used; an option is none, or is set to what cannot be."""


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(serve)


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            help="Address to listen on; 127.0.0.1 lets only this computer in. (Default: all that this computer has.)"
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one. (Default: 8000.)")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for games, photos and keys. (Default: a folder of your own.)"),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Keep games in PostgreSQL: postgresql+psycopg://… (Default: SQLite in DIR.)"),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            help="What phones need to begin games; other people on this computer may see it here, not in MUGGINS_TOKEN. "
            "(Default: a random one at each start.)"
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name by which browsers may call this computer; repeat it."),
    ] = None,
    https: Annotated[
        bool | None,
        typer.Option(
            "--https/--http",
            help="Serve over HTTPS, which the live camera needs, with a certificate of this computer's own. (Default: http.)",
        ),
    ] = None,
    http_port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="With --https, port of the page that helps phones to trust it. (Default: the one after PORT.)",
        ),
    ] = None,
    access_log: Annotated[
        bool | None, typer.Option("--access-log/--no-access-log", help="Write a line for every request.")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Options in TOML, like port = 8000. (Default: config.toml of your own, if there.)"
        ),
    ] = None,
) -> None:
    """Serve the pages, live games, and the HTTP interface (at /docs), and show the link for phones.

    Every option may also be set in the environment (MUGGINS_PORT=8000; several names between commas) or in a file
    (port = 8000); what is said here wins, then the environment, then the file.
    """
    told = dict(locals())
    _leave_if_damaged()
    _run(_settings(told.pop("config"), told))


def _leave_if_damaged() -> None:
    import models

    reasons = [reason for _, whole, reason in models.verify() if not whole]
    if reasons:
        _leave(FAILED, "\n".join(reasons))


def _settings(config: Path | None, told: dict[str, Any]) -> Settings:
    from api.http.serve.settings import BadSettings, load

    try:
        return load(told, config)
    except BadSettings as error:
        _leave(BAD_OPTION, str(error))


def _run(settings: Settings) -> None:
    from api.evidence.keys import KeyTrouble
    from api.http.serve.certificates import CertificateTrouble
    from api.http.serve.server import CannotListen, run
    from api.store import StoreError

    try:
        if not run(settings):
            raise typer.Exit(FAILED)
    except (CannotListen, StoreError, KeyTrouble, CertificateTrouble) as error:
        _leave(FAILED, str(error))


def _leave(exit_code: int, message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(exit_code)
