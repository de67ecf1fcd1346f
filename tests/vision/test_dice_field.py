"""Dice are looked for where the picture differs from the empty table, and hardly anywhere else."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.table_sets import VirtualTable, virtual_table
from vision.board.layout import usual_layout
from vision.board.registration import Reference
from vision.board.view import View
from vision.dice.field import DiceField, is_alike, is_print
from vision.pieces.finder import Found
from vision.pieces.tokens import outlines
from vision.pixels import halved
from vision.reader import DIE_SIDES, bodies
from vision.virtual.camera import Camera
from vision.virtual.scene import Scene, nudged

COLORS = np.hstack([np.eye(3), np.zeros((3, 1))])


@lru_cache(maxsize=1)
def table() -> VirtualTable:
    return virtual_table(3, ("red_pawn", "blue_pawn"))


def field_and_view() -> tuple[DiceField, View]:
    pictures = table().pictures
    view = Reference(pictures.empty_bgr, pictures.taps_px).view
    return DiceField(pictures.empty_bgr, view), view


def view_of(camera: Camera, own: View) -> View:
    moved = camera.project(table().style.geometry.corners())
    return own.with_corners(own.corners_px() + moved - table().corners())


def picture_of_dice(seed: int, camera: Camera | None = None) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A throw, and px of the middles of its dice."""
    dice = table().setting(seed).throw((1, 2, 3, 4, 5), beside=0.5)
    middles = np.array([[die.x, die.y, 0.008] for die in dice])
    return table().picture(Scene((), dice), camera), (camera or table().style.camera).project(middles)


def die_px(view: View) -> float:
    return DIE_SIDES * view.scale_at(np.zeros(2))


def mask_of(
    field: DiceField, picture: NDArray[np.uint8], view: View, known: NDArray[np.float64] | None = None
) -> NDArray[np.uint8]:
    half = halved(picture)
    return field.mask(half, field.before(half, view, COLORS), die_px(view), known)


def is_marked(mask: NDArray[np.uint8], x: float, y: float) -> bool:
    """Whether a px of the picture is marked in its mask at half the size."""
    return bool(mask[round(y / 2), round(x / 2)])


def test_dice_are_marked_and_little_else() -> None:
    field, view = field_and_view()
    for seed in range(3):
        picture, middles = picture_of_dice(seed)
        mask = mask_of(field, picture, view)
        assert mask.shape == (picture.shape[0] // 2, picture.shape[1] // 2)
        assert all(is_marked(mask, x, y) for x, y in middles)
        assert 0.001 < (mask > 0).mean() < 0.02


def test_before_is_what_the_table_looked_like_from_there() -> None:
    field, view = field_and_view()
    camera = nudged(table().style.camera, np.random.default_rng(3), table().style.camera.size)
    for own, seen in ((None, view), (camera, view_of(camera, view))):
        half = halved(table().picture(Scene(()), own))
        before = field.before(half, seen, COLORS)
        assert before.shape == half.shape
        off, moved = (
            np.percentile(np.abs(one.astype(int) - half)[20:-20, 20:-20], 90) for one in (before, np.roll(half, 4, 1))
        )
        assert off < 0.5 * moved
        assert is_alike(half, before)
        assert not is_alike(half, cv2.add(before, 20.0))
    brighter = field.before(half, view, 1.5 * COLORS)
    assert brighter.mean() > 1.2 * field.before(half, view, COLORS).mean()


def test_dice_are_marked_from_elsewhere_and_back_again() -> None:
    field, view = field_and_view()
    picture, _ = picture_of_dice(0)
    before = mask_of(field, picture, view)
    camera = nudged(table().style.camera, np.random.default_rng(3), table().style.camera.size)
    moved, middles = picture_of_dice(0, camera)
    mask = mask_of(field, moved, view_of(camera, view))
    assert all(is_marked(mask, x, y) for x, y in middles)
    assert np.array_equal(mask_of(field, picture, view), before)


def test_dice_are_not_looked_for_where_buildings_are_sure_to_stand() -> None:
    field, view = field_and_view()
    setting, side = table().setting(0), table().style.geometry.size_m
    setting.put_buildings(24, 4, False)
    setting.put_buildings(6, 0, True)
    seen = [
        Found(piece.kind, np.array([piece.x, piece.y]) / side, score)
        for (_, piece), score in zip(setting.building_pieces(), (0.9, 0.9, 0.9, 0.3, 0.9), strict=True)
    ]
    setting.dice = setting.throw((1, 2), beside=0.0)
    picture = table().picture(setting.scene())
    mask = mask_of(field, picture, view, bodies(view, seen, usual_layout().unit))

    def is_marked_at(x: float, y: float, height: float) -> bool:
        return is_marked(mask, *view.project(np.array([[x, y, height]]))[0])

    marked = [is_marked_at(*one.foot, 0.01) for one in seen]
    assert marked == [False, False, False, True, False]
    assert all(is_marked_at(die.x / side, die.y / side, 0.016) for die in setting.dice)


def test_dice_are_not_looked_for_in_the_boxes_of_tokens() -> None:
    field, view = field_and_view()
    setting, side = table().setting(0), table().style.geometry.size_m
    setting.put_token("red_pawn", 5)
    token = setting.tokens["red_pawn"]
    ((_, box),) = outlines(view, np.array([[token.x, token.y]]) / side, usual_layout().unit)
    half = halved(table().picture(setting.scene()))
    before = field.before(half, view, COLORS)
    beside = field.mask(half, before, die_px(view)) > 0
    assert np.count_nonzero(field.mask(half, before, die_px(view), None, [box])) < 0.4 * np.count_nonzero(beside)


def test_dice_that_hardly_differ_from_the_table_are_marked_and_specks_are_not() -> None:
    field, view = field_and_view()
    picture, edge = table().pictures.empty_bgr.copy(), round(die_px(view))
    (x, y), (u, v) = view.project(np.array([[0.0, 0.0, 0.0], [0.2, 0.1, 0.0]])).astype(int)
    picture[y : y + edge, x : x + edge] += np.minimum(255 - picture[y : y + edge, x : x + edge], 9)
    picture[v : v + edge // 3, u : u + edge // 3] = 0
    mask = mask_of(field, picture, view)
    assert is_marked(mask, x + edge // 2, y + edge // 2)
    assert not is_marked(mask, u, v)
    assert (mask > 0).mean() < 0.01


def test_dice_of_which_a_little_differs_are_marked() -> None:
    """Most of a die may have the color of what it lies on."""
    field, view = field_and_view()
    picture, edge = table().pictures.empty_bgr.copy(), round(die_px(view))
    x, y = view.project(np.array([[0.2, 0.1, 0.0]]))[0].astype(int)
    picture[y : y + round(0.6 * edge), x : x + round(0.6 * edge)] = 0
    assert is_marked(mask_of(field, picture, view), x + edge // 4, y + edge // 4)


def test_dice_in_the_colors_of_the_print_they_lie_on_are_marked() -> None:
    """Light dice on light letters: all about them both colors of the print are near."""
    _, view = field_and_view()
    empty, edge = table().pictures.empty_bgr.copy(), round(die_px(view))
    u, v = view.project(np.array([[0.1, 0.1, 0.0]]))[0].astype(int)
    u, v = u // 2 * 2, v // 2 * 2
    letters = empty[v - 60 : v + 60, u - 60 : u + 60]
    letters[:] = (60, 30, 30)
    letters[np.arange(120) % 8 < 4] = (190, 200, 200)
    picture = cv2.GaussianBlur(empty, (0, 0), 0.8)
    empty, picture = picture.copy(), picture.copy()
    half = edge // 2 + 1
    cv2.rectangle(picture, (u - half, v - half), (u + half, v + half), (160, 165, 165), -1)
    mask = mask_of(DiceField(empty, view), picture, view)
    assert is_marked(mask, u, v)
    assert not is_marked(mask, u + 40, v + 40)


def test_noise_is_not_taken_for_dice_that_hardly_differ() -> None:
    field, view = field_and_view()
    noise = np.random.default_rng(5).normal(0, 9, table().pictures.empty_bgr.shape)
    noisy = np.clip(table().pictures.empty_bgr + noise, 0, 255).astype(np.uint8)
    assert (mask_of(field, noisy, view) > 0).mean() < 0.01


def test_where_only_plain_differences_count_small_ones_do_too() -> None:
    field, view = field_and_view()
    noise = np.random.default_rng(5).normal(0, 16, table().pictures.empty_bgr.shape)
    picture, edge = np.clip(table().pictures.empty_bgr + noise, 0, 255).astype(np.uint8), round(die_px(view))
    u, v = view.project(np.array([[0.2, 0.1, 0.0]]))[0].astype(int)
    picture[v : v + edge // 2, u : u + edge // 2] = 0
    assert is_marked(mask_of(field, picture, view), u + edge // 4, v + edge // 4)


def test_what_the_empty_table_shows_too_is_no_die() -> None:
    """In another light, other colors and a little out of place."""
    dice, middles = picture_of_dice(5)
    empty, now = halved(table().pictures.empty_bgr), halved(dice)
    older = cv2.GaussianBlur(np.roll(empty, (1, -1), axis=(0, 1)), (0, 0), 0.6)
    older = np.clip(older * np.array([0.5, 0.8, 0.6]) + 30, 0, 255).astype(np.uint8)
    edge = die_px(field_and_view()[1])
    assert not any(is_print(now, older, (x, y), 1.44 * edge) for x, y in middles)
    assert all(is_print(empty, older, (x, y), 1.44 * edge) for x, y in printed(empty))
    assert not is_print(empty, older, (3.0, 3.0), 1.44 * edge), "it is not known what lies beyond the picture"


def printed(half: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(n, 2) px of a picture, of twice the size, where it shows most detail, on its board."""
    board = np.zeros(half.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, np.round(table().corners() / 2).astype(np.int32), (255,))
    corners = cv2.goodFeaturesToTrack(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), 10, 0.2, 20, mask=board)
    return np.asarray(corners.reshape(-1, 2) * 2, np.float64)


def without_rim() -> tuple[DiceField, View]:
    """The field of an empty picture that shows the board, and nothing beside it."""
    view, corners = field_and_view()[1], table().corners()
    left, top = (int(value) for value in np.floor(corners.min(axis=0)))
    right, bottom = (int(value) + 1 for value in np.ceil(corners.max(axis=0)))
    cut = table().pictures.empty_bgr[top:bottom, left:right].copy()
    shifted = View((right - left, bottom - top), view.focal_px, 0.0, view.rotation, view.translation)
    return DiceField(cut, shifted.with_corners(corners - [left, top])), view


def test_what_the_empty_picture_does_not_show_is_learned_but_for_dice() -> None:
    field, view = without_rim()
    setting = table().setting(2)
    setting.dice = setting.throw((1, 2, 3), beside=1.0)
    middles = np.array(
        [view.project(np.array([[die.x, die.y]]) / table().style.geometry.size_m)[0] for die in setting.dice]
    )
    half = halved(table().picture(setting.scene()))
    first = field.mask(half, field.before(half, view, COLORS), die_px(view))
    assert (first > 0).mean() > 0.3, "nothing is known of the table"
    reach = 1.5 * die_px(view)
    field.learn(half, COLORS, [(x - reach, y - reach, x + reach, y + reach) for x, y in middles])
    brighter = np.asarray(cv2.convertScaleAbs(half, alpha=1.1), np.uint8)
    again = field.mask(brighter, field.before(brighter, view, 1.1 * COLORS), die_px(view))
    assert (again > 0).mean() < 0.1 * (first > 0).mean(), "in other light too"
    assert all(is_marked(again, x, y) for x, y in middles), "where dice lay it is not known what lies below"
    elsewhere = table().setting(7)
    elsewhere.dice = elsewhere.throw((4, 5), beside=1.0)
    half = halved(table().picture(elsewhere.scene()))
    new = field.mask(half, field.before(half, view, COLORS), die_px(view))
    for die in elsewhere.dice:
        x, y = view.project(np.array([[die.x, die.y, 0.008]]) / table().style.geometry.size_m)[0]
        assert is_marked(new, x, y)


def test_another_table_than_that_of_the_empty_picture_is_not_known() -> None:
    field, view = field_and_view()
    picture, _ = picture_of_dice(0)
    camera = nudged(table().style.camera, np.random.default_rng(3), table().style.camera.size)
    seen = view_of(camera, view)
    board = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, np.round(seen.corners_px()).astype(np.int32), (255,))
    other = table().picture(Scene(()), camera)
    field.before(halved(other), seen, COLORS)
    assert field.unknown is not None
    assert (field.unknown > 0).mean() < 0.2
    field, view = field_and_view()
    other[board == 0] = 255 - other[board == 0]
    field.before(halved(other), seen, COLORS)
    assert field.unknown is not None
    assert (field.unknown[halved(board) == 0] > 0).mean() > 0.97
    assert (field.unknown[halved(board) == 255] > 0).mean() < 0.1
