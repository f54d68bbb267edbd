"""Embeddings of marks."""

import numpy as np

from datasets.generate.drawn.dice import SIDE
from datasets.generate.drawn.marked_sets import SIDES, any_set
from models import load_manifest
from vision.classify.dice import MARGIN
from vision.classify.marks import MarkReader


def test_marks_of_drawn_sets_lie_nearer_to_their_own_side_than_to_the_others() -> None:
    reader = MarkReader(load_manifest()["marks"])
    right = []
    for seed in range(6):
        rng = np.random.default_rng((31, seed))
        chosen = any_set(rng)
        shown, read = ([chosen.crop(rng, side) for side in range(1, SIDES + 1) for _ in range(3)] for _ in range(2))
        known, points = (reader.embeddings(crops, MARGIN) for crops in (shown, read))
        middles = known.reshape(SIDES, 3, -1).mean(1)
        right += (((points @ middles.T).argmax(1)) == np.repeat(np.arange(SIDES), 3)).tolist()
    # A sixth would be right by chance; some of the crops are too coarse for anybody to read.
    assert np.mean(right) > 0.7


def test_embeddings_are_unit_vectors_and_none_of_no_crops() -> None:
    reader = MarkReader(load_manifest()["marks"])
    crops = [np.random.default_rng(k).integers(0, 255, (SIDE, SIDE, 3)).astype(np.uint8) for k in range(3)]
    assert np.allclose(np.linalg.norm(reader.embeddings(crops, MARGIN), axis=1), 1)
    assert len(reader.embeddings([], MARGIN)) == 0
