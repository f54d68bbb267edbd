"""Dice with ornaments around their numerals."""

import math

import numpy as np
import pytest

from datasets.generate.drawn.dice_scenes import d12
from datasets.generate.drawn.die_faces import adorned, flat_face, on_face
from datasets.generate.drawn.ornaments import SIDE, any_ornament, layers

PENTAGON = np.array([[math.sin(k), -math.cos(k)] for k in np.arange(5) * 2 * math.pi / 5]) / math.cos(math.pi / 5)


@pytest.mark.parametrize("seed", range(30))
def test_the_room_for_the_numeral_is_free(seed):
    ornament = any_ornament(np.random.default_rng(seed))
    *plate, (mask, _) = layers(ornament, PENTAGON)
    assert len(plate) == (ornament.plate > 0)
    assert mask.any()
    scale = SIDE / 2 / np.linalg.norm(PENTAGON, axis=1).max()
    away = np.hypot(*(np.indices((SIDE, SIDE)) - SIDE / 2 + 0.5)) / scale
    assert not mask[away < ornament.room - 0.06].any()


def test_a_die_is_adorned_as_often_as_asked_and_its_numerals_fit():
    rng = np.random.default_rng(1)
    plain = d12(np.random.default_rng(2), 5).die
    assert adorned(rng, plain, 0.0) is plain
    die = adorned(rng, plain, 1.0)
    assert die.ornament is not None
    assert die.lettering.size <= plain.lettering.size


def test_a_flat_face_lies_in_the_plane_of_the_face():
    die = adorned(np.random.default_rng(3), d12(np.random.default_rng(3), 7).die, 1.0)
    outline, place = flat_face(die, 0)
    assert np.linalg.norm(outline, axis=1) == pytest.approx(np.full(5, np.linalg.norm(outline[0])), rel=0.05)
    middle = place @ [SIDE / 2, SIDE / 2, 1]
    corners = die.body.corners(0)
    assert middle[:3] == pytest.approx(corners.mean(0))
    pixels = outline / np.linalg.norm(outline, axis=1).max() * SIDE / 2 + SIDE / 2
    there = (place @ np.column_stack([pixels, np.ones(5)]).T).T[:, :3]
    assert there == pytest.approx(corners, abs=1e-6)
    mask = die.writer(7, die.lettering)
    numeral = on_face(die, 0, mask) @ [mask.shape[1] / 2, mask.shape[0] / 2, 1]
    assert np.linalg.norm(numeral[:3] - corners.mean(0)) < 0.3
