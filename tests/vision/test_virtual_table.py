"""What the virtual table draws, and what it leaves out."""

from dataclasses import replace

import numpy as np
import pytest

from vision.virtual.camera import Camera
from vision.virtual.everyday import EVERYDAY, solid_of
from vision.virtual.folded import FoldedCamera
from vision.virtual.geometry import BoardGeometry
from vision.virtual.mirrored import KINDS, MirroringRenderer, Patch, RoomLight
from vision.virtual.people import PeopledRenderer
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Piece, Scene, TableStyle, nudged, random_camera
from vision.virtual.setting import Setting
from vision.virtual.strewn import Strewn


@pytest.mark.parametrize(("away_m", "shows"), [(-0.04, False), (0.0, False), (0.1, True), (0.3, True)])
def test_a_mug_that_is_not_before_the_camera_is_not_drawn(away_m: float, shows: bool) -> None:
    """It was, across the whole picture, where a corner of it lay behind a camera low down."""
    camera = Camera.looking_at((0.0, 0.0), 28, 0, 0.5, size=(320, 180))
    without = replace(TableStyle.random(3), tokens={}, camera=camera, mugs=())
    x, y, _ = camera.eye
    mug = Piece("mug", "mug", float(x) + 0.06, float(y) + away_m)
    before, now = (
        Renderer(style).render(Scene(), Moment(noise_seed=1)) for style in (without, replace(without, mugs=(mug,)))
    )
    assert (not np.array_equal(before, now)) == shows


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("rise_m", [0.012, -0.012])
def test_each_px_shows_the_place_of_a_folded_board_that_is_drawn_there(rise_m: float, axis: int) -> None:
    flat = TableStyle.random(988_001, 4).camera
    camera = FoldedCamera.over(flat, rise_m, axis)
    shown = camera.plane_map()
    rows, columns = np.mgrid[60:680:31, 80:1240:37]
    places = shown[rows, columns].reshape(-1, 2)
    is_board = np.abs(places).max(axis=1) < 0.24
    px = camera.project(np.column_stack([places, np.zeros(len(places))])[is_board])
    assert is_board.sum() > 50
    assert px == pytest.approx(np.column_stack([columns.ravel(), rows.ravel()])[is_board], abs=0.1)


def test_the_crease_of_a_folded_board_stands_up_and_its_corners_do_not() -> None:
    flat, corners = TableStyle.random(988_001, 4).camera, BoardGeometry().corners()
    camera = FoldedCamera.over(flat, 0.012, 0)
    assert camera.project(corners) == pytest.approx(flat.project(corners))
    crease = np.array([[0.0, 0.1, 0.0], [0.0, -0.25, 0.0]])
    assert camera.project(crease) == pytest.approx(flat.project(crease + np.array([0.0, 0.0, 0.012])))
    pushed = nudged(camera, np.random.default_rng(1), camera.size)
    assert isinstance(pushed, FoldedCamera)
    assert (pushed.rise_m, pushed.axis) == (0.012, 0)


def test_everyday_things_stand_on_the_board_and_show() -> None:
    style = replace(TableStyle.random(988_003, 4), tokens={thing: thing for thing in EVERYDAY})
    setting = Setting(style, np.random.default_rng(1))
    for index, thing in enumerate(EVERYDAY):
        assert solid_of(thing).vertices[:, 2].min() == 0.0
        setting.put_token(thing, index * 7 % 40)
    drawn = Renderer(style).locate(setting.scene())
    assert len(drawn) == len(EVERYDAY)
    assert min(one.visible for one in drawn) > 0.9


def test_a_light_is_mirrored_where_the_ray_from_the_eye_meets_it() -> None:
    style = TableStyle.random(988_001, 4)
    eye, at = style.camera.eye, np.array([0.3, 0.4, 1.6])
    light = RoomLight(at, np.eye(3)[:2], (Patch(0.0, 0.0, 0.06, 0.0, is_round=True),), (0.2, 0.2, 0.2), 0.006, 1.0)
    shines = light.mirrored(style.camera, style.geometry.size_m)[..., 0]
    assert shines.max() == pytest.approx(0.2, rel=0.05)
    rows, columns = np.nonzero(shines > 0.1)
    below = at * [1, 1, -1]
    place = eye + (below - eye) * eye[2] / (eye[2] - below[2])
    assert [columns.mean(), rows.mean()] == pytest.approx(style.camera.project(place[None])[0], abs=1.5)


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_on_the_board_hides_what_it_mirrors(kind: str) -> None:
    style = replace(TableStyle.random(988_001, 4), mugs=())
    light = RoomLight.random(np.random.default_rng(5), kind, style.camera)
    plain, room = Renderer(style), MirroringRenderer(style, style.camera, (light,))
    shines = light.mirrored(style.camera, style.geometry.size_m).max(axis=2)
    row, column = np.unravel_index(shines.argmax(), shines.shape)
    x, y = style.camera.plane_map()[row, column]
    scene = Scene((Piece("thing", "red_pawn", float(x), float(y)),))
    for empty, differs in ((Scene(), True), (scene, False)):
        before, now = (each.compose(empty)[row - 3, column].astype(int) for each in (plain, room))
        assert (np.abs(now - before).max() > 5) == differs


def test_people_show_behind_the_table_alone_and_never_sit_quite_still() -> None:
    rng = np.random.default_rng(2)
    style = replace(TableStyle.random(988_004, 2), camera=random_camera(rng, (640, 360), (30, 40)), mugs=())
    alone, peopled = Renderer(style).compose(Scene()), PeopledRenderer(style)
    assert peopled.people
    first = peopled.compose(Scene())
    where = np.abs(style.camera.plane_map(1, -style.geometry.thickness_m)).max(axis=-1)
    assert np.array_equal(first[where < 0.4], alone[where < 0.4])
    peopled.time_s = 1.0
    then = peopled.compose(Scene())
    moved = (first != then).any(axis=-1)
    assert moved.sum() > 200
    assert where[moved].min() > 0.4
    peopled.time_s = 0.0
    assert np.array_equal(peopled.compose(Scene()), first)


def test_things_lie_about_from_the_first_throw_on_and_dice_beside_them() -> None:
    style = TableStyle.random(988_005, 3)
    setting = Strewn(style, np.random.default_rng(3))
    assert setting.scene().things == ()
    for _ in range(20):
        setting.dice = setting.throw((3, 4))
        assert (
            min(np.hypot(thing.x - die.x, thing.y - die.y) for thing in setting.things for die in setting.dice) > 0.03
        )
    half = style.geometry.size_m / 2
    assert len(setting.things) >= 2
    for thing in setting.things:
        is_on_board = thing.z == 0
        assert (max(abs(thing.x), abs(thing.y)) < half) == is_on_board
    assert set(setting.things) < set(setting.scene().things)
