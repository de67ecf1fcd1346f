"""Lets a network that reckons in 8 bits learn to say what it said before.

Rounding is part of what it learns with, and its slope is taken for that of what is rounded (Jacob et al., Quantization
and training of neural networks for efficient integer-arithmetic-only inference, 2018). Scales of what layers say are
learned as well (Esser et al., Learned step size quantization, 2020), those of weights stay.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from vision.training.quantize import LEAST_WEIGHT, MOST_WEIGHT

Loss = Callable[[Tensor, Tensor], Tensor]
#: Share of the steps in which the rate rises to its own; and the lowest share of it to which it falls.
_RISES, _LEAST_RATE = 0.03, 0.01


class _Round(torch.autograd.Function):
    @staticmethod
    def forward(_, x: Tensor) -> Tensor:
        return torch.round(x)

    @staticmethod
    def backward(_, slope: Tensor) -> Tensor:
        return slope


class Whole(nn.Module):
    """A network of convolutions, sums and doublings with QuantizeLinear and DequantizeLinear nodes between them.

    Args:
        path: of an ONNX file that takes levels (`quantize.of_levels`).

    Attributes:
        weights: and biases, by their names in the file, not yet rounded.
        steps: logarithms of the scales of what layers say.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._model = onnx.load(str(path))
        graph = self._model.graph
        self._known = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
        self._scales: dict[str, Tensor] = {}
        self.weights, self.steps = nn.ParameterDict(), nn.ParameterDict()
        for node in graph.node:
            if node.op_type == "QuantizeLinear":
                self.steps[_key(node.input[1])] = nn.Parameter(torch.log(self._known[node.input[1]]))
            if node.op_type == "DequantizeLinear" and node.input[0] in self._known:
                whole, scale = (self._known[name].float() for name in node.input[:2])
                self._scales[node.input[0]] = scale.reshape(-1, *[1] * (whole.ndim - 1))
                self._keep(node.input[0], whole * self._scales[node.input[0]])
            elif node.op_type in ("Cast", "Conv"):
                for name in node.input:
                    if name in self._known:
                        self._keep(name, self._known[name].float())

    def _keep(self, name: str, weight: Tensor) -> None:
        self.weights[_key(name)] = nn.Parameter(weight)

    def forward(self, levels: Tensor) -> Tensor:
        """(n, channels, h, w) levels, 0-255, to what it says of them."""
        graph, seen = self._model.graph, {}
        for node in graph.node:
            inputs = [self._value(name, seen, levels) for name in node.input if name]
            seen[node.output[0]] = self._done(node, inputs)
        return seen[graph.output[0].name]

    def _value(self, name: str, seen: dict[str, Tensor], levels: Tensor) -> Tensor:
        if name in seen:
            return seen[name]
        if _key(name) in self.weights:
            return self.weights[_key(name)]
        if _key(name) in self.steps:
            return torch.exp(self.steps[_key(name)])
        return self._known.get(name, levels)

    def _done(self, node: onnx.NodeProto, inputs: list[Tensor]) -> Tensor:
        """What one node makes of its inputs; whole numbers are kept as floating ones."""
        how = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        if node.op_type == "Conv":
            return functional.conv2d(
                *inputs,
                stride=how.get("strides", [1, 1]),
                padding=how.get("pads", [0, 0])[:2],
                dilation=how.get("dilations", [1, 1]),
            )
        if node.op_type == "QuantizeLinear":
            return torch.clamp(_Round.apply(inputs[0] / inputs[1]) + inputs[2].float(), 0, 255)
        if node.op_type == "DequantizeLinear":
            scale = self._scales.get(node.input[0])
            if scale is None:
                return (inputs[0] - inputs[2].float()) * inputs[1]
            if inputs[0].ndim == 1:
                return inputs[0]
            return torch.clamp(_Round.apply(inputs[0] / scale), LEAST_WEIGHT, MOST_WEIGHT) * scale
        if node.op_type == "Resize":
            return functional.interpolate(inputs[0], scale_factor=2.0, mode="nearest")
        if node.op_type == "Add":
            return inputs[0] + inputs[1]
        if node.op_type == "Relu":
            return functional.relu(inputs[0])
        if node.op_type == "Cast":
            return inputs[0]
        if node.op_type == "Constant":
            return torch.from_numpy(np.array(numpy_helper.to_array(how["value"])))
        raise ValueError(f"A {node.op_type} node is none of those that the finder of pieces is made of.")

    def write(self, path: Path) -> None:
        """Writes it with what was learned."""
        graph, steps = self._model.graph, {name: float(torch.exp(step.detach())) for name, step in self.steps.items()}
        made = {name: node for node in graph.node for name in node.output}
        for node in graph.node:
            bias = made.get(node.input[2]) if node.op_type == "Conv" else None
            if bias is not None and bias.op_type == "DequantizeLinear":
                shown, weight = (made[name].input for name in node.input[:2])
                step = torch.tensor(steps.get(_key(shown[1]), float(self._known[shown[1]])))
                self._known[bias.input[1]] = self._known[weight[1]] * step
                self._scales[bias.input[0]] = self._known[bias.input[1]]
        for one in graph.initializer:
            numbers = self._known[one.name]
            if _key(one.name) in self.weights:
                weight, scale = self.weights[_key(one.name)].detach(), self._scales.get(one.name)
                numbers = weight if scale is None else torch.round(weight / scale)
                if scale is not None and weight.ndim > 1:
                    numbers = numbers.clamp(LEAST_WEIGHT, MOST_WEIGHT)
            numbers = np.asarray(steps.get(_key(one.name), numbers))
            numbers = numbers.astype(onnx.helper.tensor_dtype_to_np_dtype(one.data_type))
            one.CopyFrom(numpy_helper.from_array(numbers, one.name))
        onnx.save(self._model, str(path))


def settle(path: Path, shown: Iterable[tuple[Tensor, Tensor]], count: int, rate: float, loss: Loss) -> None:
    """Rewrites a network that takes levels, after it has learned.

    Args:
        shown: `count` times levels (n, channels, h, w), 0-255, and what is to be said of them.
        rate: of learning, at most.
        loss: of what was said, and of what is to be.
    """
    network = Whole(path)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    for step, (levels, right) in enumerate(shown, 1):
        share = step / count
        for group in optimizer.param_groups:
            falls = max(0.5 * (1 + np.cos(np.pi * share)), _LEAST_RATE)
            group["lr"] = rate * min(share / _RISES, 1.0) * falls
        off = loss(network(levels), right)
        optimizer.zero_grad()
        off.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    network.write(path)


def _key(name: str) -> str:
    return name.replace(".", "_")
