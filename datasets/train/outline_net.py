"""The network that finds the corners of a tile's face: heatmaps, and their centres.

Down to a sixteenth of the crop and up again to a quarter, with skip connections (Ronneberger et al., "U-Net", MICCAI 2015), then
one heatmap per corner. The corner is the map's mean position (Sun et al., "Integral Human Pose Regression", ECCV 2018).
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from datasets.train.face_net import Block

_CORNERS = 4


class OutlineNet(nn.Module):
    """Batch x 3 x height x width (RGB, 0..1) to batch x 4 x 2: corners as shares of width and height."""

    def __init__(self, widths: tuple[int, int, int, int]) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth = widths
        self.stem = nn.Sequential(nn.Conv2d(3, half, 3, 2, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True))
        self.down = nn.ModuleList(
            nn.Sequential(Block(inner, outer, 2), Block(outer, outer, 1))
            for inner, outer in ((half, quarter), (quarter, eighth), (eighth, sixteenth))
        )
        self.up = nn.ModuleList(
            Block(below + beside, beside, 1) for below, beside in ((sixteenth, eighth), (eighth, quarter))
        )
        self.head = nn.Conv2d(quarter, _CORNERS, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Pixels to corners."""
        quarter = self.down[0](self.stem(x * 4 - 2))
        eighth = self.down[1](quarter)
        out = self.down[2](eighth)
        for block, beside in zip(self.up, (eighth, quarter), strict=True):
            out = block(torch.cat([functional.interpolate(out, scale_factor=2.0, mode="nearest"), beside], 1))
        return middles(self.head(out).float())


def middles(maps: torch.Tensor) -> torch.Tensor:
    """The mean position (x, y) of each map of logits, batch x corners x height x width, as shares of its sides."""
    height, width = maps.shape[-2:]
    chances = maps.flatten(2).softmax(2).reshape(maps.shape)
    x = (torch.arange(width, dtype=maps.dtype) + 0.5) / width
    y = (torch.arange(height, dtype=maps.dtype) + 0.5) / height
    return torch.stack([(chances.sum(2) * x).sum(2), (chances.sum(3) * y).sum(2)], 2)
