"""What is wrong with the pictures and taps of a calibration, in sentences for the person who took them."""

import itertools
import math
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import CalibrationError, Profile
from vision.board.outline import NoBoardFound, find_taps
from vision.detections import TableReading
from vision.pixels import gray_of
from vision.reader import TableReader

Image = NDArray[np.uint8]

#: Least size of a picture and of the board's shorter side in it: below, houses are under 5 px.
_LEAST_PICTURE, _LEAST_SIDE = (480, 320), 220
#: Standard deviation of brightness below which a picture shows nothing.
_FLAT = 6.0
_NOTHING = "The picture shows next to nothing: check the camera's cover and the light."
#: Least score of the lines between the spaces (`vision.board.layout.Layout.clarity`) of a board that is one.
LEAST_CLARITY = 1.6
#: From this probability on, each, and so far from each other, in widths of a die, two tokens are on GO: in pictures of
#: rendered tables two are seen so in 372 of 400 of two, and in none of 999 of one.
_SURELY, _APART = 0.95, 0.9
#: Share of the empty picture's detail below which a token's picture is too blurred: of 549 on 100 rendered tables 3
#: have less; these were misnamed or missed in 6 of 40 later pictures, all others in 48 of 7198. A blur by 1 px
#: (Gaussian sigma, 1280 wide) leaves 0.6 to 0.9.
_SHARP = 0.7
#: Likeness from which on two enrolled tokens are one that was shown twice: of 267 pairs of pictures of one on rendered
#: tables, that was not touched, 225 are as alike, and of 2470 pairs of two none (0.94 at most).
_SAME = 0.95


def check_pictures(
    empty_bgr: Image, taps: Any, enrol: Mapping[str, Image], known: Mapping[str, Image] | None = None
) -> list[str]:
    """Problems, the gravest first; empty when all is well.

    Args:
        taps: (4, 2) px or None to find the board.
        known: pictures of other tokens, of which only is told what the new ones have to do with them.
    """
    height, width = empty_bgr.shape[:2]
    if width < _LEAST_PICTURE[0] or height < _LEAST_PICTURE[1]:
        return [f"The picture is only {width} by {height} px; set the camera to 1280 by 720 or more."]
    if _shows_nothing(empty_bgr):
        return [_NOTHING]
    if taps is None:
        try:
            taps = find_taps(empty_bgr)
        except NoBoardFound as error:
            return [error.message]
    problems = check_taps(np.asarray(taps, np.float64), (width, height))
    if problems:
        return problems
    corners = np.asarray(taps, np.float64)
    reader = TableReader(empty_bgr, corners, {**(known or {}), **enrol})
    if reader.layout.clarity < LEAST_CLARITY:
        problems.append(
            "The lines between the spaces do not show where the taps put them: tap the outer corners of the board,"
            " GO's first, then on in the direction of travel."
        )
    missing = [name for name in enrol if name in reader.not_enrolled]
    for name in missing:
        problems.append(f"No token stands on GO in the picture of “{name}”: put it alone on GO and take it again.")
    if seen := {name: picture for name, picture in enrol.items() if name not in missing}:
        problems += _not_alone(TableReader(empty_bgr, corners), seen)
    for name, other in reader.look_alikes(_SAME):
        if name in enrol or other in enrol:
            problems.append(
                f"The pictures of “{other}” and “{name}” show the same token: put the other one on GO, alone, and take"
                " it again. Two that look the same cannot be told apart."
            )
    return problems


def _not_alone(reader: TableReader, enrol: Mapping[str, Image]) -> list[str]:
    """What is wrong with pictures in which a token stands on GO.

    Args:
        reader: that knows no token yet.
    """
    reader.has_markers = False
    problems = []
    for name, picture in enrol.items():
        reading = reader.read(picture)
        if reading.hand:
            problems.append(f"A hand is over the board in the picture of “{name}”: take it away and take it again.")
        elif reading.detail < _SHARP:
            problems.append(
                f"The picture of “{name}” is blurred: wait until camera and token are still, and take it again."
                " Where it stays so, take the one of the empty board again."
            )
        elif _are_two_on_go(reading):
            problems.append(
                f"Two tokens stand on GO in the picture of “{name}”: leave only that one and take it again."
            )
    return problems


def _are_two_on_go(reading: TableReading) -> bool:
    feet = [token.base_px for token in reading.tokens if token.square == 0 and token.name_confidence >= _SURELY]
    return any(math.dist(one, other) > _APART * reading.die_px for one, other in itertools.combinations(feet, 2))


def find_corners(empty_bgr: Image) -> list[tuple[float, float]] | None:
    """The board's corners, px, GO's outer corner first; None where none are found that pass `check_pictures`."""
    try:
        taps = find_taps(empty_bgr)
    except NoBoardFound:
        return None
    return None if check_pictures(empty_bgr, taps, {}) else [(float(x), float(y)) for x, y in taps]


def corners_of(profile: Profile) -> NDArray[np.float64] | None:
    """(4, 2) px, the taps of a profile that nobody has checked; None where the board is to be found without.

    Raises:
        CalibrationError: by their place alone they cannot be right, or the empty picture shows nothing.
    """
    empty_bgr = profile.empty_bgr()
    if _shows_nothing(empty_bgr):
        raise CalibrationError(_NOTHING)
    if profile.taps is None:
        return None
    taps, (height, width) = np.array(profile.taps), empty_bgr.shape[:2]
    for problem in check_taps(taps, (width, height)):
        raise CalibrationError(problem)
    return taps


def _shows_nothing(picture_bgr: Image) -> bool:
    return float(gray_of(picture_bgr).std()) < _FLAT


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
