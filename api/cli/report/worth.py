"""The worth of a throw or hand as text."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

import scorer.engine.worth


def tell_worth(console: Console, worth: scorer.engine.worth.Worth) -> None:
    """Print the sentence a player would say, and the tables behind it."""
    console.print(Text(worth.summary, "bold"))
    for table in worth.tables:
        console.print(_rich_table(table))


def _rich_table(table: scorer.engine.worth.Table) -> Table:
    shown = Table(*table.header, title=table.title, title_justify="left")
    for row in table.rows:
        shown.add_row(*row)
    return shown
