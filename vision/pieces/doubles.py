"""Houses that the finder saw twice: together they cover less of the board than so many houses do.

All houses of a board are of one size. Boards are sold with sides of 36 to 52 cm; where houses are larger against the
spaces than those the finder knows, it sees many of them twice.
"""

import numpy as np
from numpy.typing import NDArray

from vision.board.view import Points
from vision.pixels import Image

#: Houses nearer to each other than this, in widths of a space, stand in one row; and may be one house, where any of the
#: board are nearer than the last.
_IN_ROW, _MAY_BE_ONE, _NEAR = 0.33, 0.235, 0.212
#: Houses that have no building nearer than this, and show plainly, say how much of a band one covers.
_ALONE = 0.5
#: Px of a band around the middle of a house in which what differs is counted, and in which it surely differs.
_AROUND, _CORE = 9, 4
#: Half of that difference (0-255), within these, counts.
_DIFFERS = (6.0, 25.0)
#: Px that a house covers on most of 114 pictures of rendered tables, and how many houses of a board that outweighs.
_USUAL, _WEIGHT = 135.0, 2
#: A row that covers less than this share of what so many houses do is doubted.
_LEAST = 0.85
#: Rows that keep their number of houses are outweighed by all together as by so many houses.
_ALL = 4


def doubted(
    differs: Image, sides: NDArray[np.intp], middles: Points, feet: Points, is_house: NDArray[np.bool_]
) -> list[list[int]]:
    """Rows of houses among n buildings that may be fewer than were seen.

    Args:
        differs: (4, rows, columns) by how much (0-255) the bands differ from the empty board.
        sides: (n,) of the board.
        middles: (n, 2) px of a band where the middle of each is seen.
        feet: (n, 2) in widths of a space.
    """
    away = _away(feet)
    np.fill_diagonal(away, np.inf)
    among = np.where(is_house[:, None] & is_house & (sides[:, None] == sides), away, np.inf)
    if among.min() > _NEAR:
        return []
    rows = [row for row in _rows(among < _IN_ROW) if among[np.ix_(row, row)].min() < _MAY_BE_ONE]
    alone = np.flatnonzero(is_house & (away.min(axis=1) > _ALONE))
    sizes = _sizes(differs, sides[alone], middles[alone])
    size = (_WEIGHT * _USUAL + sum(sizes)) / (_WEIGHT + len(sizes))
    few = []
    for row in rows:
        others = sides == sides[row[0]]
        others[row] = False
        share = _covered(differs[sides[row[0]]], middles[row], middles[others]) / (size * len(row))
        if share < _LEAST:
            few.append(row)
    return few


def plainer(feet: Points, scores: NDArray[np.float64], is_second: NDArray[np.bool_]) -> float:
    """How much higher the scores of a board's houses are at a second look at them, on average.

    Rows of which both looks find as many tell most: one house in the place of two is plainer at times, right or not.

    Args:
        feet: (n, 2) of the houses of both looks, in widths of a space.
        scores: (n,) 0-1.
        is_second: (n,) which ones the second look found; not all, and not none.
    """
    signs = np.where(is_second, 1.0, -1.0)
    more, count = _ALL * float(scores[is_second].mean() - scores[~is_second].mean()), _ALL
    for row in _rows(_away(feet) < _IN_ROW):
        if signs[row].sum() == 0:
            more += float((signs * scores)[row].sum())
            count += len(row) // 2
    return more / count


def _away(feet: Points) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(feet[:, None] - feet).transpose(2, 0, 1)))


def _rows(is_near: NDArray[np.bool_]) -> list[list[int]]:
    """Those that are near each other, directly or by others."""
    left, rows = set(range(len(is_near))), []
    while left:
        row, new = set[int](), {left.pop()}
        while new:
            row |= new
            new = set(np.flatnonzero(is_near[list(new)].any(axis=0)).tolist()) - row
        left -= row
        rows.append(sorted(row))
    return rows


def _sizes(differs: Image, sides: NDArray[np.intp], middles: Points) -> list[int]:
    """Px of a band that houses cover that stand alone and show plainly."""
    about = np.arange(-_AROUND, _AROUND + 1)
    columns, rows = middles.astype(int).T[:, :, None] + about
    rows, columns = np.clip(rows, 0, differs.shape[1] - 1), np.clip(columns, 0, differs.shape[2] - 1)
    parts = differs[sides[:, None, None], rows[:, :, None], columns[:, None]]
    away = about**2 + about[:, None] ** 2
    least = np.median(parts[:, away < _CORE**2], axis=1) / 2
    covered = ((parts > _DIFFERS[1]) & (away < _AROUND**2)).sum(axis=(1, 2))
    return [int(each) for each in covered[least >= _DIFFERS[1]]]


def _covered(differs: Image, middles: Points, others: Points) -> int:
    """Px of a band that a row of houses covers, by their middles and those of other buildings there."""
    left, top = np.maximum(middles.min(axis=0).astype(int) - _AROUND, 0)
    right, below = middles.max(axis=0).astype(int) + _AROUND + 2
    part = differs[top:below, left:right]
    rows, columns = np.arange(top, top + part.shape[0])[:, None], np.arange(left, left + part.shape[1])
    near = others[(np.abs(others - middles.mean(axis=0)) < (right - left, below - top)).all(axis=1)]
    away = (columns - np.vstack([middles, near])[:, 0, None, None]) ** 2
    away = away + (rows - np.vstack([middles, near])[:, 1, None, None]) ** 2
    own = away[: len(middles)].min(axis=0)
    core = part[own < _CORE**2]
    if not core.size:
        return 0
    least = np.clip(np.median(core) / 2, *_DIFFERS)
    is_own = (own < _AROUND**2) & (own <= away.min(axis=0))
    return int(np.count_nonzero((part > least) & is_own))
