"""Tokens, buildings, markers and hands of rendered tables are read; names are given to all tokens together."""

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import reader_of, virtual_table
from vision.board.alignment import aligned
from vision.board.bands import HEIGHT, WIDTH, Bands
from vision.board.foreground import match_colors, recolor
from vision.board.layout import STREETS, usual_layout
from vision.board.view import Points, View, view_from_corners
from vision.detections import DieReading, TokenReading
from vision.networks import Twins
from vision.pieces.assignment import assign, marginals
from vision.pieces.buildings import read_buildings
from vision.pieces.finder import Found, PieceFinder, Pieces
from vision.pieces.markers import as_tokens, read_markers, seen_as_both
from vision.pieces.presence import candidates
from vision.pieces.streets import StreetReader
from vision.pieces.tokens import SIZE, WITHIN, shown_of
from vision.pixels import Image, remap
from vision.reader import TableReader, apart, one_or_other, without_tokens
from vision.virtual.camera import Camera
from vision.virtual.hand import HandPose
from vision.virtual.scene import Moment, Scene

PAWNS = ("red_pawn", "blue_pawn", "yellow_pawn", "white_pawn")


def test_assignment_is_the_best_of_all() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        rows, columns = (int(v) for v in rng.integers(1, 5, 2))
        gain = rng.normal(0, 1, (rows, columns))
        options = itertools.product(range(-1, columns), repeat=rows)
        sums = [
            sum(gain[row, column] for row, column in enumerate(option) if column >= 0)
            for option in options
            if len({c for c in option if c >= 0}) == sum(c >= 0 for c in option)
        ]
        taken = assign(gain)
        used = [column for column in taken if column >= 0]
        assert len(set(used)) == len(used)
        assert sum(gain[row, column] for row, column in enumerate(taken) if column >= 0) == pytest.approx(max(sums))


def test_assignment_of_nothing_is_nothing() -> None:
    assert assign(np.zeros((0, 3))) == []
    assert assign(np.zeros((2, 0))) == [-1, -1]


def test_a_name_that_another_surely_has_is_not_shared() -> None:
    logits = np.array([[8.0, 0.0], [2.0, 2.0]])
    shares = marginals(logits)
    assert shares[0, 0] > 0.9
    assert shares[1, 1] > 0.7
    assert (shares.sum(0) < 1.05).all()


def test_colors_are_matched_through_exposure_and_pieces() -> None:
    rng = np.random.default_rng(2)
    empty = rng.integers(20, 200, (60, 60, 3)).astype(np.uint8)
    now = np.clip(empty * np.array([0.8, 1.0, 1.15]) + 3, 0, 255).astype(np.uint8)
    now[10:25, 10:30] = (20, 20, 220)
    mapped = recolor(empty, match_colors(empty, now)).astype(int)
    outside = np.ones((60, 60), bool)
    outside[10:25, 10:30] = False
    assert np.abs(mapped - now)[outside].mean() < 3


def house(street: int, along: float, kind: str = "house", score: float = 0.9) -> Found:
    strip = usual_layout().strip_corners(street)
    inner, outer = strip[0] + (strip[1] - strip[0]) * along, strip[3] + (strip[2] - strip[3]) * along
    return Found(kind, (inner + outer) / 2, score)


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize("count", [1, 4])
def test_houses_are_counted_on_their_street(street: int, count: int) -> None:
    found = [house(street, 0.14 + 0.24 * k) for k in range(count)]
    readings = read_buildings(usual_layout(), found)
    assert list(readings) == [street]
    assert (readings[street].houses, readings[street].hotel) == (count, False)


def test_hotel_is_not_read_as_houses_as_well() -> None:
    readings = read_buildings(usual_layout(), [house(24, 0.5, "hotel"), house(24, 0.42, score=0.5)])
    assert (readings[24].houses, readings[24].hotel) == (0, True)


def test_building_far_from_any_strip_is_none() -> None:
    assert read_buildings(usual_layout(), [Found("house", np.array([0.0, 0.0]), 0.9)]) == {}


@pytest.mark.parametrize(("outside", "streets"), [(0.1, [11]), (0.16, [])])
def test_building_beside_the_strips_is_part_of_something_else(outside: float, streets: list[int]) -> None:
    layout = usual_layout()
    first, second = house(11, 0.0).foot, house(11, 1.0).foot
    foot = first + (first - second) * (outside * layout.unit / np.hypot(*(first - second)))
    assert list(read_buildings(layout, [Found("house", foot, 0.9)])) == streets


@pytest.mark.parametrize(("hotel", "houses"), [(0.34, 1), (0.6, 0)])
def test_a_sure_house_in_the_place_of_an_unlikely_hotel_is_a_house(hotel: float, houses: int) -> None:
    reading = read_buildings(usual_layout(), [house(24, 0.5, "hotel", hotel), house(24, 0.6, score=0.9)])[24]
    assert (reading.houses, reading.hotel) == (houses, not houses)


@pytest.mark.parametrize(("score", "is_there"), [(0.45, False), (0.5, True)])
def test_what_hardly_looks_like_a_house_beside_those_of_the_next_street_is_their_shadow(
    score: float, is_there: bool
) -> None:
    row = [house(32, 0.14 + 0.24 * k) for k in range(4)]
    shadow = house(31, 0.95, score=score)
    streets = [32, 31] if is_there else [32]
    assert list(read_buildings(usual_layout(), [*row, shadow])) == streets
    # Next to a house of its own street it is one.
    readings = read_buildings(usual_layout(), [*row, shadow, house(31, 0.71)])
    assert {street: reading.houses for street, reading in readings.items()} == {32: 4, 31: 2}
    # By itself it is one, and beside one that is no plainer.
    assert list(read_buildings(usual_layout(), [shadow])) == [31]
    no_plainer = house(32, 0.14, score=0.45)
    assert list(read_buildings(usual_layout(), [no_plainer, house(31, 0.95, score=0.45)])) == [32, 31]


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize(("outward", "inward", "is_there"), [(0.95, 0.2, True), (1.05, 0.3, False)])
def test_a_building_may_stand_on_its_space_but_hardly_off_the_strip_towards_the_middle(
    street: int, outward: float, inward: float, is_there: bool
) -> None:
    layout = usual_layout()
    strip = layout.strip_corners(street)
    inner, outer = (strip[0] + strip[1]) / 2, (strip[2] + strip[3]) / 2
    towards_edge = (outer - inner) / np.hypot(*(outer - inner))
    for foot in (outer + outward * layout.unit * towards_edge, inner - inward * layout.unit * towards_edge):
        assert list(read_buildings(layout, [Found("house", foot, 0.9)])) == ([street] if is_there else [])


def test_building_in_the_place_of_a_named_token_or_before_what_it_hides_is_part_of_it() -> None:
    view = view_from_corners((1280, 720), np.array([[1000.0, 650], [280, 650], [420, 200], [860, 200]]))
    unit = usual_layout().unit
    foot = np.array([0.1, 0.42])
    base = view.project(foot[None])[0]
    token = TokenReading("car", {25: 1.0}, (float(base[0]), float(base[1])), (0, 0, 9, 9), name_confidence=0.9)
    behind = (foot - view.eye[:2]) / np.hypot(*(foot - view.eye[:2]))
    within, weak, strong, beside = (
        Found("house", foot + away * unit, score)
        for away, score in ((0.1 * behind, 0.9), (0.4 * behind, 0.5), (0.4 * behind, 0.7), (-0.4 * behind, 0.5))
    )
    assert without_tokens(view, unit, [within, weak, strong, beside], [token]) == [strong, beside]
    assert without_tokens(view, unit, [within, weak], []) == [within, weak]


def test_bands_are_laid_over_each_other() -> None:
    rng = np.random.default_rng(6)
    plain = cv2.resize(rng.integers(30, 220, (24, 120, 3)).astype(np.uint8), (480, 96), interpolation=cv2.INTER_CUBIC)
    bent = np.stack(np.meshgrid(np.arange(480), np.arange(96)), axis=-1).astype(np.float32)
    bent[..., 1] -= 2.5 * np.abs(bent[..., 0] / 240 - 1)
    now = remap(plain, bent, replicate=True)

    def off(one: NDArray[np.uint8]) -> float:
        return float(np.abs(one[8:-8].astype(int) - now[8:-8].astype(int)).mean())

    assert off(aligned(plain[None], now[None])[0]) < 0.5 * off(plain)
    assert (aligned(plain[None], plain[None])[0] == plain).all()


def die_at(x: float, detection: float) -> DieReading:
    return DieReading("d6", {3: 0.9}, (x, 100.0), (x - 10, 90.0, x + 10, 110.0), detection=detection)


def token_at(x: float, confidence: float) -> TokenReading:
    return TokenReading("car", {5: 1.0}, (x, 105.0), (x - 10, 80.0, x + 10, 110.0), name_confidence=confidence)


def test_one_thing_is_either_a_die_or_a_token() -> None:
    assert apart([token_at(100, 0.9)], [die_at(100, 0.5)])[1] == []
    assert apart([token_at(100, 0.2)], [die_at(100, 0.9)])[0] == []
    enrolled = replace(token_at(100, 0.2), names={"car": 0.5})
    assert apart([enrolled], [die_at(100, 0.9)]) == ([enrolled], [])
    tokens, dice = apart([token_at(100, 0.9)], [die_at(200, 0.9)])
    assert len(tokens) == len(dice) == 1


def test_what_is_hardly_like_a_token_is_a_plain_die_and_no_other() -> None:
    hardly = replace(token_at(100, 0.3), names={"car": 0.3})
    assert apart([hardly], [die_at(100, 0.98)]) == ([hardly], [])
    plain = replace(die_at(100, 0.99), faces={3: 0.99})
    assert apart([hardly], [plain]) == ([], [plain])


def test_what_may_be_a_part_of_a_token_is_a_die_only_when_it_is_sure() -> None:
    enrolled, sure = replace(token_at(100, 0.9), names={"car": 0.9}), replace(die_at(114, 1.0), faces={3: 0.99})
    assert apart([enrolled], [die_at(114, 0.98)]) == ([enrolled], [])
    assert apart([enrolled], [sure]) == ([enrolled], [sure])
    assert len(apart([enrolled], [die_at(120, 0.98)])[1]) == 1
    assert len(apart([token_at(100, 0.9)], [die_at(114, 0.98)])[1]) == 1, "nobody's token"


def test_vectors_of_one_look_and_of_two_can_be_compared() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    recognizer, same = reader._namer._recognizer, np.hstack([np.eye(3), np.zeros((3, 1))])
    known, cosines = [], []
    for picture in table.pictures.enrol.values():
        view = reader.reference.register(picture).view
        assert view is not None
        foot = max(reader._finder.find(picture, view).pieces, key=lambda one: one.score).foot
        middle = shown_of(recognizer.crops(picture, view, same, foot[None], WITHIN))
        whole = recognizer.crops(picture, view, same, foot[None])
        looks = [recognizer.first_look(middle), recognizer.vectors_of(whole)]
        known.append(looks[-1][0, : 2 * SIZE])
        cosines.append([look[0, : 2 * SIZE] for look in looks])
    alike = np.einsum("alk,bk->lab", np.array(cosines), np.array(known))
    for look in alike:
        assert np.allclose(np.diag(look), 1, atol=1e-3)
        assert (look[~np.eye(len(look), dtype=bool)] < 0.7).all()


def standing(square: int) -> tuple[TableReader, Image, View, Points, Pieces]:
    """The first pawn on a space: who reads it, the picture, how that is seen, where its foot is, and what is found."""
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    setting = table.setting(5)
    token = setting.put_token(PAWNS[0], square)
    picture = table.picture(setting.scene())
    view = reader.reference.register(picture).view
    assert view is not None
    foot = view.to_board(table.renderer.camera.project(np.array([[token.x, token.y, 0.0]])))[0]
    return reader, picture, view, foot, reader._finder.find(picture, view)


@pytest.mark.parametrize("square", [3, 16, 28, 34])
@pytest.mark.parametrize("off", [(0.22, 0.0), (-0.16, 0.16), (0.0, -0.22)])
def test_a_foot_that_was_found_beside_its_token_is_put_right(square: int, off: tuple[float, float]) -> None:
    reader, picture, view, foot, found = standing(square)
    unit = reader.layout.unit
    beside = replace(found, pieces=[Found("token", foot + np.array(off) * unit, 0.6)], weak=[])
    (token,), *_ = reader._namer.name(picture, view, beside)
    assert token.name == PAWNS[0]
    assert np.hypot(*(view.to_board(np.array([token.base_px]))[0] - foot)) < 0.06 * unit


@pytest.mark.parametrize("square", [3, 16, 28, 34])
def test_a_token_that_shows_no_peak_is_found_while_it_is_missing(square: int) -> None:
    reader, picture, view, foot, found = standing(square)
    assert found.heat is not None
    flat = replace(found, pieces=[], weak=[])
    assert len(flat.slopes(0.05, 0.2 * reader.layout.unit)) > 0
    (token,), *_ = reader._namer.name(picture, view, flat)
    assert (token.name, token.square) == (PAWNS[0], square)
    assert np.hypot(*(view.to_board(np.array([token.base_px]))[0] - foot)) < 0.1 * reader.layout.unit


def test_a_figure_that_nobody_has_enrolled_is_no_die(monkeypatch: pytest.MonkeyPatch) -> None:
    table = virtual_table(3, PAWNS)
    own = {PAWNS[0]: table.pictures.enrol[PAWNS[0]]}
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, own)
    reader.has_markers = False
    picture = table.with_tokens(2, {PAWNS[0]: 4, PAWNS[1]: 25})
    view = reader.reference.register(picture).view
    assert view is not None
    seen = reader._namer_of_game().name(picture, view, reader._finder.find(picture, view))
    assert [(one.name, one.square) for one in (*seen.tokens, *seen.figures)] == [(PAWNS[0], 4), (None, 25)]
    assert not seen.strange
    die = DieReading("d6", {3: 0.9}, seen.figures[0].base_px, seen.figures[0].box, detection=0.8)
    monkeypatch.setattr(reader, "_read_dice", lambda *_: [die])
    assert reader.read(picture).dice == []
    plain = replace(die, faces={3: 0.99}, detection=0.99)
    monkeypatch.setattr(reader, "_read_dice", lambda *_: [plain])
    assert reader.read(picture).dice == [plain], "dice lie on spaces too"
    monkeypatch.setattr(reader, "_read_dice", lambda *_: [die])
    monkeypatch.setattr(reader._namer, "name", lambda *_: seen._replace(figures=[]))
    assert reader.read(picture).dice == [die]


def test_no_token_that_is_missing_is_found_on_the_slopes_about_another() -> None:
    reader, picture, view, _, found = standing(28)
    assert len(found.slopes(0.03, 0.15 * reader.layout.unit)) > 0
    named = reader._namer.name(picture, view, found)[0]
    assert [token.name for token in named] == [PAWNS[0]]


def test_where_a_hidden_foot_is_is_less_sure() -> None:
    reader, picture, view, foot, found = standing(3)
    namer, seen = reader._namer, replace(found, pieces=[Found("token", foot, 0.6)], weak=[])
    x, y = (int(v) for v in view.project(foot[None])[0])
    reach = int(0.35 * reader.layout.unit * view.scale_at(foot))
    hidden = picture.copy()
    hidden[y - reach // 2 : y + reach, x - reach : x + reach] = (90, 120, 150)
    plain, doubtful = (namer.candidates(each, view, seen)[1].spread[0] for each in (picture, hidden))
    assert doubtful > 1.3 * plain


def test_token_found_as_a_disc_of_its_color_is_named_all_the_same() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    setting = table.setting(2)
    for name, square in zip(PAWNS, (4, 15, 22, 37), strict=True):
        setting.put_token(name, square)
    setting.put_buildings(26, 3, False)
    picture = table.picture(setting.scene())
    view = reader.reference.register(picture).view
    assert view is not None
    found = reader._finder.find(picture, view)
    red = setting.tokens["red_pawn"]
    px = table.renderer.camera.project(np.array([[red.x, red.y, 0.0]]))
    place = view.to_board(px)[0]
    away = [one for one in found.pieces if np.hypot(*(one.foot - place)) > 0.02]
    mistaken = [*away, Found("bomb", place, 0.6)]
    named = reader._namer.name(picture, view, Pieces(mistaken, found.colors))[0]
    assert {(token.name, token.square) for token in named} == set(zip(PAWNS, (4, 15, 22, 37), strict=True))
    assert all(sum(token.names.values()) <= 1 + 1e-6 for token in named)


def test_in_a_game_without_markers_what_looks_like_one_is_none() -> None:
    table, reader = virtual_table(4, PAWNS), reader_of(4, PAWNS)
    setting = table.setting(3)
    for name, square in zip(PAWNS, (4, 15, 22, 37), strict=True):
        setting.put_token(name, square)
    setting.put_markers(26, ("bomb", "cop"))
    picture = table.picture(setting.scene())
    assert sorted((each.kind, each.square) for each in reader.read(picture).markers) == [("bomb", 26), ("cop", 26)]
    reader.has_markers = False
    try:
        reading = reader.read(picture)
    finally:
        reader.has_markers = True
    assert reading.markers == []
    assert {(token.name, token.square) for token in reading.tokens} == set(zip(PAWNS, (4, 15, 22, 37), strict=True))


def test_a_disc_is_a_token_in_a_game_without_markers_or_speaks_for_the_one_that_was_found_there() -> None:
    unit, near, far = usual_layout().unit, np.zeros(2), np.array([0.3, 0.0])
    faint, house = Found("token", near, 0.2), Found("house", near + 0.1 * unit, 0.3)
    discs = [Found("bomb", near + 0.1 * unit, 0.5), Found("miner", far, 0.4)]
    found = as_tokens(Pieces([*discs, house], np.eye(3, 4), [faint]), unit)
    assert [one.kind for one in found.pieces] == ["token", "token", "house"]
    assert [one.score for one in found.pieces] == pytest.approx([0.6, 0.4, 0.3])
    assert (found.pieces[0].foot == near).all()
    assert found.weak == []


@pytest.mark.parametrize(("away", "kinds"), [(0.1, ["bomb"]), (0.4, [])])
def test_disc_that_was_taken_for_a_token_of_nobody_is_seen_all_the_same(away: float, kinds: list[str]) -> None:
    layout = usual_layout()
    view = view_from_corners((1280, 720), np.array([[900.0, 600], [380, 600], [380, 80], [900, 80]]))
    street = np.array(layout.rectangle(26)).reshape(2, 2).mean(0)
    disc, token = Found("bomb", street, 0.25), Found("token", street + np.array([away * layout.unit, 0.0]), 0.45)
    read = read_markers(view, layout, seen_as_both([disc], [token], layout.unit), None)
    assert [(one.kind, one.square) for one in read] == [(kind, 26) for kind in kinds]
    assert all(one.confidence > 0.9 for one in read)


@pytest.mark.parametrize(("score", "kinds"), [(0.38, []), (0.42, ["miner"])])
def test_what_hardly_looks_like_a_disc_is_none(score: float, kinds: list[str]) -> None:
    layout = usual_layout()
    view = view_from_corners((1280, 720), np.array([[900.0, 600], [380, 600], [380, 80], [900, 80]]))
    street = np.array(layout.rectangle(26)).reshape(2, 2).mean(0)
    assert [one.kind for one in read_markers(view, layout, [Found("miner", street, score)], None)] == kinds


def test_rendered_tables_are_read() -> None:
    right = wanted = built = streets = 0
    for seed in (3, 4):
        table, reader = virtual_table(seed, PAWNS), reader_of(seed, PAWNS)
        assert reader.not_enrolled == []
        setting = table.setting(seed)
        for index in range(4):
            for name in PAWNS:
                setting.put_token(name, int(setting.rng.integers(40)))
            setting.put_buildings(int(setting.rng.choice(STREETS)), 1 + index, False)
            reading = reader.read(table.picture(setting.scene(), seed=index))
            assert reading.board_found
            assert not reading.hand
            places = {token.name: token for token in reading.tokens}
            for name in PAWNS:
                square, in_cell = setting.square_of(name) or (None, False)
                seen = places.get(name)
                wanted += 1
                right += (
                    seen is not None and seen.square == square and (square != 10 or (seen.in_jail > 0.5) == in_cell)
                )
            for street, (houses, _) in setting.buildings.items():
                streets += 1
                seen_street = reading.buildings.get(street)
                built += seen_street is not None and seen_street.houses == houses
    assert right >= 0.85 * wanted, f"{right} of {wanted} tokens"
    assert built >= 0.8 * streets, f"{built} of {streets} streets"


@pytest.mark.parametrize(("elevation", "is_low"), [(30.0, True), (44.0, True), (46.0, False), (80.0, False)])
def test_what_is_seen_from_low_down_is_read_by_networks_of_its_own(
    elevation: float, is_low: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, asked, of = virtual_table(3, PAWNS), list[bool](), Twins.of
    camera = Camera.looking_at((0.0, 0.0), elevation, 20.0, 1.0)
    view = view_from_corners(camera.size, table.corners(camera))
    assert view.is_low == is_low
    setting = table.setting()
    empty = table.picture(setting.scene(), camera)
    setting.put_buildings(11, 3, False)
    monkeypatch.setattr(Twins, "of", lambda twins, low: asked.append(low) or of(twins, low))
    layout = usual_layout()
    found = PieceFinder(empty, view, layout).find(table.picture(setting.scene(), camera), view)
    assert found.sight is not None
    (chances,) = StreetReader(layout, Bands.of(layout)).read([11], found.sight)
    assert asked == [is_low] * 2
    assert chances[0, 3] > 0.9


@pytest.mark.parametrize("kind", ["token", "house"])
def test_nothing_stands_where_the_picture_does_not_differ_from_the_empty_board(kind: str) -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    empty, view = table.pictures.empty_bgr, reader.reference.view
    finder = PieceFinder(empty, view, reader.layout)
    finder.find(empty, view)
    one = Found(kind, np.array([0.0, -0.44]), 0.4)
    differs = np.zeros((4, HEIGHT, WIDTH), bool)
    assert finder._standing_out([one], differs) == []
    assert finder._standing_out([one], ~differs) == [one]


def test_a_building_in_the_color_of_its_strip_hardly_differs_from_it() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    finder = PieceFinder(table.pictures.empty_bgr, reader.reference.view, reader.layout)
    finder.find(table.pictures.empty_bgr, reader.reference.view)
    one, differs = Found("hotel", np.array([0.0, -0.42]), 0.5), np.zeros((4, HEIGHT, WIDTH), bool)
    differs[:, ::5] = True
    assert finder._standing_out([one], differs) == [one]
    differs[:, ::10] = False
    assert finder._standing_out([one], differs) == []


@pytest.mark.parametrize(("beside", "is_there"), [("nothing", True), ("a note", False), ("the artwork", False)])
def test_what_stands_alone_may_be_a_token_where_none_is_enrolled(beside: str, is_there: bool) -> None:
    table, reader = virtual_table(3, ()), reader_of(3, ())
    empty, view = table.pictures.empty_bgr, reader.reference.view
    finder = PieceFinder(empty, view, reader.layout)
    finder.find(empty, view)
    under, place = finder._under, np.array([0.1, -0.44])
    now = under.copy()
    column, row = finder._middle(Found("token", place, 0.2)).astype(int)
    differs = np.zeros((4, HEIGHT, WIDTH), bool)
    differs[0, row - 6 : row + 7, column - 6 : column + 7] = True
    if beside == "a note":
        differs[0, : row - 8, column - 30 : column + 31] = True
    if beside != "the artwork":
        now[row - 6 : row + 7, column - 6 : column + 7] = np.random.default_rng(2).integers(0, 255, (13, 13, 3))
    things = finder._things(differs, now, under)
    assert [bool(np.hypot(*(one.foot - place)) < 0.01) for one in things] == [True] * is_there
    near = Found("house", np.array([0.1, -0.42]), 0.4)
    for pieces, told in (([], is_there), ([near], False)):
        assert bool(candidates(Pieces(pieces, np.zeros((3, 4)), [], things), reader.layout)) == told


def test_what_looks_just_like_the_artwork_is_no_token_whatever_its_score() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    finder = PieceFinder(table.pictures.empty_bgr, reader.reference.view, reader.layout)
    finder.find(table.pictures.empty_bgr, reader.reference.view)
    under = finder._under
    rng = np.random.default_rng(3)
    other = rng.integers(0, 255, under.shape).astype(np.uint8)
    one = Found("token", np.array([0.1, -0.44]), 0.7)
    assert finder._is_print(one, under // 2 + 40, under)
    assert not finder._is_print(one, other, under)


def test_hand_over_the_board_is_noticed() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    scene = table.setting().scene()
    for k, yaw in enumerate((0.0, 2.0, 4.2)):
        hand = HandPose(0.05, -0.04, 0.03, yaw, "pinch", k)
        reading = reader.read(table.picture(Scene(scene.pieces, scene.dice, (hand,)), seed=k))
        assert reading.hand, f"yaw {yaw}"
    assert not reader.read(table.picture(scene)).hand


def test_what_lies_beyond_the_picture_is_no_hand() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    scene = table.setting().scene()
    up = np.array([[1.0, 0, 0], [0, 1, -50.0 - table.corners()[:, 1].min()]])
    for hands in ((), (HandPose(0.05, -0.04, 0.03, 2.0, "pinch", 1),)):
        picture = table.picture(Scene(scene.pieces, scene.dice, hands))
        cut = cv2.warpAffine(picture, up, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        reading = reader.read(np.asarray(cut, np.uint8))
        assert reading.corners_px is not None
        assert reading.corners_px[:, 1].min() < -40
        assert reading.camera_moved
        assert reading.hand == bool(hands)


def test_darker_and_warmer_light_is_no_hand_and_no_piece() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    picture = table.renderer.render(table.setting().scene(), Moment((0.75, 0.85, 0.9), noise_seed=3))
    reading = reader.read(picture)
    assert not reading.hand
    assert not reading.camera_moved
    assert reading.tokens == []
    assert reading.buildings == {}


# A house of score 0.55 is one with a probability of 94%, one of 0.4 with 59%; the die with 80%.
@pytest.mark.parametrize(("score", "is_house"), [(0.55, True), (0.4, False)])
def test_of_a_die_and_a_house_in_one_place_the_surer_one_is_there(score: float, is_house: bool) -> None:
    view = view_from_corners((1280, 720), np.array([[900.0, 600], [300, 600], [300, 100], [900, 100]]))
    found, beside = Found("house", np.array([0.1, -0.42]), score), Found("house", np.array([0.3, -0.42]), 0.9)
    x, y = (float(v) for v in view.project(found.foot[None])[0])
    die = DieReading("d6", {5: 0.8}, (x, y), (x - 12, y - 12, x + 12, y + 15), 0.0, 1.0)
    expected = ([], [found, beside]) if is_house else ([die], [beside])
    assert one_or_other(view, [die], [found, beside]) == expected


@pytest.mark.parametrize(("above", "is_house"), [(10, False), (4, True)])
def test_a_house_of_which_the_foot_shows_behind_a_die_is_there_besides(above: float, is_house: bool) -> None:
    """However sure it is, it is not the die."""
    view = view_from_corners((1280, 720), np.array([[900.0, 600], [300, 600], [300, 100], [900, 100]]))
    found = Found("house", np.array([0.1, -0.42]), 0.9)
    x, y = (float(v) for v in view.project(found.foot[None])[0])
    die = DieReading("d6", {5: 0.8}, (x, y + above), (x - 12, y + above - 12, x + 12, y + above + 15), 0.0, 1.0)
    assert one_or_other(view, [die], [found]) == ([] if is_house else [die], [found])
