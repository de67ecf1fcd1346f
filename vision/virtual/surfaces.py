"""Table tops: tileable textures of wood, cloth and laminate."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.artwork import Image

TILE_PX = 1024
#: Side of the table that one tile covers.
TILE_M = 1.0

SURFACES = ("wood", "dark_wood", "pale_wood", "linen", "blue_cloth", "floral", "white", "black")


def draw_surface(name: str, rng: np.random.Generator) -> Image:
    """One tile of a table top: (TILE_PX, TILE_PX, 3) uint8; it tiles when mirrored."""
    if name.endswith("wood"):
        base = {"wood": (62, 105, 160), "dark_wood": (38, 52, 78), "pale_wood": (150, 195, 225)}[name]
        return _wood(base, rng)
    if name == "floral":
        return _floral(rng)
    base = {
        "linen": (198, 214, 222),
        "blue_cloth": (120, 58, 30),
        "white": (225, 226, 226),
        "black": (38, 38, 40),
    }[name]
    weave = 9.0 if name in ("linen", "blue_cloth") else 2.5
    return _grain(np.full((TILE_PX, TILE_PX, 3), base, np.float32), weave, rng)


def _grain(tile: NDArray[np.float32], strength: float, rng: np.random.Generator) -> Image:
    fine = rng.normal(0, strength, (TILE_PX, TILE_PX, 1)).astype(np.float32)
    coarse = cv2.resize(rng.normal(0, strength, (24, 24)).astype(np.float32), (TILE_PX, TILE_PX))[..., None]
    return np.clip(tile + fine + 0.7 * coarse, 0, 255).astype(np.uint8)


def _wood(base: tuple[int, int, int], rng: np.random.Generator) -> Image:
    tile = np.empty((TILE_PX, TILE_PX, 3), np.float32)
    plank = TILE_PX // int(rng.integers(5, 9))
    for y in range(0, TILE_PX, plank):
        tone = float(rng.uniform(0.82, 1.1))
        rings = rng.normal(0, 1, (max(plank // 3, 4), 6)).astype(np.float32)
        grain = cv2.resize(rings, (TILE_PX, plank), interpolation=cv2.INTER_CUBIC)
        rows = tile[y : y + plank]
        rows[:] = np.array(base, np.float32) * tone * (1 + 0.1 * grain[: len(rows), :, None])
        tile[y : y + 2] *= 0.6
    return _grain(tile, 3.0, rng)


def _floral(rng: np.random.Generator) -> Image:
    tile = np.full((TILE_PX, TILE_PX, 3), (188, 205, 215), np.uint8)
    colors = ((40, 50, 190), (40, 160, 225), (170, 90, 40), (60, 130, 60))
    for _ in range(55):
        x, y = (int(v) for v in rng.integers(30, TILE_PX - 30, 2))
        color = colors[int(rng.integers(len(colors)))]
        r = int(rng.integers(8, 18))
        for k in range(6):
            angle = k * np.pi / 3
            petal = (round(x + 1.3 * r * np.cos(angle)), round(y + 1.3 * r * np.sin(angle)))
            cv2.circle(tile, petal, round(r * 0.8), color, -1, cv2.LINE_AA)
        cv2.circle(tile, (x, y), round(r * 0.7), (90, 215, 240), -1, cv2.LINE_AA)
    return _grain(tile.astype(np.float32), 5.0, rng)
