"""OpenCV's image functions with NumPy's types."""

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(height, width, 3) uint8, blue first; or (height, width)."""


FixedMap = tuple[NDArray[np.int16], NDArray[np.uint16]]
"""A map in fixed point: whole px, and 32nds of them."""

#: What is so bright (0-255) in all channels is white, and whatever a camera shows there is lost.
WHITE = 235


def fixed_map(where: NDArray[np.float32]) -> FixedMap:
    """A map (h, w, 2) for `remap`, in which it takes half the time: worth it where one is used again and again."""
    no_second_map: Any = None
    whole, parts = cv2.convertMaps(where, no_second_map, cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(parts, np.uint16)


def remap(source: NDArray[Any], where: NDArray[np.float32] | FixedMap, replicate: bool = False) -> NDArray[Any]:
    """Bilinear samples of `source` at px `where` (h, w, 2); outside black, or the nearest px."""
    border = cv2.BORDER_REPLICATE if replicate else cv2.BORDER_CONSTANT
    first, second = where if isinstance(where, tuple) else (where, None)
    parts: Any = second
    samples: Any = cv2.remap(source, first, parts, cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(samples)


def shrunk(source: NDArray[Any], size: tuple[int, int]) -> NDArray[Any]:
    """`source` at a smaller (width, height), averaged over areas."""
    small: Any = cv2.resize(source, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small)


def halved(source: NDArray[Any]) -> NDArray[Any]:
    """`source` at half its size."""
    return shrunk(source, (source.shape[1] // 2, source.shape[0] // 2))


def is_white(picture_bgr: Image, least: int = WHITE) -> NDArray[np.bool_]:
    """(h, w) where all channels have at least so much (0-255)."""
    return np.asarray(cv2.inRange(picture_bgr, np.full(3, least), np.full(3, 255)) > 0)


def widened(source: NDArray[Any], across: int, down: int | None = None) -> NDArray[Any]:
    """The largest value in a window about each px."""
    grown: Any = cv2.dilate(source, np.ones((across if down is None else down, across), np.uint8))
    return np.asarray(grown)


def narrowed(source: NDArray[Any], across: int) -> NDArray[Any]:
    """The smallest value in a window about each px."""
    less: Any = cv2.erode(source, np.ones((across, across), np.uint8))
    return np.asarray(less)


def opened_by(source: NDArray[Any], element: NDArray[np.uint8]) -> NDArray[Any]:
    """The most that each px has together with all others of a structuring element (0 or 1) through it."""
    opened: Any = cv2.dilate(cv2.erode(source, element), element[::-1, ::-1].copy())
    return np.asarray(opened)


def opened(mask: NDArray[Any], across: int) -> NDArray[Any]:
    """The mask without parts narrower than `across` px."""
    return widened(narrowed(mask, across), across)


def closed(mask: NDArray[Any], across: int) -> NDArray[Any]:
    """The mask with gaps narrower than `across` px filled."""
    return narrowed(widened(mask, across), across)


@lru_cache(maxsize=8)
def steps(count_x: int, count_y: int, step: int) -> NDArray[np.float32]:
    """(count_y, count_x, 2) places in a map given at every `step`-th px; not to be changed."""
    columns = np.arange(count_x, dtype=np.float32) / step
    rows = np.arange(count_y, dtype=np.float32) / step
    places: NDArray[np.float32] = np.stack(np.meshgrid(columns, rows), axis=-1)
    places.flags.writeable = False
    return places


def split(picture: NDArray[Any]) -> NDArray[Any]:
    """(3, h, w) the channels of a picture: into one array a third of the time that `cv2.split` takes into three."""
    channels = np.empty((3, *picture.shape[:2]), picture.dtype)
    cv2.split(picture, list(channels))
    return channels


def largest_channel(picture: Image) -> Image:
    """(h, w) the largest channel of each px: along the rows, a third of the time that it takes from plane to plane."""
    flat = picture.reshape(1, -1)
    largest = np.empty_like(flat)
    cv2.max(flat[:, :-1], flat[:, 1:], dst=largest[:, :-1])
    cv2.max(largest[:, :-2], flat[:, 2:], dst=largest[:, :-2])
    return np.asarray(cv2.extractChannel(largest.reshape(picture.shape), 0), np.uint8)


def channels_of(px: NDArray[Any]) -> NDArray[np.float32]:
    """(3, n) of px (n, 3), each channel in one piece: NumPy finds maxima across these many times faster."""
    return px.T.astype(np.float32, order="C")


def lab_of(picture_bgr: Image) -> NDArray[np.float32]:
    """CIELAB as OpenCV scales it (0-255), float32."""
    return np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2LAB)).astype(np.float32)


def gray_of(picture_bgr: Image) -> Image:
    """Brightness."""
    return np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def blurred(source: NDArray[Any], sigma: float) -> NDArray[Any]:
    """Gaussian blur."""
    soft: Any = cv2.GaussianBlur(source, (0, 0), sigma)
    return np.asarray(soft)


def median(values: NDArray[Any]) -> NDArray[Any]:
    """As `numpy.median` along the first axis, in less time: by 2 for the gate's noise, by 3 for a few shifts."""
    middle, is_odd = divmod(len(values), 2)
    # Of an even number the second is the largest below the first: to rank two takes up to six times as long as one.
    ranked = np.partition(values, middle, axis=0)
    return np.asarray(ranked[middle] if is_odd else (ranked[:middle].max(axis=0) + ranked[middle]) / 2)
