"""The command `muggins serve`: the server, with links and QR codes for the phones around it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from api.http.serve.settings import Settings

FAILED, BAD_OPTION = 1, 2
"""Exit codes: networks, folder or port unusable; an option is unknown or has an invalid value."""


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(serve)


def serve(
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on; 127.0.0.1 admits this computer only. (Default: all addresses.)"),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one. (Default: 8000.)")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for games, photos and keys. (Default: your user data folder.)"),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Store games in PostgreSQL: postgresql+psycopg://… (Default: SQLite in DIR.)"),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            help="Token that phones need to start games. Other users of this computer can see it here, but not in MUGGINS_TOKEN. "
            "(Default: random, kept in join-token in DIR; delete that file for a new one.)"
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name by which browsers may reach this computer; repeatable."),
    ] = None,
    https: Annotated[
        bool | None,
        typer.Option(
            "--https/--http",
            help="Serve over HTTPS, which the live camera needs, with a certificate made on this computer. (Default: HTTP.)",
        ),
    ] = None,
    http_port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="With --https, port of the page that explains how phones trust it. (Default: PORT + 1.)",
        ),
    ] = None,
    access_log: Annotated[bool | None, typer.Option("--access-log/--no-access-log", help="Log every request.")] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Options in TOML, such as port = 8000. (Default: your config.toml, if it exists.)"
        ),
    ] = None,
) -> None:
    """Serve the pages, live games and the HTTP API (documented at /docs), and show the link for phones.

    Every option can also be set in the environment (MUGGINS_PORT=8000) or in a file (port = 8000).

    The command line wins over the environment, which wins over the file. Several names are separated by commas.
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
    from api.http.serve.settings import InvalidSettings, load

    try:
        return load(told, config)
    except InvalidSettings as error:
        _leave(BAD_OPTION, str(error))


def _run(settings: Settings) -> None:
    from api.evidence.keys import KeyFileError
    from api.http.serve.certificates import CertificateError
    from api.http.serve.server import ListenError, run
    from api.store import StoreError

    try:
        if not run(settings):
            raise typer.Exit(FAILED)
    except (ListenError, StoreError, KeyFileError, CertificateError) as error:
        _leave(FAILED, str(error))


def _leave(exit_code: int, message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(exit_code)
