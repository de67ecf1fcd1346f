"""What the readers of dice are shown in training: photographs from farther away, money that lies about."""

import itertools

import cv2
import numpy as np
import pytest

from vision.dice.crops import NUMERALS
from vision.training.built import FOR_FINDER, FOR_STREETS, Built
from vision.training.notes import draw_note, lay_notes
from vision.training.numerals import legible, sample, stamped, varied
from vision.training.props import Block, draw_block, held_by
from vision.training.scenes import lay_things
from vision.training.tables import COLUMNS, KINDS
from vision.virtual.dice import DiceLight, DieLook, Eye, corners_of, resting, turn_up
from vision.virtual.scene import TableStyle

#: A d20 that shows 7, of 60 px, seen from above; see `COLUMNS`.
ROW = np.array([[KINDS.index("d20"), 7, 170, 110, 60, 1, 0, 0, 1, 0, 0]], np.float32)


@pytest.mark.parametrize("seed", range(8))
def test_a_varied_photograph_keeps_its_upper_face_where_the_row_says(seed: int) -> None:
    image = np.full((200, 320, 3), 128, np.uint8)
    cv2.circle(image, (170, 110), 15, (255, 255, 255), -1)
    seen, rows = varied(image, ROW, np.random.default_rng(seed))
    assert rows.shape == (1, COLUMNS)
    assert 60 / 3.5 <= rows[0, 4] <= 60
    assert len(legible(rows, seen)) == 1
    marked = np.argwhere(np.abs(seen[..., 1].astype(int) - 128) > 60)
    assert marked.mean(axis=0)[::-1] == pytest.approx(rows[0, 2:4], abs=0.6)


def test_a_photograph_is_shown_from_many_distances_and_sides() -> None:
    image = np.full((200, 320, 3), 128, np.uint8)
    rng = np.random.default_rng(1)
    rows = np.concatenate([varied(image, ROW, rng)[1] for _ in range(60)])
    assert rows[:, 4].min() < 22
    assert rows[:, 4].max() > 50
    assert np.ptp(rows[:, 7]) > 5


def test_what_the_numerals_are_shown_is_their_row_s_face() -> None:
    image = np.full((200, 320, 3), 128, np.uint8)
    cv2.circle(image, (170, 110), 15, (255, 255, 255), -1)
    drawn = [sample(image, ROW, np.random.default_rng(seed)) for seed in range(5)]
    for cut, target in (one for one in drawn if one is not None):
        assert NUMERALS[int(target[0])] == ("d20", 7)
        assert cut.max() > 200, "the numeral is in it"
    assert any(one is not None for one in drawn)


@pytest.fixture
def pens(monkeypatch: pytest.MonkeyPatch) -> None:
    """No typefaces: these come with matplotlib."""
    monkeypatch.setattr("vision.training.numerals.typefaces", lambda: ("",))


def _face(numeral: str) -> np.ndarray:
    """A blue face with a white numeral in its middle, as on a d20 of 80 px."""
    patch = np.full((241, 241, 3), (160, 70, 20), np.uint8)
    (width, height), _ = cv2.getTextSize(numeral, cv2.FONT_HERSHEY_DUPLEX, 0.9, 2)
    at = (120 - width // 2, 120 + height // 2)
    return np.asarray(cv2.putText(patch, numeral, at, cv2.FONT_HERSHEY_DUPLEX, 0.9, (250, 245, 240), 2, cv2.LINE_AA))


@pytest.mark.usefixtures("pens")
@pytest.mark.parametrize("value", [1, 7, 20])
def test_a_stamped_numeral_takes_the_place_of_the_one_before(value: int) -> None:
    seven, four = (stamped(_face(old), 120, 80.0, value, np.random.default_rng(value)) for old in ("7", "14"))
    assert seven is not None
    assert four is not None
    assert np.abs(seven.astype(int) - four).mean(axis=2).max() < 30, "something of the old one is left"
    assert np.array_equal(seven[:90], _face("7")[:90]), "only the middle changes"
    assert 30 < (seven.min(axis=2) > 130).sum() < 800, "in the ink of the old one"


@pytest.mark.usefixtures("pens")
def test_stamped_numerals_are_those_of_their_row() -> None:
    rng = np.random.default_rng(2)
    row = np.array([[KINDS.index("d20"), 7, 120, 120, 80, 1, 0, 0, 1, 0, 0]], np.float32)
    values = [int(varied(_face("7"), row, rng)[1][0, 1]) for _ in range(200)]
    assert set(values) == set(range(1, 21))
    assert 25 < values.count(7) < 70, "one in five keeps its own"


def test_where_no_ink_stands_out_no_numeral_is_stamped() -> None:
    assert stamped(np.full((241, 241, 3), 90, np.uint8), 120, 80.0, 3, np.random.default_rng(0)) is None


@pytest.mark.parametrize("elevation", [0.7, 1.1, 1.5])
@pytest.mark.parametrize("kind", ["d6", "d4", "d20"])
def test_the_upper_face_of_a_die_alone_is_seen_whole(kind: str, elevation: float) -> None:
    eye, look = Eye.above(elevation, 30.0, 1200.0, (112, 112)), DieLook(kind=kind)
    for at, least, most in ((112, 0.98, 1.0), (218, 0.3, 0.97)):
        spot = np.array([[(at - 112) / 40.0, 0.0]])
        canvas = np.full((224, 224, 3), 128, np.float32)
        label = lay_things(np.random.default_rng(3), canvas, [look], spot, eye, DiceLight(), cocked=0.0)[0]
        assert least <= label.visible <= most


def test_notes_differ_and_come_again_from_their_seed() -> None:
    first, other, again = (draw_note(np.random.default_rng(seed)) for seed in (1, 2, 1))
    assert first.std() > 5
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_notes_lie_where_they_are_laid() -> None:
    eye = Eye.above(0.9, 40.0, 800.0, (160, 100))
    canvas = np.full((200, 320, 3), 128, np.float32)
    lay_notes(np.random.default_rng(4), canvas, eye, np.zeros(2), 1.0)
    changed = np.argwhere(np.abs(canvas - 128).max(axis=2) > 2)
    far = np.linalg.norm(changed.mean(axis=0) - (100, 160))
    assert 400 < len(changed) < 200 * 320 / 2
    assert far < 100
    assert canvas.min() >= 0
    assert canvas.max() <= 256


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_as_many_dice_lie_cocked_as_are_asked_for(share: float) -> None:
    spots = np.array([[x, y] for x in (-3.0, 0.0, 3.0) for y in (-3.0, 0.0, 3.0)])
    canvas, eye = np.full((224, 224, 3), 128, np.float32), Eye.above(1.2, 30.0, 600.0, (112, 112))
    labels = lay_things(np.random.default_rng(1), canvas, [DieLook()] * 9, spots, eye, DiceLight(), cocked=share)
    assert len(labels) == 9
    assert np.mean([label.cocked for label in labels]) == share


@pytest.mark.parametrize("elevation", [0.7, 1.1, 1.5])
def test_what_lies_flat_is_turned_away_from_the_eye_as_the_table_is(elevation: float) -> None:
    eye = Eye.above(elevation, 60.0, 1200.0, (112, 112), roll=0.5)
    spots, canvas = np.array([[0.0, 0.0], [-3.0, 2.0]]), np.full((224, 224, 3), 128, np.float32)
    labels = lay_things(np.random.default_rng(1), canvas, [DieLook()] * 2, spots, eye, DiceLight(), cocked=0.0)
    assert len(labels) == 2
    for label in labels:
        away = np.arccos(label.squash)
        assert label.slant == pytest.approx((away * np.sin(label.lean), away * np.cos(label.lean)), abs=0.02)
        assert away == pytest.approx(np.pi / 2 - elevation, abs=0.1)


def test_a_die_that_leans_towards_the_eye_is_turned_away_less() -> None:
    eye = Eye.above(0.8, 60.0, 1200.0, (112, 112))
    tilts = []
    for seed in range(20):
        canvas = np.full((224, 224, 3), 128, np.float32)
        rng = np.random.default_rng(seed)
        (label,) = lay_things(rng, canvas, [DieLook()], np.zeros((1, 2)), eye, DiceLight(), cocked=1.0)
        tilts.append(np.hypot(label.slant[0], label.slant[1] - (np.pi / 2 - 0.8)))
        assert label.cocked
    assert 0.2 < min(tilts) < max(tilts) < 0.75, "turned by 0.28 to 0.6, as seen from aslant"
    assert np.ptp(tilts) > 0.1


@pytest.mark.parametrize("seed", range(12))
def test_a_cocked_die_lies_on_the_edge_of_its_block_or_touches_its_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    yaw, axis, tilt, at = 0.4 + seed, 1.1 * seed, 0.4, (2.0, -1.0)
    rotation = turn_up("d6", 3, yaw, tilt, axis)
    corners = corners_of("d6") @ rotation.T + resting(DieLook(), rotation, at)
    block = held_by(rng, corners, yaw + axis + np.pi / 2, tilt, (0, 0, 255))
    side = block.foot[:2].mean(axis=0)
    out = (block.foot[2] - block.foot[1]) / np.linalg.norm(block.foot[2] - block.foot[1])
    up = rotation[:, np.abs(rotation[2]).argmax()]
    up = up * np.sign(up[2])
    assert up[2] == pytest.approx(np.cos(tilt))
    assert up[:2] @ out < -0.3
    if block.is_under:
        lowest = corners[corners[:, 2].argmin()]
        assert (np.array([*side, block.height]) - lowest) @ up == pytest.approx(0, abs=1e-6)
        assert block.height > 0.05
    else:
        assert float(side @ out) == pytest.approx(float((corners[:, :2] @ out).max()))


def test_a_block_is_drawn_where_it_stands_and_its_top_is_brighter_than_its_shaded_side() -> None:
    eye = Eye.above(0.8, 40.0, 1600.0, (160, 120))
    foot = np.array([[-1.0, -0.5], [1.0, -0.5], [1.0, 0.5], [-1.0, 0.5]])
    light = DiceLight(towards=(0.0, 1.0, 2.0))
    layer = draw_block(Block(foot, 0.8, (200.0, 200.0, 200.0), False), eye, light, np.random.default_rng(3))
    assert layer.bgr is not None
    top, side = (eye.project(np.array([point]))[0] - (layer.x, layer.y) for point in ((0, 0, 0.8), (0, -0.5, 0.4)))
    height, width = layer.alpha.shape
    assert 75 < width < 95
    above, below = (layer.bgr[round(y), round(x)].mean() for x, y in (top, side))
    assert layer.alpha[round(top[1]), round(top[0])] == 1
    assert above > 1.5 * below
    assert height < width


@pytest.mark.parametrize("how", [FOR_FINDER, FOR_STREETS])
@pytest.mark.parametrize("seed", range(6))
def test_rows_of_houses_stand_on_their_streets_and_not_in_each_other(how: Built, seed: int) -> None:
    style, rng = TableStyle.random(seed, ["red_pawn"]), np.random.default_rng(seed)
    looks = how.looks(rng)
    pieces = [piece for _, piece in how.pieces(rng, style, looks)]
    rows: dict[str, list[np.ndarray]] = {}
    for piece in pieces:
        kind, street, *_ = piece.name.split()
        # Loose ones may stand off the strip, towards the middle of the board, but on no other space.
        assert style.geometry.square_at(piece.x, piece.y) in (int(street), None)
        rows.setdefault(f"{kind} {street}", []).append(np.array([piece.x, piece.y]))
    assert len(rows) > 4
    long = sizes_of(looks["house"])[0] / 1000
    for name, row in rows.items():
        assert len(row) <= (4 if name.startswith("house") else 1)
        assert all(np.hypot(*(one - other)) > 0.7 * long for one, other in itertools.pairwise(row))


def sizes_of(look: str) -> list[float]:
    """Length, depth, and heights of wall and ridge of what looks so, mm."""
    return [float(size) for size in look.split("@")[1].split(",")]


@pytest.mark.parametrize("how", [FOR_FINDER, FOR_STREETS])
def test_houses_and_hotels_have_many_shapes_and_hotels_are_the_longer(how: Built) -> None:
    rng = np.random.default_rng(7)
    looks = [how.looks(rng) for _ in range(200)]
    houses, hotels = (np.array([sizes_of(look[kind]) for look in looks]) for kind in ("house", "hotel"))
    for shapes in (houses, hotels):
        assert (shapes[:, 3] > shapes[:, 2]).all(), "the ridge is above the walls"
        flat, steep = np.quantile((shapes[:, 3] - shapes[:, 2]) / shapes[:, 1], [0.1, 0.9])
        assert flat < 0.2
        assert steep > 0.42
    longer = hotels[:, 0] / houses[:, 0]
    assert longer.min() > 1.25
    assert np.quantile(longer, 0.15) < 1.75
    assert np.quantile(longer, 0.8) > 2
    assert len({look["hotel"].split("@")[2] for look in looks}) > 150


@pytest.mark.parametrize("how", [FOR_FINDER, FOR_STREETS])
def test_on_some_streets_houses_stand_anywhere_on_the_inner_part_of_the_space(how: Built) -> None:
    off_strips, counts = [], []
    for seed in range(30):
        style, rng = TableStyle.random(seed, ["red_pawn"]), np.random.default_rng(seed)
        geometry = style.geometry
        edge = geometry.size_m * (0.5 - geometry.margin_frac)
        streets: dict[str, list[bool]] = {}
        for _, piece in how.pieces(rng, style, how.looks(rng)):
            depth = (edge - max(abs(piece.x), abs(piece.y))) / geometry.depth_m
            assert depth > 0.44
            streets.setdefault(piece.name.split()[1], []).append(depth < 1 - 1.4 * geometry.strip_frac)
        off_strips += [any(off) for off in streets.values()]
        counts += [len(off) for off in streets.values() if any(off)]
    assert 0.1 < np.mean(off_strips) < 0.25
    assert set(counts) >= {1, 2, 3, 4}


@pytest.mark.parametrize("how", [FOR_FINDER, FOR_STREETS])
def test_houses_stand_on_either_side_of_some_hotels_near_or_apart(how: Built) -> None:
    hotels, along = 0, []
    for seed in range(100):
        style, rng = TableStyle.random(seed, ["red_pawn"]), np.random.default_rng(seed)
        looks = how.looks(rng)
        pieces = {piece.name: np.array([piece.x, piece.y]) for _, piece in how.pieces(rng, style, looks)}
        touching = (sizes_of(looks["hotel"])[0] + sizes_of(looks["house"])[0]) / 2000
        for name in (name for name in pieces if name.startswith("hotel")):
            hotels += 1
            street = name.split()[1]
            if f"extra {street}" in pieces:
                heading = style.geometry.heading(int(street))
                far = (pieces[f"extra {street}"] - pieces[name]) @ [np.cos(heading), np.sin(heading)]
                assert abs(far) > 0.95 * touching
                along.append(far / touching)
    assert 0.2 < len(along) / hotels < 0.4
    assert 0.3 < np.mean(np.array(along) > 0) < 0.7
    assert np.mean(np.abs(along) < 1.2) > 0.4
    assert np.max(np.abs(along)) > 1.5


def test_one_to_four_houses_stand_in_the_rows_of_streets() -> None:
    counts = set()
    for seed in range(6):
        style, rng = TableStyle.random(seed, ["red_pawn"]), np.random.default_rng(seed)
        names = [piece.name.split() for _, piece in FOR_STREETS.pieces(rng, style, FOR_STREETS.looks(rng))]
        counts |= {sum(other[:2] == one[:2] for other in names) for one in names if one[0] == "house"}
    assert counts == {1, 2, 3, 4}
