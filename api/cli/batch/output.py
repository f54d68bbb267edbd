"""Results in a file that a run appends to, and from which the next run knows what is done: JSON lines, or Parquet.

It has one result per photo. A photo that could not be read is read again by the next run that names it, and the new result
replaces the old one.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from api.cli.batch.task import Done
from api.extras import require
from api.files import whole_file
from api.files.lock import LockedError, held

JSON_LINES, PARQUET = (".jsonl", ".ndjson"), ".parquet"
_PART = 1000
"""Results per part of a Parquet folder."""
_BEGINNING = b'{"photo": '
"""Every line of results begins like this, which distinguishes a truncated line from another kind of file."""
_NO_RESULT = "is no result of `muggins read --out`. Choose another file."
_PATIENCE = 60.0
"""Seconds after which even a small part is written: a power cut costs at most this much work."""


class OutputError(Exception):
    """Results cannot be written there; the message says why, and what to do."""


class Output(AbstractContextManager["Output"], Protocol):
    """Where results go. Leaving it writes what is left; a new file or folder without a result is removed."""

    def __contains__(self, name: str) -> bool:
        """Whether there is a result of the photo."""

    def retry(self, names: Iterable[str]) -> None:
        """Remove the results of those photos that could not be read, so that they are read again."""

    def add(self, done: Done) -> None:
        """Store a result."""


@contextmanager
def output(path: Path, settings: str) -> Iterator[Output]:
    """The results at `path`, new or begun by an earlier run; locked against other writers.

    Args:
        path: ends in .jsonl or .parquet.
        settings: of all results in it (`Task.settings`).

    Raises:
        OutputError: it holds something else, is written by another command, or cannot be written.
        MissingExtra: pyarrow is not installed.
    """
    if path.suffix not in (*JSON_LINES, PARQUET):
        raise OutputError(f"--out must end in .jsonl or .parquet, got {path.name}.")
    if path.suffix == PARQUET:
        require("parquet", "Writing Parquet")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise OutputError(f"Cannot write {path}: {path.parent} is no folder. Choose another.") from error
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror or error}.") from error
    try:
        with held(path.with_name(f"{path.name}.lock")):
            kind = Parquet if path.suffix == PARQUET else JsonLines
            with kind(path, settings) as opened:
                yield opened
    except LockedError as error:
        raise OutputError(f"Another command is writing to {path}. Wait for it, or choose another file.") from error
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror or error}.") from error


def _line(done: Done, settings: str) -> dict[str, Any]:
    """The result as `muggins read --json` prints it, with the settings."""
    return {**done.result.to_json(), "settings": settings}


class _Names:
    """A set of names, stored in 16 bytes each however long they are."""

    def __init__(self, path: Path, settings: str) -> None:
        self._path, self._settings = path, settings
        self._known: set[bytes] = set()
        self._unread: set[bytes] = set()

    def __contains__(self, name: str) -> bool:
        return self._digest(name) in self._known

    def add(self, name: str) -> None:
        self._known.add(self._digest(name))

    def forget_unread(self, names: Iterable[str]) -> bool:
        """Forget those of these photos that an earlier run could not read; returns whether there are any."""
        again = self._unread.intersection(map(self._digest, names))
        self._known -= again
        self._unread -= again
        return bool(again)

    def found(self, name: object, settings: object, where: str, *, unread: bool) -> None:
        """Add the name of an earlier result, if its settings are those of the new results."""
        if not isinstance(name, str) or not isinstance(settings, str):
            raise OutputError(f"{where} of {self._path} {_NO_RESULT}")
        if settings != self._settings:
            raise OutputError(
                f"{self._path} holds results of another game, other rules, profiles or networks. Choose another file."
            )
        self.add(name)
        if unread:
            self._unread.add(self._digest(name))

    @staticmethod
    def _digest(name: str) -> bytes:
        return hashlib.blake2b(_unicode(name).encode(), digest_size=16).digest()


def _unicode(name: str) -> str:
    """A file's name need not be valid Unicode; invalid parts are escaped, for Parquet."""
    return name.encode(errors="backslashreplace").decode()


class JsonLines:
    """One line of JSON per photo. A line truncated when a run was killed is removed, and its photo read again.

    Raises:
        OutputError: the file holds something else, and stays unchanged.
    """

    def __init__(self, path: Path, settings: str) -> None:
        self._path, self._settings, self._names = path, settings, _Names(path, settings)
        self._new = not path.exists()
        self._file = path.open("ab+")
        try:
            self._file.seek(0)
            self._file.truncate(self._read_known())
        except BaseException:
            self._file.close()
            raise

    def _read_known(self) -> int:
        """Add the names of all complete lines; returns where they end."""
        end = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                if number == 1 and line[: len(_BEGINNING)] != _BEGINNING[: len(line)]:
                    raise OutputError(f"Line 1 of {self._path} {_NO_RESULT}")
                break
            result = _parsed(line)
            unread = "error" in result
            self._names.found(result.get("photo"), result.get("settings"), f"Line {number}", unread=unread)
            end += len(line)
        return end

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def retry(self, names: Iterable[str]) -> None:
        """Rewrite the file without the lines of these photos, atomically."""
        if not self._names.forget_unread(names):
            return
        unfinished = self._path.with_name(f"{self._path.name}.unfinished")
        with whole_file.replacing(self._path, unfinished):
            with unfinished.open("wb") as new:
                self._file.seek(0)
                new.writelines(line for line in self._file if _parsed(line)["photo"] in self._names)
            self._file.close()
        self._file = self._path.open("ab+")

    def add(self, done: Done) -> None:
        """Write a line immediately."""
        self._file.write(json.dumps(_line(done, self._settings)).encode() + b"\n")
        self._file.flush()
        self._names.add(done.name)

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if self._new and not self._path.stat().st_size:
            self._path.unlink()


def _parsed(line: bytes) -> Mapping[str, Any]:
    try:
        result = json.loads(line)
    except ValueError:
        return {}
    return result if isinstance(result, dict) else {}


class Parquet:
    """A folder of Parquet files, as pyarrow, Polars, DuckDB and Spark read it: a file cannot be appended to, a folder can."""

    def __init__(self, path: Path, settings: str) -> None:
        self._path, self._settings, self._names = path, settings, _Names(path, settings)
        self._rows: list[dict[str, Any]] = []
        self._since = time.monotonic()
        self._new = not path.exists()
        path.mkdir(exist_ok=True)
        for unfinished in path.glob("*.unfinished"):
            unfinished.unlink()
        parts = sorted(path.glob("part-*.parquet"))
        for part in parts:
            self._read_known(part)
        self._next = 1 + max((int(part.stem.removeprefix("part-")) for part in parts), default=0)

    def _read_known(self, part: Path) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetFile

        try:
            with ParquetFile(part) as file:
                for batch in file.iter_batches(columns=["photo", "settings", "error"]):
                    for row in batch.to_pylist():
                        unread = row["error"] is not None
                        self._names.found(row["photo"], row["settings"], part.name, unread=unread)
        except (pyarrow.ArrowException, KeyError) as error:
            raise OutputError(
                f"{part} is damaged, or no result of `muggins read --out`. Remove it: its photos are read again."
            ) from error

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def retry(self, names: Iterable[str]) -> None:
        """Rewrite the parts that have rows of these photos."""
        from pyarrow.parquet import ParquetFile

        if not self._names.forget_unread(names):
            return
        for part in sorted(self._path.glob("part-*.parquet")):
            with ParquetFile(part) as file:
                rows = file.read()
            kept = [name in self._names for name in rows.column("photo").to_pylist()]
            if not all(kept):
                self._write_part(part, rows.filter(kept))

    def add(self, done: Done) -> None:
        """Add a row; a part is written when it is full."""
        self._rows.append(_row(_line(done, self._settings), done.seconds))
        self._names.add(done.name)
        if len(self._rows) >= _PART or time.monotonic() - self._since > _PATIENCE:
            self._write()

    def _write(self) -> None:
        from pyarrow import Table

        rows = Table.from_pylist(self._rows, schema=_schema())
        self._write_part(self._path / f"part-{self._next:06}.parquet", rows)
        self._rows, self._next, self._since = [], self._next + 1, time.monotonic()

    @staticmethod
    def _write_part(part: Path, rows: Any) -> None:
        from pyarrow.parquet import write_table

        with whole_file.replacing(part, part.with_suffix(".unfinished")) as unfinished:
            write_table(rows, unfinished, compression="zstd")

    def __enter__(self) -> Parquet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rows:
            self._write()
        if self._new:
            with suppress(OSError):  # it has parts
                self._path.rmdir()


def _row(line: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """The columns that people query, and everything else as the JSON line."""
    error: Mapping[str, Any] = line.get("error") or {}
    dice: Sequence[Mapping[str, Any]] = line.get("dice", ())
    tiles: Sequence[Mapping[str, Any]] = line.get("tiles", ())
    return {
        **{name: line.get(name) for name in ("sha256", "width", "height", "sure", "settings")},
        "photo": _unicode(line["photo"]),
        "dice": [die["value"] for die in dice],
        "tiles": ["-".join(map(str, tile["ends"])) for tile in tiles],
        "doubts": [doubt["reason"] for doubt in line.get("doubts", ())],
        "error": error.get("code"),
        "message": error.get("message"),
        "seconds": seconds,
        "json": json.dumps(line),
    }


def _schema() -> Any:
    import pyarrow as pa

    texts = pa.list_(pa.string())
    return pa.schema(
        [
            ("photo", pa.string()),
            ("sha256", pa.string()),
            ("width", pa.int32()),
            ("height", pa.int32()),
            ("sure", pa.bool_()),
            ("dice", pa.list_(pa.int32())),
            ("tiles", texts),
            ("doubts", texts),
            ("error", pa.string()),
            ("message", pa.string()),
            ("seconds", pa.float64()),
            ("settings", pa.string()),
            ("json", pa.string()),
        ]
    )
