"""Results as JSON lines on standard output, with errors on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable

from api.cli.report.photos import Read, Unread
from api.console import printable, say
from vision.photo import VIDEO

Show = Callable[[Read | Unread], None]


def show_json(result: Read | Unread) -> None:
    """Print one JSON line."""
    print(json.dumps(result.to_json()), flush=True)
    if isinstance(result, Read) and result.picture:
        say(f"Drawn: {printable(str(result.picture))}")


def show_unread(result: Unread) -> None:
    """Say why a photo could not be read."""
    watch = " To read the rolls in it: muggins watch FILM." if f" {VIDEO}," in result.error.message else ""
    say(f"{printable(result.photo)}: {result.error.message}{watch}")
