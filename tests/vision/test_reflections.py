"""Windows, tubes and panels that a glossy board mirrors are taken away; hands, papers and sunlight are not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import VirtualTable, virtual_table
from tests.vision.test_glare import BUILT, PAWNS, STANDING, Seen, picture_of, scene_of
from tests.vision.test_hard_conditions import evening, places
from vision.reader import TableReader
from vision.virtual.hand import HandPose
from vision.virtual.mirrored import KINDS, MirroringRenderer, RoomLight
from vision.virtual.scene import Moment, Scene

Picture = NDArray[np.uint8]
#: Light of a lamp that is mirrored, as a share of what a white sheet throws back.
BRIGHT = (0.25, 0.25, 0.25)


@pytest.fixture(scope="module")
def seen() -> Seen:
    return Seen(3)


def room(table: VirtualTable, kind: str, seed: int) -> MirroringRenderer:
    """The table in a room with a light."""
    camera = table.renderer.camera
    light = replace(RoomLight.random(np.random.default_rng([seed, 9]), kind, camera), bgr=BRIGHT)
    return MirroringRenderer(table.renderer.style, camera, (light,))


def patch(picture: Picture, seen: Seen, board: NDArray[np.float64]) -> NDArray[np.float32]:
    """(h, w, 1) 1 within a polygon (n, 2) of board points."""
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(seen.view.project(board)).astype(np.int32)], (1.0,), cv2.LINE_AA)
    return mask[..., None]


@pytest.mark.parametrize(
    ("kind", "seed"), [*((kind, 2) for kind in KINDS), *((kind, 3) for kind in ("tube", "panel", "window"))]
)
def test_a_light_with_edges_is_taken_away(seen: Seen, kind: str, seed: int) -> None:
    plain = picture_of(seen.table)
    shining = room(seen.table, kind, seed).render(scene_of(seen.table), Moment(noise_seed=3))
    without = seen.without(shining)
    assert without is not None
    far, near = (np.abs(seen.above(each).astype(int) - seen.above(plain)).mean() for each in (shining, without))
    assert near < 0.4 * far


@pytest.mark.parametrize("turn", [0.2, 0.9])
def test_sunlight_on_the_board_is_none(seen: Seen, turn: float) -> None:
    """It is more where the print is bright."""
    plain = picture_of(seen.table)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    corners = np.array([a * 0.4 * along + b * 0.12 * across for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))])
    sunny = np.clip(plain * (1 + 0.35 * patch(plain, seen, corners)), 0, 255).astype(np.uint8)
    assert np.abs(sunny.astype(int) - plain).max() > 50
    mirrored = seen.without(sunny)
    assert mirrored is None or np.abs(mirrored.astype(int) - sunny).max() < 20


def test_a_lamp_on_the_other_side_is_none(seen: Seen) -> None:
    """A corner is brighter than it was, and the print there with it."""
    assert seen.without(evening(seen.table)) is None


def test_a_white_paper_on_the_print_is_none(seen: Seen) -> None:
    """It is not taken for a light, though it is as even as one: the print does not show."""
    plain = picture_of(seen.table)
    corners = np.array([[-0.45, -0.3], [-0.45, 0.1], [-0.25, 0.1], [-0.25, -0.3]])
    mask = patch(plain, seen, corners)
    covered = (plain * (1 - mask) + 245 * mask).astype(np.uint8)
    assert seen.without(covered) is None


def test_a_dark_deck_is_no_light_that_went_out(seen: Seen) -> None:
    plain = picture_of(seen.table)
    mask = patch(plain, seen, np.array([[-0.1, 0.15], [0.08, 0.15], [0.08, 0.28], [-0.1, 0.28]]))
    assert seen.without((plain * (1 - mask) + 25 * mask).astype(np.uint8)) is None
    assert not seen.glare.is_gone


def test_windows_are_no_hands_and_all_is_read_beside_them() -> None:
    table = virtual_table(3, PAWNS)
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, table.pictures.enrol)
    reader.has_markers = False
    for kind, seed in (("window", 2), ("window", 3), ("panel", 2), ("tube", 2)):
        reading = reader.read(room(table, kind, seed).render(scene_of(table), Moment(noise_seed=3)))
        assert not reading.hand
        assert {street: seen.houses for street, seen in reading.buildings.items()} == BUILT
        assert places(reading) == STANDING


def test_a_hand_under_a_window_is_a_hand() -> None:
    table = virtual_table(3, PAWNS)
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, {})
    scene = scene_of(table)
    for look in range(3):
        hand = Scene(scene.pieces, scene.dice, (HandPose(0.05, -0.04, 0.03, 2.0, "fist", look),))
        assert reader.read(room(table, "window", 2).render(hand, Moment(noise_seed=look))).hand


@pytest.mark.parametrize("kind", ["window", "tube"])
def test_a_light_that_went_out_is_taken_from_the_picture_of_the_empty_board(seen: Seen, kind: str) -> None:
    table = seen.table
    bright = room(table, kind, 2).render(table.setting(4).scene(), Moment(noise_seed=7))
    reader = TableReader(bright, table.pictures.taps_px, table.pictures.enrol)
    reader.has_markers = False
    for seed in (1, 2, 3):
        reading = reader.read(picture_of(table, seed))
    assert not reading.hand
    off, was = (np.abs(seen.above(each).astype(int) - seen.empty).mean() for each in (reader.empty_bgr, bright))
    assert off < 0.6 * was
    assert {street: seen.houses for street, seen in reading.buildings.items()} == BUILT
    assert places(reading) == STANDING
