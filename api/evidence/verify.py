"""Verifies untrusted evidence: hashes, chain, every score by replay, signature, pictures, and a new reading of every photo.

    verdict = verify(Path("evidence.zip"), TableReader(), heads=["K7QD-2MXA-…"])
    verdict.level                       "ok", "warning" or "wrong"
    verdict.findings                    the checks and their results

Nothing in the zip is trusted: everything that follows from record and photos is recomputed and compared. A zip alone
cannot prove that nobody rewrote the whole record and signed it with a key of their own; that takes the server's key, or a
head that someone noted during the game.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, BinaryIO

import PIL

from api.console import printable
from api.evidence.agreement import differences, follows, moved, read_plainly, shows_another_table, unknown_notes
from api.evidence.archive import Archive, InvalidArchive, opened
from api.evidence.bundle import (
    FORMAT,
    MAGIC,
    MANIFEST,
    READINGS,
    RECORD,
    REPORT,
    SHEET,
    SUFFIXES,
    drawn,
    known_profiles,
    named,
    picture,
    picture_name,
    pictured,
    profile_name,
)
from api.evidence.findings import Finding, Level, Verdict
from api.evidence.keys import BadSignature, Head, SignedHead, same_head, short
from api.evidence.place import without_place
from api.evidence.report import STYLE, ReportContents, is_shown, page, points_of
from api.evidence.reuse import MOST_COMPARED, PHOTO_AGAIN, PHOTO_ELSEWHERE, PHOTO_OLD, counted_again, elsewhere
from api.evidence.said_by_hand import in_words
from api.evidence.stored_readings import compare, is_time, key_of, moment
from api.evidence.teaching import as_shown, lessons, says
from api.evidence.throws import Line, by_camera, hash_of, lines_of, reading_of
from api.version import VERSION
from scorer.engine.expected import Expected
from scorer.engine.record import Record, RecordError
from scorer.pieces.text import listed
from vision.photo import DEFAULT_LIMITS, Photo, PhotoError, load
from vision.reader import TableReader, TiledReader
from vision.reading import Reading
from vision.taught.pieces import InvalidProfile, TaughtPiece
from vision.taught.profile import Profile


@dataclass(frozen=True, slots=True)
class Budget:
    """What checking may cost; what is left undone for it is a finding.

    Attributes:
        lines: of the record; no game comes near.
        header: bytes of its first line: each player and each rule costs something with every move.
        line: bytes of any other.
        readings: kept beside it.
        corrections: of all of these together.
        compared: lines with a photo that are compared with each other.
        pixels: of all photos together.
        density: pixels that a byte of a photo may stand for; a camera's never stands for more than some tens.
        seconds: after which no further photo is looked at.
    """

    lines: int = 20_000
    header: int = 16_384
    line: int = 1_000_000
    readings: int = 10_000
    corrections: int = 20_000
    compared: int = MOST_COMPARED
    pixels: int = 10**10
    density: int = 1000
    seconds: float = 900.0


LONGEST_REASON = 200
"""Letters of a text in the zip that are repeated."""
MOST_TOLD = 20
"""Maximum number of mismatching files listed."""


class Contents:
    """The files of an evidence zip.

    Attributes:
        archive: the zip.
        budget: what checking it may cost.
    """

    def __init__(self, archive: Archive, budget: Budget) -> None:
        self.archive, self.budget = archive, budget

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest; empty if it is invalid."""
        found = self.parsed(MANIFEST, _named_once)
        return found if isinstance(found, dict) and found.get("evidence") == MAGIC else {}

    def parsed(self, name: str, made: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
        """A JSON file; None if it is missing or damaged. `made`: makes its objects of their names and values."""
        try:
            return json.loads(self.archive.read(name), object_pairs_hook=made)
        except (KeyError, ValueError, RecursionError, InvalidArchive):
            return None

    def part(self, name: str) -> Mapping[str, Any]:
        """An object of the manifest by its name; empty without one."""
        found = self.manifest.get(name)
        return found if isinstance(found, dict) else {}

    def signed(self) -> SignedHead | None:
        """The signed head that the manifest has; None without one."""
        try:
            return SignedHead.from_json(self.part("signed"))
        except BadSignature:
            return None

    @cached_property
    def readings(self) -> list[Mapping[str, Any]]:
        """The list of readings beside the record; empty if it is damaged, or larger than any of a game."""
        found = self.parsed(READINGS) if READINGS in self.archive else []
        if not isinstance(found, list) or len(found) > self.budget.readings:
            return []
        kept = [each for each in found if _is_kept_reading(each)]
        return kept if sum(len(each["corrections"]) for each in kept) <= self.budget.corrections else []

    def photo_name(self, sha256: str) -> str:
        """The photo's name in the zip; empty if missing."""
        names = (f"photos/{sha256}.{suffix}" for suffix in SUFFIXES.values())
        return next((name for name in names if name in self.archive), "")


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object that says nothing twice: programs differ in which of two values they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _is_kept_reading(value: object) -> bool:
    return (
        isinstance(value, dict) and isinstance(value.get("photo"), str) and isinstance(value.get("corrections"), list)
    )


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


def check_signature(said: object, record: Record, key: str | None) -> tuple[Finding, SignedHead | None]:
    """Whether a server has signed the head of the record.

    Args:
        said: the signed head in the manifest; None without one.
        record: that it should be of.
        key: the server's known public key, if any.

    Returns:
        The finding, and the signed head if the signature is right.
    """
    if said is None:
        level: Level = "wrong" if key else "warning"
        text = "The record is not signed by a server: its owner could have rewritten it."
        return Finding(level, "unsigned", text), None
    try:
        signed = SignedHead.from_json(said if isinstance(said, dict) else {})
        signed.check()
    except BadSignature as error:
        return Finding("wrong", "signature", str(error)), None
    if signed.head != Head.of(record, signed.head.game):
        who = short(signed.key.hex())
        text = f"The signature of the server with key {who} is for another head than this record's."
        return Finding("wrong", "signature", text), None
    return _check_signer(signed, key), signed


def _check_signer(signed: SignedHead, key: str | None) -> Finding:
    who = short(signed.key.hex())
    if key is None:
        return Finding("ok", "signature", f"The server with the key {who} has signed this head; is that its key?")
    if not same_head(key, signed.key.hex()):
        return Finding("wrong", "other-key", f"It was signed with the key {who}, not with the one that you named.")
    return Finding("ok", "signature", f"The server with the key {who}, which you named, has signed this head.")


def check_noted_heads(heads: Sequence[str], record: Record) -> Iterator[Finding]:
    """Whether each of the heads that somebody noted is that of a line."""
    hashes = [hash_of(line) for line in record.lines]
    for kept in heads:
        at = next((at for at, each in enumerate(hashes, start=1) if same_head(kept, each)), 0)
        if at:
            text = f"The head you noted, {kept}, is the head after line {at}."
            if at < len(hashes):
                text = f"{text} It proves nothing of what follows."
            yield Finding("ok", "noted-head", text, at)
        else:
            text = f"The head you noted, {kept}, matches no line: this is not the record you saw."
            yield Finding("wrong", "noted-head", text)


_LONGEST_ERROR = 1000
"""Letters of what is wrong with a record, which may repeat what a forger wrote."""
_MOST_AT_ONCE = 10
"""Moves that one photo may show."""
_CHANGES = ("corrections", "said")
"""Notes that change what was read."""
_MOST_CHANGES = 20
"""Corrections of a reading that are told."""


def load_record(contents: Contents) -> Record | Finding:
    """The record, or why it is none."""
    try:
        return _loaded(contents.archive, contents.budget)
    except KeyError:
        return Finding("wrong", "no-record", f"{RECORD} is missing from the zip.")
    except UnicodeDecodeError:
        return Finding("wrong", "record", "The record is not UTF-8 text.")
    except RecordError as error:
        why = error.message if len(error.message) <= _LONGEST_ERROR else f"{error.message[:_LONGEST_ERROR]}…"
        return Finding("wrong", "record", f"The record is not valid. {why}", error.line)


def _loaded(archive: Archive, budget: Budget) -> Record:
    data = archive.read(RECORD)
    if data.count(b"\n") > budget.lines:
        raise RecordError("too-long", f"It has more than {budget.lines} lines, as no game has.")
    for number, line in enumerate(data.split(b"\n"), start=1):
        if len(line) > (budget.header if number == 1 else budget.line):
            raise RecordError("too-long", "the line is longer than any of a game.", number)
    return Record.load(data.decode())


def describe_chain(record: Record) -> Finding:
    """That the record is valid."""
    lines = "1 line" if len(record.lines) == 1 else f"{len(record.lines)} lines"
    text = f"The record is an unbroken chain of {lines}, and every move and score follows from the rules."
    return Finding("ok", "record", text)


def describe_result(record: Record) -> Finding:
    """Who won by the record, which a report that was written anew may tell otherwise."""
    points = printable(listed([f"{side} {score}" for side, score in points_of(record).items()]))
    if record.result is None:
        return Finding("ok", "result", f"By the record the game is not over: {points}.")
    won = printable(listed([record.header.players[player] for player in record.result.winners]))
    return Finding("ok", "result", f"By the record the winner is {won}: {points}.")


def check_moves(record: Record, lines: Sequence[Line]) -> Iterator[Finding]:
    """Whether each move follows from its reading, and where the others come from."""
    read = [line for line in lines if line.reading]
    for line in lines:
        if line.entry.seen and not line.reading:
            yield Finding(
                "warning", "no-reading", _at(line, "its reading is invalid and cannot be checked."), line.number
            )
        if line.inferred:
            yield Finding("ok", "inferred", _at(line, f"{line.entry.move} was {by_camera(line)}."), line.number)
    for at_once in _played_at_once(read):
        yield from _agreement(record, at_once)
    unseen = [line for line in lines if not line.entry.seen and line.entry.move is not None]
    came = Counter(line.provenance for line in unseen)
    chosen = came["typed"]
    counts = [
        (came["watched"], "revealed by the next roll"),
        (came["inferred"], "inferred"),
        (came["claimed"], "claimed to come from a camera"),
    ]
    more = "".join(f", {how}: {count}" for count, how in counts if count)
    text = f"Moves read from photos: {len(read)}, typed or chosen: {chosen}{more}."
    yield Finding("ok", "moves", text)
    yield from _unseen(record, lines)


def _played_at_once(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Each line with those right before it that were played from the same reading, with the same notes, by the same sender."""
    own: list[Line] = []
    for line in lines:
        if own and (own[-1].number + 1, _played_how(own[-1])) == (line.number, _played_how(line)):
            own = [*own[1 - _MOST_AT_ONCE :], line]
        else:
            own = [line]
        yield own


def _played_how(line: Line) -> tuple[object, ...]:
    return line.entry.seen, line.entry.corrected, line.entry.by, line.entry.at


def _agreement(record: Record, at_once: Sequence[Line]) -> Iterator[Finding]:
    line = at_once[-1]
    if unknown := unknown_notes(line):
        names = printable(", ".join(unknown)[:LONGEST_REASON])
        text = f"its note {names} is none that Muggins writes."
        yield Finding("warning", "unknown-note", _at(line, text), line.number)
    if not follows(record.game, at_once):
        level: Level = "warning" if line.inferred else "wrong"
        how = f"but {by_camera(line)}" if line.inferred else "and no correction is noted"
        if line.by_hand and not line.inferred:
            how = "nor what is noted of corrections"
        text = f"{line.entry.move} does not match the reading of the photo, {how}."
        yield Finding(level, "not-as-seen", _at(line, text), line.number)
    elif line.by_hand:
        yield _by_a_person(record, at_once)


def _by_a_person(record: Record, at_once: Sequence[Line]) -> Finding:
    """What a person made of the reading, in words; where it had been read beyond doubt, somebody has to look at the photo."""
    line = at_once[-1]
    text = "a person corrected or confirmed the reading."
    level: Level = "ok"
    if not line.undone_by and (plainly := read_plainly(record.game, at_once)):
        moves = " and ".join(map(str, plainly))
        level, text = "warning", f"its photo was read as {moves} without a doubt, and a person changed that."
    changes = {name: value for name, value in line.by_hand.items() if name in _CHANGES}
    words = [printable(each)[:LONGEST_REASON] for each in islice(in_words(changes), _MOST_CHANGES)]
    return Finding(level, "corrected", _at(line, " ".join([text, *words])), line.number)


def _unseen(record: Record, lines: Sequence[Line]) -> Iterator[Finding]:
    """Of the moves that stand and that a photo can show, which have none: nothing proves what lay on the table then."""
    shown = [line for line in lines if is_shown(record, line) and not line.undone_by]
    without = [line for line in shown if not line.reading]
    if not without:
        return
    some = listed([str(line.number) for line in without[:MOST_TOLD]])
    where = f"line{'s' if len(without) > 1 else ''} {some}" if len(without) <= MOST_TOLD else f"{len(without)} lines"
    text = (
        f"Moves that a photo can show: {len(shown)}, with one: {len(shown) - len(without)}. No photo proves what lay on the "
        f"table in {where}."
    )
    yield Finding("ok", "without-photo", text)


def check_times(lines: Sequence[Line], begun_at: str) -> Iterator[Finding]:
    """Lines that say they were written before the line before them; every server's clock may be set once."""
    for line in lines:
        if line.entry.at and not is_time(line.entry.at):
            said = printable(line.entry.at[:LONGEST_REASON])
            yield Finding("warning", "no-time", _at(line, f"its time is none: {said}."), line.number)
    timed = [(line, at) for line in lines if (at := moment(line.entry.at))]
    for (_, before), (line, at) in pairwise(timed):
        if at < before:
            text = _at(line, f"its time, {line.entry.at}, is before that of the line before it.")
            yield Finding("warning", "time-backwards", text, line.number)
    if not is_time(begun_at):
        said = printable(begun_at[:LONGEST_REASON])
        text = (
            f"The time at which the game began is none: {said}." if said else "The record has no time of its beginning."
        )
        yield Finding("warning", "no-time", text)
    begun = moment(begun_at)
    if begun and timed and timed[0][1] < begun:
        line = timed[0][0]
        text = _at(line, f"its time, {line.entry.at}, is before that at which the game began.")
        yield Finding("warning", "time-backwards", text, line.number)


def check_old_photos(lines: Sequence[Line]) -> Iterator[Finding]:
    """Photos that a person confirmed although they were taken before the move before."""
    for line in lines:
        if (line.entry.corrected or {}).get("confirmed") == PHOTO_OLD:
            taken = printable(str((line.entry.corrected or {}).get("taken")))[:LONGEST_REASON]
            text = _at(
                line, f"its photo says that it was taken at {taken}, before the line before it: is it an old one?"
            )
            yield Finding("warning", PHOTO_OLD, text, line.number)


def check_repeats(lines: Sequence[Line], compared: int) -> Iterator[Finding]:
    """Throws that were played twice, in this game or, as the server noted, in another."""
    for line, earlier in counted_again(lines, compared):
        what = "the same photo" if line.photo == earlier.photo else "another picture of the same throw"
        text = _at(line, f"it was played from {what} as line {earlier.number}: was the throw counted twice?")
        yield Finding("warning", PHOTO_AGAIN, text, line.number)
    for line in lines:
        if day := printable(elsewhere(line.entry))[:LONGEST_REASON]:
            text = _at(line, f"its throw was played already in another game, on {day}: is the photo that game's?")
            yield Finding("warning", PHOTO_ELSEWHERE, text, line.number)


def _at(line: Line, text: str) -> str:
    return f"Line {line.number}: {text}"


def check_readings(contents: Contents, lines: Sequence[Line], begun: str) -> Iterator[Finding]:
    """Whether the list of readings is whole, and fits the record."""
    if READINGS not in contents.archive:
        # Only a server stores readings, and it also notes who moved.
        if any(line.photo and line.entry.by for line in lines):
            text = f"{READINGS} is missing from the zip: it says how people corrected what was read."
            yield Finding("warning", "no-readings", text)
        return
    found = contents.parsed(READINGS)
    if not isinstance(found, list):
        yield Finding("wrong", "readings", f"{READINGS} is torn or damaged: what was read beside the record is lost.")
    elif len(contents.readings) < len(found):
        lost = len(found) - len(contents.readings)
        text = f"{lost} of {len(found)} entries of {READINGS} are no readings, or more than are looked at."
        yield Finding("wrong", "readings", text)
    else:
        yield from compare(lines, contents.readings, begun)


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


class ProfileCheck:
    """The checks of all profiles of a game.

    Args:
        contents: of the zip.
        lines: of the record.
    """

    def __init__(self, contents: Contents, lines: Sequence[Line]) -> None:
        self._contents, self._lines = contents, lines
        self._as_shown: set[TaughtPiece] = set()

    @cached_property
    def known(self) -> dict[str, Profile]:
        """The profiles in the zip that are what their names say, by SHA-256."""
        found = {}
        for sha256 in known_profiles(self._lines, self._contents.readings):
            with suppress(KeyError, InvalidArchive, InvalidProfile):
                profile = Profile.from_bytes(self._contents.archive.read(profile_name(sha256)))
                if profile.sha256 == sha256:
                    found[sha256] = profile
        return found

    def compare(self, photo: Photo, lines: Sequence[Line], reader: TableReader | None) -> None:
        """Note which of the pieces that were taught from this photo of these lines look as people corrected them on it."""
        self._as_shown.update(as_shown(self._taught_from(photo), lessons(lines), photo, reader))

    def findings(self) -> Iterator[Finding]:
        """What comes of all of them, after the photos were compared."""
        named_ones = known_profiles(self._lines, self._contents.readings)
        for sha256 in named_ones:
            profile = self.known.get(sha256)
            if profile is None and self._is_another_profile(sha256):
                text = f"The profile {sha256[:12]}… that photos were read with is another one: its hash does not match."
                yield Finding("wrong", "other-profile", text)
            elif profile is None:
                text = f"The profile {sha256[:12]}… that photos were read with is missing or damaged; they are read without it."
                yield Finding("warning", "no-profile", text)
            else:
                yield self._about_profile(profile)
        names = {profile_name(sha256) for sha256 in named_ones}
        for name in self._contents.archive.names:
            if name.startswith("profiles/") and name not in names:
                yield Finding("wrong", "stray", f"{name} belongs to no reading.")

    def _is_another_profile(self, sha256: str) -> bool:
        """Whether a file under the name of this profile is a sound profile, and not this one."""
        with suppress(KeyError, InvalidArchive, InvalidProfile):
            data = self._contents.archive.read(profile_name(sha256))
            # A later version may write more of a profile than is known here: then it is the file that has this hash.
            return sha256 not in (Profile.from_bytes(data).sha256, hashlib.sha256(data).hexdigest())
        return False

    def _taught_from(self, photo: Photo) -> list[TaughtPiece]:
        every = (piece for profile in self.known.values() for piece in profile.pieces)
        return [piece for piece in dict.fromkeys(every) if piece.photo == photo.sha256]

    def _about_profile(self, profile: Profile) -> Finding:
        about = f"Photos were read with the profile {printable(profile.name)}: {len(profile.pieces)} pieces"
        unproven = [piece for piece in profile.pieces if piece not in self._as_shown]
        if not unproven:
            return Finding("ok", "profile", f"{about} on photos that were corrected in this game.")
        return Finding("warning", "profile", f"{about}, {self._unproven(unproven)}. Look at what it was taught.")

    def _unproven(self, pieces: Sequence[TaughtPiece]) -> str:
        """Why it is not known that these pieces are what people corrected in this game, as a phrase."""
        photos = set(named(self._lines, self._contents.readings))
        if any(piece.photo not in photos for piece in pieces):
            return "not all from this game"
        said = {photo: lessons([line for line in self._lines if line.photo == photo]) for photo in photos}
        untold = [piece for piece in pieces if not any(says(each, piece) for each in said[piece.photo])]
        if untold:
            return f"and the record has no correction that says what {len(untold)} of them show"
        return f"and {len(pieces)} of them could not be found so on the photos"


@dataclass
class PhotoCheck:
    """The checks of all photos of a game, one after the other.

    Attributes:
        contents: of the zip.
        lines: of the record.
        pieces: of the game.
        reader: reads the photos again; None: skip that.
        profiles: that the photos were read with.
        deadline: by the monotonic clock, after which no further photo is looked at.
    """

    contents: Contents
    lines: Sequence[Line]
    pieces: Expected
    reader: TableReader | None
    profiles: ProfileCheck
    deadline: float
    _pixels: int = 0

    def findings(self) -> Iterator[Finding]:
        """What comes of all of them."""
        shown: dict[str, list[Line]] = {sha256: [] for sha256 in named(self.lines, self.contents.readings)}
        for line in self.lines:
            if line.photo:
                shown[line.photo].append(line)
        # A film has no photos to pack: that is said once, not of every roll.
        filmed = {sha256 for sha256, lines in shown.items() if self._is_left_film(sha256, lines)}
        if filmed:
            yield _of_a_film([line for sha256 in filmed for line in shown[sha256]])
        for sha256, lines in shown.items():
            if sha256 not in filmed:
                yield from self._photo(sha256, lines)
        yield from self._strays(shown)

    def _is_left_film(self, sha256: str, lines: Sequence[Line]) -> bool:
        """Whether it is a picture of a film that is, as always, not in the zip."""
        return bool(lines) and all(line.of_a_film for line in lines) and not self.contents.photo_name(sha256)

    def _strays(self, shown: Mapping[str, Sequence[Line]]) -> Iterator[Finding]:
        """Pictures that belong to no reading, or whose photo was taken out of the zip."""
        photos = {name for sha256 in shown if (name := self.contents.photo_name(sha256))}
        pictures = {
            picture_name(line.same_as): self.contents.photo_name(sha256)
            for sha256, lines in shown.items()
            for line in lines
        }
        for name in self.contents.archive.names:
            if not name.startswith(("photos/", "annotated/")) or name in photos or pictures.get(name):
                continue
            why = "was drawn from a photo that is missing" if name in pictures else "belongs to no photo of the record"
            yield Finding("wrong", "stray", f"{name} {why}.")

    def _photo(self, sha256: str, lines: Sequence[Line]) -> Iterator[Finding]:
        """What comes of one photo. Damage to it is its own gap, and nobody else's."""
        try:
            yield from self._photo_looked_at(sha256, lines)
        except InvalidArchive as error:
            yield Finding("wrong", error.code, str(error), lines[0].number if lines else 0)

    def _photo_looked_at(self, sha256: str, lines: Sequence[Line]) -> Iterator[Finding]:
        about = f"The photo {sha256[:12]}… of {lines_named(lines)}"
        first = lines[0].number if lines else 0
        name = self.contents.photo_name(sha256)
        if not name:
            why = self.contents.part("left_out").get(sha256)
            reason = f", which gives the reason: {printable(str(why)[:LONGEST_REASON])}" if why else ""
            yield Finding("warning", "no-photo", f"{about} is not in the zip{reason}.", first)
            return
        if time.monotonic() > self.deadline:
            text = f"{about} was not looked at: checking took more than {self.contents.budget.seconds:g} s."
            yield Finding("warning", "over-budget", text, first)
            return
        data = self.contents.archive.read(name)
        if hashlib.sha256(data).hexdigest() != sha256:
            yield Finding("wrong", "other-photo", f"{about} is a different photo: its hash does not match.", first)
            return
        try:
            yield from self._looked_at(about, data, lines)
        except PhotoError as error:
            yield Finding("wrong", "unreadable-photo", f"{about} cannot be read: {error.message}", first)

    def _looked_at(self, about: str, data: bytes, lines: Sequence[Line]) -> Iterator[Finding]:
        first = lines[0].number if lines else 0
        if without_place(data) != data:
            yield Finding("warning", "place", f"{about} contains metadata, perhaps its location.", first)
        photo = load(data, limits=replace(DEFAULT_LIMITS, max_pixels=self._pixels_left(data)))
        self._pixels += photo.width * photo.height
        yield from check_pictures(self.contents, photo, lines)
        self.profiles.compare(photo, lines, self.reader)
        if self.reader is None:
            yield Finding("warning", "not-read-again", f"{about} was not read again.", first)
            return
        looks = NewReadings(photo, self.reader, self.pieces, self.profiles.known)
        nearer = {line.number for line in lines if _is_second_look(line.entry.corrected)}
        for number, then in drawn(lines, photo.sha256):
            yield _read_again(number, then, looks.again(then, nearer=number in nearer))
        yield from self._unplayed_again(about, photo.sha256, lines, looks)

    def _unplayed_again(self, about: str, sha256: str, lines: Sequence[Line], looks: NewReadings) -> Iterator[Finding]:
        """What comes of the readings of a photo that no line was played from, each thing once: a closer look is one, too."""
        played = {key_of(line.entry.seen) for line in lines}
        told = set()
        for each in self.contents.readings:
            if each["photo"] != sha256 or key_of(each.get("reading")) in played:
                continue
            if kept := reading_of(each.get("reading")):
                finding = _kept_again(about, kept, looks.again(kept, nearer=_is_second_look(each)))
                if finding not in told:
                    told.add(finding)
                    yield finding

    def _pixels_left(self, data: bytes) -> int:
        """How many the next photo may have."""
        left = self.contents.budget.pixels - self._pixels
        return max(0, min(DEFAULT_LIMITS.max_pixels, left, self.contents.budget.density * len(data)))


@dataclass
class NewReadings:
    """New readings of a photo, at both magnifications, for the pieces of the game.

    The number of pieces expected at that moment raises doubts and changes nothing that is read.
    """

    photo: Photo
    reader: TableReader
    pieces: Expected
    profiles: Mapping[str, Profile]
    _made: dict[tuple[bool, tuple[str, ...]], Reading] = field(default_factory=dict)

    def again(self, then: Reading, *, nearer: bool) -> Reading:
        """Read it as it was read then: with the profiles that were known, from as near."""
        known = tuple(each for each in then.profiles.values() if each in self.profiles)
        if (nearer, known) not in self._made:
            reader = TiledReader() if nearer else self.reader
            taught = reader.knowing([self.profiles[each] for each in known]) if known else reader
            self._made[nearer, known] = taught.read(self.photo, self.pieces)
        return self._made[nearer, known]


def _is_second_look(beside: Mapping[str, Any] | None) -> bool:
    """Whether a reading is a closer one, by its notes in the record or list of readings."""
    return isinstance((beside or {}).get("again_of"), str)


def _of_a_film(lines: Sequence[Line]) -> Finding:
    count = len(lines)
    what = "1 move was" if count == 1 else f"{count} moves were"
    text = (
        f"{what} read from a film or camera, whose pictures are not in the zip. Compare with the film, or watch it "
        "again with muggins watch."
    )
    return Finding("warning", "no-photo", text, min(line.number for line in lines))


def _read_again(number: int, then: Reading, now: Reading) -> Finding:
    level, text = _compared(then, now)
    return Finding(level, "read-again", f"Line {number}: {text}", number)


def _kept_again(about: str, then: Reading, now: Reading) -> Finding:
    level, text = _compared(then, now)
    return Finding(level, "read-again", f"{about}: {text}")


def _compared(then: Reading, now: Reading) -> tuple[Level, str]:
    """A sure reading is wrong if the same networks are now sure of another one, or find none of its pieces again.

    Anything else is for a person to check: a reading in doubt may tip over on another computer.
    """
    otherwise = differences(then, now)
    if not otherwise and (count := moved(then, now)):
        return "warning", f"the photo is read as it was then, but {count} of the pieces lie elsewhere on it."
    if not otherwise:
        return "ok", "the photo is read as it was then."
    same_eyes = (dict(then.models), dict(then.profiles)) == (dict(now.models), dict(now.profiles))
    networks = "the same networks" if dict(then.models) == dict(now.models) else "other networks"
    if dict(then.profiles) != dict(now.profiles):
        networks += " without its profile"
    wrong = same_eyes and then.sure and (now.sure or shows_another_table(then, now))
    return "wrong" if wrong else "warning", f"read again by {networks}: {otherwise}."


def lines_named(lines: Sequence[Line]) -> str:
    """Such as "line 4", "lines 4 and 6" or "no line"."""
    numbers = listed([str(line.number) for line in lines])
    return f"line{'s' if len(lines) > 1 else ''} {numbers}" if lines else "no line"


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
