"""The four sides of the board seen straight from above, each with its inner edge up: what the piece finder reads.

Band coordinates are px [column, row]. All four bands look alike whatever the board's turn in the picture,
and a space is always `UNIT_PX` wide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.layout import Layout
from vision.board.view import Points, View
from vision.pixels import FixedMap, Image, remap, steps

#: Width of a space in a band, of a band, and its height.
UNIT_PX, WIDTH, HEIGHT = 36, 480, 96
#: Rows above the inner edge of the spaces: houses lean into the middle of the board.
INNER_ROWS = 11
#: Height, in spaces' widths, of the object whose lean the network is told (2 cm on a usual board).
LEAN_UNITS = 0.5
#: Networks are shown levels, 0-255: this one is nothing to them, and a lean of a px is so many.
NOTHING, LEAN_LEVELS = 115, 4

#: Turn of each side to the lower one: q = p @ turn.
_TURNS = np.array([np.linalg.matrix_power(np.array([[0, 1], [-1, 0]]), k) for k in range(4)], np.float64)

Sides = int | NDArray[np.intp]
"""One side of the board for all points (n, 2), or that of each (n,)."""


@dataclass(frozen=True)
class Bands:
    """The geometry of the bands of one board.

    Attributes:
        unit: width of a space, in board sides; depth of the inner edge of the spaces likewise from the middle.
    """

    unit: float
    inner: float

    @classmethod
    def of(cls, layout: Layout) -> "Bands":
        """The bands of a board with this layout."""
        return cls(layout.unit, 0.5 - layout.rim - layout.depth)

    def to_board(self, side: Sides, px: Points) -> Points:
        """Band px (n, 2) to board points (n, 2)."""
        x = (px[:, 0] - (WIDTH - 1) / 2) * self.unit / UNIT_PX
        y = -self.inner - (px[:, 1] - INNER_ROWS) * self.unit / UNIT_PX
        return _turned(np.column_stack([x, y]), -np.asarray(side))

    def to_band(self, side: Sides, points: Points) -> Points:
        """Board points (n, 2) to band px (n, 2)."""
        turned = _turned(points, side)
        column = turned[:, 0] * UNIT_PX / self.unit + (WIDTH - 1) / 2
        row = (-turned[:, 1] - self.inner) * UNIT_PX / self.unit + INNER_ROWS
        return np.column_stack([column, row])

    def points(self) -> Points:
        """(4 * HEIGHT, WIDTH, 2) the board points of the bands' px, below each other."""
        columns, rows = np.meshgrid(np.arange(float(WIDTH)), np.arange(float(HEIGHT)))
        px = np.column_stack([columns.ravel(), rows.ravel()])
        return np.concatenate([self.to_board(side, px).reshape(HEIGHT, WIDTH, 2) for side in range(4)])

    def beyond_diagonal(self, side: Sides, points: Points) -> NDArray[np.float64]:
        """(n,) how far board points (n, 2) lie beyond the diagonals of a side, towards the next; negative within."""
        x, y = _turned(points, side).T
        return np.asarray((np.abs(x) + y) / np.sqrt(2), np.float64)

    def maps(self, view: View, step: int = 16) -> NDArray[np.float32]:
        """(4 * HEIGHT, WIDTH, 2) map for `cv2.remap`: the bands of a picture below each other."""
        fine = steps(WIDTH, HEIGHT, step)
        parts = []
        for side in range(4):
            px = view.project(self.to_board(side, _grid(step))).astype(np.float32)
            coarse = px.reshape(HEIGHT // step + 1, WIDTH // step + 1, 2)
            parts.append(remap(coarse, fine, replicate=True))
        return np.concatenate(parts)

    def lean(self, view: View, step: int = 16) -> Image:
        """(4, 2, HEIGHT, WIDTH): where the top of an upright object appears from its foot, in levels; see `lean_px`."""
        height = LEAN_UNITS * self.unit
        eye = view.eye
        parts = []
        for side in range(4):
            foot = self.to_board(side, _grid(step))
            top = foot + (foot - eye[:2]) * (height / (eye[2] - height))
            shift = (self.to_band(side, top) - self.to_band(side, foot)) * LEAN_LEVELS + NOTHING
            coarse = shift.reshape(HEIGHT // step + 1, WIDTH // step + 1, 2).astype(np.float32)
            parts.append(remap(coarse, steps(WIDTH, HEIGHT, step), replicate=True).transpose(2, 0, 1))
        return np.clip(np.rint(np.stack(parts)), 0, 255).astype(np.uint8)


def _turned(points: Points, side: Sides) -> Points:
    """Points (n, 2) turned as a side is to become the lower one; back from there for as many sides less."""
    return np.asarray((points[:, None] @ _TURNS[side])[:, 0], np.float64)


def lean_px(levels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """What `Bands.lean` tells in px of a band [right, down]."""
    return (levels - float(NOTHING)) / LEAN_LEVELS


Window = tuple[int, int, int]
"""(side, first, last column) of a piece of a band."""


@dataclass(frozen=True)
class Sight:
    """The bands of a picture beside those of the empty board in its light, as the networks compare them.

    Attributes:
        now, before: (4 * HEIGHT, WIDTH, 3) uint8, the bands below each other.
        differs: (4, HEIGHT, WIDTH) where one surely differs from the other.
        lean: (4, 2, HEIGHT, WIDTH) of `Bands.lean`.
        gain: by which both are brought to the same mean brightness, whatever the picture's.
        is_other: colors of the print have gone ways of their own since the empty picture (`Light.is_other`).
        is_low: the camera stands low down (`View.is_low`).
    """

    now: Image
    before: Image
    differs: NDArray[np.bool_]
    lean: Image
    gain: float
    is_other: bool = False
    is_low: bool = False

    def without(self, bands: Bands, feet: Points, tall: float, half_wide: float) -> "Sight":
        """The same, but for upright things that are known: what they hide looks as if nothing stood there.

        Args:
            feet: (n, 2) of these on the board; `tall` and `half_wide` are their sizes in widths of a space.
        """
        hidden = np.zeros((4, HEIGHT, WIDTH), np.uint8)
        for side in range(4):
            for column, row in bands.to_band(side, feet).round().astype(int).tolist():
                if 0 <= column < WIDTH and 0 <= row < HEIGHT:
                    lean = lean_px(self.lean[side, :, row, column]) * (tall / LEAN_UNITS)
                    top = (column + round(float(lean[0])), row + round(float(lean[1])))
                    cv2.line(hidden[side], (column, row), top, (1,), round(2 * half_wide * UNIT_PX))
        now = cv2.copyTo(self.before, hidden.reshape(-1, WIDTH), self.now.copy())
        return replace(self, now=np.asarray(now, np.uint8))

    def shown(self, windows: Sequence[Window], rows: int = HEIGHT) -> Image:
        """(8, rows, columns) what a network is shown of the first rows of some windows, side by side."""
        light = np.clip(np.rint(np.arange(256) * self.gain), 0, 255).astype(np.uint8)
        shown = np.empty((8, rows, sum(stop - start for _, start, stop in windows)), np.uint8)
        for first, picture in ((0, self.now), (3, self.before)):
            bands = picture.reshape(4, HEIGHT, WIDTH, 3)
            packed = np.concatenate([bands[side, :rows, start:stop] for side, start, stop in windows], axis=1)
            cv2.split(cv2.LUT(packed, light), list(shown[first : first + 3]))
        np.concatenate([self.lean[side, :, :rows, start:stop] for side, start, stop in windows], axis=2, out=shown[6:])
        return shown


def _grid(step: int) -> Points:
    columns, rows = np.meshgrid(np.arange(0.0, WIDTH + 1, step), np.arange(0.0, HEIGHT + 1, step))
    return np.column_stack([columns.ravel(), rows.ravel()])


def cut(picture: Image, maps: NDArray[np.float32] | FixedMap) -> Image:
    """(4, HEIGHT, WIDTH, 3) the bands of a picture."""
    return remap(picture, maps, replicate=True).reshape(4, HEIGHT, WIDTH, 3)


#: Crops of single tokens: side in px, where the foot is in them, and px for one board side.
CROP_PX, FOOT_ROW, CROP_SCALE = 64, 44, 700.0

_CROP_GRID = np.stack(
    [*np.meshgrid(np.arange(CROP_PX) - CROP_PX / 2, np.arange(CROP_PX) - FOOT_ROW), np.ones((CROP_PX, CROP_PX))],
    axis=-1,
).astype(np.float32)


def crop_maps(view: View, feet: Points, within: slice = slice(CROP_PX)) -> NDArray[np.float32]:
    """(n, side, side, 2) maps for `cv2.remap`: tokens with their feet at board points (n, 2), upright.

    Args:
        within: the part of the CROP_PX to show, along both sides.
    """
    px, axes = _crop_axes(view, feet)
    grid = _CROP_GRID[within, within]
    # The last column makes them lie about the foot.
    place = np.concatenate([axes, px[:, None]], axis=1).astype(np.float32)
    return (grid.reshape(-1, 3) @ place).reshape(-1, *grid.shape[:2], 2)


def beside_foot(view: View, feet: Points, away_px: Points) -> Points:
    """(n, 2) board points that appear so many px (n, 2) [right, down] beside the feet in their crops."""
    px, axes = _crop_axes(view, feet)
    return view.to_board(px + (away_px[:, None] @ axes)[:, 0])


def off_in_crop(view: View, feet: Points, seen_px: Points) -> Points:
    """(n, 2) px [right, down] beside the foot at which the crop about it shows a place of the picture (n, 2) px."""
    px, axes = _crop_axes(view, feet)
    return np.asarray(((seen_px - px)[:, None] @ np.linalg.inv(axes))[:, 0], np.float64)


def _crop_axes(view: View, feet: Points) -> tuple[Points, NDArray[np.float64]]:
    """(n, 2) px of the feet, and (n, 2, 2) how far, px, the picture goes for a px of their crops [right, down]."""
    base = np.column_stack([feet, np.zeros(len(feet))])
    px = view.project(base)
    up = view.project(base + np.array([0.0, 0.0, 0.04])) - px
    length = np.hypot(up[:, 0], up[:, 1])[:, None]
    up = np.where(length > 1e-6, up / np.maximum(length, 1e-6), np.array([0.0, -1.0]))
    right = np.column_stack([-up[:, 1], up[:, 0]])
    return px, np.stack([right, -up], axis=1) * (view.scales_at(base) / CROP_SCALE)[:, None, None]


def ground_map(grid: NDArray[np.float32], view: View, reference: View) -> NDArray[np.float32]:
    """Where the board points that a map looks at are in the empty picture."""
    step = 9
    coarse = grid[::step, ::step]
    flat = coarse.reshape(-1, 2).astype(np.float64)
    there = reference.project(view.to_board(flat)).astype(np.float32).reshape(coarse.shape)
    return remap(there, steps(grid.shape[1], grid.shape[0], step), replicate=True)
