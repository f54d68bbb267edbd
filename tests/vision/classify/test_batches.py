import numpy as np

from models import load_manifest
from vision.classify.batches import outputs_of
from vision.onnx_session import open_session


def test_crops_say_the_same_some_at_a_time_as_all_at_once() -> None:
    session = open_session(load_manifest()["ends"])
    crops = list(np.random.default_rng(3).integers(0, 256, (70, 64, 64, 3), np.uint8))
    (whole,) = session.run(
        None, {session.get_inputs()[0].name: np.stack(crops).transpose(0, 3, 1, 2) / np.float32(255)}
    )
    (parts,) = outputs_of(session, crops)
    np.testing.assert_allclose(parts, whole, atol=1e-4)
    assert len(parts) == len(crops)
