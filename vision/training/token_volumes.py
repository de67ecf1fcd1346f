"""Tokens of endless shapes for training: signed distances on a grid, put together of parts by chance.

A volume is (z, y, x) float32 distances in meters to the surface, negative inside, over `EXTENT` in steps of `VOXEL`;
the token stands on z = 0, its longer side along x.
"""

from dataclasses import dataclass

import numpy as np

VOXEL = 0.0005
#: Half the length and width of the grid, and its height.
EXTENT = (0.0185, 0.0145, 0.0310)
_X = np.arange(-EXTENT[0], EXTENT[0] + VOXEL / 2, VOXEL, dtype=np.float32)[None, None, :]
_Y = np.arange(-EXTENT[1], EXTENT[1] + VOXEL / 2, VOXEL, dtype=np.float32)[None, :, None]
_Z = np.arange(-2 * VOXEL, EXTENT[2] + VOXEL / 2, VOXEL, dtype=np.float32)[:, None, None]
MM = 0.001


@dataclass(frozen=True)
class Look:
    """What a token is made of.

    Attributes:
        color: (3,) BGR reflectance 0-1.
        is_metal: mirrors the room in its color; else painted, with a clear coat.
        roughness: blur of what it mirrors, 0-1.
        cap: color (3,) above `cap_from` meters, for tokens of two colors.
    """

    color: np.ndarray
    is_metal: bool
    roughness: float
    cap: np.ndarray | None = None
    cap_from: float = 1.0


def ball(x, y, z, radius, stretch=(1, 1, 1)):
    sx, sy, sz = stretch
    length = np.sqrt(((_X - x) / sx) ** 2 + ((_Y - y) / sy) ** 2 + ((_Z - z) / sz) ** 2)
    return (length - radius) * min(stretch)


def rod(a, b, radius, radius_b=None):
    """A capsule from `a` to `b`, thicker or thinner towards `b`."""
    a, b = np.asarray(a, np.float32), np.asarray(b, np.float32)
    along = b - a
    dot = (_X - a[0]) * along[0] + (_Y - a[1]) * along[1] + (_Z - a[2]) * along[2]
    share = np.clip(dot / max(float(along @ along), 1e-12), 0, 1)
    off = (
        (_X - a[0] - along[0] * share) ** 2 + (_Y - a[1] - along[1] * share) ** 2 + (_Z - a[2] - along[2] * share) ** 2
    )
    return np.sqrt(off) - (radius + share * ((radius if radius_b is None else radius_b) - radius))


def block(x, y, z0, long, wide, high, soft=0.0005, tilt=0.0, yaw=0.0):
    """A box standing at `z0`, its edges rounded; tilted about y, turned about z."""
    px, py = _X - x, _Y - y
    px, py = px * np.cos(yaw) + py * np.sin(yaw), py * np.cos(yaw) - px * np.sin(yaw)
    pz = _Z - z0 - high / 2
    px, pz = px * np.cos(tilt) + pz * np.sin(tilt), pz * np.cos(tilt) - px * np.sin(tilt)
    q = [np.abs(p) - half / 2 + soft for p, half in ((px, long), (py, wide), (pz, high))]
    outside = np.sqrt(sum(np.maximum(part, 0) ** 2 for part in q))
    return outside + np.minimum(np.maximum(np.maximum(q[0], q[1]), q[2]), 0) - soft


def polygon(points, u, v):
    """Signed distance of (u, v) to a closed outline (n, 2)."""
    points = np.asarray(points, np.float32)
    nearest, inside = np.full(np.broadcast(u, v).shape, 1e9, np.float32), np.zeros(np.broadcast(u, v).shape, bool)
    for (ax, ay), (bx, by) in zip(points, np.roll(points, -1, axis=0), strict=True):
        ex, ey = bx - ax, by - ay
        share = np.clip(((u - ax) * ex + (v - ay) * ey) / max(ex * ex + ey * ey, 1e-14), 0, 1)
        nearest = np.minimum(nearest, (u - ax - ex * share) ** 2 + (v - ay - ey * share) ** 2)
        if ay != by:
            crosses = (ay > v) != (by > v)
            inside ^= crosses & (u < (bx - ax) * (v - ay) / (by - ay) + ax)
    distance = np.sqrt(nearest)
    return np.where(inside, -distance, distance)


def extruded(flat, along, half, soft=0.0005):
    """A plane figure's distances made `2 half` thick along an axis, edges rounded."""
    a, b = flat + soft, np.abs(along) - half + soft
    return np.sqrt(np.maximum(a, 0) ** 2 + np.maximum(b, 0) ** 2) + np.minimum(np.maximum(a, b), 0) - soft


def side_cut(points, width, soft=0.0005, y=0.0):
    return extruded(polygon(points, _X, _Z), _Y - y, width / 2, soft)


def plan_cut(points, z0, high, soft=0.0005):
    return extruded(polygon(points, _X, _Y), _Z - z0 - high / 2, high / 2, soft)


def lathe(profile, x=0.0, y=0.0):
    """Radii and heights (n, 2), from the foot to the top, turned about an upright axis."""
    profile = np.asarray(profile, np.float32)
    outline = np.vstack([[(0.0, profile[0, 1])], profile, [(0.0, profile[-1, 1])]])
    radii = np.linspace(-0.001, 0.036, 371, dtype=np.float32)
    table = polygon(outline, np.abs(radii)[None, :], _Z[:, 0])
    radius = np.sqrt((_X - x) ** 2 + (_Y - y) ** 2)[0]
    return table[:, np.minimum((radius + 0.001) / 0.0001, 370).astype(int)]


def join(parts, soft=0.0004):
    """The union of parts, with a fillet where they meet."""
    whole = parts[0]
    for part in parts[1:]:
        share = np.clip(0.5 + 0.5 * (part - whole) / soft, 0, 1)
        whole = part + (whole - part) * share - soft * share * (1 - share)
    return np.broadcast_to(whole, (_Z.size, _Y.size, _X.size)).astype(np.float32)


def _mm(rng, low, high):
    return float(rng.uniform(low, high)) * MM


def smooth_profile(points, rng):
    """A curve through the corners of a profile, more or less rounded."""
    points = np.asarray(points, float)
    for _ in range(int(rng.integers(0, 3))):
        ends = points[:1], points[-1:]
        a, b = points[:-1], points[1:]
        points = np.concatenate(
            [ends[0], np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], 1).reshape(-1, 2), ends[1]]
        )
    return points


def bell(rng):
    """Like a thimble, a bell, a bullet."""
    foot, top, tall = _mm(rng, 6, 9.5), rng.uniform(0.3, 0.85), _mm(rng, 11, 23)
    lip = rng.uniform(1.0, 1.25) if rng.random() < 0.7 else 1.0
    points = [
        (foot * lip, 0),
        (foot * lip, _mm(rng, 1, 2.5)),
        (foot, _mm(rng, 2.5, 4)),
        (foot * (0.45 + 0.55 * top), tall * 0.6),
    ]
    points += [(foot * top, tall * 0.85), (foot * top * rng.uniform(0.2, 0.8), tall), (0, tall)]
    return [lathe(smooth_profile(points, rng))]


def hat(rng):
    """A brim and a crown."""
    brim, crown, tall = _mm(rng, 8.5, 12.5), _mm(rng, 5, 7.5), _mm(rng, 7, 17)
    rise, flare = _mm(rng, 1, 2.6), rng.uniform(0.75, 1.15)
    points = [(brim * 0.95, 0), (brim, rise / 2), (brim * 0.93, rise), (crown, rise * 1.2), (crown * 0.96, tall * 0.6)]
    points += [(crown * flare, tall), (0, tall * rng.uniform(0.9, 1.03))]
    parts = [lathe(points if rng.random() < 0.5 else smooth_profile(points, rng))]
    if rng.random() < 0.3:
        parts.append(lathe([(crown * 1.1, rise), (crown * 1.1, rise + _mm(rng, 1, 3)), (0, rise)]))
    return parts


def stack(rng):
    """Turned beads and necks: lanterns, candlesticks, bottles, chess pieces."""
    tall, count = _mm(rng, 14, 27), int(rng.integers(4, 9))
    zs = np.sort(rng.uniform(0.1, 1, count)) * tall
    radii = rng.uniform(1.2, 8.0, count) * MM
    foot = _mm(rng, 5.5, 9)
    points = [(foot, 0), (foot, _mm(rng, 0.8, 3)), *zip(radii, np.maximum(zs, 3 * MM), strict=True), (0, tall)]
    parts = [lathe(smooth_profile(points, rng))]
    if rng.random() < 0.4:
        parts.append(_ring(rng, tall))
    if rng.random() < 0.2:
        for side in (-1, 1):
            parts.append(rod((side * 4.5 * MM, 0, 3 * MM), (side * 4 * MM, 0, tall * 0.8), 0.6 * MM))
    return parts


def _ring(rng, z):
    radius, thick = _mm(rng, 1.5, 3.5), _mm(rng, 0.5, 0.9)
    circle = np.sqrt(_X**2 + (_Z - z - radius * 0.7) ** 2) - radius
    return np.sqrt(circle**2 + _Y**2) - thick


def vehicle(rng):
    """A long low body with a cabin and wheels."""
    long, wide, floor = _mm(rng, 19, 32), _mm(rng, 8, 15), _mm(rng, 0.8, 3)
    hood, roof = floor + _mm(rng, 3, 6), floor + _mm(rng, 6.5, 12)
    a, b = sorted(rng.uniform(-0.42, 0.42, 2) * long)
    if b - a < 0.2 * long:
        a, b = -0.2 * long, 0.25 * long
    slope = rng.uniform(0, 0.15, 2) * long
    nose = [(-long / 2, floor), (long / 2, floor), (long / 2 * rng.uniform(0.9, 1), hood * rng.uniform(0.7, 1.05))]
    nose += [
        (min(b + slope[1], long / 2 * 0.9), hood),
        (b, roof),
        (a, roof),
        (max(a - slope[0], -long / 2 * 0.95), hood),
    ]
    nose += [(-long / 2 * rng.uniform(0.88, 1), hood * rng.uniform(0.7, 1.05))]
    parts = [side_cut(nose, wide * rng.uniform(0.7, 1), _mm(rng, 0.3, 1.5))]
    if rng.random() < 0.5:
        parts.append(side_cut([p for p in nose if p[1] <= hood], wide, 0.5 * MM))
    radius = _mm(rng, 1.8, 3.4)
    for x in (-long * rng.uniform(0.25, 0.36), long * rng.uniform(0.25, 0.36)):
        for side in (-1, 1):
            disc = np.sqrt((_X - x) ** 2 + (_Z - radius) ** 2) - radius
            parts.append(extruded(disc, _Y - side * wide * 0.42, _mm(rng, 0.8, 1.6), 0.3 * MM))
    return parts


def shoe(rng):
    """A foot and a shaft."""
    long, wide, tall = _mm(rng, 15, 25), _mm(rng, 6, 10), _mm(rng, 12, 24)
    shaft = long * rng.uniform(0.32, 0.5)
    heel = -long / 2 + _mm(rng, -0.5, 1)
    toe = tall * rng.uniform(0.15, 0.35)
    lean = rng.normal(0, 0.8) * MM
    points = [
        (-long / 2, 0),
        (long / 2, 0),
        (long / 2, toe * 0.8),
        (long / 2 - _mm(rng, 1, 4), toe),
        (heel + shaft, tall * rng.uniform(0.3, 0.5)),
    ]
    points += [(heel + shaft + lean, tall), (heel + lean, tall), (heel, tall * 0.4)]
    parts = [side_cut(points, wide, _mm(rng, 0.4, 2.5))]
    if rng.random() < 0.5:
        x = heel + shaft / 2 + lean * 0.8
        parts.append(rod((x, 0, tall * 0.5), (x, 0, tall - shaft * 0.2), shaft * 0.5, shaft * rng.uniform(0.5, 0.62)))
        parts[-1] = np.maximum(parts[-1], _Z - tall)
    if rng.random() < 0.5:
        parts.append(block(0, 0, 0, long * 1.04, wide * 1.08, _mm(rng, 1, 2.2)))
    return parts


def animal(rng):
    """A body on legs, with head, ears and tail."""
    long, high, fat = _mm(rng, 12, 23), _mm(rng, 5.5, 11), _mm(rng, 2.2, 4.8)
    x = long / 2 - fat * 0.7
    bend = rng.normal(0, 1) * MM
    parts = [rod((-x, 0, high), (x, 0, high + bend), fat * rng.uniform(0.75, 1.1), fat)]
    for side in (-1, 1):
        for end in (-x, x):
            foot = end + rng.normal(0, 1.2) * MM
            parts.append(
                rod(
                    (end, side * fat * 0.45, high),
                    (foot, side * fat * rng.uniform(0.4, 0.9), 0.8 * MM),
                    _mm(rng, 0.9, 1.8),
                )
            )
    head = np.array([x + _mm(rng, 0.5, 4), 0, high + bend + _mm(rng, 2.5, 8.5)])
    skull = _mm(rng, 1.8, 3.8)
    parts.append(rod((x, 0, high + bend), head, fat * 0.7, skull * 0.8))
    parts.append(ball(*head, skull))
    parts.append(
        rod(
            head,
            head + np.array([_mm(rng, 1.5, 5.5), 0, _mm(rng, -1.5, 0.5)]),
            skull * 0.7,
            skull * rng.uniform(0.3, 0.6),
        )
    )
    for side in (-1, 1):
        if rng.random() < 0.8:
            parts.append(
                rod(
                    head + np.array([0, side * skull * 0.6, skull * 0.5]),
                    head + np.array([_mm(rng, -2, 1), side * skull * 0.9, skull + _mm(rng, -1, 3)]),
                    0.8 * MM,
                )
            )
    if rng.random() < 0.8:
        parts.append(rod((-x, 0, high), (-x - _mm(rng, 0.5, 6), 0, high + _mm(rng, -3, 7)), _mm(rng, 0.5, 1.3)))
    if rng.random() < 0.25:
        parts.append(block(0, 0, 0, long * 1.1, fat * 2.6, _mm(rng, 0.8, 1.8)))
    return parts


def hull(rng):
    """A long pointed hull with things on its deck."""
    long, wide, high = _mm(rng, 24, 35), _mm(rng, 4.5, 11), _mm(rng, 2.5, 7.5)
    bow, stern = rng.uniform(0.0, 0.6), rng.uniform(0.4, 1.0)
    half = long / 2
    plan = [
        (-half, -wide / 2 * stern),
        (half * (1 - 0.5 * rng.random()), -wide / 2),
        (half, -wide / 2 * bow),
        (half, wide / 2 * bow),
    ]
    plan += [(half * (1 - 0.5 * rng.random()), wide / 2), (-half, wide / 2 * stern)]
    parts = [plan_cut(plan, 0, high, _mm(rng, 0.3, 1.0))]
    at = -half * rng.uniform(0.5, 0.85)
    while at < half * 0.75:
        size, up = _mm(rng, 2, 8), _mm(rng, 1, 6)
        if rng.random() < 0.5:
            parts.append(block(at, 0, high * 0.8, size, wide * rng.uniform(0.3, 0.95), up + 0.2 * high, 0.4 * MM))
        elif rng.random() < 0.6:
            lean = rng.normal(0, 0.5) * MM
            parts.append(rod((at, 0, high * 0.7), (at + lean, 0, high + up * rng.uniform(0.8, 1.8)), _mm(rng, 0.6, 2)))
        else:
            parts.append(ball(at, 0, high, min(size, wide) * 0.45))
        at += size * rng.uniform(0.6, 1.6) + 0.5 * MM
    return parts


def wedge(rng):
    """A sole pointed at one end, with a handle or a hump above."""
    long, wide, high = _mm(rng, 17, 28), _mm(rng, 8, 15), _mm(rng, 2.5, 7)
    half, belly = long / 2, rng.uniform(-0.3, 0.5)
    plan = [
        (-half, -wide / 2 * rng.uniform(0.7, 1)),
        (half * belly, -wide / 2),
        (half * (0.55 + 0.4 * belly), -wide * 0.3),
        (half, 0),
    ]
    plan = plan + [(x, -y) for x, y in plan[-2::-1]]
    parts = [plan_cut(plan, 0, high, _mm(rng, 0.3, 1.5))]
    if rng.random() < 0.3:
        parts.append(plan_cut(np.array(plan) * 0.75, high * 0.8, high * rng.uniform(0.3, 0.9), 0.6 * MM))
    top = high + _mm(rng, 4, 9)
    a, b, thick = -half * rng.uniform(0.4, 0.85), half * rng.uniform(0.1, 0.55), _mm(rng, 1, 2.2)
    kind = rng.random()
    if kind < 0.75:
        parts.append(rod((a, 0, top), (b, 0, top + rng.normal(0, 1) * MM), thick))
        parts.append(rod((a if rng.random() < 0.5 else a * 0.6, 0, high * 0.8), (a, 0, top), thick * 0.9))
        if kind < 0.55:
            parts.append(rod((b, 0, high * 0.8), (b, 0, top), thick * 0.9))
    else:
        parts.append(ball((a + b) / 2, 0, high, wide * 0.35, (1.4, 0.8, 1.0)))
    return parts


def heap(rng):
    """Anything: blocks, balls, rods and discs upon and beside each other."""
    parts, top = [], 0.0
    spread = _mm(rng, 1, 8)
    for k in range(int(rng.integers(2, 7))):
        x, y = rng.normal(0, spread * 0.7), rng.normal(0, spread * 0.35)
        z = max(0.0, top * rng.uniform(0.3, 0.95)) if k else 0.0
        kind = rng.random()
        if kind < 0.4:
            high = _mm(rng, 2, 10)
            parts.append(
                block(x, y, z, _mm(rng, 3, 20), _mm(rng, 3, 13), high, _mm(rng, 0.3, 1.3), 0, rng.normal(0, 0.4))
            )
        elif kind < 0.6:
            high = _mm(rng, 4, 8)
            parts.append(ball(x, y, z + high / 2, high / 2, tuple(rng.uniform(0.8, 1.6, 3))))
        elif kind < 0.8:
            high = _mm(rng, 3, 9)
            tip = (x + rng.normal(0, 5) * MM, y + rng.normal(0, 2) * MM, z + high)
            parts.append(rod((x, y, z + 1.5 * MM), tip, _mm(rng, 0.8, 3), _mm(rng, 0.8, 3)))
        else:
            high = _mm(rng, 2, 9)
            radius = _mm(rng, 2.5, 8)
            parts.append(lathe([(radius, z), (radius * rng.uniform(0.6, 1.1), z + high), (0, z + high)], x, y))
        top = max(top, z + high)
    if rng.random() < 0.5:
        parts.append(block(0, 0, 0, _mm(rng, 10, 24), _mm(rng, 8, 14), _mm(rng, 1, 3)))
    return parts


def pawn(rng):
    """Foot, waist, collar, head."""
    foot, tall = _mm(rng, 7, 9.5), _mm(rng, 20, 29)
    waist, head = _mm(rng, 2.6, 5), _mm(rng, 4.0, 6.5)
    neck = tall - head * rng.uniform(1.5, 1.9)
    points = [
        (foot * 0.97, 0),
        (foot, 1.2 * MM),
        (foot * 0.94, 3 * MM),
        (foot * rng.uniform(0.55, 0.8), tall * 0.22),
        (waist * 1.1, tall * 0.42),
    ]
    points += [(waist, neck - 1.0 * MM), (waist * 0.9, neck), (0, neck + MM)]
    parts = [lathe(smooth_profile(points, rng)), ball(0, 0, tall - head, head, (1, 1, rng.uniform(0.85, 1.15)))]
    if rng.random() < 0.6:
        collar = waist * rng.uniform(1.25, 1.8)
        parts.append(
            lathe(
                [(collar * 0.7, neck - 1.3 * MM), (collar, neck - 0.5 * MM), (collar * 0.7, neck + 0.4 * MM), (0, neck)]
            )
        )
    return parts, tall, head


def cap(rng, tall, head, shape="flat"):
    """What a pawn of the guard wears: a top wider than the head, a band, often a peak.

    Args:
        shape: `flat`, `high` or `round`.
    """
    wide = head * rng.uniform(1.0, 1.45)
    low, high = tall - head * rng.uniform(0.6, 1.1), _mm(rng, 1.2, 3.0)
    # Radii, as shares of the width, and heights, as shares of the band's.
    profile = {
        "flat": [(1.02 * head / wide, 0), (0.97, 0.5), (1.0, 1.0), (0.8, 1.5), (0.0, 1.6)],
        "high": [(1.02 * head / wide, 0), (1.0, 0.3), (0.85, 0.5), (0.8, 2.8), (0.0, 3.0)],
        "round": [(1.0, 0), (1.0, 0.4), (0.9, 1.0), (0.6, 2.0), (0.0, 2.5)],
    }[shape]
    parts = [lathe([(wide * radius, low + high * up) for radius, up in profile])]
    if rng.random() < 0.7:
        parts.append(ball(wide * 0.75, 0, low, wide * 0.6, (1.0, 1.0, 0.25)))
    return parts


def meeple(rng):
    """A flat figure with arms and legs."""
    wide, tall = _mm(rng, 14, 19), _mm(rng, 14, 20)
    arm, waist, foot = tall * rng.uniform(0.5, 0.65), wide * rng.uniform(0.22, 0.34), wide / 2 * rng.uniform(0.85, 1.05)
    right = [
        (wide * 0.1, 0),
        (foot, 0),
        (foot, 1.2 * MM),
        (waist, arm * 0.75),
        (wide / 2, arm * 0.92),
        (wide / 2, arm * 1.15),
    ]
    right += [(wide * 0.2, arm * 1.3), (wide * 0.2, tall * 0.9), (wide * 0.1, tall)]
    outline = [(0, tall * 0.18), *right, *((-x, z) for x, z in right[::-1])]
    return [side_cut(outline, _mm(rng, 7, 11), _mm(rng, 0.4, 1.2))]


FAMILIES = (bell, hat, stack, vehicle, shoe, animal, hull, wedge, heap)
_SHARES = np.array([0.1, 0.11, 0.11, 0.11, 0.11, 0.12, 0.12, 0.1, 0.12])


def metal_token(rng):
    """A token of a family drawn by chance."""
    parts = FAMILIES[int(rng.choice(len(FAMILIES), p=_SHARES))](rng)
    return join(parts, _mm(rng, 0.15, 0.9))
