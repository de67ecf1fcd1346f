"""What in a picture is too small, too dark, too bright or too soft to be read, in a few words for the status light."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observations import SPACES, DieKind
from vision.board.foreground import recolor
from vision.detections import TableReading
from vision.pixels import Image, is_white

#: Below these edges of a usual die of 16 mm, px, pips run together (the finder's own limit), and numerals do: a d4 or
#: d20 about 21 mm across is 24 px wide then.
LEAST_PIPS_PX, LEAST_NUMERAL_PX = 9.0, 18.0
#: Shares of the empty picture's brightness, and of its detail, below which pieces are not told apart. Detail of frames
#: of nine rendered tables: 0.58 and more, of photographs over an older one 0.45; blurred by 3 px (Gaussian sigma, 1280
#: wide) half of all have 0.41 at most, one of all 0.52.
LEAST_LIGHT, LEAST_DETAIL = 0.2, 0.44
#: Standard deviation of a board's brightness (0-255) below which noise hides pieces, however dark it was when it was
#: calibrated. Of 144 rendered, shared and real tables it was 14 and more, of 15 in the dark, where nearly half of the
#: turns are told wrongly by sight, 5 to 11.
LEAST_CONTRAST = 12.0
#: A lamp makes a place white that would have less than this in all channels (0-255) in the light of now. Where it does
#: so to such a share of the spaces, less is read: of 280 rendered pictures in the light of their empty one none has
#: 0.001; of 420 into which a lamp is mirrored (`vision.virtual.disturbances.blinding`) everything is right in 72% of
#: the 241 below that share and in 22% of the others.
NO_WHITE, LEAST_GLARE = 220, 0.04
#: Where so much of a space is white, what is missed there need not be gone: of 209 tokens on such spaces of 20 rendered
#: tables 152 are read nowhere (of 1190 without any glare 30).
BLINDED = 0.1
#: Where so much of a space lies beyond the picture's rims, it tells of nothing there; with a space of which half does,
#: people are asked to turn the camera. Both are guesses.
BEYOND, LEAST_BEYOND = 0.1, 0.5
#: Sides of a board as the page shows it, in the direction of travel from GO.
SIDES = ("lower", "left", "upper", "right")
#: `spread` looks at dice of this edge, px, at steps over twice the reach of at least so many levels (0-255), if there
#: are enough of them, and takes this percentile, %.
_SPREAD_EDGE_PX, _REACH_PX, _LEAST_STEP, _LEAST_EDGES, _SHARPEST = 20.0, 8, 40.0, 50, 2.0
#: `salience` compares Gaussians of these sigmas, edges of a die; a usual difference is at least so many levels.
_PATCH_EDGES, _LEAST_DIFFERENCE = (0.3, 0.9), 0.5
_NEARER = "too small in the picture: bring the camera nearer"


def detail(rows: Image) -> float:
    """How much fine structure rows of the board seen from above, gray, show against their contrast; blur lowers it."""
    steps = cv2.absdiff(rows[:, 1:], rows[:, :-1])
    return float(cv2.mean(steps)[0] / (cv2.meanStdDev(rows)[1][0, 0] + 1.0))


def contrast(above_bgr: Image) -> float:
    """Standard deviation of the brightness (0-255) of a board seen from above."""
    return float(cv2.meanStdDev(cv2.cvtColor(above_bgr, cv2.COLOR_BGR2GRAY))[1][0, 0])


def glare(
    above_bgr: Image, empty_bgr: Image, colors: NDArray[np.float64], spaces: NDArray[np.int8]
) -> tuple[float, ...]:
    """Share of each of the 40 spaces that a lamp makes white.

    Args:
        above_bgr: (n, n, 3) the board from above; empty_bgr, the empty board, likewise.
        colors: of the empty board to these, of `vision.board.foreground.match_colors`.
        spaces: (n, n) which space each px shows, -1 for none.
    """
    white = is_white(above_bgr) & (spaces >= 0)
    if white.any():
        white &= ~is_white(recolor(empty_bgr, colors), NO_WHITE)
    return shares_of(white, spaces)


def shares_of(which: NDArray[np.bool_], spaces: NDArray[np.int8]) -> tuple[float, ...]:
    """Share of each of the 40 spaces of which (n, n) that is true.

    Args:
        spaces: (n, n) which space each px shows, -1 for none.
    """
    if not which.any():
        return (0.0,) * len(SPACES)
    every, some = (np.bincount(spaces[where], minlength=len(SPACES)) for where in (spaces >= 0, which & (spaces >= 0)))
    return tuple((some / np.maximum(every, 1)).tolist())


def blinded(reading: TableReading) -> frozenset[int]:
    """The spaces of which too much is hidden by a lamp, or not in the picture, to tell that nothing stands there."""
    hidden = {space for space, share in enumerate(reading.glare) if share >= BLINDED}
    return frozenset(hidden | {space for space, share in enumerate(reading.beyond) if share >= BEYOND})


def spread(picture_bgr: Image, edge_px: float) -> float:
    """How far the sharpest edges of a picture are smeared, whatever it shows: a Gaussian's sigma in edges of a die.

    Args:
        edge_px: of a die.
    Returns:
        0 where no edge is strong enough to tell.
    """
    scale = min(1.0, _SPREAD_EDGE_PX / edge_px)
    gray = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY)
    calm = cv2.blur(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (3, 3)).astype(np.float32)
    widths = np.concatenate([_widths(calm), _widths(calm.T)])
    return float(np.percentile(widths, _SHARPEST)) / scale / edge_px if len(widths) >= _LEAST_EDGES else 0.0


def salience(picture_bgr: Image, edge_px: float) -> float:
    """How much the patch as large as a die that differs most from what is around it does so, against the usual patch.

    Blur hardly changes it. Felt, wood, leather and blotches are about the same all over; a die on them is not.

    Args:
        edge_px: of a die.
    """
    scale = min(1.0, _SPREAD_EDGE_PX / edge_px)
    small = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    patch, around = (cv2.GaussianBlur(small, (0, 0), sigma * scale * edge_px) for sigma in _PATCH_EDGES)
    difference = np.linalg.norm(patch - around, axis=2)
    return float(difference.max() / (np.median(difference) + _LEAST_DIFFERENCE))


def _widths(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sigma, px, of each place where rows step by enough, from how steep it is there: a step / (sigma sqrt(2 pi))."""
    steps = np.abs(rows[:, 2 * _REACH_PX :] - rows[:, : -2 * _REACH_PX])
    slopes = np.abs(rows[:, _REACH_PX + 1 : 1 - _REACH_PX] - rows[:, _REACH_PX - 1 : -_REACH_PX - 1]) / 2
    strong = steps >= _LEAST_STEP
    return np.asarray(steps[strong] / np.maximum(slopes[strong], 0.05) / np.sqrt(2 * np.pi), np.float32)


def trouble(reading: TableReading, due: Iterable[DieKind] = ()) -> str:
    """What keeps this picture from being read, in a few words; empty when nothing does.

    Args:
        due: the dice that are thrown next.
    """
    if reading.light < LEAST_LIGHT or reading.contrast < LEAST_CONTRAST:
        return "too dark: more light on the table"
    if reading.glare and np.mean(reading.glare) >= LEAST_GLARE:
        return f"glare on the {_side_of(reading.glare)} side: turn the lamp away"
    if reading.beyond and max(reading.beyond) >= LEAST_BEYOND:
        return f"the {_side_of(reading.beyond)} side of the board is not in view: turn the camera"
    if reading.detail < LEAST_DETAIL:
        return "out of focus: the picture is blurred"
    return _too_small(reading, due)


def _side_of(shares: tuple[float, ...]) -> str:
    """The side of the board of whose spaces most is so."""
    return SIDES[int(np.reshape(shares, (len(SIDES), -1)).mean(axis=1).argmax())]


def _too_small(reading: TableReading, due: Iterable[DieKind]) -> str:
    if not reading.die_px:
        return ""
    read = {die.kind for die in reading.dice if die.is_legible}
    numbered = [kind for kind in dict.fromkeys(due) if kind != "d6" and kind not in read]
    if reading.die_px < LEAST_PIPS_PX:
        return f"the dice are {_NEARER}"
    if numbered and reading.die_px < LEAST_NUMERAL_PX:
        return f"the {' and the '.join(numbered)} {'is' if len(numbered) == 1 else 'are'} {_NEARER}"
    return ""
