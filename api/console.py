"""What people read at the terminal: results, and words beside them on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def printable(text: str) -> str:
    """The text, with what a terminal would obey or cannot show written out: names come from files that anyone may write."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def terminal() -> Console:
    """Where commands print results for people: as they are, without colours for what looks like a number or a path.

    Nor is `:name:` made a picture, which a file or a player may be called, and which would take 10 ms to load.
    """
    from rich.console import Console

    return Console(highlight=False, emoji=False)


def say(text: str) -> None:
    """Words for the person at the terminal, out of the way of the results."""
    print(text, file=sys.stderr, flush=True)
