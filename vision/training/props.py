"""What dice lean on, or lie beside: the edge of a book, a deck of cards, a house, the wall of a tray."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.dice import Color, DiceLight, Eye
from vision.virtual.sprite import Layer

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]

#: Fractions of a px that `cv2.fillConvexPoly` is told, in bits.
_FINE = 4


@dataclass(frozen=True)
class Block:
    """A box that stands on z = 0.

    Attributes:
        foot: (4, 2) corners, counterclockwise; the first two are those of the side that the die touches.
        height: in the world's units.
        color: BGR 0-255 of the top in full light.
        is_under: whether the die lies on that side's upper edge, and not against the side.
    """

    foot: Matrix
    height: float
    color: Color
    is_under: bool

    @property
    def corners(self) -> Matrix:
        """(8, 3) the lower four, then the upper four."""
        levels = (np.full((4, 1), level) for level in (0.0, self.height))
        return np.vstack([np.hstack([self.foot, level]) for level in levels])

    def is_before(self, at: Matrix, eye: Eye) -> bool:
        """Whether it hides part of a die at (2,), not the die part of it."""
        side = self.foot[:2].mean(axis=0)
        return not self.is_under and float((self.foot[2] - side) @ (eye.position[:2] - at)) > 0

    def is_clear(self, spots: Matrix, eye: Eye, edge: float) -> bool:
        """Whether it is in the way of no die of this edge on (n, 2) spots, nor of the eye."""
        outline = self.foot.astype(np.float32)
        depth = self.corners @ eye.projection[2, :3] + eye.projection[2, 3]
        return float(depth.min()) > edge and all(
            cv2.pointPolygonTest(outline, (float(x), float(y)), True) < -0.8 * edge for x, y in spots
        )


def held_by(rng: np.random.Generator, corners: Matrix, towards: float, tilt: float, color: Color) -> Block:
    """A block that holds a die up, or that it leans against; of one that lies flat, a block beside it.

    Args:
        corners: (n, 3) of the die.
        towards: angle of the level direction in which the bottom of the die rises, or of any, radians.
        tilt: by so much, radians; 0 of one that lies flat.
        color: BGR 0-255 of the die, which some blocks have too.
    """
    edge = float(np.ptp(corners[:, 2]))
    out = np.array([np.cos(towards), np.sin(towards)])
    across = np.array([-out[1], out[0]])
    middle, reach = corners[:, :2].mean(axis=0), float((corners[:, :2] @ out).max())
    is_under = tilt > 0 and rng.random() < 0.75
    if is_under:
        # A plane under the die, through its lowest corner.
        lowest = corners[corners[:, 2].argmin(), :2] @ out
        start = float(middle @ out) + edge * float(rng.uniform(-0.1, 0.35))
        height = (start - float(lowest)) * float(np.tan(tilt))
    else:
        start = reach + (0.0 if tilt else edge * float(rng.choice([0.0, rng.uniform(0, 0.4)])))
        height = edge * float(rng.uniform(0.5, 2.0) if tilt else np.exp(rng.uniform(np.log(0.1), np.log(1.6))))
    deep, wide = (edge * float(np.exp(rng.uniform(np.log(0.25), np.log(4.0)))) for _ in range(2))
    aside = float(middle @ across) + wide * float(rng.uniform(-0.35, 0.35))
    steps = ((0, 0.5), (0, -0.5), (1, -0.5), (1, 0.5))
    foot = np.array([(start + deep * a) * out + (aside + wide * b) * across for a, b in steps])
    return Block(foot, height, _color(rng, color), is_under)


def _color(rng: np.random.Generator, of_die: Color) -> Color:
    """White card, gray, any color, or that of the die."""
    gray = np.full(3, rng.choice([rng.uniform(190, 250), rng.uniform(15, 250)]))
    base = (gray, rng.uniform(0, 255, 3), np.array([110, 150, 190]) * rng.uniform(0.3, 1.2), np.array(of_die))
    blue, green, red = np.clip(base[int(rng.choice(4, p=[0.35, 0.3, 0.2, 0.15]))] + rng.normal(0, 6, 3), 0, 255)
    return float(blue), float(green), float(red)


def draw_block(block: Block, eye: Eye, light: DiceLight, rng: np.random.Generator) -> Layer:
    """The block as a small picture with transparency; its grain is random."""
    corners = block.corners
    px = eye.project(corners)
    x0, y0 = (int(v) for v in np.floor(px.min(axis=0)) - 1)
    width, height = (int(v) for v in np.ceil(px.max(axis=0)) + 2 - (x0, y0))
    alpha = np.zeros((height, width), np.float32)
    bgr = np.zeros((height, width, 3), np.float32)
    towards = np.array(light.towards) / np.linalg.norm(light.towards)
    sides = [(k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4)]
    for face in (*sides, (4, 5, 6, 7)):
        points = corners[list(face)]
        normal = np.cross(points[1] - points[0], points[3] - points[0])
        normal /= np.linalg.norm(normal)
        if normal @ (eye.position - points[0]) <= 0:
            continue
        sky, direct = light.around + (1 - light.around) * normal[2], max(float(normal @ towards), 0.0)
        lit = light.ambient * sky + (1 - light.ambient) * direct
        color = np.array(block.color) * lit * light.level * np.array(light.tint)
        mask = np.zeros((height, width), np.uint8)
        outline = np.round((px[list(face)] - (x0, y0)) * 2**_FINE).astype(np.int32)
        cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, _FINE)
        share = mask.astype(np.float32) / np.float32(255)
        bgr += (color.astype(np.float32) - bgr) * share[..., None]
        alpha = np.maximum(alpha, share)
    bgr += rng.normal(0, rng.uniform(0, 6), (height, width, 1)).astype(np.float32)
    return Layer(x0, y0, alpha, np.clip(bgr / np.maximum(alpha, 1e-3)[..., None], 0, 255) * (alpha[..., None] > 0))
