"""What never moves: the table top, the things lying about, and the board, in their light."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.artwork import TEXTURE_PX, Image
from vision.virtual.camera import Camera
from vision.virtual.geometry import BoardGeometry
from vision.virtual.light import FloatImage, Light
from vision.virtual.surfaces import TILE_M, TILE_PX

#: The board and the table are sampled at this many sub-pixels along each axis.
SCALE = 2


@dataclass(frozen=True)
class Paper:
    """A flat thing on the table: money, a title deed, a phone.

    Attributes:
        size_m: (width, depth).
        colors: BGR of ground and stripe.
    """

    x: float
    y: float
    yaw: float
    size_m: tuple[float, float]
    colors: tuple[tuple[int, int, int], tuple[int, int, int]]


def draw_background(
    board: Image, surface: Image, geometry: BoardGeometry, camera: Camera, light: Light, papers: tuple[Paper, ...] = ()
) -> Image:
    """The empty table as the lens shows it, before blur and noise: (h, w, 3) uint8."""
    table_xy = camera.plane_map(SCALE, -geometry.thickness_m)
    scene = _tiled(surface, table_xy)
    for paper in papers:
        _lay_paper(scene, paper, table_xy)
    scene *= 1 - _board_shadow(geometry, light, table_xy)[..., None]
    _lay_board(scene, board, geometry, camera)
    small = cv2.resize(scene, camera.size, interpolation=cv2.INTER_AREA)
    ground_xy = table_xy[::SCALE, ::SCALE]
    lit = small * light.brightness(ground_xy) + _sheen(geometry, camera, light, ground_xy)
    return np.clip(lit * vignette(camera.size)[..., None], 0, 255).astype(np.uint8)


def vignette(size: tuple[int, int], strength: float = 0.18) -> FloatImage:
    """(h, w) brightness left by the lens, 1 at the center."""
    width, height = size
    x = np.linspace(-1, 1, width, dtype=np.float32)[None]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * height / width
    return np.asarray(1 - strength * (x**2 + y**2), np.float32)


def _tiled(surface: Image, table_xy: NDArray[np.float32]) -> FloatImage:
    """The mirrored tile at every px."""
    folded = np.abs((table_xy / TILE_M + 100.5) % 2 - 1) * (TILE_PX - 1)
    return cv2.remap(cv2.GaussianBlur(surface, (0, 0), 0.8), folded[..., 0], folded[..., 1], cv2.INTER_LINEAR).astype(
        np.float32
    )


def _lay_paper(scene: FloatImage, paper: Paper, table_xy: NDArray[np.float32]) -> None:
    c, s = np.cos(paper.yaw), np.sin(paper.yaw)
    dx, dy = table_xy[..., 0] - paper.x, table_xy[..., 1] - paper.y
    u, v = (c * dx + s * dy) / paper.size_m[0], (c * dy - s * dx) / paper.size_m[1]
    inside = (np.abs(u) < 0.5) & (np.abs(v) < 0.5)
    stripe = inside & (np.abs(u) < 0.4) & (v > 0.1) & (v < 0.4)
    near = (np.abs(u + 0.02) < 0.53) & (np.abs(v - 0.02) < 0.53)
    scene[near] *= 0.7
    scene[inside] = paper.colors[0]
    scene[stripe] = paper.colors[1]


def _board_shadow(geometry: BoardGeometry, light: Light, table_xy: NDArray[np.float32]) -> FloatImage:
    towards = np.array(light.direction)
    offset = towards[:2] / towards[2] * geometry.thickness_m
    reach = geometry.size_m / 2
    outside = np.maximum(np.abs(table_xy[..., 0] + offset[0]), np.abs(table_xy[..., 1] + offset[1])) - reach
    return np.asarray(light.shadow_depth * np.clip(1 - outside / 0.004, 0, 1), np.float32)


def _lay_board(scene: FloatImage, board: Image, geometry: BoardGeometry, camera: Camera) -> None:
    corners = geometry.corners()
    below = corners - [0, 0, geometry.thickness_m]
    for k in range(4):
        side = np.stack([corners[k], corners[(k + 1) % 4], below[(k + 1) % 4], below[k]])
        px = (camera.project(side) + 0.5) * SCALE - 0.5
        cv2.fillPoly(scene, [np.round(px).astype(np.int32)], (60, 66, 70))
    board_xy = camera.plane_map(SCALE, 0.0)
    at = (board_xy / geometry.size_m * [1, -1] + 0.5) * TEXTURE_PX - 0.5
    px_per_m = camera.focal_px * SCALE / float(camera.depth(np.zeros((1, 3)))[0])
    sigma = max(0.35 * TEXTURE_PX / geometry.size_m / px_per_m, 0.3)
    sharp = cv2.GaussianBlur(board, (0, 0), sigma)
    at32 = at.astype(np.float32)
    seen = cv2.remap(sharp, at32[..., 0], at32[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = np.max(np.abs(board_xy), axis=-1) <= geometry.size_m / 2
    scene[inside] = seen[inside]


def _sheen(geometry: BoardGeometry, camera: Camera, light: Light, ground_xy: NDArray[np.float32]) -> FloatImage | float:
    """The light's reflection on the varnish."""
    if light.sheen <= 0:
        return 0.0
    to_eye = camera.eye - np.concatenate([ground_xy, np.zeros((*ground_xy.shape[:2], 1), np.float32)], axis=-1)
    to_eye /= np.linalg.norm(to_eye, axis=-1, keepdims=True)
    mirrored = np.array(light.direction) * [-1, -1, 1]
    shine = np.clip(to_eye @ mirrored, 0, None) ** 60 * light.sheen * 255
    on_board = np.max(np.abs(ground_xy), axis=-1) <= geometry.size_m / 2
    return np.asarray((shine * np.where(on_board, 1.0, 0.5))[..., None], np.float32)
