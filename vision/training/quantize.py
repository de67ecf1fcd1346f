"""Lets a trained network reckon in whole numbers of 8 bits, which takes a processor half the time or less.

Networks that see the bands of a board (`on_bands`) are shown whole numbers, too: levels, 0-255.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

from vision.board.bands import NOTHING
from vision.networks import with_onnx_runtime
from vision.training.networks import WHOLE, WIDE, keep_in_16_bits, own_name, stored_weights

Shown = list[NDArray[np.float32]]
#: Percent of the numbers that lie within the bounds of 8 bits, of which the best is taken; others are cut off.
WITHIN = (100.0, 99.9995, 99.999, 99.995, 99.99)
#: The first version of ONNX's operators in which every row of a weight may have a scale of its own.
_BY_ROW = 13
#: Numbers of a layer that are looked at for one batch, at most.
_MOST = 200_000
#: Weights have seven bits: with eight, sums overflow on processors without VNNI (ONNX Runtime, "Quantize ONNX models",
#: `reduce_range`).
LEAST_WEIGHT, MOST_WEIGHT = -64, 63
#: Levels are so many for one that a network was trained on, about `NOTHING`.
LEVELS = 255


def in_8_bits(path: Path, shown: Shown, within: Sequence[float] = WITHIN) -> float:
    """Rewrites a network with QuantizeLinear and DequantizeLinear nodes between its first convolution and its last.

    The first keeps what it is shown, the last what it says, as precisely as before.

    Args:
        path: of weights of 16 or 32 bits.
        shown: batches of what it is shown, typical ones; by half of them it is chosen how many numbers are cut off.
        within: percent of the numbers that are not, to choose from.
    Returns:
        Root mean square of how far off its answers are then, as a share of their standard deviation.
    """
    whole = path.with_suffix(".float.onnx")
    model = _in_32_bits(onnx.load(str(path)))
    onnx.save(model, str(whole))
    fitted, held = shown[::2], shown[1::2]
    right = np.concatenate([answer.ravel() for answer in map(with_onnx_runtime(whole), held)])
    seen, best = _seen(model, fitted), (np.inf, b"")
    for share in within:
        _quantize(whole, path, fitted[0], {name: _bounds(some, share) for name, some in seen.items()})
        said = np.concatenate([answer.ravel() for answer in map(with_onnx_runtime(path), held)])
        best = min(best, (float(np.sqrt(((said - right) ** 2).mean())), path.read_bytes()), key=lambda one: one[0])
    whole.unlink()
    path.write_bytes(best[1])
    _keep_products_in_8_bits(path)
    keep_in_16_bits(path)
    return best[0] / float(right.std())


def _keep_products_in_8_bits(path: Path) -> None:
    """Writes weights of Gemm nodes in 8 bits, with a scale for each number that a layer says, to be widened for use.

    What the network reckons with is as precise as before.

    Args:
        path: of weights of 16 or 32 bits.
    """
    model = onnx.load(str(path))
    weights, nodes = {weight.name: weight for weight in model.graph.initializer}, []
    layers = {node.input[1] for node in model.graph.node if node.op_type == "Gemm"}
    widened = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    for node in model.graph.node:
        if node.op_type == "Cast" and node.output[0] in layers:
            continue
        name = node.input[1] if node.op_type == "Gemm" else ""
        own = widened.get(name, name)
        if own in weights:
            numbers = numpy_helper.to_array(weights[own]).astype(np.float32)
            scale = np.maximum(np.abs(numbers).reshape(len(numbers), -1).max(axis=1) / 127, np.float32(1e-12))
            model.graph.initializer.remove(weights.pop(own))
            node.input[1] = _kept_whole(model.graph, nodes, own, numbers, scale, np.int8)
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    if model.opset_import[0].version < _BY_ROW:
        model = onnx.version_converter.convert_version(model, _BY_ROW)
    onnx.save(model, str(path))


def _kept_whole(
    graph: onnx.GraphProto,
    nodes: list[onnx.NodeProto],
    own: str,
    numbers: NDArray[np.float32],
    scale: NDArray[np.float32],
    bits: type[np.signedinteger],
) -> str:
    """Adds weights as whole numbers of a scale each row, and the node by which they are widened; the name of these."""
    whole = np.round(numbers / scale.reshape(-1, *[1] * (numbers.ndim - 1))).astype(bits)
    parts = {own: whole, f"{own}_scale": scale, f"{own}_zero_point": np.zeros(len(scale), bits)}
    graph.initializer.extend(numpy_helper.from_array(part, key) for key, part in parts.items())
    nodes.append(onnx.helper.make_node("DequantizeLinear", list(parts), [own + WHOLE], axis=0))
    return own + WHOLE


def of_levels(path: Path) -> None:
    """Rewrites a network that reckons in 8 bits so that it takes levels (`vision.board.bands.Sight.shown`), uint8.

    Its first convolution reckons in 8 bits then, too. It was trained on (levels - `NOTHING`) / `LEVELS`.
    """
    model, stored = onnx.load(str(path)), stored_weights(path)
    graph = model.graph
    shown, first = graph.input[0], next(node for node in graph.node if node.op_type == "Conv")
    shown.type.tensor_type.elem_type = TensorProto.UINT8
    own = {name: own_name(name) for name in first.input[1:]}
    kept = [one for one in graph.initializer if own_name(one.name) not in own.values()]
    rest = [node for node in graph.node if node.output[0] not in own]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    step = numpy_helper.from_array(np.float32(1 / LEVELS), "level")
    graph.initializer.extend([step, numpy_helper.from_array(np.uint8(NOTHING), "nothing")])
    nodes = [onnx.helper.make_node("DequantizeLinear", [shown.name, "level", "nothing"], ["shown"])]
    (weight, bias), (weights, biases) = own.values(), (stored[name] for name in own.values())
    scale = np.maximum(np.abs(weights).reshape(len(weights), -1).max(axis=1) / MOST_WEIGHT, np.float32(1e-6))
    whole = _kept_whole(graph, nodes, weight, weights, scale.astype(np.float32), np.int8)
    whole_bias = _kept_whole(graph, nodes, bias, biases, (scale / LEVELS).astype(np.float32), np.int32)
    first.input[:] = ["shown", whole, whole_bias]
    graph.node.extend([*nodes, *rest])
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def as_levels(shown: NDArray[np.float32]) -> NDArray[np.uint8]:
    """What a network is trained on, as levels."""
    return np.clip(np.rint(shown * LEVELS + NOTHING), 0, 255).astype(np.uint8)


def with_copies(path: Path) -> None:
    """Rewrites Resize nodes between whole numbers, which double rows and columns, as copies of these.

    ONNX Runtime takes a seventh of the time for that. It is shown one picture at a time from then on.
    """
    model = onnx.load(str(path))
    graph, nodes = model.graph, []
    made = {name: node for node in graph.node for name in node.output}
    after = {node.input[0]: node for node in graph.node if node.op_type == "QuantizeLinear"}
    shapes = {one.name: one for one in onnx.shape_inference.infer_shapes(model).graph.value_info}
    for node in graph.node:
        if node.op_type == "QuantizeLinear" and made[node.input[0]].op_type == "Resize":
            continue
        if node.op_type != "Resize":
            nodes.append(node)
            continue
        sizes = shapes[node.input[0]].type.tensor_type.shape.dim
        channels, rows = (sizes[axis].dim_value for axis in (1, 2))
        name, last = made[node.input[0]].input[0], after[node.output[0]].output[0]
        for kind, how in (
            ("Transpose", {"perm": [0, 2, 3, 1]}),
            ("Concat", {"axis": 3}),
            ("Reshape", {"to": [1, rows, 1, -1]}),
            ("Concat", {"axis": 2}),
            ("Reshape", {"to": [1, 2 * rows, -1, channels]}),
            ("Transpose", {"perm": [0, 3, 1, 2]}),
        ):
            inputs, output = [name] * (2 if kind == "Concat" else 1), f"{last}_{len(nodes)}"
            if kind == "Reshape":
                inputs.append(f"{output}_shape")
                graph.initializer.append(numpy_helper.from_array(np.array(how.pop("to"), np.int64), inputs[1]))
            nodes.append(onnx.helper.make_node(kind, inputs, [output], **how))
            name = output
        nodes[-1].output[0] = last
    used = {name for node in nodes for name in node.input} | {one.name for one in graph.output}
    nodes = [node for node in nodes if node.output[0] in used]
    del graph.node[:]
    graph.node.extend(nodes)
    kept = [one for one in graph.initializer if one.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    onnx.checker.check_model(model)
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
