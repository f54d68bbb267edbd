"""Checks the record by itself: its chain, its moves and their readings, its times, and throws that were played twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from api.console import printable
from api.evidence.agreement import follows, read_plainly, unknown_notes
from api.evidence.archive import Archive
from api.evidence.bundle import RECORD
from api.evidence.checks.budget import LONGEST_REASON, MOST_TOLD, Budget
from api.evidence.checks.contents import Contents
from api.evidence.findings import Finding, Level
from api.evidence.provenance import moved_for
from api.evidence.report import is_shown, points_of
from api.evidence.reuse import PHOTO_AGAIN, PHOTO_ELSEWHERE, PHOTO_OLD, counted_again, elsewhere
from api.evidence.said_by_hand import in_words
from api.evidence.stored_readings import is_time, moment
from api.evidence.throws import Line, by_camera, lines_named
from scorer.engine.record import Record, RecordError
from scorer.pieces.text import listed

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
    yield from _for_others(record, lines)


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
    text = (
        f"Moves that a photo can show: {len(shown)}, with one: {len(shown) - len(without)}. No photo proves what lay on the "
        f"table in {_lines_told(without)}."
    )
    yield Finding("ok", "without-photo", text)


def _for_others(record: Record, lines: Sequence[Line]) -> Iterator[Finding]:
    """The moves that a phone made for a player who is not at it, by phone and player."""
    made: dict[tuple[tuple[str, ...], str], list[Line]] = defaultdict(list)
    for line in lines:
        if who := moved_for(line.entry, record.header.players):
            made[who].append(line)
    for (owners, player), own in islice(made.items(), MOST_TOLD):
        phone = f"The phone of {listed(owners)}" if owners else "A phone without a seat"
        who_moved = f"{printable(phone)[:LONGEST_REASON]} moved for {printable(player)[:LONGEST_REASON]}"
        number = own[0].number if len(own) == 1 else 0
        yield Finding("ok", "for-another", f"{who_moved} in {_lines_told(own)}.", number)
    if rest := [line for own in islice(made.values(), MOST_TOLD, None) for line in own]:
        yield Finding("ok", "for-another", f"Also in {_lines_told(rest)}, a phone moved for another player.")


def _lines_told(lines: Sequence[Line]) -> str:
    """The numbers of these lines, or how many there are of more."""
    return lines_named(lines) if len(lines) <= MOST_TOLD else f"{len(lines)} lines"


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
