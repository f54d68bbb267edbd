"""A database of an earlier version is opened by this one, and its games go on."""

from __future__ import annotations

import hashlib
import json

from alembic import command
from alembic.config import Config

from api.http.games.visibility import Visibility
from api.store import StoredToken
from api.store.database import writing
from tests.api.store.place import DATE, Place, begun, grown

PLAYER, VIEWER = (hashlib.sha256(name).digest() for name in (b"player", b"viewer"))


def of_version_1(place: Place) -> None:
    """A game with a photo, in the tables of version 0.1.0."""
    record = begun()
    config = Config()
    config.set_main_option("script_location", "api.store:migrations")
    place.folder.mkdir()
    with place.engine() as engine, writing(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    place.sql(
        "INSERT INTO games (id, game, players, begun, viewer, player, lines, head)"
        " VALUES ('g', 'crib-dice', :players, :at, :viewer, :player, 1, :head)",
        players=json.dumps(["Ann", "Ben"]),
        at=DATE,
        viewer=VIEWER,
        player=PLAYER,
        head=record.head,
    )
    place.sql("INSERT INTO lines (game_id, number, line) VALUES ('g', 1, :line)", line=record.lines[0])
    place.sql(
        "INSERT INTO readings (id, game_id, photo, reading, models, at) VALUES ('r', 'g', :photo, '{}', '{}', :at)",
        photo="0" * 64,
        at=DATE,
    )


def test_the_links_of_an_earlier_game_stay_good(place: Place) -> None:
    of_version_1(place)
    store = place.open()
    player, viewer = (store.tokens.find("g", digest) for digest in (PLAYER, VIEWER))
    assert player == StoredToken(player.id if player else "", "player", PLAYER, host=True, made=DATE)
    assert viewer
    assert (viewer.role, viewer.host) == ("viewer", False)
    assert store.tokens.find("g", hashlib.sha256(b"guess").digest()) is None


def test_an_earlier_game_goes_on(place: Place) -> None:
    of_version_1(place)
    game = place.open().game("g")
    assert not game.open_hands
    store = place.open()
    store.append(game, grown(game.record))
    assert len(store.game("g").record.lines) == 2


def test_earlier_photos_are_shown_to_who_sees_all_hands(place: Place) -> None:
    """Whose hand they show was not noted."""
    of_version_1(place)
    store = place.open()
    kept, host = store.reading("r"), store.tokens.find("g", PLAYER)
    assert kept.seat == -1
    assert host
    assert Visibility.of(host).reading(store.game("g"), kept)
