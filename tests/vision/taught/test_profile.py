"""Profiles as files: they round-trip, and what is none is refused with the reason."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.taught.drawn import EMBLEM, thrown
from vision.detect.boxes import Detection
from vision.photo import load
from vision.taught.contact_sheet import contact_sheet
from vision.taught.labelling import Said, taught_from
from vision.taught.pieces import InvalidProfile, TaughtPiece, cut
from vision.taught.profile import MOST_PIECES, MissingSides, Profile, missing


@pytest.fixture(scope="module")
def profile() -> Profile:
    throw = thrown(EMBLEM, [6, 6, 3], 3, 6)
    photo = load(throw.jpeg)
    said = [Said("d6", (value,), at) for value, at in zip(throw.values, throw.places, strict=True)]
    return Profile("dragons").with_pieces(taught_from(photo, [], said))


def test_a_profile_is_the_same_after_writing_and_reading(profile: Profile) -> None:
    again = Profile.from_bytes(profile.data)
    assert again == profile
    assert (again.sha256, again.data) == (profile.sha256, profile.data)
    assert len(profile.data) < 40_000


def test_a_tile_says_whether_its_ends_may_be_in_the_other_order(profile: Profile) -> None:
    box, jpeg = profile.pieces[0].box, profile.pieces[0].jpeg
    tile = TaughtPiece("domino", (3, 5), box, jpeg, either=True)
    assert TaughtPiece.from_json(tile.to_json()) == tile
    assert "either" not in replace(tile, either=False).to_json()
    said = Said("domino", (3, 5), (1.0, 2.0), box=((0, 0), (2, 0), (2, 1), (0, 1)), either=True)
    assert Said.from_json(said.to_json()) == said


def test_a_piece_that_is_shown_again_replaces_what_was_said_of_it(profile: Profile) -> None:
    first = profile.pieces[0]
    again = profile.with_pieces([replace(first, shows=(2,))])
    assert sorted(piece.shows for piece in again.pieces) == [(2,), (3,), (6,)]
    assert len(profile.without(0).pieces) == 2
    with pytest.raises(InvalidProfile, match="no piece 9"):
        profile.without(8)


def test_the_sides_that_were_not_shown_are_told_with_how_many_photos_show_them(profile: Profile) -> None:
    assert missing(profile) == [MissingSides("d6", (1, 2, 4, 5), 2)]
    die = profile.pieces[0]
    all_but_one = [replace(die, shows=(value,), at=(value, 0.0)) for value in (1, 2, 4, 5)]
    assert missing(Profile("own", tuple(all_but_one))) == [MissingSides("d6", (3, 6), 1)]
    every = [replace(die, shows=(value,)) for value in range(1, 7)]
    assert missing(Profile("own", tuple(every))) == []
    unknown = replace(die, kind="d12", shows=(11,), photo="")
    assert missing(Profile("own", (unknown,))) == [MissingSides("d12", (*range(1, 11), 12), 11)]
    assert missing(Profile("own", (replace(die, kind="other", shows=()),))) == []


def test_a_contact_sheet_shows_every_piece(profile: Profile) -> None:
    sheet = np.asarray(contact_sheet(profile))
    assert sheet.shape[1] == 3 * 176
    assert all(sheet[:176, 176 * k : 176 * (k + 1)].std() > 5 for k in range(3))


def changed(profile: Profile, **piece: Any) -> bytes:
    told = json.loads(profile.data)
    told["pieces"][0] |= piece
    return json.dumps(told).encode()


@pytest.mark.parametrize(
    "piece",
    [
        {"value": 7},
        {"value": True},
        {"value": None},
        {"kind": "d20"},
        {"kind": "domino"},
        {"quad": [[0, 0]]},
        {"quad": [[0, 0], [1, 0], [1, float("nan")], [0, 1]]},
        {"picture": "%%"},
        {"at": [1]},
        {"at": [float("nan"), 0]},
        {"at": [10**400, 0]},
        {"photo": "throw.jpg"},
        {"kind": "domino", "ends": [3]},
    ],
    ids=str,
)
def test_a_damaged_piece_is_refused(profile: Profile, piece: dict[str, Any]) -> None:
    with pytest.raises(InvalidProfile):
        Profile.from_bytes(changed(profile, **piece))


@pytest.mark.parametrize(
    "quad",
    [
        [[9e5, 9e5], [9.1e5, 9e5], [9.1e5, 9.1e5], [9e5, 9.1e5]],
        [[-20, 40], [120, 40], [120, 120], [-20, 120]],
        [[40, 40], [120, 120], [120, 40], [40, 120]],
        [[40, 40], [120, 40], [60, 60], [40, 120]],
        [[40, 40], [80, 80], [120, 120], [60, 60]],
        [[40, 40]] * 4,
    ],
    ids=["far outside", "outside", "crossing", "dented", "a line", "a point"],
)
def test_an_outline_without_sense_is_refused_with_the_number_of_its_piece(
    profile: Profile, quad: list[list[float]]
) -> None:
    with pytest.raises(InvalidProfile, match=r"^Piece 1: The outline .* Teach it again\.$"):
        Profile.from_bytes(changed(profile, quad=quad))


def test_a_picture_that_is_none_is_refused_when_it_is_looked_at(profile: Profile) -> None:
    bad = Profile.from_bytes(changed(profile, picture="AAAA"))
    with pytest.raises(InvalidProfile, match="picture"):
        contact_sheet(bad)


@pytest.mark.parametrize("name", ["", "../x", "a/b", "x" * 41, ".hidden", "-x", " x", "a\nb"])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidProfile, match=r"\+ - _, beginning with a letter, digit or _\.$"):
        Profile(name)


@pytest.mark.parametrize("name", ["dragons", "My dice.2 ('red') +-", "a_b", "_x", "1", "Würfel", "x" * 40])
def test_a_name_may_be_all_that_the_refusal_tells(name: str) -> None:
    assert Profile(name).name == name


def test_more_pieces_than_a_profile_has_are_refused(profile: Profile) -> None:
    with pytest.raises(InvalidProfile, match="at most"):
        Profile("many", profile.pieces * MOST_PIECES)


def test_a_tile_is_cut_upright_with_its_first_end_first() -> None:
    picture = np.full((200, 200, 3), 250, np.uint8)
    picture[60:100, 80:120] = (200, 0, 0)  # the first end of a tile that stands upright
    picture[100:140, 80:120] = (0, 0, 200)
    quad = ((120.0, 60.0), (120.0, 140.0), (80.0, 140.0), (80.0, 60.0))
    jpeg, box = cut(picture, Detection(80, 60, 120, 140, 1.0, "tile", quad))
    piece = TaughtPiece("domino", (3, 5), box, jpeg)
    pixels = piece.pixels()
    (left, top), (right, _), *_ = box
    assert (right - left, piece.detection.shape) == (128, "tile")
    assert pixels[int(top) + 32, int(left) + 32, 0] > 150 > pixels[int(top) + 32, int(left) + 32, 2]
    assert pixels[int(top) + 32, int(right) - 32, 2] > 150 > pixels[int(top) + 32, int(right) - 32, 0]
