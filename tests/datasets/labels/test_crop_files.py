from pathlib import Path

import numpy as np

from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop


def test_what_is_written_is_read_again(tmp_path: Path):
    smooth = np.linspace(40, 200, 16 * 16 * 3).reshape(16, 16, 3).astype(np.uint8)
    crops = [StoredCrop.of(smooth, 3), StoredCrop.of(255 - smooth, 8, "mixed", turnable=True, held_out=True)]
    crop_files.write(tmp_path / "a.npz", crops)
    first, second = crop_files.read(tmp_path / "a.npz")
    assert (first.label, first.source, first.turnable, first.held_out) == (3, "drawn", False, False)
    assert (second.label, second.source, second.turnable, second.held_out) == (8, "mixed", True, True)
    assert np.abs(first.pixels.astype(int) - smooth).mean() < 6
    assert [file.name for file in tmp_path.iterdir()] == ["a.npz"]


def test_a_file_of_drawn_crops_needs_no_sources(tmp_path: Path):
    code = StoredCrop.of(np.zeros((4, 4, 3), np.uint8), 0).code
    np.savez(tmp_path / "a.npz", jpeg=code, ends=np.array([len(code)]), labels=np.array([5], np.uint8))
    (crop,) = crop_files.read(tmp_path / "a.npz")
    assert (crop.label, crop.source, crop.held_out) == (5, "drawn", False)


def test_no_crops_are_a_file_too(tmp_path: Path):
    crop_files.write(tmp_path / "a.npz", [])
    assert crop_files.read(tmp_path / "a.npz") == []
