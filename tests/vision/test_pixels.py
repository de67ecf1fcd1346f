"""Image functions that are OpenCV's in fewer steps say the same."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pixels import largest_channel, split

RNG = np.random.default_rng(4)
PICTURES = [
    RNG.integers(0, 256, (7, 5, 3)).astype(np.uint8),
    RNG.integers(0, 256, (40, 64, 3)).astype(np.uint8)[4:30, 8:50],
    np.array([[[9, 1, 2], [3, 250, 4]], [[5, 6, 251], [7, 8, 0]]], np.uint8),
]


@pytest.mark.parametrize("picture", PICTURES)
def test_largest_channel_of_each_px(picture: NDArray[np.uint8]) -> None:
    assert (largest_channel(picture) == picture.max(axis=2)).all()


@pytest.mark.parametrize("picture", [*PICTURES, PICTURES[0].astype(np.float32) / 3])
def test_channels_are_split_into_planes(picture: NDArray[np.uint8]) -> None:
    assert split(picture).dtype == picture.dtype
    assert (split(picture) == picture.transpose(2, 0, 1)).all()
