"""What a glossy board mirrors is found and taken away; another light, print or shadow is not taken for it."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import VirtualTable, virtual_table
from tests.vision.test_hard_conditions import places
from vision.board.foreground import match_colors
from vision.board.glare import Glare
from vision.board.light import Light
from vision.board.overview import Overview, overview_points
from vision.board.registration import Reference
from vision.pixels import halved
from vision.reader import TableReader
from vision.virtual.disturbances import blinding, evening, lamp, leaning
from vision.virtual.hand import HandPose
from vision.virtual.scene import Moment, Scene

PAWNS = ("red_pawn", "blue_pawn")
STANDING = {"red_pawn": 24, "blue_pawn": 5}
BUILT = {1: 2, 14: 1, 29: 3, 37: 4}
Picture = NDArray[np.uint8]


class Seen:
    """A virtual table and what is told of its glare."""

    def __init__(self, seed: int) -> None:
        self.table: VirtualTable = virtual_table(seed, PAWNS)
        pictures = self.table.pictures
        self.view = Reference(pictures.empty_bgr, pictures.taps_px).view
        self.overview = Overview()
        self.empty = self.above(pictures.empty_bgr)
        self.glare = Glare(self.empty, overview_points(), Light(self.empty, overview_points()))

    def above(self, picture: Picture) -> Picture:
        return self.overview.of(halved(picture), self.view)

    def without(self, picture: Picture) -> Picture | None:
        """The picture without what the board mirrors, if it mirrors anything."""
        above = self.above(picture)
        mirrored = self.glare.on(above, match_colors(self.empty, above), self.overview.beyond)
        return None if mirrored is None else mirrored.taken_from(picture, self.view)


@pytest.fixture(scope="module")
def seen() -> Seen:
    return Seen(3)


def scene_of(table: VirtualTable) -> Scene:
    setting = table.setting(4)
    for name, square in STANDING.items():
        setting.put_token(name, square)
    for street, houses in BUILT.items():
        setting.put_buildings(street, houses, False)
    return setting.scene()


def picture_of(table: VirtualTable, seed: int = 3) -> Picture:
    return table.renderer.render(scene_of(table), Moment(noise_seed=seed))


@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_lamp_is_taken_away(seen: Seen, seed: int) -> None:
    plain = picture_of(seen.table)
    shining = lamp(plain, np.random.default_rng([seed, 5]))
    without = seen.without(shining)
    assert without is not None
    far, near = (np.abs(seen.above(each).astype(int) - seen.above(plain)).mean() for each in (shining, without))
    assert near < 0.4 * far


@pytest.mark.parametrize("seed", [1, 2, 3, 6, 8, 10])
def test_a_lamp_that_makes_part_of_the_board_white_is_taken_away(seed: int) -> None:
    """What it hides of the print is not hidden by a hand."""
    seen = Seen(13)
    plain = picture_of(seen.table)
    shining = blinding(plain, np.random.default_rng([seed, 5]))
    without = seen.without(shining)
    assert without is not None
    far, near = (np.abs(seen.above(each).astype(int) - seen.above(plain)).mean() for each in (shining, without))
    assert near < 0.4 * far


@pytest.mark.parametrize("disturbance", [evening, leaning])
def test_another_light_or_a_shadow_is_no_mirrored_lamp(
    seen: Seen, disturbance: Callable[[Picture, np.random.Generator], Picture]
) -> None:
    for seed in range(4):
        assert seen.without(disturbance(picture_of(seen.table), np.random.default_rng([seed, 6]))) is None


def test_in_its_own_light_a_board_mirrors_nothing(seen: Seen) -> None:
    assert seen.without(picture_of(seen.table)) is None


def test_another_print_is_no_mirrored_lamp(seen: Seen) -> None:
    assert seen.without(np.ascontiguousarray(picture_of(seen.table)[..., ::-1])) is None


def test_a_lamp_that_went_out_is_taken_from_the_picture_of_the_empty_board() -> None:
    table = virtual_table(3, PAWNS)
    shining = lamp(table.pictures.empty_bgr, np.random.default_rng([2, 5]))
    reader = TableReader(shining, table.pictures.taps_px, table.pictures.enrol)
    reader.has_markers = False
    for seed in (1, 2, 3):
        reading = reader.read(picture_of(table, seed))
    assert reader.empty_bgr is not shining
    assert not reading.hand
    assert {street: seen.houses for street, seen in reading.buildings.items()} == BUILT
    assert places(reading) == STANDING


def test_an_arm_that_rests_on_the_board_is_not_taken_from_the_picture_of_the_empty_one() -> None:
    table = virtual_table(3, PAWNS)
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, {})
    scene = table.setting().scene()
    for look in range(4):
        hand = Scene(scene.pieces, scene.dice, (HandPose(0.05, -0.04, 0.03, 2.0, "fist", look),))
        for seed in (1, 2, 3):
            assert reader.read(table.picture(hand, seed=seed)).hand
    assert reader.empty_bgr is table.pictures.empty_bgr
