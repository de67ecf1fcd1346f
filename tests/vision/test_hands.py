"""Hands over the board are told from shadows and other lights, on dark boards and at their edges too."""

import numpy as np
import pytest

from tests.vision.table_sets import VirtualTable, reader_of, virtual_table
from vision.board import hands
from vision.board.foreground import match_colors
from vision.board.hands import Covers, reaches_in
from vision.board.light import Light
from vision.board.overview import Overview, overview_points
from vision.board.registration import Reference
from vision.pixels import halved
from vision.virtual.disturbances import blinding, leaning
from vision.virtual.hand import HandPose
from vision.virtual.scene import Moment, Scene

PAWNS = ("red_pawn", "blue_pawn")


def picture(table: VirtualTable, *hands: HandPose, gain: float = 1.0, seed: int = 1) -> np.ndarray:
    scene = table.setting().scene()
    moment = Moment((gain, gain, gain), noise_seed=seed)
    return table.renderer.render(Scene(scene.pieces, scene.dice, hands), moment)


@pytest.mark.parametrize("gain", [1.0, 0.6, 0.4])
def test_an_arm_is_seen_in_the_dark(gain: float) -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    for look in range(5):
        assert reader.read(picture(table, HandPose(0.05, -0.04, 0.03, 2.0, "pinch", look), gain=gain)).hand, look
    assert not reader.read(picture(table, gain=gain)).hand


@pytest.mark.parametrize("seed", range(6))
def test_a_shadow_in_which_the_print_shows_is_no_hand(seed: int) -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    assert not reader.read(leaning(picture(table), np.random.default_rng([seed, 9]))).hand


@pytest.mark.parametrize(("seed", "lamps"), [(7, (0, 7, 8, 11)), (11, (9,))])
def test_a_lamp_that_blinds_the_camera_is_no_hand(seed: int, lamps: tuple[int, ...]) -> None:
    table, reader = virtual_table(seed, PAWNS), reader_of(seed, PAWNS)
    plain, hand = picture(table), picture(table, HandPose(0.05, -0.04, 0.03, 2.0, "pinch", 1))
    for lamp in lamps:
        assert not reader.read(blinding(plain, np.random.default_rng([lamp, 9]))).hand, lamp
        assert reader.read(blinding(hand, np.random.default_rng([lamp, 9]))).hand, lamp


def test_the_end_of_an_arm_at_the_boards_edge_is_a_hand() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    # Thumb and forefinger 6 cm within the edge; the arm comes from beyond it.
    half = table.style.geometry.size_m / 2
    assert reader.read(picture(table, HandPose(0.0, -half + 0.06, 0.02, 0.0, "pinch", 1))).hand


def test_a_hand_whose_sleeve_is_as_white_as_the_spaces_is_seen() -> None:
    """Nothing but the print that is hidden tells where the arm crosses the edge of the board."""
    table, reader = virtual_table(704, PAWNS), reader_of(704, PAWNS)
    noticed = [reader.read(picture(table, HandPose(0.05, -0.04, 0.03, 4.2, "fist", look))).hand for look in range(12)]
    assert all(noticed), noticed
    assert not reader.read(picture(table)).hand


def test_what_lies_on_the_edge_and_comes_from_nowhere_reaches_not_in() -> None:
    table = virtual_table(3, PAWNS)
    before = halved(table.pictures.empty_bgr)
    corners = table.corners() / 2
    note, arm = before.copy(), before.copy()
    x, y = (round(float(value)) for value in (corners[0] + corners[1]) / 2)
    note[y - 12 : y + 12, x - 20 : x + 20] = 250
    arm[y - 12 :, x - 12 : x + 12] = 250
    assert not reaches_in(before, note, corners)
    assert reaches_in(before, arm, corners)


@pytest.mark.parametrize("wide", [5, 8])
def test_a_deck_and_tokens_in_a_row_up_to_the_edge_are_no_hand(wide: int) -> None:
    side = len(overview_points())
    differs, beyond, middle = np.zeros((side, side), np.bool_), np.zeros((side, side), np.bool_), side // 2
    # A deck, dice and tokens so near each other that they are joined, and three pawns that cross the edge.
    differs[-62:-38, middle - 12 : middle + 12] = True
    for below in (36, 27, 18):
        differs[-below : -below + 5, middle - 2 : middle - 2 + wide] = True
    for left in (-12, -2, 8):
        differs[-12:, middle + left : middle + left + 5] = True
    pawns = hands.intruder(differs, beyond)
    assert pawns is not None
    assert pawns.mean() < hands.LEAST_SHARE
    differs[-60:, middle - 6 : middle + 7] = True
    arm = hands.intruder(differs, beyond)
    assert arm is not None
    assert arm.mean() > hands.LEAST_SHARE


def test_how_much_is_covered_and_what_of_it_is_another_light() -> None:
    table, overview = virtual_table(3, PAWNS), Overview()
    view = Reference(table.pictures.empty_bgr, table.pictures.taps_px).view
    empty = overview.of(halved(table.pictures.empty_bgr), view)
    covers = Covers(empty, Light(empty, overview_points()))

    def told(above: np.ndarray) -> tuple[float, float]:
        return covers.on(above, match_colors(empty, above), overview.beyond, above)

    hand = overview.of(halved(picture(table, HandPose(0.0, 0.0, 0.02, 0.0, "fist", 2))), view)
    share, left = told(hand)
    assert 0.03 < share < 0.3
    assert left > 0.5
    assert told(empty) == (0.0, 0.0)
    dark = empty.copy()
    dark[:, :50] = dark[:, :50] // 2
    assert told(dark) == (0.0, 0.0)


def test_what_hides_the_print_but_differs_nowhere_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table, overview = virtual_table(3, PAWNS), Overview()
    view = Reference(table.pictures.empty_bgr, table.pictures.taps_px).view
    empty = overview.of(halved(table.pictures.empty_bgr), view)
    covers = Covers(empty, Light(empty, overview_points()))
    monkeypatch.setattr(hands, "intruder", lambda differs, beyond: differs)
    monkeypatch.setattr(hands._Detail, "shown_in", lambda self, now: np.full(now.shape[:2], -1, np.float32))
    share, left = covers.on(empty, match_colors(empty, empty), overview.beyond, empty)
    assert share > 0
    assert left == 0
