"""Whole games that nobody taps: films of a table before the camera of a real browser, read by the real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.hands_free import Journey
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones
from tests.e2e.test_whole_games import verified
from tests.e2e.throws import Film

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


@pytest.mark.parametrize(
    ("game", "finish", "seed", "throws"), [("crib-dice", "21", 1, 16), ("farkle-crib", "31", 2, 21)]
)
def test_a_whole_game_is_scored_by_a_camera_and_its_taps_are_counted(
    game: str, finish: str, seed: int, throws: int, filmed: Phones, film: Film, tmp_path: Path
) -> None:
    """What no throw shows is tapped: the choices after the last one. A reading in doubt may want one tap more."""
    journey = Journey(filmed, film, game, {"finish": finish}, seed)
    played = journey.play()
    assert played.throws == throws
    assert played.record.result is not None
    assert played.taps == played.why.total()
    assert played.why["choice"] <= 2
    assert played.why["check"] <= 1
    laid = [entry for entry in played.record.entries if entry.move and journey.game.laid_by(entry.move)]
    assert len(laid) == throws
    assert all(entry.seen for entry in laid)
    verified(journey.hand, tmp_path)
