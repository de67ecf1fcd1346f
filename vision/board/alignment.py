"""Small local shifts between the bands of two pictures of one board: another print, paper that bulges, a bent lens."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import Image, gray_of, median, remap

#: Columns between the places where shifts are measured, and how far about each corners have a say.
_STEP, _ABOUT = 48, 60
#: Corners of the artwork that are followed in a band, and how many a place needs.
_CORNERS, _LEAST = 160, 6
#: Shifts (px of a band) too small to bother, and too large to be true.
_SMALL, _LARGE = 0.8, 9.0


def aligned(before: Image, now: Image) -> Image:
    """The empty board's bands, (sides, h, w, 3), each moved column by column onto the bands of a picture."""
    return np.stack([_aligned_band(one, other) for one, other in zip(before, now, strict=True)])


def _aligned_band(before: Image, now: Image) -> Image:
    height, width = before.shape[:2]
    shifts = _shifts(before, now)
    if shifts is None:
        return before
    places = np.arange(0, width + 1, _STEP)
    columns = np.arange(width)
    dx, dy = (np.interp(columns, places, shifts[:, axis]) for axis in (0, 1))
    where = np.stack(
        [np.tile(columns - dx, (height, 1)), np.arange(height)[:, None] - np.tile(dy, (height, 1))], axis=-1
    )
    return remap(before, where.astype(np.float32), replicate=True)


def _shifts(before: Image, now: Image) -> NDArray[np.float64] | None:
    """(places, 2) by which the artwork lies elsewhere now; None where it lies as it should."""
    first, second = gray_of(before), gray_of(now)
    corners = cv2.goodFeaturesToTrack(first, _CORNERS, 0.02, 5)
    if corners is None or len(corners) < _LEAST:
        return None
    second = np.asarray(cv2.LUT(second, _equalizing(first, second)), np.uint8)
    followed, status, _ = cv2.calcOpticalFlowPyrLK(
        first, second, corners, np.zeros_like(corners), winSize=(19, 19), maxLevel=2
    )
    way = (followed - corners)[:, 0].astype(np.float64)
    good = (status[:, 0] == 1) & (np.hypot(*way.T) < _LARGE)
    if good.sum() < _LEAST:
        return None
    way, column = way[good], corners[good, 0, 0]
    common = median(way)
    shifts = []
    for place in range(0, before.shape[1] + 1, _STEP):
        near = way[np.abs(column - place) < _ABOUT]
        shifts.append(median(near) if len(near) >= _LEAST else common)
    return np.array(shifts) if float(np.hypot(*np.array(shifts).T).max()) > _SMALL else None


def _equalizing(first: Image, second: Image) -> NDArray[np.uint8]:
    """Table that gives the second picture the brightness and contrast of the first."""
    (mean, spread), (mean_now, spread_now) = (
        (float(each[0, 0]) for each in cv2.meanStdDev(picture)) for picture in (first, second)
    )
    levels = (np.arange(256) - mean_now) * (spread + 1) / (spread_now + 1) + mean
    return np.clip(levels, 0, 255).astype(np.uint8)
