"""Plugs and knobs: what passes for a die and is none."""

import numpy as np
import pytest

from datasets.generate.drawn.gadgets import _MIDDLE, _holes, _mask, knob_scene, plug_scene
from datasets.generate.drawn.look_alikes import _OFTEN, _SCENES
from datasets.generate.parts.canvas import CANVAS


@pytest.mark.parametrize("scene", [plug_scene, knob_scene])
@pytest.mark.parametrize("seed", range(8))
def test_a_gadget_lies_in_the_middle_of_a_picture_and_repeats_by_seed(scene, seed: int):
    first, again = (scene(np.random.default_rng(seed)) for _ in range(2))
    assert first.shape == (CANVAS, CANVAS, 3)
    assert np.isfinite(first).all()
    np.testing.assert_array_equal(first, again)
    assert first.std() > 0.01


@pytest.mark.parametrize("seed", range(8))
def test_the_holes_of_a_plug_lie_apart_within_its_metal(seed: int):
    wide, tall = 60.0, 50.0
    holes = _holes(np.random.default_rng(seed), wide, tall) > 127
    assert not (holes & (_mask((-wide, -tall), (wide, tall)) == 0)).any()
    left, right = holes[:, : int(_MIDDLE)].sum(), holes[:, int(_MIDDLE) :].sum()
    assert left > 20
    assert right == pytest.approx(left, rel=0.35)


def test_how_often_each_look_alike_is_drawn_adds_up():
    assert len(_OFTEN) == len(_SCENES)
    assert sum(_OFTEN) == pytest.approx(1)
