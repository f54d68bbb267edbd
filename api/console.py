"""Words for the person at the terminal: on standard error, out of the way of the results."""

from __future__ import annotations

import sys


def printable(text: str) -> str:
    """The text, with what a terminal would obey or cannot show written out: names come from files that anyone may write."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def say(text: str) -> None:
    """Words for the person at the terminal, out of the way of the results."""
    print(text, file=sys.stderr, flush=True)
