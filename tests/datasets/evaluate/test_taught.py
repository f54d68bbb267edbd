"""Which photos of a set are shown to a profile: by chance, and as people do who are asked for what is missing."""

from __future__ import annotations

from typing import cast

from datasets.evaluate.taught import Observation, Source, as_asked, by_chance, has_dice
from datasets.labels.truth import Truth
from vision.classify.dice import Seen
from vision.photo import Photo
from vision.taught.pieces import TaughtKind, TaughtPiece

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


def test_only_sides_of_dice_are_asked_for() -> None:
    assert has_dice(Source("dice", [photo("a", 1)]))
    assert not has_dice(Source("nothing", [photo("a"), photo("b")]))
    tile = TaughtPiece("domino", (1, 2), BOX, b"", "a")
    shown = photo("a")
    shown.shown.append(tile)
    assert not has_dice(Source("tiles", [shown]))
