"""Turned figures ray by ray: stacks of ellipsoids in plastic, wood or metal, like pawns, thimbles, cars and stones."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.virtual.dice import DiceLight, Eye, Floats
from vision.virtual.sprite import Layer


@dataclass(frozen=True)
class Figure:
    """One figure.

    Attributes:
        centers, radii: (n, 3) of its ellipsoids, in edges of a die; it stands on z = 0.
        color: BGR 0-255 of the material.
        metal: share of the look that is mirrored room, 0-1.
        rings: bright and dark bands of that room.
    """

    centers: Floats
    radii: Floats
    color: tuple[float, float, float]
    metal: float
    rings: float


def random_figure(rng: np.random.Generator, at: tuple[float, float]) -> Figure:
    """A pawn-like stack, or a low heap of lumps."""
    count = int(rng.integers(1, 6))
    if rng.random() < 0.7:
        heights = np.sort(rng.uniform(0.05, 1.5, count))
        centers = np.column_stack([np.zeros((count, 2)), heights])
        width = rng.uniform(0.18, 0.5, count)
        width[0] = max(width[0], 0.35)
        radii = np.column_stack([width, width, rng.uniform(0.08, 0.5, count)])
    else:
        centers = np.column_stack([rng.normal(0, 0.3, (count, 2)), rng.uniform(0.1, 0.6, count)])
        radii = rng.uniform(0.12, 0.5, (count, 3))
    centers[:, 2] += max(0.0, float((radii[:, 2] - centers[:, 2]).max()) * 0.5)
    blue, green, red = (float(c) for c in rng.uniform(10, 250) * rng.uniform(0.2, 1, 3))
    is_metal = rng.random() < 0.5
    gray = float(rng.uniform(90, 200))
    return Figure(
        np.add(centers, (*at, 0.0), dtype=np.float32),
        np.asarray(radii, np.float32),
        (gray, gray, gray) if is_metal else (blue, green, red),
        float(rng.uniform(0.6, 1)) if is_metal else float(rng.uniform(0, 0.15)),
        float(rng.uniform(1, 7)),
    )


def draw_figure(figure: Figure, eye: Eye, light: DiceLight, samples: int = 2) -> Layer:
    """The figure as a small picture with transparency."""
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64)
    around = (figure.centers[:, None].astype(np.float64) + corners * figure.radii[:, None]).reshape(-1, 3)
    px = eye.project(around)
    x0, y0 = (int(v) for v in np.floor(px.min(axis=0)) - 1)
    width, height = (int(v) for v in np.ceil(px.max(axis=0)) + 2 - (x0, y0))
    steps_x = x0 + (np.arange(width * samples, dtype=np.float32) + 0.5) / samples - 0.5
    steps_y = y0 + (np.arange(height * samples, dtype=np.float32) + 0.5) / samples - 0.5
    rays = eye.rays(np.stack(np.meshgrid(steps_x, steps_y), axis=-1).reshape(-1, 2).astype(np.float32))
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    way, normals = _nearest(figure, np.asarray(eye.position, np.float32), rays)
    hit = np.isfinite(way)
    color = np.zeros((len(rays), 3), np.float32)
    color[hit] = _shade(figure, light, normals[hit], rays[hit])
    fine = (height * samples, width * samples)
    alpha = cv2.resize(hit.astype(np.float32).reshape(fine), (width, height), interpolation=cv2.INTER_AREA)
    total = cv2.resize(color.reshape(*fine, 3), (width, height), interpolation=cv2.INTER_AREA)
    return Layer(x0, y0, np.asarray(alpha), np.asarray(total / np.maximum(alpha, 1e-3)[..., None], np.float32))


def _nearest(figure: Figure, origin: Floats, rays: Floats) -> tuple[Floats, Floats]:
    """(n,) way to the first ellipsoid, infinite where there is none, and (n, 3) normals there."""
    best, normals = np.full(len(rays), np.inf, np.float32), np.zeros_like(rays)
    for center, radius in zip(figure.centers, figure.radii, strict=True):
        start, ray = (origin - center) / radius, rays / radius
        a, b = np.einsum("ij,ij->i", ray, ray), ray @ start
        inside = b * b - a * (start @ start - 1)
        way = np.where(inside > 0, (-b - np.sqrt(np.maximum(inside, 0))) / a, np.inf)
        nearer = way < best
        best[nearer] = way[nearer]
        out = (start + ray[nearer] * way[nearer, None]) / radius
        normals[nearer] = out / np.linalg.norm(out, axis=1, keepdims=True)
    return best, normals


def _shade(figure: Figure, light: DiceLight, normals: Floats, rays: Floats) -> Floats:
    """(n, 3) BGR 0-255: lit material and the mirrored room, whose floor is the ground."""
    towards = np.array(light.towards, np.float32)
    towards /= np.linalg.norm(towards)
    direct = np.clip(normals @ towards, 0, None)[:, None]
    lit = light.ambient * (0.5 + 0.5 * normals[:, 2:]) + (1 - light.ambient) * direct
    plain = np.array(figure.color, np.float32) * lit
    mirrored = rays - 2 * np.einsum("ij,ij->i", rays, normals)[:, None] * normals
    up = mirrored[:, 2:]
    room = np.clip(0.55 + 0.45 * np.sin(figure.rings * up * 3), 0, 1) * np.array(figure.color, np.float32)
    room = np.where(up < 0, 0.6 * np.array(light.ground, np.float32) + 0.2 * room, room)
    lamp = np.clip((mirrored @ towards - (0.97 - 0.2 * light.window)) / 0.03, 0, 1)[:, None] * 255
    shine = figure.metal * lamp + (1 - figure.metal) * 0.5 * lamp
    mixed = plain * (1 - figure.metal) + room * figure.metal + shine
    return np.asarray(np.clip(mixed * np.float32(light.level) * np.array(light.tint, np.float32), 0, 255), np.float32)
