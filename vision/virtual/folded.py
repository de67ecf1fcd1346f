"""A board that does not lie flat: the crease in its middle stands up, as it does on most that were kept folded."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.virtual.camera import Camera
from vision.virtual.geometry import Points

#: Where nothing of the board is, meters.
_AWAY = 9.0


@dataclass(frozen=True)
class FoldedCamera(Camera):
    """A camera to which what lies on the board appears as on one whose crease stands up.

    Attributes:
        rise_m: height of the crease over the board's edges; negative where these stand up.
        axis: 0 where the crease runs from side 0 to side 2, 1 where it runs across.
        size_m: side of the board.
    """

    rise_m: float = 0.008
    axis: int = 0
    size_m: float = 0.5

    @classmethod
    def over(cls, camera: Camera, rise_m: float, axis: int) -> "FoldedCamera":
        """The same camera before such a board."""
        return cls(**vars(camera), rise_m=rise_m, axis=axis)

    def project(self, points: Points) -> Points:
        half = self.size_m / 2
        is_on_board = np.abs(points[:, :2]).max(axis=1) <= half
        rise = np.where(is_on_board, self.rise_m * (1 - np.abs(points[:, self.axis]) / half), 0.0)
        return super().project(points + rise[:, None] * [0.0, 0.0, 1.0])

    def plane_map(self, scale: int = 1, height_m: float = 0.0) -> NDArray[np.float32]:
        xy = super().plane_map(scale, height_m)
        if height_m < 0:
            return xy
        half = self.size_m / 2
        is_board = np.abs(xy).max(axis=-1) <= half
        shown = np.where(is_board[..., None], np.float32(_AWAY), xy)
        for sign in (-1, 1):
            leaf = self._map_of(partial(self._on_leaf, sign=sign, height_m=height_m), scale)
            is_here = (sign * leaf[..., self.axis] >= 0) & (np.abs(leaf).max(axis=-1) <= half)
            shown[is_here] = leaf[is_here]
        return np.asarray(shown, np.float32)

    def _on_leaf(self, rays: Points, sign: int, height_m: float) -> Points:
        """(n, 2) where rays (n, 3) from the eye meet one half of the board."""
        eye, slope = self.eye, sign * self.rise_m / (self.size_m / 2)
        steepness = np.minimum(rays[:, 2] + slope * rays[:, self.axis], -1e-3)
        reach = (height_m + self.rise_m - eye[2] - slope * eye[self.axis]) / steepness
        return np.asarray(eye[:2] + rays[:, :2] * reach[:, None])
