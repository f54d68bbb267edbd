"""Reads untrusted zips safely: only expected names, bounded sizes, nothing extracted to disk."""

from __future__ import annotations

import codecs
import hashlib
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import MAX_WBITS, decompressobj

_NAME = re.compile(
    r"record\.jsonl|readings\.json|report\.html|report\.css|manifest\.json"
    r"|photos/[0-9a-f]{64}\.(jpg|png|webp|gif|heic)|annotated/[0-9]{1,7}\.jpg|profiles/[0-9a-f]{64}\.json"
)
_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of a zip; the second is that of an empty one."""
_PICTURE = re.compile(rb"\xff\xd8\xff|\x89PNG|GIF8|BM.{4}\0{4}|RIFF.{4}(?:WEBP|AVI )|.{4}ftyp", re.DOTALL)
_RECORD_START = b'{"record":'
_WAY_OUT = "Choose the zip that 'Save all evidence' on the game's page or `muggins evidence` made."
_END, _END_SIZE = b"PK\x05\x06", 22
_LARGE = b"PK\x06\x07"
"""Signature of the locator used only in zips of more than 4 GB."""
_ENCRYPTED = 0x1
_UNIX = 3
"""`create_system` of Unix: only then do the attributes say what kind of file it is."""
_SIZES_FOLLOW, _SIZES = 0x8, b"PK\x07\x08"
"""A file that was packed before its size was known has its sizes after its data."""
_PART = 1024 * 1024
_HEADER = Struct("<26xHH")
"""Local file header: the lengths of the file name and of the extra field."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits for a zip, in bytes, except for the number of files."""

    files: int = 10_000
    file: int = 64 * 1024**2
    all_files: int = 2 * 1024**3
    directory: int = 4 * 1024**2
    ratio: int = 1100
    """The most bytes that one byte of the zip may unpack to: deflate gives no more, so a higher ratio means overlapping files."""


BOUNDS = Bounds()


class InvalidArchive(Exception):  # noqa: N818 - named after what is wrong
    """A zip or a file in it is refused; the message says why.

    Attributes:
        code: stable: "no-zip", "too-large", "strange-name", "strange-file", "damaged-file".
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Archive:
    """The files in a zip."""

    def __init__(self, zipped: ZipFile, infos: dict[str, ZipInfo]) -> None:
        self._zipped, self._infos = zipped, infos

    def __contains__(self, name: object) -> bool:
        return name in self._infos

    @property
    def names(self) -> tuple[str, ...]:
        """All file names, in the order of the zip."""
        return tuple(self._infos)

    def read(self, name: str) -> bytes:
        """Read a file; never more than its announced size.

        Raises:
            KeyError: the file does not exist.
            InvalidArchive: it cannot be unpacked.
        """
        info = self._infos[name]
        try:
            with self._zipped.open(info) as file:
                # Without a limit it would unpack everything before checking the announced size.
                data = file.read(info.file_size + 1)
            whole = info.compress_type == ZIP_STORED or self._ends_with_its_data(info)
        except Exception as error:  # zipfile and zlib raise many kinds of errors on hostile data
            raise InvalidArchive("damaged-file", f"{name} in the zip is damaged.") from error
        if not whole:
            raise InvalidArchive("damaged-file", f"{name} in the zip is damaged.")
        return data

    def _ends_with_its_data(self, info: ZipInfo) -> bool:
        """Whether a deflated file ends with its data, with no bytes after it; `zipfile` does not check that."""
        assert self._zipped.fp is not None
        self._zipped.fp.seek(info.header_offset)
        name, extra = _HEADER.unpack(self._zipped.fp.read(_HEADER.size))
        self._zipped.fp.seek(name + extra, 1)
        unpacker, left, size = decompressobj(-MAX_WBITS), info.compress_size, 0
        while not unpacker.eof and size <= info.file_size:
            part = unpacker.unconsumed_tail
            if not part:
                part = self._zipped.fp.read(min(left, _PART))
                left -= len(part)
            unpacked = unpacker.decompress(part, _PART)
            if not part and not unpacked:
                return False
            size += len(unpacked)
        return unpacker.eof and size == info.file_size and not left and not unpacker.unused_data

    def sha256(self, name: str) -> str:
        """The SHA-256 of a file, hexadecimal."""
        return hashlib.sha256(self.read(name)).hexdigest()


@contextmanager
def opened(source: Path | BinaryIO, bounds: Bounds = BOUNDS) -> Iterator[Archive]:
    """Open a zip after checking its list of files.

    Args:
        source: a path, or a binary file that can seek.
        bounds: limits.

    Raises:
        InvalidArchive: not a zip, or one outside the limits.
        OSError: the file cannot be read.
    """
    if isinstance(source, Path):
        with source.open("rb") as file, opened(file, bounds) as archive:
            yield archive
        return
    _check_end(source, bounds)
    try:
        zipped = ZipFile(source)
    except (BadZipFile, ValueError, NotImplementedError) as error:
        raise InvalidArchive("no-zip", "The file is not a zip or is damaged.") from error
    with zipped:
        infos = zipped.infolist()
        if sum(info.file_size for info in infos) > bounds.ratio * max(source.seek(0, 2), 1):
            raise InvalidArchive("too-large", "The zip says that it unpacks to more than any zip of its size can.")
        found = _checked(infos, bounds)
        _check_gaps(source, infos, zipped.start_dir)
        yield Archive(zipped, found)


def not_a_zip(source: Path | BinaryIO) -> str | None:
    """What a file that does not begin as a zip seems to be, and what to choose instead; None if it begins as one.

    Such a file was chosen by mistake: it is not forged evidence.

    Raises:
        OSError: the file cannot be read.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            return not_a_zip(file)
    source.seek(0)
    start = source.read(512)
    source.seek(0)
    return None if start.startswith(_STARTS) else f"{_seems(start)} {_WAY_OUT}"


def _seems(start: bytes) -> str:
    if not start:
        return "This file is empty."
    if _PICTURE.match(start):
        return "This is a picture or a film, not evidence."
    if start.startswith(_RECORD_START):
        return "This is the record of a game alone, not its evidence."
    return "This is a text, not evidence." if _is_text(start) else "This file is not a zip."


def _is_text(start: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)  # which may end within a character
    except UnicodeDecodeError:
        return False
    return b"\0" not in start


def has_photos(source: Path | BinaryIO) -> bool:
    """Whether there are photos to read: opening the networks takes longer than checking a zip without photos.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        with opened(source) as archive:
            return any(name.startswith("photos/") for name in archive.names)
    except InvalidArchive:
        return False


def _check_end(file: BinaryIO, bounds: Bounds) -> None:
    """Check the end record before zipfile does, which would load a list of files of any length."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END_SIZE - 20))
    tail = file.read()
    end = tail[-_END_SIZE:]
    if not (len(end) == _END_SIZE and end.startswith(_END) and end.endswith(b"\0\0")):
        raise InvalidArchive("no-zip", "The file is not a zip, or was truncated or extended.")
    if int.from_bytes(end[12:16], "little") > bounds.directory or _LARGE in tail[:-_END_SIZE]:
        raise InvalidArchive("too-large", "The zip lists more files than a game can have.")


def _checked(infos: list[ZipInfo], bounds: Bounds) -> dict[str, ZipInfo]:
    if len(infos) > bounds.files or sum(info.file_size for info in infos) > bounds.all_files:
        raise InvalidArchive("too-large", "The zip is larger than a game can be.")
    for info in infos:
        _check_file(info, bounds)
    found = {info.filename: info for info in infos}
    if len(found) < len(infos):
        raise InvalidArchive("strange-file", "The zip contains two files with the same name.")
    return found


def _check_gaps(file: BinaryIO, infos: list[ZipInfo], directory: int) -> None:
    """Check that every byte before the list of files belongs to one of them: other programs may unpack what lies between."""
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset != end:
            break
        end += _length(file, info)
    if end != directory:
        raise InvalidArchive("strange-file", "The zip contains something between its files that it does not list.")


def _length(file: BinaryIO, info: ZipInfo) -> int:
    """The length of a file in the zip: its header, name, extra field and data, and the sizes that may follow them."""
    file.seek(info.header_offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return 0
    name, extra = _HEADER.unpack(header)
    length: int = _HEADER.size + name + extra + info.compress_size
    if info.flag_bits & _SIZES_FOLLOW:
        file.seek(info.header_offset + length)
        length += 16 if file.read(4) == _SIZES else 12
    return length


def _check_file(info: ZipInfo, bounds: Bounds) -> None:
    if not _NAME.fullmatch(info.filename):
        raise InvalidArchive("strange-name", f"The zip contains an unexpected file: {info.filename[:100]!r}.")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & _ENCRYPTED:
        raise InvalidArchive("strange-file", f"{info.filename} in the zip uses an unsupported compression.")
    if info.compress_type == ZIP_STORED and info.compress_size != info.file_size:
        raise InvalidArchive("strange-file", f"{info.filename} in the zip has another size than its data.")
    if info.create_system == _UNIX and stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise InvalidArchive("strange-file", f"{info.filename} in the zip is a link or something else that is no file.")
    if info.file_size > bounds.file:
        raise InvalidArchive("too-large", f"{info.filename} in the zip is larger than any photo.")
