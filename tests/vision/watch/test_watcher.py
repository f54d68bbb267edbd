"""The watcher on little films, with the real networks: what is thrown is a roll, once, and nothing else is."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import cv2
import numpy as np
import pytest

import vision
from models import load_manifest
from scorer.engine.expected import pieces
from tests.vision.watch.table_film import BURNT, Film, PlacedDie
from vision.candidate import Candidate
from vision.expected import Expected
from vision.photo import Photo
from vision.reader import TableReader
from vision.reading import Die, Point
from vision.watch.watcher import Change, Roll, Watcher

VISION = Path(vision.__file__).parent
FIVE, THREE, SIX = PlacedDie(5, 80, 60, 20), PlacedDie(3, 160, 100, 50), PlacedDie(6, 90, 140, 10)


class Remembering(TableReader):
    """What the networks make of a frame, remembered in a file: they look at it once, until they or their code change."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        # Written by an earlier run of these tests, in pytest's own cache.
        self._known: dict[tuple[str, int], list[Candidate]] = pickle.loads(file.read_bytes()) if file.exists() else {}

    def remember(self) -> None:
        """Write what is known, in place of what other networks made of the films."""
        for old in self._file.parent.iterdir():
            old.unlink()
        self._file.write_bytes(pickle.dumps(self._known))

    def candidates(
        self, photo: Photo, expected: Expected | None = None, *, always_twice: bool = True
    ) -> list[Candidate]:
        look = partial(super().candidates, photo, expected, always_twice=always_twice)
        return self._remembered((photo.sha256, 3 + always_twice), look)

    def candidates_near(self, photo: Photo, known: Sequence[Candidate]) -> list[Candidate]:
        return self._remembered((photo.sha256, 2), lambda: super(Remembering, self).candidates_near(photo, known))

    def candidates_fast(self, photo: Photo, turn: int) -> list[Candidate]:
        return self._remembered((photo.sha256, turn % 2), lambda: super(Remembering, self).candidates_fast(photo, turn))

    def _remembered(self, key: tuple[str, int], look: Callable[[], list[Candidate]]) -> list[Candidate]:
        if key not in self._known:
            self._known[key] = look()
        return self._known[key]


def _networks_and_code() -> str:
    """A hash of the networks and of everything between a frame and its candidates."""
    code = (file.read_bytes() for file in sorted(VISION.rglob("*.py")) if file.parent.name != "watch")
    networks = json.dumps(load_manifest().hashes, sort_keys=True).encode()
    return hashlib.sha256(b"".join((networks, *code))).hexdigest()


@pytest.fixture(scope="module")
def reader(request: pytest.FixtureRequest) -> Iterator[TableReader]:
    folder = kept.mkdir("watched-films") if (kept := getattr(request.config, "cache", None)) else Path(mkdtemp())
    remembering = Remembering(folder / f"{_networks_and_code()}.pickle")
    yield remembering
    remembering.remember()


def thrown() -> Film:
    """A bare table, then three dice that are thrown on it."""
    return Film().rest(0.4).throw(FIVE, THREE, SIX).rest()


def events(film: Film, watcher: Watcher) -> list[Change | Roll]:
    return [*(event for frame in film for event in watcher.see(frame)), *watcher.finish()]


def rolls(film: Film, reader: TableReader) -> list[Roll]:
    return [event for event in events(film, Watcher(reader)) if isinstance(event, Roll)]


def values(roll: Roll) -> tuple[list[int], list[int]]:
    return sorted(roll.thrown), sorted(roll.still)


def ids(roll: Roll) -> dict[int, int]:
    return {each.piece.value: each.id for each in roll.pieces if isinstance(each.piece, Die)}


def test_a_throw_is_told_once_with_the_states_around_it(reader: TableReader) -> None:
    film = thrown()
    told = events(film, Watcher(reader))
    states = [event.state if isinstance(event, Change) else "roll" for event in told]
    assert states == ["rolling", "settled", "roll", "counted"]
    roll = told[2]
    assert isinstance(roll, Roll)
    assert values(roll) == ([3, 5, 6], [])
    assert roll.reading.sure
    assert 8 + 14 <= roll.frame + 1 < roll.counted_frame < 8 + 14 + 10
    assert Roll.from_json(roll.to_json()).to_json() == roll.to_json()


def test_frames_prepared_ahead_tell_the_same(reader: TableReader) -> None:
    film = thrown().reach((160, 100)).rest()
    watcher = Watcher(reader)
    ahead = [*(event for frame in [*watcher.prepared(film)] for event in watcher.see(frame)), *watcher.finish()]
    assert ahead == events(film, Watcher(reader))


def test_a_hand_over_counted_pieces_is_told_and_one_beside_them_is_not(reader: TableReader) -> None:
    over, beside = thrown().reach((160, 100)).rest(), thrown().reach((235, 60)).rest()
    for film, touched in ((over, True), (beside, False)):
        told = [event.state for event in events(film, Watcher(reader)) if isinstance(event, Change)]
        assert told == ["rolling", "settled", "counted", *(["touched", "counted"] if touched else [])]


def test_nothing_is_read_while_nothing_happens(reader: TableReader) -> None:
    watcher, film = Watcher(reader), thrown()
    events(film, watcher)
    before = watcher.read
    for frame in Film(seed=2).rest(0.0).frames or film.rest(2.0):
        watcher.see(replace(frame, number=watcher.seen, time=watcher.seen / 20))
    assert watcher.seen > 100
    assert watcher.read - before <= 16  # the film is shown anew, with its throw; two seconds more cost nothing


def picked_up_one_by_one(film: Film) -> None:
    for _ in range(3):
        film.pick_up(0)
        film.rest(0.4)


def picked_up_and_put_back(film: Film) -> None:
    die = film.pick_up(1)
    film.rest(0.4).put_down(die.to(die.x + 10, die.y - 6))


def set_aside(film: Film) -> None:
    die = film.pick_up(1)
    film.put_down(die.to(280, 40))


@pytest.mark.parametrize(
    "happens",
    [
        lambda film: film.reach((160, 100)).rest(0.4).reach((90, 150)),
        lambda film: film.push(1, (28, -10)),
        lambda film: film.push(1, (28, -10), becomes=1),
        lambda film: film.light(1.5, 0.3).rest(0.6).light(0.6),
        lambda film: film.bump(7, 5),
        lambda film: film.bump(-26, 22),
        picked_up_one_by_one,
        picked_up_and_put_back,
        set_aside,
    ],
    ids=["hands", "nudge", "nudge-turns-it-over", "light", "bump", "large-bump", "picked-up", "put-back", "set-aside"],
)
def test_nothing_but_a_throw_is_a_roll(reader: TableReader, happens: Callable[[Film], object]) -> None:
    film = thrown()
    happens(film)
    film.rest(0.7)
    found = rolls(film, reader)
    assert [values(roll) for roll in found] == [([3, 5, 6], [])]


def test_dice_set_aside_are_the_same_dice(reader: TableReader) -> None:
    film = thrown()
    set_aside(film)
    film.rest(0.6)
    film.pick_up(0)
    film.pick_up(0)
    film.rest(0.3).throw(PlacedDie(2, 90, 90, 5), PlacedDie(1, 170, 150, 30)).rest()
    first, second = rolls(film, reader)
    assert values(second) == ([1, 2], [3])
    assert ids(second)[3] == ids(first)[3]
    assert set(ids(second).values()) == set(ids(first).values())


@pytest.mark.parametrize(("shows", "again"), [(5, []), (2, [([2], [1, 3, 6])])], ids=["as-before", "another-face"])
def test_one_of_the_dice_set_aside_may_seem_to_come_alone(
    reader: TableReader, shows: int, again: list[tuple[list[int], list[int]]]
) -> None:
    """Three go to the edge under a hand; the fourth moves there, too, and nothing is seen of the hand that has it."""
    film = Film().rest(0.4).throw(FIVE, THREE, SIX, PlacedDie(1, 220, 60, 30)).rest()
    for to in ((290, 30), (290, 80), (290, 130)):
        film.put_down(film.pick_up(1).to(*to))
    (last,) = [die for die in film.dice if die.value == 5]
    film.dice.remove(last)
    for step in range(12):
        film.add((replace(last, value=shows, x=last.x + 16 * step, y=last.y + 10 * step),), above=True)
    film.dice.append(replace(last, value=shows, x=last.x + 176, y=last.y + 130))
    film.rest()
    assert [values(roll) for roll in rolls(film, reader)] == [([1, 3, 5, 6], []), *again]


def test_one_die_thrown_again_that_shows_the_same(reader: TableReader) -> None:
    film = thrown()
    film.pick_up(0)
    film.rest(0.3).throw(PlacedDie(5, 210, 160, 10)).rest()
    first, second = rolls(film, reader)
    assert values(second) == ([5], [3, 6])
    assert ids(second) == ids(first)


@pytest.mark.parametrize("lands", [PlacedDie(5, 196, 108, 10), PlacedDie(5, 250, 60, 10)], ids=["near", "far"])
def test_a_die_snatched_and_thrown_at_once_is_a_roll_if_its_value_changed(
    reader: TableReader, lands: PlacedDie
) -> None:
    film = Film().rest(0.4).throw(THREE).rest()
    film.snatch(0, lands).rest()
    assert [values(roll) for roll in rolls(film, reader)] == [([3], []), ([5], [])]


def test_dice_that_come_one_after_the_other_are_one_roll(reader: TableReader) -> None:
    film = Film().rest(0.4)
    for die in (FIVE, THREE, SIX):
        film.throw(die).rest(0.1)
    film.rest()
    assert [values(roll) for roll in rolls(film, reader)] == [([3, 5, 6], [])]


def test_a_roll_that_a_hand_hides_is_counted_when_the_hand_is_gone(reader: TableReader) -> None:
    film = Film().rest(0.4).throw(FIVE, THREE, SIX)

    def stay(tip: tuple[float, float]) -> None:
        for _ in range(20):
            film.add(hand=tip)

    film.reach((90, 120), stay).rest()
    (roll,) = rolls(film, reader)
    assert values(roll) == ([3, 5, 6], [])
    assert roll.counted_frame > 8 + 14 + 8 + 20


def test_dice_are_counted_though_a_hand_comes_at_once_to_take_them(reader: TableReader) -> None:
    film = Film().rest(0.4).throw(FIVE, THREE, SIX).rest(0.2)
    film.reach((170, 110), lambda _: film.dice.clear()).rest()
    (roll,) = rolls(film, reader)
    assert values(roll) == ([3, 5, 6], [])


def test_a_hand_before_the_whole_picture_takes_no_dice(reader: TableReader) -> None:
    film = thrown()
    table = film.frames[-1]
    film.reach((160, 30))
    film.frames += [cv2.GaussianBlur(np.roll(table[::-1], 90, 1) // 3, (0, 0), 9)] * 16
    film.reach((160, 30)).rest()
    assert [values(roll) for roll in rolls(film, reader)] == [([3, 5, 6], [])]


@pytest.mark.parametrize("frames", [6, 8])
def test_a_hand_that_stops_where_the_throwing_one_was_takes_no_dice(reader: TableReader, frames: int) -> None:
    """What lies where something lay a while ago is light on the table, unless the table was counted without it in between."""
    film = Film().rest(0.3)

    def hold(tip: Point, frames: int = 8) -> None:
        for _ in range(frames):
            film.add(hand=tip)

    film.reach((130, 60), hold).throw(FIVE, THREE, SIX).rest(0.5)
    film.reach((130, 60), lambda tip: hold(tip, frames)).rest(0.6)
    assert [values(roll) for roll in rolls(film, reader)] == [([3, 5, 6], [])]


class Overlooking(TableReader):
    """A reader that after its first samples detects nothing on the left half of the table."""

    def candidates(
        self, photo: Photo, expected: Expected | None = None, *, always_twice: bool = True
    ) -> list[Candidate]:
        return self._less(super().candidates(photo, expected, always_twice=always_twice), photo)

    def candidates_near(self, photo: Photo, known: Sequence[Candidate]) -> list[Candidate]:
        return self._less(super().candidates_near(photo, known), photo)

    def _less(self, found: list[Candidate], photo: Photo) -> list[Candidate]:
        early = int(photo.name.split()[1]) < len(thrown().frames)
        return [each for each in found if early or each.detection.left > photo.width / 2]


def test_a_die_that_lies_still_and_is_overlooked_lies_there_still() -> None:
    film = thrown()
    film.pick_up(1)
    film.rest(0.3).throw(PlacedDie(1, 220, 80, 5)).rest()
    film.pick_up(0)
    film.pick_up(0)
    film.rest(0.3).throw(PlacedDie(2, 240, 150, 30)).rest()
    assert [values(roll) for roll in rolls(film, Overlooking())] == [([3, 5, 6], []), ([1], [5, 6]), ([2], [1])]


FOUR = (PlacedDie(2, 80, 60, 20), PlacedDie(5, 180, 90, 40), PlacedDie(6, 120, 160, 75), PlacedDie(3, 230, 170, 10))


@pytest.mark.parametrize(("light", "noise", "sure"), [(0.3, 11, True), (0.2, 8, False)])
def test_a_throw_in_a_dim_room_is_read_in_the_mean_of_its_frames(light: float, noise: float, sure: bool) -> None:
    reader = TableReader(expected=pieces("d6"))
    (roll,) = rolls(Film(noise=noise).light(light).rest(0.4).throw(*FOUR).rest(1.0), reader)
    assert sorted(roll.reading.values) == [2, 3, 5, 6]
    assert roll.reading.sure or not sure


@pytest.mark.parametrize("burnt", [PlacedDie(BURNT, 220, 80, 5), PlacedDie(BURNT, 240, 150, 30)])
def test_a_die_that_rolled_and_that_nobody_can_read_is_a_roll_to_look_at(reader: TableReader, burnt: PlacedDie) -> None:
    film = thrown().throw(burnt).rest()
    film.pick_up(0)
    first, second, third = rolls(film.rest(0.3).throw(FIVE).rest(), reader)
    assert values(first) == ([3, 5, 6], [])
    (guess,) = second.thrown
    assert [doubt.message for doubt in second.reading.doubts] == [
        f"What this die shows cannot be read; {guess} is a guess."
    ]
    # It stays on the table.
    assert values(third) == ([5], sorted([3, 6, guess]))


def test_what_lies_there_at_the_beginning_and_cannot_be_read_is_no_roll(reader: TableReader) -> None:
    film = Film()
    film.dice = [PlacedDie(BURNT, 220, 80, 5)]
    (roll,) = rolls(film.rest().throw(FIVE).rest(), reader)
    assert values(roll) == ([5], [])


def test_dice_that_lie_there_at_the_beginning_are_a_roll(reader: TableReader) -> None:
    film = Film()
    film.dice = [FIVE, SIX]
    (roll,) = rolls(film.rest(), reader)
    assert values(roll) == ([5, 6], [])
    assert roll.frame == 0


def test_what_lies_there_at_the_beginning_and_is_in_doubt_is_no_roll(reader: TableReader) -> None:
    film = Film()
    film.dice = [FIVE, PlacedDie(6, 5, 140, 10)]  # which is cut off
    film.rest().throw(THREE).rest()
    (roll,) = rolls(film, reader)
    assert roll.thrown == (3,)


def test_a_source_that_ends_early_is_counted(reader: TableReader) -> None:
    film = Film().rest(0.4).throw(FIVE, SIX).rest(0.2)
    assert [values(roll) for roll in rolls(film, reader)] == [([5, 6], [])]


def test_gone_on_after_an_interruption(reader: TableReader) -> None:
    film = thrown()
    (roll,) = rolls(film, reader)
    resumed = Watcher.resumed(reader, [roll])
    film.pick_up(0)
    film.rest(0.3).throw(PlacedDie(1, 210, 160, 10)).rest()
    rest = list(film)[roll.counted_frame + 1 :]
    told = [event for frame in rest for event in resumed.see(frame) if isinstance(event, Roll)]
    assert [(each.number, values(each)) for each in told] == [(2, ([1], [3, 6]))]
    assert ids(told[0])[3] == ids(roll)[3]


def test_thrown_while_nobody_watched(reader: TableReader) -> None:
    """A server that starts again finds a table on which others lie: what it cannot know is asked, not lost."""
    first, film = rolls(thrown(), reader)[0], Film()
    film.dice = [PlacedDie(2, 120, 90, 5), PlacedDie(6, 200, 150, 30)]
    watcher = Watcher.resumed(reader, [first])
    (roll,) = [each for each in events(film.rest(), watcher) if isinstance(each, Roll)]
    assert (roll.number, values(roll)) == (2, ([2, 6], []))
    assert [doubt.reason for doubt in roll.reading.doubts] == ["unseen-throw"]


def test_a_table_is_cleared(reader: TableReader) -> None:
    film = thrown()
    picked_up_one_by_one(film)
    watcher = Watcher(reader)
    told = events(film.rest(0.5), watcher)
    assert isinstance(told[-1], Change)
    assert (told[-1].state, watcher.state, watcher.pieces) == ("cleared", "cleared", ())


def test_a_table_that_was_cleared_is_thrown_on_again(reader: TableReader) -> None:
    film = thrown()
    picked_up_one_by_one(film)
    film.throw(PlacedDie(2, 120, 90, 5), PlacedDie(6, 200, 150, 30)).rest()
    assert [values(roll) for roll in rolls(film, reader)] == [([3, 5, 6], []), ([2, 6], [])]


def test_a_roll_is_counted_though_a_hand_lay_at_the_edge_before(reader: TableReader) -> None:
    film = Film().rest(0.3)

    def wait(tip: tuple[float, float]) -> None:
        for _ in range(75):
            film.add(hand=tip)

    film.reach((250, 200), wait).throw(FIVE, THREE).rest()
    assert [values(roll) for roll in rolls(film, reader)] == [([3, 5], [])]
