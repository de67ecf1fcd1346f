"""Tokens of many shapes for training: usual ones pulled about, random ones, and some put together of parts."""

import numpy as np

from vision.virtual import shapes

_REVOLVED = (shapes._HAT, shapes._THIMBLE, shapes._LANTERN)
_EXTRUDED = (shapes._CAR, shapes._BOOT, shapes._DOG, shapes._SHIP, shapes._IRON)


def merged(solids):
    """One solid of several."""
    vertices, faces, colors = [], [], []
    offset = 0
    for solid in solids:
        vertices.append(solid.vertices)
        faces += [face + offset for face in solid.faces]
        colors.append(solid.colors)
        offset += len(solid.vertices)
    first = solids[0]
    return shapes.Solid(np.concatenate(vertices), tuple(faces), np.concatenate(colors), first.gloss, first.is_metal)


def moved(solid, x=0.0, y=0.0, z=0.0, yaw=0.0):
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    return shapes.Solid(solid.vertices @ turn.T + [x, y, z], solid.faces, solid.colors, solid.gloss, solid.is_metal)


def metal_token(rng, color, gloss):
    """A random solid of metal, 8-34 mm long and 6-24 mm high."""
    kind = rng.random()
    if kind < 0.25:
        profile = np.array(_REVOLVED[int(rng.integers(len(_REVOLVED)))])
        profile = profile * [rng.uniform(0.75, 1.25), rng.uniform(0.7, 1.3)]
        profile[1:-1] *= np.exp(rng.normal(0, 0.07, profile[1:-1].shape))
        return shapes._revolved(
            _tuples(np.maximum.accumulate(profile, axis=0) * [0, 1] + profile * [1, 0]), color, gloss, True
        )
    if kind < 0.65:
        outline = np.array(_EXTRUDED[int(rng.integers(len(_EXTRUDED)))])
        outline = outline * [rng.uniform(0.7, 1.3), rng.uniform(0.7, 1.35)] + rng.normal(0, 0.0005, outline.shape)
        outline[:, 1] = np.maximum(outline[:, 1], 0)
        return shapes._extruded(_tuples(outline), float(rng.uniform(0.006, 0.016)), color, gloss, True)
    parts = []
    long, wide, low = rng.uniform(0.006, 0.016), rng.uniform(0.006, 0.015), rng.uniform(0.003, 0.010)
    parts.append(_slab(rng, long, wide, low, color, gloss))
    if kind < 0.82:
        # Something on a base, off its middle.
        top = _slab(
            rng, long * rng.uniform(0.25, 0.8), wide * rng.uniform(0.5, 1.0), rng.uniform(0.004, 0.013), color, gloss
        )
        parts.append(moved(top, float(rng.uniform(-0.5, 0.5) * long), 0.0, low * 0.9))
        if rng.random() < 0.4:
            tall = (
                (0.0, 0.0),
                (0.002, 0.0),
                (float(rng.uniform(0.0015, 0.0045)), 0.006),
                (0.0, float(rng.uniform(0.008, 0.013))),
            )
            parts.append(
                moved(
                    shapes._revolved(tall, color, gloss, True, 12), float(rng.uniform(-0.8, 0.8) * long), 0.0, low * 0.9
                )
            )
    else:
        radii = rng.uniform(0.3, 1.0, 5) * min(long, wide) * 0.9
        zs = np.sort(rng.uniform(0, rng.uniform(0.006, 0.018), 5))
        profile = [
            (0.0, 0.0),
            *((float(r), float(z)) for r, z in zip(radii, zs, strict=True)),
            (0.0, float(zs[-1]) + 0.001),
        ]
        parts.append(
            moved(
                shapes._revolved(tuple(profile), color, gloss, True, 16),
                float(rng.uniform(-0.4, 0.4) * long),
                0.0,
                low * 0.8,
            )
        )
    return merged(parts)


def _slab(rng, long, wide, high, color, gloss):
    lean_front, lean_back = rng.uniform(0.6, 1.15, 2)
    outline = np.array([[-long, 0.0], [long, 0.0], [long * lean_front, high], [-long * lean_back, high]])
    return shapes._extruded(_tuples(outline), float(wide), color, gloss, True)


def _tuples(points):
    return tuple((float(x), float(z)) for x, z in points)
