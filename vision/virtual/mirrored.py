"""Lamps and windows that a glossy board mirrors where nothing stands on it: tubes, panels, rows of spots, bulbs."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.pixels import Image
from vision.virtual.camera import Camera
from vision.virtual.disturbances import light_of, picture_of
from vision.virtual.light import FloatImage
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle

KINDS = ("bulb", "tube", "panel", "spots", "window")
#: Height of the ceiling over the board, and distance of windows from it, meters.
_CEILING_M, _WINDOW_M = (1.3, 2.0), (1.5, 3.5)
#: Less than so much of a ray that goes to a window is level: it goes to the ceiling instead.
_LEVEL = 0.3
#: By how much varnish scatters, radians (standard deviation); and light that is mirrored of a lamp as a share of what
#: a white sheet throws back.
_ROUGH, _BRIGHT = (0.006, 0.03), (0.05, 0.4)
#: A light's middle is mirrored within so many meters of the board's.
_WITHIN_M = 0.2


class Patch(NamedTuple):
    """A part of a light that shines evenly, in meters from its middle: a rectangle, or a disc `across` wide."""

    x: float
    y: float
    across: float
    down: float
    is_round: bool = False


@dataclass(frozen=True)
class RoomLight:
    """A light in the room.

    Attributes:
        at: (3,) its middle, meters from the board's.
        axes: (2, 3) unit vectors along which its patches lie.
        bgr: light that the board mirrors of it, as shares of what a white sheet throws back.
        rough: by how much the board's varnish scatters, radians (standard deviation).
        table: how much of it the table top mirrors next to the board, 0-1.
    """

    at: NDArray[np.float64]
    axes: NDArray[np.float64]
    patches: tuple[Patch, ...]
    bgr: tuple[float, float, float]
    rough: float
    table: float

    @classmethod
    def random(cls, rng: np.random.Generator, kind: str, camera: Camera) -> "RoomLight":
        """A light of one of `KINDS` that the camera sees mirrored somewhere in the board."""
        on_board = np.append(rng.uniform(-_WITHIN_M, _WITHIN_M, 2), 0.0)
        ray = (on_board - camera.eye) * [1, 1, -1]
        ray /= np.linalg.norm(ray)
        level = np.append(ray[:2], 0.0)
        turn = rng.uniform(0, np.pi)
        if kind == "window" and np.linalg.norm(level) > _LEVEL:
            at = on_board + ray * rng.uniform(*_WINDOW_M)
            level /= np.linalg.norm(level)
            axes = np.array([[-level[1], level[0], 0.0], [0.0, 0.0, 1.0]])
        else:
            at = on_board + ray * rng.uniform(*_CEILING_M) / ray[2]
            axes = np.array([[np.cos(turn), np.sin(turn), 0.0], [-np.sin(turn), np.cos(turn), 0.0]])
        warm = rng.uniform(-0.25, 0.05) if kind == "window" else rng.uniform(-0.05, 0.3)
        bright = rng.uniform(*_BRIGHT)
        bgr = (float(bright * (1 - warm)), float(bright * (1 - warm / 3)), float(bright * (1 + warm / 3)))
        table = float(rng.choice([0.0, rng.uniform(0.1, 1.0)]))
        return cls(at, axes, tuple(_patches(rng, kind)), bgr, float(rng.uniform(*_ROUGH)), table)

    def mirrored(self, camera: Camera, size_m: float) -> FloatImage:
        """(h, w, 3) of this light that comes from each px, as shares of what a white sheet throws back."""
        xy = camera.plane_map(1, 0.0).astype(np.float64)
        ground = np.concatenate([xy, np.zeros((*xy.shape[:2], 1))], axis=-1)
        rays = (ground - camera.eye) * [1, 1, -1]
        rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
        normal = np.cross(*self.axes)
        away = self.at - ground
        facing = rays @ normal
        reach = (away @ normal) / np.where(np.abs(facing) < 1e-6, 1e-6, facing)
        x, y = np.moveaxis((rays * reach[..., None] - away) @ self.axes.T, -1, 0)
        soft = np.maximum(self.rough * reach, 1e-3)
        share = np.zeros(reach.shape)
        for patch in self.patches:
            if patch.is_round:
                shines = _below(np.hypot(x - patch.x, y - patch.y), patch.across / 2, soft)
            else:
                shines = _below(np.abs(x - patch.x), patch.across / 2, soft)
                shines = shines * _below(np.abs(y - patch.y), patch.down / 2, soft)
            share = np.maximum(share, shines)
        is_board = np.abs(xy).max(axis=-1) <= size_m / 2
        share *= np.where(is_board, 1.0, self.table) * (reach > 0)
        return np.asarray(share[..., None] * self.bgr, np.float32)


class MirroringRenderer(Renderer):
    """Draws a table in a room whose lights the board mirrors. What stands on the board hides them."""

    def __init__(self, style: TableStyle, camera: Camera, lights: tuple[RoomLight, ...]) -> None:
        super().__init__(style, camera)
        white = light_of(np.full((1, 1, 3), min(255 * style.light.level, 255), np.uint8))
        self._mirrored = white * sum(light.mirrored(camera, style.geometry.size_m) for light in lights)

    def _shining(self, frame: Image) -> Image:
        return picture_of(light_of(frame) + self._mirrored)


def _patches(rng: np.random.Generator, kind: str) -> list[Patch]:
    """What shines of a light."""
    if kind == "bulb":
        return [Patch(0.0, 0.0, float(rng.uniform(0.12, 0.45)), 0.0, is_round=True)]
    if kind == "tube":
        count, wide = int(rng.integers(1, 3)), float(rng.uniform(0.04, 0.15))
        long, apart = float(rng.uniform(0.6, 1.5)), float(rng.uniform(0.2, 0.5))
        return [Patch(0.0, (k - (count - 1) / 2) * apart, long, wide) for k in range(count)]
    if kind == "panel":
        return [Patch(0.0, 0.0, float(rng.choice([0.3, 0.6])), float(rng.choice([0.6, 1.2])))]
    if kind == "spots":
        count, wide, apart = int(rng.integers(2, 6)), float(rng.uniform(0.06, 0.15)), float(rng.uniform(0.3, 0.7))
        return [Patch((k - (count - 1) / 2) * apart, 0.0, wide, 0.0, is_round=True) for k in range(count)]
    columns, rows, bar = int(rng.integers(1, 4)), int(rng.integers(1, 3)), float(rng.uniform(0.04, 0.12))
    wide, tall = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.5, 1.2)) / rows
    return [
        Patch((i - (columns - 1) / 2) * (wide + bar), (k - (rows - 1) / 2) * (tall + bar), wide, tall)
        for i in range(columns)
        for k in range(rows)
    ]


def _below(values: NDArray[np.float64], limit: float, soft: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 where values lie below a limit, 0 above, softened as by a normal distribution (its logistic likeness)."""
    return 1 / (1 + np.exp(np.clip(1.702 * (values - limit) / soft, -40, 40)))
