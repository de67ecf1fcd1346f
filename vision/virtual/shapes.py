"""Solids: pawns, meeples, metal tokens, houses, hotels, markers, decks. Meters, standing on z = 0, facing -y."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Color = tuple[int, int, int]

METAL: Color = (168, 170, 172)
PAWN_COLORS: dict[str, Color] = {
    "red": (40, 35, 200),
    "blue": (185, 80, 25),
    "green": (60, 140, 30),
    "yellow": (35, 205, 240),
    "black": (32, 32, 32),
    "white": (232, 234, 234),
    "orange": (30, 125, 240),
    "purple": (140, 50, 110),
    "pink": (170, 110, 235),
}
_FALLEN = "fallen "
METAL_KINDS = ("car", "hat", "boot", "dog", "ship", "thimble", "iron", "lantern")


@dataclass(frozen=True)
class Solid:
    """Flat faces over shared vertices.

    Attributes:
        vertices: (n, 3) meters.
        faces: index arrays, counterclockwise seen from outside.
        color: BGR albedo of all faces, or one for each.
        gloss: strength of highlights, 0-1.
        is_metal: mirrors the room instead of showing its own color.
        is_convex: faces that look at the camera hide none of each other, and are drawn in the given order.
    """

    vertices: NDArray[np.float64]
    faces: tuple[NDArray[np.int64], ...]
    colors: NDArray[np.float64]
    gloss: float = 0.25
    is_metal: bool = False
    is_convex: bool = False


def solid_of(kind: str, color: Color | None = None) -> Solid:
    """The solid of a kind.

    Args:
        kind: a token's (`red_pawn`, `blue_meeple`, `car`, …), `house`, `hotel`, `bomb`, `miner`, `cop`, `deck`, `mug`;
            `fallen car` is a car that lies on its side.
        color: BGR in place of the kind's own.
    """
    return _solid(kind, color)


@lru_cache(maxsize=128)
def _solid(kind: str, color: Color | None) -> Solid:
    if kind.startswith(_FALLEN):
        return _laid(_solid(kind.removeprefix(_FALLEN), color))
    shape = kind.rsplit("_", 1)[-1]
    if shape == "pawn" or kind == "cop":
        paint = color or (PAWN_COLORS["blue"] if kind == "cop" else PAWN_COLORS[kind.split("_")[0]])
        return revolved(PAWN, paint, gloss=0.35)
    if shape == "meeple":
        return extruded(_MEEPLE, 0.010, color or PAWN_COLORS[kind.split("_")[0]], gloss=0.1)
    if kind == "house":
        return _gabled(0.0095, 0.0095, 0.0062, 0.0105, color or (45, 120, 20))
    if kind == "hotel":
        return _gabled(0.020, 0.0105, 0.0095, 0.0140, color or (35, 30, 190))
    if kind in ("bomb", "miner"):
        paint = color or ((35, 30, 205) if kind == "bomb" else (60, 170, 50))
        return revolved(
            ((0.0, 0.0), (0.0085, 0.0), (0.009, 0.0008), (0.009, 0.0026), (0.0085, 0.003), (0, 0.003)), paint
        )
    if kind == "mug":
        return revolved(_MUG, color or (228, 230, 232), gloss=0.4, around=40)
    if kind == "deck":
        return _box(0.085, 0.057, 0.014, color or (40, 130, 230))
    return _metal(kind, color or METAL)


def _metal(kind: str, color: Color) -> Solid:
    if kind == "hat":
        return revolved(_HAT, color, gloss=0.7, is_metal=True)
    if kind == "thimble":
        return revolved(_THIMBLE, color, gloss=0.7, is_metal=True)
    if kind == "lantern":
        return revolved(_LANTERN, color, gloss=0.7, is_metal=True)
    outline, depth = {"car": (_CAR, 0.013), "boot": (_BOOT, 0.009), "dog": (_DOG, 0.008)}.get(kind, (_SHIP, 0.010))
    if kind == "iron":
        outline, depth = _IRON, 0.013
    return extruded(outline, depth, color, gloss=0.7, is_metal=True)


def _laid(solid: Solid) -> Solid:
    """The solid on its broad side, with its middle where its foot was."""
    x, y, z = solid.vertices.T
    is_broad = np.ptp(y) < np.ptp(x)
    vertices = np.column_stack([x, -z, y] if is_broad else [-z, y, x])
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return replace(solid, vertices=vertices - [*(low + high)[:2] / 2, low[2]])


_Profile = tuple[tuple[float, float], ...]
#: Radii and heights of a pawn from its foot to its top, meters; the first nine are below its head.
PAWN: _Profile = (
    *((0.0, 0.0), (0.0075, 0.0), (0.0080, 0.0010), (0.0076, 0.0030), (0.0052, 0.0052), (0.0036, 0.0100)),
    *((0.0031, 0.0150), (0.0048, 0.0162), (0.0036, 0.0172), (0.0050, 0.0188), (0.0057, 0.0212), (0.0050, 0.0236)),
    *((0.0030, 0.0256), (0.0, 0.0264)),
)
_HAT: _Profile = (
    *((0.0, 0.0), (0.0105, 0.0), (0.0115, 0.0012), (0.0105, 0.0024), (0.0068, 0.0026), (0.0064, 0.0080)),
    *((0.0070, 0.0140), (0.0066, 0.0148), (0.0, 0.0150)),
)
_THIMBLE: _Profile = (
    *((0.0, 0.0), (0.0078, 0.0), (0.0084, 0.0012), (0.0078, 0.0026), (0.0072, 0.0080), (0.0064, 0.0150)),
    *((0.0048, 0.0180), (0.0, 0.0188)),
)
_LANTERN: _Profile = (
    *((0.0, 0.0), (0.0070, 0.0), (0.0072, 0.0030), (0.0046, 0.0040), (0.0060, 0.0090), (0.0044, 0.0145)),
    *((0.0064, 0.0152), (0.0058, 0.0180), (0.0018, 0.0200), (0.0018, 0.0230), (0.0, 0.0234)),
)
_MEEPLE: _Profile = (
    *((-0.0080, 0.0), (-0.0020, 0.0), (0.0, 0.0030), (0.0020, 0.0), (0.0080, 0.0), (0.0050, 0.0075)),
    *((0.0085, 0.0090), (0.0085, 0.0115), (0.0035, 0.0125), (0.0035, 0.0150), (0.0015, 0.0165), (-0.0015, 0.0165)),
    *((-0.0035, 0.0150), (-0.0035, 0.0125), (-0.0085, 0.0115), (-0.0085, 0.0090), (-0.0050, 0.0075)),
)
_CAR: _Profile = (
    *((-0.0145, 0.0015), (-0.0100, 0.0), (-0.0070, 0.0018), (0.0060, 0.0018), (0.0090, 0.0), (0.0125, 0.0018)),
    *((0.0145, 0.0040), (0.0130, 0.0070), (0.0050, 0.0075), (0.0015, 0.0115), (-0.0050, 0.0115), (-0.0080, 0.0075)),
    *((-0.0145, 0.0065),),
)
_BOOT: _Profile = (
    *((-0.0085, 0.0), (-0.0040, 0.0), (-0.0035, 0.0012), (0.0020, 0.0), (0.0105, 0.0), (0.0110, 0.0035)),
    *((0.0060, 0.0070), (0.0000, 0.0090), (-0.0005, 0.0190), (-0.0080, 0.0195), (-0.0070, 0.0100), (-0.0090, 0.0040)),
)
_DOG: _Profile = (
    *((-0.0105, 0.0), (-0.0080, 0.0), (-0.0070, 0.0055), (0.0030, 0.0055), (0.0040, 0.0), (0.0070, 0.0)),
    *((0.0070, 0.0090), (0.0120, 0.0105), (0.0120, 0.0135), (0.0080, 0.0170), (0.0050, 0.0160), (0.0035, 0.0115)),
    *((-0.0080, 0.0110), (-0.0115, 0.0165), (-0.0125, 0.0155), (-0.0105, 0.0080)),
)
_SHIP: _Profile = (
    *((-0.0120, 0.0), (0.0120, 0.0), (0.0165, 0.0065), (0.0100, 0.0060), (0.0080, 0.0090), (0.0040, 0.0090)),
    *((0.0030, 0.0140), (0.0005, 0.0140), (-0.0005, 0.0090), (-0.0060, 0.0090), (-0.0070, 0.0055), (-0.0150, 0.0055)),
)
_MUG: _Profile = (
    *((0.0, 0.0), (0.034, 0.0), (0.038, 0.004), (0.040, 0.09), (0.037, 0.09), (0.036, 0.075), (0.0, 0.075)),
)
_IRON: _Profile = (
    *((-0.0110, 0.0), (0.0130, 0.0), (0.0090, 0.0050), (0.0060, 0.0060), (0.0070, 0.0120), (-0.0090, 0.0130)),
    *((-0.0095, 0.0110), (0.0040, 0.0102), (0.0035, 0.0065), (-0.0110, 0.0065)),
)


def revolved(profile: _Profile, color: Color, gloss: float = 0.25, is_metal: bool = False, around: int = 22) -> Solid:
    angles = np.arange(around) * 2 * np.pi / around
    rings = [np.stack([r * np.cos(angles), r * np.sin(angles), np.full(around, z)], axis=1) for r, z in profile]
    vertices = np.concatenate(rings)
    faces = []
    for ring in range(len(profile) - 1):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            faces.append(np.array([a, b, b + around, a + around]))
    return Solid(vertices, tuple(faces), np.tile(np.array(color, float), (len(faces), 1)), gloss, is_metal)


def extruded(outline: _Profile, depth: float, color: Color, gloss: float, is_metal: bool = False) -> Solid:
    """An outline in x and z, given counterclockwise seen from -y, made `depth` thick with a chamfer."""
    points = np.array(outline)
    n = len(points)
    center = points.mean(axis=0)
    inner = center + (points - center) * 0.86
    half, flat = depth / 2, depth / 2 * 0.72

    def layer(xz: NDArray[np.float64], y: float) -> NDArray[np.float64]:
        return np.stack([xz[:, 0], np.full(n, y), np.maximum(xz[:, 1], 0.0)], axis=1)

    vertices = np.concatenate([layer(inner, -half), layer(points, -flat), layer(points, flat), layer(inner, half)])
    faces = [np.arange(n), np.arange(3 * n, 4 * n)[::-1]]
    for ring in range(3):
        for k in range(n):
            a, b = ring * n + k, ring * n + (k + 1) % n
            faces.append(np.array([a, a + n, b + n, b]))
    return Solid(vertices, tuple(faces), np.tile(np.array(color, float), (len(faces), 1)), gloss, is_metal)


def _gabled(length: float, depth: float, wall: float, ridge: float, color: Color) -> Solid:
    """A house with its ridge along x."""
    x, y = length / 2, depth / 2
    vertices = np.array(
        [
            *([-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]),
            *([-x, -y, wall], [x, -y, wall], [x, y, wall], [-x, y, wall]),
            *([-x, 0, ridge], [x, 0, ridge]),
        ]
    )
    faces = ([0, 1, 5, 4], [1, 2, 6, 9, 5], [2, 3, 7, 6], [3, 0, 4, 8, 7], [4, 5, 9, 8], [6, 7, 8, 9])
    arrays = tuple(np.array(face) for face in faces)
    return Solid(vertices, arrays, np.tile(np.array(color, float), (len(faces), 1)), 0.3)


def _box(length: float, depth: float, height: float, color: Color) -> Solid:
    x, y = length / 2, depth / 2
    base = np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
    inset = np.array([[-x * 0.8, -y * 0.75], [x * 0.8, -y * 0.75], [x * 0.8, y * 0.75], [-x * 0.8, y * 0.75]])
    label = np.hstack([inset, np.full((4, 1), height + 1e-5)])
    vertices = np.concatenate([base, base + np.array([0.0, 0.0, height]), label])
    faces = ([0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7], [8, 9, 10, 11])
    side = np.array([225.0, 232.0, 235.0])
    colors = np.stack([side] * 4 + [np.array(color, float), np.array(color, float) * 0.35])
    return Solid(vertices, tuple(np.array(face) for face in faces), colors, 0.1)
