"""Lets a trained network reckon in whole numbers of 8 bits, which takes a processor half the time or less."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

from vision.networks import with_onnx_runtime
from vision.training.networks import WHOLE, WIDE, keep_in_16_bits

Shown = list[NDArray[np.float32]]
#: Percent of the numbers that lie within the bounds of 8 bits, of which the best is taken; others are cut off.
_WITHIN = (100.0, 99.9995, 99.999, 99.995, 99.99)
#: The first version of ONNX's operators in which every row of a weight may have a scale of its own.
_BY_ROW = 13
#: Numbers of a layer that are looked at for one batch, at most.
_MOST = 200_000


def in_8_bits(path: Path, shown: Shown) -> float:
    """Rewrites a network with QuantizeLinear and DequantizeLinear nodes between its first convolution and its last.

    The first keeps what it is shown, the last what it says, as precisely as before. Weights have seven bits: with
    eight, sums overflow on processors without VNNI (ONNX Runtime, "Quantize ONNX models", `reduce_range`).

    Args:
        path: of weights of 16 or 32 bits.
        shown: batches of what it is shown, typical ones; by half of them it is chosen how many numbers are cut off.
    Returns:
        Root mean square of how far off its answers are then, as a share of their standard deviation.
    """
    whole = path.with_suffix(".float.onnx")
    model = _in_32_bits(onnx.load(str(path)))
    onnx.save(model, str(whole))
    fitted, held = shown[::2], shown[1::2]
    right = np.concatenate([answer.ravel() for answer in map(with_onnx_runtime(whole), held)])
    seen, best = _seen(model, fitted), (np.inf, b"")
    for within in _WITHIN:
        _quantize(whole, path, fitted[0], {name: _bounds(some, within) for name, some in seen.items()})
        said = np.concatenate([answer.ravel() for answer in map(with_onnx_runtime(path), held)])
        best = min(best, (float(np.sqrt(((said - right) ** 2).mean())), path.read_bytes()), key=lambda one: one[0])
    whole.unlink()
    path.write_bytes(best[1])
    keep_in_8_bits(path, "Gemm")
    keep_in_16_bits(path)
    return best[0] / float(right.std())


def keep_in_8_bits(path: Path, what: str = "Conv") -> None:
    """Writes weights in 8 bits, with a scale for each number that a layer says, to be widened before they are used.

    What the network reckons with is as precise as before.

    Args:
        path: of weights of 16 or 32 bits.
        what: nodes of this kind alone.
    """
    model = onnx.load(str(path))
    weights, nodes = {weight.name: weight for weight in model.graph.initializer}, []
    layers = {node.input[1] for node in model.graph.node if node.op_type == what}
    widened = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    for node in model.graph.node:
        if node.op_type == "Cast" and node.output[0] in layers:
            continue
        name = node.input[1] if node.op_type == what else ""
        own = widened.get(name, name)
        if own in weights:
            numbers = numpy_helper.to_array(weights[own]).astype(np.float32)
            by_row = (-1, *[1] * (numbers.ndim - 1))
            scale = np.maximum(np.abs(numbers).reshape(len(numbers), -1).max(axis=1) / 127, np.float32(1e-12))
            parts = {
                own: np.round(numbers / scale.reshape(by_row)).astype(np.int8),
                f"{own}_scale": scale,
                f"{own}_zero_point": np.zeros(len(scale), np.int8),
            }
            model.graph.initializer.remove(weights.pop(own))
            model.graph.initializer.extend(numpy_helper.from_array(part, key) for key, part in parts.items())
            nodes.append(onnx.helper.make_node("DequantizeLinear", list(parts), [own + WHOLE], axis=0))
            node.input[1] = own + WHOLE
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    if model.opset_import[0].version < _BY_ROW:
        model = onnx.version_converter.convert_version(model, _BY_ROW)
    onnx.save(model, str(path))


def _in_32_bits(model: onnx.ModelProto) -> onnx.ModelProto:
    """With weights of 32 bits, a name for every node, and operators that know of scales by channel."""
    weights = {weight.name: weight for weight in model.graph.initializer}
    nodes = [node for node in model.graph.node if not (node.op_type == "Cast" and node.input[0] in weights)]
    for weight in weights.values():
        numbers = numpy_helper.to_array(weight)
        if numbers.dtype == np.float16:
            weight.CopyFrom(numpy_helper.from_array(numbers.astype(np.float32), weight.name))
    for index, node in enumerate(nodes):
        if node.op_type == "DequantizeLinear":
            raise ValueError("The network is in 8 bits already: begin with the one of 16 bits that training writes.")
        node.name = node.name or f"node{index}"
        node.input[:] = [name.removesuffix(WIDE) for name in node.input]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return onnx.version_converter.convert_version(model, _BY_ROW)


def _seen(model: onnx.ModelProto, shown: Shown) -> dict[str, NDArray[np.float32]]:
    """Some of the numbers of each layer, by its name."""
    layers = [name for node in model.graph.node for name in node.output]
    every = onnx.ModelProto.FromString(model.SerializeToString())
    del every.graph.output[:]
    every.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in layers)
    # On one thread sums come out the same wherever there are more processors.
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(every.SerializeToString(), options, providers=["CPUExecutionProvider"])
    rng, seen = np.random.default_rng(0), {name: [] for name in layers}
    for batch in shown:
        for name, numbers in zip(layers, session.run(layers, {model.graph.input[0].name: batch}), strict=True):
            seen[name].append(rng.choice(numbers.ravel(), min(numbers.size, _MOST), replace=False))
    return {name: np.concatenate(some) for name, some in seen.items()}


def _bounds(numbers: NDArray[np.float32], within: float) -> list[dict[str, np.float32]]:
    low, high = np.percentile(numbers, (100 - within, within)).astype(np.float32)
    return [{"rmin": min(low, np.float32(0)), "rmax": max(high, np.float32(0))}]


class _Batches(CalibrationDataReader):
    """What `quantize_static` asks for, though it is told all bounds."""

    def __init__(self, *batches: dict[str, NDArray[np.float32]]) -> None:
        self._left = iter(batches)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._left, None)


def _quantize(source: Path, target: Path, batch: NDArray[np.float32], bounds: dict) -> None:
    graph = onnx.load(str(source)).graph
    last = max(index for index, node in enumerate(graph.node) if node.op_type == "Conv")
    # What comes after the last convolution is little work, and so is that one where it is what the network says.
    rest = graph.node[last + (last + 1 < len(graph.node)) :]
    quantize_static(
        str(source),
        str(target),
        _Batches({graph.input[0].name: batch}),
        per_channel=True,
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=[graph.node[0].name, *(node.name for node in rest if node.op_type != "Relu")],
        extra_options={"TensorQuantOverrides": bounds},
    )
