"""Verifies untrusted evidence: hashes, chain, every score by replay, signature, pictures, and a new reading of every photo.

    verdict = verify(Path("evidence.zip"), TableReader(), heads=["K7QD-2MXA-…"])
    verdict.level                       "ok", "warning" or "wrong"
    verdict.findings                    the checks and their results

Nothing in the zip is trusted: everything that follows from record and photos is recomputed and compared. A zip alone
cannot prove that nobody rewrote the whole record and signed it with a key of their own; that takes the server's key, or a
head that someone noted during the game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from api.evidence.archive import InvalidArchive, opened
from api.evidence.checks.budget import Budget
from api.evidence.checks.contents import Contents
from api.evidence.checks.drawings import check_report
from api.evidence.checks.manifest import check_files, check_head, check_manifest
from api.evidence.checks.photos import PhotoCheck
from api.evidence.checks.profiles import ProfileCheck
from api.evidence.checks.readings import check_readings
from api.evidence.checks.record import (
    check_moves,
    check_old_photos,
    check_repeats,
    check_times,
    describe_chain,
    describe_result,
    load_record,
)
from api.evidence.checks.signature import check_noted_heads, check_signature
from api.evidence.findings import Finding, Verdict
from api.evidence.throws import lines_of
from scorer.engine.record import Record
from vision.reader import TableReader


def verify(
    source: Path | BinaryIO,
    reader: TableReader | None,
    *,
    heads: Sequence[str] = (),
    key: str | None = None,
    budget: Budget | None = None,
) -> Verdict:
    """Verify an evidence zip; see `Verification`, whose arguments these are."""
    return Verdict(tuple(Verification(source, reader, heads=heads, key=key, budget=budget)))


class Verification:
    """The checks of an evidence zip, made one after the other as they are iterated over.

    Attributes:
        record: what is checked; None until it proves to be a valid record.
        signed_game: the id of the game on the server that signed it; empty until its signature proves to be right.
        signer: the key of that server, hexadecimal; empty until then as well.
    """

    def __init__(
        self,
        source: Path | BinaryIO,
        reader: TableReader | None,
        *,
        heads: Sequence[str] = (),
        key: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Verify an evidence zip.

        Args:
            source: a path, or a binary file that can seek.
            reader: reads the photos again; None: skip that, with a warning if there are photos.
            heads: noted during the game, short or full; each must match a line.
            key: the server's known public key, short or full.
            budget: what it may cost.
        """
        self._source, self._reader = source, reader
        self._heads, self._key, self._budget = tuple(heads), key, budget or Budget()
        self.record: Record | None = None
        self.signed_game = self.signer = ""

    def __iter__(self) -> Iterator[Finding]:
        """Each finding as soon as it is found.

        Raises:
            OSError: the file cannot be read. Problems with its contents are findings.
        """
        try:
            with opened(self._source) as archive:
                yield from self._findings(Contents(archive, self._budget))
        except InvalidArchive as error:
            yield Finding("wrong", error.code, str(error))

    def _findings(self, contents: Contents) -> Iterator[Finding]:
        """All checks, cheap ones first. Without a valid record there is nothing to compare."""
        self.record, self.signed_game, self.signer = None, "", ""
        deadline = time.monotonic() + self._budget.seconds
        yield from check_files(contents)
        record = load_record(contents)
        if isinstance(record, Finding):
            yield record
            return
        self.record, lines = record, lines_of(record)
        yield describe_chain(record)
        yield describe_result(record)
        yield from check_manifest(contents, record)
        yield check_head(contents.manifest, record)
        yield self._signature(contents, record)
        yield from check_noted_heads(self._heads, record)
        yield from check_moves(record, lines)
        yield from check_times(lines, record.header.date)
        yield from check_old_photos(lines)
        yield from check_repeats(lines, self._budget.compared)
        yield from check_readings(contents, lines, record.header.date)
        profiles = ProfileCheck(contents, lines)
        yield from PhotoCheck(contents, lines, record.game.pieces, self._reader, profiles, deadline).findings()
        yield from profiles.findings()
        yield from check_report(contents, record, lines)

    def _signature(self, contents: Contents, record: Record) -> Finding:
        finding, signed = check_signature(contents.manifest.get("signed"), record, self._key)
        if signed:
            self.signed_game, self.signer = signed.head.game, signed.key.hex()
        return finding
