"""The virtual camera: pose, lens, and the rays of its pixels."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.geometry import Points


@dataclass(frozen=True)
class Camera:
    """A pinhole with Brown-Conrady distortion.

    Attributes:
        size: (width, height) px.
        focal_px: focal length.
        principal_px: principal point.
        distortion: k1, k2, p1, p2 as in `cv2.projectPoints`.
        rotation: (3, 3) board axes to camera axes (x right, y down, z forward).
        translation: (3,) meters.
    """

    size: tuple[int, int]
    focal_px: float
    principal_px: tuple[float, float]
    distortion: NDArray[np.float64]
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]

    @classmethod
    def looking_at(
        cls,
        target: tuple[float, float],
        elevation_deg: float,
        yaw_deg: float,
        distance_m: float,
        roll_deg: float = 0.0,
        fov_deg: float = 65.0,
        size: tuple[int, int] = (1280, 720),
        k1: float = 0.0,
    ) -> "Camera":
        """A camera that looks at a point of the board's plane.

        Args:
            elevation_deg: angle of the view above the table; 90 looks straight down.
            yaw_deg: how far the board is turned clockwise in the picture; 0 has GO at the lower right.
        """
        elevation, yaw = np.radians(elevation_deg), np.radians(yaw_deg)
        forward = np.array([np.sin(yaw) * -np.cos(elevation), np.cos(elevation) * np.cos(yaw), -np.sin(elevation)])
        right = np.array([np.cos(yaw), np.sin(yaw), 0.0])
        down = np.cross(forward, right)
        rows = np.stack([right, down, forward])
        roll = np.radians(roll_deg)
        turn = np.array([[np.cos(roll), -np.sin(roll), 0.0], [np.sin(roll), np.cos(roll), 0.0], [0.0, 0.0, 1.0]])
        rotation = turn @ rows
        eye = np.array([*target, 0.0]) - forward * distance_m
        focal = size[0] / 2 / np.tan(np.radians(fov_deg) / 2)
        principal = ((size[0] - 1) / 2, (size[1] - 1) / 2)
        distortion = np.array([k1, -k1 / 4, 0.0, 0.0])
        return cls(size, float(focal), principal, distortion, rotation, -rotation @ eye)

    def turned(self, degrees: float, across: float, down: float) -> "Camera":
        """The camera turned in its place: what it shows moves that way in its picture, a unit vector."""
        turn = cv2.Rodrigues(np.radians(degrees) * np.array([-down, across, 0.0]))[0]
        return replace(self, rotation=turn @ self.rotation, translation=turn @ self.translation)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """(3, 3) K."""
        return np.array([[self.focal_px, 0, self.principal_px[0]], [0, self.focal_px, self.principal_px[1]], [0, 0, 1]])

    @property
    def eye(self) -> NDArray[np.float64]:
        """(3,) the camera's place in the board frame."""
        return np.asarray(-self.rotation.T @ self.translation)

    def project(self, points: Points) -> Points:
        """(n, 3) meters to (n, 2) px in the distorted picture."""
        in_camera = points @ self.rotation.T + self.translation
        depth = np.maximum(in_camera[:, 2:], 1e-6)
        xy = in_camera[:, :2] / depth
        k1, k2, p1, p2 = self.distortion
        r2 = np.sum(xy**2, axis=1, keepdims=True)
        x, y = xy[:, :1], xy[:, 1:]
        tangential = np.hstack([2 * p1 * x * y + p2 * (r2 + 2 * x**2), p1 * (r2 + 2 * y**2) + 2 * p2 * x * y])
        bent = xy * (1 + k1 * r2 + k2 * r2**2) + tangential
        return np.asarray(bent * self.focal_px + np.array(self.principal_px))

    def depth(self, points: Points) -> NDArray[np.float64]:
        """(n,) distance from the eye, for drawing the far things first."""
        return np.asarray(np.linalg.norm(points - self.eye, axis=1))

    def plane_map(self, scale: int = 1, height_m: float = 0.0) -> NDArray[np.float32]:
        """(h*scale, w*scale, 2) board coordinates in meters that each px looks at (far away above the horizon).

        Args:
            scale: sub-pixels along each axis.
        """
        return self._map_of(partial(self._at_height, height_m=height_m), scale)

    def _at_height(self, rays: Points, height_m: float) -> Points:
        """(n, 2) where rays (n, 3) from the eye meet the plane at that height."""
        eye, steepness = self.eye, np.minimum(rays[:, 2], -1e-3)
        return np.asarray(eye[:2] + rays[:, :2] * ((height_m - eye[2]) / steepness)[:, None])

    def _map_of(self, meet: Callable[[Points], Points], scale: int) -> NDArray[np.float32]:
        """(h*scale, w*scale, 2) what each px looks at, where rays meet it."""
        # The map is smooth: every eighth px is worked out, the rest is interpolated (off by some micrometers).
        step = 8
        width, height = self.size[0] * scale, self.size[1] * scale
        across, down = -(-width // step) + 2, -(-height // step) + 2
        grid_x, grid_y = np.meshgrid((np.arange(across) - 0.5) * step / scale, (np.arange(down) - 0.5) * step / scale)
        straight = self._undistort(np.stack([grid_x, grid_y], axis=-1).reshape(-1, 2) - 0.5)
        rays = np.hstack([straight, np.ones((len(straight), 1))]) @ self.rotation
        coarse = meet(rays).reshape(down, across, 2).astype(np.float32)
        fine = cv2.resize(coarse, (across * step, down * step), interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(fine[step : step + height, step : step + width])

    def _undistort(self, px: Points) -> Points:
        """(n, 2) px to the normalized plane, by fixed-point iteration as OpenCV does."""
        bent = (px - np.array(self.principal_px)) / self.focal_px
        straight = bent.copy()
        k1, k2 = self.distortion[:2]
        for _ in range(6):
            r2 = np.sum(straight**2, axis=1, keepdims=True)
            straight = bent / (1 + k1 * r2 + k2 * r2**2)
        return straight


def homography_of_plane(camera: Camera, plane_xy: Points, height_m: float, texture_px: Points) -> NDArray[np.float64]:
    """(3, 3) from a texture to the picture, the texture lying at `height_m` over the board with these four corners."""
    world = np.hstack([plane_xy, np.full((4, 1), height_m)])
    target = camera.project(world).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(texture_px.astype(np.float32), target), np.float64)
