"""The empty board is put into the light of other pictures; what stands on it is left standing."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import VirtualTable, virtual_table
from vision.board.foreground import match_colors, recolor
from vision.board.light import Light
from vision.reader import TableReader

PAWNS = ("red_pawn", "blue_pawn")
Picture = NDArray[np.uint8]
SIDE = 120
SHARE = (np.arange(SIDE) + 0.5) / SIDE - 0.5
POINTS = np.stack(np.meshgrid(SHARE, -SHARE), axis=-1)
#: What each color of a print looks like in another light.
PRINT = {(200, 215, 205): (190, 210, 200), (40, 60, 190): (30, 95, 205), (60, 150, 60): (80, 140, 95)}
PRINT |= {(180, 90, 40): (150, 110, 30), (50, 190, 220): (60, 170, 240), (140, 60, 150): (165, 75, 125)}


def printed(colors: list[tuple[int, int, int]]) -> Picture:
    """A picture of 6 x 6 fields of these colors in turn."""
    fields = np.array([[colors[(row * 5 + column) % len(colors)] for column in range(6)] for row in range(6)])
    return fields.repeat(SIDE // 6, 0).repeat(SIDE // 6, 1).astype(np.uint8)


def otherwise(picture: Picture) -> Picture:
    """As another camera in the light of another lamp would have it."""
    tone = (picture / 255.0) ** 1.2
    gray = tone.mean(2, keepdims=True)
    vivid = gray + (tone - gray) * 1.3
    falling = np.linspace(0.85, 1.12, picture.shape[1])[None, :, None]
    return np.clip(vivid * falling * np.array([0.9, 1.0, 1.1]) * 255, 0, 255).astype(np.uint8)


def test_every_color_of_a_print_follows_the_light_and_pieces_do_not() -> None:
    before, now = printed(list(PRINT)), printed(list(PRINT.values()))
    now = np.clip(now * np.linspace(0.9, 1.1, SIDE)[None, :, None], 0, 255).astype(np.uint8)
    now[44:52, 62:70] = (20, 20, 20)
    colors = match_colors(before, now)
    lit = Light(before, POINTS).on(before, now, colors)
    away, plain = (np.abs(one.astype(int) - now).max(2) for one in (lit, recolor(before, colors)))
    piece = np.zeros((SIDE, SIDE), bool)
    piece[44:52, 62:70] = True
    assert np.percentile(away[~piece], 95) < 0.5 * np.percentile(plain[~piece], 95)
    assert away[piece].min() > 40


def test_in_the_same_light_houses_of_a_colors_own_shade_are_left_standing() -> None:
    before = printed(list(PRINT))
    now = before.copy()
    strip = (before == (60, 150, 60)).all(2)
    now[strip] = (60, 118, 60)
    patch = (slice(0, 20), slice(40, 60))
    lit = Light(before, POINTS, [[patch]]).on(before, now, match_colors(before, now))
    assert np.abs(lit[strip].astype(int) - now[strip]).max(1).min() > 20


@pytest.mark.parametrize(("far", "is_other"), [(7, False), (25, True)])
def test_colors_that_go_a_little_way_of_their_own_are_no_other_light(far: int, is_other: bool) -> None:
    before, rng = printed(list(PRINT)), np.random.default_rng(3)
    ways = rng.choice([-far, far], (len(PRINT), 3))
    ways[0] = 0
    now = printed([tuple(int(v) for v in np.array(color) + way) for color, way in zip(PRINT, ways, strict=True)])
    light = Light(before, POINTS)
    light.on(before, now, np.hstack([np.eye(3), np.zeros((3, 1))]))
    assert light.is_other == is_other


def test_a_blurred_picture_is_in_no_other_light() -> None:
    table = virtual_table(5, PAWNS)
    empty = table.pictures.empty_bgr
    reader = TableReader(empty, table.pictures.taps_px)
    assert not light_of(reader, cv2.GaussianBlur(empty, (0, 0), 2.0)).is_other
    assert light_of(reader, otherwise(empty)).is_other


def test_a_strip_that_is_nearly_all_built_on_takes_the_color_that_its_like_has_now() -> None:
    before = printed(list(PRINT))
    now = printed(list(PRINT.values()))
    free, full = ((slice(0, 20), slice(x, x + 20)) for x in (40, 60))
    for patch, color in ((free, (70, 60, 60)), (full, (70, 60, 60))):
        before[patch] = color
        now[patch] = (20, 30, 100)
    now[0:20, 64:80] = (30, 200, 30)
    lit = Light(before, POINTS, [[free, full]]).on(before, now, match_colors(before, now))
    assert np.abs(lit[0:20, 60:64].astype(int) - now[0:20, 60:64]).max() < 20
    assert np.abs(lit[0:20, 64:80].astype(int) - now[0:20, 64:80]).max(2).min() > 40


def test_of_three_strips_of_a_color_the_one_that_goes_its_own_way_is_built_on() -> None:
    before = printed(list(PRINT))
    now = printed(list(PRINT.values()))
    strips = [(slice(0, 20), slice(x, x + 20)) for x in (40, 60, 80)]
    for strip in strips:
        before[strip], now[strip] = (60, 70, 60), (62, 110, 64)
    houses = (slice(1, 19), slice(60, 77))
    now[houses] = (50, 84, 52)
    lit = Light(before, POINTS, [strips]).on(before, now, match_colors(before, now))
    assert np.abs(lit[0:20, 77:80].astype(int) - now[0:20, 77:80]).max() < 12
    assert np.abs(lit[houses].astype(int) - now[houses]).max(2).min() > 15


def light_of(reader: TableReader, picture: Picture) -> Light:
    """What the reader's finder of pieces made of the light, after it read a picture."""
    reader.read(picture)
    return reader._finder._light


def built(table: VirtualTable) -> tuple[Picture, dict[int, tuple[int, bool]]]:
    setting = table.setting(2)
    truth = {1: (1, False), 6: (2, False), 14: (3, False), 19: (0, True), 24: (1, False), 32: (2, False), 37: (0, True)}
    for street, (houses, hotel) in truth.items():
        setting.put_buildings(street, houses, hotel)
    return table.picture(setting.scene()), truth


@pytest.mark.parametrize("is_other", [False, True])
def test_the_empty_picture_may_have_been_taken_in_another_light(is_other: bool) -> None:
    table = virtual_table(3, PAWNS)
    picture, truth = built(table)
    empty = otherwise(table.pictures.empty_bgr) if is_other else table.pictures.empty_bgr
    reading = TableReader(empty, table.pictures.taps_px).read(picture)
    assert not reading.hand
    assert {street: (seen.houses, seen.hotel) for street, seen in reading.buildings.items()} == truth
