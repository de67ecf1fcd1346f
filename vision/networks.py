"""Loads the networks, the shipped ones (`vision/models`) and others of their shapes."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

MODELS = Path(__file__).parent / "models"

Network = Callable[[NDArray[Any]], NDArray[np.float32]]
"""(n, channels, h, w), float32 or, where it was made to take levels, uint8, to what the network says; on one thread."""


def load(path: Path) -> Network:
    """A network, run by ONNX Runtime; by OpenCV, at half the speed, on machines for which that is not built."""
    return with_onnx_runtime(path) if find_spec("onnxruntime") else with_opencv(path)


class Twins:
    """A network, and one of its shape for what cameras see that stand low down; each is loaded when first asked for.

    Args:
        models: folder of the weights.
        name: of the first (`NAME.onnx`, `NAME_low.onnx`).
    """

    def __init__(self, models: Path, name: str) -> None:
        self._paths, self._loaded = (models / f"{name}.onnx", models / f"{name}_low.onnx"), dict[bool, Network]()

    def of(self, is_low: bool) -> Network:
        """That for such a camera."""
        if is_low not in self._loaded:
            self._loaded[is_low] = load(self._paths[is_low])
        return self._loaded[is_low]


def reckons_in_8_bits(path: Path) -> bool:
    """Whether a network reckons in whole numbers of 8 bits, and not only its weights are kept so."""
    return b"QuantizeLinear" in path.read_bytes()


def with_onnx_runtime(path: Path) -> Network:
    """A network run by ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Pictures of many sizes are shown to one network: there is no pattern to remember.
    options.enable_mem_pattern = False
    if not reckons_in_8_bits(path):
        # Weights that are kept in 8 bits are widened here, once, and not every time they are used.
        options.add_session_config_entry("session.disable_quant_qdq", "1")
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def forward(shown: NDArray[Any]) -> NDArray[np.float32]:
        return np.asarray(session.run(None, {name: shown})[0], np.float32)

    return forward


def with_opencv(path: Path) -> Network:
    """A network run by OpenCV: by its older engine, which is the faster one on one core, but knows no whole numbers."""
    engine = cv2.dnn.ENGINE_NEW if reckons_in_8_bits(path) else cv2.dnn.ENGINE_CLASSIC
    network: Any = cv2.dnn.readNetFromONNX(str(path), engine=engine)

    def forward(shown: NDArray[Any]) -> NDArray[np.float32]:
        network.setInput(shown)
        return np.array(network.forward(), np.float32)

    return forward
