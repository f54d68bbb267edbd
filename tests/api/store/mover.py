"""Moves in a game until it is killed, and says each move once it is kept: `python -m tests.api.store.mover FOLDER GAME [URL]`."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

from api.store import Store
from tests.api.store.place import grown


def main(folder: str, game_id: str, url: str | None = None) -> None:
    store = Store.open(url, Path(folder))
    game = store.game(game_id)
    for number in itertools.count():
        photo = store.photos.put(f"{game.record.head} {number}".encode())
        game = store.append(game, grown(game.record, at=str(number)))
        print(len(game.record.lines), game.record.head, photo, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
