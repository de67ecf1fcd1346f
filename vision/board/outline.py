"""Finding a board in a picture with nothing known: a large quadrilateral with the lines of forty spaces in it.

GO's corner is told by which spaces carry color strips, which is the same for every edition with the usual plan
and differs from side to side.
"""

import itertools
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observations import BoardsideError
from vision.board.edge import refine_taps, to_the_edge
from vision.board.layout import STREETS, Layout, find_layout, strip_evidence
from vision.board.lines import on_the_lines
from vision.board.registration import rectify
from vision.board.view import CORNERS, Points, View, view_from_corners
from vision.pixels import Image, blurred, opened, shrunk, widened

#: Px of the board's side when candidates are compared, and rim.
_SIDE_PX, _RIM_PX = 500, 10
#: Width to which the picture is reduced to look for outlines.
_SEARCH_PX = 640
#: Share of the picture that a board covers at least.
_LEAST_SHARE = 0.05
#: How far the corners of a contour are off, px of a picture 1280 px wide.
_CONTOUR_PX = 4.0
#: Share of a board's lines that show where they should, at least: 0.75 and more do in 180 pictures of rendered boards,
#: half of them under lamps, and none in eight of noise.
_LEAST_LINES = 0.65
#: Candidates that are looked at closely, until so many of the lines are where they should be; and how often a view is
#: drawn to them, at most.
_CLOSER, _ALL_LINES, _DRAWN = 10, 0.85, 3
#: Half sides of the middle of a board, which may be all that shows an outline, in sides of the board.
_MIDDLES = (0.362, 0.376)


class NoBoardFound(BoardsideError):
    """No board shows in a picture."""

    code = "no_board"


@dataclass(frozen=True)
class _Seen:
    """What a view shows that may be a board's.

    Attributes:
        artwork: from above.
        lines: share of the lines between its spaces that show where they should, once they were looked for.
    """

    view: View
    layout: Layout
    artwork: Image
    lines: float = 0.0


def find_taps(picture: Image) -> Points:
    """The board's corners, (4, 2) px, GO's outer corner first, in the direction of travel.

    Raises:
        NoBoardFound: nothing in the picture has the lines of a board's spaces.
    """
    scale = min(1.0, _SEARCH_PX / picture.shape[1])
    small = shrunk(picture, (round(picture.shape[1] * scale), round(picture.shape[0] * scale)))
    outlines = _distinct(_quadrilaterals(small))
    candidates = outlines + [quad for middle in outlines for quad in _around(middle) if _is_within(quad, small)]
    size = (small.shape[1], small.shape[0])
    scored = [(_clarity(small, view_from_corners(size, quad)), k) for k, quad in enumerate(candidates)]
    best: _Seen | None = None
    for _, k in sorted(scored, reverse=True)[:_CLOSER]:
        full = (candidates[k] + 0.5) / scale - 0.5
        view = refine_taps(picture, refine_taps(picture, full, _CONTOUR_PX).corners_px())
        seen = _drawn_to_lines(picture, view)
        if seen is not None and (best is None or seen.lines > best.lines):
            best = seen
        if best is not None and best.lines >= _ALL_LINES:
            break
    if best is not None and best.lines >= _LEAST_LINES:
        whole = _seen_in(picture, to_the_edge(picture, best.view, best.layout.unit))
        if whole is not None:
            return np.roll(whole.view.corners_px(), -_turn(whole), axis=0)
    raise NoBoardFound("No board was found in the picture: tap its four corners, GO's first.")


def _drawn_to_lines(picture: Image, view: View) -> _Seen | None:
    """What shows in a view drawn to the lines between the spaces; None where no board can be.

    Outlines may follow the board's edge on some sides, its printed square on others, and shadows.
    """
    seen = _seen_in(picture, view)
    for _ in range(_DRAWN):
        if seen is None:
            break
        moved, lines = on_the_lines(picture, seen.view, seen.layout.unit)
        if lines <= seen.lines:
            break
        sides = 2 * float(np.median(np.abs(moved.to_board(seen.view.corners_px()))))
        again = _seen_in(picture, moved.with_side(sides))
        seen = None if again is None else replace(again, lines=lines)
    return seen


def _is_within(quad: Points, picture: Image) -> bool:
    """Whether a quadrilateral lies in the picture."""
    return bool((quad > 0).all() and (quad < [picture.shape[1], picture.shape[0]]).all())


def _clarity(picture: Image, view: View) -> float:
    """Of a board's layout in a view; 0 where no board can be."""
    seen = _seen_in(picture, view)
    return 0.0 if seen is None else seen.layout.clarity


def _seen_in(picture: Image, view: View) -> _Seen | None:
    if not view.is_sane():
        return None
    artwork = rectify(picture, view, _SIDE_PX, _RIM_PX)
    return _Seen(view, find_layout(artwork, _SIDE_PX, _RIM_PX), artwork)


def _turn(seen: _Seen) -> int:
    """By how many corners GO is further on than the corner taken for GO's."""
    streets = np.array([square in STREETS for square in range(40)])
    evidence = strip_evidence(seen.layout, seen.artwork, _SIDE_PX, _RIM_PX)
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
