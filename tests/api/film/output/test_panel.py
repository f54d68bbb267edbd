from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from api.film.commentary import panel
from api.film.output.captions import chapter_list, subtitles
from api.film.output.movie import Chapter
from api.film.output.panel import Panel, Side, draw_panel, fits_better_above, latest
from api.film.output.piece_pictures import piece_picture, tidy
from api.film.reporter import roll_text
from tests.api.film.films import roll
from tests.api.table import d6, d12, reading, tile
from vision.reading import Reading
from vision.watch.events import Piece

SIDES = (Side("Ann", 45, 8, acting=True), Side("Benjamin Alexander the Third of Somewhere", 30), Side("Cy", 7))
SAID = (
    "Ann counts fifteen two, fifteen four and a pair is six.",
    "Ann stops and pegs six, which is a long story to tell.",
)


def drawn(what: Panel, size: tuple[int, int]) -> np.ndarray:  # type: ignore[type-arg]
    picture = Image.new("RGBA", size)
    draw_panel(what, picture)
    return np.asarray(picture)


@pytest.mark.parametrize("size", [(1920, 1080), (640, 360), (320, 240), (360, 640), (1080, 1920), (120, 160)])
@pytest.mark.parametrize("sides", [(), SIDES[:2], SIDES * 2])
def test_the_panel_lies_below_and_inside_at_any_size(size: tuple[int, int], sides: tuple[Side, ...]) -> None:
    pieces = tuple(Piece(place, d6(place % 6 + 1), place < 5) for place in range(7))
    alpha = drawn(Panel("Roll 1", "", pieces, False, SAID, sides), size)[..., 3]
    rows, columns = np.flatnonzero(alpha.any(axis=1)), np.flatnonzero(alpha.any(axis=0))
    assert rows[0] > size[1] * (0.5 if size[0] > size[1] else 0.4)
    assert rows[-1] < size[1] - 1
    assert columns[0] > 0
    assert columns[-1] < size[0] - 1


def seen_at(*places: tuple[float, float]) -> Reading:
    """Dice of 20 pixels in a film of 640 by 480."""
    boxes = [((x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20)) for x, y in places]
    return reading(*(replace(d6(5), box=box) for box in boxes))


@pytest.mark.parametrize("sides", [(), SIDES[:2]])
@pytest.mark.parametrize(
    ("places", "above"),
    [
        ([(300, 220), (100, 40)], False),
        ([(300, 220), (100, 440)], True),
        ([(100, 440), (500, 440), (100, 40)], True),
        ([(100, 440), (100, 20), (500, 20)], False),
        ([(100, 440), (100, 20)], False),
    ],
    ids=["free", "below", "more-below", "more-above", "as-many"],
)
def test_the_panel_goes_up_where_it_covers_fewer_dice(
    places: list[tuple[float, float]], above: bool, sides: tuple[Side, ...]
) -> None:
    panel = Panel("Roll 1", "", (), False, SAID, sides)
    assert fits_better_above(panel, seen_at(*places)) is above


@pytest.mark.parametrize("size", [(1920, 1080), (360, 640)])
def test_above_it_is_the_same_panel(size: tuple[int, int]) -> None:
    below, above = (Image.new("RGBA", size) for _ in range(2))
    panel = Panel("Roll 1", "", tuple(Piece(0, d6(4), True) for _ in range(3)), False, SAID, SIDES)
    draw_panel(panel, below)
    draw_panel(panel, above, above=True)
    parts = [picture.crop(picture.getbbox()) for picture in (below, above)]
    assert parts[0].tobytes() == parts[1].tobytes()
    box = above.getbbox()
    assert box
    assert box[1] < size[1] * 0.03


def test_six_players_and_a_dozen_tiles_find_room() -> None:
    pieces = tuple(Piece(place, tile(f"{place % 7}-6"), True) for place in range(24))
    one, many = (
        drawn(Panel("Roll 1", "", shown, False, SAID, SIDES * 2), (640, 360)) for shown in (pieces[:1], pieces)
    )
    # What lies right of the pieces' panel, the score, is the same for any pieces.
    assert (one[:, 420:] == many[:, 420:]).all()
    assert (one != many).any()


@pytest.mark.parametrize("size", [(640, 360), (360, 640)])
@pytest.mark.parametrize("count", [7, 8, 12])
def test_every_one_of_many_players_is_shown(size: tuple[int, int], count: int) -> None:
    names = [Side(f"Player {number}", 10 + number) for number in range(count)]
    whole = drawn(Panel("Roll 1", "", (), False, SAID, tuple(names)), size)
    for place, side in enumerate(names):
        more = (*names[:place], Side(side.name, side.score, 5, True), *names[place + 1 :])
        assert (drawn(Panel("Roll 1", "", (), False, SAID, more), size) != whole).any(), side.name


def test_whose_turn_it_is_and_a_doubt_can_be_seen() -> None:
    calm, other, doubtful = (
        drawn(
            Panel("Roll 1", "", (), doubt, (), (Side("Ann", 1, 0, acting), Side("Ben", 2, 0, not acting))), (640, 360)
        )
        for doubt, acting in ((False, True), (False, False), (True, True))
    )
    assert (calm != other).any()
    assert (calm != doubtful).any()


def test_every_value_looks_different_and_what_lay_there_is_duller() -> None:
    faces = [
        piece_picture(Piece(0, die, True), 40).tobytes() for die in [*map(d6, range(1, 7)), *map(d12, range(1, 13))]
    ]
    assert len(set(faces)) == 18
    new, old = (np.asarray(piece_picture(Piece(0, d6(1), thrown), 40).convert("L")) for thrown in (True, False))
    assert new[8, 8] > old[8, 8]
    assert (
        piece_picture(Piece(0, d12(3, starter=True), True), 40).tobytes()
        != piece_picture(Piece(0, d12(3), True), 40).tobytes()
    )
    assert piece_picture(Piece(0, tile("3-5"), True), 40).size == (20, 40)


def test_three_rows_of_pieces_stay_inside() -> None:
    """A narrow panel without a score, and more tiles than two rows can hold."""
    pieces = tuple(Piece(place, tile("6-6"), True) for place in range(45))
    picture = drawn(Panel("Roll 1", "", pieces, False, SAID, ()), (360, 640))
    ivory = (picture[..., :3].min(axis=2) > 200) & (picture[..., 3] > 0)
    rows, columns = np.flatnonzero(ivory.sum(axis=1) > 60), np.flatnonzero(ivory.any(axis=0))
    assert columns[-1] < 360 - 10
    assert len([row for row in rows if row - 1 not in rows]) >= 3


def test_a_roll_is_tidy_whatever_the_order_it_was_found_in() -> None:
    pieces = [(6, True), (5, False), (1, True), (2, False), (3, True)]
    shown = tidy([Piece(place, d6(value), thrown) for place, (value, thrown) in enumerate(pieces)])
    assert [(each.piece.value, each.thrown) for each in shown] == [  # type: ignore[union-attr]
        (1, True),
        (3, True),
        (6, True),
        (2, False),
        (5, False),
    ]
    assert roll_text(roll(1, 5, (6, 1, 3), (5, 2))) == "1 3 6, beside 2 5"


def test_tiles_stay_in_the_order_they_were_found_in() -> None:
    shown = tidy([Piece(0, tile("6-5"), True), Piece(1, tile("1-0"), True), Piece(2, d6(4), True)])
    assert [each.id for each in shown] == [2, 0, 1]


def test_where_not_all_fits_the_last_sentences_are_said() -> None:
    said = ("Ann has three 2s.", "Ann throws 1-2.", "Ann has four 2s.")
    assert latest(said, lambda text: len(text) <= 80) == " ".join(said)
    assert latest(said, lambda text: len(text) <= 33) == "Ann throws 1-2. Ann has four 2s."
    assert latest(said, lambda text: len(text) <= 5) == "Ann has four 2s."
    assert latest((), lambda text: True) == ""


def test_a_subtitle_is_two_lines_of_what_happened_at_most() -> None:
    said = tuple(f"This is sentence number {number}, which is of no use." for number in range(9))
    block = subtitles([(0.0, Panel("Roll 1", "1 2", (), False, said))], 9.0)
    assert block.splitlines()[2:] == ["1 2", said[-1]]


def test_what_is_said_of_a_roll_leaves_its_doubts_to_the_mark() -> None:
    what = panel(roll(3, 5, (1, 2), (5,)), ["Ann counts two."], None)
    assert (what.title, what.shown, what.said, what.sides) == ("Roll 3", "1 2, beside 5", ("Ann counts two.",), ())


def test_subtitles_last_six_seconds_at_most_and_never_run_into_each_other() -> None:
    panels = [Panel("Roll 1", "1 2", (), False, ("Ann counts two.",), SIDES[:1]), Panel("Roll 2", "5")]
    assert subtitles([(1.5, panels[0]), (3661.25, panels[1])], 3663.0) == (
        "1\n00:00:01,500 --> 00:00:07,500\n1 2\nAnn counts two.\nAnn 45 +8\n\n2\n01:01:01,250 --> 01:01:03,000\n5\n"
    )


def test_chapters_are_a_line_each() -> None:
    assert chapter_list([Chapter(0, 65.5, "Ann"), Chapter(65.5, 90, "Ben")]) == "00:00 Ann\n01:05 Ben\n"


def test_a_name_as_long_as_a_line_stays_in_its_panel() -> None:
    short, long = (
        drawn(Panel("Roll 1", "", (), False, (f"{name} throws 1-2.",), SIDES), (640, 360)) for name in ("A", "A" * 200)
    )
    assert (short[:, 420:] == long[:, 420:]).all(), "the score is written over"
    assert (short != long).any()


def test_an_english_sentence_about_a_name_written_from_the_right_is_read_from_the_left() -> None:
    open_end, full_stop = (
        drawn(Panel("Roll 1", "", (), False, (said,), ()), (640, 360)) for said in ("אבג has twelve", "אבג has twelve.")
    )
    changed = np.flatnonzero((open_end != full_stop).any(axis=(0, 2)))
    assert changed.size
    assert changed[0] > 60, "the full stop is at the left"
