from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")

from datasets.train.onnx_export import export  # noqa: E402
from datasets.train.resume_from_onnx import reader_from_onnx, rows_of, start_from, unfold  # noqa: E402
from vision.classify.outlines import HEIGHT, WIDTH  # noqa: E402


def net() -> "torch.nn.Sequential":
    torch.manual_seed(3)
    made = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, bias=False), torch.nn.BatchNorm2d(8), torch.nn.SiLU(), torch.nn.Conv2d(8, 2, 1)
    )
    made[1].bias.data = torch.randn(8)
    made[1].eps = 1e-3
    made[1].running_var.fill_(1 - 1e-3)
    return made.eval()


def test_an_unfolded_network_computes_the_same_and_its_training_mode_too():
    pictures = [torch.rand(1, 3, 40, 40) * 4 for _ in range(8)]
    made = net()
    before = [made(picture).detach() for picture in pictures]
    unfold(made, pictures)
    assert all(torch.allclose(made(picture), old, atol=1e-4) for picture, old in zip(pictures, before, strict=True))
    made.train()
    together = made(torch.cat(pictures)).detach()
    assert np.abs(together.numpy() - torch.cat(before).numpy()).mean() < 0.02


def test_a_detector_of_kinds_goes_on_as_one_of_shapes():
    """What it knew of pip dice becomes the die, what it knew of dominoes the tile; a detector of shapes stays as it is."""
    assert rows_of(["d6", "d12", "domino"], ["die", "tile"]) == [0, 2]
    assert rows_of(["die", "tile"], ["die", "tile"]) == [0, 1]
    assert rows_of(["0"], ["die", "tile"]) == [0, 0]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_training_goes_on_from_an_exported_reader_of_dice(tmp_path: Path):
    """The network of an export says what the exported one said, though the export has folded its normalisation away."""
    pytest.importorskip("onnx", reason="needs the train extra")
    pytest.importorskip("ultralytics", reason="needs the train extra")
    from datasets.train.dice_net import dice_net

    torch.manual_seed(5)
    taught, fresh = dice_net("yolo11n.yaml", 64, 4).eval(), dice_net("yolo11n.yaml", 64, 4).eval()
    crops = torch.rand(64, 3, 64, 64)
    reader_from_onnx(fresh, export(taught, (64, 64), tmp_path / "taught.onnx"), crops)
    with torch.no_grad():
        before, after = taught(crops), fresh(crops)
    assert torch.allclose(after, before, atol=0.05 * float(before.std()))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("side", [64, 128])
def test_a_reader_of_dice_goes_on_with_smaller_or_larger_crops(tmp_path: Path, side: int):
    """All places together weigh as much as before, and a corner weighs what the corner did, beside other channels."""
    pytest.importorskip("onnx", reason="needs the train extra")
    pytest.importorskip("ultralytics", reason="needs the train extra")
    from datasets.train.dice_net import dice_net

    torch.manual_seed(5)
    taught, other = dice_net("yolo11n.yaml", 96, 4).eval(), dice_net("yolo11n.yaml", side, 4).eval()
    with torch.no_grad():
        taught.place.weight.uniform_(0.05, 0.15)
    reader_from_onnx(other, export(taught, (96, 96), tmp_path / "taught.onnx"), torch.rand(64, 3, side, side))
    cells = side // 32
    assert other.place.weight.shape[2:] == (cells, cells)
    assert torch.allclose(other.place.weight.sum((2, 3)), taught.place.weight.sum((2, 3)), rtol=1e-3)
    corner = torch.corrcoef(torch.stack([other.place.weight[:, 0, 0, 0], taught.place.weight[:, 0, 0, 0]]))[0, 1]
    assert float(corner) > 0.8


def test_training_goes_on_from_the_shipped_network_of_corners():
    """The trainable network finds the corners that the shipped file finds."""
    pytest.importorskip("onnx", reason="needs the train extra")
    import onnxruntime

    from datasets.train.outline_net import OutlineNet
    from models import load_manifest

    torch.manual_seed(6)
    shipped, crops = load_manifest()["outlines"].path, torch.rand(32, 3, HEIGHT, WIDTH)
    net = OutlineNet((20, 32, 56, 80))
    start_from(net, shipped, crops)
    with torch.no_grad():
        found = net.eval()(crops)
    (said,) = onnxruntime.InferenceSession(shipped).run(None, {"crops": crops.numpy()})
    assert float(said.std()) > 0.1
    assert np.allclose(found.numpy(), said, atol=1e-4)
