import math
from pathlib import Path

from datasets.evaluate.probe import Tally, by_size
from datasets.labels.truth import Piece, Truth
from vision.reading import Die, Quad, Reading, Tile


def square(left: float, top: float, side: float) -> Quad:
    right, bottom = left + side, top + side
    return (left, top), (right, top), (right, bottom), (left, bottom)


def die(left: float, top: float, side: float, value: int) -> Die:
    return Die(value, 1.0, ((value, 1.0),), square(left, top, side), "white")


def test_pieces_are_counted_by_kind_and_size():
    def lying(left: float, side: float, value: int) -> Piece:
        return Piece("d6", (value,), outline=square(left, left, side))

    picture = Truth(
        Path("p.jpg"),
        "p.jpg",
        "renders",
        "renders",
        pieces=(
            lying(0, 20, 3),  # found and right
            lying(100, 20, 4),  # found and misread
            lying(300, 500, 6),  # large, not found
            Piece("domino", (1, 2), outline=((0, 900), (90, 900), (90, 945), (0, 945))),  # a die was read there
            Piece("domino", (1, 2), outline=((200, 900), (290, 900), (290, 945), (200, 945))),  # found and right
        ),
        unclear=(lying(200, 20, 1),),  # not found, not readable
    )
    dice = (die(1, 1, 20, 3), die(100, 100, 20, 5), die(20, 910, 30, 1))
    tile = Tile((2, 1), 1.0, (), ((201, 901), (291, 901), (291, 946), (201, 946)))
    tallies = by_size([(picture, Reading("p.jpg", "0" * 64, 1000, 1000, dice, (), {}, {}, (tile,)))])
    assert tallies["d6", 0.03] == Tally(pieces=3, found=2, readable=2, right=1)
    assert tallies["d6", math.inf] == Tally(pieces=1, found=0, readable=1, right=0)
    assert tallies["domino", 0.1] == Tally(pieces=2, found=1, readable=2, right=1)
    assert sum(tally.pieces for tally in tallies.values()) == 6
