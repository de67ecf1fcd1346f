"""Giving each of several tokens one of several names, all together."""

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


def marginals(logits: NDArray[np.float64], nothing: float = 0.0, rounds: int = 30) -> NDArray[np.float64]:
    """Probability of each column for each row when no column is taken twice (Sinkhorn's balancing).

    Args:
        logits: (rows, columns) log odds; `nothing` those of a row having none of the columns.
    Returns:
        (rows, columns); what a row lacks to 1 is "none of these".
    """
    rows, columns = logits.shape
    table = np.exp(np.clip(np.hstack([logits, np.full((rows, 1), nothing)]), -40, 40))
    for _ in range(rounds):
        table = table / table.sum(1, keepdims=True)
        excess = np.maximum(table[:, :columns].sum(0), 1.0)
        table[:, :columns] /= excess
    return table[:, :columns]
