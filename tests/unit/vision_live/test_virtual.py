"""The virtual table: its geometry is exact, its frames repeat, and its truth is what was drawn."""

import json
import time
from dataclasses import replace
from itertools import combinations, groupby, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.virtual.clips import ClipTurn, write_clip
from vision.virtual.dataset import write_table
from vision.virtual.geometry import BoardGeometry
from vision.virtual.hand import HandPose
from vision.virtual.idle_hands import IdleHandsRenderer, seat_angle, seats_in_view
from vision.virtual.profiles import calibration_pictures
from vision.virtual.render import Renderer
from vision.virtual.scene import Die, Moment, Piece, Scene, TableStyle
from vision.virtual.setting import TOKEN_GAP_M, Setting, set_out
from vision.virtual.world import Command, World

SMALL = (640, 360)


@pytest.fixture(scope="module")
def style() -> TableStyle:
    return TableStyle.random(3, 3, SMALL)


@pytest.fixture(scope="module")
def renderer(style: TableStyle) -> Renderer:
    return Renderer(style)


def setting_of(style: TableStyle, seed: int = 1) -> Setting:
    return Setting(style, np.random.default_rng(seed))


@pytest.mark.parametrize("corner_units", [1.4, 1.6, 1.75])
@pytest.mark.parametrize("square", range(40))
def test_middle_of_a_space_lies_on_that_space(square: int, corner_units: float) -> None:
    geometry = BoardGeometry(corner_units=corner_units)
    assert geometry.square_at(*geometry.at(square, 0.5, 0.4)) == square


@pytest.mark.parametrize("square", [1, 6, 12, 18, 23, 29, 31, 39])
@pytest.mark.parametrize("comes_last", ["disc", "token"])
def test_discs_and_tokens_lie_beside_each_other(style: TableStyle, square: int, comes_last: str) -> None:
    for seed in range(12):
        setting = setting_of(style, seed)
        if comes_last == "token":
            setting.put_markers(square, ("bomb",))
        token = setting.put_token(next(iter(style.tokens)), square)
        if comes_last == "disc":
            setting.put_markers(square, ("bomb",))
        ((_, disc),) = setting.marker_pieces()
        assert np.hypot(disc.x - token.x, disc.y - token.y) >= 0.9 * TOKEN_GAP_M
        assert setting.geometry.square_at(disc.x, disc.y) == square


def test_board_runs_clockwise_from_go_at_the_lower_right() -> None:
    geometry = BoardGeometry()
    signs = [tuple(np.sign(geometry.at(square, 0.5, 0.5)).astype(int).tolist()) for square in (0, 10, 20, 30)]
    assert signs == [(1, -1), (-1, -1), (-1, 1), (1, 1)]


def test_middle_of_the_board_and_the_table_are_no_space() -> None:
    assert BoardGeometry().square_at(0.0, 0.02) is None
    assert BoardGeometry().square_at(0.3, 0.0) is None


def test_cell_and_lane_of_the_visitors_are_told_apart(style: TableStyle) -> None:
    setting = setting_of(style)
    for name in list(style.tokens) * 10:
        for in_jail in (True, False):
            setting.put_token(name, 10, in_jail)
            assert setting.square_of(name) == (10, in_jail)


def test_tokens_are_put_on_their_spaces(style: TableStyle) -> None:
    setting = setting_of(style)
    for square in range(40):
        setting.put_token(next(iter(style.tokens)), square)
        assert setting.square_of(next(iter(style.tokens))) == (square, False)


def test_projection_is_that_of_opencv(style: TableStyle) -> None:
    camera, points = style.camera, np.random.default_rng(1).uniform(-0.25, 0.25, (20, 3))
    expected, _ = cv2.projectPoints(
        points, cv2.Rodrigues(camera.rotation)[0], camera.translation, camera.matrix, camera.distortion
    )
    assert camera.project(points) == pytest.approx(expected.reshape(-1, 2), abs=1e-6)


def test_rays_of_the_pixels_hit_the_board_where_it_is_projected(style: TableStyle) -> None:
    at = style.camera.plane_map()
    for x, y in ((320, 180), (100, 60), (600, 300)):
        back = style.camera.project(np.array([[*at[y, x], 0.0]]))[0]
        assert back == pytest.approx((x, y), abs=0.05)


def test_same_scene_and_moment_give_the_same_frame(style: TableStyle, renderer: Renderer) -> None:
    scene = Scene((Piece("a", "red_pawn", 0.1, 0.1),), (Die(3, 0.0, 0.0),))
    one = renderer.render(scene, Moment(noise_seed=4))
    assert np.array_equal(one, Renderer(style).render(scene, Moment(noise_seed=4)))
    assert not np.array_equal(one, renderer.render(scene, Moment(noise_seed=5)))


@pytest.mark.parametrize(
    "thing",
    [
        Piece("a", "red_pawn", 0.15, -0.1),
        Piece("b", "car", -0.2, 0.1),
        Piece("c", "blue_meeple", 0.0, 0.1),
        Piece("d", "house", 0.1, 0.16),
        Piece("e", "bomb", -0.1, -0.2),
        Die(5, -0.05, 0.02, yaw=1.0),
        Die(7, 0.05, 0.02, kind="d20"),
    ],
)
def test_thing_is_drawn_in_its_box_and_nowhere_else_but_for_its_shadow(renderer: Renderer, thing: Piece | Die) -> None:
    scene = Scene(dice=(thing,)) if isinstance(thing, Die) else Scene(pieces=(thing,))
    bare, drawn = renderer.compose(Scene()).astype(int), renderer.compose(scene).astype(int)
    (where,) = renderer.locate(scene)
    x0, y0, x1, y1 = where.box
    changed = np.abs(drawn - bare).max(axis=2)
    inside = np.zeros(changed.shape, bool)
    inside[int(y0) - 1 : int(y1) + 2, int(x0) - 1 : int(x1) + 2] = True
    assert where.visible == pytest.approx(1.0, abs=0.01)
    assert changed[inside].max() > 25
    assert (drawn - bare)[~inside].max() <= 1, "outside of it the picture only gets darker"


def test_hand_covers_what_lies_under_it(renderer: Renderer) -> None:
    die = Die(2, 0.0, 0.0)
    over = Scene(dice=(die,), hands=(HandPose(0.02, 0.06, 0.02, 0.0),))
    assert renderer.locate(Scene(dice=(die,)))[0].visible > 0.99
    assert renderer.locate(over)[0].visible < 0.5


def test_dice_come_to_rest_apart_in_view_and_off_the_spaces(style: TableStyle) -> None:
    setting = setting_of(style)
    for _ in range(60):
        one, two = setting.throw((1, 6))
        assert (one.value, two.value) == (1, 6)
        assert np.hypot(one.x - two.x, one.y - two.y) > style.die_m
        for die in (one, two):
            px = style.camera.project(np.array([[die.x, die.y, 0.0]]))[0] / np.array(SMALL)
            assert px.min() > 0.0
            assert px.max() < 1.0
            assert style.geometry.square_at(die.x, die.y) is None


def run(world: World, now_s: float = 0.0) -> float:
    while world.is_busy:
        now_s += 0.1
        world.scene_at(now_s)
    return now_s


def test_gestures_leave_behind_what_was_ordered(style: TableStyle) -> None:
    world = World(style, 1)
    world.set_up()
    name = next(iter(style.tokens))
    for number, command in enumerate(
        [
            Command(do="throw", dice=(4, 2)),
            Command(do="move", token=name, to=10, in_jail=True),
            Command(do="build", to=6, houses=3),
            Command(do="mark", to=8, markers=("bomb",)),
            Command(do="nudge"),
            Command(do="pass_over"),
        ]
    ):
        world.do(Command(**{field: getattr(command, field) for field in command.__struct_fields__} | {"id": number}))
    run(world)
    assert [die.value for die in world.setting.dice] == [4, 2]
    assert world.setting.square_of(name) == (10, True)
    assert world.setting.buildings == {6: (3, False)}
    assert world.setting.markers == {8: ("bomb",)}
    assert world.done == {0, 1, 2, 3, 4, 5}


def test_hotel_takes_the_place_of_houses_and_houses_come_back(style: TableStyle) -> None:
    setting = setting_of(style)
    for houses, hotel in ((4, False), (0, True), (4, False), (2, False), (0, False)):
        setting.put_buildings(11, houses, hotel)
        kinds = [piece.kind for _, piece in setting.building_pieces()]
        assert kinds == (["hotel"] if hotel else ["house"] * houses)


def test_dice_are_nowhere_while_they_are_shaken_and_tumble_before_they_rest(style: TableStyle) -> None:
    world = World(style, 2)
    world.setting.dice = world.setting.throw((1, 1))
    world.do(Command(do="throw", dice=(6, 5)))
    numbers, tilts = [], []
    now_s = 0.0
    while world.is_busy:
        now_s += 0.05
        dice = world.scene_at(now_s).dice
        numbers.append(len(dice))
        tilts += [abs(die.tilt) for die in dice]
    assert 0 in numbers
    assert max(tilts) > 1.0
    assert [die.value for die in world.setting.dice] == [6, 5]


def test_an_open_hand_shows_dice_beside_the_board_and_keeps_still_now_and_then(style: TableStyle) -> None:
    world = World(style, 2, shake_s=2.4, is_open_handed=True)
    world.do(Command(do="throw", dice=(6, 5), seat=1))
    scenes = [world.scene_at(0.15 + 0.05 * k) for k in range(48)]
    shown = [scene for scene in scenes if scene.hands and scene.dice]
    assert len(shown) > 40
    half = style.geometry.size_m / 2
    assert all(max(abs(die.x), abs(die.y)) > half for scene in shown for die in scene.dice)
    for die, hand in ((die, scene.hands[0]) for scene in shown for die in scene.dice):
        assert np.hypot(die.x - hand.x, die.y - hand.y) < 0.02
        assert die.z == hand.z
    still = sum(one.dice == other.dice for one, other in pairwise(shown))
    assert 0.3 < still / len(shown) < 0.7


def test_a_hand_lets_dice_go_so_far_from_where_they_come_to_rest(style: TableStyle) -> None:
    world = World(style, 2, thrown_m=0.1)
    world.do(Command(do="throw", dice=(6, 5), seat=1))
    scenes = [world.scene_at(0.05 * k) for k in range(60)]
    rolling = [scene for scene in scenes if scene.dice and scene.hands]
    middle = np.mean([(die.x, die.y) for die in world.setting.dice], axis=0)
    assert len(rolling) > 5
    assert abs(np.hypot(*(middle - (rolling[0].hands[0].x, rolling[0].hands[0].y))) - 0.1) < 0.02
    assert any(scene.dice and not scene.hands and scene.dice != world.setting.dice for scene in scenes)


def test_dice_that_are_handed_on_are_seen_again_when_the_hand_draws_back(style: TableStyle) -> None:
    world = World(style, 2)
    world.setting.dice = lain = world.setting.throw((1, 1))
    world.do(Command(do="hand_on", dice=(6, 5), seat=1))
    scenes = []
    while world.is_busy:
        scenes.append(world.scene_at(0.05 * len(scenes)))
    lying = [scene.dice for scene in scenes]
    assert all(scene.hands for scene in scenes[:-1])
    assert [dice for dice, _ in groupby(lying)] == [lain, (), world.setting.dice]
    assert [die.value for die in world.setting.dice] == [6, 5]
    first, second = world.setting.dice
    assert 1.5 * style.die_m <= np.hypot(first.x - second.x, first.y - second.y) <= 2.2 * style.die_m


def test_hands_beside_the_board_keep_off_it_and_rest_now_and_then(style: TableStyle) -> None:
    renderer = IdleHandsRenderer(style, 3)
    plain, half = Renderer(style).compose(Scene()), style.geometry.size_m / 2
    is_still, pictures = [], []
    for tenth in range(100):
        poses = [[hand.pose(0.1 * tenth + dt) for hand in renderer._hands] for dt in (0.0, 0.05)]
        is_still += [one == other for one, other in zip(*poses, strict=True)]
        assert all(max(abs(pose.x), abs(pose.y)) > half for pose in poses[0])
    assert 0.1 < sum(is_still) / len(is_still) < 0.8
    for renderer.time_s in (0.0, 0.5, 1.0):
        pictures.append(renderer.compose(Scene()).astype(int))
        assert (np.abs(pictures[-1] - plain).max(axis=2) > 40).mean() > 0.005
    assert all(np.abs(one - other).max() > 40 for one, other in combinations(pictures, 2))


def test_nobody_sits_before_the_camera(style: TableStyle) -> None:
    eye = style.camera.eye[:2] / np.hypot(*style.camera.eye[:2])
    seats = seats_in_view(style.camera)
    assert 2 <= len(seats) <= 3
    sides = [np.array([np.cos(seat_angle(seat)), np.sin(seat_angle(seat))]) for seat in range(4)]
    assert int(np.argmax([side @ eye for side in sides])) not in seats


def test_same_seed_plays_the_same_scenes(style: TableStyle) -> None:
    def scenes() -> list[Scene]:
        world = World(style, 9)
        world.set_up()
        world.do(Command(do="throw", dice=(1, 2)))
        return [world.scene_at(0.1 * k) for k in range(30)]

    assert scenes() == scenes()


def test_calibration_pictures_are_as_a_person_takes_them(style: TableStyle) -> None:
    pictures = calibration_pictures(style)
    off = np.linalg.norm(pictures.taps_px - style.camera.project(style.geometry.corners()), axis=1)
    assert 0.0 < off.max() < 6.0
    assert set(pictures.enrol) == set(style.tokens)
    with_cop = calibration_pictures(style, figures=("cop",))
    assert set(with_cop.enrol) == {*style.tokens, "cop"}
    for picture in with_cop.enrol.values():
        assert np.abs(picture.astype(int) - pictures.empty_bgr).max() > 40
    for name, picture in pictures.enrol.items():
        assert (with_cop.enrol[name] == picture).all(), "a figure changes no other picture"


def test_calibration_pictures_of_several_frames_have_less_noise(style: TableStyle) -> None:
    noisy, clean = replace(style, noise=6.0), replace(style, noise=0.0)
    still = calibration_pictures(clean).empty_bgr.astype(int)
    one, four = (np.abs(calibration_pictures(noisy, frames=frames).empty_bgr - still).mean() for frames in (1, 4))
    assert 0.4 < four / one < 0.6


def test_a_clip_shows_each_turn_in_four_pictures(tmp_path: Path) -> None:
    style = TableStyle.random(9, ["car", "dog"], SMALL)
    turns = [ClipTurn("car", (3, 4), 7), ClipTurn("dog", (5, 5), 10, in_jail=True)]
    for name in ("one", "other"):
        write_clip(tmp_path / name, style, turns)
    stages = [f"t{turn:03d}_{stage}.jpg" for turn in range(2) for stage in range(4)]
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == sorted(["empty.jpg", "enrol_car.jpg", "enrol_dog.jpg", "taps.json", *stages])
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes() for name in names)
    shown = {name: cv2.imread(str(tmp_path / "one" / name)).astype(int) for name in (*stages, "empty.jpg")}
    hidden = {name: (np.abs(picture - shown["empty.jpg"]).max(axis=2) > 60).mean() for name, picture in shown.items()}
    for turn in range(2):
        settled = max(hidden[f"t{turn:03d}_{stage}.jpg"] for stage in (1, 3))
        assert hidden[f"t{turn:03d}_2.jpg"] > 2 * settled, "an arm carries the token"


def test_dataset_has_the_format_of_the_table_pictures(tmp_path: Path) -> None:
    style = TableStyle.random(9, 2, SMALL)
    write_table(tmp_path, style, frames=2, moved=1)
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert sorted(path.name for path in tmp_path.glob("*.jpg")) == sorted(
        ["empty.jpg", *(f"enrol_{name}.jpg" for name in style.tokens), *(f"frame_{k:03d}.jpg" for k in range(3))]
    )
    assert list(json.loads((tmp_path / "taps.json").read_text())) == ["empty.jpg"]
    assert [frame["camera_moved"] for frame in truth["frames"]] == [False, False, True]
    for frame in truth["frames"]:
        assert len(frame["dice"]) >= 2
        assert {token["name"] for token in frame["tokens"]} == set(style.tokens)
        for die in frame["dice"]:
            (x0, y0, x1, y1), (x, y) = die["box"], die["centre_px"]
            assert x0 < x < x1
            assert y0 < y < y1
            assert 0.0 <= die["visible"] <= 1.0


@pytest.mark.parametrize("seed", range(8))
def test_a_game_begins_with_all_tokens_on_go_where_none_stands_within_another(seed: int) -> None:
    style = TableStyle.random(seed, 8, SMALL)
    world = World(style, seed)
    world.set_up()
    for tokens in (set_out(style, np.random.default_rng(seed)), world.setting.tokens):
        setting = setting_of(style)
        setting.tokens = tokens
        assert [setting.square_of(name) for name in style.tokens] == [(0, False)] * 8
        for one, other in combinations(tokens.values(), 2):
            assert np.hypot(one.x - other.x, one.y - other.y) > 0.8 * TOKEN_GAP_M


@pytest.mark.benchmark
def test_ten_frames_a_second_on_one_core() -> None:
    cv2.setNumThreads(1)
    style = TableStyle.random(2, 4)
    world, renderer = World(style, 2), Renderer(style)
    world.set_up()
    for _ in range(3):
        world.do(Command(do="throw", dice=(3, 3)))
    start = time.process_time()
    for k in range(80):
        renderer.render(world.scene_at(0.1 * k), world.moment())
    assert (time.process_time() - start) / 80 < 0.1
