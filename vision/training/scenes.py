"""Pictures of dice to learn from: rendered dice over drawn boards, table tops and photographs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.foreground import match_colors, recolor
from vision.dice.crops import stance_of
from vision.pixels import halved
from vision.training.notes import lay_notes
from vision.training.props import Block, draw_block, held_by
from vision.training.typefaces import typefaces
from vision.virtual.artwork import STYLES, draw_board
from vision.virtual.dice import (
    Color,
    DiceLight,
    DieLook,
    DiePatch,
    Eye,
    corners_of,
    draw_die,
    marbled,
    random_look,
    resting,
    turn_up,
    up_of,
)
from vision.virtual.figures import draw_figure, random_figure
from vision.virtual.geometry import BoardGeometry
from vision.virtual.sprite import Layer
from vision.virtual.surfaces import SURFACES, draw_surface

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

#: Side of a picture, px.
SIDE = 224
_FACES = {"d6": 6, "d4": 4, "d8": 8, "d20": 20}
#: Least and most edge of a solid in edges of a d6.
_EDGES = {"d6": (0.9, 1.1), "d4": (1.0, 1.8), "d8": (0.8, 1.2), "d20": (0.65, 1.3)}
#: So many d6 are marbled, which are hard to read, and so many sink around their pips.
_MARBLED, _SINKING = 0.2, 0.3
#: From so many radians on a die is cocked; so many are, where nothing else is said.
_COCKED_FROM, COCKED = 0.22, 0.08
#: Where more are, a block holds so many of them up, and so many that lie flat lie beside one; so many blocks were there
#: before the dice.
_HELD, _BESIDE, _BEFORE = 0.6, 0.3, 0.4
#: Marks what lies before a die and is none.
_COVERED = -2
#: Ink that differs from the body by that much light, 0-255, is read in most light.
_STANDS_OUT, _LUMA = 85.0, np.array([0.114, 0.587, 0.299])
#: Nothing lies nearer to the eye, in edges.
_NEAREST = 4.0


@dataclass(frozen=True)
class Label:
    """One die of a picture.

    Attributes:
        top_px: center of the upper face.
        edge_px: edge of the upper face as the root of its area.
        visible: share of the upper face's middle that nothing covers, 0-1.
        lean: angle in radians, clockwise, by which what stands upright there leans in the picture.
        squash: by how much a level plane looks foreshortened there; 1 is seen from straight above, or not known.
        slant: (2,) by how many radians the upper face is turned away from the eye, to the right and up the picture.
    """

    kind: str
    value: int
    top_px: tuple[float, float]
    edge_px: float
    box: tuple[float, float, float, float]
    cocked: bool
    visible: float
    lean: float = 0.0
    squash: float = 1.0
    slant: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Picture:
    """(SIDE, SIDE, 3) BGR and what lies in it; and `before`, the same place when it was empty (see `seen_before`)."""

    image: Image
    labels: tuple[Label, ...]
    before: Image


def make_picture(
    rng: np.random.Generator,
    photographs: Sequence[Image] = (),
    side: int = SIDE,
    is_numbered: bool = False,
    cocked: float = COCKED,
) -> Picture:
    """One random picture.

    Args:
        photographs: without dice; backgrounds are cut from them.
        is_numbered: only d4 and d20, one or two.
        cocked: share of the dice that lie cocked.
    """
    canvas = _background(rng, photographs, side).astype(np.float32)
    edge_px = float(np.exp(rng.uniform(*np.log([16, 60] if is_numbered else [10.5, 36]))))
    looks = _numbered(rng) if is_numbered else random_looks(rng)
    if rng.random() < 0.5:
        _print(rng, canvas, [look.body for look in looks] + [look.ink for look in looks])
    if rng.random() < 0.25:
        looks = [of_ground_color(rng, look, canvas) for look in looks]
    empty = canvas.copy()
    eye, light = _eye(rng, edge_px, side), _light(rng, canvas)
    if rng.random() < 0.15:
        lay_notes(rng, canvas, eye, np.zeros(2), 1.0)
    figures = int(rng.integers(0, 4)) if rng.random() < 0.6 else 0
    # Numerals at the rim of the picture would be cut.
    reach = side / edge_px * (0.5 if is_numbered else 1.0)
    spots = random_spots(rng, len(looks) + figures, reach)
    labels = lay_things(rng, canvas, looks, spots, eye, light, cocked=cocked, empty=empty)
    image = camera_effects(canvas, rng, edge_px)
    return Picture(image, tuple(labels), seen_before(empty, image, rng))


def lay_things(
    rng: np.random.Generator,
    canvas: Floats,
    looks: Sequence[DieLook],
    spots: NDArray[np.float64],
    eye: Eye,
    light: DiceLight,
    edge: float = 1.0,
    cocked: float = COCKED,
    empty: Floats | None = None,
) -> list[Label]:
    """Lays dice on the spots (n, 2), and figures on those that are left, the far ones first.

    Args:
        edge: of a d6, in the world's units.
        cocked: share of the dice that lie cocked; where more do than usual, some blocks lie about.
        empty: the place without dice, on which some of the blocks are drawn too.
    """
    owners = np.full(canvas.shape[:2], -1, np.int32)
    away = np.linalg.norm(np.column_stack([spots, np.zeros(len(spots))]) - eye.position, axis=1)
    placed: list[tuple[int, DiePatch, tuple[float, float], tuple[float, float]]] = []
    for number, index in enumerate(np.argsort(-away)):
        at = (float(spots[index][0]), float(spots[index][1]))
        if eye.projection[2] @ (*at, 0, 1) < _NEAREST * edge:
            continue
        if index >= len(looks):
            figure = random_figure(rng, (at[0] / edge, at[1] / edge))
            _lay(canvas, draw_figure(figure, eye.in_units_of(edge), light), owners, number)
            continue
        look, ball = looks[index], looks[index].ball < 0.6
        own_edge = edge * float(rng.uniform(*_EDGES[look.kind]))
        tilt = float(rng.uniform(_COCKED_FROM + 0.06, 0.6)) if rng.random() < cocked and not ball else 0.0
        value = int(rng.integers(1, _FACES[look.kind] + 1))
        yaw, axis = rng.uniform(0, 6.3), rng.uniform(0, 6.3)
        rotation = turn_up(look.kind, value, yaw, tilt, axis)
        center = resting(look, rotation, at, own_edge)
        corners = corners_of(look.kind) @ rotation.T * own_edge + center
        block = None
        if cocked > COCKED and rng.random() < (_HELD if tilt else _BESIDE):
            held = held_by(rng, corners, yaw + axis + 0.5 * np.pi, tilt, look.body)
            block = held if held.is_clear(np.delete(spots, index, axis=0), eye, edge) else None
        is_before = block is not None and block.is_before(spots[index], eye)
        if block and not is_before:
            _stand(rng, canvas, empty, block, eye, light, owners)
        _shadow(canvas, corners, eye, light, owners)
        patch = draw_die(look, rotation, center, eye, light, own_edge)
        _lay(canvas, Layer(patch.x, patch.y, patch.alpha, patch.bgr), owners, number)
        if block and is_before:
            _stand(rng, canvas, empty, block, eye, light, owners)
        if look.pip_radius > 0 and not ball:
            slant = _slant(eye, center, rotation @ up_of(look.kind, value) * own_edge)
            placed.append((number, patch, _stance(eye, center, own_edge), slant))
    if rng.random() < 0.25:
        _cover(rng, canvas, owners)
    labels = [_label(patch, owners, number, stance, slant) for number, patch, stance, slant in placed]
    return [label for label in labels if label is not None]


def _stance(eye: Eye, center: NDArray[np.float64], edge: float) -> tuple[float, float]:
    """(lean, squash) as of `Label`."""
    lean, squash = stance_of(np.array(_slant(eye, center, np.array([0, 0, edge]))))
    return float(lean), float(squash)


def _slant(eye: Eye, center: NDArray[np.float64], normal: NDArray[np.float64]) -> tuple[float, float]:
    """As of `Label`, of a face with this normal, of any length."""
    right, down = np.subtract(*eye.project(np.stack([center + 0.5 * normal, center])))
    ray = eye.position - center
    away = np.arccos(np.clip(normal @ ray / np.linalg.norm(normal) / np.linalg.norm(ray), -1, 1))
    length = max(float(np.hypot(right, down)), 1e-9)
    return float(away * right / length), float(-away * down / length)


def _label(
    patch: DiePatch,
    owners: NDArray[np.int32],
    number: int,
    stance: tuple[float, float],
    slant: tuple[float, float],
) -> Label | None:
    x, y = patch.top_px
    if not (0 <= x < owners.shape[1] and 0 <= y < owners.shape[0]):
        return None
    # Seen from aslant the disk reaches beyond the die; what is on it counts, also where that is out of the picture.
    upper = np.zeros(patch.alpha.shape, np.uint8)
    at = round(x) - patch.x, round(y) - patch.y
    cv2.circle(upper, at, max(round(0.36 * patch.edge_px), 2), 1, -1)
    own = np.argwhere((upper > 0) & (patch.alpha > 0.2)) + np.array([patch.y, patch.x])
    inside = own[((own >= 0) & (own < owners.shape)).all(axis=1)]
    visible = float((owners[tuple(inside.T)] == number).sum()) / max(len(own), 1)
    is_cocked = patch.tilt > _COCKED_FROM
    return Label(patch.kind, patch.value, patch.top_px, patch.edge_px, patch.box, is_cocked, visible, *stance, slant)


def random_looks(rng: np.random.Generator, most: int = 7) -> list[DieLook]:
    """What lies about: mostly one or two kinds of dice, now and then blank cubes, balls and other solids."""
    first = _random_d6(rng)
    looks = []
    for _ in range(int(rng.integers(0, most + 1))):
        draw = rng.random()
        if draw < 0.5:
            looks.append(first)
        elif draw < 0.72:
            looks.append(_random_d6(rng))
        elif draw < 0.9:
            looks.append(_typeset(rng, random_look(rng, str(rng.choice(["d20", "d20", "d4", "d4", "d8"])))))
        elif draw < 0.97:
            looks.append(replace(random_look(rng), pip_radius=0.0))
        else:
            looks.append(replace(random_look(rng), pip_radius=0.0, ball=0.5, round=0.0))
    return looks


def _random_d6(rng: np.random.Generator) -> DieLook:
    """Now and then a marbled one, and one whose face sinks towards its pips."""
    look = random_look(rng)
    if rng.random() < _MARBLED:
        look = marbled(rng, look)
    return replace(look, sink=float(rng.uniform(0.03, 0.4))) if rng.random() < _SINKING else look


def _numbered(rng: np.random.Generator) -> list[DieLook]:
    kinds = rng.choice(["d20", "d4"], int(rng.integers(1, 3)), p=[0.65, 0.35])
    return [_typeset(rng, _readable(rng, str(kind))) for kind in kinds]


def _readable(rng: np.random.Generator, kind: str) -> DieLook:
    """A die whose ink mostly stands out from its body, mottled or not: what nobody reads teaches nothing."""
    while True:
        look = random_look(rng, kind)
        bodies = np.array([look.body, look.mottle_color if look.mottle > 0.4 else look.body])
        apart = np.abs((bodies - look.ink) @ _LUMA).min()
        if apart > _STANDS_OUT or rng.random() < 0.15:
            return look


def of_ground_color(rng: np.random.Generator, look: DieLook, canvas: Floats) -> DieLook:
    """The die in a color of the ground, as red dice on a red board."""
    y, x = (int(v) for v in rng.integers(0, canvas.shape[:2]))
    blue, green, red = (float(v) for v in np.clip(canvas[y, x] * rng.uniform(0.8, 1.2) + rng.normal(0, 8, 3), 0, 255))
    ink = 20.0 if 0.114 * blue + 0.587 * green + 0.299 * red > 130 else 245.0
    return replace(look, body=(blue, green, red), ink=(ink, ink, ink))


def _typeset(rng: np.random.Generator, look: DieLook) -> DieLook:
    """Mostly with numerals of a printed typeface, else drawn with a pen."""
    return look if rng.random() < 0.2 else replace(look, typeface=str(rng.choice(typefaces())))


def _eye(rng: np.random.Generator, edge_px: float, side: int) -> Eye:
    elevation = float(rng.choice([rng.uniform(0.62, 1.2), rng.uniform(1.0, 1.56)]))
    distance = float(np.exp(rng.uniform(np.log(9), np.log(60))))
    center = (side / 2, side / 2)
    # From straight above a picture may be taken from any side; from aslant people hold the camera upright, but
    # what stands towards the sides of a wide picture leans outwards.
    roll = float(rng.uniform(0, 6.3)) if elevation > 1.2 and rng.random() < 0.6 else float(rng.normal(0, 0.4))
    return Eye.above(elevation, distance, edge_px * distance, center, roll=roll)


def _light(rng: np.random.Generator, canvas: Floats) -> DiceLight:
    angle, slope = rng.uniform(0, 6.3), rng.uniform(0.5, 3)
    ground = canvas.mean(axis=(0, 1))
    blue, green, red = (float(v) for v in np.clip(rng.normal(1, 0.05, 3), 0.8, 1.2))
    window, glare = random_glare(rng)
    return DiceLight(
        towards=(float(np.cos(angle)), float(np.sin(angle)), float(slope)),
        ambient=float(rng.uniform(0.3, 0.8)),
        around=random_around(rng),
        contact=float(rng.uniform(0, 1)),
        level=float(rng.uniform(0.75, 1.25)),
        tint=(blue, green, red),
        ground=(float(ground[0]), float(ground[1]), float(ground[2])),
        window=window,
        lamps=random_lamps(rng),
        tubes=random_tubes(rng),
        glare=glare,
    )


def random_around(rng: np.random.Generator) -> float:
    """See `DiceLight.around`; between bright walls upper faces are hardly brighter than others."""
    return float(rng.choice([0.5, rng.uniform(0.4, 0.95)]))


def random_lamps(rng: np.random.Generator) -> tuple[tuple[float, float, float], ...]:
    """Directions of up to five further lights in the room."""
    angles, slopes = rng.uniform(0, 6.3, 5), rng.uniform(0.2, 3, 5)
    every = [(float(np.cos(a)), float(np.sin(a)), float(s)) for a, s in zip(angles, slopes, strict=True)]
    return tuple(every[: int(rng.integers(0, 6))])


def random_tubes(
    rng: np.random.Generator,
) -> tuple[tuple[tuple[float, float, float], tuple[float, float, float], float], ...]:
    """Now and then one or two strip lights or narrow windows; see `DiceLight.tubes`."""
    tubes = []
    for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.35 else 0):
        a, b, slope = rng.uniform(0, 6.3), rng.uniform(0, 6.3), float(np.exp(rng.uniform(np.log(0.4), np.log(8))))
        middle = (float(np.cos(a)), float(np.sin(a)), slope)
        tubes.append((middle, (float(np.cos(b)), float(np.sin(b)), 0.0), float(rng.uniform(0.15, 1.2))))
    return tuple(tubes)


def random_glare(rng: np.random.Generator) -> tuple[float, float]:
    """Size and brightness of lights where dice mirror them: from a dull window to a bare bulb."""
    size = float(rng.uniform(0, 1)) ** 3
    return size, float(np.exp(rng.uniform(*np.log([4, 40])))) * (1 - size) ** 2 + 3


def random_spots(rng: np.random.Generator, count: int, reach: float) -> NDArray[np.float64]:
    """(count, 2) places on the table; some touch, none overlap."""
    spots: list[NDArray[np.float64]] = []
    for _ in range(200):
        if len(spots) == count:
            break
        if spots and rng.random() < 0.45:
            angle = rng.uniform(0, 6.3)
            spot = spots[-1] + rng.uniform(1.01, 1.45) * np.array([np.cos(angle), np.sin(angle)])
        else:
            spot = rng.uniform(-0.5, 0.5, 2) * reach
        if all(np.linalg.norm(spot - other) > (1.0 if rng.random() < 0.5 else 1.25) for other in spots):
            spots.append(spot)
    return np.array(spots).reshape(-1, 2)


def _lay(canvas: Floats, layer: Layer, owners: NDArray[np.int32], number: int) -> None:
    height, width = layer.alpha.shape
    x0, y0 = max(layer.x, 0), max(layer.y, 0)
    x1, y1 = min(layer.x + width, canvas.shape[1]), min(layer.y + height, canvas.shape[0])
    if x0 >= x1 or y0 >= y1 or layer.bgr is None:
        return
    own = np.s_[y0 - layer.y : y1 - layer.y, x0 - layer.x : x1 - layer.x]
    alpha = layer.alpha[own][..., None]
    canvas[y0:y1, x0:x1] = canvas[y0:y1, x0:x1] * (1 - alpha) + layer.bgr[own] * alpha
    owners[y0:y1, x0:x1][layer.alpha[own] > 0.2] = number


def _stand(
    rng: np.random.Generator,
    canvas: Floats,
    empty: Floats | None,
    block: Block,
    eye: Eye,
    light: DiceLight,
    owners: NDArray[np.int32],
) -> None:
    """A block and its shadow, now and then on the empty place too."""
    layer = draw_block(block, eye, light, rng)
    seen = [(canvas, owners)]
    if empty is not None and rng.random() < _BEFORE:
        seen.append((empty, np.full_like(owners, -1)))
    for one, own in seen:
        _shadow(one, block.corners, eye, light, own)
        _lay(one, layer, own, _COVERED)


def _shadow(
    canvas: Floats, corners: NDArray[np.float64], eye: Eye, light: DiceLight, owners: NDArray[np.int32]
) -> None:
    """Darkens the ground where the light does not reach a thing; earlier dice too, a little.

    Args:
        corners: (n, 3) of the thing.
    """
    towards = np.array(light.towards)
    flat = corners - towards * (corners[:, 2:] / towards[2])
    flat[:, 2] = 0
    size_px = float(np.ptp(eye.project(corners)[:, 0]))
    height, width = owners.shape
    for points, depth, soft in ((flat, 0.75 * (1 - light.ambient), 0.07), (corners * [1, 1, 0], 0.45, 0.1)):
        hull, sigma = cv2.convexHull(eye.project(points).astype(np.float32))[:, 0], max(0.5, soft * size_px)
        x0, y0 = np.maximum(np.floor(hull.min(axis=0) - 3 * sigma), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(hull.max(axis=0) + 3 * sigma) + 1, (width, height)).astype(int)
        if x0 >= x1 or y0 >= y1:
            continue
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, np.round((hull - (x0, y0)) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        dark = cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32) * np.float32(depth / 255)
        dark[owners[y0:y1, x0:x1] >= 0] *= 0.5
        canvas[y0:y1, x0:x1] *= 1 - dark[..., None]


def _cover(rng: np.random.Generator, canvas: Floats, owners: NDArray[np.int32]) -> None:
    """A finger, a card or a token in front."""
    height, width = owners.shape
    mask = np.zeros(owners.shape, np.uint8)
    x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
    axes = (int(rng.integers(4, 60)), int(rng.integers(4, 25)))
    cv2.ellipse(mask, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    color = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.array([110, 140, 190]) * rng.uniform(0.5, 1.2)
    shade = np.linspace(0.7, 1.15, height, dtype=np.float32)[:, None, None]
    alpha = mask[..., None].astype(np.float32) / np.float32(255)
    canvas[:] = canvas * (1 - alpha) + np.clip(color * shade, 0, 255) * alpha
    owners[mask > 127] = _COVERED


@lru_cache(maxsize=48)
def _artwork(number: int) -> Image:
    rng = np.random.default_rng([number, 5])
    if number % 3 == 2:
        return draw_surface(SURFACES[number // 3 % len(SURFACES)], rng)
    return draw_board(BoardGeometry(), STYLES[number % len(STYLES)], rng)


def _background(rng: np.random.Generator, photographs: Sequence[Image], side: int) -> Image:
    draw = rng.random()
    if photographs and draw < 0.15:
        return _cut(rng, photographs[int(rng.integers(len(photographs)))], side, 0.6, 1.6)
    if draw < 0.65:
        return _cut(rng, _artwork(int(rng.integers(48))), side, 0.35, 1.6)
    return _texture(rng, side)


def _texture(rng: np.random.Generator, side: int) -> Image:
    """Carpet, stone, cloth, gravel: noise of several sizes, dots and weave in two or three colors."""
    first = rng.uniform(0, 255, 3)
    spread = np.ones(3) * rng.normal(0, 60) + rng.normal(0, rng.uniform(2, 40), 3)
    height = np.zeros((side, side), np.float32)
    grain = int(rng.integers(2, 24))
    strength = float(rng.uniform(0.4, 1))
    while grain < side:
        octave = rng.standard_normal((grain, max(int(grain * rng.uniform(0.4, 2.2)), 2)), np.float32)
        height += strength * cv2.resize(octave, (side, side), interpolation=cv2.INTER_CUBIC)
        grain, strength = int(grain * rng.uniform(1.6, 3)), strength * float(rng.uniform(0.4, 1.1))
    draw = rng.random()
    if draw < 0.3:
        height = np.tanh(height * rng.uniform(1, 6))
    elif draw < 0.5:
        x, y = np.meshgrid(np.arange(side, dtype=np.float32), np.arange(side, dtype=np.float32))
        pitch, slant = rng.uniform(4, 26), rng.uniform(-0.5, 0.5)
        wave = np.sin((x + slant * y) * 6.28 / pitch) * np.sin((y - slant * x) * 6.28 / (pitch * rng.uniform(0.6, 1.6)))
        height = 0.5 * height + np.tanh(wave * rng.uniform(0.7, 4))
    canvas = first + height[..., None] * spread
    if rng.random() < 0.3:
        color, radius = rng.uniform(0, 255, 3).tolist(), float(rng.uniform(1, 6))
        for x, y in rng.uniform(0, side, (int(rng.integers(4, 90)), 2)):
            cv2.circle(
                canvas, (int(x), int(y)), max(round(radius * float(rng.uniform(0.8, 1.2))), 1), color, -1, cv2.LINE_AA
            )
    return np.clip(canvas + rng.normal(0, rng.uniform(0, 8), canvas.shape), 0, 255).astype(np.uint8)


def _print(rng: np.random.Generator, canvas: Floats, colors: list[Color]) -> None:
    """Words and bands as large as dice, now and then in the dice's own colors."""
    side, palette = canvas.shape[0], [rng.uniform(0, 255, 3), rng.uniform(0, 255, 3), np.full(3, rng.uniform(0, 255))]
    palette += [np.clip(np.array(color) * rng.uniform(0.75, 1.15) + rng.normal(0, 12), 0, 255) for color in colors]
    printed = canvas.copy()
    if rng.random() < 0.4:
        angle, width = float(rng.uniform(0, 6.3)), int(rng.integers(12, side))
        x, y = (int(v) for v in rng.integers(0, side, 2))
        reach = (int(side * 2 * np.cos(angle)), int(side * 2 * np.sin(angle)))
        ends = (x - reach[0], y - reach[1]), (x + reach[0], y + reach[1])
        cv2.line(printed, *ends, palette[int(rng.integers(len(palette)))].tolist(), width)
    for _ in range(int(rng.integers(2, 8))):
        word = "".join(chr(int(c)) for c in rng.integers(65, 91, int(rng.integers(2, 8))))
        height = float(np.exp(rng.uniform(np.log(10), np.log(90))))
        patch = np.zeros((side, side), np.uint8)
        thick = max(round(height * float(rng.uniform(0.06, 0.3))), 1)
        at = (int(rng.integers(-side // 2, side)), int(rng.integers(0, side + 30)))
        word = word if rng.random() < 0.5 else word.lower()
        cv2.putText(patch, word, at, int(rng.integers(0, 8)), height / 22, 255, thick, cv2.LINE_AA)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
        turn[1] *= rng.uniform(0.6, 1)
        ink = cv2.warpAffine(patch, turn, (side, side))[..., None].astype(np.float32) / np.float32(255)
        printed = printed * (1 - ink) + palette[int(rng.integers(len(palette)))] * ink
    canvas[:] = printed * (canvas.mean() / 255 * 0.5 + 0.6)
    np.clip(canvas, 0, 255, out=canvas)


def _cut(rng: np.random.Generator, image: Image, side: int, least: float, most: float) -> Image:
    """A turned, scaled and slanted piece."""
    scale = float(np.exp(rng.uniform(np.log(least), np.log(most))))
    angle = float(rng.uniform(0, 6.3))
    c, s = np.cos(angle) / scale, np.sin(angle) / scale
    squeeze = float(rng.uniform(0.6, 1.0))
    linear = np.array([[c, -s], [s, c]]) @ np.diag([1, 1 / squeeze])
    height, width = image.shape[:2]
    middle = np.array([rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height])
    matrix = np.column_stack([linear, middle - linear @ [side / 2, side / 2]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    source = image if scale > 0.8 else cv2.GaussianBlur(image, (0, 0), 0.4 / scale)
    cut = cv2.warpAffine(source, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REFLECT_101)
    gain = rng.uniform(0.5, 1.25) * np.clip(rng.normal(1, 0.06, 3), 0.8, 1.2)
    return np.clip(cut * gain, 0, 255).astype(np.uint8)


def seen_before(empty: Floats, image: Image, rng: np.random.Generator) -> Image:
    """What was there before the dice, as the reader has it: at half the size, in the picture's colors.

    Args:
        empty: (h, w, 3) 0-255, the place without dice; photographed in a light that differs softly from the picture's.
    """
    height, width = image.shape[:2]
    field = cv2.resize(np.exp(rng.normal(0, 0.05, (3, 3))).astype(np.float32), (width, height))
    before = halved(camera_effects(empty * field[..., None], rng, 16.0))
    return recolor(before, match_colors(before, halved(image)))


def camera_effects(canvas: Floats, rng: np.random.Generator, edge_px: float) -> Image:
    """Blur, shake, exposure, noise, sharpening and JPEG of a webcam or telephone.

    Args:
        edge_px: of the dice; no more is blurred than leaves their pips to be seen.
    """
    image = canvas
    if rng.random() < 0.6:
        sigma = float(rng.choice([rng.uniform(0.3, 0.9), rng.uniform(0.5, 1.7)]))
        image = cv2.GaussianBlur(image, (0, 0), min(sigma, 0.065 * edge_px))
    if rng.random() < 0.12:
        length, angle = min(rng.uniform(2, 6), 0.22 * edge_px), rng.uniform(0, 3.2)
        kernel = np.zeros((9, 9), np.float32)
        step = (length / 2 * np.array([np.cos(angle), np.sin(angle)]) * 16).astype(int)
        cv2.line(kernel, (64 - step[0], 64 - step[1]), (64 + step[0], 64 + step[1]), 1.0, 1, cv2.LINE_AA, 4)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    tint = np.clip(rng.normal(1, 0.05, 3), 0.8, 1.2)
    # Cameras expose what is dark for longer.
    lift = float(np.clip(rng.uniform(35, 75) / max(float(image[::4, ::4].mean()), 1.0), 1.0, 2.0))
    level = lift * float(rng.choice([rng.uniform(0.85, 1.15), rng.uniform(0.5, 1.35)]))
    lit = np.clip(image * np.asarray(tint * level / 255, np.float32), 0, 1)
    image = 255 * lit ** np.float32(np.exp(rng.normal(0, 0.12)))
    noise = float(rng.choice([rng.uniform(0, 3), rng.uniform(2, 9)]))
    image = image + rng.standard_normal(image.shape, np.float32) * np.float32(noise)
    if rng.random() < 0.4:
        image = image + (image - cv2.GaussianBlur(image, (0, 0), 1.0)) * rng.uniform(0.3, 1.4)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 97))]
    done, data = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), quality)
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
