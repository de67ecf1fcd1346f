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
from vision.view import CORNERS, Points, View, view_from_corners

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
_RIM, _SAME_EDGE = 0.06, 0.004
#: Change of color (sum over CIELAB's channels, 0-255 each) that is an edge, and in multiples of that farther out.
_EDGE, _EDGE_NOISE = 3.5, 3.0
#: An edge this near within a fainter one is the same.
_HALO = 0.01
#: The edge is looked for within this part of its distance from the printed square, over and over.
_SHY, _ROUNDS = 8.0, 4
#: Sides that have to show it, at distances that differ by so many steps of half a px.
_SIDES, _SLACK = 3, 3
#: Each side is looked at in parts, of so many places: all of one have to change alike.
_PARTS, _PART = 5, 15


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
    place, sides = _around_the_edge(picture, view)
    # What lies around a board is not as far from three of its sides; nor is a shadow.
    noise = np.median(sides[:, place > _RIM], axis=1, keepdims=True)
    plain = sides / np.maximum(_EDGE, _EDGE_NOISE * noise)
    # An edge is where it changes most; its flanks are none.
    around = np.ones((1, 2 * _SLACK + 1), np.uint8)
    plain[(plain < cv2.dilate(plain, around)) | (place < _SAME_EDGE)] = 0.0
    near = cv2.dilate(plain, around)
    shown = np.sort(near, axis=0)[-_SIDES]
    is_edge = (shown >= 1.0) & (place >= _SAME_EDGE) & (place <= _RIM)
    if not is_edge.any():
        return corners
    # A sharpened picture has a fainter edge outside of each.
    outermost = place[np.flatnonzero(is_edge)[-1]]
    strength = np.where(is_edge & (place > outermost - _HALO), shown + 1e-3 * plain.sum(0), 0.0)
    grown = float(place[int(strength.argmax())])
    edge = view.project(CORNERS * (1 + 2 * grown))
    # Not from so far that the printed square is taken for the edge again.
    off_px = float(np.clip(grown * view.scale_at(np.zeros(2)) * 1280 / picture.shape[1] / _SHY, 1.5, _CONTOUR_PX))
    for _ in range(_ROUNDS):
        edge = refine_taps(picture, edge, off_px).corners_px()
    return edge


def _around_the_edge(picture: Image, view: View) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Distances (n,) outwards from where the edge was found, in board sides, and (4, n) what changes there."""
    lab = blurred(lab_of(picture), 1.0)
    pitch = 0.5 / view.scale_at(np.zeros(2))
    grown = np.arange(-_SAME_EDGE, 2 * _RIM + 4 * pitch, pitch)
    along = np.linspace(0.05, 0.95, _PARTS * _PART)[:, None]
    sides = []
    for side in range(4):
        edge = CORNERS[side] * (1 - along) + CORNERS[(side + 1) % 4] * along
        points = (edge[:, None] * (1 + 2 * grown[None, :, None])).reshape(-1, 2)
        colors = remap(lab, view.project(points).reshape(len(along), len(grown), 2).astype(np.float32), replicate=True)
        steps = (colors[:, 4:] - colors[:, :-4]).reshape(_PARTS, _PART, -1, 3)
        sides.append(np.median(np.abs(np.median(steps, axis=1)).sum(2), axis=0))
    return grown[2:-2], np.array(sides, np.float32)


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
