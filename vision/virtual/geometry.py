"""Where things are on a board: squares, strips, slots for tokens and buildings."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(n, 2) or (n, 3) meters."""

JAIL = 10


@dataclass(frozen=True)
class BoardGeometry:
    """Measures of a square board.

    Attributes:
        margin_frac: blank rim on every side, as a share of the size.
        corner_units: side of a corner, and depth of every space, in widths of a space.
        strip_frac: depth of the color strip, the inner part of a space, as a share of its depth.
        jail_lane_frac: "just visiting" along both outer edges of the jail corner.
    """

    size_m: float = 0.5
    thickness_m: float = 0.0026
    margin_frac: float = 0.012
    corner_units: float = 1.6
    strip_frac: float = 0.215
    jail_lane_frac: float = 0.3

    @property
    def unit_m(self) -> float:
        """Width of a space that is no corner."""
        return self.size_m * (1 - 2 * self.margin_frac) / (9 + 2 * self.corner_units)

    @property
    def depth_m(self) -> float:
        """Depth of every space."""
        return self.unit_m * self.corner_units

    @property
    def inner_m(self) -> float:
        """Half the side of the middle of the board."""
        return self.size_m * (0.5 - self.margin_frac) - self.depth_m

    def corners(self) -> Points:
        """(4, 3) outer corners, GO's first, in the direction of travel."""
        half = self.size_m / 2
        return np.array([[half, -half, 0.0], [-half, -half, 0.0], [-half, half, 0.0], [half, half, 0.0]])

    def from_side(self, side: int, along: float, depth: float) -> tuple[float, float]:
        """Board coordinates of a point of one side.

        Args:
            side: 0 GO to jail, and on in the direction of travel.
            along: meters from the outer edge of the side's first corner, in the direction of travel.
            depth: meters inward from the outer edge of the spaces.
        """
        edge = self.size_m * (0.5 - self.margin_frac)
        x, y = edge - along, depth - edge
        for _ in range(side):
            x, y = y, -x
        return x, y

    def space_span(self, square: int) -> tuple[int, float, float]:
        """(side, start, width) of a square along its side, in meters."""
        side, place = divmod(square, 10)
        if place == 0:
            return side, 0.0, self.depth_m
        return side, self.depth_m + (place - 1) * self.unit_m, self.unit_m

    def at(self, square: int, along: float, depth: float) -> tuple[float, float]:
        """A point of a square; `along` and `depth` are shares of its width and depth, 0-1 from the outer edge."""
        side, start, width = self.space_span(square)
        return self.from_side(side, start + along * width, depth * self.depth_m)

    def square_at(self, x: float, y: float) -> int | None:
        """The square that holds a point; None in the middle, on the rim and off the board."""
        edge = self.size_m * (0.5 - self.margin_frac)
        for side in range(4):
            along, depth = edge - x, y + edge
            x, y = -y, x
            if not (0 <= depth <= self.depth_m and 0 <= along <= 2 * edge - self.depth_m):
                continue
            if along <= self.depth_m:
                return side * 10
            return side * 10 + 1 + min(int((along - self.depth_m) / self.unit_m), 8)
        return None

    def is_in_cell(self, x: float, y: float) -> bool:
        """Whether a point of the jail corner lies in the cell; False on the lane of the visitors."""
        edge = self.size_m * (0.5 - self.margin_frac)
        lane = self.jail_lane_frac * self.depth_m
        return -edge + lane < x <= -edge + self.depth_m and -edge + lane < y <= -edge + self.depth_m

    def heading(self, square: int) -> float:
        """Angle (radians, counterclockwise) by which a piece on this square is turned from one on side 0."""
        return -np.pi / 2 * (square // 10)


def rotation_z(angle: float) -> NDArray[np.float64]:
    """(3, 3) counterclockwise rotation about the vertical."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
