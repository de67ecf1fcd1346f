"""How a camera looks at the board: pinhole with one term of distortion, pose from the board's four corners.

The board's frame: its side is 1, origin at its center on the top face, z up; seen from above with
GO at the lower right, x is right and y up.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(n, 2) or (n, 3)."""

#: Outer corners of the board, GO's first, in the direction of travel.
CORNERS: Points = np.array([[0.5, -0.5], [-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]])
#: Focal length in picture widths of a lens with 65 degrees across, in the middle of what webcams have (55-78).
USUAL_FOCAL = 0.785
#: Longer over shorter side of what cameras deliver, at least; other pictures were cut out of such ones, of 16 : 9.
_LEAST_ASPECT, _CUT_FROM = 1.3, 16 / 9
#: Spread of webcams' focal lengths about it (natural logarithm), of their radial distortion, and of taps in px.
FOCAL_SPREAD, RADIAL_SPREAD, TAP_PX = 0.16, 0.05, 1.5
#: Zoomed and very wide lenses lie farther off: focal lengths are spread as Student's t with so many degrees of freedom.
#: (With 2, four of 120 boards that nobody tapped are not found within 6 px, with 4 one.) The likeliest is looked for
#: from these multiples of the usual one.
_TAIL, _STRETCHES = 4.0, np.exp(np.linspace(-4, 8, 7) * FOCAL_SPREAD)
#: Without distortion px lie at most so many times as far from the picture's middle, and at least so many.
_OUTWARDS, _INWARDS = 20.0, 0.5
#: Newton's steps to the size that corners tell, and the share of it by which their ways are measured.
_SIZINGS, _SIZING = 3, 0.01
#: Sine of the angle over the table below which a camera stands low down, 45 degrees.
LOW_DOWN = 0.707
#: Height in board sides over which a lean is measured.
LEAN_STEP = 0.02


@dataclass(frozen=True)
class View:
    """A camera's lens and pose.

    Attributes:
        size: (width, height) px.
        focal_px: focal length; the principal point is the picture's center.
        radial: what is seen r from the picture's middle lies at r / (1 + radial r²) without distortion, both in focal
            lengths (A. Fitzgibbon, Simultaneous linear estimation of multiple view geometry and lens distortion, 2001):
            k1 of Brown and Conrady where it is small, and near to fisheyes where it is not.
        rotation, translation: board to camera axes (x right, y down, z forward).
    """

    size: tuple[int, int]
    focal_px: float
    radial: float
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]

    @property
    def center(self) -> NDArray[np.float64]:
        """(2,) principal point, px."""
        return np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])

    @property
    def eye(self) -> NDArray[np.float64]:
        """(3,) the camera in the board's frame."""
        return -self.rotation.T @ self.translation

    @property
    def is_low(self) -> bool:
        """Whether the camera stands low down over the table, seen from the board's middle."""
        return bool(self.eye[2] < LOW_DOWN * np.linalg.norm(self.eye))

    def project(self, points: Points) -> Points:
        """Board points, (n, 2) on its face or (n, 3), to px (n, 2)."""
        spatial = points if points.shape[1] == 3 else np.column_stack([points, np.zeros(len(points))])
        camera = spatial @ self.rotation.T + self.translation
        plane = camera[:, :2] / np.maximum(camera[:, 2:], 1e-6)
        root = np.sqrt(np.maximum(1 - 4 * self.radial * (plane**2).sum(1, keepdims=True), 0.0))
        return plane * (2 / (1 + root)) * self.focal_px + self.center

    def undistort(self, px: Points) -> Points:
        """Px (n, 2) to coordinates on the plane at distance 1, without distortion."""
        bent = (px - self.center) / self.focal_px
        return bent / np.clip(1 + self.radial * (bent**2).sum(1, keepdims=True), 1 / _OUTWARDS, 1 / _INWARDS)

    def to_board(self, px: Points, height: float = 0.0) -> Points:
        """Px (n, 2) to the point of the board's frame (n, 2) at this height that is seen there."""
        rays = np.column_stack([self.undistort(px), np.ones(len(px))]) @ self.rotation
        eye = self.eye
        reach = (height - eye[2]) / rays[:, 2]
        return eye[:2] + rays[:, :2] * reach[:, None]

    def stances_at(self, px: Points) -> Points:
        """How things look that stand on the table at px (n, 2).

        Returns:
            (n, 2) the angle in radians, clockwise, by which what stands upright leans in the picture, and by how much a
            level plane looks foreshortened, 0-1.
        """
        feet = np.column_stack([self.to_board(px), np.zeros(len(px))])
        away = self.project(feet + np.array([0, 0, LEAN_STEP])) - self.project(feet)
        ray = self.eye - feet
        return np.column_stack([np.arctan2(away[:, 0], -away[:, 1]), ray[:, 2] / np.linalg.norm(ray, axis=1)])

    def nearness_at(self, px: Points) -> NDArray[np.float64]:
        """(n,) how large things look that lie on the table at px (n, 2), against those in the middle of the board."""
        feet = np.column_stack([self.to_board(px), np.zeros(len(px))])
        return self.scales_at(feet) / self.scale_at(np.zeros(2))

    def corners_px(self) -> Points:
        """(4, 2) the board's corners, GO's first."""
        return self.project(CORNERS)

    def scale_at(self, point: Points) -> float:
        """Px for 1 board side across the line of sight at a board point (2,) or (3,)."""
        return float(self.scales_at(np.append(point, 0.0)[None, :3])[0])

    def scales_at(self, points: Points) -> NDArray[np.float64]:
        """(n,) px for 1 board side across the line of sight at points (n, 3)."""
        depth = points @ self.rotation[2] + self.translation[2]
        return np.asarray(self.focal_px / np.maximum(depth, 1e-6))

    def has_lens_of(self, other: "View") -> bool:
        """Whether focal length, distortion and the size of the picture are the same."""
        return (self.size, self.focal_px, self.radial) == (other.size, other.focal_px, other.radial)

    def is_sane(self) -> bool:
        """Whether the board lies before the camera, face up, and in sight."""
        if not np.isfinite(self.translation).all() or self.eye[2] <= 0.05 or self.translation[2] < 0.2:
            return False
        corners = self.corners_px()
        area = cv2.contourArea(corners.astype(np.float32))
        inside = ((corners > -0.15 * np.array(self.size)) & (corners < 1.15 * np.array(self.size))).all(1)
        return bool(area > 0.02 * self.size[0] * self.size[1] and inside.sum() >= 3)

    def with_side(self, side: float) -> "View":
        """The same view of a board whose side is so many of this one's, about the same middle."""
        return View(self.size, self.focal_px, self.radial, self.rotation, self.translation / side)

    def sized_to(self, corners_px: Points) -> "View":
        """The same view of a larger or smaller board about the same middle, whose corners are the nearest to these.

        What somebody tapped is off by px, which far away on a board seen from low down are much of it.
        """
        view = self
        for _ in range(_SIZINGS):
            px = view.corners_px()
            slope = (view.project((1 + _SIZING) * CORNERS) - px) / _SIZING
            view = view.with_side(1 + float((slope * (corners_px - px)).sum() / np.square(slope).sum()))
        return view

    def with_corners(self, corners_px: Points) -> "View":
        """The same lens where the board's corners lie elsewhere."""
        return pose_from_points(self, CORNERS, corners_px)


def pose_from_points(lens: View, board: Points, px: Points) -> View:
    """Pose of a known lens from points of the board's face; `lens` gives size, focal length and distortion."""
    plane = lens.undistort(px)
    homography, _ = cv2.findHomography(board, plane)
    if homography is None:
        return lens
    rotation, translation = _pose_of(np.asarray(homography, np.float64))
    start = View(lens.size, lens.focal_px, lens.radial, rotation, translation)
    return refine(start, board, px, np.full(len(board), 1.0), fixed_lens=True)


def _pose_of(homography: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nearest pose to a homography from the board's face to the undistorted picture plane."""
    scale = np.sqrt(np.linalg.norm(homography[:, 0]) * np.linalg.norm(homography[:, 1]))
    columns = homography / scale
    if columns[2, 2] < 0:
        columns = -columns
    first, second, translation = columns.T
    u, _, vt = np.linalg.svd(np.column_stack([first, second, np.cross(first, second)]))
    return u @ np.diag([1, 1, np.linalg.det(u @ vt)]) @ vt, translation


def usual_focal(size: tuple[int, int]) -> float:
    """The likeliest focal length (px) of a picture of this (width, height), which may be upright or cut out."""
    longer, shorter = max(size), min(size)
    return USUAL_FOCAL * (longer if longer >= _LEAST_ASPECT * shorter else _CUT_FROM * shorter)


def view_from_corners(size: tuple[int, int], corners_px: Points, like: View | None = None) -> View:
    """The likeliest view of a board with these corners: pose, and focal length as far as they show it.

    Args:
        like: has the likeliest lens; None for a usual one.
    """
    best, least = None, np.inf
    center = (np.array(size) - 1) / 2
    lens = _usual(size) if like is None else like
    for stretch in _STRETCHES:
        focal = lens.focal_px * stretch
        homography = cv2.getPerspectiveTransform(
            CORNERS.astype(np.float32), ((corners_px - center) / focal).astype(np.float32)
        )
        view = View(size, focal, lens.radial, *_pose_of(homography.astype(np.float64)))
        view = refine(view, CORNERS, corners_px, np.full(4, TAP_PX), like=lens)
        misses = np.square((view.project(CORNERS) - corners_px) / TAP_PX).sum()
        cost = float(misses + np.square(_unlikely(view, lens)).sum())
        if cost < least:
            best, least = view, cost
    assert best is not None
    return best


def _usual(size: tuple[int, int]) -> View:
    """A view by the likeliest lens."""
    return View(size, usual_focal(size), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))


def _unlikely(view: View, lens: View) -> NDArray[np.float64]:
    """(2,) by how much focal length and distortion are other than the likeliest, as residuals of least squares."""
    off = np.log(view.focal_px / lens.focal_px) / FOCAL_SPREAD
    tailed = np.sign(off) * np.sqrt(_TAIL * np.log1p(off**2 / _TAIL))
    return np.array([tailed, (view.radial - lens.radial) / RADIAL_SPREAD])


def refine(
    view: View,
    board: Points,
    px: Points,
    sigma_px: NDArray[np.float64],
    normals: Points | None = None,
    fixed_lens: bool = False,
    steps: int = 12,
    like: View | None = None,
) -> View:
    """Least squares over pose and, unless fixed, focal length and distortion with their priors.

    Args:
        board: (n, 2) points of the board's face; px: (n, 2) where they are seen.
        normals: (n, 2) unit vectors; where not zero only the miss along them counts (points on an edge).
        like: has the likeliest lens; None for a usual one.
    """
    weights = 1 / sigma_px
    lens = _usual(view.size) if like is None else like
    along = None if normals is None else (normals**2).sum(1) > 0

    def unpack(change: NDArray[np.float64]) -> View:
        turn, _ = cv2.Rodrigues(change[:3])
        focal, radial = view.focal_px, view.radial
        if not fixed_lens:
            focal, radial = focal * float(np.exp(change[6])), radial + float(change[7])
        return View(view.size, focal, radial, turn @ view.rotation, view.translation + change[3:6])

    def misses(change: NDArray[np.float64]) -> NDArray[np.float64]:
        now = unpack(change)
        miss = now.project(board) - px
        if normals is not None and along is not None:
            across = (miss * normals).sum(1)
            miss = np.where(along[:, None], np.column_stack([across, np.zeros(len(px))]), miss)
        parts = (miss * weights[:, None]).ravel()
        if fixed_lens:
            return parts
        return np.concatenate([parts, _unlikely(now, lens)])

    change = np.zeros(6 if fixed_lens else 8)
    damping = 1e-3
    now = misses(change)
    for _ in range(steps):
        jacobian = np.column_stack([(misses(change + step) - now) / 1e-5 for step in np.eye(len(change)) * 1e-5])
        normal = jacobian.T @ jacobian
        try:
            delta = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -jacobian.T @ now)
        except np.linalg.LinAlgError:
            break
        then = misses(change + delta)
        if then @ then < now @ now:
            done = float(now @ now - then @ then) < 1e-6
            change, now, damping = change + delta, then, damping * 0.2
            if done:
                break
        else:
            damping *= 10
            if damping > 1e4:
                break
    return unpack(change)
