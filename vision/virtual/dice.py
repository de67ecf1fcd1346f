"""Dice ray by ray: rounded six-sided dice with drilled or painted pips, and numbered d4, d8 and d20.

Slower and finer than the sprites of the live virtual table: gloss, dents, mirrored windows and mottled
material. One die comes out as a small picture with transparency, to be laid over any background.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.polyhedra import FONTS, Polyhedron, polyhedron

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]
Color = tuple[float, float, float]
"""BGR, 0-255."""

#: Outward direction of each value on a western die: opposite faces add up to 7, and 1, 2, 3 run
#: counterclockwise around the corner where they meet, seen from outside.
OUTWARD: dict[int, tuple[int, int, int]] = {
    1: (0, 0, 1), 6: (0, 0, -1), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0),
}  # fmt: skip
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


#: Edge of a d6 that is about as large, over the root of the area of the face that is read.
SIZE: dict[str, float] = {"d6": 1.0, "d4": 2.7, "d8": 1.3, "d20": 1.5}
#: As far from the middle of a pip as that, in its radii, a face is flat again that sinks towards it.
_SINKS_TO = 2.2
#: Of the plastic of dice.
_REFRACTION = 1.5


@dataclass(frozen=True)
class DieLook:
    """How a die is made; lengths in shares of its edge.

    Attributes:
        round: radius of the rounded edges.
        ball: radius of the ball the cube is cut by, 0.87 (none) to 0.68 (nearly round).
        pip_radius, pip_spread: size of a pip, and its distance from the middle along each axis.
        big_one: how much larger the single pip of the 1 is.
        stretch: for each value by how much more its pips are spread across and along; sixes are often narrow.
        dent: depth of a drilled pip, 0 (painted) to 1.
        turned: for the values 2, 3, 6 whether the pattern lies along the other diagonal or axis.
        gloss: strength of mirrored lights, 0-1.
        rough: how softly mirrored lights fade out, as a difference of cosines; 0 for a sharp rim.
        bulge: how far the faces of a d6 lean outwards at their rims: tangent of twice the angle, 0 for flat ones.
        sink: tangent of the angle by which a face sinks at the rims of its pips: lights are mirrored in streaks there.
        mottle: strength of a marbled second color.
        clear: share of the background that shines through.
        smoky: how plainly the pips of the far faces of a d6 shine through, 0-1.
        font: number of the numeral style of a d4, d8 or d20.
        typeface: file of a TrueType font for its numerals.
    """

    kind: str = "d6"
    body: Color = (240, 240, 240)
    ink: Color = (20, 20, 20)
    round: float = 0.1
    ball: float = 0.8
    pip_radius: float = 0.09
    pip_spread: float = 0.25
    big_one: float = 1.0
    stretch: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * 6
    dent: float = 0.6
    turned: tuple[bool, bool, bool] = (False, False, False)
    gloss: float = 0.4
    rough: float = 0.0
    bulge: float = 0.0
    sink: float = 0.0
    mottle: float = 0.0
    mottle_color: Color = (128, 128, 128)
    clear: float = 0.0
    smoky: float = 0.0
    font: int = 0
    typeface: str = ""
    seed: int = 0


@dataclass(frozen=True)
class DiceLight:
    """Light on a die.

    Attributes:
        towards: direction of the main light, z up.
        ambient: share of the light that comes from everywhere.
        level: brightness of a white face that looks at the light, 0-1.3.
        tint: BGR factors.
        ground: BGR 0-255 of what the die lies on; it colors the sides.
        window: angular size of the mirrored light, 0-1.
        lamps: directions of further lights, seen only where they are mirrored.
        tubes: of long ones the direction of the middle, which way they lie, and half their length over their distance.
        glare: brightness of a light where it is mirrored, white being 1; the sun's or a bulb's is far over that.
        around: how much of what comes from everywhere reaches upright faces, 0-1; more between bright walls.
        contact: how much darker that is near the table, 0-1.
    """

    towards: tuple[float, float, float] = (0.3, -0.4, 0.87)
    ambient: float = 0.5
    level: float = 0.95
    tint: Color = (1.0, 1.0, 1.0)
    ground: Color = (128, 128, 128)
    window: float = 0.2
    lamps: tuple[tuple[float, float, float], ...] = ()
    tubes: tuple[tuple[tuple[float, float, float], tuple[float, float, float], float], ...] = ()
    glare: float = 9.0
    around: float = 0.5
    contact: float = 1.0


@dataclass(frozen=True)
class DiePatch:
    """A drawn die.

    Attributes:
        x, y: px of the patch's upper left corner in the picture.
        bgr: (h, w, 3) float32, 0-255.
        alpha: (h, w) float32, 0-1.
        value: what a player reads.
        box: (x0, y0, x1, y1) px of the whole die.
        top_px: center of the upper face (apex of a d4).
        edge_px: edge of the upper face: square root of its area in the picture, times `SIZE`.
        tilt: angle in radians by which the upper face leans.
    """

    x: int
    y: int
    bgr: Floats
    alpha: Floats
    kind: str
    value: int
    box: tuple[float, float, float, float]
    top_px: tuple[float, float]
    edge_px: float
    tilt: float


@dataclass(frozen=True)
class Eye:
    """A pinhole camera: `projection` (3, 4) takes world points to px, centers at whole numbers."""

    projection: Matrix
    position: Matrix = field(init=False)
    inverse: Matrix = field(init=False)

    def __post_init__(self) -> None:
        inverse = np.linalg.inv(self.projection[:, :3])
        object.__setattr__(self, "inverse", inverse)
        object.__setattr__(self, "position", -inverse @ self.projection[:, 3])

    @classmethod
    def above(
        cls, elevation: float, distance: float, focal_px: float, center_px: tuple[float, float], roll: float = 0.0
    ) -> "Eye":
        """A camera that looks at the origin from `elevation` (radians above the table) at `distance`."""
        c, s = np.cos(elevation), np.sin(elevation)
        at = distance * np.array([0.0, -c, s])
        forward = -at / np.linalg.norm(at)
        right = np.array([1.0, 0.0, 0.0])
        rotation = _about_z(roll) @ np.stack([right, np.cross(forward, right), forward])
        intrinsics = np.array([[focal_px, 0, center_px[0]], [0, focal_px, center_px[1]], [0, 0, 1.0]])
        return cls(intrinsics @ np.column_stack([rotation, -rotation @ at]))

    def in_units_of(self, length: float) -> "Eye":
        """The same eye in a world measured in this length."""
        return self if length == 1.0 else Eye(self.projection @ np.diag([length, length, length, 1.0]))

    def project(self, points: Matrix) -> Matrix:
        """(n, 2) px of (n, 3) world points."""
        px = points @ self.projection[:, :3].T + self.projection[:, 3]
        return np.asarray(px[:, :2] / px[:, 2:])

    def rays(self, px: Floats) -> Floats:
        """(n, 3) directions, not normalized, through (n, 2) px."""
        homogeneous = np.column_stack([px, np.ones(len(px), np.float32)])
        return np.asarray(homogeneous @ self.inverse.T, np.float32)


def turn_up(kind: str, value: int, yaw: float, tilt: float = 0.0, tilt_axis: float = 0.0) -> Matrix:
    """(3, 3) world_from_die that turns `value` up, leans it by `tilt` about a level axis, then turns it by `yaw`."""
    up = up_of(kind, value)
    other = np.array([1.0, 0, 0]) if abs(up[0]) < 0.9 else np.array([0, 1.0, 0])
    u = np.cross(up, other)
    u /= np.linalg.norm(u)
    flat = np.stack([u, np.cross(up, u), up])
    c, s = np.cos(tilt), np.sin(tilt)
    lean = _about_z(tilt_axis) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ _about_z(-tilt_axis)
    return np.asarray(_about_z(yaw) @ lean @ flat)


def up_of(kind: str, value: int) -> Matrix:
    """(3,) what is up in the die where `value` is thrown, unit length."""
    return np.array(OUTWARD[value], float) if kind == "d6" else polyhedron(kind).up_of(value)


def _about_z(angle: float) -> Matrix:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def corners_of(kind: str) -> Matrix:
    """(n, 3) corners around the origin, edge 1."""
    if kind == "d6":
        return np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return polyhedron(kind).vertices


def resting(look: DieLook, rotation: Matrix, at: tuple[float, float], edge: float = 1.0) -> Matrix:
    """(3,) center of a die that touches the table at z = 0."""
    lowest = float((corners_of(look.kind) @ rotation.T)[:, 2].min()) * edge
    return np.array([at[0], at[1], -lowest])


def top_value(kind: str, rotation: Matrix) -> tuple[int, float]:
    """What a player reads of a die in this position, and by how many radians that face leans."""
    if kind != "d6":
        return polyhedron(kind).read(rotation)
    heights = {value: float((rotation @ np.array(out, float))[2]) for value, out in OUTWARD.items()}
    value = max(heights, key=lambda face: heights[face])
    return value, float(np.arccos(min(heights[value], 1.0)))


def draw_die(
    look: DieLook, rotation: Matrix, center: Matrix, eye: Eye, light: DiceLight, edge: float = 1.0, samples: int = 2
) -> DiePatch:
    """Draws one die.

    Args:
        rotation: (3, 3) world_from_die; see `turn_up`.
        center: (3,) in the world; see `resting`.
        edge: in the world's units.
        samples: rays along each axis of a px.
    """
    outline = eye.project(corners_of(look.kind) @ rotation.T * edge + center)
    x0, y0 = (int(v) for v in np.floor(outline.min(axis=0)) - 1)
    x1, y1 = (int(v) for v in np.ceil(outline.max(axis=0)) + 2)
    width, height = x1 - x0, y1 - y0
    steps_x = x0 + (np.arange(width * samples, dtype=np.float32) + 0.5) / samples - 0.5
    steps_y = y0 + (np.arange(height * samples, dtype=np.float32) + 0.5) / samples - 0.5
    px = np.stack(np.meshgrid(steps_x, steps_y), axis=-1).reshape(-1, 2).astype(np.float32)
    # In the die's own frame its edge is 1 and it sits at the origin.
    origin = np.asarray(rotation.T @ (eye.position - center) / edge, np.float32)
    rays = np.asarray(eye.rays(px) @ rotation, np.float32)
    rays /= np.sqrt(np.einsum("ij,ij->i", rays, rays))[:, None]
    hit, points, normals, ink = _hit(look, origin, rays)
    color = np.zeros((len(px), 3), np.float32)
    to_world = rotation.astype(np.float32)
    height_above = (points @ to_world.T)[:, 2] * edge + center[2]
    color[hit] = _shade(
        look, light, normals @ to_world.T, rays[hit] @ to_world.T, _material(look, points, ink), height_above / edge
    )
    fine = (height * samples, width * samples)
    coverage = _averaged(hit.astype(np.float32).reshape(fine), (width, height))
    total = _averaged(color.reshape(*fine, 3), (width, height))
    mean = (total / np.maximum(coverage, 1e-3)[..., None]).astype(np.float32)
    value, tilt = top_value(look.kind, rotation)
    top_px, edge_px = _top(look.kind, rotation, center, edge, eye)
    rows, columns = np.nonzero(coverage > 0.1)
    box = (0, 0, 0, 0) if len(rows) == 0 else (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    placed = (float(box[0] + x0), float(box[1] + y0), float(box[2] + x0), float(box[3] + y0))
    return DiePatch(
        x0, y0, mean, coverage * np.float32(1 - look.clear), look.kind, value, placed, top_px, edge_px, tilt
    )


def _averaged(fine: Floats, size: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)


def _top(kind: str, rotation: Matrix, center: Matrix, edge: float, eye: Eye) -> tuple[tuple[float, float], float]:
    """Px of the middle of the upper face, and its edge as of `DiePatch`."""
    if kind == "d6":
        value, _ = top_value(kind, rotation)
        out = np.array(OUTWARD[value], float)
        u, v = np.roll(out, 1), np.roll(out, 2)
        face = np.array([out * 0.5 + 0.5 * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    else:
        face = polyhedron(kind).reading_corners(rotation)
    px = eye.project(face @ rotation.T * edge + center)
    x, y = px[:, 0], px[:, 1]
    area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
    return (float(x.mean()), float(y.mean())), SIZE[kind] * area**0.5


def _hit(look: DieLook, origin: Floats, rays: Floats) -> tuple[NDArray[np.bool_], Floats, Floats, Floats]:
    """Which rays hit; for those the points, outward normals and how much ink is there, in the die's frame."""
    if look.kind == "d6":
        return _hit_cube(look, origin, rays)
    return _hit_flat(polyhedron(look.kind), look, origin, rays)


def _hit_cube(look: DieLook, origin: Floats, rays: Floats) -> tuple[NDArray[np.bool_], Floats, Floats, Floats]:
    """Sphere tracing of a rounded box cut by a ball, from where the rays enter the plain cube."""
    start = origin[:, None]
    with np.errstate(divide="ignore"):
        inverse = 1 / rays.T
    one, other = (np.float32(-0.5) - start) * inverse, (np.float32(0.5) - start) * inverse
    low, high = np.minimum(one, other), np.maximum(one, other)
    enter = np.maximum(np.maximum(low[0], low[1]), low[2])
    hit = enter < np.minimum(np.minimum(high[0], high[1]), high[2])
    direction, way = rays.T[:, hit], enter[hit]
    core = np.float32(0.5 - look.round)
    for _ in range(12):
        points = start + direction * way
        q = np.abs(points) - core
        outer = np.maximum(q, 0)
        box = np.sqrt((outer * outer).sum(axis=0)) - np.float32(look.round)
        box += np.minimum(np.maximum(np.maximum(q[0], q[1]), q[2]), 0)
        ball = np.sqrt((points * points).sum(axis=0)) - np.float32(look.ball)
        gap = np.maximum(box, ball)
        way += gap
        if float(gap.max(initial=0.0)) < 2e-3:
            break
    on = gap < 0.01
    hit[np.flatnonzero(hit)[~on]] = False
    points, is_box, outer = points[:, on], (box > ball)[on], outer[:, on]
    normals = np.where(is_box, outer * np.sign(points), points)
    normals /= np.sqrt((normals * normals).sum(axis=0)) + np.float32(1e-6)
    ink, slope = _pips(look, points)
    if look.smoky > 0:
        ink = np.maximum(ink, np.float32(look.smoky) * _pips(look, _beyond(points, direction[:, on], normals))[0])
    normals += points * np.float32(look.bulge)
    normals += slope
    normals /= np.sqrt((normals * normals).sum(axis=0)) + np.float32(1e-6)
    return hit, points.T, normals.T, ink


def _beyond(points: Floats, rays: Floats, normals: Floats) -> Floats:
    """(3, n) where rays that enter a cube of glass at points (3, n) come to its far faces."""
    inward = (rays * normals).sum(axis=0)
    along = (rays - inward * normals) / np.float32(_REFRACTION)
    inside = along - normals * np.sqrt(1 - (along * along).sum(axis=0))
    way = (np.float32(0.5) - np.sign(inside) * points) / np.maximum(np.abs(inside), np.float32(1e-6))
    return np.asarray(points + inside * way.min(axis=0), np.float32)


def _pips(look: DieLook, points: Floats) -> tuple[Floats, Floats]:
    """Ink 0 or 1 at each of (3, n) points, and how the surface of dents, and around them, leans there, (3, n)."""
    ink = np.zeros(points.shape[1], np.float32)
    slope = np.zeros_like(points)
    if look.pip_radius == 0:
        return ink, slope
    size = np.abs(points)
    axis = np.where(size[0] > size[1], np.where(size[0] > size[2], 0, 2), np.where(size[1] > size[2], 1, 2))
    for value, outward in OUTWARD.items():
        k = int(np.argmax(np.abs(outward)))
        on_face = np.flatnonzero((axis == k) & (points[k] * outward[k] > 0))
        if not len(on_face):
            continue
        i, j = (k + 1) % 3, (k + 2) % 3
        a, b = points[i, on_face], points[j, on_face]
        flip = np.float32(1)
        if value in (2, 3, 6) and look.turned[(2, 3, 6).index(value)]:
            i, j, a, b, flip = j, i, -b, a, np.float32(-1)
        radius = look.pip_radius * (look.big_one if value == 1 else 1.0)
        across, along = (look.pip_spread * factor for factor in look.stretch[value - 1])
        for p, q in PIPS[value]:
            da, db = a - np.float32(p * across), b - np.float32(q * along)
            near = da * da + db * db < radius * radius
            ink[on_face[near]] = 1
            slope[i, on_face[near]] = -flip * da[near] / np.float32(radius) * np.float32(look.dent)
            slope[j, on_face[near]] = -db[near] / np.float32(radius) * np.float32(look.dent)
            if look.sink > 0:
                away = np.sqrt(da * da + db * db) / np.float32(radius)
                lean = np.where(near, 0, np.clip((_SINKS_TO - away) / (_SINKS_TO - 1), 0, None) * look.sink)
                lean /= np.maximum(away, 1) * radius
                slope[i, on_face] -= flip * lean * da
                slope[j, on_face] -= lean * db
    return ink, slope


def _hit_flat(
    solid: Polyhedron, look: DieLook, origin: Floats, rays: Floats
) -> tuple[NDArray[np.bool_], Floats, Floats, Floats]:
    """Rays against the half-spaces of a convex solid with numerals on its faces."""
    normals = solid.normals.astype(np.float32)
    facing = rays @ normals.T
    gap = (np.asarray(solid.offsets, np.float32) - normals @ origin)[None]
    with np.errstate(divide="ignore", invalid="ignore"):
        way = gap / facing
    enter = np.where(facing < 0, way, -np.inf)
    leave = np.where(facing > 0, way, np.inf)
    face = enter.argmax(axis=1)
    start = enter.max(axis=1)
    hit = start < leave.min(axis=1)
    points = origin + rays[hit] * start[hit, None]
    face = face[hit]
    # Rounded edges: normals turn towards the neighbor near an edge.
    reach = np.float32(0.02 + 0.5 * look.round)
    depth = solid.offsets.astype(np.float32) - points @ normals.T
    depth[np.arange(len(face)), face] = np.inf
    nearest = depth.argmin(axis=1)
    blend = np.clip(1 - depth.min(axis=1) / reach, 0, 1)[:, None] * 0.5
    mixed = normals[face] * (1 - blend) + normals[nearest] * blend
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    return (
        hit,
        np.asarray(points, np.float32),
        np.asarray(mixed, np.float32),
        solid.ink(points, face, look.font, look.typeface),
    )


@lru_cache(maxsize=64)
def _waves(seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    return rng.normal(0, 7, (3, 5)).astype(np.float32), rng.uniform(0, 6.3, 5).astype(np.float32)


def _material(look: DieLook, points: Floats, ink: Floats) -> Floats:
    """(n, 3) BGR of the unlit surface."""
    body = np.broadcast_to(np.array(look.body, np.float32), points.shape)
    if look.mottle > 0:
        directions, phases = _waves(look.seed)
        share = np.sin(points @ directions + phases).sum(axis=1) * 0.45 + 0.5
        share = np.clip(share, 0, 1)[:, None] * np.float32(look.mottle)
        body = body * (1 - share) + np.array(look.mottle_color, np.float32) * share
    return np.asarray(body * (1 - ink[:, None]) + np.array(look.ink, np.float32) * ink[:, None], np.float32)


def _shade(look: DieLook, light: DiceLight, normals: Floats, rays: Floats, albedo: Floats, height: Floats) -> Floats:
    """(n, 3) BGR 0-255 as the camera sees it, more where light is mirrored; the frame is the world's, z up."""
    towards = np.array(light.towards, np.float32)
    towards /= np.linalg.norm(towards)
    up = normals[:, 2:]
    direct = np.clip(normals @ towards, 0, None)[:, None]
    sky = np.clip(light.around + (1 - light.around) * up, 0, 1)
    near_table = 1 - light.contact * np.clip(0.45 - 0.6 * height, 0, 1)[:, None]
    bounce = np.array(light.ground, np.float32) / 255 * (1 - sky) * 0.6
    lit = light.ambient * (sky + bounce) * near_table + (1 - light.ambient) * direct
    tint = np.array(light.tint, np.float32) * np.float32(light.level)
    mirrored = rays - 2 * np.einsum("ij,ij->i", rays, normals)[:, None] * normals
    toward_light = np.clip(mirrored @ towards, 0, 1)[:, None]
    edge_on = 1 - np.clip(-np.einsum("ij,ij->i", rays, normals), 0, 1)[:, None]
    fresnel = 0.05 + 0.6 * edge_on**5
    room = np.clip(mirrored[:, 2:] * 0.5 + 0.4, 0, 1) * 0.8
    lamp = _mirrored_light(toward_light, light.window * 0.25, look.rough) * light.glare * (1 - light.ambient)
    for other in light.lamps:
        beside = mirrored @ (np.array(other, np.float32) / np.float32(np.linalg.norm(other)))[:, None]
        lamp += _mirrored_light(beside, light.window * 0.2, look.rough) * light.glare / 1.5
    for middle, along, reach in light.tubes:
        lamp += _mirrored_light(tube_cosine(mirrored, middle, along, reach), 0.003, look.rough) * light.glare / 1.5
    shine = look.gloss * (fresnel * room + (0.05 + fresnel * 0.5) * lamp + 0.12 * toward_light**30)
    # Glints far smaller than a px are that much brighter than white.
    return np.asarray(np.clip((albedo * lit + 255 * shine) * tint, 0, 5 * 255), np.float32)


def tube_cosine(
    rays: Floats, middle: tuple[float, float, float], along: tuple[float, float, float], reach: float
) -> Floats:
    """(n, 1) cosine between rays (n, 3) and the nearest point of a tube, see `DiceLight.tubes`."""
    towards = np.array(middle, np.float32) / np.float32(np.linalg.norm(middle))
    lies = np.array(along, np.float32)
    lies -= (lies @ towards) * towards
    lies /= np.linalg.norm(lies) + np.float32(1e-6)
    steps = np.clip(rays @ lies / np.maximum(rays @ towards, np.float32(0.1)), -reach, reach)[:, None]
    nearest = (towards + steps * lies) / np.sqrt(1 + steps * steps)
    return np.asarray((rays * nearest).sum(axis=1, keepdims=True), np.float32)


def _mirrored_light(toward: Floats, size: float, rough: float) -> Floats:
    """How much, 0-1, of a light of a size (difference of cosines) is mirrored so near (cosine) to it."""
    inside = toward - np.float32(1 - size)
    lamp = np.clip(inside / np.float32(0.02), 0, 1)
    return lamp if rough == 0 else np.maximum(lamp, np.exp(np.minimum(inside, 0) / np.float32(rough)))


def random_look(rng: np.random.Generator, kind: str = "d6") -> DieLook:
    """A die as one may come across: mostly plain white, ivory, black, red, blue, now and then anything."""
    body, ink = _random_colors(rng)
    look = DieLook(
        kind=kind,
        body=body,
        ink=ink,
        round=float(rng.uniform(0.03, 0.2)),
        ball=float(rng.choice([0.87, rng.uniform(0.68, 0.82)])),
        pip_radius=float(rng.uniform(0.066, 0.13)),
        pip_spread=float(rng.uniform(0.2, 0.29)),
        big_one=float(rng.choice([1.0, rng.uniform(1.1, 2.0)])),
        stretch=_random_stretch(rng),
        dent=float(rng.choice([0.0, rng.uniform(0.2, 1.2)])),
        turned=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
        gloss=float(rng.choice([rng.uniform(0, 0.3), rng.uniform(0.3, 1.0)], p=[0.4, 0.6])),
        rough=float(np.exp(rng.uniform(*np.log([0.003, 0.06])))),
        bulge=float(rng.choice([0.0, rng.uniform(0.1, 1.2)], p=[0.3, 0.7])),
        font=int(rng.integers(FONTS)),
        seed=int(rng.integers(1000)),
    )
    if rng.random() < 0.25:
        blue, green, red = (float(c) for c in np.clip(np.array(body) + rng.normal(0, 45, 3), 0, 255))
        look = replace(look, mottle=float(rng.uniform(0.2, 0.9)), mottle_color=(blue, green, red))
    if rng.random() < 0.12:
        look = replace(look, clear=float(rng.uniform(0.05, 0.35)))
    return look


def marbled(rng: np.random.Generator, look: DieLook) -> DieLook:
    """The die in dark swirls and glossy, with pips that stand out by their color more than by being brighter."""
    gray = rng.uniform(12, 75) * rng.uniform(0.9, 1.1, 3)
    swirl = _vivid(rng) * 0.8 if rng.random() < 0.5 else gray * rng.uniform(0.2, 0.7)
    while True:
        # Every other time red, as most of these are.
        ink = _vivid(rng) if rng.random() < 0.5 else np.array([50, 45, 155]) * rng.uniform(0.7, 1.3, 3)
        if min(float(np.abs(color - ink).max()) for color in (gray, swirl)) > 45:
            break
    return replace(
        look,
        body=tuple(gray.tolist()),
        ink=tuple(ink.tolist()),
        mottle=float(rng.uniform(0.3, 1.0)),
        mottle_color=tuple(swirl.tolist()),
        gloss=float(rng.uniform(0.4, 1.0)),
        clear=float(rng.choice([0.0, rng.uniform(0.0, 0.2)])),
        smoky=float(rng.choice([0.0, rng.uniform(0.2, 0.8)])),
    )


def _random_stretch(rng: np.random.Generator) -> tuple[tuple[float, float], ...]:
    even = [float(factor) for factor in np.clip(rng.normal(1, 0.06, 6), 0.85, 1.12)]
    across = float(rng.choice([1.0, rng.uniform(0.58, 1.0)]))
    along = float(rng.choice([1.0, rng.uniform(0.9, 1.15)]))
    return (*((factor, factor) for factor in even[:5]), (even[5] * across, even[5] * along))


def _random_colors(rng: np.random.Generator) -> tuple[Color, Color]:
    """Body and ink with enough contrast to be read."""
    kind = rng.choice(5, p=[0.24, 0.08, 0.34, 0.25, 0.09])
    white = rng.uniform(215, 255)
    while True:
        if kind == 0:
            body = np.array([white, white, white]) * rng.uniform(0.94, 1, 3)
            ink = np.full(3, rng.uniform(0, 45)) if rng.random() < 0.8 else _vivid(rng)
        elif kind == 1:
            body = np.array([rng.uniform(165, 215), rng.uniform(205, 232), rng.uniform(220, 248)])
            ink = np.full(3, rng.uniform(0, 50))
        elif kind == 2:
            body = np.full(3, rng.uniform(4, 50)) + rng.uniform(0, 12, 3)
            ink = np.full(3, white) if rng.random() < 0.75 else _vivid(rng)
        elif kind == 3:
            body = _vivid(rng)
            ink = np.full(3, white) if rng.random() < 0.65 else np.full(3, rng.uniform(5, 40))
        else:
            body, ink = rng.uniform(0, 255, 3), _vivid(rng) if rng.random() < 0.5 else rng.uniform(0, 255, 3)
        weights = np.array([0.114, 0.587, 0.299])
        if abs(float((body - ink) @ weights)) > 42 or float(np.abs(body - ink).max()) > 120:
            return tuple(float(c) for c in body), tuple(float(c) for c in ink)  # type: ignore[return-value]


def _vivid(rng: np.random.Generator) -> Matrix:
    """A saturated color."""
    hue, value, low = rng.uniform(0, 6), rng.uniform(70, 240), rng.uniform(0.02, 0.4)
    ramp = np.clip(np.abs((hue + np.array([0, 2, 4])) % 6 - 3) - 1, 0, 1)
    return np.asarray(value * (low + (1 - low) * ramp))
