"""Where in a picture dice may lie: wherever it differs from the empty table, on the board or beside it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.foreground import difference, recolor
from vision.pixels import Image, opened, remap, shrunk, steps, widened
from vision.view import View

#: Differences (0-255) that count, and px by which they are widened, at half the picture's size.
_STEP, _AROUND = 14, 7


def dice_field(
    empty_bgr: Image, empty_view: View, frame_bgr: Image, view: View, colors: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """(h, w) mask of a frame, 255 where dice may lie.

    Args:
        colors: the empty board's colors to the frame's, of `match_colors`.
    """
    height, width = frame_bgr.shape[:2]
    half = (width // 2, height // 2)
    now = shrunk(frame_bgr, half)
    if view is empty_view:
        before, known = shrunk(empty_bgr, half), None
    else:
        before, known = _moved(empty_bgr, empty_view, view, half)
    differs = (difference(recolor(before, colors), now) > _STEP).astype(np.uint8) * 255
    if known is not None:
        differs = np.maximum(differs, 255 - known)
    differs = widened(opened(differs, 3), _AROUND)
    return np.asarray(cv2.resize(differs, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _moved(
    empty_bgr: Image, empty_view: View, view: View, half: tuple[int, int], step: int = 16
) -> tuple[Image, NDArray[np.uint8]]:
    """The empty picture as seen from elsewhere, as if all the table were flat, and where it is known."""
    columns, rows = half[0] // step + 2, half[1] // step + 2
    grid = np.stack(np.meshgrid(np.arange(columns) * step, np.arange(rows) * step), axis=-1).reshape(-1, 2)
    there = empty_view.project(view.to_board(np.asarray((grid + 0.5) * 2.0 - 0.5, np.float64))).astype(np.float32)
    where = remap(there.reshape(rows, columns, 2), steps(half[0], half[1], step), replicate=True)
    before = remap(empty_bgr, where, replicate=True)
    size = (empty_bgr.shape[1] - 1, empty_bgr.shape[0] - 1)
    inside = np.asarray((where >= 0) & (where <= size)).all(2)
    return before, np.asarray(inside * 255, np.uint8)
