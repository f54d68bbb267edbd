"""The record of a game, what PGN is to chess: a header and one line of JSON a move, each with the hash of the one before.

    record = Record.begin(Header("crib-dice", Rules(), ("Ann", "Ben"), "2026-11-21T20:15:00+00:00", {"muggins": "0.1.0"}))
    record = record.play(Move.parse("opening 3 4"))
    record = record.undo()
    text = record.text                      ready to be written; or append `record.lines[-1]` as the game goes on
    Record.load(text)                       the same record, replayed and checked

A line is never taken away: an undo is a line of its own, and the state after it is the replay of one move fewer. A game
that is over has a closing line with its result. Every line but the first has "prev", the hash of the line before, and
every line has "hash", the SHA-256 of the line without it. So a line that is edited, lost or swapped is noticed; a whole
chain written anew is not, unless somebody kept its last hash (`Record.head`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from scorer.engine.game import Event, Move, Result
from scorer.engine.options import GameRules
from scorer.engine.persistent_list import PersistentList
from scorer.errors import IllegalMove, ScorerError
from scorer.games.registry import AnyGame, game_named

FORMAT = 2
"""The format that is written. Every format up to it is read. Format 2 has "by" in a line: who made the move."""
_MAGIC = "muggins-record"


class RecordError(ScorerError):
    """A record that cannot be trusted, or a step that it does not allow.

    Attributes:
        line: where, counted from 1; 0 when it is about the whole.
    """

    def __init__(self, code: str, message: str, line: int = 0) -> None:
        super().__init__(code, f"Line {line}: {message}" if line else message)
        self.line = line
        self._plain = message

    def on(self, line: int) -> RecordError:
        """The same trouble, in that line; one that names its line already keeps it."""
        return RecordError(self.code, self._plain, self.line or line)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self._plain, self.line)


@dataclass(frozen=True, slots=True)
class Header:
    """What is agreed before the first move.

    Attributes:
        game: the game's name.
        rules: its rules; written out whole, so that a later default changes no old game.
        players: their names in table order.
        date: when it began, ISO 8601.
        versions: of the program, and of whatever else had a say, like the networks.
    """

    game: str
    rules: GameRules
    players: tuple[str, ...]
    date: str
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The first line, without its hash."""
        return {
            "record": _MAGIC,
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules.to_json(),
            "players": list(self.players),
            "date": self.date,
            "versions": dict(self.versions),
        }


@dataclass(frozen=True, slots=True)
class Entry:
    """One line after the header.

    Attributes:
        move: what was done; None: the move before was undone.
        at: when, ISO 8601; empty if nobody noted it.
        seen: what the camera saw, as JSON; None where the move was typed.
        corrected: what a person changed of it or confirmed against the rules, or how a watching camera came by it, as JSON.
        by: who made it, as JSON: on a server the phone or camera that sent it; None where nobody noted it.
    """

    move: Move | None
    at: str = ""
    seen: Mapping[str, Any] | None = None
    corrected: Mapping[str, Any] | None = None
    by: Mapping[str, Any] | None = None

    @property
    def inferred(self) -> bool:
        """Whether the move is what a watching camera took for the likeliest, by what followed."""
        return (self.corrected or {}).get("inferred") is True

    def to_json(self) -> dict[str, Any]:
        """The line's own part; what is empty is left out."""
        done = {"undo": True} if self.move is None else {"move": str(self.move)}
        more = {"at": self.at, "seen": self.seen, "corrected": self.corrected, "by": self.by}
        return {**done, **{name: value for name, value in more.items() if value}}


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played: a value; `play` and `undo` give the next one.

    Attributes:
        header: what was agreed.
        entries: every line after it but the closing one, undone moves and undos too.
        lines: the text, line by line, as it is written.
        moves: the moves that stand.
        history: the state before the first of them, and after each.
        events: what followed from the last line; nothing after an undo.
    """

    header: Header
    entries: PersistentList[Entry]
    lines: PersistentList[str]
    moves: PersistentList[Move]
    history: PersistentList[Any]
    events: tuple[Event, ...] = ()

    @classmethod
    def begin(cls, header: Header) -> Record:
        """A record with nothing played.

        Raises:
            RulesError: no such game, or not with these rules or players.
        """
        _check_names(header.players)
        state = game_named(header.game).start(header.rules, len(header.players))
        lines = PersistentList([_sealed(header.to_json())])
        return cls(header, PersistentList(), lines, PersistentList(), PersistentList([state]))

    @classmethod
    def load(cls, text: str, head: str | None = None) -> Record:
        """The record that this text holds, replayed from its first line and checked in every way.

        Args:
            text: as `Record.text` gave it.
            head: the hash of the last line, where somebody kept it: finds a tail cut off between two lines.

        Raises:
            RecordError: with the line and the reason.
        """
        lines = _lines_of(text)
        record = cls._replayed(lines)
        if len(record.lines) > len(lines):
            raise RecordError("truncated", "the game is over here, but its closing line is missing.", len(lines))
        if head is not None and record.head != head:
            raise RecordError(
                "wrong-head", "this is not the last line that was kept: lines are missing or changed.", len(lines)
            )
        return record

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return game_named(self.header.game)

    @property
    def state(self) -> Any:
        """The state now."""
        return self.history[-1]

    @property
    def result(self) -> Result | None:
        """How it ended, once it has."""
        result: Result | None = self.state.result
        return result

    @property
    def text(self) -> str:
        """All of it, ready to be written to a file."""
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def head(self) -> str:
        """The hash of the last line: with it kept, anybody can tell whether a line was changed, added or lost since."""
        return _hash_of(self.lines[-1])

    def play(
        self,
        move: Move,
        *,
        at: str = "",
        seen: Mapping[str, Any] | None = None,
        corrected: Mapping[str, Any] | None = None,
        by: Mapping[str, Any] | None = None,
    ) -> Record:
        """The record with one move more; a closing line follows when the move ends the game.

        Raises:
            IllegalMove: with the reason and the rule that it breaks.
        """
        step = self.game.apply(self.state, move)
        return replace(
            self._with(Entry(move, at, seen, corrected, by), step.state.result),
            moves=self.moves.appended(move),
            history=self.history.appended(step.state),
            events=step.events,
        )

    def undo(self, *, at: str = "", by: Mapping[str, Any] | None = None) -> Record:
        """The record with its last standing move undone: the state is the replay of one move fewer.

        Raises:
            RecordError: "nothing-to-undo".
        """
        if not self.moves:
            raise RecordError("nothing-to-undo", "No move stands that could be undone.")
        return replace(
            self._with(Entry(None, at, by=by), None),
            moves=self.moves.without_last(),
            history=self.history.without_last(),
            events=(),
        )

    def _with(self, entry: Entry, result: Result | None) -> Record:
        lines = self.lines.appended(*_lines_for(entry, result, self.lines[-1]))
        return replace(self, entries=self.entries.appended(entry), lines=lines)

    @classmethod
    def _replayed(cls, lines: list[str]) -> Record:
        at = 1
        try:
            replay = _Replay(cls._loaded_header(lines[0]))
            for at, line in enumerate(lines[1:], start=2):
                replay.load(line, at)
        except RecursionError as error:
            raise RecordError("damaged-line", "the line nests its values too deep.", at) from error
        return replay.record

    @classmethod
    def _loaded_header(cls, line: str) -> Record:
        values = _object(line, 1)
        if values.get("record") != _MAGIC:
            raise RecordError("no-record", "this is no record of a game: its first line is another one.", 1)
        read = _reader(values.get("format"))
        _check_seal(line, values, 1)
        try:
            # The line stays as it is: what an older format wrote is not what would be written today.
            return replace(cls.begin(read(values)), lines=PersistentList([line]))
        except RecordError as error:
            raise error.on(1) from error
        except ScorerError as error:
            raise RecordError(error.code, error.message, 1) from error


class _Replay:
    """A record that grows line by line as it is loaded, in lists, each copied once."""

    def __init__(self, begun: Record) -> None:
        self._header = begun.header
        self._game = begun.game
        self._lines = [*begun.lines]
        self._entries: list[Entry] = []
        self._moves: list[Move] = []
        self._history = [*begun.history]
        self._events: tuple[Event, ...] = ()

    @property
    def record(self) -> Record:
        """What was loaded so far."""
        return Record(
            self._header,
            PersistentList(self._entries),
            PersistentList(self._lines),
            PersistentList(self._moves),
            PersistentList(self._history),
            self._events,
        )

    def load(self, line: str, at: int) -> None:
        """One line more, checked in every way.

        Raises:
            RecordError: with the line and the reason.
        """
        if at <= len(self._lines):
            # The closing line was written by the move before: it must say the same.
            if line != self._lines[at - 1]:
                raise RecordError("wrong-end", "the closing line does not say what the moves lead to.", at)
            return
        values = _object(line, at)
        _check_seal(line, values, at)
        if values.get("prev") != _hash_of(self._lines[-1]):
            raise RecordError(
                "broken-chain", "it does not follow the line before: a line was lost, swapped or changed.", at
            )
        try:
            self._follow(_entry(values, at))
        except IllegalMove as error:
            raise RecordError("illegal-move", f"{error.message} ({error.rule})", at) from error
        except RecordError as error:
            raise error.on(at) from error
        if self._lines[at - 1] != line:
            raise RecordError("edited-line", "the line holds something that this Muggins never writes.", at)

    def _follow(self, entry: Entry) -> None:
        if entry.move is None:
            self._undo()
            self._add(Entry(None, entry.at, by=entry.by), None)
            return
        step = self._game.apply(self._history[-1], entry.move)
        self._moves.append(entry.move)
        self._history.append(step.state)
        self._events = step.events
        self._add(entry, step.state.result)

    def _undo(self) -> None:
        if not self._moves:
            raise RecordError("nothing-to-undo", "No move stands that could be undone.")
        self._moves.pop()
        self._history.pop()
        self._events = ()

    def _add(self, entry: Entry, result: Result | None) -> None:
        self._entries.append(entry)
        self._lines.extend(_lines_for(entry, result, self._lines[-1]))


def _lines_for(entry: Entry, result: Result | None, last: str) -> list[str]:
    """The line of an entry after the last one, and the closing line where the move ends the game."""
    line = _sealed(entry.to_json(), _hash_of(last))
    if result is None:
        return [line]
    return [line, _sealed({"end": _result_to_json(result)}, _hash_of(line))]


def _check_names(names: tuple[str, ...]) -> None:
    if not all(name.strip() for name in names) or len(set(names)) != len(names):
        raise RecordError("bad-names", "Every player needs a name, and no two the same.")
    if not all(map(_is_text, names)):
        raise RecordError("bad-names", "A player's name holds half a character: write it anew.")


def _is_text(text: str) -> bool:
    """Can it be written to a file? Half a surrogate pair cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _lines_of(text: str) -> list[str]:
    if not text.strip():
        raise RecordError("empty", "This record is empty.")
    if text.startswith("\ufeff"):
        raise RecordError("byte-order-mark", "the file begins with a byte order mark: save it as UTF-8 without one.", 1)
    lines = text.split("\n")
    if last := lines.pop():
        if _is_whole(last):
            raise RecordError(
                "truncated", "the line is whole, but the line feed at its end is missing: add it.", len(lines) + 1
            )
        raise RecordError(
            "truncated",
            "the line is cut off in its middle: the record was not written to its end.",
            len(lines) + 1,
        )
    returned = next((at for at, line in enumerate(lines, start=1) if line.endswith("\r")), None)
    if returned is not None:
        raise RecordError(
            "carriage-return",
            "the line ends with a carriage return, as on Windows: save the file with line feeds alone.",
            returned,
        )
    return lines


def _is_whole(line: str) -> bool:
    """Whether nothing of a line is missing: its hash fits."""
    try:
        _check_seal(line, _object(line, 1), 1)
    except (RecordError, RecursionError):
        return False
    return True


def _object(line: str, at: int) -> dict[str, Any]:
    if not line.strip():
        raise RecordError("damaged-line", "the line is empty: take it out.", at)
    try:
        values = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except ValueError as error:
        raise RecordError("damaged-line", "the line is no JSON: it is damaged or cut off.", at) from error
    if not isinstance(values, dict):
        raise RecordError("damaged-line", "the line is no JSON object.", at)
    return values


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _no_number(digits)


def _entry(values: Mapping[str, Any], at: int) -> Entry:
    at_time = values.get("at", "")
    parts = seen, corrected, by = values.get("seen"), values.get("corrected"), values.get("by")
    if not isinstance(at_time, str) or not all(part is None or isinstance(part, dict) for part in parts):
        raise RecordError("damaged-line", "what was seen, corrected, by whom, or the time is not as it should be.", at)
    return Entry(_move(values, at), at_time, seen, corrected, by)


def _move(values: Mapping[str, Any], at: int) -> Move | None:
    if values.get("undo") is True:
        return None
    if not isinstance(values.get("move"), str):
        raise RecordError("damaged-line", "the line holds neither a move nor an undo.", at)
    try:
        return Move.parse(values["move"])
    except ScorerError as error:
        raise RecordError(error.code, error.message, at) from error


def _sealed(values: Mapping[str, Any], prev: str | None = None) -> str:
    line = _dumped(values if prev is None else {**values, "prev": prev})
    return f'{line[:-1]},"hash":"{hashlib.sha256(line.encode()).hexdigest()}"}}'


def _check_seal(line: str, values: Mapping[str, Any], at: int) -> None:
    # The line must be as it is written, too: JSON that says a key twice would hide one of the two.
    unsealed = {name: value for name, value in values.items() if name != "hash"}
    try:
        fits = line == _sealed(unsealed)
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise RecordError("edited-line", "the line was changed after it was written: its hash does not fit.", at)


def _dumped(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _hash_of(line: str) -> str:
    """The hash in a line that is sealed: the last that it says."""
    return line[-66:-2]


def _result_to_json(result: Result) -> dict[str, Any]:
    return {
        "winners": list(result.winners),
        "ranking": [list(equals) for equals in result.ranking],
        "lost": list(result.lost),
    }


def _reader(format_: object) -> Callable[[Mapping[str, Any]], Header]:
    # True and 1.0 equal 1, and are no format for all that.
    if type(format_) is not int:
        raise RecordError("damaged-header", "the header names no format.", 1)
    if format_ not in _READERS:
        text = f"the record has format {format_}, and this Muggins reads {FORMAT} and older: get a newer one."
        raise RecordError("unknown-format", text, 1)
    return _READERS[format_]


def _read_1(values: Mapping[str, Any]) -> Header:
    strange = sorted(values.keys() ^ {*_HEADER_1, "record", "format", "hash"})
    wrong = [name for name, fits in _HEADER_1.items() if name in values and not fits(values[name])]
    if strange or wrong:
        which = ", ".join(map(repr, strange or wrong))
        raise RecordError("damaged-header", f"the header lacks something or says it wrongly: {which}.")
    rules = game_named(values["game"]).rules.from_json(values["rules"])
    return Header(values["game"], rules, tuple(values["players"]), values["date"], values["versions"])


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_string, value))


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _names_strings(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_string, value.values()))


_HEADER_1: dict[str, Callable[[object], bool]] = {
    "game": _is_string,
    "rules": _is_object,
    "players": _are_strings,
    "date": _is_string,
    "versions": _names_strings,
}
"""What the header of format 1 says, and of what type each is."""
_READERS = {1: _read_1, 2: _read_1}
"""How the header of each format is read."""
