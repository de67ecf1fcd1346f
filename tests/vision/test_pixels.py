"""Image functions that are OpenCV's in fewer steps say the same."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pixels import largest_channel, opened_by, split

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


def test_what_is_as_long_as_a_line_is_left_by_an_opening_and_no_more() -> None:
    """Also of an element that is not the same upside down."""
    element = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]], np.uint8)
    picture = np.zeros((9, 9), np.float32)
    picture[2, 2], picture[3, 3], picture[4, 4], picture[7, 1], picture[6, 6] = 5, 7, 6, 9, 4
    expected = np.zeros_like(picture)
    expected[2, 2], expected[3, 3], expected[4, 4] = 5, 6, 6
    assert (opened_by(picture, element) == expected).all()
