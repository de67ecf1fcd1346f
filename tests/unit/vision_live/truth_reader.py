"""A reader that knows the virtual table, for tests of what comes after reading."""

import numpy as np

from vision.detections import BuildingReading, DieReading, MarkerReading, TableReading, TokenReading
from vision.sources import FrameBgr
from vision.virtual.render import Renderer
from vision.virtual.setting import Setting
from vision.virtual.world import World


class TruthReader:
    """Reads the world instead of the frame; the hand is seen as it is."""

    def __init__(self, world: World, renderer: Renderer) -> None:
        self._world = world
        self._renderer = renderer

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        return reading_of(self._world.setting, self._renderer, self._world.has_hand)


def reading_of(setting: Setting, renderer: Renderer, hand: bool = False) -> TableReading:
    """What a perfect reader says of a settled table."""
    project = renderer.camera.project
    tokens, dice = [], []
    for name, piece in setting.tokens.items():
        place = setting.square_of(name)
        x, y = project(np.array([[piece.x, piece.y, 0.0]]))[0]
        if place is not None:
            square, in_jail = place
            box = (x - 10, y - 30, x + 10, y + 3)
            tokens.append(TokenReading(name, {square: 0.99}, (x, y), box, 0.99 if in_jail else 0.01))
    for die in setting.dice:
        x, y = project(np.array([[die.x, die.y, 0.008]]))[0]
        dice.append(DieReading(die.kind, {die.value: 0.995}, (x, y), (x - 12, y - 12, x + 12, y + 12)))
    streets = setting.buildings.items()
    return TableReading(
        board_found=True,
        corners_px=project(setting.geometry.corners()),
        camera_moved=False,
        hand=hand,
        dice=dice,
        tokens=tokens,
        buildings={square: BuildingReading(houses, hotel, 0.98) for square, (houses, hotel) in streets},
        markers=[
            MarkerReading(kind, square, 0.98, (0.0, 0.0, 1.0, 1.0))
            for square, kinds in setting.markers.items()
            for kind in kinds
        ],
        ms=0.0,
    )
