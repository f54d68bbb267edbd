"""Draws the annotated pictures and the report again, and compares them with those in the zip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import PIL

from api.evidence.bundle import FORMAT, REPORT, SHEET, drawn, picture, picture_name, pictured
from api.evidence.checks.contents import Contents
from api.evidence.findings import Finding
from api.evidence.report import STYLE, ReportContents, page
from api.evidence.throws import Line
from api.version import VERSION
from scorer.engine.record import Record
from vision.photo import Photo

_OTHER_VERSION = (
    "The zip says that other versions made it, which draw otherwise; so it may be as it was made, or changed. "
    "Believe what is said here, not what it shows."
)


def check_pictures(contents: Contents, photo: Photo, lines: Sequence[Line]) -> Iterator[Finding]:
    """Whether the annotated pictures of a photo are drawn from it and its readings."""
    for number, reading in drawn(lines, photo.sha256):
        name = picture_name(number)
        if name not in contents.archive or contents.archive.read(name) != picture(reading, photo):
            text = f"{name} differs from the picture drawn from this photo and reading."
            yield _redrawn(contents, "picture", text, PIL.__version__, "pillow", number)


def check_report(contents: Contents, record: Record, lines: Sequence[Line]) -> Iterator[Finding]:
    """Whether the report is the one of this record."""
    expected = page(ReportContents(record, pictured(lines, contents.archive), contents.readings, contents.signed()))
    if any(name not in contents.archive for name in (REPORT, SHEET)):
        yield Finding("warning", "no-report", "The report is missing from the zip.")
    elif contents.archive.read(REPORT) != expected.encode() or contents.archive.read(SHEET) != STYLE.encode():
        text = "The report differs from the one generated from this game."
        yield _redrawn(contents, "report", text, VERSION, "muggins")
    else:
        yield Finding("ok", "report", "The report matches the record.")


def _redrawn(contents: Contents, code: str, text: str, mine: str, program: str, line: int = 0) -> Finding:
    """A difference in drawing, which other versions may cause, or a forger who claims other versions."""
    theirs = contents.part("versions")
    if (contents.manifest.get("format"), theirs.get(program), theirs.get("muggins")) == (FORMAT, mine, VERSION):
        return Finding("wrong", code, text, line)
    return Finding("warning", code, f"{text} {_OTHER_VERSION}", line)
