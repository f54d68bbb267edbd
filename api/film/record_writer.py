"""The record of a watched game on the disk: as it is believed now, whole at every moment."""

from __future__ import annotations

from pathlib import Path

from api.files.record_file import FileTrouble, RecordFile, Untrusted
from api.film.output.outputs import BadOutput, whole
from scorer.engine.record import Record


class KeptRecord:
    """A record that may still change in its last moves, so that it is written anew with every roll."""

    def __init__(self, path: Path, begun: str, *, force: bool) -> None:
        """Take the file.

        Args:
            path: of it.
            begun: when the watching began, as the record's header says, too: that tells a record of these events.
            force: write over whatever is there.

        Raises:
            BadOutput: something else is there.
        """
        if path.exists() and not force and _date(path) != begun:
            raise BadOutput(f"--record {path} is there already. Choose another name, or write over it with --force.")
        self._path = path

    def keep(self, record: Record) -> None:
        """Write it. When this returns, it is there.

        Raises:
            OutputTrouble: the disk would not.
        """
        with whole(self._path) as part:
            part.write_text(record.text, "utf-8")


def _date(path: Path) -> str | None:
    """What the header of a record says; None if it is none."""
    try:
        return RecordFile.open(path).record.header.date
    except (FileTrouble, Untrusted):
        return None
