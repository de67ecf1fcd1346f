"""Steps of learning: on a GPU, all that one does is recorded once and launched at once. And what is done to pictures
where they are kept."""

import torch
from torch.nn import functional

#: Gradients are made no longer than this.
_LONGEST = 5.0
#: Steps before one is recorded: what is chosen or made once is so by then.
_BEFORE = 5
#: Px to each side that a blur reaches.
_BLURRED = 4


class Learning:
    """A network that learns by AdamW.

    Args:
        loss: of the network and a batch, a list of tensors.
        rate: of learning at first.
        settle: what is done to the network whenever it is to learn.
        decay: of its weights.
    """

    def __init__(self, net, loss, rate, device="cpu", settle=None, decay=1e-2):
        self.net, self._loss, self._settle = net, loss, settle
        net.to(device, memory_format=torch.channels_last)
        self._on_gpu = torch.device(device).type == "cuda"
        first = torch.tensor(rate, device=device) if self._on_gpu else rate
        self._optimizer = torch.optim.AdamW(net.parameters(), first, weight_decay=decay, capturable=self._on_gpu)
        self._steps, self._graph, self._shown, self._value = 0, None, (), None

    def step(self, batch, rate):
        """Learns from a batch at this rate; what the loss was."""
        self.net.train()
        if self._settle:
            self._settle(self.net)
        for group in self._optimizer.param_groups:
            if self._on_gpu:
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
        self._steps += 1
        if not self._on_gpu:
            return self._learn(batch).item()
        if self._steps <= _BEFORE:
            return self._aside(batch).item()
        if self._graph is None:
            self._record(batch)
        for shown, new in zip(self._shown, batch, strict=True):
            shown.copy_(new)
        self._graph.replay()
        return self._value.item()

    def _learn(self, batch):
        value = self._loss(self.net, batch)
        self._optimizer.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), _LONGEST)
        self._optimizer.step()
        return value.detach()

    def _aside(self, batch):
        """As a step that is to be recorded has to be tried: in a stream of its own."""
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            value = self._learn(batch)
        torch.cuda.current_stream().wait_stream(aside)
        return value

    def _record(self, batch):
        self._shown, self._graph = [part.clone() for part in batch], torch.cuda.CUDAGraph()
        self._optimizer.zero_grad()
        torch.cuda.synchronize()
        # Batches are made in another thread meanwhile.
        with torch.cuda.graph(self._graph, capture_error_mode="thread_local"):
            self._value = self._learn(self._shown)


def blurred(x, sigma):
    """(n, 3, h, w) blurred by (n,) px."""
    reach = torch.arange(-_BLURRED, _BLURRED + 1, device=x.device)
    weights = torch.exp(-((reach / sigma[:, None]) ** 2) / 2)
    weights = (weights / weights.sum(1, keepdim=True))[:, :, None, None, None]
    wide = functional.pad(x, [_BLURRED] * 4, mode="replicate")
    height, width = x.shape[2:]
    wide = sum(weights[:, k] * wide[:, :, k : k + height] for k in range(len(reach)))
    return sum(weights[:, k] * wide[..., k : k + width] for k in range(len(reach)))
