"""The heat maps of the piece finder: log odds that pieces of each kind have their feet at the places of the bands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.board.bands import Bands, Window
from vision.board.view import Points

#: A band speaks for its own side of the board's diagonals, and this far across them, in widths of a space.
_ACROSS = 0.12
#: A foot this far off the spaces, towards the middle of the board, in widths of a space, is none.
_OFF_SPACE = 0.3


class Places(NamedTuple):
    """Places on the spaces.

    Attributes:
        kinds: (n,) numbers of the classes that are seen there.
        feet: (n, 2) board points.
        scores: (n,) probability that the network gives, 0-1.
        sides: (n,) of the board in whose band they are, 0-3.
    """

    kinds: NDArray[np.intp]
    feet: Points
    scores: NDArray[np.float32]
    sides: NDArray[np.intp]

    def at(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "Places":
        """Some of them."""
        return Places(self.kinds[which], self.feet[which], self.scores[which], self.sides[which])


@dataclass(frozen=True)
class Heat:
    """What the network says of windows of the bands, side by side, at every second px.

    Attributes:
        odds: (classes, rows, columns) log odds.
    """

    odds: NDArray[np.float32]
    windows: Sequence[Window]
    bands: Bands

    def peaks(self, least: float) -> Places:
        """Summits with a score of at least `least`, a little across the diagonals too."""
        cells = self._cells(self.odds, least)
        around = _around(self.odds, cells)
        is_peak = around[:, 1, 1] >= around.max((1, 2))
        cells, shares = cells[is_peak], _share(around[is_peak])
        return self._places(cells, _summits(shares), shares[:, 1, 1], _ACROSS)

    def slopes(self, kind: int, least: float, peaks: Points, reach: float) -> Places:
        """Places of one kind with a score of at least `least`, no peaks among them, each `reach` apart.

        Args:
            peaks: (n, 2) board points; places are `reach` away from these too.
            reach: board units.
        """
        cells = self._cells(self.odds[kind : kind + 1], least) + np.array([kind, 0, 0])
        found = self._places(cells, np.zeros((len(cells), 2)), _share(self.odds[tuple(cells.T)]), 0.0)
        found = found.at(np.argsort(-found.scores, kind="stable"))
        is_free = _all_away(found.feet, peaks, reach)
        kept: list[int] = []
        while is_free.any():
            kept.append(int(is_free.argmax()))
            is_free &= _all_away(found.feet, found.feet[kept[-1:]], reach)
        return found.at(np.array(kept, int))

    def _cells(self, odds: NDArray[np.float32], least: float) -> NDArray[np.intp]:
        """(n, 3) class, row and column of what is at least so probable."""
        strong = np.flatnonzero(odds >= np.log(least / (1 - least)))
        return np.column_stack(np.unravel_index(strong, odds.shape))

    def _places(self, cells: NDArray[np.intp], shifts: Points, scores: NDArray[np.float32], across: float) -> Places:
        """Cells (class, row, column) as places, those that are on spaces of the band's own side.

        Args:
            shifts: (n, 2) columns and rows from the middles of the cells.
            across: how far across the board's diagonals they may be, in widths of a space.
        """
        starts = np.cumsum([0] + [stop - start for _, start, stop in self.windows])
        middles = 2 * cells[:, 2] + 0.5
        which = np.minimum(np.searchsorted(starts, middles, side="right") - 1, len(self.windows) - 1)
        sides, firsts = np.array([window[:2] for window in self.windows]).T[:, which]
        px = 2 * (cells[:, :0:-1] + shifts) + 0.5
        px[:, 0] += firsts - starts[which]
        feet = self.bands.to_board(sides, px)
        is_here = (middles < starts[-1]) & (self.bands.beyond_diagonal(sides, feet) < across * self.bands.unit)
        # On the ring of spaces or hardly off it, and not in the middle or beside the board.
        out = np.abs(feet).max(axis=1, initial=0.0)
        is_here &= (self.bands.inner - _OFF_SPACE * self.bands.unit < out) & (out < 0.5)
        order = np.flatnonzero(is_here)[np.argsort(sides[is_here], kind="stable")]
        return Places(cells[:, 0], feet, scores, sides).at(order)


def _all_away(points: Points, others: Points, reach: float) -> NDArray[np.bool_]:
    """(n,) whether points are farther than this from all others."""
    away = points[:, None] - np.asarray(others).reshape(-1, 2)
    return np.asarray((np.hypot(away[..., 0], away[..., 1]) > reach).all(axis=1))


def _share(odds: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def _around(odds: NDArray[np.float32], cells: NDArray[np.intp]) -> NDArray[np.float32]:
    """(n, 3, 3) values at and beside cells (class, row, column); mirrored at the rim."""
    rows, columns = (_beside(cells[:, axis], odds.shape[axis] - 1) for axis in (1, 2))
    return np.asarray(odds[cells[:, 0, None, None], rows[:, :, None], columns[:, None]], np.float32)


def _beside(places: NDArray[np.intp], last: int) -> NDArray[np.intp]:
    """(n, 3) each place between its neighbors; those before 0 and beyond the last are mirrored."""
    return last - np.abs(last - np.abs(places[:, None] + np.arange(-1, 2)))


def _summits(around: NDArray[np.float32]) -> Points:
    """(n, 2) offsets (column, row) of peaks from their cells' centers, of the shares at and beside them.

    By parabolas through the logarithms.
    """
    height = np.log(np.maximum(around, 1e-4))
    sides = [(height[:, 1, 0], height[:, 1, 2]), (height[:, 0, 1], height[:, 2, 1])]
    shift = np.zeros((len(around), 2))
    for axis, (low, high) in enumerate(sides):
        curve = np.minimum(low - 2 * height[:, 1, 1] + high, -1e-6)
        shift[:, axis] = np.clip((low - high) / (2 * curve), -0.5, 0.5)
    return shift
