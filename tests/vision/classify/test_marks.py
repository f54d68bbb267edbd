"""Embeddings of marks."""

import numpy as np
import pytest

from datasets.generate.drawn.marked_sets import SIDES, any_dice, any_tiles
from datasets.labels.crop_files import DRAWN
from models import load_manifest
from vision.classify import dice, tiles
from vision.classify.marks import MarkReader


@pytest.mark.parametrize(
    ("piece", "any_set", "margin", "least"),
    [("die", any_dice, dice.MARGIN, 0.7), ("tile", any_tiles, tiles.MARGIN, 0.4)],
)
def test_marks_of_drawn_sets_lie_nearer_to_their_own_side_than_to_the_others(piece, any_set, margin, least) -> None:
    reader = MarkReader(load_manifest()["marks"])
    right = []
    for seed in range(6):
        rng = np.random.default_rng((31, seed))
        chosen, sides = any_set(rng), SIDES[piece]
        shown, read = ([chosen.crop(rng, side) for side in range(sides) for _ in range(3)] for _ in range(2))
        known, points = (reader.embeddings(crops, margin) for crops in (shown, read))
        middles = known.reshape(sides, 3, -1).mean(1)
        right += (((points @ middles.T).argmax(1)) == np.repeat(np.arange(sides), 3)).tolist()
    # A sixth or less would be right by chance; some of the crops are too coarse for anybody to read, and it learned from dice.
    assert np.mean(right) > least


def test_embeddings_are_unit_vectors_and_none_of_no_crops() -> None:
    reader = MarkReader(load_manifest()["marks"])
    crops = [np.random.default_rng(k).integers(0, 255, (DRAWN, DRAWN, 3)).astype(np.uint8) for k in range(3)]
    assert np.allclose(np.linalg.norm(reader.embeddings(crops, dice.MARGIN), axis=1), 1)
    assert len(reader.embeddings([], dice.MARGIN)) == 0
