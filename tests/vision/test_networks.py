"""The networks say the same whichever library runs them."""

import numpy as np
import pytest

from vision.networks import MODELS, with_onnx_runtime, with_opencv

SHAPES = {
    "dice_finder": (1, 3, 96, 160),
    "dice_reader": (3, 3, 64, 64),
    "table_dice_finder": (1, 7, 96, 160),
    "table_dice_reader": (3, 7, 64, 64),
    "dice_numerals": (3, 3, 64, 64),
    "finder": (1, 8, 96, 208),
    "recognizer": (3, 6, 64, 64),
}


@pytest.mark.parametrize("name", SHAPES)
def test_both_libraries_make_the_same_of_a_picture(name: str) -> None:
    shown = np.random.default_rng(7).uniform(-1, 1, SHAPES[name]).astype(np.float32)
    path = MODELS / f"{name}.onnx"
    said = with_onnx_runtime(path)(shown)
    assert said.std() > 0.01
    assert np.abs(said - with_opencv(path)(shown)).max() < 1e-3


def test_every_network_shipped_is_compared() -> None:
    assert {path.stem for path in MODELS.glob("*.onnx")} == set(SHAPES)
