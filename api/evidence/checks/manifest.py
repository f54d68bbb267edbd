"""Whether the manifest lists the files of the zip, and says what the record says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from api.console import printable
from api.evidence.archive import Archive, InvalidArchive
from api.evidence.bundle import FORMAT, MANIFEST
from api.evidence.checks.budget import LONGEST_REASON, MOST_TOLD
from api.evidence.checks.contents import Contents
from api.evidence.findings import Finding
from api.evidence.keys import short
from scorer.engine.record import Record

_LISTED = {"evidence", "format", "game", "lines", "head", "signed", "versions", "models", "files", "left_out"}
"""What a manifest says, in every format so far."""


def check_files(contents: Contents) -> Iterator[Finding]:
    """Whether the zip has the files that its manifest lists, and no others."""
    if MANIFEST not in contents.archive:
        yield Finding("wrong", "no-manifest", f"{MANIFEST}, the list of files, is missing from the zip.")
        return
    if not contents.manifest:
        yield Finding("wrong", "no-manifest", f"{MANIFEST} is damaged, or is no list of the files of evidence.")
        return
    listed = contents.part("files")
    problems = list(_misfits(contents.archive, listed, set(contents.archive.names) - {MANIFEST}))
    yield from (Finding("wrong", "file", f"{problem}.") for problem in problems[:MOST_TOLD])
    if len(problems) > MOST_TOLD:
        yield Finding("wrong", "file", f"{len(problems) - MOST_TOLD} more files do not match.")
    if not problems:
        yield Finding("ok", "files", f"All {len(listed)} files match the manifest.")


def _misfits(archive: Archive, listed: Mapping[str, Any], there: set[str]) -> Iterator[str]:
    yield from (f"{name} is listed but missing" for name in sorted(listed.keys() - there))
    yield from (f"{name} is present but not listed" for name in sorted(there - listed.keys()))
    for name in sorted(there & listed.keys()):
        if (trouble := _changed(archive, name, listed[name])) is not None:
            yield trouble


def _changed(archive: Archive, name: str, listed: object) -> str | None:
    try:
        return None if archive.sha256(name) == listed else f"{name} was changed"
    except InvalidArchive:
        return f"{name} is damaged: it cannot be unpacked"


def check_manifest(contents: Contents, record: Record) -> Iterator[Finding]:
    """What the manifest says of the record, and no hash covers. (Who packed the zip, with what, only its maker knows.)"""
    signed, head = contents.part("signed"), contents.signed()
    told: dict[str, tuple[Any, Any]] = {
        "game": (contents.manifest.get("game"), record.header.game),
        "versions.record": (contents.part("versions").get("record"), dict(record.header.versions)),
    }
    is_signed = head.to_json() if head else dict(signed)
    told |= {f"signed.{name}": (signed.get(name), is_signed.get(name)) for name in {**signed, **is_signed}}
    changed = [name for name, (said, is_so) in told.items() if said != is_so]
    known = contents.manifest.get("format")
    newer = type(known) is int and known > FORMAT
    if newer:
        text = f"The zip has format {known}, and this Muggins knows {FORMAT} and older: check it with a newer one."
        yield Finding("warning", "newer-format", printable(text[:LONGEST_REASON]))
    elif type(known) is not int or known < 1:
        changed.append("format")
    more = [] if newer else sorted(contents.manifest.keys() - _LISTED)
    if changed or more:
        names = printable(", ".join([*changed, *more])[:LONGEST_REASON])
        yield Finding("wrong", "manifest", f"{MANIFEST} says something else than the record, or more: {names}.")


def check_head(manifest: Mapping[str, Any], record: Record) -> Finding:
    """Whether the manifest has the head of the record."""
    if (manifest.get("head"), manifest.get("lines")) != (record.head, len(record.lines)):
        return Finding("wrong", "head", "The manifest has a different head or number of lines.")
    return Finding("ok", "head", f"The head after line {len(record.lines)} is {short(record.head)}.")
