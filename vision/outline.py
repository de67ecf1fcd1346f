"""Finding a board in a picture with nothing known: a large quadrilateral with the lines of forty spaces in it.

GO's corner is told by which spaces carry color strips, which is the same for every edition with the usual plan
and differs from side to side.
"""

import itertools
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observations import BoardsideError
from vision.layout import STREETS, Layout, find_layout, strip_evidence
from vision.pixels import Image, blurred, opened, shrunk, widened
from vision.registration import rectify, refine_taps
from vision.view import Points, view_from_corners

#: Px of the board's side when candidates are compared, and rim.
_SIDE_PX, _RIM_PX = 500, 10
#: Width to which the picture is reduced to look for outlines.
_SEARCH_PX = 640
#: Share of the picture that a board covers at least.
_LEAST_SHARE = 0.05
#: How far the corners of a contour are off, px of a picture 1280 px wide.
_CONTOUR_PX = 4.0
#: Candidates that are looked at closely.
_CLOSER = 10


class NoBoardFound(BoardsideError):
    """No board shows in a picture."""

    code = "no_board"


def find_taps(picture: Image) -> Points:
    """The board's corners, (4, 2) px, GO's outer corner first, in the direction of travel.

    Raises:
        NoBoardFound: nothing in the picture has the lines of a board's spaces.
    """
    scale = min(1.0, _SEARCH_PX / picture.shape[1])
    small = shrunk(picture, (round(picture.shape[1] * scale), round(picture.shape[0] * scale)))
    candidates = _distinct(_quadrilaterals(small))
    scored = sorted(((_clarity(small, quad)[0], k) for k, quad in enumerate(candidates)), reverse=True)
    best: tuple[float, Points] | None = None
    for _, k in scored[:_CLOSER]:
        full = (candidates[k] + 0.5) / scale - 0.5
        rough = refine_taps(picture, full, _CONTOUR_PX)
        view = refine_taps(picture, rough.corners_px())
        clarity, layout, artwork = _clarity_of(picture, view.corners_px())
        if layout is not None and artwork is not None and (best is None or clarity > best[0]):
            best = (clarity, np.roll(view.corners_px(), -_turn(layout, artwork), axis=0))
    if best is None or best[0] < 1.5:
        raise NoBoardFound("No board was found in the picture: tap its four corners, GO's first.")
    return best[1]


def _clarity(small: Image, quad: Points) -> tuple[float, Points]:
    return _clarity_of(small, quad)[0], quad


def _clarity_of(picture: Image, quad: Points) -> tuple[float, Layout | None, Image | None]:
    view = view_from_corners((picture.shape[1], picture.shape[0]), quad)
    if not view.is_sane():
        return 0.0, None, None
    artwork = rectify(picture, view, _SIDE_PX, _RIM_PX)
    layout = find_layout(artwork, _SIDE_PX, _RIM_PX)
    return layout.clarity, layout, artwork


def _turn(layout: Layout, artwork: Image) -> int:
    """By how many corners GO is further on than the corner taken for GO's."""
    streets = np.array([square in STREETS for square in range(40)])
    evidence = strip_evidence(layout, artwork, _SIDE_PX, _RIM_PX)
    plain = np.array([square % 10 != 0 for square in range(40)]) & ~streets
    scores = []
    for turn in range(4):
        turned = np.roll(evidence, -10 * turn)
        scores.append(turned[streets].mean() - turned[plain].mean())
    return int(np.argmax(scores))


def _quadrilaterals(small: Image) -> list[Points]:
    """Large convex quadrilaterals: outlines of evenly colored areas and of areas bounded by edges."""
    lab = np.asarray(cv2.cvtColor(blurred(small, 1.5), cv2.COLOR_BGR2LAB), np.uint8)
    masks: list[Image] = []
    for channel in cv2.split(lab):
        for threshold in (12, 25, 45):
            edges = cv2.Canny(channel, threshold, threshold * 2)
            masks.append(widened(np.asarray(edges), 3))
        _, bright = cv2.threshold(channel, 0, 255, cv2.THRESH_OTSU)
        masks += [np.asarray(bright, np.uint8), 255 - np.asarray(bright, np.uint8)]
    masks += _unlike_the_table(lab)
    least = _LEAST_SHARE * small.shape[0] * small.shape[1]
    quads = []
    for mask in masks:
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if cv2.contourArea(cv2.convexHull(contour)) > least:
                quads += _corners_of(np.asarray(cv2.convexHull(contour)), least)
    return quads


def _unlike_the_table(lab: Image) -> list[NDArray[np.uint8]]:
    """Masks of what has another color than the picture's border."""
    border = np.concatenate([lab[:8].reshape(-1, 3), lab[-8:].reshape(-1, 3), lab[:, :8].reshape(-1, 3)])
    common = np.median(border, axis=0)
    far = np.abs(lab.astype(np.float32) - common).sum(2)
    return [opened((far > step).astype(np.uint8) * 255, 7) for step in (18, 30, 45, 70)]


def _corners_of(hull: NDArray[Any], least: float) -> list[Points]:
    """Quadrilaterals that a hull is near to."""
    length = cv2.arcLength(hull, True)
    quads = []
    for share in (0.015, 0.03, 0.05):
        polygon = cv2.approxPolyDP(hull, share * length, True)[:, 0].astype(np.float64)
        if not 4 <= len(polygon) <= 6:
            continue
        for chosen in itertools.combinations(range(len(polygon)), 4):
            quad = polygon[list(chosen)]
            area = cv2.contourArea(quad.astype(np.float32))
            if area > max(least, 0.85 * cv2.contourArea(hull)):
                clockwise = cv2.contourArea(quad.astype(np.float32), True) > 0
                quads.append(quad if clockwise else quad[::-1])
    return quads


def _distinct(quads: list[Points]) -> list[Points]:
    kept: list[Points] = []
    for quad in sorted(quads, key=lambda quad: -cv2.contourArea(quad.astype(np.float32))):
        start = int(np.argmin(quad.sum(1)))
        turned = np.roll(quad, -start, axis=0)
        if all(np.abs(turned - other).max() > 5 for other in kept):
            kept.append(turned)
    return kept[:60]
