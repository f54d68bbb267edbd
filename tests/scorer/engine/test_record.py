"""The record: what is written is read back, every move can be gone back to, and no damage goes unnoticed."""

from __future__ import annotations

import hashlib
import json
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scorer.engine.game import Move, Result
from scorer.engine.record import Header, Record, RecordError
from scorer.errors import IllegalMove
from scorer.games.registry import GAMES
from tests.examples import examples
from tests.scorer.randomly import Setting, random_move, random_setting, steps

RECORDS = Path(__file__).parent / "records"
OLD = {
    "crib-dice-undone-after-the-end": (Result((1,), ((1,), (0,)), (2, 0)), (6, 55)),
    "cribbage-dice-seen-and-corrected": (Result((1,), ((1,), (2,), (0,)), (1, 0, 1)), (3, 44, 9)),
    "farkle-crib-shared-lane-and-bomb": (Result((1,), ((1,), (0,)), (1, 0)), (8, 74)),
    "domino-cribbage-names-beyond-ascii": (Result((0,), ((0,), (1,)), (0, 1)), (75, 26)),
}
NAMES = st.sampled_from(sorted(OLD))
GAME_NAMES = st.sampled_from(sorted(GAMES))
SEEDS = st.integers(0, 2**32)
DATE = "2026-11-21T20:15:00+00:00"
HEADER = {
    "record": "muggins-record",
    "format": 1,
    "game": "crib-dice",
    "rules": {"finish": 21, "opening_roll": False},
    "players": ["Ann", "Ben"],
    "date": DATE,
    "versions": {"muggins": "0.1.0"},
}
THROW = {"move": "throw 1 2 2 3 4 5 6"}


def written(name: str) -> str:
    return (RECORDS / f"{name}.jsonl").read_bytes().decode()


def begun(setting: Setting) -> Record:
    return Record.begin(Header(setting.game.name, setting.rules, setting.names, DATE, {"muggins": "0.1.0"}))


def refusal(text: str, head: str | None = None) -> tuple[str, int]:
    """The code and the line with which a text is refused."""
    with pytest.raises(RecordError) as refused:
        Record.load(text, head)
    assert refused.value.message
    assert refused.value.message.startswith(f"Line {refused.value.line}: ") == (refused.value.line > 0)
    return refused.value.code, refused.value.line


def sealed(open_line: str) -> str:
    """The line with the hash that belongs to it, worked out here a second time; `open_line` has no brace at its end."""
    return f'{open_line},"hash":"{hashlib.sha256(f"{open_line}}}".encode()).hexdigest()}"}}'


def forged(*lines: dict[str, Any] | str) -> str:
    """A text whose chain of hashes is in order, whatever its lines say; texts lack the brace, "prev" and hash."""
    return "".join(f"{line}\n" for line in accumulate(lines, lambda last, line: forged_line(line, last), initial=""))[
        1:
    ]


def forged_line(line: dict[str, Any] | str, last: str) -> str:
    text = line if isinstance(line, str) else json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1]
    return sealed(f'{text},"prev":"{last[-66:-2]}"' if last else text)


# What is written is read back


@pytest.mark.parametrize("name", OLD)
def test_a_record_of_format_1_stays_readable(name: str) -> None:
    record = Record.load(written(name))
    assert json.loads(record.lines[0])["format"] == 1
    assert (record.result, tuple(pegs.back for pegs in record.game.board(record.state).pegs)) == OLD[name]
    assert record.text == written(name)


def test_what_was_seen_and_corrected_is_read_back() -> None:
    record = Record.load(written("cribbage-dice-seen-and-corrected"))
    third = record.entries[2]
    assert third.seen == {"dice": list(third.move.numbers), "starter": None, "sure": 0.97}
    assert record.entries[6].corrected == {"dice": [[3, 8]], "by": "hand"}


@examples(40)
@given(GAME_NAMES, SEEDS)
def test_a_whole_game_is_read_back_with_the_state_at_every_move(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    record, states = begun(setting), [setting.start]
    for _, move, step in steps(setting, random):
        record = record.play(move)
        states.append(step.state)
        assert record.events == step.events
    again = Record.load(record.text, record.head)
    assert again.history == record.history == tuple(states)
    assert (again.text, again.moves, again.result) == (record.text, record.moves, states[-1].result)
    assert json.loads(record.lines[-1])["end"]["winners"] == list(record.result.winners)


class Table(RuleBasedStateMachine):
    """Moves, undos and loading in any order, beside a plain list of the moves that stand."""

    @initialize(name=GAME_NAMES, seed=SEEDS)
    def begin(self, name: str, seed: int) -> None:
        self.random = Random(seed)
        self.setting = random_setting(GAMES[name], self.random)
        self.record, self.moves, self.written = begun(self.setting), [], 1

    def over(self) -> bool:
        return self.record.state.to_act is None

    @precondition(lambda self: not self.over())
    @rule(count=st.integers(1, 30))
    def play(self, count: int) -> None:
        for _ in range(count):
            if not self.over():
                self.moves.append(random_move(self.setting.game, self.record.state, self.random))
                self.record = self.record.play(self.moves[-1])

    @rule(count=st.integers(1, 3))
    def undo(self, count: int) -> None:
        for _ in range(count):
            if self.moves:
                self.moves.pop()
                self.record = self.record.undo()

    @precondition(lambda self: not self.moves)
    @rule()
    def undo_nothing(self) -> None:
        with pytest.raises(RecordError, match="No move stands"):
            self.record.undo()

    @rule()
    def play_what_is_illegal(self) -> None:
        with pytest.raises(IllegalMove):
            self.record.play(Move("castle"))

    @rule()
    def load(self) -> None:
        loaded = Record.load(self.record.text, self.record.head)
        assert loaded.history == self.record.history
        self.record = loaded

    @invariant()
    def is_the_replay_of_the_moves_that_stand(self) -> None:
        state = self.setting.start
        for move in self.moves:
            state = self.setting.game.apply(state, move).state
        assert (self.record.moves, self.record.state) == (tuple(self.moves), state)
        assert len(self.record.history) == len(self.moves) + 1
        assert len(self.record.lines) >= self.written
        self.written = len(self.record.lines)


TestTable = Table.TestCase
TestTable.settings = settings(examples(40), stateful_step_count=12)


@pytest.mark.parametrize("name", OLD)
def test_undo_after_the_end_undo_of_everything_and_playing_on(name: str) -> None:
    record = whole = Record.load(written(name))
    for left in reversed(range(len(whole.moves))):
        record = record.undo()
        assert (record.state, record.result) == (whole.history[left], None)
        assert record.lines[: len(whole.lines)] == whole.lines
    assert Record.load(record.text).state == whole.history[0]
    with pytest.raises(RecordError, match="No move stands"):
        record.undo()
    for move in whole.moves:
        record = record.play(move)
    assert (record.state, record.result) == (whole.state, whole.result)
    assert Record.load(record.text, record.head).history == whole.history


def test_after_the_end_no_move_is_taken() -> None:
    record = Record.load(written("domino-cribbage-names-beyond-ascii"))
    with pytest.raises(IllegalMove):
        record.play(record.moves[-1])


# Damage is refused, with the line


@examples(400)
@given(NAMES, st.data())
def test_no_edit_of_a_byte_goes_unnoticed(name: str, data: st.DataObject) -> None:
    whole = written(name).encode()
    at = data.draw(st.integers(0, len(whole) - 1))
    new = data.draw(st.one_of(st.binary(max_size=2), st.sampled_from([b" ", b"\n", b"\r", b"0", b'"', b"}"])))
    text = (whole[:at] + new + whole[at + data.draw(st.integers(0, 1)) :]).decode(errors="surrogateescape")
    if text != written(name):
        _, line = refusal(text)
        assert line - whole[:at].count(b"\n") in (1, 2)


def test_no_character_can_be_changed_or_lost_anywhere() -> None:
    text = "".join(split("cribbage-dice-seen-and-corrected")[:8])
    for at, character in enumerate(text):
        for new in ("", "1" if character == "0" else "0"):
            _, line = refusal(text[:at] + new + text[at + 1 :])
            assert line == text[:at].count("\n") + 1


@pytest.mark.parametrize("name", OLD)
def test_a_line_lost_doubled_or_swapped_is_found(name: str) -> None:
    lines = split(name)
    for at in range(len(lines)):
        code, line = refusal("".join(lines[:at] + lines[at + 1 :]))
        assert (code, line) in [("no-record", 1), ("broken-chain", at + 1), ("wrong-end", at + 1), ("truncated", at)]
        code, line = refusal("".join(lines[: at + 1] + lines[at:]))
        assert (code, line) in [("broken-chain", at + 2), ("wrong-end", at + 2)]
        if at:
            code, line = refusal("".join((*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :])))
            assert (code, line) in [("no-record", 1), ("broken-chain", at), ("wrong-end", at)]


def split(name: str) -> list[str]:
    """The lines; a name may hold what other programs take for the end of a line."""
    return [f"{line}\n" for line in written(name).split("\n")[:-1]]


@examples(150)
@given(NAMES, st.data())
def test_a_text_cut_off_anywhere_is_refused_where_the_head_was_kept(name: str, data: st.DataObject) -> None:
    whole = written(name)
    head = Record.load(whole).head
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    code, line = refusal(cut, head)
    assert code == ("truncated" if cut and not cut.endswith("\n") else "wrong-head" if cut else "empty") or (
        code == "truncated" and Record.load(f"{cut}{whole[len(cut) :].split(chr(10))[0]}\n").result
    )
    assert line in (cut.count("\n"), cut.count("\n") + 1)


def test_a_text_cut_off_at_the_end_of_a_line_is_a_game_not_yet_over_but_for_its_head() -> None:
    lines = split("cribbage-dice-seen-and-corrected")
    begun = "".join(lines[:8])
    assert Record.load(begun).result is None
    assert refusal(begun, Record.load("".join(lines)).head) == ("wrong-head", 8)
    assert refusal("".join(lines[:-1])) == ("truncated", len(lines) - 1)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ("empty", 0)),
        (" \n\n", ("empty", 0)),
        ("Dear diary,\n", ("damaged-line", 1)),
        ("[]\n", ("damaged-line", 1)),
        ("null\n", ("damaged-line", 1)),
        ("{}\n", ("no-record", 1)),
        ("[" * 100_000 + "\n", ("damaged-line", 1)),
        ('{"record":"muggins-record","format":1,"game":NaN}\n', ("damaged-line", 1)),
        ("9" * 10_000 + "\n", ("damaged-line", 1)),
        ("\ufeff" + forged(HEADER, THROW), ("byte-order-mark", 1)),
        (forged(HEADER, THROW).replace("\n", "\r\n"), ("carriage-return", 1)),
        (forged(HEADER, THROW) + "\n", ("damaged-line", 3)),
        (forged(HEADER, THROW) + "\x00", ("truncated", 3)),
    ],
)
def test_what_is_no_record_is_refused(text: str, wanted: tuple[str, int]) -> None:
    assert refusal(text) == wanted


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (forged(HEADER, THROW)[:-1], "Line 2: the line is whole, but the line feed at its end is missing: add it."),
        (
            forged(HEADER, THROW)[:-2],
            "Line 2: the line is cut off in its middle: the record was not written to its end.",
        ),
        (forged(HEADER, THROW) + "\n", "Line 3: the line is empty: take it out."),
    ],
    ids=["line feed", "cut off", "empty line"],
)
def test_what_an_editor_left_out_or_added_is_named(text: str, why: str) -> None:
    with pytest.raises(RecordError) as found:
        Record.load(text)
    assert found.value.message == why


# Forged records, their chain of hashes in order


def test_the_forger_of_these_tests_writes_what_a_record_is() -> None:
    record = Record.load(forged(HEADER, THROW, {"undo": True}, THROW, {"move": "point 2", "at": DATE}))
    assert list(map(str, record.moves)) == ["throw 1 2 2 3 4 5 6", "point 2"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"record": "diary"}, "no-record"),
        ({"format": 3}, "unknown-format"),
        ({"format": 0}, "unknown-format"),
        ({"format": 10**30}, "unknown-format"),
        ({"format": True}, "damaged-header"),
        ({"format": 1.0}, "damaged-header"),
        ({"format": [1]}, "damaged-header"),
        ({"game": "chess"}, "unknown-game"),
        ({"game": ["crib-dice"]}, "damaged-header"),
        ({"rules": None}, "damaged-header"),
        ({"rules": [["finish", 61]]}, "damaged-header"),
        ({"rules": {"finnish": 61}}, "unknown-option"),
        ({"rules": {"finish": "61"}}, "bad-option"),
        ({"rules": {"finish": 61.0}}, "bad-option"),
        ({"rules": {"finish": 10**40}}, "bad-option"),
        ({"rules": {"finish": {}}}, "bad-option"),
        ({"rules": {"lanes": [[0], [1]]}}, "bad-option"),
        ({"rules": {"lanes": [0, 1, 2]}}, "bad-option"),
        ({"rules": {"edition": ["v2.1"]}}, "bad-option"),
        ({"players": "AB"}, "damaged-header"),
        ({"players": [1, 2]}, "damaged-header"),
        ({"players": {"Ann": 1, "Ben": 2}}, "damaged-header"),
        ({"players": ["Ann", "Ann"]}, "bad-names"),
        ({"players": ["Ann", " "]}, "bad-names"),
        ({"players": ["Ann"]}, "bad-players"),
        ({"players": list("ABCDEFGH")}, "bad-players"),
        ({"date": 20261121}, "damaged-header"),
        ({"versions": ["0.1.0"]}, "damaged-header"),
        ({"versions": {"muggins": 1}}, "damaged-header"),
        ({"cheat": True}, "damaged-header"),
        ({"prev": "0" * 64}, "damaged-header"),
    ],
)
def test_a_forged_header_is_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal(forged({**HEADER, **changes}, THROW)) == (code, 1)


def test_a_record_begun_when_names_could_look_the_same_stays_readable() -> None:
    record = Record.load(forged({**HEADER, "players": ["caf\u00e9", "cafe\u0301"]}, THROW))
    assert len(set(record.header.players)) == 2


@pytest.mark.parametrize("name", sorted(HEADER))
def test_a_header_that_lacks_something_is_refused(name: str) -> None:
    _, line = refusal(forged({key: value for key, value in HEADER.items() if key != name}, THROW))
    assert line == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"move": "point 3"}, "illegal-move"),
        ({"move": "point 2 2"}, "illegal-move"),
        ({"move": "castle"}, "illegal-move"),
        ({"move": f"point {10**40}"}, "unreadable-move"),
        ({"move": "point  2"}, "edited-line"),
        ({"move": "point 02"}, "edited-line"),
        ({"move": "Point 2"}, "unreadable-move"),
        ({"move": ""}, "unreadable-move"),
        ({"move": 2}, "damaged-line"),
        ({"move": ["point", 2]}, "damaged-line"),
        ('{"at":"now"', "damaged-line"),
        ({"undo": False}, "damaged-line"),
        ({"undo": 1}, "damaged-line"),
        ({"undo": True, "move": "point 2"}, "edited-line"),
        ({"undo": True, "seen": {"dice": [1]}}, "edited-line"),
        ({"move": "point 2", "points": 100}, "edited-line"),
        ({"move": "point 2", "at": 5}, "damaged-line"),
        ({"move": "point 2", "at": ""}, "edited-line"),
        ({"move": "point 2", "seen": [2, 2]}, "damaged-line"),
        ({"move": "point 2", "seen": {}}, "edited-line"),
        ({"move": "point 2", "corrected": "yes"}, "damaged-line"),
        ({"end": {"winners": [0], "ranking": [[0], [1]], "lost": [0, 1]}}, "damaged-line"),
        ('{"move":"point 3","move":"point 2"', "edited-line"),
        ('{"move":"point 2","seen":{"sure":1,"sure":2}', "edited-line"),
        ('{"move":"point 2","seen":{"sure":NaN}', "damaged-line"),
        ('{"move":"point 2","seen":{"sure":-Infinity}', "damaged-line"),
        ('{"move":"point 2","seen":{"sure":1e999}', "damaged-line"),
        ('{"move":"point 2","seen":{"sure":1.50}', "edited-line"),
        (f'{{"move":"point 2","seen":{{"sure":{"9" * 5000}}}', "damaged-line"),
        ('{"move":"point 2","seen":{"sure":"\\ud800"}', "edited-line"),
        ('{"move":"point 2", "at":"now"', "edited-line"),
        ('{"move":"\\u0070oint 2"', "edited-line"),
        (f'{{"move":"point 2","seen":{{"a":{"[" * 200_000}{"]" * 200_000}}}', "damaged-line"),
    ],
)
def test_a_forged_line_is_refused(line: dict[str, Any] | str, code: str) -> None:
    assert refusal(forged(HEADER, THROW, line)) == (code, 3)


def test_at_the_depth_where_reading_ends_a_line_is_read_or_refused() -> None:
    # Where that is, Python says, not the record; reading, sealing and playing do not give up at quite the same depth.
    outcomes = [nested(deep) for deep in (*range(1, 1200, 5), 200_000)]
    assert set(outcomes) == {"read", "damaged-line"}
    assert outcomes == sorted(outcomes, reverse=True)


def nested(deep: int) -> str:
    text = forged(HEADER, THROW, f'{{"move":"point 2","seen":{{"a":{"[" * deep}{"]" * deep}}}')
    try:
        loaded = Record.load(text)
    except RecordError as refused:
        return refused.code
    return "read" if loaded.text == text else "changed"


def test_an_undo_of_nothing_is_refused_in_its_line() -> None:
    assert refusal(forged(HEADER, {"undo": True})) == ("nothing-to-undo", 2)
    assert refusal(forged(HEADER, THROW, {"undo": True}, {"undo": True})) == ("nothing-to-undo", 4)


@pytest.mark.parametrize("name", OLD)
def test_a_forged_end_is_refused(name: str) -> None:
    lines = [
        {key: value for key, value in json.loads(line).items() if key not in ("prev", "hash")} for line in split(name)
    ]
    assert forged(*lines) == written(name)
    end = lines[-1]["end"]
    for cheat in ({**end, "winners": [0, 1]}, {**end, "lost": [0] * len(end["lost"])}, {**end, "by": "me"}, {}, None):
        assert refusal(forged(*lines[:-1], {"end": cheat})) == ("wrong-end", len(lines))
    assert refusal(forged(*lines[:-1], lines[-2], lines[-1]))[0] == "wrong-end"
    assert refusal(forged(*lines, {"move": str(Record.load(written(name)).moves[-1])})) == (
        "illegal-move",
        len(lines) + 1,
    )
    assert refusal(forged(*lines, lines[-1])) == ("damaged-line", len(lines) + 1)


def test_names_that_cannot_be_told_apart_or_written_are_refused() -> None:
    rules = GAMES["crib-dice"].rules()
    for names in (("Ann", "Ann"), ("Ann", "\t"), ("Ann", "\ud83c")):
        with pytest.raises(RecordError) as refused:
            Record.begin(Header("crib-dice", rules, names, DATE))
        assert (refused.value.code, refused.value.line) == ("bad-names", 0)
