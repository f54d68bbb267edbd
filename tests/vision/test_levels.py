from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.levels import levelled
from vision.photo import Photo, Pixels, load
from vision.reader import TableReader

HAND = Path("docs/sample-hand.jpg")


def faint(file: Path, left: float, veil: float, width: int | None = None) -> Photo:
    """A photo with a part of its contrast."""
    picture = Image.open(file).convert("RGB")
    if width:
        picture = picture.resize((width, width * picture.height // picture.width))
    pixels = np.clip(np.asarray(picture) * left + veil, 0, 255).astype(np.uint8)
    data = BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=95)
    return load(data.getvalue())


def span(pixels: Pixels) -> tuple[float, float]:
    """What nearly all of its lightness lies between."""
    low, high = np.percentile(pixels.mean(axis=2), (1, 99))
    return float(low), float(high)


def test_a_photo_with_contrast_stays_as_it_is() -> None:
    photo = load(HAND)
    assert levelled(photo) is photo


@pytest.mark.parametrize(("left", "veil"), [(0.2, 0), (0.2, 100), (0.25, 150)])
def test_a_faint_photo_is_stretched_and_still_the_same_file(left: float, veil: float) -> None:
    photo = faint(HAND, left, veil)
    seen = levelled(photo)
    low, high = span(seen.pixels)
    assert low < 90
    assert high > 200
    assert (seen.sha256, seen.name, seen.width, seen.scale) == (photo.sha256, photo.name, photo.width, photo.scale)
    assert not seen.pixels.flags.writeable
    assert span(photo.pixels)[1] - span(photo.pixels)[0] < 60, "the photo that was given is as it was"


def test_all_pixels_of_a_large_photo_are_stretched_as_well() -> None:
    photo = faint(HAND, 0.2, 100, width=4000)
    assert photo.scale > 1
    seen = levelled(photo)
    assert span(seen.full()) == pytest.approx(span(seen.pixels), abs=6)
    assert seen.full().shape == photo.full().shape


def test_a_bare_table_does_not_become_noise() -> None:
    rng = np.random.default_rng(1)
    grey = np.repeat(rng.normal(90, 1, (480, 640, 1)), 3, axis=2).round().astype(np.uint8)
    data = BytesIO()
    Image.fromarray(grey).save(data, "PNG")
    low, high = span(levelled(load(data.getvalue())).pixels)
    assert high - low < 70


def test_a_hand_that_hardly_shows_is_read_and_sure() -> None:
    reading = TableReader().read(faint(HAND, 0.06, 120))
    assert [tile.name for tile in reading.tiles] == ["1-4", "0-0", "5-2", "6-0"]
    assert reading.sure
