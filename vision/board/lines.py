"""The view of a board drawn to the lines between its spaces, which lie alike on every board and all over it.

Ten lines go across each side, as far apart on all four; the first and the last are the inner edges of the spaces, too.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.view import Points, View, refine
from vision.pixels import Image, blurred, lab_of, remap

#: Pieces of the lines are looked at, of so many places each: between two spaces from there to there outwards, in
#: widths of a space from their inner edge; and of the inner edge, beside each space, without its ends.
_PLACES, _OUTWARDS, _ENDS = 12, (0.12, 1.15), 0.1
#: How far to the sides a line is looked for, from time to time, in widths of a space; at least so many px.
_REACHES, _LEAST_REACH = (0.35, 0.25, 0.15, 0.1), 3.0
#: Px between the places where colors are looked at across a line, the px to which it is blurred, half the px about the
#: strongest change that tell where its middle is, and places to which the changes at its two flanks are blurred.
_PITCH, _BLUR, _HALF, _FLANKS = 0.5, 1.0, 3.0, 2.0
#: What changes (sum over CIELAB's channels, 0-255 each) where a line is, at least, and in multiples of what changes
#: at half of the places beside it.
_CHANGE, _OF_USUAL = 4.0, 2.0
#: Share of a piece's places that may show less: money, cards and lamps hide some.
_HIDDEN = 1 / 3
#: Pieces of lines that show, of 76, at least; those that miss by so many times what half of them miss by, and more
#: than the px, are something else; so often that is asked.
_LEAST, _OUTLIERS, _MISS_PX, _TIMES = 24, 3.0, 1.0, 3


def on_the_lines(picture: Image, view: View, unit: float) -> tuple[View, float]:
    """The view of a board moved so that lines that lie `unit` apart about its middle are seen where they show.

    Args:
        picture: (h, w, 3) uint8.
        view: so near that lines are seen within a third of a space from where they are.
        unit: width of a space, in sides of the board: it is kept, and so only lines tell how large the side is.
    Returns:
        The view, and the share of pieces of lines that are within a px of where it has them: 0.8 to 1 for the right
        one, 0.6 at most for others. The same view, and 0, where hardly any show.
    """
    first, lab = view, blurred(lab_of(picture), _BLUR)
    unit_px = unit * view.scale_at(np.zeros(2))
    for reach in _REACHES:
        board, px, normals = _seen(lab, view, unit, max(reach * unit_px, _LEAST_REACH))
        is_line = np.full(len(board), True)
        for _ in range(_TIMES):
            if is_line.sum() < _LEAST:
                return first, 0.0
            sigma = np.ones(int(is_line.sum()))
            moved = refine(view, board[is_line], px[is_line], sigma, normals[is_line])
            miss = np.abs(((moved.project(board) - px) * normals).sum(axis=1))
            is_line = miss < max(_OUTLIERS * float(np.median(miss)), _MISS_PX)
        view = moved
    return view, float((miss < _MISS_PX).sum()) / len(_pieces(unit)[0])


def _pieces(unit: float) -> tuple[NDArray[np.float64], Points]:
    """(n, places, 2) board points on pieces of lines, and (n, 2) the direction across each."""
    lines = (np.arange(10) - 4.5) * unit
    outwards = 4.5 * unit + np.linspace(*_OUTWARDS, _PLACES) * unit
    beside = np.linspace(_ENDS, 1 - _ENDS, _PLACES) * unit
    upright = [_line(x, sign * outwards) for x in lines for sign in (-1, 1)]
    upright += [_line(x, start + beside) for x in lines[[0, -1]] for start in lines[:-1]]
    pieces = np.array(upright)
    across = np.repeat(np.eye(2), len(pieces), axis=0)
    return np.concatenate([pieces, pieces[..., ::-1]]), across


def _line(x: float, ys: NDArray[np.float64]) -> Points:
    return np.column_stack([np.full(len(ys), x), ys])


def _seen(lab: NDArray[np.float32], view: View, unit: float, reach: float) -> tuple[Points, Points, Points]:
    """Middles of the pieces of lines that show: board points, px, and unit normals in the picture, (n, 2) each."""
    pieces, across = _pieces(unit)
    px = view.project(pieces.reshape(-1, 2)).reshape(pieces.shape)
    beside = view.project((pieces + 0.01 * across[:, None]).reshape(-1, 2)).reshape(pieces.shape)
    along = px[:, -1] - px[:, 0]
    normals = np.column_stack([along[:, 1], -along[:, 0]])
    normals *= np.sign((normals * (beside - px).mean(axis=1)).sum(axis=1, keepdims=True))
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    offsets = np.arange(-2 * reach - _HALF, 2 * reach + _HALF + _PITCH, _PITCH)
    where = px[:, :, None] + normals[:, None, None] * offsets[:, None]
    colors = remap(lab, where.reshape(-1, len(offsets), 2).astype(np.float32), replicate=True)
    steps = np.abs(colors[:, 4:] - colors[:, :-4]).sum(axis=2).reshape(len(pieces), _PLACES, -1)
    changes = np.sort(steps, axis=1)[:, int(_PLACES * _HIDDEN)]
    offsets = offsets[2:-2]
    # A line has two flanks; and what lies where it was thought to be is likelier the line.
    soft = np.asarray(cv2.GaussianBlur(changes, (2 * round(3 * _FLANKS) + 1, 1), _FLANKS), np.float32)
    likely = soft * np.exp(-0.5 * (offsets / (0.6 * reach)) ** 2) * (np.abs(offsets) <= reach)
    best = likely.argmax(axis=1)
    strongest = soft[np.arange(len(best)), best]
    shows = strongest > np.maximum(_OF_USUAL * np.median(soft, axis=1), _CHANGE)
    about = changes * (np.abs(offsets - offsets[best][:, None]) <= _HALF)
    shift = (about * offsets).sum(axis=1) / np.maximum(about.sum(axis=1), 1e-9)
    seen = px.mean(axis=1) + normals * shift[:, None]
    return pieces.mean(axis=1)[shows], seen[shows], normals[shows]
