"""How well dice are read for each color, angle of view and light: rendered pictures that nothing was trained on.

`python -m pytest -m benchmark tests/benchmarks/test_dice_by_kind.py -s -n 0` prints the table of `vision/README.md`.
Three d6 lie in each picture, 16 to 30 px wide, some touching, on table tops and drawn boards; every color is seen from
every angle in every light.
"""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice import DiceReader
from vision.sources import FrameBgr
from vision.training.scenes import Label, camera_effects, lay_things, random_spots
from vision.virtual.artwork import STYLES, draw_board
from vision.virtual.dice import DiceLight, DieLook, Eye, random_look
from vision.virtual.geometry import BoardGeometry
from vision.virtual.surfaces import SURFACES, draw_surface

#: Body, ink, and share of the ground that shines through.
COLORS: dict[str, tuple[tuple[float, float, float], tuple[float, float, float], float]] = {
    "white": ((245, 245, 245), (20, 20, 20), 0.0),
    "ivory": ((190, 220, 235), (30, 30, 30), 0.0),
    "black": ((25, 25, 25), (245, 245, 245), 0.0),
    "red": ((30, 25, 190), (245, 245, 245), 0.0),
    "blue": ((170, 70, 25), (245, 245, 245), 0.0),
    "green": ((60, 130, 30), (245, 245, 245), 0.0),
    "yellow, black pips": ((40, 200, 235), (20, 20, 20), 0.0),
    "gray, pips of low contrast": ((140, 140, 140), (70, 70, 70), 0.0),
    "red, translucent": ((40, 30, 200), (245, 245, 245), 0.3),
}
#: Degrees above the table.
ANGLES = {"35 to 50 degrees": (35, 50), "50 to 65 degrees": (50, 65), "65 to 88 degrees": (65, 88)}
SOFT = DiceLight(towards=(0.3, -0.4, 1.5), ambient=0.75, window=0.7, glare=3.0)
LIGHTS = {
    "soft daylight": SOFT,
    "a lamp from the side": replace(SOFT, towards=(0.9, 0.3, 0.55), ambient=0.35, tint=(0.8, 0.95, 1.1)),
    "bare bulbs mirrored": replace(
        SOFT, ambient=0.5, window=0.05, glare=30.0, lamps=((0.2, -0.6, 0.8), (-0.5, -0.3, 0.9), (0.1, -0.2, 1.0))
    ),
    "dim": replace(SOFT, level=0.3, ambient=0.6),
}
#: Pictures of each color from each angle in each light; nothing was trained on pictures of this seed.
EACH, SEED, SIDE = 2, 970_000, 224
#: Edges of the dice, px.
EDGES = (16.0, 30.0)
#: The share of all that is read right at least.
LEAST_RIGHT = 0.95


def picture(
    rng: np.random.Generator,
    color: str,
    angle: tuple[float, float],
    light: DiceLight,
    edges: tuple[float, float] = EDGES,
    side: int = SIDE,
) -> tuple[FrameBgr, list[Label], float, float]:
    """A picture, its dice, their edge in px, and the camera's angle above the table, radians."""
    level = light.level / SOFT.level
    canvas = ground_of(rng, side) * level
    blue, green, red = (float(value) for value in canvas.mean(axis=(0, 1)))
    edge_px, elevation = float(rng.uniform(*edges)), float(np.radians(rng.uniform(*angle)))
    distance = float(rng.uniform(25, 60))
    eye = Eye.above(elevation, distance, edge_px * distance, (side / 2, side / 2))
    looks = [look_of(rng, color) for _ in range(3)]
    spots = random_spots(rng, 3, 0.6 * side / edge_px)
    labels = lay_things(rng, canvas, looks, spots, eye, replace(light, ground=(blue, green, red)))
    return taken(canvas, rng, edge_px, level), labels, edge_px, elevation


def ground_of(rng: np.random.Generator, side: int = SIDE) -> NDArray[np.float32]:
    """(side, side, 3) of a table top or a drawn board."""
    ground = draw_surface(str(rng.choice(SURFACES)), rng)
    if rng.random() < 0.5:
        ground = draw_board(BoardGeometry(), STYLES[int(rng.integers(len(STYLES)))], rng)
    y, x = (int(rng.integers(0, edge - side)) for edge in ground.shape[:2])
    return ground[y : y + side, x : x + side].astype(np.float32)


def look_of(rng: np.random.Generator, color: str) -> DieLook:
    body, ink, clear = COLORS[color]
    return replace(random_look(rng), body=body, ink=ink, clear=clear, mottle=0.0)


def taken(canvas: NDArray[np.float32], rng: np.random.Generator, edge_px: float, level: float) -> FrameBgr:
    """As a camera takes it; in dim light it amplifies, noise as well."""
    if level < 1:
        canvas = canvas + rng.normal(0, 5, canvas.shape).astype(np.float32)
    return camera_effects(canvas, rng, edge_px)


def judged(reader: DiceReader, shown: tuple[FrameBgr, list[Label], float, float]) -> Counter[str]:
    """Dice in plain view: how many there are, are read right, and are read wrong; the others are missed."""
    image, labels, edge_px, elevation = shown
    stance = (0.0, float(np.sin(elevation)))
    found = reader.read(image, die_px=edge_px, stances=lambda px: np.tile(stance, (len(px), 1)))
    count: Counter[str] = Counter()
    for label in labels:
        if label.visible < 0.9 or label.cocked:
            continue
        near = [die for die in found if np.hypot(*np.subtract(die.centre_px, label.top_px)) < 0.5 * edge_px]
        count["dice"] += 1
        count["right"] += any(die.value == label.value for die in near)
        count["wrong"] += bool(near) and all(die.value != label.value for die in near)
        sure = [die for die in near if die.confidence >= 0.95]
        count["sure"] += bool(sure)
        count["surely right"] += any(die.value == label.value for die in sure)
    return count


@pytest.mark.benchmark
def test_dice_of_every_color_from_every_angle_in_every_light() -> None:
    reader, rng = DiceReader(), np.random.default_rng(SEED)
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("all", *COLORS, *ANGLES, *LIGHTS)}
    for color, angle, light, _ in product(COLORS, ANGLES, LIGHTS, range(EACH)):
        count = judged(reader, picture(rng, color, ANGLES[angle], LIGHTS[light]))
        for name in ("all", color, angle, light):
            counts[name] += count
    print(f"\n{'':<28}{'dice':>6}{'right':>8}{'wrong':>8}{'missed':>8}{'right when sure':>18}")
    for name, count in counts.items():
        n, right, wrong = count["dice"], count["right"], count["wrong"]
        told = f"{count['surely right'] / count['sure']:.1%} of {count['sure']}"
        print(f"{name:<28}{n:>6}{right / n:>8.1%}{wrong / n:>8.1%}{1 - (right + wrong) / n:>8.1%}{told:>18}")
    assert counts["all"]["right"] >= LEAST_RIGHT * counts["all"]["dice"]
    assert counts["all"]["surely right"] >= 0.98 * counts["all"]["sure"]
