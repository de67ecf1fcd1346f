"""The networks of the dice reader, and how they are written as ONNX with convolutions alone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

#: Ends the names of weights that are kept in 16 bits, once they are widened, and of those kept in 8.
WIDE, WHOLE = "_wide", "_DequantizeLinear_Output"


class Convolution(nn.Module):
    """Convolution, batch normalization, ReLU."""

    def __init__(self, source: int, target: int, stride: int = 1, kernel: int = 3) -> None:
        super().__init__()
        self.conv = nn.Conv2d(source, target, kernel, stride, kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(target)

    def forward(self, x: Tensor) -> Tensor:
        """(n, c, h, w) to the same."""
        return torch.relu(self.norm(self.conv(x)))

    def folded(self) -> tuple[np.ndarray, np.ndarray]:
        """Weight and bias with the normalization folded in."""
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        weight = self.conv.weight * scale[:, None, None, None]
        bias = self.norm.bias - self.norm.running_mean * scale
        return weight.detach().cpu().numpy(), bias.detach().cpu().numpy()


class Stack(nn.Module):
    """Convolutions one after the other, the last one linear; pictures come in as (BGR - 128) / 64."""

    def __init__(self, layers: list[Convolution], outputs: int, last_kernel: int = 1) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.last = nn.Conv2d(layers[-1].conv.out_channels, outputs, last_kernel)

    def forward(self, x: Tensor) -> Tensor:
        """(n, channels, h, w) to (n, outputs, h', w')."""
        for layer in self.layers:
            x = layer(x)
        return self.last(x)

    def convolutions(self) -> Iterator[tuple[np.ndarray, np.ndarray, nn.Conv2d, bool]]:
        """(weight, bias, settings, whether a ReLU follows), in order, of all layers."""
        for layer in self.layers:
            weight, bias = layer.folded()
            yield weight, bias, layer.conv, True
        yield self.last.weight.detach().cpu().numpy(), self.last.bias.detach().cpu().numpy(), self.last, False


def finder(channels: int = 3, deep: int = 4, width: int = 64) -> Stack:
    """At every fourth px: whether the upper face of a die has its center there, where exactly, and its size.

    Outputs: logit, dx, dy (in cells), log of the edge over `FINDER_EDGE`; each for the 2 x 2 cells of 8 x 8 px.

    Args:
        deep: convolutions at every eighth px.
    """
    layers = [Convolution(channels, 16, 2), Convolution(16, 24, 2), Convolution(24, width, 2)]
    return Stack([*layers, *(Convolution(width, width) for _ in range(deep))], 16)


def reader(outputs: int, channels: int = 3, deep: tuple[int, int, int] = (2, 3, 4)) -> Stack:
    """A 64 x 64 px crop around one upper face to `outputs` numbers; the last but one layer sees the whole crop.

    Args:
        deep: convolutions at every second, fourth and eighth px.
    """
    layers = [Convolution(channels, 24, 2), Convolution(24, 32), *(Convolution(32, 32) for _ in range(deep[0] - 1))]
    layers += [Convolution(32, 48, 2), *(Convolution(48, 48) for _ in range(deep[1]))]
    layers += [Convolution(48, 64, 2), *(Convolution(64, 64) for _ in range(deep[2])), Convolution(64, 24, kernel=1)]
    stack = Stack(layers, 128, last_kernel=8)
    return Reader(layers, stack.last, outputs)


def cocked(channels: int, deep: tuple[int, int, int]) -> Stack:
    """A 64 x 64 px crop around one upper face to what `vision.dice.evidence.slant_evidence` weighs.

    All but the last two convolutions are those of a `reader` that is so deep.
    """
    layers = [*reader(5, channels, deep).layers]
    return Reader(layers, nn.Conv2d(layers[-1].conv.out_channels, 64, 8), 5)


class Reader(Stack):
    """A stack whose last map is seen whole, by one hidden layer."""

    def __init__(self, layers: list[Convolution], whole: nn.Conv2d, outputs: int) -> None:
        super().__init__(layers, outputs)
        self.whole = whole
        self.last = nn.Conv2d(whole.out_channels, outputs, 1)
        self.drop = nn.Dropout(0.2)

    def forward(self, x: Tensor) -> Tensor:
        """(n, channels, 64, 64) to (n, outputs)."""
        for layer in self.layers:
            x = layer(x)
        return self.last(self.drop(torch.relu(self.whole(x)))).flatten(1)

    def convolutions(self) -> Iterator[tuple[np.ndarray, np.ndarray, nn.Conv2d, bool]]:
        """As in `Stack`, with the hidden layer before the last."""
        *first, last = super().convolutions()
        yield from first
        yield self.whole.weight.detach().cpu().numpy(), self.whole.bias.detach().cpu().numpy(), self.whole, True
        yield last


def read_onnx(network: Stack, path: Path, images: Tensor, first: int | None = None) -> None:
    """Takes over the weights that `write_onnx` wrote for a network of the same shape, of other input channels, or less
    deep: convolutions that are new begin as ones that change nothing (Net2DeeperNet, Chen et al. 2016).

    Args:
        images: (n, channels, h, w), some that are typical; the normalizations are set to what they make of these.
        first: so many of its convolutions are taken over and what follows is left as it is; None for all.
    """
    stored = stored_weights(path)
    x, index = images, 0
    with torch.no_grad():
        for _, _, conv, has_relu in network.convolutions():
            if index == first:
                break
            weight, bias = (stored.get(f"{name}{index}", np.zeros(0, np.float32)) for name in "wb")
            conv.weight.zero_()
            if (len(weight), *weight.shape[2:]) == (conv.out_channels, *conv.kernel_size):
                conv.weight[:, : weight.shape[1]] = torch.from_numpy(weight[:, : conv.in_channels])
                index += 1
            else:
                nn.init.dirac_(conv.weight)
                bias = np.zeros(conv.out_channels, np.float32)
            if conv.bias is not None:
                conv.bias.copy_(torch.from_numpy(bias))
            x = conv(x)
            if conv.bias is None:
                norm = next(layer.norm for layer in network.layers if layer.conv is conv)
                mean, spread = x.mean((0, 2, 3)), x.var((0, 2, 3))
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(spread)
                norm.weight.copy_(torch.sqrt(spread + norm.eps))
                norm.bias.copy_(mean + torch.from_numpy(bias))
                x = x + torch.from_numpy(bias)[:, None, None]
            x = torch.relu(x) if has_relu else x
    if index != (len(stored) // 2 if first is None else first):
        raise ValueError(f"{path} is of a network of another shape.")


def stored_weights(path: Path) -> dict[str, np.ndarray]:
    """Weights by their names as float32, whether they are kept in 32, 16 or 8 bits."""
    graph = onnx.load(str(path)).graph
    stored = {one.name: numpy_helper.to_array(one).astype(np.float32) for one in graph.initializer}
    whole = [node for node in graph.node if node.op_type == "DequantizeLinear" and node.input[0] in stored]
    for node in whole:
        numbers, scale, zero = (stored.pop(name) for name in node.input)
        shape = (-1, *[1] * (numbers.ndim - 1))
        stored[own_name(node.output[0])] = (numbers - zero.reshape(shape)) * scale.reshape(shape)
    return {name: numbers for name, numbers in stored.items() if numbers.ndim}


def own_name(name: str) -> str:
    """What a weight is called before it is kept in fewer bits."""
    return name.removesuffix(WIDE).removesuffix(WHOLE)


def write_onnx(network: Stack, path: Path, size: int | None = None) -> None:
    """Writes Conv and Relu nodes with weights of 16 bits, opset 11.

    Its input is `image` (n, channels, h, w), (BGR - 128) / 64.

    Args:
        size: height and width of the input; None for any.
    """
    nodes, weights, name = [], [], "image"
    for index, (weight, bias, conv, has_relu) in enumerate(network.convolutions()):
        for initial, numbers in (("w", weight), ("b", bias)):
            weights.append(numpy_helper.from_array(numbers, f"{initial}{index}"))
        pad = int(conv.padding[0])
        nodes.append(
            helper.make_node(
                "Conv",
                [name, f"w{index}", f"b{index}"],
                [f"c{index}"],
                kernel_shape=list(conv.kernel_size),
                strides=list(conv.stride),
                pads=[pad] * 4,
            )
        )
        name = f"c{index}"
        if has_relu:
            nodes.append(helper.make_node("Relu", [name], [f"r{index}"]))
            name = f"r{index}"
    side: int | str = size or "side"
    channels = network.layers[0].conv.in_channels
    shape = ["n", channels, side if size else "height", side if size else "width"]
    source = helper.make_tensor_value_info("image", TensorProto.FLOAT, shape)
    target = helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", network.last.out_channels, None, None])
    graph = helper.make_graph(nodes, "dice", [source], [target], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)])
    model.ir_version = 7
    onnx.save(model, str(path))
    keep_in_16_bits(path)


def keep_in_16_bits(path: Path) -> None:
    """Writes the weights of an ONNX file in 16 bits, to be widened to 32 before they are used; not those of one number
    a channel."""
    model = onnx.load(str(path))
    nodes, wide = [], {}
    for index, weight in enumerate(model.graph.initializer):
        if weight.data_type == TensorProto.FLOAT and len(weight.dims) > 1:
            numbers = numpy_helper.to_array(weight).astype(np.float16)
            model.graph.initializer[index].CopyFrom(numpy_helper.from_array(numbers, weight.name))
            wide[weight.name] = weight.name + WIDE
            nodes.append(helper.make_node("Cast", [weight.name], [wide[weight.name]], to=TensorProto.FLOAT))
    for node in model.graph.node:
        node.input[:] = [wide.get(name, name) for name in node.input]
        nodes.append(node)
    del model.graph.node[:], model.graph.value_info[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
