"""Zips that nobody should unpack."""

from __future__ import annotations

import time
import tracemalloc
from io import BytesIO
from pathlib import Path
from struct import pack
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo
from zlib import crc32

import pytest

from api.evidence.archive import Bounds, InvalidArchive, not_a_zip, opened
from api.http import languages
from tests.pace import slowness


def made(files: dict[str, bytes], compression: int = ZIP_DEFLATED) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", compression) as zipped:
        for name, body in files.items():
            zipped.writestr(name, body)
    return data.getvalue()


def refused(data: bytes, bounds: Bounds | None = None) -> str:
    with pytest.raises(InvalidArchive) as found:
        read_all(data, bounds or Bounds())
    return found.value.code


def read_all(data: bytes, bounds: Bounds) -> None:
    with opened(BytesIO(data), bounds) as archive:
        for name in archive.names:
            archive.read(name)


def test_a_good_zip_is_read_packed_or_not() -> None:
    for compression in (ZIP_DEFLATED, 0):
        with opened(BytesIO(made({"record.jsonl": b"abc"}, compression))) as archive:
            assert archive.names == ("record.jsonl",)
            assert "record.jsonl" in archive
            assert archive.read("record.jsonl") == b"abc"
            with pytest.raises(KeyError):
                archive.read("report.html")


def test_what_is_a_link_is_no_file() -> None:
    """What unpacks it would follow it."""
    for mode, fine in ((0o100644, True), (0, True), (0o120777, False), (0o040755, False), (0o010644, False)):
        info, data = ZipInfo("report.html"), BytesIO()
        info.create_system, info.external_attr = 3, mode << 16
        with ZipFile(data, "w") as zipped:
            zipped.writestr(info, b"manifest.json")
        if fine:
            read_all(data.getvalue(), Bounds())
        else:
            assert refused(data.getvalue()) == "strange-file"


@pytest.mark.parametrize("data", [b"", b"PK", b"Dear Ben,", b"PK\5\6" + bytes(17), made({"record.jsonl": b"a"}) + b"x"])
def test_what_is_no_zip(data: bytes) -> None:
    assert refused(data) == "no-zip"


@pytest.mark.parametrize(
    ("data", "seems"),
    [
        (b"", "This file is empty."),
        (b"\xff\xd8\xff\xe0" + bytes(600), "This is a picture or a film"),
        (b"\0\0\0\x18ftypheic", "This is a picture or a film"),
        (b'{"record":"muggins-record","format":2}\n', "This is the record of a game alone"),
        ("Liebe Grüße, ".encode() * 100, "This is a text"),
        (b"PK", "This is a text"),
        (b"\xfe" * 5000, "This file is not a zip."),
        (b"\0" * 5000, "This file is not a zip."),
    ],
)
def test_what_does_not_begin_as_a_zip_was_chosen_by_mistake(data: bytes, seems: str, tmp_path: Path) -> None:
    file = BytesIO(data)
    said = not_a_zip(file)
    assert said
    assert (said.startswith(seems), file.tell()) == (True, 0)
    assert "'Save all evidence'" in said
    assert said in languages.sentences("de")
    (tmp_path / "file").write_bytes(data)
    assert not_a_zip(tmp_path / "file") == said


def test_what_begins_as_a_zip_is_one_to_check() -> None:
    whole = made({"record.jsonl": b"a"})
    assert [not_a_zip(BytesIO(data)) for data in (whole, whole[:20], whole + b"x", made({}))] == [None] * 4


@pytest.mark.parametrize(
    "name",
    [
        "../record.jsonl",
        "/etc/passwd",
        "photos/../../x.jpg",
        "C:\\x",
        "record.jsonl/",
        "photos/x.jpg",
        "Record.jsonl",
        "a" * 999,
        f"photos/{'0' * 64}.svg",
        f"photos/{'0' * 64}.jpg\n",
        "annotated/1.html",
        ".htaccess",
        "report.js",
    ],
)
def test_names_that_are_no_evidence(name: str) -> None:
    assert refused(made({name: b"x"})) == "strange-name"


def test_two_files_of_one_name() -> None:
    data = made({"record.jsonl": b"one", "report.jsonl": b"two"}).replace(b"report.jsonl", b"record.jsonl")
    assert refused(data) == "strange-file"


@pytest.mark.parametrize("compression", [ZIP_DEFLATED, 0])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_lies_between_the_files_and_is_not_listed(place: int, compression: int) -> None:
    """A program that goes from file to file, without the list, would unpack it."""
    names, data = ["record.jsonl", "report.html"], BytesIO()
    names.insert(place, "manifest.json")
    with ZipFile(data, "w", compression) as zipped:
        for name in names:
            zipped.writestr(name, b"abc")
        del zipped.filelist[place]
    assert refused(data.getvalue()) == "strange-file"


def test_a_file_that_says_it_is_shorter_than_its_data() -> None:
    data = BytesIO()
    with ZipFile(data, "w") as zipped:
        zipped.writestr("record.jsonl", b"abcdef")
        zipped.filelist[0].file_size, zipped.filelist[0].CRC = 3, crc32(b"abc")
    assert refused(data.getvalue()) == "strange-file"


def test_what_is_hidden_behind_the_data_of_a_deflated_file() -> None:
    hidden, data = made({"report.html": b"<h1>Ben cheated</h1>"}), BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as zipped:
        zipped.writestr("record.jsonl", b"abc" * 1000)
        assert zipped.fp is not None
        zipped.fp.seek(zipped.start_dir)
        zipped.fp.write(hidden)
        zipped.start_dir += len(hidden)
        zipped.filelist[0].compress_size += len(hidden)
    assert refused(data.getvalue()) == "damaged-file"


def test_a_zip_that_was_packed_as_a_stream_is_read() -> None:
    """Its sizes follow the data of each file."""

    class Stream(BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    data = Stream()
    with ZipFile(data, "w", ZIP_DEFLATED) as zipped:
        zipped.writestr("record.jsonl", b"abc")
        zipped.writestr("report.html", b"def")
    with opened(BytesIO(data.getvalue())) as archive:
        assert [archive.read(name) for name in archive.names] == [b"abc", b"def"]


def test_what_is_too_much() -> None:
    small = Bounds(files=2, file=1000, all_files=2500, directory=200)
    assert refused(made({"record.jsonl": bytes(1001)}), small) == "too-large"
    assert refused(made({f"annotated/{at}.jpg": b"" for at in range(3)}), small) == "too-large"
    three = {f"annotated/{at}.jpg": bytes(900) for at in range(3)}
    assert refused(made(three), Bounds(files=9, file=1000, all_files=2500)) == "too-large"
    assert refused(made(three), Bounds(directory=100)) == "too-large"


def test_a_bomb_costs_nothing() -> None:
    """What unpacks to 70 MB is refused by what it announces; what announces less gives no more than that."""
    honest = made({"record.jsonl": bytes(70 * 1024**2)})
    lying = honest.replace(pack("<I", 70 * 1024**2), pack("<I", 1000))
    tracemalloc.start()
    start = time.monotonic()
    try:
        assert refused(honest) == "too-large"
        assert refused(lying) == "damaged-file"
        assert tracemalloc.get_traced_memory()[1] < 8 * 1024**2
    finally:
        tracemalloc.stop()
    assert time.monotonic() - start < 5 * slowness()


def test_a_list_of_files_that_is_a_bomb_is_not_taken_in() -> None:
    entry = b"PK\1\2" + bytes(42)
    listed = entry * 200_000
    end = b"PK\5\6" + pack("<HHHHIIH", 0, 0, 65535, 65535, len(listed), 0, 0)
    assert refused(listed + end) == "too-large"
    large = b"PK\6\7" + bytes(16)
    assert refused(large + b"PK\5\6" + bytes(18)) == "too-large"


def test_a_packing_that_is_not_read() -> None:
    assert refused(made({"record.jsonl": b"abc"}, ZIP_BZIP2)) == "strange-file"
    secret = bytearray(made({"record.jsonl": b"abc"}))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        secret[secret.index(mark) + at] |= 1
    assert refused(bytes(secret)) == "strange-file"


def test_a_damaged_file_is_named() -> None:
    info = ZipInfo("record.jsonl")
    data = BytesIO()
    with ZipFile(data, "w") as zipped:
        zipped.writestr(info, b"abcdef")
    assert refused(data.getvalue().replace(b"abcdef", b"abcdeg")) == "damaged-file"
