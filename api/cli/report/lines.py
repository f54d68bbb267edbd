"""Results as single lines: JSON on standard output, plain words on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from api.cli.batch import Read, Unread

Show = Callable[[Read | Unread], None]


def printable(name: str) -> str:
    """The file name, with what a terminal would obey or cannot show written out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in name)


def show_json(result: Read | Unread) -> None:
    """Print one object on a line of its own."""
    print(json.dumps(result.to_json()), flush=True)
    if isinstance(result, Read) and result.picture:
        say(f"Drawn: {printable(str(result.picture))}")


def show_unread(result: Unread) -> None:
    """Say why a photo could not be read."""
    say(f"{printable(result.photo)}: {result.error.message}")


def say(text: str) -> None:
    """Words for the person at the terminal, out of the way of the results."""
    print(text, file=sys.stderr, flush=True)
