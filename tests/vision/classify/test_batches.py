from collections.abc import Sequence
from functools import partial
from threading import current_thread
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models import load_manifest
from vision.classify import batches
from vision.classify.batches import outputs_of
from vision.classify.features import LAYERS
from vision.onnx_session import Network, open_session


def crops_of(count: int) -> list[NDArray[np.uint8]]:
    return list(np.random.default_rng(3).integers(0, 256, (count, 64, 64, 3), np.uint8))


def test_crops_say_the_same_some_at_a_time_as_all_at_once() -> None:
    model, crops = load_manifest()["ends"], crops_of(70)
    session = open_session(model)
    (whole,) = session.run(
        None, {session.get_inputs()[0].name: np.stack(crops).transpose(0, 3, 1, 2) / np.float32(255)}
    )
    (parts,) = outputs_of(Network(model), crops)
    np.testing.assert_allclose(parts, whole, atol=1e-4)
    assert len(parts) == len(crops)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 70])
def test_crops_shared_out_among_cores_give_the_same_to_the_bit(count: int) -> None:
    model, also, crops = load_manifest()["ends"], LAYERS["tile"].names, crops_of(count)
    together, shared = (outputs_of(Network(model, also, one_core=one), crops) for one in (False, True))
    assert len(together) == len(shared) == 1 + len(also)
    for one, other in zip(together, shared, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("one_core", [False, True])
def test_crops_that_are_cut_when_they_are_read_give_the_same(one_core: bool) -> None:
    crops, network = crops_of(5), Network(load_manifest()["ends"], one_core=one_core)
    cutters = [partial(np.copy, crop) for crop in crops]
    for one, other in zip(outputs_of(network, crops), outputs_of(network, cutters), strict=True):
        np.testing.assert_array_equal(one, other)


def test_each_core_cuts_its_share_of_the_crops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "threads", lambda: 2)
    cut_by: list[set[str]] = [set(), set()]

    def cut(crop: NDArray[np.uint8], share: int) -> NDArray[np.uint8]:
        cut_by[share].add(current_thread().name)
        return crop

    network = Network(load_manifest()["ends"], one_core=True)
    outputs_of(network, [partial(cut, crop, i // 2) for i, crop in enumerate(crops_of(4))])
    assert [len(names) for names in cut_by] == [1, 1]
    assert cut_by[0] != cut_by[1]


class Counting(Network):
    """A network that notes the size of each batch, and fails at batches of `fails`."""

    def __init__(self, *, one_core: bool, fails: int = 0) -> None:
        super().__init__(load_manifest()["ends"], one_core=one_core)
        self.sizes: list[int] = []
        self.fails = fails

    @property
    def session(self) -> Any:
        return self

    def get_inputs(self) -> Sequence[Any]:
        return super().session.get_inputs()

    def run(self, names: None, given: dict[str, NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        (batch,) = given.values()
        if len(batch) == self.fails:
            raise MemoryError
        self.sizes.append(len(batch))
        return super().session.run(names, given)


@pytest.mark.parametrize(
    ("cores", "one_core", "count", "sizes"),
    [
        (1, True, 5, [5]),
        (2, True, 1, [1]),
        (2, True, 5, [2, 3]),
        (4, True, 5, [1, 2, 2]),
        (4, True, 100, [25, 25, 25, 25]),
        (4, True, 140, [12, 32, 32, 32, 32]),
        (4, False, 5, [5]),
        (4, False, 40, [8, 32]),
    ],
)
def test_only_a_network_that_runs_on_one_core_gets_a_batch_for_each_core(
    monkeypatch: pytest.MonkeyPatch, cores: int, one_core: bool, count: int, sizes: list[int]
) -> None:
    monkeypatch.setattr(batches, "threads", lambda: cores)
    network = Counting(one_core=one_core)
    (rows,) = outputs_of(network, crops_of(count))
    assert sorted(network.sizes) == sizes
    assert len(rows) == count


@pytest.mark.parametrize("fails", [2, 3])
def test_a_failure_on_any_core_reaches_the_caller(monkeypatch: pytest.MonkeyPatch, fails: int) -> None:
    monkeypatch.setattr(batches, "threads", lambda: 2)
    with pytest.raises(MemoryError):
        outputs_of(Counting(one_core=True, fails=fails), crops_of(5))
