"""Pictures of an empty board that were not taken by the camera of the game: scans, and pictures from elsewhere."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.pixels import shrunk
from vision.virtual.artwork import Image
from vision.virtual.dataset import moment_of
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle, random_camera
from vision.virtual.setting import Setting

#: Px across a scanned board, least and most, and of the white lid about it at most.
_SCAN_PX, _LID_PX = (800, 1700), 60


class EmptyBoard(NamedTuple):
    """A picture of an empty board.

    Attributes:
        picture_bgr: (h, w, 3) uint8.
        corners_px: (4, 2) of the board's corners, GO's first, in the direction of travel.
    """

    picture_bgr: Image
    corners_px: NDArray[np.float64]


def scanned(renderer: Renderer, rng: np.random.Generator) -> EmptyBoard:
    """A flat scan of the board: evenly lit, sharp, in its own colors, on white or to the very edge."""
    side, lid = int(rng.integers(*_SCAN_PX)), int(rng.integers(_LID_PX + 1))
    sheet = np.full((side + 2 * lid, side + 2 * lid, 3), int(rng.integers(235, 256)), np.uint8)
    sheet[lid : lid + side, lid : lid + side] = shrunk(renderer.board, (side, side))
    levels = 255 * (sheet / 255.0) ** rng.uniform(0.8, 1.25) * rng.uniform(0.95, 1.05, 3)
    picture = np.clip(levels + rng.normal(0, 1.5, levels.shape), 0, 255).astype(np.uint8)
    near, far = lid - 0.5, lid + side - 0.5
    return EmptyBoard(picture, np.array([[far, far], [near, far], [near, near], [far, near]]))


def elsewhere(style: TableStyle, rng: np.random.Generator) -> EmptyBoard:
    """The board on its table, seen by another camera from another place."""
    camera = random_camera(rng, style.camera.size)
    picture = Renderer(style, camera).render(Setting(style, rng).scene(), moment_of(style, rng))
    return EmptyBoard(picture, camera.project(style.geometry.corners()))
