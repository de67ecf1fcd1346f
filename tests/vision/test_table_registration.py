"""The board is found again by its artwork, however the camera was moved; its lines are found in the picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import virtual_table
from vision.board.layout import Layout, find_layout, usual_layout
from vision.board.lines import on_the_lines
from vision.board.outline import NoBoardFound, find_taps
from vision.board.registration import RIM_PX, SIDE_PX, Reference, rectify, view_of_taps
from vision.board.view import CORNERS, View, usual_focal, view_from_corners
from vision.virtual.camera import Camera
from vision.virtual.geometry import BoardGeometry
from vision.virtual.references import scanned
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Scene, TableStyle, nudged, random_camera

PAWNS = ("red_pawn", "blue_pawn")


def off(found: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    return float(np.hypot(*(found - true).T).mean())


def low_down(rng: np.random.Generator, seed: int = 3) -> TableStyle:
    return replace(TableStyle.random(seed), tokens={}, camera=random_camera(rng, (1280, 720), (26.0, 30.0)))


def tilted_view(focal: float, radial: float = 0.0) -> View:
    tilt = np.radians(35)
    rotation = np.array([[1, 0, 0], [0, -np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), -np.cos(tilt)]])
    return View((1280, 720), focal, radial, rotation, np.array([0.02, 0.05, 1.7]))


@pytest.mark.parametrize("focal", [500.0, 850.0, 1000.0, 1150.0, 2800.0])
def test_four_corners_of_a_tilted_board_give_the_focal_length(focal: float) -> None:
    true = tilted_view(focal)
    found = view_from_corners(true.size, true.corners_px())
    assert found.focal_px == pytest.approx(focal, rel=0.08)
    assert off(found.corners_px(), true.corners_px()) < 1.0


def test_a_square_picture_was_cut_out_of_a_wide_one() -> None:
    assert usual_focal((720, 700)) == pytest.approx(usual_focal((1280, 720)), rel=0.05)
    assert usual_focal((720, 1280)) == usual_focal((1280, 720))


@pytest.mark.parametrize("radial", [-0.6, -0.08, 0.0, 0.12])
def test_px_and_board_points_are_each_others_inverse(radial: float) -> None:
    view = tilted_view(1000.0, radial)
    points = np.array([[0.1, -0.3], [0.5, 0.5], [-0.45, 0.2]])
    assert view.to_board(view.project(points)) == pytest.approx(points, abs=1e-3)
    above = view.project(np.column_stack([points, np.full(3, 0.05)]))
    assert view.to_board(above, 0.05) == pytest.approx(points, abs=1e-3)


@pytest.mark.parametrize("x", [60.0, 640.0, 1220.0])
def test_upright_things_lean_away_from_the_point_under_the_camera(x: float) -> None:
    view = tilted_view(1000.0)
    below = view.project(view.eye[None, :2])[0]
    lean = view.stances_at(np.array([[x, 300.0]]))[0, 0]
    assert lean == pytest.approx(np.arctan2(x - below[0], below[1] - 300.0), abs=0.01)


def test_a_level_plane_looks_foreshortened_by_the_angle_under_which_it_is_seen() -> None:
    view = tilted_view(1000.0)
    middle, right, away = view.project(np.array([[0.0, 0], [0.01, 0], [0, 0.01]]))
    most, least = np.linalg.svd(np.column_stack([right - middle, away - middle]), compute_uv=False)
    assert view.stances_at(middle[None])[0, 1] == pytest.approx(least / most, rel=0.03)


def test_what_lies_nearer_looks_larger_than_in_the_middle() -> None:
    view = tilted_view(1000.0)
    places = np.array([[0.0, 0.0], [0.3, -0.6], [-0.2, 0.7]])
    beside = places + np.array([0.01, 0.0])
    lengths = np.hypot(*(view.project(beside) - view.project(places)).T)
    near = view.nearness_at(view.project(places))
    assert near == pytest.approx(lengths / lengths[0], rel=0.03)
    assert near[1] > 1.1 > 0.9 > near[2]


def test_known_points_give_the_pose_of_a_known_lens() -> None:
    view = tilted_view(1000.0, -0.08)
    start = View(view.size, view.focal_px, view.radial, np.eye(3), np.array([0.0, 0.0, 1.0]))
    assert start.with_corners(view.project(CORNERS)).corners_px() == pytest.approx(view.corners_px(), abs=0.2)


def test_taps_are_drawn_to_the_edges_of_the_board() -> None:
    tapped, found = [], []
    for seed in (0, 3, 4):
        table = virtual_table(seed, PAWNS)
        rng = np.random.default_rng(seed)
        taps = table.corners() + rng.normal(0, 1.6, (4, 2))
        tapped.append(off(taps, table.corners()))
        found.append(off(Reference(table.pictures.empty_bgr, taps).view.corners_px(), table.corners()))
    assert np.mean(found) < np.mean(tapped)
    assert max(found) < 4


@pytest.mark.parametrize("seed", [3, 4])
def test_moved_camera_is_noticed_and_followed(seed: int) -> None:
    table = virtual_table(seed, PAWNS)
    reference = Reference(table.pictures.empty_bgr, table.corners())
    setting = table.setting()
    setting.put_token("red_pawn", 5)
    still = reference.register(table.picture(setting.scene()))
    assert still.view is not None
    assert not still.moved
    camera = nudged(table.style.camera, np.random.default_rng(seed), table.style.camera.size)
    moved = reference.register(table.picture(setting.scene(), camera))
    assert moved.view is not None
    assert moved.moved
    assert off(moved.view.corners_px(), table.corners(camera)) < 4
    back = reference.register(table.picture(setting.scene()))
    assert not back.moved


@pytest.mark.parametrize("turn", [9.0, 180.0])
def test_a_turned_camera_is_followed(turn: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A little by features near to where they were, else by those anywhere."""
    table = virtual_table(3, PAWNS)
    reference = Reference(table.pictures.empty_bgr, table.corners())
    height, width = table.pictures.empty_bgr.shape[:2]
    turned = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    picture = np.asarray(cv2.warpAffine(table.pictures.empty_bgr, turned, (width, height)), np.uint8)
    monkeypatch.setattr(reference, "_bumped" if turn > 10 else "_search", lambda *_: None)
    found = reference.register(picture)
    assert found.view is not None
    assert found.moved
    assert off(found.view.corners_px(), table.corners() @ turned[:, :2].T + turned[:, 2]) < 3


def test_a_camera_low_down_is_followed_after_a_push(monkeypatch: pytest.MonkeyPatch) -> None:
    """By features near to where they were: the flow of the artwork's corners loses it."""
    rng = np.random.default_rng(3)
    style = low_down(rng)
    corners, nothing = style.geometry.corners(), Scene((), ())
    reference = Reference(Renderer(style).render(nothing, Moment(noise_seed=1)), style.camera.project(corners))
    monkeypatch.setattr(reference, "_search", lambda *_: None)
    pushed = nudged(nudged(style.camera, rng, style.camera.size), rng, style.camera.size)
    found = reference.register(Renderer(style, pushed).render(nothing, Moment(noise_seed=2)))
    assert found.view is not None
    assert off(found.view.corners_px(), pushed.project(corners)) < 3


def test_a_board_out_of_focus_is_found_from_low_down_next_to_a_scan() -> None:
    """By features that it shows from there: those of the scan as it is are too few."""
    rng = np.random.default_rng(3)
    style = low_down(rng)
    corners, scan = style.geometry.corners(), scanned(Renderer(style), rng)
    picture = Renderer(style).render(Scene((), ()), Moment(blur_px=1.5, noise_seed=2))
    picture[:, 560:800] = 128
    found = Reference(scan.picture_bgr, scan.corners_px).register(picture)
    assert found.view is not None
    assert off(found.view.corners_px(), style.camera.project(corners)) < 1


def test_a_camera_put_elsewhere_low_down_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    style, elsewhere = low_down(rng), low_down(rng).camera
    corners, nothing = style.geometry.corners(), Scene((), ())
    reference = Reference(Renderer(style).render(nothing, Moment(noise_seed=1)), style.camera.project(corners))
    monkeypatch.setattr(reference, "_bumped", lambda *_: None)
    found = reference.register(Renderer(style, elsewhere).render(nothing, Moment(blur_px=2.0, noise_seed=2)))
    assert found.view is not None
    assert off(found.view.corners_px(), elsewhere.project(corners)) < 3


def test_the_lens_that_features_tell_is_made_finer_by_the_flow() -> None:
    """The corners lie 1.5 px beside where they are when it is only replaced by a much better one."""
    rng = np.random.default_rng(10)
    style = low_down(rng, 10)
    scan = scanned(Renderer(style), rng)
    picture = Renderer(style).render(Scene((), ()), Moment(noise_seed=2))
    found = Reference(scan.picture_bgr, scan.corners_px).register(picture)
    assert found.view is not None
    assert off(found.view.corners_px(), style.camera.project(style.geometry.corners())) < 0.8


@pytest.mark.parametrize("radial", [-0.25, 0.15])
def test_pictures_through_another_lens_than_the_empty_one_are_followed(radial: float) -> None:
    table = virtual_table(3, PAWNS)
    reference = Reference(table.pictures.empty_bgr, table.corners())
    bent = np.array([radial, *table.style.camera.distortion[1:]])
    camera = replace(table.style.camera, distortion=bent)
    setting = table.setting()
    setting.put_token("red_pawn", 5)
    first = reference.register(table.picture(setting.scene(), camera))
    assert first.view is not None
    assert off(first.view.corners_px(), table.corners(camera)) < 3
    setting.put_token("blue_pawn", 15)
    assert reference.register(table.picture(setting.scene(), camera)).view is first.view


def test_a_street_beside_is_not_believed_where_more_agrees_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    table = virtual_table(3, PAWNS)
    reference = Reference(table.pictures.empty_bgr, table.corners())
    camera = nudged(table.style.camera, np.random.default_rng(3), table.style.camera.size)
    street = 0.08 * reference.view.rotation[:, 0]
    beside = replace(reference.view, translation=reference.view.translation + street)
    follow, told = reference._follow, [(beside, 0.24)]
    monkeypatch.setattr(reference, "_follow", lambda gray, view: told.pop() if told else follow(gray, view))
    found = reference.register(table.picture(table.setting().scene(), camera))
    assert found.view is not None
    assert found.moved
    assert off(found.view.corners_px(), table.corners(camera)) < 4


def test_view_is_kept_while_a_moved_camera_is_at_rest() -> None:
    table = virtual_table(3, PAWNS)
    reference = Reference(table.pictures.empty_bgr, table.corners())
    setting = table.setting()
    camera = nudged(table.style.camera, np.random.default_rng(3), table.style.camera.size)
    first = reference.register(table.picture(setting.scene(), camera))
    setting.put_token("red_pawn", 5)
    second = reference.register(table.picture(setting.scene(), camera))
    assert first.moved
    assert second.moved
    assert second.view is first.view


def test_registration_gives_the_same_twice() -> None:
    table = virtual_table(3, PAWNS)
    picture = table.picture(table.setting().scene())
    corners = []
    for _ in range(2):
        view = Reference(table.pictures.empty_bgr, table.pictures.taps_px).register(picture).view
        assert view is not None
        corners.append(view.corners_px())
    assert np.array_equal(corners[0], corners[1])


def test_picture_without_the_board_is_reported_as_lost() -> None:
    table = virtual_table(3, PAWNS)
    reference = Reference(table.pictures.empty_bgr, table.corners())
    noise = np.random.default_rng(1).integers(0, 255, (90, 160, 3)).astype(np.uint8)
    assert reference.register(noise.repeat(8, 0).repeat(8, 1)).view is None
    assert reference.register(np.full_like(table.pictures.empty_bgr, 90)).view is None


def test_another_size_of_the_same_view_is_not_a_move() -> None:
    table = virtual_table(3, PAWNS)
    reference = Reference(table.pictures.empty_bgr, table.corners())
    small = np.ascontiguousarray(table.pictures.empty_bgr[::2, ::2])
    found = reference.register(small)
    assert found.view is not None
    assert not found.moved
    assert off(found.view.corners_px(), table.corners() / 2) < 2


@pytest.mark.parametrize("seed", range(4))
def test_lines_between_the_spaces_are_found(seed: int) -> None:
    table = virtual_table(seed, PAWNS)
    view = Reference(table.pictures.empty_bgr, table.corners()).view
    layout = find_layout(rectify(table.pictures.empty_bgr, view, 1000, 20), 1000, 20)
    geometry = table.style.geometry
    first = geometry.inner_m / geometry.size_m
    # 0.007 of 50 cm is 3.5 mm.
    assert np.abs([layout.x_lines[0] + first, layout.x_lines[-1] - first]).max() < 0.007
    assert np.abs([layout.y_lines[0] + first, layout.y_lines[-1] - first]).max() < 0.007
    assert layout.clarity > 1.6


def test_layout_knows_the_spaces_in_order_of_travel() -> None:
    layout = usual_layout()
    assert layout.square_at(np.array([0.45, -0.45])) == 0
    assert layout.square_at(np.array([0.0, -0.45])) == 5
    assert layout.square_at(np.array([-0.45, -0.45])) == 10
    assert layout.square_at(np.array([-0.45, 0.0])) == 15
    assert layout.square_at(np.array([-0.45, 0.45])) == 20
    assert layout.square_at(np.array([0.45, 0.45])) == 30
    assert layout.square_at(np.array([0.45, 0.0])) == 35
    assert layout.square_at(np.array([0.45, -0.33])) == 39
    assert layout.square_at(np.array([0.0, 0.0])) is None
    assert layout.square_at(np.array([0.51, 0.0])) is None


@pytest.mark.parametrize("square", range(40))
def test_middle_of_every_space_is_on_it(square: int) -> None:
    layout = usual_layout()
    x0, y0, x1, y1 = layout.rectangle(square)
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    assert layout.square_at(middle) == square
    shares = layout.squares(middle[None], np.array([0.004]))[0]
    assert max(shares, key=lambda key: shares[key]) == square
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.01)


def test_foot_on_a_line_is_shared_by_both_spaces() -> None:
    layout = usual_layout()
    x0, y0, _, y1 = layout.rectangle(3)
    shares = layout.squares(np.array([[x0, (y0 + y1) / 2]]), np.array([0.004]))[0]
    assert shares[3] == pytest.approx(0.5, abs=0.02)
    assert shares[4] == pytest.approx(0.5, abs=0.02)


def test_lane_of_the_visitors_is_not_the_cell() -> None:
    layout: Layout = usual_layout()
    assert layout.in_cell(np.array([-0.40, -0.40]), 0.004) > 0.95
    assert layout.in_cell(np.array([-0.48, -0.40]), 0.004) < 0.05
    assert layout.in_cell(np.array([-0.40, -0.48]), 0.004) < 0.05


@pytest.mark.parametrize("seed", [0, 3, 930_004, 930_010, 930_042, 930_049])
def test_board_is_found_without_taps_the_right_way_round(seed: int) -> None:
    """The last ones: flowers of the cloth touch it, its rim has the color of its middle, some of its sides show the
    printed square plainest and others the edge, and its foot on a dark table is plainer than its edge."""
    style = replace(TableStyle.random(seed), tokens={})
    picture = Renderer(style).render(Scene((), ()), Moment(noise_seed=seed))
    assert off(find_taps(picture), style.camera.project(style.geometry.corners())) < 6


def test_view_is_drawn_to_the_lines_between_the_spaces() -> None:
    style = replace(TableStyle.random(3), tokens={})
    picture = Renderer(style).render(Scene((), ()), Moment(noise_seed=3))
    corners = style.camera.project(style.geometry.corners())
    view = view_from_corners((picture.shape[1], picture.shape[0]), corners)
    unit = find_layout(rectify(picture, view), SIDE_PX, RIM_PX).unit
    # Two sides of the printed square, two of the edge.
    askew = view_from_corners(view.size, view.project(CORNERS * [0.975, 1.0] + [0.0, 0.01]))
    moved, share = on_the_lines(picture, askew, unit)
    assert share > 0.8
    assert off(askew.corners_px(), corners) > 6
    assert off(moved.sized_to(corners).corners_px(), corners) < 1.5


def test_a_board_seen_from_low_down_is_as_large_as_its_near_corners_tell() -> None:
    camera = random_camera(np.random.default_rng(5), (1280, 720), (26.0, 30.0))
    view = view_from_corners(camera.size, camera.project(BoardGeometry().corners()))
    corners = view.corners_px()
    away = np.argsort(corners[:, 1])[:2]
    tapped = corners.copy()
    tapped[away] -= [0.0, 3.0]
    assert view.sized_to(corners).corners_px() == pytest.approx(corners, abs=0.01)
    assert off(view.with_side(1.05).sized_to(corners).corners_px(), corners) < 0.1
    assert off(view.with_side(2 * float(np.abs(view.to_board(tapped)).mean())).corners_px(), corners) > 4
    assert off(view.sized_to(tapped).corners_px(), corners) < 1.5


@pytest.mark.parametrize("seed", [3, 930_004])
def test_badly_tapped_board_is_found_by_its_lines(seed: int) -> None:
    style = replace(TableStyle.random(seed), tokens={})
    picture = Renderer(style).render(Scene((), ()), Moment(noise_seed=seed))
    corners = style.camera.project(style.geometry.corners())
    away = np.array([[9.0, -4.0], [-6.0, -8.0], [7.0, 5.0], [8.0, -7.0]])
    view = view_of_taps(picture, corners + away)
    assert off(view.corners_px(), corners) < 3
    # What such corners tell of the lens by themselves is forgotten: on one board that it is zoomed in fourfold.
    assert view.focal_px == pytest.approx(style.camera.focal_px, rel=0.2)


def test_well_tapped_corners_are_those_meant() -> None:
    """Where the printed square was tapped, and well, the board ends there."""
    style = replace(TableStyle.random(3), tokens={})
    picture = Renderer(style).render(Scene((), ()), Moment(noise_seed=3))
    corners = style.camera.project(style.geometry.corners())
    view = view_from_corners((picture.shape[1], picture.shape[0]), corners)
    printed = view.project(CORNERS * (1 - 2 * find_layout(rectify(picture, view), SIDE_PX, RIM_PX).rim))
    assert off(printed, corners) > 4
    assert off(view_of_taps(picture, printed).corners_px(), printed) < 2


@pytest.mark.parametrize("elevation", [55.0, 88.0])
def test_a_very_wide_lens_is_told_by_the_lines(elevation: float) -> None:
    """From straight above four corners tell nothing of it, and pieces would seem to lean elsewhere."""
    style = replace(TableStyle.random(3), tokens={}, mugs=())
    camera = Camera.looking_at((0.0, 0.02), elevation, 20.0, 0.56, fov_deg=108.0, k1=-0.24)
    picture = Renderer(replace(style, camera=camera)).render(Scene((), ()), Moment(noise_seed=3))
    corners = camera.project(style.geometry.corners())
    view = view_of_taps(picture, corners + np.random.default_rng(3).normal(0, 1, (4, 2)))
    assert view.focal_px == pytest.approx(camera.focal_px, rel=0.25)
    assert off(view.corners_px(), corners) < 2


def test_where_no_lines_show_the_view_stays() -> None:
    plain = np.full((720, 1280, 3), 120, np.uint8)
    view = view_from_corners((1280, 720), np.array([[900.0, 600], [300, 600], [400, 100], [800, 100]]))
    moved, share = on_the_lines(plain, view, 0.08)
    assert moved is view
    assert share == 0


PLAIN = np.full((720, 1280, 3), 120, np.uint8)
NOISE = np.random.default_rng(3).integers(0, 255, (480, 640, 3)).astype(np.uint8)


@pytest.mark.parametrize("picture", [PLAIN, NOISE], ids=["plain", "noise"])
def test_table_without_a_board_has_no_taps(picture: NDArray[np.uint8]) -> None:
    with pytest.raises(NoBoardFound, match="tap its four corners"):
        find_taps(picture)


def test_where_the_empty_picture_shows_nothing_no_board_is_found() -> None:
    pictures = virtual_table(3, PAWNS).pictures
    reference = Reference(np.full_like(pictures.empty_bgr, 128), pictures.taps_px)
    assert reference.register(pictures.empty_bgr).view is None
