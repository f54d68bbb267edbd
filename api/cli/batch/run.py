"""One run over many photos: skips those read before, reads the rest, and reports every result once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from api.cli.batch.output import Output, output
from api.cli.batch.pool import Pool, read_all
from api.cli.batch.processes import Processes
from api.cli.batch.task import Done, Task
from api.cli.report.lines import Show, show_unread
from api.cli.report.photos import Unread
from api.cli.report.progress import with_bar
from api.console import printable, say
from api.extras import require
from models import load_manifest

_NAMED = 5
"""How many unreadable photos are listed with their reason."""


@dataclass(slots=True)
class Tally:
    """What a run did.

    Attributes:
        known: photos that an earlier run had read.
        read: photos that this one read.
        unread: photos that this one could not read.
        reading: seconds spent reading photos, summed over all processes.
        seconds: of the whole run.
        first_unread: the first few photos that could not be read.
    """

    known: int = 0
    read: int = 0
    unread: int = 0
    reading: float = 0.0
    seconds: float = 0.0
    first_unread: list[Unread] = field(default_factory=list)

    def add(self, done: Done) -> None:
        """Count a photo."""
        self.reading += done.seconds
        if not isinstance(done.result, Unread):
            self.read += 1
            return
        self.unread += 1
        if len(self.first_unread) < _NAMED:
            self.first_unread.append(done.result)

    def told(self) -> str:
        """The tally as a line of text."""
        counts = [f"{self.read:,} read"]
        counts += [f"{self.unread:,} could not be read"] if self.unread else []
        counts += [f"{self.known:,} were done before"] if self.known else []
        return f"Photos: {', '.join(counts)}; {self.seconds:,.1f} s."


def run(names: Sequence[str], task: Task, by: int | str, out: Path | None, show: Show) -> Tally:
    """Read all photos that are not in `out` yet, and retry those that could not be read.

    Args:
        names: of the photos; in `out` each is once, however often it is named.
        task: how to read them.
        by: a number of processes, or the address of a Dask cluster.
        out: where results go; None: to `show`.
        show: receives the results.

    Raises:
        OutputError: the results cannot be stored there.
        MissingExtra: a required extra is not installed.
        ClusterError: the cluster cannot be reached, or was lost.
        models.ModelError: a network file is missing or damaged.
        PictureFileError: an annotated copy cannot be written.
    """
    load_manifest().check()
    began, tally = time.perf_counter(), Tally()
    with output(out, task.settings) if out else nullcontext() as kept:
        named = list(dict.fromkeys(names)) if out else names
        if kept is not None:
            kept.retry(named)
        missing = [name for name in named if kept is None or name not in kept]
        tally.known = len(named) - len(missing)
        if missing:
            with _pool(task, by) as pool:
                for done in with_bar(read_all(pool, missing), len(missing)):
                    _tell(done, kept, show)
                    tally.add(done)
    tally.seconds = time.perf_counter() - began
    if out:
        say(tally.told())
        _name_unread(tally, out)
    return tally


def _name_unread(tally: Tally, out: Path) -> None:
    for each in tally.first_unread:
        show_unread(each)
    if left := tally.unread - len(tally.first_unread):
        say(f"{left:,} more could not be read: see `error` in {printable(str(out))}.")


def _tell(done: Done, kept: Output | None, show: Show) -> None:
    if kept is None:
        show(done.result)
    else:
        kept.add(done)


def _pool(task: Task, by: int | str) -> Pool:
    if isinstance(by, int):
        return Processes(task, by)
    require("cluster", "Reading on a cluster")
    from api.cli.batch.cluster import Cluster

    return Cluster(by, task)
