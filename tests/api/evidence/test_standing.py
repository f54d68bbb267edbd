"""What stands is the same from the first move and from the last, however often is undone."""

from __future__ import annotations

from random import Random

import pytest

from api.evidence.throws import standing, standing_from_last
from scorer.engine.record import Header, Record
from scorer.games.registry import GAMES
from tests.scorer.randomly import random_move


@pytest.mark.parametrize("seed", range(20))
def test_from_the_last_backwards(seed: int) -> None:
    random, game = Random(seed), GAMES["crib-dice"]
    rules = game.rules.from_texts(("finish=21",))
    record = Record.begin(Header(game.name, rules, ("Ann", "Ben"), "2026-11-21T20:15:00+00:00"))
    for _ in range(random.randint(0, 120)):
        if record.moves and (record.result is not None or random.random() < 0.4):
            record = record.undo()
        else:
            record = record.play(random_move(game, record.state, random))
    assert list(standing_from_last(record)) == standing(record)[::-1]
    assert len(standing(record)) == len(record.moves)
