"""Everyday things that stand in for a lost token: coins, buttons, bottle caps, cubes, pebbles. Meters, as `shapes`."""

from dataclasses import replace

import numpy as np

from vision.virtual import shapes
from vision.virtual.shapes import Color, Solid, extruded, revolved

_MM = 1e-3
#: Faces around what is turned.
_AROUND = 22
COPPER, SILVER, BRASS = (70, 105, 165), (172, 175, 178), (80, 165, 200)
RED, BLUE, GREEN = (40, 35, 190), (170, 80, 30), (55, 125, 35)
BLACK, IVORY, WOOD = (35, 35, 38), (205, 222, 232), (140, 190, 220)


def _disc(
    radius_mm: float,
    tall_mm: float,
    color: Color,
    inner: tuple[float, Color] | None = None,
    bevel_mm: float = 0.6,
    is_metal: bool = False,
) -> Solid:
    """A coin, with the share of its radius within which it has another color, and that."""
    r, h, bevel = radius_mm * _MM, tall_mm * _MM, bevel_mm * _MM
    edge = ((0.0, 0.0), (r - bevel, 0.0), (r, bevel), (r, h - bevel), (r - bevel, h))
    if inner is None:
        return revolved((*edge, (0.0, h)), color, 0.5, is_metal, _AROUND)
    share, middle = inner
    solid = revolved((*edge, (share * r, h), (0.0, h)), color, 0.5, is_metal, _AROUND)
    colors = solid.colors.copy()
    colors[-_AROUND:] = middle
    return replace(solid, colors=colors)


def _ball(wide_mm: float, tall_mm: float, color: Color, gloss: float) -> Solid:
    """A ball, or a flat pebble."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, 11)
    radii, heights = wide_mm / 2 * np.cos(angles), tall_mm / 2 * (1 + np.sin(angles))
    profile = tuple((max(float(r), 0.0), float(z)) for r, z in zip(radii, heights, strict=True))
    return _turned(profile, color, gloss)


def _block(x_mm: float, y_mm: float, z_mm: float, color: Color) -> Solid:
    x, z = x_mm / 2 * _MM, z_mm * _MM
    return extruded(((-x, 0.0), (x, 0.0), (x, z), (-x, z)), y_mm * _MM, color, gloss=0.2)


def _stacked(*solids: Solid) -> Solid:
    """One on top of the other."""
    vertices, faces, count, height = [], list[np.ndarray](), 0, 0.0
    for solid in solids:
        vertices.append(solid.vertices + np.array([0.0, 0.0, height]))
        faces += [face + count for face in solid.faces]
        count, height = count + len(solid.vertices), height + float(solid.vertices[:, 2].max())
    return replace(
        solids[0],
        vertices=np.concatenate(vertices),
        faces=tuple(faces),
        colors=np.concatenate([solid.colors for solid in solids]),
    )


def _turned(profile_mm: tuple[tuple[float, float], ...], color: Color, gloss: float) -> Solid:
    return revolved(tuple((r * _MM, z * _MM) for r, z in profile_mm), color, gloss=gloss)


EVERYDAY: dict[str, Solid] = {
    "copper_coin": _disc(9.4, 1.7, COPPER, is_metal=True),
    "silver_coin": _disc(12.1, 1.8, SILVER, is_metal=True),
    "brass_coin": _disc(12.1, 2.4, BRASS, is_metal=True),
    "two_tone_coin": _disc(12.9, 2.2, SILVER, (0.7, BRASS), is_metal=True),
    "red_button": _disc(9.0, 3.0, RED, (0.7, (30, 25, 150))),
    "blue_button": _disc(8.0, 3.0, BLUE, (0.7, (140, 60, 20))),
    "red_cap": _disc(15.0, 6.0, RED, bevel_mm=1.5),
    "green_cap": _disc(15.0, 6.0, GREEN, bevel_mm=1.5),
    "golden_cap": _disc(15.0, 6.0, BRASS, bevel_mm=1.5, is_metal=True),
    "black_draughtsman": _disc(13.0, 8.0, BLACK, (0.75, (45, 45, 48)), bevel_mm=1.5),
    "white_draughtsman": _disc(13.0, 8.0, IVORY, (0.75, (190, 210, 222)), bevel_mm=1.5),
    "red_cube": _block(10.0, 10.0, 10.0, RED),
    "green_cube": _block(10.0, 10.0, 10.0, GREEN),
    "wooden_cube": _block(12.0, 12.0, 12.0, WOOD),
    "eraser": _block(22.0, 11.0, 9.0, (200, 170, 230)),
    "gray_pebble": _ball(18.0, 9.0, (130, 132, 135), 0.1),
    "brown_pebble": _ball(16.0, 8.0, (70, 95, 125), 0.1),
    "bead": _ball(14.0, 14.0, (180, 60, 140), 0.6),
    "nut": _disc(6.5, 5.0, SILVER, is_metal=True),
    "screw": _stacked(_disc(4.5, 3.0, SILVER, is_metal=True), _disc(2.0, 16.0, SILVER, is_metal=True)),
    "cork": _turned(((0.0, 0.0), (11.0, 0.0), (11.0, 22.0), (0.0, 22.0)), (120, 165, 205), 0.05),
    "rook": _turned(
        (
            *((0.0, 0.0), (9.0, 0.0), (9.0, 3.0), (6.0, 6.0), (5.5, 20.0)),
            *((7.5, 22.0), (7.5, 28.0), (5.0, 28.0), (5.0, 25.0), (0.0, 25.0)),
        ),
        BLACK,
        0.4,
    ),
    "toy_figure": _stacked(
        _block(16.0, 8.0, 12.0, BLUE), _block(15.0, 8.0, 13.0, RED), _disc(5.0, 9.0, (40, 200, 240))
    ),
}


def solid_of(kind: str) -> Solid:
    """The solid of any kind: an everyday thing, or one of `shapes.solid_of`."""
    return EVERYDAY[kind] if kind in EVERYDAY else shapes.solid_of(kind)
