"""What people are told while they teach."""

from __future__ import annotations

import pytest

from api.interpret.teaching import not_shown
from vision.taught.pieces import TaughtKind, TaughtPiece
from vision.taught.profile import Profile

BOX = ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0))


def shown(kind: TaughtKind, *sides: tuple[int, ...]) -> Profile:
    return Profile("own", tuple(TaughtPiece(kind, side, BOX, b"") for side in sides))


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        (shown("d6", (1,), (2,), (3,), (4,), (6,)), "5. Turn a die to it: one more photo is enough."),
        (shown("d6", (1,), (2,), (3,), (4,)), "5, 6. Turn your dice to them: 2 more photos are enough."),
        (shown("domino", (0, 1), (2, 3), (4, 5)), "6. Lay down a tile that has it: one more photo is enough."),
        (shown("domino", (0, 1), (2, 3)), "4, 5, 6. Lay down tiles that have them: 3 more photos are enough."),
    ],
)
def test_the_sides_that_are_missing_are_named_with_what_to_do(profile: Profile, said: str) -> None:
    assert said in not_shown(profile)
