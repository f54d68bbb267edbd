"""A backup as docs/operations.md describes it, made while games go on, can be restored."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from api.store.folder import DATABASE
from tests.api.store.place import PHOTO, Place, grown, kept, read


def test_a_backup_of_a_running_server_is_restored(tmp_path: Path) -> None:
    with Place(None, tmp_path / "data") as place:
        store = place.open()
        game = kept(store)
        game = store.append(game, grown(game.record))
        read(store, "the reading", game.id)
        (tmp_path / "backup").mkdir()
        with (
            closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as source,
            closing(sqlite3.connect(tmp_path / "backup" / DATABASE)) as target,
        ):
            source.backup(target)
        shutil.copytree(tmp_path / "data/photos", tmp_path / "backup/photos")
        later = store.append(game, grown(game.record))
    with Place(None, tmp_path / "backup") as place:
        restored = place.open()
        assert restored.game(game.id) == game
        (reading,) = restored.readings_of(game.id)
        assert restored.photos.get(reading.photo) == PHOTO
        assert restored.append(game, grown(game.record)).record.lines == later.record.lines
