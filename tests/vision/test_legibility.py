"""What is too small, too dark or out of focus is said to be so; what can be read is not complained about."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.observations import DieKind
from tests.vision.table_sets import reader_of, virtual_table
from vision.detections import DieReading, TableReading
from vision.legibility import BEYOND, LEAST_NUMERAL_PX, LEAST_PIPS_PX, blinded, trouble
from vision.reader import TableReader
from vision.virtual.scene import Moment

PAWNS = ("red_pawn", "blue_pawn", "yellow_pawn", "white_pawn")
CLEAR = TableReading(True, np.zeros((4, 2)), False, False, [], [], {}, [], 1.0, die_px=24.0)


@pytest.mark.parametrize(
    ("kinds", "die_px", "word"),
    [
        (("d6", "d6"), LEAST_PIPS_PX + 0.1, ""),
        (("d6", "d6"), LEAST_PIPS_PX - 0.1, "the dice are too small in the picture: bring the camera nearer"),
        (("d4",), LEAST_NUMERAL_PX + 0.1, ""),
        (("d4",), LEAST_NUMERAL_PX - 0.1, "the d4 is too small in the picture: bring the camera nearer"),
        (("d6", "d20"), LEAST_NUMERAL_PX - 0.1, "the d20 is too small in the picture: bring the camera nearer"),
        (("d4", "d20"), 15.0, "the d4 and the d20 are too small in the picture: bring the camera nearer"),
        (("d4",), 0.0, ""),
    ],
)
def test_dice_that_are_too_small_are_named(kinds: tuple[DieKind, ...], die_px: float, word: str) -> None:
    assert trouble(replace(CLEAR, die_px=die_px), kinds) == word


def test_a_small_die_that_was_read_all_the_same_is_not_complained_about() -> None:
    d4 = DieReading("d4", {3: 0.99}, (5.0, 5.0), (0.0, 0.0, 10.0, 10.0))
    assert trouble(replace(CLEAR, die_px=12.0, dice=[d4]), ("d4",)) == ""
    guessed = replace(d4, faces={3: 0.4}, is_legible=False)
    assert trouble(replace(CLEAR, die_px=12.0, dice=[guessed]), ("d4",)).startswith("the d4 is too small")


def test_darkness_and_blur_are_noticed_and_ordinary_pictures_are_not() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    setting = table.setting(4)
    for index, name in enumerate(PAWNS):
        setting.put_token(name, 7 * index + 2)
    sharp = table.picture(setting.scene())
    dimmer = table.renderer.render(setting.scene(), Moment((0.6, 0.55, 0.5), noise_seed=3))
    for picture in (table.pictures.empty_bgr, sharp, dimmer):
        assert trouble(reader.read(picture)) == ""
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 4.5), np.uint8)
    assert trouble(reader.read(soft)) == "out of focus: the picture is blurred"
    dark = (sharp.astype(np.float32) * 0.12).astype(np.uint8)
    seen = reader.read(dark)
    assert not seen.board_found or trouble(seen) == "too dark: more light on the table"


@pytest.mark.parametrize(("side", "name"), [*enumerate(("lower", "left", "upper", "right"))])
def test_glare_is_told_with_its_side_and_white_spaces_are_not(side: int, name: str) -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    bright = np.clip(table.picture(table.setting(4).scene()) * 2.5, 0, 255).astype(np.uint8)
    assert (bright.min(axis=2) == 255).mean() > 0.01
    assert trouble(reader.read(bright)) == ""
    # White light falls on half of the side.
    corners = table.corners()
    middle, begin, end = corners.mean(axis=0), corners[side], (corners[side] + corners[(side + 1) % 4]) / 2
    half = np.array([begin, end, 0.7 * end + 0.3 * middle, 0.7 * begin + 0.3 * middle])
    blinding = bright.copy()
    cv2.fillConvexPoly(blinding, half.round().astype(np.int32), (250, 252, 255))
    reading = reader.read(blinding)
    assert trouble(reading) == f"glare on the {name} side: turn the lamp away"
    assert {10 * side + place for place in range(1, 5)} <= blinded(reading) <= {10 * side + place for place in range(7)}


def turned_away(side: int, depth: float) -> tuple[TableReading, set[int]]:
    """What is read where a camera was turned until a side's spaces are beyond its picture's rim, from there outward.

    Args:
        depth: share of the spaces from their outer edge.
    Returns:
        And the spaces on which tokens stand, one to a side.
    """
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    setting, spaces = table.setting(4), range(5, 40, 10)
    for pawn, space in zip(PAWNS, spaces, strict=True):
        setting.put_token(pawn, space)
    camera = table.style.camera
    places = np.array([[0.0, 0.0, 0.0], [*table.style.geometry.at(spaces[side], 0.5, depth), 0.0]])
    middle, row = camera.project(places)
    across, down = (row - middle) / np.linalg.norm(row - middle)
    while ((row > 0) & (row < camera.size)).all():
        camera = camera.turned(0.5, across, down)
        row = camera.project(places)[1]
    return reader.read(table.picture(setting.scene(), camera)), set(spaces)


@pytest.mark.parametrize(("side", "name"), [*enumerate(("lower", "left", "upper", "right"))])
def test_a_side_that_the_camera_does_not_show_is_told_and_nothing_of_it_is_read(side: int, name: str) -> None:
    reading, spaces = turned_away(side, 0.7)
    assert trouble(reading) == f"the {name} side of the board is not in view: turn the camera"
    assert set(range(10 * side + 3, 10 * side + 8)) <= blinded(reading)
    assert {token.square for token in reading.tokens} == spaces - {10 * side + 5}


def test_a_token_that_shows_but_for_its_foot_is_told() -> None:
    reading, spaces = turned_away(1, 0.4)
    assert reading.beyond[15] > BEYOND
    assert {token.square for token in reading.tokens} == spaces


@pytest.mark.parametrize(("gain", "word"), [(0.4, ""), (0.08, "too dark: more light on the table")])
def test_a_table_that_was_dark_already_when_it_was_calibrated_is_said_to_be_so(gain: float, word: str) -> None:
    table = virtual_table(3, PAWNS)
    empty = (table.pictures.empty_bgr * gain).astype(np.uint8)
    reading = TableReader(empty, table.pictures.taps_px).read(empty)
    assert reading.board_found
    assert trouble(reading) == word
