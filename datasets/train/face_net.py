"""The network that classifies ends, numerals and pairs: a small residual network, crops to classes."""

from __future__ import annotations

import torch
from torch import nn


class Block(nn.Module):
    """Two 3x3 convolutions with a shortcut (He et al., "Deep Residual Learning", CVPR 2016)."""

    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(inner, outer, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outer),
            nn.ReLU(inplace=True),
            nn.Conv2d(outer, outer, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outer),
        )
        same = stride == 1 and inner == outer
        self.short = (
            nn.Identity()
            if same
            else nn.Sequential(
                nn.AvgPool2d(stride, ceil_mode=True), nn.Conv2d(inner, outer, 1, bias=False), nn.BatchNorm2d(outer)
            )
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Features to features, both batch x channels x height x width."""
        return torch.relu(self.main(x) + self.short(x))


class FaceNet(nn.Module):
    """Batch x 3 x height x width (RGB, 0..1) to batch x classes logits; square crops if `middle` is given."""

    def __init__(self, widths: tuple[int, ...], classes: int, middle: int | None = None) -> None:
        """Build it.

        `middle`: side of the last feature map, for tasks where position counts, as with a numeral among others: the features
        are weighted by place (a global depthwise convolution: Chen et al., "MobileFaceNets", CCBR 2018), not averaged.
        """
        super().__init__()
        layers: list[nn.Module] = [
            nn.Conv2d(3, widths[0], 3, 2, 1, bias=False),
            nn.BatchNorm2d(widths[0]),
            nn.ReLU(inplace=True),
        ]
        inner = widths[0]
        for i, outer in enumerate(widths):
            layers += [Block(inner, outer, 1 if i == 0 else 2), Block(outer, outer, 1)]
            inner = outer
        self.body = nn.Sequential(*layers)
        pool = nn.Conv2d(inner, inner, middle, groups=inner) if middle else nn.AdaptiveAvgPool2d(1)
        self.head = nn.Sequential(pool, nn.Flatten(), nn.Dropout(0.2), nn.Linear(inner, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Pixels to logits."""
        out: torch.Tensor = self.head(self.body(x * 4 - 2))
        return out
