"""A training run: the update of a network by a batch, the moving average of its weights, and a checkpoint to resume from."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.train.precision import bfloat16_pays
from vision.photo import Pixels

_AT_ONCE = 128


class Learning:
    """A network, its optimiser (AdamW), and its learning rate, which rises first and then falls to the last step (`OneCycleLR`).

    Attributes:
        net: the network.
        average: the moving average of its weights; without `mean` the network itself.
        step: the number of steps done.
        steps: the number of steps of the whole training.
        recent: the moving average of the loss.
    """

    def __init__(
        self,
        net: Any,
        steps: int,
        rates: Sequence[tuple[Sequence[Any], float]],
        *,
        decay: float = 0.02,
        warm_up: float = 0.1,
        clip: float = 5.0,
        mean: float = 0.0,
    ) -> None:
        """Begin a training.

        Args:
            net: the network, with its initial weights.
            steps: the number of steps of the whole training.
            rates: groups of weights, each with its highest learning rate.
            decay: weight decay.
            warm_up: the share of the steps in which the learning rate rises.
            clip: the largest norm of the gradient.
            mean: decay of the moving average of the weights, per step; 0: no average.
        """
        import torch

        self.net, self.steps, self.step, self.recent = net, steps, 0, 0.0
        net.train().to(memory_format=torch.channels_last)
        self._mean, self._clip, self._device = mean, clip, next(net.parameters()).device.type
        self._short = self._device != "cpu" or bfloat16_pays()
        self.average = copy.deepcopy(net).eval() if mean else net
        self._optimiser = torch.optim.AdamW(
            [{"params": list(weights), "lr": rate} for weights, rate in rates], weight_decay=decay
        )
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(
            self._optimiser,
            [rate for _, rate in rates],
            total_steps=steps,
            pct_start=max(warm_up, min(0.75, 2 / steps)),  # a rise or a fall of no steps is divided by
        )

    @property
    def left(self) -> range:
        """The steps still to do."""
        return range(self.step, self.steps)

    def answers(self, pixels: Any) -> Any:
        """The network's output for a batch (n x 3 x height x width), for the loss that `learn` takes.

        The output is in full precision: a coordinate in bfloat16 would be off by pixels.
        """
        import torch

        self.net.train()
        with torch.autocast(self._device, torch.bfloat16, enabled=self._short):
            return _whole(self.net(pixels.contiguous(memory_format=torch.channels_last)))

    def learn(self, loss: Any) -> None:
        """Take one optimiser step on the loss of a batch."""
        import torch

        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self._clip)
        self._optimiser.step()
        self._schedule.step()
        self.step += 1
        self.recent += (float(loss.item()) - self.recent) / min(self.step, 100)
        if self._mean:
            self._follow()

    def _follow(self) -> None:
        """Update the moving average; in the first steps it moves faster."""
        import torch

        stays = min(self._mean, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            pairs = zip(self.average.state_dict().values(), self.net.state_dict().values(), strict=True)
            for mean, now in pairs:
                if mean.is_floating_point():
                    mean.mul_(stays).add_(now, alpha=1 - stays)
                else:
                    mean.copy_(now)

    def keep(self, file: Path) -> None:
        """Write a checkpoint; if interrupted, the earlier file stays."""
        import torch

        part = file.with_suffix(".part")
        state = {name: each.state_dict() for name, each in self._parts.items()}
        torch.save({"step": self.step, "steps": self.steps, "recent": self.recent, **state}, part)
        part.replace(file)

    def resume(self, file: Path) -> None:
        """Resume from a checkpoint, if the file exists.

        Raises:
            SystemExit: the checkpoint belongs to a training of another length.
        """
        import torch

        if not file.exists():
            return
        state = torch.load(file)
        if state["steps"] != self.steps:
            raise SystemExit(
                f"{file} belongs to a training of {state['steps']} steps, which cannot resume with {self.steps}. "
                "Move it away, and start again from the network exported beside it (--start)."
            )
        for name, each in self._parts.items():
            each.load_state_dict(state[name])
        self.step, self.recent = state["step"], state.get("recent", 0.0)

    @property
    def _parts(self) -> dict[str, Any]:
        return {"net": self.net, "average": self.average, "optimiser": self._optimiser, "schedule": self._schedule}


def _whole(answers: Any) -> Any:
    """Tensors, alone or in a dict or a list, in full precision."""
    if isinstance(answers, dict):
        return {name: _whole(value) for name, value in answers.items()}
    return [_whole(each) for each in answers] if isinstance(answers, list) else answers.float()


def tensor(pixels: Any) -> Any:
    """Batch x height x width x 3 bytes as network input: batch x 3 x height x width, 0..1, channels last in memory."""
    import torch

    return torch.as_tensor(pixels).permute(0, 3, 1, 2).float().div(255).contiguous(memory_format=torch.channels_last)


def logits(net: Any, views: Sequence[Pixels]) -> NDArray[np.float64]:
    """A network's logits for crops of its input size (n x classes)."""
    import torch

    net.eval()
    with torch.no_grad():
        parts = [
            net(tensor(np.stack(views[start : start + _AT_ONCE]))).float().numpy()
            for start in range(0, len(views), _AT_ONCE)
        ]
    return np.concatenate(parts).astype(np.float64)
