"""What happens around a game does not disturb its reading: other light, a shadow, glare, money and cards."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import VirtualTable, reader_of, virtual_table
from vision.detections import TableReading
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Scene

PAWNS = ("red_pawn", "blue_pawn")
STANDING = {"red_pawn": 24, "blue_pawn": 5}
BUILT = {1: (2, False), 14: (1, False), 19: (0, True), 29: (3, False), 37: (1, False)}
Picture = NDArray[np.uint8]


def position(table: VirtualTable, has_decks: bool = False) -> Scene:
    setting = table.setting(4)
    for name, square in STANDING.items():
        setting.put_token(name, square)
    for street, (houses, hotel) in BUILT.items():
        setting.put_buildings(street, houses, hotel)
    setting.has_decks = has_decks
    return setting.scene()


def in_other_light(table: VirtualTable, **changes: object) -> Picture:
    style = replace(table.style, light=replace(table.style.light, **changes))  # type: ignore[arg-type]
    return Renderer(style).render(position(table), Moment(noise_seed=3))


def evening(table: VirtualTable) -> Picture:
    """The window has gone dark, and a warm lamp on the other side is on."""
    light = table.style.light
    x, y, z = light.direction
    slope = (-light.gradient[0], -light.gradient[1])
    return in_other_light(table, level=0.55, tint=(0.72, 0.92, 1.06), gradient=slope, direction=(-x, -y, z))


def glare(table: VirtualTable) -> Picture:
    """The varnish shines."""
    return in_other_light(table, sheen=0.55)


def shadow(table: VirtualTable) -> Picture:
    """Somebody leans over: a soft shadow lies over a corner of the board."""
    picture = table.picture(position(table))
    corners = table.corners()
    across = float(np.hypot(*(corners[0] - corners[2])))
    dark = np.zeros(picture.shape[:2], np.float32)
    x, y = (round(float(value)) for value in corners[2])
    cv2.circle(dark, (x, y), round(0.45 * across), 1.0, -1)
    soft = cv2.GaussianBlur(dark, (0, 0), across / 30)
    return np.asarray(picture * (1 - 0.3 * soft[..., None]), np.uint8)


def papers(table: VirtualTable) -> Picture:
    """Bank notes and cards lie in the middle, and the decks stand there."""
    picture = table.picture(position(table, has_decks=True))
    size = table.style.geometry.size_m
    rng = np.random.default_rng(8)
    for color in ((150, 200, 120), (120, 170, 235), (205, 190, 240), (240, 240, 240), (90, 200, 240)):
        x, y, turn = rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2), rng.uniform(0, 6.28)
        across, up = np.array([np.cos(turn), np.sin(turn)]) * 0.09, np.array([-np.sin(turn), np.cos(turn)]) * 0.05
        middle = np.array([x, y])
        outline = np.array([middle + a * across + b * up for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * size
        px = table.style.camera.project(np.column_stack([outline, np.zeros(4)]))
        cv2.fillConvexPoly(picture, px.round().astype(np.int32), color, cv2.LINE_AA)
    return picture


def places(reading: TableReading) -> dict[str | None, int]:
    return {token.name: token.square for token in reading.tokens}


@pytest.mark.parametrize("condition", [evening, glare, shadow, papers])
def test_a_game_is_read_all_the_same(condition: Callable[[VirtualTable], Picture]) -> None:
    table = virtual_table(3, PAWNS)
    reading = reader_of(3, PAWNS).read(condition(table))
    assert reading.board_found
    assert not reading.camera_moved
    assert not reading.hand
    assert places(reading) == STANDING
    assert {street: (seen.houses, seen.hotel) for street, seen in reading.buildings.items()} == BUILT
    assert reading.dice == []
