"""Dice drawn ray by ray are real dice: numbers, chirality, places, and what shows on top."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.virtual.dice import (
    OUTWARD,
    PIPS,
    DiceLight,
    DieLook,
    DiePatch,
    Eye,
    corners_of,
    draw_die,
    marbled,
    random_look,
    resting,
    top_value,
    tube_cosine,
    turn_up,
)
from vision.virtual.polyhedra import numeral, polyhedron

LIGHT = DiceLight(ambient=0.9)
FACES = {"d6": 6, "d4": 4, "d8": 8, "d20": 20}


def draw(look: DieLook, value: int, elevation: float = 1.57, yaw: float = 0.0, edge_px: float = 60) -> DiePatch:
    rotation = turn_up(look.kind, value, yaw)
    eye = Eye.above(elevation, 40.0, 40.0 * edge_px, (100.0, 100.0))
    return draw_die(look, rotation, resting(look, rotation, (0.0, 0.0)), eye, LIGHT)


def test_opposite_faces_add_up_to_seven() -> None:
    for value, out in OUTWARD.items():
        opposite = next(v for v, o in OUTWARD.items() if np.array_equal(np.negative(o), out))
        assert value + opposite == 7


def test_one_two_three_run_counterclockwise_around_their_corner() -> None:
    # Western chirality: seen from outside, towards the corner where they meet, 1, 2, 3 turn to the left.
    assert np.linalg.det(np.array([OUTWARD[1], OUTWARD[2], OUTWARD[3]], float)) > 0


@pytest.mark.parametrize("kind", ["d8", "d20"])
def test_opposite_numbers_of_flat_dice_add_up(kind: str) -> None:
    solid = polyhedron(kind)
    assert sorted(solid.numbers) == list(range(1, FACES[kind] + 1))
    for k, normal in enumerate(solid.normals):
        assert solid.numbers[k] + solid.numbers[int((solid.normals @ normal).argmin())] == FACES[kind] + 1


def test_d20_is_numbered_as_sold() -> None:
    solid = polyhedron("d20")
    one = solid.numbers.index(1)
    near = np.argsort(-(solid.normals @ solid.normals[one]))[1:4]
    assert {solid.numbers[int(k)] for k in near} == {7, 13, 19}
    by_number = {solid.numbers[k]: solid.normals[k] for k in range(20)}
    # Clockwise seen from outside: 13, 7, 19.
    assert np.linalg.det(np.array([by_number[13], by_number[7], by_number[19]])) < 0


@pytest.mark.parametrize("kind", FACES)
def test_turning_a_value_up_makes_it_the_one_that_is_read(kind: str) -> None:
    rng = np.random.default_rng(3)
    for value in range(1, FACES[kind] + 1):
        tilt = rng.uniform(0, 0.25) if kind != "d20" else 0.0
        read, lean = top_value(kind, turn_up(kind, value, rng.uniform(0, 6.3), tilt, rng.uniform(0, 6.3)))
        assert read == value
        assert lean == pytest.approx(tilt, abs=1e-6)


@pytest.mark.parametrize("value", range(1, 7))
def test_as_many_pips_show_from_above_as_the_value(value: int) -> None:
    patch = draw(DieLook(dent=0.0, gloss=0.0), value, yaw=0.3)
    dark = ((patch.bgr.mean(axis=2) < 100) & (patch.alpha > 0.5)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    assert sum(stats[1:, 4] > 40) == value, count


def test_a_tube_is_mirrored_along_its_length_and_not_beyond() -> None:
    middle, along, reach = (0.0, 0.0, 1.0), (2.0, 0.0, 0.5), 0.5
    rays = np.array([[0, 0, 1], [0.4, 0, 1], [0.5, 0, 1], [0.9, 0, 1], [0, 0.4, 1]], np.float32)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    near = tube_cosine(rays, middle, along, reach)[:, 0]
    assert np.allclose(near[:3], 1, atol=1e-5)
    assert (near[3:] < 0.99).all()


def test_a_resting_die_touches_the_table() -> None:
    for kind in FACES:
        rotation = turn_up(kind, 3, 0.4)
        center = resting(DieLook(kind=kind), rotation, (0.2, -0.1))
        assert (corners_of(kind) @ rotation.T + center)[:, 2].min() == pytest.approx(0)


def test_truth_says_where_the_upper_face_is() -> None:
    patch = draw(DieLook(), 1, elevation=0.8, edge_px=80)
    x, y = round(patch.top_px[0]) - patch.x, round(patch.top_px[1]) - patch.y
    assert patch.bgr[y, x].mean() < 90, "the single pip"
    x0, y0, x1, y1 = patch.box
    assert x0 < patch.top_px[0] < x1
    assert y0 < patch.top_px[1] < (y0 + y1) / 2, "the upper face is in the upper half"
    assert patch.edge_px == pytest.approx(80 * np.sin(0.8) ** 0.5, rel=0.1)


def test_side_faces_darken_and_the_outside_is_transparent() -> None:
    patch = draw(DieLook(pip_radius=0.0, gloss=0.0), 1, elevation=0.8)
    assert patch.alpha[0].max() == 0
    assert patch.alpha.max() == pytest.approx(1)
    middle = patch.alpha.shape[1] // 2
    column = patch.bgr[:, middle][patch.alpha[:, middle] > 0.9].mean(axis=1)
    assert column[5] > column[-5] + 20


def test_random_dice_can_be_read_by_contrast() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        look = random_look(rng)
        assert max(abs(a - b) for a, b in zip(look.body, look.ink, strict=True)) > 42


def test_pips_of_marbled_dice_stand_out_from_both_of_their_colors() -> None:
    rng = np.random.default_rng(0)
    looks = [marbled(rng, random_look(rng)) for _ in range(200)]
    for look in looks:
        assert max(look.body) < 90
        for color in (look.body, look.mottle_color):
            assert max(abs(a - b) for a, b in zip(color, look.ink, strict=True)) > 42
    weights = np.array([0.114, 0.587, 0.299])
    assert np.mean([abs(np.subtract(look.ink, look.body) @ weights) < 42 for look in looks]) > 0.4


def test_a_face_that_sinks_towards_its_pip_mirrors_lights_around_it_alone() -> None:
    flat = DieLook(gloss=1.0, body=(20, 20, 20), ink=(200, 200, 200), dent=0.0, big_one=1.5)
    plain, sunk = draw(flat, 1), draw(replace(flat, sink=0.4), 1)
    y, x = np.mgrid[: plain.alpha.shape[0], : plain.alpha.shape[1]]
    away = np.hypot(x + plain.x - plain.top_px[0], y + plain.y - plain.top_px[1]) / (60 * flat.pip_radius * 1.5)
    change = np.abs(sunk.bgr - plain.bgr).max(axis=2)
    assert change[(away > 1.2) & (away < 1.8)].mean() > 2
    assert change[away < 0.8].max() == 0
    assert change[(away > 2.4) & (away < 3.0)].max() == 0


def test_pips_of_the_far_face_shine_through_smoky_dice() -> None:
    look = DieLook(gloss=0.0, body=(40, 40, 40), ink=(20, 20, 200), dent=0.0, ball=0.87)
    plain, smoky = draw(look, 1), draw(replace(look, smoky=0.5), 1)
    change = np.abs(smoky.bgr - plain.bgr).max(axis=2)
    x, y = (round(v) for v in np.subtract(plain.top_px, (plain.x, plain.y)))
    reach = round(0.25 * 60)
    corners = [change[y + a * reach, x + b * reach] for a in (-1, 1) for b in (-1, 1)]
    assert min(corners) > 30, "of the six below"
    assert change[y, x] == 0, "the single pip above"
    assert 6 * 30 < (change > 20).sum() < 0.5 * 60**2


def test_six_and_nine_are_told_apart_by_their_mark() -> None:
    for font in range(4):
        turned = np.rot90(numeral(6, font), 2)
        assert np.abs(turned - numeral(9, font)).mean() > 0.02


def test_pips_of_a_face_are_symmetric() -> None:
    for value, pips in PIPS.items():
        assert len(pips) == value
        assert {(-a, -b) for a, b in pips} == set(pips)
