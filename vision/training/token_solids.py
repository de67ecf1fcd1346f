"""Tokens with flat faces, of endless shapes, for training: turned profiles and outlines cut from a sheet.

They are drawn as the virtual table draws its own (`vision.virtual.sprite`). Most are of no shape that it has; some are
its own, stretched and bent, no two tables alike.
"""

from dataclasses import replace

import numpy as np

from vision.virtual.shapes import METAL, METAL_KINDS, PAWN, PAWN_COLORS, Color, Solid, extruded, revolved, solid_of

#: Share of tokens that are a slight change of the one before, so that some of a table are hard to tell apart.
ALIKE = 0.4
#: How much the virtual table's own are stretched along each axis (standard deviation of a logarithm), and how much
#: farther out or in their waists are.
STRETCHED, BENT = 0.12, 0.12
_MM = 0.001
#: The virtual table's pawn below its head.
_NECK = PAWN[:9]


def metal_solids(rng: np.random.Generator, count: int) -> list[Solid]:
    """So many tokens, all of the same metal."""
    color = tuple(int(v) for v in np.clip(np.array(METAL) * np.exp(rng.normal(0, 0.12)), 60, 235))
    gloss, solids, last = float(rng.uniform(0.3, 0.9)), [], None
    for _ in range(count):
        if last is None or rng.random() >= ALIKE:
            is_turned = rng.random() < 0.3
            points = _profile(rng) if is_turned else _outline(rng)
            size = int(rng.integers(10, 30)) if is_turned else float(rng.uniform(6, 15)) * _MM
        else:
            is_turned, points, size = last
            grown = points * np.exp(rng.normal(0, 0.07, 2))
            points = np.maximum(grown + rng.normal(0, 0.7 * _MM, points.shape) * (points > 0), [-1, 0])
        last = is_turned, points, size
        outline = tuple((float(a), float(b)) for a, b in points)
        if is_turned:
            solids.append(revolved(outline, color, gloss, is_metal=True, around=size))
        else:
            solids.append(extruded(outline, size, color, gloss, is_metal=True))
    return solids


def usual_solids(rng: np.random.Generator, metal: int, painted: int) -> list[tuple[Solid, str]]:
    """So many of the virtual table's own tokens of metal, and of each of its molds in so many colors, bent; with their
    kinds: `solid`, `pawn` or `meeple`."""
    color = tuple(int(v) for v in np.clip(np.array(METAL) * np.exp(rng.normal(0, 0.12)), 60, 235))
    kinds = rng.permutation(METAL_KINDS)[:metal]
    solids = [(_bent(rng, [solid_of(str(kind), color)])[0], "solid") for kind in kinds]
    for mold in ("pawn", "meeple"):
        colors = [_tinted(rng, PAWN_COLORS[str(name)]) for name in rng.permutation(list(PAWN_COLORS))[:painted]]
        solids += [(solid, mold) for solid in _bent(rng, [solid_of(f"red_{mold}", color) for color in colors])]
    return solids


def capped_pawns(rng: np.random.Generator, count: int) -> list[tuple[Solid, str]]:
    """So many pairs of a blue pawn of the virtual table and the same with a cap, each pair bent; with their kinds:
    `pawn` or `cop`."""
    solids: list[tuple[Solid, str]] = []
    for _ in range(count):
        color = _tinted(rng, PAWN_COLORS["blue"])
        plain = solid_of("blue_pawn", color)
        capped = revolved((*_NECK, *_cap(rng)), color, gloss=plain.gloss)
        bent = _bent(rng, [plain, capped])
        solids += list(zip(bent, ("pawn", "cop"), strict=True))
    return solids


def _cap(rng: np.random.Generator) -> list[tuple[float, float]]:
    """Radii and heights of a cap of any profile, in place of a pawn's head."""
    count = int(rng.integers(3, 7))
    heights = np.cumsum(rng.uniform(0.2, 1.0, count))
    heights = _NECK[-1][1] + heights / heights[-1] * rng.uniform(5, 15) * _MM
    radii = rng.uniform(4.5, 9) * _MM * np.append(rng.uniform(0.55, 1.0, count - 1), rng.uniform(0.1, 0.9))
    return [*((float(radius), float(up)) for radius, up in zip(radii, heights, strict=True)), (0.0, float(heights[-1]))]


def _bent(rng: np.random.Generator, solids: list[Solid]) -> list[Solid]:
    """Solids of one mold, all stretched and bent alike, by how high the first of them is."""
    stretched, (first, second) = np.exp(rng.normal(0, STRETCHED, 3)), rng.normal(0, BENT, 2)
    out = []
    for solid in solids:
        height = np.minimum(solid.vertices[:, 2] / solids[0].vertices[:, 2].max(), 1.0)
        waist = 1 + first * np.sin(np.pi * height) + second * np.sin(2 * np.pi * height)
        across = np.column_stack([waist, waist, np.ones(len(height))])
        out.append(replace(solid, vertices=solid.vertices * stretched * across))
    return out


def _tinted(rng: np.random.Generator, color: Color) -> Color:
    tinted = np.clip(np.array(color) * np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.06, 3)), 5, 250)
    return int(tinted[0]), int(tinted[1]), int(tinted[2])


def _profile(rng: np.random.Generator) -> np.ndarray:
    """(n, 2) radii and heights from the foot to the top, meters."""
    tall, foot = rng.uniform(11, 27), rng.uniform(5, 11.5)
    inner = int(rng.integers(3, 10))
    heights = np.sort(rng.uniform(0.05, 0.97, inner)) * tall
    radii = foot * np.clip(rng.uniform(0.25, 1.0, inner) * np.linspace(1.1, rng.uniform(0.3, 1.1), inner), 0.15, 1.05)
    body = np.column_stack([radii, heights])
    return np.vstack([[(0, 0), (foot, 0)], body, [(radii[-1] * rng.uniform(0.4, 1), tall), (0, tall)]]) * _MM


def _outline(rng: np.random.Generator) -> np.ndarray:
    """(n, 2) lengths and heights, counterclockwise from the heel: an uneven sole and an uneven back above it."""
    long, tall = rng.uniform(14, 34), rng.uniform(9, 24)
    left, right = -long / 2, long / 2
    feet = np.sort(rng.uniform(left * 0.9, right * 0.9, int(rng.integers(2, 7))))
    steps = rng.random(len(feet)) < 0.5
    sole = np.column_stack([feet, np.where(steps, rng.uniform(0.05, 0.35) * tall * rng.random(len(feet)), 0.0)])
    back = np.sort(rng.uniform(left * 0.95, right * 0.95, int(rng.integers(2, 9))))[::-1]
    heights = tall * np.clip(rng.beta(1.2, 1.2, len(back)), 0.4, 1)
    heights[rng.integers(len(back))] = tall
    ends = rng.uniform(0.15, 0.8, 2) * tall
    toe = [(right * rng.uniform(0.8, 1), 0), (right, ends[0])]
    heel = [(left, ends[1]), (left * rng.uniform(0.8, 1), 0)]
    return np.vstack([sole, toe, np.column_stack([back, heights]), heel]) * _MM
