"""What the networks of dice learn from, kept where they learn: in other light and colors whenever it is shown."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from vision.dice.crops import GRAY, SPREAD
from vision.training.learning import blurred
from vision.training.samples import UNKNOWN


class DiceData:
    """Samples as of `samples`.

    Their parts are pictures (h, w, 3), or (h, w, 6) with the empty table, uint8; the view, UNKNOWN where that table is
    not known; and what is right.

    Args:
        keep: bytes of samples that are kept, the latest.
        channels: planes that the network sees, the first of those of `crops.shown`.

    Attributes:
        added: samples, also those that are gone.
    """

    def __init__(self, keep: float, channels: int, seed: int, device: str = "cpu") -> None:
        self.added, self._keep, self._channels, self._device = 0, keep, channels, device
        self._parts: list[Tensor] = []
        self._draw = torch.Generator(device).manual_seed(seed)

    def add(self, parts: Sequence[np.ndarray]) -> None:
        """Further ones, (n, ...) each part; always as many."""
        told = [torch.from_numpy(part) for part in parts]
        count = len(told[0])
        if not self._parts:
            room = count * max(int(self._keep / sum(part.nbytes for part in told)), 1)
            self._parts = [torch.empty((room, *one.shape[1:]), dtype=one.dtype, device=self._device) for one in told]
        first = self.added % len(self._parts[0])
        for kept, part in zip(self._parts, told, strict=True):
            kept[first : first + count] = part
        self.added += count

    def batch(self, size: int) -> list[Tensor]:
        """What the network sees (size, channels, h, w), and what is right, of any of them."""
        count = min(self.added, len(self._parts[0]))
        rows = torch.randint(count, (size,), generator=self._draw, device=self._device)
        pictures, view, *right = (part[rows] for part in self._parts)
        seen = colored(pictures.permute(0, 3, 1, 2).float(), self._draw)
        planes = (seen - GRAY) / SPREAD
        if self._channels > 3:
            now, then = planes[:, :3], planes[:, 3:]
            differs = (now - then) * (view != UNKNOWN)[:, None, None, None]
            planes = torch.cat([now, differs, view[:, None, None, None].expand_as(now[:, :1])], 1)
        return [planes[:, : self._channels].contiguous(memory_format=torch.channels_last), *right]


def colored(x: Tensor, draw: torch.Generator) -> Tensor:
    """Pictures (n, 3 or 6, h, w), 0-255, in other light and colors: gain per channel, now and then channels swapped,
    other contrast, more or less color, too much light, softness, noise."""

    def even(least: float, most: float, *shape: int) -> Tensor:
        return least + (most - least) * torch.rand((len(x), *(shape or (1, 1, 1, 1))), generator=draw, device=x.device)

    def normal(*shape: int) -> Tensor:
        return torch.randn((len(x), *shape), generator=draw, device=x.device)

    def some(share: float) -> Tensor:
        return even(0, 1) < share

    def factor(least: float, most: float) -> Tensor:
        return torch.exp(even(float(np.log(least)), float(np.log(most))))

    soft = torch.nonzero(some(0.15).flatten()).flatten()
    sigma = even(0.4, 1.2)[soft].flatten()
    out = x.unflatten(1, (-1, 3))
    for k in range(out.shape[1]):
        out[soft, k] = blurred(out[soft, k], sigma)
    order = torch.where(some(0.25).flatten(1), even(0, 1, 3).argsort(1), torch.arange(3, device=x.device))
    out = out.gather(2, order[:, None, :, None, None].expand_as(out))
    gray = out.mean((1, 2, 3, 4), keepdim=True)
    other = gray + (out - gray) * factor(0.35, 1.5) + 15 * normal(1, 1, 1, 1)
    out = torch.where(some(0.3), other, out)
    gray = out.mean(2, keepdim=True)
    out = torch.where(some(0.25), gray + (out - gray) * factor(0.4, 2.2), out)
    out = torch.where(some(0.12), out * even(1.2, 2.0), out)
    gain = torch.exp(0.12 * normal(1, 3, 1, 1) + 0.15 * normal(1, 1, 1, 1))
    out = torch.where(some(0.7), out * gain + 8 * normal(1, 1, 1, 1), out)
    noise = some(0.2) * even(1, 8)
    out = out + noise * torch.randn(out.shape, generator=draw, device=x.device)
    return out.clamp(0, 255).flatten(1, 2)
