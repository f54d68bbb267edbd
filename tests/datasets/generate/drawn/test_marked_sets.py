"""Sets of dice with marks of any kind."""

from pathlib import Path

import numpy as np

from datasets.generate.drawn import marked_sets
from datasets.generate.drawn.dice import SIDE
from datasets.generate.drawn.marked_sets import SIDES, VIEWS, Part, any_set
from datasets.labels import crop_files


def test_the_sides_of_a_set_differ_and_are_marked() -> None:
    for seed in range(12):
        faces = list(any_set(np.random.default_rng((4, seed))).faces.values())
        assert len(faces) == SIDES
        assert all(int((face > 60).sum()) > 20 for face in faces)
        apart = [np.abs(one.astype(float) - other).mean() for i, one in enumerate(faces) for other in faces[:i]]
        assert min(apart) > 1


def test_a_file_has_whole_sets_and_is_the_same_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(marked_sets, "SETS", 2)
    parts = [Part(tmp_path / name, 3, 0) for name in ("one", "two")]
    for part in parts:
        part.out.mkdir()
        part.write()
    first, again = (crop_files.read(part.file) for part in parts)
    assert [crop.label for crop in first] == [side for side in range(2 * SIDES) for _ in range(VIEWS)]
    assert first[0].pixels.shape == (SIDE, SIDE, 3)
    assert all(np.array_equal(one.code, other.code) for one, other in zip(first, again, strict=True))
