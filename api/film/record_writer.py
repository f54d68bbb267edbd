"""Writes the record of a watched game: the most likely game so far, complete on disk at any moment."""

from __future__ import annotations

from pathlib import Path

from api.files.record_file import RecordFile, RecordFileError, UntrustedRecord
from api.film.output.outputs import InvalidOutput, whole
from scorer.engine.record import Record


class RecordWriter:
    """Rewrites the record after every roll, since its last moves may still change."""

    def __init__(self, path: Path, begun: str, *, force: bool) -> None:
        """Claim the file.

        Args:
            path: of the record.
            begun: when watching began; a record with the same date in its header belongs to this run.
            force: overwrite an existing file.

        Raises:
            InvalidOutput: the file exists and belongs to something else.
        """
        if path.exists() and not force and _date(path) != begun:
            raise InvalidOutput(f"--record {path} already exists. Choose another name, or overwrite it with --force.")
        self._path = path

    def keep(self, record: Record) -> None:
        """Write the record. It is on disk when this returns.

        Raises:
            OutputError: it cannot be written.
        """
        with whole(self._path) as part:
            part.write_text(record.text, "utf-8")


def _date(path: Path) -> str | None:
    """The date in a record's header; None if the file is not a record."""
    try:
        return RecordFile.open(path).record.header.date
    except (RecordFileError, UntrustedRecord):
        return None
