"""A process that is killed without a word has lost nothing of what it had said was kept."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from api.store import Store
from tests.api.store.place import Place, kept

ROOT = Path(__file__).parents[3]
KILLS = 5


def said_before_kill(place: Place, game_id: str, random: Random) -> list[list[str]]:
    """What a process says that moves in the game, is killed at any moment after a few moves, and cannot clean up."""
    command = [sys.executable, "-m", "tests.api.store.mover", str(place.folder), game_id, *filter(None, [place.url])]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(random.randint(1, 8))]
        time.sleep(random.random() * 0.02)
        child.kill()
        said += child.stdout.readlines()
    assert said[0], "the process came to nothing"
    return [line.split() for line in said if line.endswith("\n")]


def check_kept(store: Store, game_id: str, said: list[list[str]]) -> None:
    lines = store.game(game_id).record.lines
    for number, head, photo in said:
        assert head in lines[int(number) - 1]
        assert store.photos.has(photo)
        assert store.photos.get(photo)
    # One more may have been kept before anybody could say so.
    assert len(lines) - int(said[-1][0]) in {0, 1}


@pytest.mark.parametrize("seed", [1])
def test_nothing_acknowledged_is_lost_or_doubled(place: Place, seed: int) -> None:
    random = Random(seed)
    store = place.open()
    game_id = kept(store).id
    for _ in range(KILLS):
        before = len(store.game(game_id).record.lines)
        said = said_before_kill(place, game_id, random)
        assert [int(number) for number, _, _ in said] == list(range(before + 1, before + 1 + len(said)))
        check_kept(place.open(), game_id, said)
