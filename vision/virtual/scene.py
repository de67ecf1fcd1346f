"""What stands on the table at one moment, and how one table looks."""

from dataclasses import dataclass, field, replace

import numpy as np

from vision.virtual.artwork import STYLES, BoardStyle
from vision.virtual.background import Paper
from vision.virtual.camera import Camera
from vision.virtual.dice import DieLook, random_look
from vision.virtual.geometry import BoardGeometry
from vision.virtual.hand import HandPose
from vision.virtual.light import Light
from vision.virtual.shapes import METAL_KINDS, PAWN_COLORS
from vision.virtual.surfaces import SURFACES

#: Body and ink of the dice, by name: BGR.
DICE_COLORS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "white/black": ((232, 235, 236), (28, 28, 28)),
    "ivory/black": ((190, 222, 235), (25, 25, 30)),
    "red/white": ((40, 35, 190), (240, 240, 240)),
    "black/white": ((34, 34, 34), (238, 238, 238)),
    "blue/white": ((165, 75, 25), (240, 240, 240)),
    "green/white": ((60, 120, 30), (240, 240, 240)),
}


@dataclass(frozen=True)
class Piece:
    """A token, a building, a marker or a deck.

    Attributes:
        name: tells pieces of one scene apart: a token's enrolled name, `house 24 2`, `bomb 5`, …
        kind: a kind of `shapes.solid_of`.
        x, y, z: meters, of its base.
        yaw: radians, counterclockwise.
        speed: (x, y) meters during one exposure.
    """

    name: str
    kind: str
    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    speed: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Die:
    """A die, at rest on a face or tumbling.

    Attributes:
        yaw: radians about the vertical.
        tilt: radians about a level axis, for a tumbling die.
        z: meters of its lowest point over the table.
        speed: (x, y) meters during one exposure.
    """

    value: int
    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    tilt: float = 0.0
    speed: tuple[float, float] = (0.0, 0.0)
    kind: str = "d6"


@dataclass(frozen=True)
class Scene:
    """Everything that can move."""

    pieces: tuple[Piece, ...] = ()
    dice: tuple[Die, ...] = ()
    hands: tuple[HandPose, ...] = ()

    @property
    def things(self) -> tuple[Piece | Die, ...]:
        """Pieces, then dice."""
        return (*self.pieces, *self.dice)


@dataclass(frozen=True)
class Moment:
    """How the camera took one frame.

    Attributes:
        gain: BGR factors of exposure and white balance around 1.
        blur_px: sigma of the defocus beyond the lens's own softness.
        shake_px: (dx, dy) of camera shake.
        noise_seed: picks the noise.
    """

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    blur_px: float = 0.0
    shake_px: tuple[float, float] = (0.0, 0.0)
    noise_seed: int = 0


@dataclass(frozen=True)
class TableStyle:
    """One table: board, table top, light, camera, dice and tokens.

    Attributes:
        tokens: enrolled name -> kind of `shapes.solid_of`.
        dice: a key of `DICE_COLORS`.
        has_decks: card decks stand on the board during play, though not when it is calibrated.
        noise: sigma of the sensor's noise at mid gray, 0-255.
        softness_px: sigma of the lens's blur.
        jpeg_quality: of the stream, 0-100.
        drift: how far exposure and white balance wander from frame to frame.
    """

    name: str
    geometry: BoardGeometry
    board: BoardStyle
    surface: str
    light: Light
    camera: Camera
    tokens: dict[str, str]
    dice: str = "white/black"
    die_m: float = 0.016
    has_decks: bool = False
    papers: tuple[Paper, ...] = ()
    noise: float = 3.0
    softness_px: float = 0.7
    sharpening: float = 0.4
    jpeg_quality: int = 88
    drift: float = 0.02
    seed: int = 0
    mugs: tuple[Piece, ...] = field(default=())

    def die_look(self, kind: str = "d6") -> DieLook:
        """How this table's dice are made."""
        rng = np.random.default_rng([self.seed, 41])
        body, ink = ((float(b), float(g), float(r)) for b, g, r in DICE_COLORS[self.dice])
        return replace(random_look(rng, kind), body=body, ink=ink, mottle=0.0, clear=0.0)

    @classmethod
    def random(
        cls, seed: int, tokens: list[str] | int = 4, size: tuple[int, int] = (1280, 720), name: str | None = None
    ) -> "TableStyle":
        """A table drawn by chance, the same for the same seed.

        Args:
            tokens: names that are kinds as well, or how many to draw.
        """
        rng = np.random.default_rng([seed, 77])
        names = draw_tokens(rng, tokens) if isinstance(tokens, int) else list(tokens)
        geometry = BoardGeometry(
            margin_frac=float(rng.uniform(0.008, 0.02)),
            corner_units=float(rng.choice([1.5, 1.6, 1.7])),
            strip_frac=float(rng.uniform(0.19, 0.24)),
        )
        board = STYLES[int(rng.integers(len(STYLES)))]
        light = Light.random(rng)
        is_dim = light.level < 0.55
        return cls(
            name=name or f"v{seed:03d}_{board.name}",
            geometry=geometry,
            board=board,
            surface=str(rng.choice(SURFACES)),
            light=light,
            camera=random_camera(rng, size),
            tokens={token: token for token in names},
            dice=str(rng.choice(list(DICE_COLORS), p=[0.34, 0.2, 0.14, 0.14, 0.1, 0.08])),
            die_m=float(rng.uniform(0.015, 0.018)),
            has_decks=bool(rng.random() < 0.5),
            papers=random_papers(rng),
            noise=float(rng.uniform(4.0, 7.0) if is_dim else rng.uniform(1.5, 4.5)),
            softness_px=float(rng.uniform(0.5, 0.95)),
            sharpening=float(rng.uniform(0.0, 0.7)),
            jpeg_quality=int(rng.integers(82, 95)),
            drift=float(rng.uniform(0.005, 0.035)),
            seed=seed,
            mugs=random_mugs(rng),
        )


def draw_tokens(rng: np.random.Generator, count: int) -> list[str]:
    """Names of one set of tokens: pawns, meeples, or metal with pawns to fill up."""
    colors = [str(color) for color in rng.permutation(list(PAWN_COLORS))]
    family = str(rng.choice(["pawn", "meeple", "metal"]))
    if family != "metal":
        return [f"{color}_{family}" for color in colors[:count]]
    metal = [str(kind) for kind in rng.permutation(list(METAL_KINDS))]
    return metal[:count] + [f"{color}_pawn" for color in colors[: max(0, count - len(metal))]]


def random_camera(
    rng: np.random.Generator,
    size: tuple[int, int],
    elevations: tuple[float, float] = (45, 90),
    fovs: tuple[float, float] = (56, 76),
    k1s: tuple[float, float] = (-0.09, 0.03),
    nearest_m: float = 0.5,
) -> Camera:
    """A camera so many degrees over the table that has all the board in view.

    Args:
        fovs: degrees across the picture.
        k1s: distortion.
        nearest_m: to the board's middle.
    """
    elevation = float(rng.uniform(*elevations))
    fov = float(rng.uniform(*fovs))
    yaw = float(rng.choice([0, 90, 180, 270]) + rng.uniform(-40, 40))
    aim = (float(rng.uniform(-0.05, 0.05)), float(rng.uniform(-0.03, 0.03)))
    roll, k1 = float(rng.uniform(-3, 3)), float(rng.uniform(*k1s))
    distance = nearest_m
    corners = BoardGeometry().corners()
    room = float(rng.uniform(0.03, 0.12))
    while True:
        camera = Camera.looking_at(aim, elevation, yaw, distance, roll, fov, size, k1)
        px = camera.project(corners) / np.array(size)
        if px.min() > room and px.max() < 1 - room:
            return camera
        distance += 0.02


def nudged(camera: Camera, rng: np.random.Generator, size: tuple[int, int]) -> Camera:
    """The same camera after somebody touched it."""
    turn = rng.normal(0, 0.02, 3)
    skew = np.array([[0, -turn[2], turn[1]], [turn[2], 0, -turn[0]], [-turn[1], turn[0], 0]])
    u, _, vt = np.linalg.svd(np.eye(3) + skew)
    rotation = u @ vt
    moved = rotation @ camera.rotation
    shift = rng.normal(0, 0.012, 3)
    return replace(camera, size=size, rotation=moved, translation=rotation @ camera.translation + shift)


def _beside(rng: np.random.Generator, reach: tuple[float, float]) -> tuple[float, float]:
    angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(*reach)
    return float(distance * np.cos(angle)), float(distance * np.sin(angle))


def random_papers(rng: np.random.Generator) -> tuple[Paper, ...]:
    """Money, title deeds and phones around the board."""
    papers = []
    stripes = ((40, 40, 200), (180, 90, 30), (60, 150, 40), (40, 200, 240), (120, 60, 160))
    for _ in range(int(rng.integers(0, 7))):
        x, y = _beside(rng, (0.42, 0.75))
        ground = ((235, 240, 242), (170, 215, 190), (200, 190, 230), (30, 30, 30))[int(rng.integers(4))]
        size = (
            (0.07, 0.15) if ground == (30, 30, 30) else (float(rng.uniform(0.05, 0.1)), float(rng.uniform(0.05, 0.1)))
        )
        stripe = (45, 45, 45) if ground == (30, 30, 30) else stripes[int(rng.integers(len(stripes)))]
        papers.append(Paper(x, y, float(rng.uniform(0, 6.3)), size, (ground, stripe)))
    return tuple(papers)


def random_mugs(rng: np.random.Generator) -> tuple[Piece, ...]:
    """At most one mug."""
    if rng.random() < 0.6:
        return ()
    x, y = _beside(rng, (0.46, 0.6))
    return (Piece("mug", "mug", x, y),)
