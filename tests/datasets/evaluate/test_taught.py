"""Which photos of a set are shown to a profile: by chance, and as people do who are asked for what is missing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from datasets.evaluate.taught import Measuring, Observation, Source, as_asked, by_chance, can_be_asked, something_else
from datasets.labels.truth import Truth
from vision.classify.crop_network import Seen
from vision.photo import Photo
from vision.taught.pieces import TaughtKind, TaughtPiece
from vision.taught.profile import Profile

BOX = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def photo(name: str, *values: int, kind: TaughtKind = "d6") -> Observation:
    pieces = [TaughtPiece(kind, (value,), BOX, b"", name, (float(at), 0.0)) for at, value in enumerate(values)]
    nothing = cast("Seen", None)
    return Observation(cast("Truth", None), cast("Photo", None), [], nothing, nothing, pieces)


def test_the_photo_with_the_most_sides_that_were_not_shown_comes_next() -> None:
    source = Source(
        "own", [photo("a", 1, 1), photo("b", 1, 2), photo("c", 3, 4, 5), photo("d", 6), photo("e", 2, 2, 6)]
    )
    assert as_asked(source, [0, 1, 2, 3, 4]) == [0, 2, 4, 1, 3]
    assert as_asked(source, [4, 3, 2, 1, 0]) == [4, 2, 1, 3, 0]
    assert by_chance(source, [4, 3, 2, 1, 0]) == [4, 3, 2, 1, 0]


def test_sides_of_dice_and_ends_of_tiles_are_asked_for() -> None:
    assert can_be_asked(Source("dice", [photo("a", 1)]))
    assert not can_be_asked(Source("nothing", [photo("a"), photo("b")]))
    tile = TaughtPiece("domino", (1, 2), BOX, b"", "a")
    shown = photo("a")
    shown.shown.append(tile)
    assert can_be_asked(Source("tiles", [shown]))


def test_photos_of_another_set_are_shown_with_what_lies_on_the_right_ones() -> None:
    own = Source("own", [photo("a", 1, 2), photo("b", 3), photo("c", 4), photo("d", 5)])
    other = Source("other", [photo("x", 6, 6), photo("y", 6, 6, 6)])
    measuring = Remembering()
    found = something_else(cast("Measuring", measuring), own, other)
    (profile,) = measuring.profiles
    values = [piece.shows[0] for piece in profile.pieces]
    (left,) = measuring.read_with_it
    assert sorted([*values, *(piece.shows[0] for piece in left.shown)]) == [1, 2, 3, 4, 5]
    assert {piece.photo for piece in profile.pieces} <= {"x", "y"}
    assert (found["photos"], found["noticed"], found["exact_before"], found["exact"]) == (1, 2, 1, 0)


class Remembering:
    """In place of the networks: what is said about them is remembered."""

    def __init__(self) -> None:
        self.profiles: list[Profile] = []
        self.read_with_it: list[Observation] = []

    def taught(self, profiles: list[Profile]) -> Remembering:
        self.profiles += profiles
        return self

    def contradicted(self) -> list[str]:
        return ["one", "another"]

    def read(self, seen: Observation, taught: Remembering | None) -> Any:
        self.read_with_it += [seen] if taught else []
        return SimpleNamespace(exact=taught is None, silent=False)
