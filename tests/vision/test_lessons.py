"""An error that people have corrected once does not come back: neither at once nor after the next start."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import VirtualTable, virtual_table
from vision.detections import TableReading, TokenReading
from vision.lessons import MOST_LOOKS, Example, Lessons, Told
from vision.pieces.tokens import MOST_EXAMPLES
from vision.reader import TableReader
from vision.virtual.scene import Moment

PAWNS = ("red_pawn", "blue_pawn", "yellow_pawn", "white_pawn")
#: Two were shown under each other's names: the reader takes each for the other, and is sure of it.
MIXED_UP = {"red_pawn": "blue_pawn", "blue_pawn": "red_pawn"}


def mixed_up_reader(table: VirtualTable, **learned: list[NDArray[np.uint8]]) -> TableReader:
    shown = {MIXED_UP.get(name, name): picture for name, picture in table.pictures.enrol.items()}
    return TableReader(table.pictures.empty_bgr, table.pictures.taps_px, shown, examples=learned)


def on(reading: TableReading, square: int, count: int = 1) -> list[str]:
    """Names of the likeliest tokens on a space."""
    there = sorted((token for token in reading.tokens if token.square == square), key=lambda token: -token.confidence)
    return sorted(str(token.name) for token in there[:count])


@pytest.mark.parametrize("square", [6, 13])
def test_an_error_corrected_once_does_not_come_back(square: int) -> None:
    table = virtual_table(3, PAWNS)
    reader = mixed_up_reader(table)
    setting = table.setting(5)
    setting.put_token("red_pawn", square)
    setting.put_token("yellow_pawn", 35)
    picture = table.picture(setting.scene(), seed=1)
    assert on(reader.read(picture), square) == ["blue_pawn"]

    example = reader.learn(picture, Told("red_pawn", square))
    assert example is not None
    warmer = table.renderer.render(setting.scene(), Moment((0.85, 0.92, 1.0), noise_seed=7))
    for later in (picture, table.picture(setting.scene(), seed=2), warmer):
        assert on(reader.read(later), square) == ["red_pawn"]
        assert on(reader.read(later), 35) == ["yellow_pawn"]

    png = cv2.imencode(".png", example.crop)[1]
    kept = np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR), np.uint8)
    assert on(mixed_up_reader(table, red_pawn=[kept]).read(warmer), square) == ["red_pawn"]
    assert on(mixed_up_reader(table).read(warmer), square) == ["blue_pawn"], "without it the error is there again"


def test_of_two_on_a_space_the_one_that_was_named_is_learned() -> None:
    table = virtual_table(3, PAWNS)
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, table.pictures.enrol)
    setting = table.setting(5)
    setting.put_token("red_pawn", 24)
    setting.put_token("white_pawn", 24)
    picture = table.picture(setting.scene())
    assert reader.learn(picture, Told("white_pawn", 24)) is None, "which of the two is not clear"
    example = reader.learn(picture, Told("white_pawn", 24, company=("red_pawn",)))
    assert example is not None
    x, y = table.renderer.camera.project(
        np.array([[setting.tokens["white_pawn"].x, setting.tokens["white_pawn"].y, 0]])
    )[0]
    assert np.hypot(example.base_px[0] - x, example.base_px[1] - y) < 6


def test_an_empty_space_and_an_unknown_token_teach_nothing() -> None:
    table = virtual_table(3, PAWNS)
    reader = mixed_up_reader(table)
    setting = table.setting(5)
    setting.put_token("red_pawn", 13)
    picture = table.picture(setting.scene())
    assert reader.learn(picture, Told("red_pawn", 27)) is None
    assert reader.learn(picture, Told("battleship", 13)) is None


def test_a_bounded_number_of_examples_is_used() -> None:
    table = virtual_table(3, PAWNS)
    reader = mixed_up_reader(table)
    setting = table.setting(5)
    setting.put_token("red_pawn", 13)
    picture = table.picture(setting.scene())
    for _ in range(MOST_EXAMPLES + 2):
        assert reader.learn(picture, Told("red_pawn", 13)) is not None
    assert len(reader._namer._known["red_pawn"]) == 1 + MOST_EXAMPLES


class Scholar:
    """Learns at the given look, or never."""

    def __init__(self, at: int = 10**6) -> None:
        self.at, self.looks = at, 0

    def learn(self, frame_bgr: NDArray[np.uint8], told: Told) -> Example | None:
        self.looks += 1
        return Example(told.token, frame_bgr, (0.0, 0.0)) if self.looks >= self.at else None


FRAME = np.zeros((4, 4, 3), np.uint8)


def standing(name: str, square: int, in_jail: float = 0.0) -> TokenReading:
    return TokenReading(name, {square: 0.99}, (0.0, 0.0), (0.0, 0.0, 1.0, 1.0), in_jail)


def test_a_lesson_is_learned_once_and_given_up_where_nothing_stands() -> None:
    lessons, quick, slow = Lessons(), Scholar(at=2), Scholar()
    lessons.add(Told("car", 7))
    assert [len(lessons.attend(quick, FRAME, [])) for _ in range(4)] == [0, 1, 0, 0]
    lessons.add(Told("car", 7))
    for _ in range(MOST_LOOKS + 3):
        assert lessons.attend(slow, FRAME, []) == []
    assert slow.looks == MOST_LOOKS


@pytest.mark.parametrize(
    ("seen", "is_known"),
    [(standing("car", 10, 0.99), True), (standing("car", 10, 0.01), False), (standing("hat", 10, 0.99), False)],
)
def test_what_is_read_right_teaches_nothing(seen: TokenReading, is_known: bool) -> None:
    lessons, scholar = Lessons(), Scholar(at=1)
    lessons.add(Told("car", 10, in_jail=True))
    assert len(lessons.attend(scholar, FRAME, [seen])) == (0 if is_known else 1)
