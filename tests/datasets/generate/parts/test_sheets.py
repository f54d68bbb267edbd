import numpy as np
import pytest

from datasets.generate.parts import sheets


@pytest.mark.parametrize("painter", [*sheets._WHOLE, *sheets._SCATTERED], ids=lambda painter: painter.__name__)
def test_every_painter_prints_something_on_any_ground(painter: sheets.Painter):
    for seed, ground in enumerate([(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.5, 0.2, 0.7)]):
        sheet = sheets.Sheet(np.random.default_rng(seed), (), 200, ground)
        painter(sheet)
        assert len(np.unique(np.asarray(sheet.image).reshape(-1, 3), axis=0)) > 1


@pytest.mark.parametrize("draw", [sheets.printed_sheet, sheets.box_print, sheets.gadget])
def test_a_seed_prints_the_same_again(draw):
    first, again, other = (draw(np.random.default_rng(seed), ()) for seed in (3, 3, 4))
    assert (first == again).all()
    assert first.dtype == np.float32
    assert first.shape[2] == 4
    assert (first[..., 3] == 1).all()
    assert 0 <= first.min() <= first.max() <= 1
    assert (first != other).any()


@pytest.mark.parametrize("value", range(10))
def test_a_printed_value_has_that_many_pips_each_in_its_own_place(value: int):
    assert len(sheets.PIPS[value]) == len(set(sheets.PIPS[value])) == value
