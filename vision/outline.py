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
from vision.pixels import Image, blurred, lab_of, opened, remap, shrunk, widened
from vision.registration import rectify, refine_taps
from vision.view import CORNERS, Points, view_from_corners

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
#: Half sides of the middle of a board, which may be all that shows an outline, in sides of the board.
_MIDDLES = (0.362, 0.376)
#: How far outside a printed square the board may end, in its sides, and nearer than what it is the same edge.
_RIM, _SAME_EDGE = 0.035, 0.004
#: Change of color (sum over CIELAB's channels, 0-255 each) that is an edge, and share of the printed square's own one.
_EDGE, _EDGE_SHARE = 9.0, 0.25


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
    outlines = _distinct(_quadrilaterals(small))
    candidates = outlines + [quad for middle in outlines for quad in _around(middle) if _is_within(quad, small)]
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
    return _to_the_edge(picture, best[1])


def _is_within(quad: Points, picture: Image) -> bool:
    """Whether a quadrilateral lies in the picture."""
    return bool((quad > 0).all() and (quad < [picture.shape[1], picture.shape[0]]).all())


def _to_the_edge(picture: Image, corners: Points) -> Points:
    """The corners moved out to the edge of the board, where they were found at the printed square within its rim."""
    view = view_from_corners((picture.shape[1], picture.shape[0]), corners)
    lab = blurred(lab_of(picture), 1.0)
    pitch = 0.5 / view.scale_at(np.zeros(2))
    grown = np.arange(-_SAME_EDGE, _RIM + 4 * pitch, pitch)
    along = np.linspace(0.06, 0.94, 40)[:, None]
    sides = []
    for side in range(4):
        edge = CORNERS[side] * (1 - along) + CORNERS[(side + 1) % 4] * along
        points = (edge[:, None] * (1 + 2 * grown[None, :, None])).reshape(-1, 2)
        colors = remap(lab, view.project(points).reshape(len(along), len(grown), 2).astype(np.float32), replicate=True)
        sides.append(np.median(np.abs(colors[:, 4:] - colors[:, :-4]).sum(2), axis=0))
    weakest, place = np.min(sides, axis=0), grown[2:-2]
    own = float(weakest[place < _SAME_EDGE].max(initial=0.0))
    inner, outer = np.append(weakest[0], weakest[:-1]), np.append(weakest[1:], weakest[-1])
    is_peak = (weakest >= inner) & (weakest > outer) & (weakest > max(_EDGE, _EDGE_SHARE * own))
    peaks = np.flatnonzero(is_peak & (place >= _SAME_EDGE))
    if not len(peaks):
        return corners
    return refine_taps(picture, view.project(CORNERS * (1 + 2 * place[peaks[-1]]))).corners_px()


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


def _around(middle: Points) -> list[Points]:
    """Boards of which a quadrilateral may be the middle."""
    quads = []
    for half in _MIDDLES:
        to_picture = cv2.getPerspectiveTransform((CORNERS * 2 * half).astype(np.float32), middle.astype(np.float32))
        quads.append(cv2.perspectiveTransform(CORNERS[None].astype(np.float32), to_picture)[0].astype(np.float64))
    return quads


def _distinct(quads: list[Points]) -> list[Points]:
    kept: list[Points] = []
    for quad in sorted(quads, key=lambda quad: -cv2.contourArea(quad.astype(np.float32))):
        start = int(np.argmin(quad.sum(1)))
        turned = np.roll(quad, -start, axis=0)
        if all(np.abs(turned - other).max() > 5 for other in kept):
            kept.append(turned)
    return kept[:60]
