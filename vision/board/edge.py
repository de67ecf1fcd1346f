"""Where a board ends: on each side by itself, near taps, or as far from its middle on all sides."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.view import CORNERS, TAP_PX, Points, View, refine, view_from_corners
from vision.pixels import Image, blurred, lab_of, remap

#: From the middle of a board to its edge, in widths of a space: at least and at most (6.07 to 6.47 on rendered and
#: shared tables; the printed square ends up to 0.3 before that). What changes from there to the last is usual there.
_HALF, _USUAL = (5.75, 6.8), 7.6
#: How far outside of the edge the foot of a side may show that the camera sees, in widths of a space.
_THICK = 0.09
#: Change of color (sum over CIELAB's channels, 0-255 each) that is an edge, and in multiples of what is usual.
_EDGE, _EDGE_NOISE = 2.0, 3.0
#: An edge this near (widths of a space) outside of another one, and fainter by more than this, is of the same.
_HALO, _FAINTER = 0.125, 0.5
#: Sides that have to show it, at distances that differ by so many steps of half a px.
_SIDES, _SLACK = 3, 3
#: How far about the taps edges are looked for, px, at least.
_LEAST_REACH = 2.5
#: Each side is looked at in parts, of so many places: all of one have to change alike.
_PARTS, _PART = 5, 15


def to_the_edge(picture: Image, view: View, unit: float) -> View:
    """The view of the board to its edge, which is as far from the middle on all sides.

    Args:
        view: of the lines between the spaces; its corners may lie anywhere about the edge.
        unit: width of a space, in sides of the view's board.
    """
    halves, changes = _around_the_edge(picture, view, unit)
    may_be = halves <= _HALF[1] * unit
    # What lies around a board is not as far from three of its sides; nor is a shadow.
    usual = np.median(changes[:, ~may_be], axis=1, keepdims=True)
    plain = changes / np.maximum(_EDGE, _EDGE_NOISE * usual)
    # An edge is where it changes most; its flanks are none.
    plain[plain < cv2.dilate(plain, np.ones((1, 2 * _SLACK + 1), np.uint8))] = 0.0
    thick = round(_THICK * unit / (halves[1] - halves[0]))
    near = cv2.dilate(plain, np.ones((1, _SLACK + thick + 1), np.uint8), anchor=(_SLACK, 0))
    shown = np.sort(near, axis=0)[-_SIDES]
    shown[(shown < 1.0) | (plain.max(axis=0) == 0) | ~may_be] = 0.0
    if not shown.any():
        return view
    # A sharpened picture has a fainter edge outside of each.
    shown[halves < halves[np.flatnonzero(shown)[-1]] - _HALO * unit] = 0.0
    likely = np.flatnonzero(shown > _FAINTER * shown.max())
    # Sides that turn away show where it is; the others their feet too.
    nearest = likely[likely >= likely[-1] - 2 * _SLACK][0]
    return view.with_side(2 * float(halves[nearest]))


def _around_the_edge(picture: Image, view: View, unit: float) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Distances (n,) from the middle, in sides of the view's board, and (4, n) what changes there on each side."""
    lab = blurred(lab_of(picture), 1.0)
    pitch = 0.5 / view.scale_at(np.zeros(2))
    halves = np.arange(_HALF[0] * unit - 2 * pitch, _USUAL * unit, pitch)
    along = np.linspace(0.05, 0.95, _PARTS * _PART)[:, None]
    sides = []
    for side in range(4):
        edge = CORNERS[side] * (1 - along) + CORNERS[(side + 1) % 4] * along
        points = (edge[:, None] * 2 * halves[None, :, None]).reshape(-1, 2)
        colors = remap(lab, view.project(points).reshape(len(along), len(halves), 2).astype(np.float32), replicate=True)
        steps = (colors[:, 4:] - colors[:, :-4]).reshape(_PARTS, _PART, -1, 3)
        sides.append(np.median(np.abs(np.median(steps, axis=1)).sum(2), axis=0))
    return halves[2:-2], np.array(sides, np.float32)


def refine_taps(empty_bgr: Image, taps: Points, off_px: float = TAP_PX, like: View | None = None) -> View:
    """View of the board from corners that are a little off, drawn to its outer edges where these show.

    Args:
        off_px: how far the corners are off (standard deviation, in a picture 1280 px wide).
        like: has the likeliest lens; None for a usual one.
    """
    size = (empty_bgr.shape[1], empty_bgr.shape[0])
    view = view_from_corners(size, taps, like)
    lab = blurred(lab_of(empty_bgr), 1.0)
    for reach in (4 * off_px, 2 * off_px):
        board, px, normals = _edge_points(lab, view, max(reach * size[0] / 1280, _LEAST_REACH))
        if len(board) < 40:
            continue
        sigma = np.concatenate([np.full(4, off_px), np.full(len(board), 10.0)])
        found = refine(
            view,
            np.vstack([CORNERS, board]),
            np.vstack([taps, px]),
            sigma,
            np.vstack([np.zeros((4, 2)), normals]),
            like=like,
        )
        if np.hypot(*(found.corners_px() - taps).T).max() < 5.5 * off_px * size[0] / 1280:
            view = found
    return view


def _edge_points(lab: NDArray[np.float32], view: View, reach: float) -> tuple[Points, Points, Points]:
    """Where the board's outer edges show: board points, px, and unit normals in the picture, (n, 2) each.

    Each side's edge is first looked for as a whole, then point by point near that, so that text,
    pieces of furniture and glare on part of it do not lead astray.
    """
    boards, pixels, normals = [], [], []
    shares = np.linspace(0.04, 0.96, 60)[:, None]
    offsets = np.arange(-reach, reach + 0.25, 0.5)
    for side in range(4):
        board = CORNERS[side] * (1 - shares) + CORNERS[(side + 1) % 4] * shares
        px = view.project(board)
        outward = view.project(board * 1.01) - px
        along = np.gradient(px, axis=0)
        normal = np.column_stack([along[:, 1], -along[:, 0]])
        normal *= np.sign((normal * outward).sum(1, keepdims=True))
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        where = (px[:, None] + normal[:, None] * offsets[None, :, None]).astype(np.float32)
        samples = remap(lab, where, replicate=True)
        step = np.abs(samples[:, 4:] - samples[:, :-4]).sum(2)
        common = np.median(step, axis=0)
        # The line of a narrow rim runs along the edge: what lies where the taps put the edge is likelier the edge.
        place = int(_outermost_peak(common * np.exp(-0.5 * (offsets[2:-2] / (0.4 * reach)) ** 2)))
        if common[place] < 2.5 * np.median(common) or common[place] < 5:
            continue
        window = np.arange(max(place - 3, 0), min(place + 4, step.shape[1]))
        best = window[step[:, window].argmax(1)]
        strong = step[np.arange(len(best)), best] > 0.4 * common[place]
        shift = offsets[2:-2][best]
        boards.append(board[strong])
        pixels.append((px + normal * shift[:, None])[strong])
        normals.append(normal[strong])
    if not boards:
        empty = np.zeros((0, 2))
        return empty, empty, empty
    return np.vstack(boards), np.vstack(pixels), np.vstack(normals)


def _outermost_peak(profile: NDArray[np.floating]) -> int:
    """Index of the last peak at least 60% as strong as the strongest."""
    peaks = [
        i
        for i in range(1, len(profile) - 1)
        if profile[i] >= profile[i - 1] and profile[i] >= profile[i + 1] and profile[i] > 0.6 * profile.max()
    ]
    return peaks[-1] if peaks else int(profile.argmax())
