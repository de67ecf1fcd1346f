"""The board from above in small, in color: for the light on it, and for hands."""

import numpy as np
from numpy.typing import NDArray

from vision.board.layout import Layout
from vision.board.registration import RIM_PX, SIDE_PX, half_map
from vision.board.view import Points, View
from vision.pixels import Image, fixed_map, remap, shrunk

#: Side in px of the overview, with the rim; a quarter of what the board is registered by.
OVERVIEW_PX = (SIDE_PX + 2 * RIM_PX) // 4


class Overview:
    """Makes overviews of pictures; remembers where each px lies while the view stays the same.

    Attributes:
        beyond: (OVERVIEW_PX, OVERVIEW_PX) what of the last overview lay beyond the picture's rims, and is black.
    """

    def __init__(self) -> None:
        self._view: View | None = None
        self.beyond: NDArray[np.bool_] = np.zeros((OVERVIEW_PX, OVERVIEW_PX), bool)

    def of(self, half_bgr: Image, view: View) -> Image:
        """(OVERVIEW_PX, OVERVIEW_PX, 3) the board from above.

        Args:
            half_bgr: the picture at half its size, seen through `view` at its full size.
        """
        if view is not self._view:
            self._view = view
            where = half_map(view)
            self._where = fixed_map(where)
            last = np.array(half_bgr.shape[1::-1], np.float32) - 1
            is_out = np.asarray(((where < 0) | (where > last)).any(axis=2), np.uint8)
            self.beyond = np.asarray(shrunk(255 * is_out, (OVERVIEW_PX, OVERVIEW_PX)) > 0)
        return shrunk(remap(half_bgr, self._where), (OVERVIEW_PX, OVERVIEW_PX))


def overview_points() -> Points:
    """(OVERVIEW_PX, OVERVIEW_PX, 2) the board points of an overview's px."""
    share = (np.arange(OVERVIEW_PX) + 0.5) / OVERVIEW_PX * (1 + 2 * RIM_PX / SIDE_PX) - RIM_PX / SIDE_PX - 0.5
    return np.stack(np.meshgrid(share, -share), axis=-1)


def overview_px(points: Points) -> Points:
    """(n, 2) px of an overview at board points (n, 2)."""
    share = (points * [1, -1] + 0.5 + RIM_PX / SIDE_PX) / (1 + 2 * RIM_PX / SIDE_PX)
    return np.asarray(share * OVERVIEW_PX - 0.5)


def spaces_in_overview(layout: Layout) -> NDArray[np.int8]:
    """(OVERVIEW_PX, OVERVIEW_PX) the space 0-39 that each px shows, rim included; -1 where it shows none."""
    points = overview_points()
    outside = layout.distances(points)
    is_on = (outside.min(axis=-1) == 0) & (np.abs(points).max(axis=-1) < 0.5)
    return np.where(is_on, outside.argmin(axis=-1), -1).astype(np.int8)
