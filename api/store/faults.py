"""Why a disk or a database failed: as a `StoreError` that names the fault and the way out."""

from __future__ import annotations

import errno

from sqlalchemy.exc import SQLAlchemyError

from api.store.errors import StoreError

_WAYS_OUT = {
    "disk-full": "The disk that holds the games is full, so nothing more is kept. Free some space on it, or stop the "
    "server and move its folder to a larger disk. What was acknowledged is safe.",
    "read-only": "The games cannot be written: the disk, the folder or the database is read-only. Let the account that runs "
    "the server write there.",
    "locked": "Another program holds the database locked, perhaps a backup or a database browser. Close it.",
    "damaged": "The database is damaged. Stop the server, keep a copy of its folder, and restore the last backup.",
}
"""By the code of the fault."""
_SQLITE = {
    "SQLITE_FULL": "disk-full",
    "SQLITE_IOERR_SHMSIZE": "disk-full",
    "SQLITE_READONLY": "read-only",
    "SQLITE_CANTOPEN": "read-only",
    "SQLITE_PERM": "read-only",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_NOTADB": "damaged",
}
"""By SQLite's result code; an extended one begins with it. With SHMSIZE, the file beside an open database has no room."""
_POSTGRES = {"53100": "disk-full", "25006": "read-only", "42501": "read-only", "XX001": "damaged", "XX002": "damaged"}
"""By SQLSTATE (PostgreSQL, appendix A)."""
_DISK = {
    errno.ENOSPC: "disk-full",
    errno.EDQUOT: "disk-full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
}


def fault_of(error: SQLAlchemyError) -> StoreError:
    """The `StoreError` for a database's error: "disk-full", "read-only", "locked", "damaged", or else "database-trouble"."""
    original = getattr(error, "orig", None) or error
    name = getattr(original, "sqlite_errorname", None) or ""
    code = next((fault for begins, fault in _SQLITE.items() if name.startswith(begins)), None)
    code = code or _POSTGRES.get(getattr(original, "sqlstate", None) or "")
    # The driver's message; SQLAlchemy's would include the data to be written.
    words = str(original).strip().partition("\n")[0].rstrip(".")
    if code is None:
        return StoreError("database-trouble", f"Database error: {words}.")
    return StoreError(code, f"{_WAYS_OUT[code]} ({words})")


def disk_fault(error: OSError, otherwise: str, what: str) -> StoreError:
    """The `StoreError` for a disk's error.

    Args:
        error: as the system raised it.
        otherwise: the code of an error that is not known here.
        what: could not be done, as the beginning of a sentence.
    """
    code, words = _DISK.get(error.errno or 0), f"{what}: {error.strerror or error}."
    return StoreError(code, f"{words} {_WAYS_OUT[code]}") if code else StoreError(otherwise, words)
