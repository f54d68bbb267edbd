from pathlib import Path

from datasets.photos import Box, Labelled
from datasets.probe import Tally, by_size
from vision.reading import Die, Reading


def die(left: float, top: float, side: float, value: int) -> Die:
    right, bottom = left + side, top + side
    return Die(value, 1.0, ((value, 1.0),), ((left, top), (right, top), (right, bottom), (left, bottom)), "white")


def test_dice_are_counted_by_their_width():
    picture = Labelled(
        Path("p.jpg"),
        "renders",
        (
            Box(0, 0, 20, 20, 3),  # found and right
            Box(100, 100, 120, 120, 4),  # found and misread
            Box(200, 200, 220, 220, None),  # not found, not readable
            Box(300, 300, 800, 800, 6),  # large, not found
            Box(900, 900, 950, 950, 0),  # no pip die
        ),
    )
    reading = Reading("p.jpg", "0" * 64, 1000, 1000, (die(1, 1, 20, 3), die(100, 100, 20, 5)), (), {}, {})
    tallies = by_size([(picture, reading)])
    assert tallies[0.03] == Tally(dice=3, found=2, readable=2, right=1)
    assert tallies[1.0] == Tally(dice=1, found=0, readable=1, right=0)
    assert sum(tally.dice for tally in tallies.values()) == 4
