"""The networks say the same whichever library runs them."""

import cv2
import numpy as np
import pytest

from vision import networks
from vision.board.bands import NOTHING
from vision.networks import MODELS, Twins, reckons_in_8_bits, with_onnx_runtime, with_opencv

SHAPES = {
    "dice_finder": (1, 3, 96, 160),
    "dice_reader": (3, 3, 64, 64),
    "table_dice_finder": (1, 7, 96, 160),
    "table_dice_reader": (3, 7, 64, 64),
    "dice_numerals": (3, 3, 64, 64),
    "dice_cocked": (24, 6, 64, 64),
    "finder": (1, 8, 96, 208),
    "finder_low": (1, 8, 96, 208),
    "streets": (3, 8, 48, 64),
    "streets_low": (3, 8, 48, 64),
    "recognizer": (3, 6, 48, 48),
    "fallen": (3, 12, 64, 64),
}
#: Those that are shown levels, 0-255.
OF_LEVELS = {"finder", "finder_low", "streets", "streets_low"}


@pytest.mark.parametrize("name", SHAPES)
def test_both_libraries_make_the_same_of_a_picture(name: str) -> None:
    # Blotches, as pictures have them: of mere noise some networks say nearly the same whatever it is.
    count, channels, height, width = SHAPES[name]
    coarse = np.random.default_rng(7).uniform(-2, 2, (count, height // 8, width // 8, channels)).astype(np.float32)
    shown = np.stack([cv2.resize(one, (width, height)) for one in coarse]).transpose(0, 3, 1, 2).copy()
    if name in OF_LEVELS:
        shown = np.clip(NOTHING + 60 * shown, 0, 255).astype(np.uint8)
    path = MODELS / f"{name}.onnx"
    said = with_onnx_runtime(path)(shown)
    off = np.abs(said - with_opencv(path)(shown))
    assert said.std() > 0.01
    # Whole numbers of 8 bits are rounded in other places.
    assert off.max() < 1e-3 or (reckons_in_8_bits(path) and float(np.sqrt((off**2).mean())) < 0.03 * said.std())


def test_what_reads_pictures_of_a_table_reckons_in_8_bits() -> None:
    names = {path.stem for path in MODELS.glob("*.onnx") if reckons_in_8_bits(path)}
    others = {"table_dice_finder", "table_dice_reader", "dice_numerals", "dice_cocked", "recognizer", "fallen"}
    assert names == others | OF_LEVELS


def test_every_network_shipped_is_compared() -> None:
    assert {path.stem for path in MODELS.glob("*.onnx")} == set(SHAPES)


def test_of_two_networks_each_is_loaded_once_and_not_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = list[str]()
    monkeypatch.setattr(networks, "load", lambda path: loaded.append(path.name) or (lambda shown: path.name))
    twins = Twins(MODELS, "finder")
    assert loaded == []
    assert [twins.of(is_low)(np.zeros(1)) for is_low in (False, False, True, True)] == (
        ["finder.onnx"] * 2 + ["finder_low.onnx"] * 2
    )
    assert loaded == ["finder.onnx", "finder_low.onnx"]
