"""Photos at addresses such as s3://bucket/folder: listed and read through fsspec, an extra (`s3`)."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from api.extras import require
from api.files.photo_paths import gather, is_photo_name

_SCHEME = r"[a-zA-Z][a-zA-Z0-9+.-]+:"
_ADDRESS = re.compile(f"{_SCHEME}//")
_MAGIC = re.compile(r"[*?\[]")


class AddressError(Exception):
    """Photos at an address cannot be listed; the message says why, and what to do."""


def is_address(name: str) -> bool:
    """Whether this is an address rather than a path."""
    return _ADDRESS.match(name) is not None


def was_address(path: Path) -> bool:
    """Whether this path was made from an address; `Path` keeps one of its two slashes."""
    return re.fullmatch(_SCHEME, next(iter(path.parts), "")) is not None


def photos_named(named: Iterable[str], *, skip: Path | None = None) -> list[str]:
    """All named photos, in order: files, folders and patterns such as `throws/**/*.jpg`, as paths or as addresses.

    A pattern without matches stays in the list, to be reported as a missing file. `skip`: as of `gather`.

    Raises:
        AddressError: an address cannot be listed.
        MissingExtra: fsspec is not installed, or not what it needs for such addresses.
    """
    return [photo for name in named for photo in _photos(name, skip)]


def _photos(name: str, skip: Path | None) -> Iterable[str]:
    if is_address(name):
        return _listed(name)
    if _MAGIC.search(name) and not os.path.exists(name):
        found = sorted(glob.glob(name, recursive=True))
        # `**` includes the files of all folders already.
        wanted = [each for each in found if is_photo_name(each) or (os.path.isdir(each) and "**" not in name)]
        return gather(wanted, skip=skip) or [name]
    return gather([name], skip=skip)


def opened(address: str) -> BinaryIO:
    """The photo at the address, as a stream for `vision.photo.load`; errors are raised when it is read."""
    return cast("BinaryIO", _Remote(address))


class _Remote:
    """A remote file, fetched in one request by the first read."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._fetched = False

    def read(self, size: int) -> bytes:
        if self._fetched:
            return b""
        self._fetched = True
        files, path = _files(self._address)
        try:
            return cast("bytes", files.cat_file(path, start=0, end=size))
        except OSError:
            raise
        except Exception as error:  # each kind of store has errors of its own
            raise (OSError(str(error)) if files.exists(path) else FileNotFoundError(path)) from error


def _files(address: str) -> tuple[Any, str]:
    require("s3", "Reading photos from an address")
    from fsspec.core import url_to_fs

    try:
        # Nothing is listed twice, and a cached listing may have 100,000 entries.
        files, path = url_to_fs(address, use_listings_cache=False)
    except ImportError as error:
        raise AddressError(f"Addresses such as {address} need one more package: {error}.") from error
    except ValueError as error:
        raise AddressError(f"Cannot read from {address}: {error}.") from error
    return files, cast("str", path)


def _listed(address: str) -> list[str]:
    files, path = _files(address)
    try:
        return [files.unstrip_protocol(each) for each in _found(files, path)] or [address]
    except Exception as error:  # each kind of store has errors of its own
        text = f"{error}".strip() or type(error).__name__
        raise AddressError(
            f"Cannot list {address}: {text}. Check the address and your keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY;"
            " AWS_ENDPOINT_URL for a store of your own)."
        ) from error


def _found(files: Any, path: str) -> Iterator[str]:
    if _MAGIC.search(path) and not files.exists(path):
        yield from (each for each in sorted(files.glob(path)) if is_photo_name(each))
    elif files.isdir(path):
        yield from (each for each in sorted(files.find(path)) if is_photo_name(each))
