"""A progress bar on standard error that steps aside while results are printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


def with_bar(results: Iterable[_T], total: int) -> Iterator[_T]:
    """The results as they come, with a bar while one waits; without one unless a person waits for several."""
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
