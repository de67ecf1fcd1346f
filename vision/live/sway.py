"""What a camera that sways a little makes of a picture, as a phone on a stand does when somebody leans on the table.

Works on thumbnails, in which print is finer than a px: what a px shows after a shift cannot be told, only by how much
it may have changed.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: A sway of fewer px changes nothing; otherwise each px may change by so many times what its neighbors and it say.
#: (Of 20 rendered tables shifted by 1 or 2 px of 1280 all count as moving without, 3 and 2 with this; two dice that
#: land meanwhile do in 179 of 180 pictures.)
LEAST, ALLOWED = 0.01, 2.5
#: Parts of the picture, across and down; those with this share of the usual squared slopes tell whether it swayed, and
#: more than this share of them has to say so. On 15 rendered tables 86% and more do where all was shifted by 0.25 to 4
#: px of 1280 or turned by 0.1 degrees, at most 75% where a hand or nothing moved, or a lamp flickered.
PARTS, STEEP, AGREED = (8, 6), 0.3, 0.8


class Sway(NamedTuple):
    """How far a camera swayed.

    Attributes:
        px: by which the part of the picture moved that moved most.
        changes: (3, h, w) by how much each px may have changed because of that.
    """

    px: float
    changes: Floats


def sway_of(changed: Floats, planes: Floats) -> Sway | None:
    """How far the camera swayed; None where it did not, or something else moved.

    The least squares of Lucas and Kanade (1981) tell by how much all of the picture shifted, turned and grew. That has
    to explain what changed in most parts of it: a hand that moves shifts its own part alone.

    Args:
        changed: (h, w) by how much each px became brighter.
        planes: (3, h, w) brightness and colors since.
    """
    mean = planes[0] - changed / 2
    height, width = mean.shape
    slope_x, slope_y = np.zeros_like(mean), np.zeros_like(mean)
    slope_x[:, 1:-1] = (mean[:, :-2] - mean[:, 2:]) / 2
    slope_y[1:-1] = (mean[:-2] - mean[2:]) / 2
    x = ((np.arange(width, dtype=np.float32) - (width - 1) / 2) / width)[None]
    y = ((np.arange(height, dtype=np.float32) - (height - 1) / 2) / width)[:, None]
    effects = np.stack([slope_x, slope_y, slope_x * x + slope_y * y, slope_y * x - slope_x * y])
    flat = effects.reshape(4, -1)
    # A picture without slopes tells nothing.
    square = flat @ flat.T + np.eye(4, dtype=np.float32)
    right, below, growth, turn = told = np.linalg.solve(square, flat @ changed.ravel())
    across, down = np.abs(right + growth * x - turn * y), np.abs(below + growth * y + turn * x)
    px = float(max(across.max(), down.max()))
    if px < LEAST:
        return None
    said = np.tensordot(told, effects, axes=1)
    steep, explained = _by_parts(slope_x**2 + slope_y**2), _by_parts(said * (2 * changed - said))
    agrees = explained[steep > STEEP * steep.mean()] > 0
    if np.count_nonzero(agrees) <= AGREED * agrees.size:
        return None
    changes = ALLOWED * (across * _steps(planes, 2) + down * _steps(planes, 1))
    return Sway(px, np.asarray(changes, np.float32))


def _by_parts(values: Floats) -> Floats:
    """The means of (h, w) values in each of `PARTS`."""
    return np.asarray(cv2.resize(values, PARTS, interpolation=cv2.INTER_AREA), np.float32)


def _steps(planes: Floats, axis: int) -> Floats:
    """By how much each px of (3, h, w) differs at most from its two neighbors along an axis."""
    steps = np.abs(np.diff(planes, axis=axis))
    none = np.zeros_like(planes.take([0], axis))
    return np.maximum(np.concatenate([none, steps], axis), np.concatenate([steps, none], axis))
