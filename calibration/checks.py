"""What is wrong with the pictures and taps of a calibration, in sentences for the person who took them."""

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.outline import NoBoardFound, find_taps
from vision.reader import TableReader

Image = NDArray[np.uint8]

#: Least size of a picture and of the board's shorter side in it: below, houses are under 5 px.
_LEAST_PICTURE, _LEAST_SIDE = (480, 320), 220
#: Standard deviation of brightness below which a picture shows nothing.
_FLAT = 6.0
#: Least score of the lines between the spaces (`vision.board.layout.Layout.clarity`) of a board that is one.
LEAST_CLARITY = 1.6


def check_pictures(empty_bgr: Image, taps: Any, enrol: Mapping[str, Image]) -> list[str]:
    """Problems, the gravest first; empty when all is well.

    Args:
        taps: (4, 2) px or None to find the board.
    """
    height, width = empty_bgr.shape[:2]
    if width < _LEAST_PICTURE[0] or height < _LEAST_PICTURE[1]:
        return [f"The picture is only {width} by {height} px; set the camera to 1280 by 720 or more."]
    if float(cv2.cvtColor(empty_bgr, cv2.COLOR_BGR2GRAY).std()) < _FLAT:
        return ["The picture shows next to nothing: check the camera's cover and the light."]
    if taps is None:
        try:
            taps = find_taps(empty_bgr)
        except NoBoardFound as error:
            return [error.message]
    problems = check_taps(np.asarray(taps, np.float64), (width, height))
    if problems:
        return problems
    reader = TableReader(empty_bgr, np.asarray(taps, np.float64), enrol)
    if reader.layout.clarity < LEAST_CLARITY:
        problems.append(
            "The lines between the spaces do not show where the taps put them: tap the outer corners of the board,"
            " GO's first, then on in the direction of travel."
        )
    for name in reader.not_enrolled:
        problems.append(f"No token stands on GO in the picture of “{name}”: put it alone on GO and take it again.")
    return problems


def find_corners(empty_bgr: Image) -> list[tuple[float, float]] | None:
    """The board's corners, px, GO's outer corner first; None where none are found that pass `check_pictures`."""
    try:
        taps = find_taps(empty_bgr)
    except NoBoardFound:
        return None
    return None if check_pictures(empty_bgr, taps, {}) else [(float(x), float(y)) for x, y in taps]


def check_taps(taps: NDArray[np.float64], size: tuple[int, int]) -> list[str]:
    """What is wrong with four taps by their place alone."""
    if taps.shape != (4, 2) or not np.isfinite(taps).all():
        return [f"Four corners are needed, GO's first; there are {len(taps)}."]
    reach = 0.1 * np.array(size)
    if (taps < -reach).any() or (taps > np.array(size) + reach).any():
        return ["A corner lies far outside the picture: move the camera so that the whole board is in view."]
    sides = np.hypot(*(np.roll(taps, -1, axis=0) - taps).T)
    if sides.min() < _LEAST_SIDE:
        return [f"The board is only {sides.min():.0f} px across: bring the camera nearer, or tap its outer corners."]
    if not cv2.isContourConvex(taps.astype(np.float32)[:, None]):
        return ["The taps cross over: tap the corners one after the other around the board, GO's first."]
    if cv2.contourArea(taps.astype(np.float32), True) < 0:
        return [
            "The taps go round the wrong way: after GO tap the jail's corner, in the direction of travel."
            " Where all writing runs backwards the camera mirrors its picture: turn that off in its settings."
        ]
    return []
