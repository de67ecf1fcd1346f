"""A hand and its arm: drawn once as a height field of rounded limbs, then laid over the picture in perspective."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.camera import Camera, homography_of_plane
from vision.virtual.light import Light
from vision.virtual.sprite import Layer

#: Texture px for each meter; the arm is a meter long, so that its end stays out of the picture.
PX_PER_M = 700
_WIDTH_M, _LENGTH_M = 0.22, 1.0
_TIP_M = 0.04

SKINS: tuple[tuple[int, int, int], ...] = ((150, 180, 228), (120, 155, 205), (80, 110, 160), (45, 65, 105))
SLEEVES: tuple[tuple[int, int, int], ...] = ((40, 30, 140), (120, 70, 30), (60, 70, 60), (225, 225, 225), (35, 35, 38))

_Limb = tuple[float, float, float, float, float, float]
"""x0, y0, radius, x1, y1, radius in meters; the tips of thumb and forefinger are at the origin, the arm runs down."""

_PINCH: tuple[_Limb, ...] = (
    *((0.004, -0.004, 0.0075, 0.018, -0.05, 0.010), (0.018, -0.05, 0.010, 0.020, -0.09, 0.013)),
    *((0.022, 0.002, 0.008, 0.034, -0.05, 0.0105), (0.038, -0.008, 0.008, 0.046, -0.055, 0.010)),
    *((0.052, -0.022, 0.007, 0.056, -0.06, 0.009), (-0.006, -0.006, 0.008, -0.022, -0.04, 0.0105)),
    *((-0.022, -0.04, 0.0105, -0.008, -0.085, 0.016), (0.018, -0.09, 0.036, 0.020, -0.11, 0.036)),
    (0.016, -0.12, 0.030, 0.010, -0.19, 0.026),
)
_FIST: tuple[_Limb, ...] = (
    *((0.0, -0.02, 0.013, 0.01, -0.06, 0.017), (0.018, -0.015, 0.013, 0.024, -0.06, 0.017)),
    *((0.036, -0.02, 0.012, 0.038, -0.06, 0.016), (-0.012, -0.03, 0.012, -0.012, -0.07, 0.018)),
    *((0.014, -0.075, 0.036, 0.016, -0.10, 0.036), (0.012, -0.11, 0.030, 0.010, -0.19, 0.026)),
)
_POSTURES = {"pinch": _PINCH, "fist": _FIST}


@dataclass(frozen=True)
class HandPose:
    """Where a hand is.

    Attributes:
        x, y, z: meters; where thumb and forefinger meet.
        yaw: radians, counterclockwise; 0 has the arm come from -y.
        posture: `pinch` or `fist`.
        look: picks skin and sleeve.
    """

    x: float
    y: float
    z: float
    yaw: float
    posture: str = "pinch"
    look: int = 0


@lru_cache(maxsize=16)
def _texture(posture: str, look: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(h, w, 3) BGR albedo times shading, and (h, w) alpha."""
    width, length = round(_WIDTH_M * PX_PER_M), round(_LENGTH_M * PX_PER_M)
    xs = (np.arange(width) + 0.5) / PX_PER_M - _WIDTH_M / 2
    ys = _TIP_M - (np.arange(length) + 0.5) / PX_PER_M
    x, y = np.meshgrid(xs, ys)
    skin = np.zeros((length, width))
    for limb in _POSTURES[posture]:
        skin = np.maximum(skin, _limb_height(x, y, limb))
    sleeve = _limb_height(x, y, (0.010, -0.165, 0.034, 0.0, -1.1, 0.055))
    height = np.maximum(skin, sleeve).astype(np.float32)
    height_px = cv2.GaussianBlur(height, (0, 0), 1.2) * PX_PER_M
    gx, gy = np.gradient(height_px, axis=1), np.gradient(height_px, axis=0)
    up = 1.0 / np.sqrt(1 + gx**2 + gy**2)
    shading = np.clip(0.45 + 0.6 * up + 0.12 * up * (gx - gy), 0.2, 1.15)
    color = np.where((sleeve > skin)[..., None], SLEEVES[look % len(SLEEVES)], SKINS[look % len(SKINS)])
    alpha = cv2.GaussianBlur((height > 0).astype(np.float32), (0, 0), 0.8)
    return np.asarray(color * shading[..., None], np.float32), np.asarray(alpha, np.float32)


def _limb_height(x: NDArray[np.float64], y: NDArray[np.float64], limb: _Limb) -> NDArray[np.float64]:
    """Height of a tapered capsule over its middle plane; 0 outside."""
    x0, y0, r0, x1, y1, r1 = limb
    dx, dy = x1 - x0, y1 - y0
    t = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    radius = r0 + t * (r1 - r0)
    distance2 = (x - x0 - t * dx) ** 2 + (y - y0 - t * dy) ** 2
    return np.sqrt(np.maximum(radius**2 - distance2, 0.0))


def draw_hand(pose: HandPose, camera: Camera, light: Light) -> tuple[Layer, Layer] | None:
    """The hand and its shadow as layers of the picture; None where both are outside."""
    color, alpha = _texture(pose.posture, pose.look)
    hand = _warp(np.dstack([color, alpha * 255.0]), pose, pose.z + 0.02, (0.0, 0.0), camera)
    towards = np.array(light.direction)
    offset = -towards[:2] / towards[2] * (pose.z + 0.03)
    fall = _warp(alpha * 255.0, pose, 0.0, (float(offset[0]), float(offset[1])), camera)
    if hand is None or fall is None:
        return None
    hand_x, hand_y, rgba = hand
    here = light.brightness(np.array([pose.x, pose.y]))
    body = Layer(hand_x, hand_y, np.asarray(rgba[..., 3] / 255, np.float32), np.clip(rgba[..., :3] * here, 0, 255))
    sigma = max(1.0, light.softness_m * (pose.z + 0.03) * 300)
    soft = cv2.GaussianBlur(fall[2], (0, 0), sigma) / 255 * np.float32(light.shadow_depth)
    return body, Layer(fall[0], fall[1], np.asarray(soft, np.float32))


def _warp(
    texture: NDArray[np.float32], pose: HandPose, height_m: float, offset: tuple[float, float], camera: Camera
) -> tuple[int, int, NDArray[np.float32]] | None:
    left, right, top, bottom = -_WIDTH_M / 2, _WIDTH_M / 2, _TIP_M, _TIP_M - _LENGTH_M
    local = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    c, s = np.cos(pose.yaw), np.sin(pose.yaw)
    plane = local @ np.array([[c, s], [-s, c]]) + [pose.x + offset[0], pose.y + offset[1]]
    h, w = texture.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64) - 0.5
    matrix = homography_of_plane(camera, plane, height_m, corners)
    target = cv2.perspectiveTransform(corners[None].astype(np.float32), matrix)[0]
    x0, y0 = np.maximum(np.floor(target.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(target.max(axis=0)).astype(int) + 1, camera.size)
    if x1 <= x0 or y1 <= y0:
        return None
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
    size = (int(x1 - x0), int(y1 - y0))
    return int(x0), int(y0), np.asarray(cv2.warpPerspective(texture, shift @ matrix, size), np.float32)
