"""Which colors a thing shows that stands on the board, whatever its shape and however it is turned."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.foreground import difference

#: Cells of red against green, and of blue against green (logarithms, within so much of each other); of brightness.
_HUES, _FARTHEST, _LEVELS = 9, 1.2, 5
#: Logarithms of the least and the greatest brightness that are told apart, and what is added to a channel (0-255).
_DARKEST, _BRIGHTEST, _NOISE = np.log(13.0), np.log(174.0), 6.0
#: Mean of the empty board (0-255) to which crops are brought, by a factor in these bounds.
_LEVEL, _GAIN = 110.0, (0.4, 4.0)
#: Differences from the empty board (0-255) from which on a px has a say, and its whole say.
_SOME, _PLAIN = 14.0, 40.0
#: Blue is so much brighter than red, and no more darker than green, in logarithms; and the least share of it in what is
#: blue: of 839 blue pawns on rendered tables 97% show more than half, of tokens of other colors 95% less than a sixth.
_THAN_RED, _THAN_GREEN, _MOSTLY = 0.5, -0.1, 0.4
#: Where a token's body shows in the crop that the recognizer sees: row and column of its middle, and spread, px.
_MIDDLE, _SPREAD = (27.0, 24.0), (10.0, 9.0)
#: Share of a px that goes to the cells beside its own, along each axis.
_BESIDE = 0.5

_LOGARITHMS = np.log(np.arange(256) + _NOISE).astype(np.float32)

CELLS = _HUES * _HUES * _LEVELS


def tints_of(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, CELLS) roots of the shares of the colors of things: products of two are Bhattacharyya coefficients, 0-1.

    Histograms weighted by place are compared so by Comaniciu, Ramesh and Meer, "Kernel-based object tracking" (2003);
    here a px counts the more, the more it differs from the empty board, too.

    Args:
        crops: (n, side, 2 * side, 3) what the recognizer sees of tokens, and beside each the empty board there.
    """
    if not len(crops):
        return np.zeros((0, CELLS), np.float32)
    side = crops.shape[1]
    now, under = (half.reshape(-1, side, 3) for half in np.split(crops, 2, axis=2))
    gain = np.clip(_LEVEL / np.maximum(under.reshape(len(crops), -1).mean(axis=1), 1.0), *_GAIN).astype(np.float32)
    differs = difference(under, now).reshape(-1, side, side) * gain[:, None, None]
    say = np.clip((differs - np.float32(_SOME)) / np.float32(_PLAIN - _SOME), 0, 1) * _body(side)
    there = np.flatnonzero(say)
    which = there // (side * side)
    blue, green, red = cv2.LUT(now, _LOGARITHMS).reshape(-1, 3).take(there, axis=0).T
    cells = _cell((red - green) / (2 * _FARTHEST) + 0.5, _HUES)
    cells = cells * _HUES + _cell((blue - green) / (2 * _FARTHEST) + 0.5, _HUES)
    level = (red + green + blue) / 3 + np.log(gain)[which]
    level = (level - _DARKEST) / (_BRIGHTEST - _DARKEST)
    cells = (which * _HUES * _HUES + cells) * _LEVELS + _cell(level, _LEVELS)
    counts = np.bincount(cells, say.ravel()[there], CELLS * len(crops)).reshape(-1, _HUES * _HUES, _LEVELS)
    shared = (_BLUR_HUES @ counts @ _BLUR_LEVELS).reshape(-1, CELLS)
    return np.sqrt(shared / np.maximum(shared.sum(axis=1, keepdims=True), 1e-6)).astype(np.float32)


def are_blue(tints: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n,) whether things are mostly blue, by what `tints_of` says of them (n, CELLS)."""
    return np.asarray(np.square(tints) @ _BLUE >= _MOSTLY)


def _cell(share: NDArray[np.floating], count: int) -> NDArray[np.intp]:
    return np.rint(np.clip(share, 0, 1) * (count - 1)).astype(np.intp)


@cache
def _body(side: int) -> NDArray[np.float32]:
    """(side, side) how surely a px of a crop shows the token itself."""
    down, across = (
        np.exp(-(((np.arange(side) - middle) / spread) ** 2) / 2)
        for middle, spread in zip(_MIDDLE, _SPREAD, strict=True)
    )
    return np.outer(down, across).astype(np.float32)


def _blur(count: int) -> NDArray[np.float64]:
    """(count, count) by which cells along one axis share with those beside them."""
    shares = (1 - _BESIDE) * np.eye(count) + _BESIDE / 2 * (np.eye(count, k=1) + np.eye(count, k=-1))
    return np.asarray(shares + np.diag(1 - shares.sum(axis=1)))


_BLUR_HUES, _BLUR_LEVELS = np.kron(_blur(_HUES), _blur(_HUES)), _blur(_LEVELS)

_LOG_RATIOS = (np.arange(_HUES) / (_HUES - 1) * 2 - 1) * _FARTHEST
#: (CELLS,) 1 where red against green and blue against green are those of blue.
_BLUE = np.repeat((_LOG_RATIOS > _THAN_GREEN) & (_LOG_RATIOS - _LOG_RATIOS[:, None] > _THAN_RED), _LEVELS).astype(
    np.float32
)
