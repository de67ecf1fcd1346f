"""Giving each of several tokens one of several names, all together."""

from functools import cache

import numpy as np
from numpy.typing import NDArray


def assign(gain: NDArray[np.float64]) -> list[int]:
    """Columns that rows take so that the summed gain is largest; each column once, -1 for a row left out.

    A row is left out rather than take a column with a gain below 0. The Hungarian method with potentials
    (Kuhn 1955; Jonker and Volgenant 1987).
    """
    rows, columns = gain.shape
    if rows == 0:
        return []
    # A free column of gain 0 for every row, and the minimum of the negative.
    cost = np.hstack([-gain, np.zeros((rows, rows))])
    width = columns + rows
    u, v = np.zeros(rows + 1), np.zeros(width + 1)
    owner = np.zeros(width + 1, int)
    for row in range(1, rows + 1):
        owner[0] = row
        least, used = np.full(width + 1, np.inf), np.zeros(width + 1, bool)
        way = np.zeros(width + 1, int)
        column = 0
        while owner[column]:
            used[column] = True
            reduced = cost[owner[column] - 1] - u[owner[column]] - v[1:]
            better = ~used[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            way[1:][better] = column
            free = np.where(used, np.inf, least)
            following = int(free.argmin())
            delta = free[following]
            u[owner[used]] += delta
            v[used] -= delta
            least[~used] -= delta
            column = following
        while column:
            owner[column] = owner[way[column]]
            column = way[column]
    taken = [-1] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            taken[owner[column] - 1] = column - 1
    return taken


def marginals(logits: NDArray[np.float64], nothing: float = 0.0) -> NDArray[np.float64]:
    """Probability of each column for each row when no column is taken twice.

    All ways to give out the columns are summed, row by row over the sets of columns that are taken (or the other way
    about, whichever are fewer), and backwards.

    Args:
        logits: (rows, columns) log odds; `nothing` those of a row having none of the columns.
    Returns:
        (rows, columns); what a row lacks to 1 is "none of these".
    """
    if logits.shape[0] < logits.shape[1]:
        return np.ascontiguousarray(marginals(logits.T, nothing).T)
    rows, columns = logits.shape
    odds = np.exp(np.clip(logits - nothing, -40, 40))
    other, has = _sets(columns)
    before = [np.zeros(len(other))]
    before[0][0] = 1.0
    for row in range(rows):
        ways = before[-1] + (before[-1][other] * has) @ odds[row]
        before.append(ways / ways.max())
    shares, after, lacks = np.zeros((rows, columns)), np.ones(len(other)), ~has
    for row in range(rows - 1, -1, -1):
        then = after[other] * lacks
        ways = after + then @ odds[row]
        shares[row] = odds[row] * (before[row] @ then) / (before[row] @ ways)
        after = ways / ways.max()
    return shares


@cache
def _sets(columns: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """(sets, columns) of each set of columns: the set that differs from it in each column, and whether it has that."""
    sets, bits = np.arange(1 << columns)[:, None], 1 << np.arange(columns)
    return sets ^ bits, (sets & bits) > 0
