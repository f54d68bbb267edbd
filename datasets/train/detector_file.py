"""`python -m datasets.train.detector_file EXPORTED.onnx --out CONVERTED.onnx`

Converts a trained detector's ONNX file to the product's format (`vision.detect.places`); training exports it itself. Needs the
`train` extra.

Ultralytics exports a network that computes a box for every place. This keeps the network up to the head's inputs and
scores, and the weights of the head's box layers: the product computes boxes only where something scores.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from vision.detect.places import LAYERS, STRIDES

_DISTANCES, _SCORES, _ANGLES = "cv2", "cv3", "cv4"
"""Ultralytics' names for the branches of the head; each has `LAYERS` layers per grid."""
_PICTURES = (None, None, None, None)
"""Its input shape: any number, channels, height and width."""


def main() -> None:
    """Convert one file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "exported", type=Path, help="the detector as ultralytics exports it, in single or half precision"
    )
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    print(f"written to {without_boxes(options.exported, options.out)}")


def without_boxes(exported: Path, target: Path) -> Path:
    """Write an exported YOLO network with oriented boxes, in single or half precision, as one that leaves the boxes to
    `vision.detect.places.BoxHead`.

    Raises:
        SystemExit: it has no such head.
    """
    import onnx

    model = onnx.load(exported)
    graph = model.graph
    grids = range(len(STRIDES))
    boxes = [_layer(graph, *at) for at in itertools.product((_DISTANCES, _ANGLES), grids, range(LAYERS))]
    scores = [_layer(graph, _SCORES, grid, LAYERS - 1) for grid in grids]
    seen = [_layer(graph, _DISTANCES, grid, 0).input[0] for grid in grids]
    answers = [*seen, *(layer.output[0] for layer in scores)]
    weights = [name for layer in boxes for name in layer.input[1:]]
    nodes = list(_needed(graph, {*answers, *weights}))
    taken = {*weights}.union(*(node.input for node in nodes))
    stored = [tensor for tensor in graph.initializer if tensor.name in taken]
    shapes = {tensor.name: list(tensor.dims) for tensor in stored}
    outputs = [_floats(name, shapes.get(name, _PICTURES)) for name in answers + weights]
    new = onnx.helper.make_graph(nodes, graph.name, list(graph.input), outputs, stored)
    model.graph.CopyFrom(new)
    onnx.save(model, target)
    return target


def _layer(graph: Any, part: str, grid: int, layer: int) -> Any:
    """The convolution at this position in the head."""
    begins = f".{part}.{grid}.{layer}."
    for node in graph.node:
        if node.op_type == "Conv" and begins in node.input[1]:
            return node
    raise SystemExit(f"this is not a YOLO network with oriented boxes: it has no layer {layer} in {part}.{grid}")


def _needed(graph: Any, names: set[str]) -> Iterator[Any]:
    """The nodes that these values depend on, in graph order."""
    kept, wanted = set[int](), {*names}
    for at in reversed(range(len(graph.node))):
        if wanted.intersection(graph.node[at].output):
            kept.add(at)
            wanted.update(graph.node[at].input)
    return (node for at, node in enumerate(graph.node) if at in kept)


def _floats(name: str, shape: Sequence[int | None]) -> Any:
    import onnx

    return onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)


if __name__ == "__main__":
    main()
