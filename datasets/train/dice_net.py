"""The dice classifier's network: the first layers of YOLO11n, pretrained on COCO, and a head that weights features by place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from torch import nn

LAYERS = 9
"""How many of YOLO11n's layers are kept: down to a stride of 32 pixels."""
_FEATURES = 256
"""Their output channels."""
_WIDTH = 320


class DiceNet(nn.Module):
    """Batch x 3 x side x side (RGB, 0..1) to batch x classes logits."""

    def __init__(self, body: nn.Module, side: int, classes: int, features: int = _FEATURES) -> None:
        """Build it; `body` has `features` output channels and a stride of 32 pixels."""
        super().__init__()
        self.body = body
        cells = -(-side // 32)
        # The middle of the crop counts, not what lies beside it: the features are weighted by place
        # (Chen et al., "MobileFaceNets", CCBR 2018), and concatenated with their mean.
        self.mix = nn.Sequential(nn.Conv2d(features, _WIDTH, 1, bias=False), nn.BatchNorm2d(_WIDTH), nn.SiLU())
        self.place = nn.Conv2d(_WIDTH, _WIDTH, cells, groups=_WIDTH)
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(2 * _WIDTH, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Pixels to logits."""
        seen = self.mix(self.body(x))
        out: torch.Tensor = self.head(torch.cat([self.place(seen), seen.mean((2, 3), keepdim=True)], 1))
        return out


def dice_net(weights: Path | str, side: int, classes: int) -> DiceNet:
    """A new head on the first layers of a YOLO11n: of a checkpoint trained on COCO, or untrained ("yolo11n.yaml")."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    from ultralytics import YOLO

    layers: Any = YOLO(weights).model.model[:LAYERS]
    net = DiceNet(nn.Sequential(*layers).float(), side, classes)
    for weight in net.parameters():
        weight.requires_grad_(True)  # a checkpoint's are frozen
    return net
