import numpy as np
import pytest
from PIL import Image

from datasets.generate.camera import effects, renders


def spots(places: list[tuple[int, int]]) -> Image.Image:
    """Dark discs on a light ground."""
    y, x = np.mgrid[0:192, 0:256]
    dark = np.zeros(x.shape, bool)
    for cx, cy in places:
        dark |= (x - cx) ** 2 + (y - cy) ** 2 < 12**2
    return Image.fromarray(np.where(dark[..., None], 10, 240).repeat(3, 2).astype(np.uint8))


def test_whatever_happens_to_a_picture_nothing_in_it_moves():
    # A label is only true as long as the piece is where it was: within a pixel and a half here.
    places = [(30, 30), (226, 30), (128, 96), (30, 162), (226, 162)]
    clean = spots(places)
    for seed in range(60):
        degraded = renders.degrade(np.random.default_rng(seed), clean)
        assert degraded.size == clean.size
        grey = np.asarray(degraded.convert("L"), float)
        for cx, cy in places:
            part = grey[cy - 22 : cy + 22, cx - 22 : cx + 22]
            ink = np.clip(np.median(part[:4]) - part, 0, None) ** 2
            ys, xs = np.mgrid[-22:22, -22:22]
            middle = (xs * ink).sum() / ink.sum(), (ys * ink).sum() / ink.sum()
            assert np.hypot(*middle) < 1.5, (seed, cx, cy)


def test_the_same_seed_spoils_alike_and_another_does_not():
    image = spots([(128, 96)])
    first, again, other = (np.asarray(renders.degrade(np.random.default_rng(seed), image)) for seed in (5, 5, 6))
    assert (first == again).all()
    assert (first != other).any()


def test_the_middle_keeps_its_light_and_the_corners_lose_theirs():
    light = effects.corner_light(101, 201, 0.5)
    assert light[50, 100, 0] == pytest.approx(1, abs=1e-3)
    assert light[0, 0, 0] == pytest.approx(0.5, abs=1e-3)
