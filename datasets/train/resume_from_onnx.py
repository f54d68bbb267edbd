"""Makes a shipped network trainable again, so that training can start from it.

An exported network has its batch normalisation folded into the convolutions. `unfold` restores every convolution's
statistics, measured on a few pictures: the network computes the same as before, and can be trained as usual.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.train.blocks import is_first_or_whole, whole_of
from datasets.train.stored import weights_of
from vision.detect.boxes import Shape
from vision.detect.detector import SHAPE_OF, View

_COCO = 80
"""Classes of the network that training first started from: they set the width of the class head."""
_AS_MUCH = (0.5, 2.0)
"""Range of the factor that keeps the mean of the place weights when the number of cells changes."""
_LEVEL = 0.0
"""Initial bias of the angle head: the middle of its range, from which every angle is within reach."""


def from_onnx(
    weights: Path, architecture: str, shapes: Sequence[Shape], pictures: Sequence[Path], target: Path
) -> Path:
    """Write a trainable network of `architecture` (such as "yolo11n-obb.yaml") with the weights of an ONNX file.

    Layers that the file lacks keep their initial weights. Each shape starts from the file's first class of that shape
    (`vision.detect.detector.SHAPE_OF`): a file with several kinds of dice continues with its weights for pip dice.

    Args:
        weights: a YOLO network exported by ultralytics, in single or half precision.
        architecture: the network to fill.
        shapes: the classes of the new network.
        pictures: a few dozen pictures to measure the statistics on.
        target: the .pt file to write.
    """
    import onnx
    from ultralytics import YOLO
    from ultralytics.nn.tasks import OBBModel

    model = onnx.load(weights)
    stored = weights_of(model.graph)
    told = ast.literal_eval({entry.key: entry.value for entry in model.metadata_props}["names"])
    chosen = rows_of([told[i] for i in sorted(told)], shapes)
    yolo = YOLO(architecture)
    yolo.model = OBBModel(architecture, ch=3, nc=_COCO, verbose=False)
    _retarget(yolo.model, len(shapes))
    filled = _fill(yolo.model, stored, chosen)
    unfold(yolo.model, [_tensor(path) for path in pictures])
    print(f"{filled} of the network's convolutions filled from {weights}")
    yolo.save(str(target))
    return target


def rows_of(classes: Sequence[str], shapes: Sequence[Shape]) -> list[int]:
    """For each shape, the class of the file that it starts from: the first of that shape, else the first of all."""
    found = [SHAPE_OF.get(name) for name in classes]
    return [found.index(shape) if shape in found else 0 for shape in shapes]


def start_from(net: Any, weights: Path, crops: Any) -> None:
    """Load the weights of an exported network (`reader_from_onnx`, with `crops`), or of a checkpoint of its training."""
    import torch

    if weights.suffix == ".onnx":
        reader_from_onnx(net, weights, crops)
    else:
        net.load_state_dict(torch.load(weights)["net"])


def reader_from_onnx(net: Any, weights: Path, crops: Any) -> None:
    """Fill a crop network with the weights of an exported one: a `face_net.FaceNet`, a `dice_net.DiceNet`, also on a
    `lite_net.LiteBody`, or an `outline_net.OutlineNet`.

    A head of another shape keeps its initial weights.

    Args:
        net: the network to fill; its layers must be those of the file.
        weights: an exported network, in single or half precision.
        crops: a few hundred inputs (n x 3 x side x side) to measure the statistics on.
    """
    import onnx
    import torch

    graph = onnx.load(weights).graph
    stored = weights_of(graph)
    renamed = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Identity"}

    def named(name: str) -> Any:
        while (whole := whole_of(name)) not in stored:
            name = renamed[name]
        return torch.from_numpy(stored[whole].astype(np.float32))

    own = dict(net.named_parameters())
    nodes = [node for node in graph.node if node.op_type == "Conv" and is_first_or_whole(node.input[1])]
    with torch.no_grad():
        for node, (conv, norm) in zip(nodes, _in_order(net, crops[:2]), strict=True):
            if (weight := _of_places(named(node.input[1]), conv.weight.shape)).shape == conv.weight.shape:
                conv.weight.copy_(weight)
                (conv if norm is None else norm).bias.copy_(named(node.input[2]))
        for name, values in stored.items():
            if name in own and own[name].shape == values.shape:
                own[name].copy_(torch.from_numpy(values.astype(np.float32)))
    unfold(net, [crops])


def _of_places(weight: Any, shape: Sequence[int]) -> Any:
    """Place weights (n x 1 x cells x cells) resized to another number of cells (`shape`), for crops of another size.

    They are interpolated, and their sum is kept, within `_AS_MUCH`. Other weights are returned unchanged.
    """
    import torch

    if weight.ndim != 4 or weight.shape[1] != 1 or weight.shape[:2] != shape[:2] or weight.shape == shape:
        return weight
    other = torch.nn.functional.interpolate(weight, tuple(shape[2:]), mode="bilinear", align_corners=True)
    before, now = (each.mean((2, 3), keepdim=True) for each in (weight, other))
    fewer = weight[0].numel() / other[0].numel()
    return other * fewer * (before / now).clamp(*_AS_MUCH)  # where weights cancel out, their mean says nothing


def _in_order(net: Any, crops: Any) -> list[tuple[Any, Any]]:
    """Every convolution with the normalisation directly after it, or None, in execution order, which is the order in the file.

    An export folds each normalisation into the convolution before it.
    """
    import torch

    order: list[Any] = []
    kinds = (torch.nn.Conv2d, torch.nn.BatchNorm2d)
    hooks = [
        each.register_forward_pre_hook(lambda own, _: order.append(own))
        for each in net.modules()
        if isinstance(each, kinds)
    ]
    net.eval()
    with torch.no_grad():
        net(crops)
    for hook in hooks:
        hook.remove()
    behind = [*order[1:], None]
    return [
        (own, after if isinstance(after, torch.nn.BatchNorm2d) else None)
        for own, after in zip(order, behind, strict=True)
        if isinstance(own, torch.nn.Conv2d)
    ]


def _retarget(net: Any, classes: int) -> None:
    """Give the head `classes` classes, with its inner width unchanged."""
    import torch

    head = net.model[-1]
    for branch in head.cv3:
        branch[-1] = torch.nn.Conv2d(branch[-1].in_channels, classes, 1)
    head.nc, head.no = classes, classes + 4 * head.reg_max
    net.yaml["nc"], net.names = classes, dict(enumerate(map(str, range(classes))))


def _tensor(path: Path) -> Any:
    import torch

    image = cv2.imread(str(path))
    if image is None:
        raise OSError(f"cannot read {path}")
    return torch.from_numpy(View.of(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)).tensor())


def _fill(net: Any, stored: dict[str, Any], chosen: Sequence[int]) -> int:
    """Copy every convolution that the file has; returns their number."""
    import torch

    filled = 0
    for name, module in net.named_modules():
        if not isinstance(module, torch.nn.Conv2d) or ".dfl." in name or f"{name}.weight" not in stored:
            continue
        weight = stored[f"{name}.weight"]
        bias = stored.get(f"{name}.bias", np.zeros(len(weight)))
        if any(module is branch[-1] for branch in net.model[-1].cv3):
            weight, bias = weight[chosen], bias[chosen]
        with torch.no_grad():
            module.weight.copy_(torch.from_numpy(weight.astype(np.float32)))
            _bias_of(net, name, module).copy_(torch.from_numpy(bias.astype(np.float32)))
        filled += 1
    for i, branch in enumerate(net.model[-1].cv4):
        if f"model.{len(net.model) - 1}.cv4.{i}.2.weight" not in stored:
            torch.nn.init.constant_(branch[-1].bias, _LEVEL)
    return filled


def _bias_of(net: Any, name: str, conv: Any) -> Any:
    """The tensor for a convolution's bias: that of the normalisation after it, if there is one."""
    if conv.bias is not None:
        return conv.bias
    return net.get_submodule(name.removesuffix("conv") + "bn").bias


def unfold(net: Any, tensors: Sequence[Any]) -> None:
    """Set every normalisation to the statistics of its input, and its scale and offset so that its output does not change.

    Before, it must pass its input on unchanged except for its offset (which is how folded weights are filled in).
    """
    import torch

    norms = [module for module in net.modules() if isinstance(module, torch.nn.BatchNorm2d)]
    for norm in norms:
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        torch.nn.init.ones_(norm.weight)
    seen: dict[Any, list[Any]] = {norm: [] for norm in norms}
    hooks = [
        norm.register_forward_pre_hook(lambda norm, given: seen[norm].append(_moments(given[0]))) for norm in norms
    ]
    net.eval()
    with torch.no_grad():
        for tensor in tensors:
            net(tensor)
    for hook in hooks:
        hook.remove()
    for norm, moments in seen.items():
        mean, square = (torch.stack(part).mean(0) for part in zip(*moments, strict=True))
        spread = (square - mean**2).clamp_min(1e-6)
        with torch.no_grad():
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.bias.add_(mean)
            norm.weight.copy_((spread + norm.eps).sqrt())


def _moments(features: Any) -> tuple[Any, Any]:
    return features.mean((0, 2, 3)), (features**2).mean((0, 2, 3))
