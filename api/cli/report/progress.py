"""A progress bar on standard error that pauses while results are printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


def with_bar(results: Iterable[_T], total: int) -> Iterator[_T]:
    """Pass results through with a progress bar; no bar for a single one or without a terminal."""
    if total < 2 or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task("Reading", total=total)
    with bar:
        for result in results:
            bar.stop()
            yield result
            bar.advance(task)
            bar.start()
