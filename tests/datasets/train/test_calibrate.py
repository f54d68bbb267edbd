import numpy as np

from datasets.train.calibrate import fit


def test_fit_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 3, (2, 20_000))
    back = rng.random(20_000)
    chance = 1 / (1 + np.exp(-(1.2 * a + 0.4 * b - 2 * back - 0.7)))
    rows = [("d6", *row) for row in zip(a, b, back, rng.random(20_000) < chance, strict=True)]
    assert np.allclose(fit(rows), [1.2, 0.4, -2, -0.7], atol=0.15)


def test_fit_of_separable_data_stays_finite():
    rows = [("d6", 3.0, 3.0, 0.0, True)] * 50 + [("d6", -3.0, -3.0, 0.0, False)] * 50
    assert np.isfinite(fit(rows)).all()
