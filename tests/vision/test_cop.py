"""The cop is known by one picture, as tokens are, whatever figure stands for him."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import VirtualTable, virtual_table
from vision.detections import TableReading
from vision.lessons import Told
from vision.pieces import tokens
from vision.pixels import Image
from vision.reader import TableReader

TOKENS = ("red_pawn", "green_meeple", "car")
#: Nothing of him is blue.
FIGURE = "white_meeple"
STANDS = dict(zip((*TOKENS, FIGURE), (4, 15, 22, 31), strict=True))


@pytest.fixture(scope="module")
def table() -> VirtualTable:
    return virtual_table(7, (*TOKENS, FIGURE))


@pytest.fixture(scope="module")
def picture(table: VirtualTable) -> Image:
    return picture_of(table, STANDS)


def picture_of(table: VirtualTable, stands: dict[str, int], discs: tuple[str, ...] = ()) -> Image:
    setting = table.setting(3)
    for name, square in stands.items():
        setting.put_token(name, square)
    setting.put_markers(14, discs)
    return table.picture(setting.scene())


def reader_with(table: VirtualTable, *tokens: str, figure: str | None = FIGURE) -> TableReader:
    """A reader to which these tokens were shown, and the figure as the cop."""
    shown = {name: table.pictures.enrol[name] for name in tokens}
    cop = {"cop": table.pictures.enrol[figure]} if figure else {}
    return TableReader(table.pictures.empty_bgr, table.pictures.taps_px, {**cop, **shown})


def cops(reading: TableReading) -> list[int]:
    return [one.square for one in reading.markers if one.kind == "cop"]


def named(reading: TableReading) -> dict[str | None, int]:
    return {token.name: token.square for token in reading.tokens}


def test_any_figure_is_the_cop_once_it_was_shown(table: VirtualTable, picture: Image) -> None:
    own = {name: STANDS[name] for name in TOKENS}
    reading = reader_with(table, *TOKENS).read(picture)
    assert (cops(reading), named(reading)) == ([31], own)
    [cop] = [one for one in reading.markers if one.kind == "cop"]
    assert cop.confidence > 0.9
    assert all("cop" not in token.names for token in reading.tokens)
    unknown = reader_with(table, *TOKENS, figure=None).read(picture)
    assert (cops(unknown), named(unknown)) == ([], own)


def test_what_two_looks_leave_unclear_is_looked_at_from_about(
    table: VirtualTable, picture: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    namer = (reader := reader_with(table, *TOKENS))._namer
    looks, about = [], namer._looks_about

    def looking(*seen: Any) -> NDArray[np.float32]:
        looks.append((seen, about(*seen)))
        return looks[-1][1]

    monkeypatch.setattr(namer, "_looks_about", looking)
    plain = reader.read(picture)
    assert not looks
    monkeypatch.setattr(tokens, "_CLEAR", 1.1)
    again = reader.read(picture)
    (frame_bgr, view, found, at, own), mean = looks[0]
    assert len(at) >= len(STANDS)
    places = [at + beside * namer._layout.unit for beside in (*tokens._ABOUT, np.zeros(2))]
    each = [
        namer._recognizer.vectors_of(namer._recognizer.crops(frame_bgr, view, found.colors, feet)) for feet in places
    ]
    foot = tokens._FOOT.start
    assert mean[:, :foot] == pytest.approx(np.mean(each, axis=0)[:, :foot], abs=1e-4)
    assert np.array_equal(mean[:, foot:], own[:, foot:])
    assert (named(again), cops(again)) == (named(plain), cops(plain))


def test_where_the_game_has_no_cop_his_figure_is_nobody(table: VirtualTable, picture: Image) -> None:
    reader = reader_with(table, *TOKENS)
    reader.has_markers = False
    reading = reader.read(picture)
    assert (cops(reading), named(reading)) == ([], {name: STANDS[name] for name in TOKENS})


def test_a_cop_that_was_shown_is_not_given_the_name_of_a_token_off_the_board(table: VirtualTable) -> None:
    reader = reader_with(table, "red_pawn", "car", "green_meeple")
    away = {"red_pawn": 4, "car": 22, FIGURE: 31}
    reading = reader.read(picture_of(table, away))
    assert (cops(reading), named(reading)) == ([31], {"red_pawn": 4, "car": 22})


def test_a_blue_pawn_whom_nobody_has_shown_is_not_given_the_name_of_a_token_off_the_board() -> None:
    meeples = ("blue_meeple", "black_meeple")
    table = virtual_table(8, (*meeples, "blue_pawn"))
    reader = reader_with(table, *meeples, figure=None)
    reading = reader.read(picture_of(table, {"black_meeple": 22, "blue_pawn": 31}, ("bomb",)))
    assert (cops(reading), named(reading)) == ([31], {"black_meeple": 22})
    alone = reader.read(picture_of(table, {"black_meeple": 22, "blue_meeple": 31}, ("bomb",)))
    assert (cops(alone), named(alone)) == ([], {"black_meeple": 22, "blue_meeple": 31})


@pytest.mark.parametrize(("discs", "squares"), [(("bomb",), [22]), ((), [22, 31])])
def test_where_no_token_is_enrolled_he_is_blue_and_there_are_discs(discs: tuple[str, ...], squares: list[int]) -> None:
    table = virtual_table(8, ("black_meeple", "blue_pawn"))
    reading = reader_with(table, figure=None).read(picture_of(table, {"black_meeple": 22, "blue_pawn": 31}, discs))
    assert sorted(token.square for token in reading.tokens) == squares
    assert cops(reading) == [31] * (len(discs) > 0)


@pytest.mark.parametrize("stands", [STANDS, {name: square for name, square in STANDS.items() if name != FIGURE}])
def test_he_alone_may_be_shown(table: VirtualTable, stands: dict[str, int]) -> None:
    reading = reader_with(table).read(picture_of(table, stands))
    assert cops(reading) == [31] * (FIGURE in stands)
    assert sorted(token.square for token in reading.tokens) == [4, 15, 22]
    assert {token.name for token in reading.tokens} == {None}


def test_what_people_say_of_him_is_learned(table: VirtualTable) -> None:
    """The figure was shown as the car, and the car as the cop."""
    swapped = {"cop": table.pictures.enrol["car"], "car": table.pictures.enrol[FIGURE]}
    reader = TableReader(
        table.pictures.empty_bgr, table.pictures.taps_px, {"red_pawn": table.pictures.enrol["red_pawn"], **swapped}
    )
    picture = picture_of(table, {"red_pawn": 4, FIGURE: 31})
    assert (cops(reader.read(picture)), named(reader.read(picture))) == ([], {"red_pawn": 4, "car": 31})
    example = reader.learn(picture, Told("cop", 31))
    assert example is not None
    assert example.token == "cop"
    assert (cops(reader.read(picture)), named(reader.read(picture))) == ([31], {"red_pawn": 4})
    assert reader_with(table, *TOKENS, figure=None).learn(picture, Told("cop", 31)) is None, "nobody has shown him"


def test_of_him_and_a_token_on_one_space_the_token_is_learned(table: VirtualTable) -> None:
    reader = reader_with(table, *TOKENS)
    both = picture_of(table, {"car": 22, FIGURE: 22})
    assert reader.learn(both, Told("car", 22)) is None, "which of the two is not clear"
    example = reader.learn(both, Told("car", 22, company=("cop",)))
    assert example is not None
    car = next(token for token in reader.read(both).tokens if token.name == "car")
    assert np.hypot(*np.subtract(example.base_px, car.base_px)) < 3
