"""From solids to small pictures with transparency, and their shadows."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.artwork import Image
from vision.virtual.camera import Camera
from vision.virtual.geometry import Points
from vision.virtual.light import FloatImage, Light
from vision.virtual.shapes import Solid

#: Sub-pixels along each axis; edges come out smooth.
SUPERSAMPLE = 4
_SHIFT = 4


@dataclass(frozen=True)
class Layer:
    """A rectangle of the picture: `alpha` (h, w) float32 0-1 at px (x, y), with `bgr` (h, w, 3) float32 or none."""

    x: int
    y: int
    alpha: FloatImage
    bgr: FloatImage | None = None


@dataclass(frozen=True)
class Sprite:
    """A drawn thing.

    Attributes:
        depth_m: distance of its base from the camera; the far ones are drawn first.
        box: (x0, y0, x1, y1) px of the whole thing, uncut.
    """

    body: Layer
    shadow: Layer | None
    depth_m: float
    box: tuple[float, float, float, float]


def draw_solid(
    solid: Solid, placed: Points, camera: Camera, light: Light, vignette: float = 1.0, ground_m: float = 0.0
) -> Sprite:
    """Draws a solid whose vertices have been moved to `placed` (n, 3)."""
    px = camera.project(placed)
    body = _body(solid, placed, px, camera, light, vignette)
    base = placed[np.argmin(placed[:, 2])]
    box = (float(px[:, 0].min()), float(px[:, 1].min()), float(px[:, 0].max()), float(px[:, 1].max()))
    shadow = draw_shadow(solid, placed, camera, light, ground_m)
    return Sprite(body, shadow, float(camera.depth(base[None])[0]), box)


def _canvas(px: Points, margin: int) -> tuple[int, int, int, int]:
    """(x, y, width, height) of the px that the points touch."""
    x0, y0 = np.floor(px.min(axis=0)).astype(int) - margin
    x1, y1 = np.ceil(px.max(axis=0)).astype(int) + margin + 1
    return int(x0), int(y0), int(x1 - x0), int(y1 - y0)


def _to_canvas(px: Points, x: int, y: int, scale: int) -> NDArray[np.int32]:
    """Fixed-point canvas coordinates for OpenCV's `shift`."""
    return np.asarray(np.round(((px - (x, y) + 0.5) * scale - 0.5) * (1 << _SHIFT)), np.int32)


def _body(solid: Solid, placed: Points, px: Points, camera: Camera, light: Light, vignette: float) -> Layer:
    x, y, width, height = _canvas(px, 1)
    points = _to_canvas(px, x, y, SUPERSAMPLE)
    normals, centers = _face_frames(solid, placed)
    to_eye = camera.eye - centers
    to_eye /= np.linalg.norm(to_eye, axis=1, keepdims=True)
    colors = _face_colors(solid, normals, to_eye, light, placed) * vignette
    facing = np.sum(normals * to_eye, axis=1) > 0
    order = np.arange(len(centers)) if solid.is_convex else np.argsort(-camera.depth(centers))
    color = np.zeros((height * SUPERSAMPLE, width * SUPERSAMPLE, 3), np.uint8)
    mask = np.zeros(color.shape[:2], np.uint8)
    for index in order:
        if facing[index]:
            polygon = points[solid.faces[index]]
            cv2.fillPoly(color, [polygon], colors[index].tolist(), lineType=cv2.LINE_8, shift=_SHIFT)
            cv2.fillPoly(mask, [polygon], 255, lineType=cv2.LINE_8, shift=_SHIFT)
    alpha = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)
    small = np.asarray(cv2.resize(color, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    return Layer(x, y, alpha, np.asarray(small / np.maximum(alpha, 1e-3)[..., None], np.float32))


def _face_frames(solid: Solid, placed: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit normals and centers of the faces (Newell's method, which also holds for faces with dents)."""
    normals, centers = np.empty((len(solid.faces), 3)), np.empty((len(solid.faces), 3))
    by_length: dict[int, list[int]] = {}
    for index, face in enumerate(solid.faces):
        by_length.setdefault(len(face), []).append(index)
    for indices in by_length.values():
        corners = placed[np.stack([solid.faces[index] for index in indices])]
        normals[indices] = np.sum(np.cross(corners, np.roll(corners, -1, axis=1)), axis=1)
        centers[indices] = corners.mean(axis=1)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15)
    return normals, centers


def _face_colors(
    solid: Solid, normals: NDArray[np.float64], to_eye: NDArray[np.float64], light: Light, placed: Points
) -> NDArray[np.float64]:
    """(n, 3) BGR 0-255 of each face."""
    shade = light.shade(normals, to_eye, solid.gloss)
    here = light.brightness(placed[:, :2].mean(axis=0)).astype(np.float64)
    diffuse = shade[:, :1]
    if solid.is_metal:
        mirrored = 2 * np.sum(normals * to_eye, axis=1, keepdims=True) * normals - to_eye
        # A made-up room: bright above, dark at the horizon, the table below, with window bars.
        up = mirrored[:, 2:]
        bars = 0.5 + 0.5 * np.sin(7 * mirrored[:, :1] + 5 * mirrored[:, 1:2])
        diffuse = 0.22 + 0.55 * np.clip(up, 0, 1) + 0.35 * bars * np.clip(up + 0.3, 0, 1) + 0.25 * diffuse
    lit = solid.colors * diffuse * here + 255.0 * shade[:, 1:] * float(here.mean())
    return np.asarray(np.clip(lit, 0, 255))


def draw_shadow(solid: Solid, placed: Points, camera: Camera, light: Light, ground_m: float) -> Layer | None:
    """The soft shadow that a solid throws on the plane at `ground_m`; None when it would cover half the picture."""
    towards = np.array(light.direction)
    drop = (placed[:, 2:] - ground_m) / towards[2]
    flat = placed - towards * drop
    px = camera.project(flat)
    top_m = float(placed[:, 2].max() - ground_m)
    px_per_m = camera.focal_px / float(camera.depth(flat.mean(axis=0)[None])[0])
    sigma = max(0.6, light.softness_m * top_m * px_per_m * 0.5)
    x, y, width, height = _canvas(px, round(3 * sigma) + 1)
    if width * height > 400_000:
        return None
    points = _to_canvas(px, x, y, 1)
    mask = np.zeros((height, width), np.uint8)
    for face in solid.faces:
        cv2.fillPoly(mask, [points[face]], 255, lineType=cv2.LINE_8, shift=_SHIFT)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32) / np.float32(255)
    lifted = max(float(placed[:, 2].min() - ground_m), 0.0)
    depth = light.shadow_depth / (1 + 12 * lifted)
    return Layer(x, y, np.asarray(soft * np.float32(depth), np.float32))


def cut(layer: Layer, shape: tuple[int, ...]) -> tuple[slice, slice, slice, slice] | None:
    """(rows, columns) of the picture and (rows, columns) of the layer where they overlap; None where nowhere."""
    height, width = layer.alpha.shape
    y0, y1 = max(layer.y, 0), min(layer.y + height, shape[0])
    x0, x1 = max(layer.x, 0), min(layer.x + width, shape[1])
    if y0 >= y1 or x0 >= x1:
        return None
    return slice(y0, y1), slice(x0, x1), slice(y0 - layer.y, y1 - layer.y), slice(x0 - layer.x, x1 - layer.x)


def blend(frame: Image, layer: Layer) -> None:
    """Lays a layer over the picture, in place; one without color darkens."""
    overlap = cut(layer, frame.shape)
    if overlap is None:
        return
    rows, columns, own_rows, own_columns = overlap
    alpha = layer.alpha[own_rows, own_columns, None]
    part = frame[rows, columns]
    if layer.bgr is None:
        part[:] = (part * (1 - alpha)).astype(np.uint8)
    else:
        part[:] = (part * (1 - alpha) + layer.bgr[own_rows, own_columns] * alpha + 0.5).astype(np.uint8)


def smear(layer: Layer, dx: float, dy: float) -> Layer:
    """The layer as it comes out when it moves by (dx, dy) px during the exposure."""
    length = float(np.hypot(dx, dy))
    if length < 1.5 or layer.bgr is None:
        return layer
    reach = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    half = np.array([dx, dy]) / 2
    start, end = (np.round((np.array([reach, reach]) + sign * half) * 16).astype(int) for sign in (-1, 1))
    cv2.line(kernel, tuple(start.tolist()), tuple(end.tolist()), 1.0, 1, cv2.LINE_AA, 4)
    kernel /= kernel.sum()
    padded = cv2.copyMakeBorder(layer.alpha, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    color = cv2.copyMakeBorder(layer.bgr * layer.alpha[..., None], reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    alpha = cv2.filter2D(padded, -1, kernel)
    bgr = cv2.filter2D(color, -1, kernel) / np.maximum(alpha, 1e-3)[..., None]
    return Layer(layer.x - reach, layer.y - reach, np.asarray(alpha, np.float32), np.asarray(bgr, np.float32))
