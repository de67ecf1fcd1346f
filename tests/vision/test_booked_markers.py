"""Markers on color strips look like buildings of their color: there the book tells."""

import numpy as np
import pytest

from companion.observations import BoardBook
from tests.vision.table_sets import virtual_table
from vision.board.layout import STREETS, usual_layout
from vision.live.streets import StreetMemory
from vision.pieces.finder import Found
from vision.pieces.markers import as_booked
from vision.reader import TableReader
from vision.virtual.scene import Piece

LAYOUT = usual_layout()
STREET = np.array(LAYOUT.rectangle(26)).reshape(2, 2).mean(0)
BARE = {26: (0, False)}


def at(kind: str, score: float, off: float = 0.0) -> Found:
    """A piece on Atlantic Avenue, so many widths of a space along from its middle."""
    return Found(kind, STREET + np.array([off * LAYOUT.unit, 0.0]), score)


def booked(pieces: list[Found], streets: dict[int, tuple[int, bool]] = BARE, *kinds: str) -> list[tuple[str, float]]:
    """The kinds and scores of pieces where the book has these markers on Atlantic Avenue."""
    told = as_booked(pieces, LAYOUT, BoardBook(streets=streets, markers={26: kinds or ("bomb",)}))
    return [(one.kind, one.score) for one in told]


@pytest.mark.parametrize(("kind", "alike"), [("bomb", "hotel"), ("miner", "house")])
def test_what_looks_like_the_building_of_its_color_is_the_marker_that_the_book_has_there(kind: str, alike: str) -> None:
    assert booked([at(alike, 0.45)], BARE, kind) == [(kind, 0.5)]
    assert booked([at(alike, 0.6)], BARE, kind) == [(kind, 0.6)]
    assert booked([at(alike, 0.7)], BARE, kind) == [(alike, 0.7)], "it is one"
    other = {"hotel": "house", "house": "hotel"}[alike]
    assert booked([at(other, 0.45)], BARE, kind) == [(other, 0.45)]


def test_what_hardly_shows_is_the_marker_too_where_nothing_shows_more() -> None:
    assert booked([at("bomb", 0.2)]) == [("bomb", 0.5)]
    assert booked([at("bomb", 0.2), at("hotel", 0.4, 0.3)]) == [("bomb", 0.2), ("bomb", 0.5)]


def test_a_marker_that_is_seen_leaves_all_else_as_it_is() -> None:
    seen = [at("bomb", 0.41), at("hotel", 0.45, 0.1)]
    assert booked(seen) == [("bomb", 0.41), ("hotel", 0.45)]
    assert booked([at("hotel", 0.45)], BARE, "miner") == [("hotel", 0.45)]


def test_as_many_buildings_stand_there_as_the_book_has() -> None:
    houses = [at("house", 0.6, -0.3), at("house", 0.4, 0.0), at("house", 0.5, 0.3)]
    assert booked(houses, {26: (3, False)}, "miner") == [("house", 0.6), ("house", 0.4), ("house", 0.5)]
    assert booked(houses, {26: (2, False)}, "miner") == [("house", 0.6), ("house", 0.5), ("miner", 0.5)]
    assert booked([at("hotel", 0.4)], {26: (0, True)}) == [("hotel", 0.4)]
    assert booked([at("hotel", 0.4)], {}) == [("hotel", 0.4)], "what is built there is not known"


def test_what_shows_less_in_its_place_is_nothing_else() -> None:
    beside = [at("hotel", 0.5), at("house", 0.4, 0.2), at("house", 0.45, 0.3), at("token", 0.6, 0.1)]
    assert booked(beside) == [("house", 0.45), ("token", 0.6), ("bomb", 0.5)]


def test_two_markers_on_one_space() -> None:
    both = [at("hotel", 0.4, -0.2), at("house", 0.4, 0.2)]
    assert sorted(booked(both, BARE, "bomb", "miner")) == [("bomb", 0.5), ("miner", 0.5)]


def test_nothing_is_made_of_nothing_nor_of_what_stands_elsewhere() -> None:
    assert booked([]) == []
    elsewhere = Found("hotel", STREET + np.array([2 * LAYOUT.unit, 0.0]), 0.4)
    assert as_booked([elsewhere], LAYOUT, BoardBook(streets=BARE, markers={26: ("bomb",)})) == [elsewhere]
    assert as_booked([elsewhere], LAYOUT, BoardBook()) == [elsewhere]


@pytest.mark.parametrize("has_book", [False, True])
def test_markers_on_strips_are_read_by_the_book(has_book: bool) -> None:
    table = virtual_table(30, ("red_pawn", "blue_pawn"))
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, table.pictures.enrol)
    setting = table.setting(2)
    lying = {9: "miner", 16: "bomb", 24: "bomb", 27: "miner", 34: "miner", 37: "bomb"}
    for square, kind in lying.items():
        x, y = setting.geometry.at(square, 0.5, 1 - setting.geometry.strip_frac)
        setting._discs[square] = (Piece(f"{kind} {square}", kind, x, y),)
    setting.put_buildings(8, 2, False)
    streets, memory = dict.fromkeys(STREETS, (0, False)) | {8: (2, False)}, StreetMemory()
    if has_book:
        reader.book = BoardBook(streets=streets, markers={at: (kind,) for at, kind in lying.items()})
        memory.learn(streets)
    read = reader.read(table.picture(setting.scene()))
    assert ({(each.square, each.kind) for each in read.markers} == set(lying.items())) == has_book
    built = memory.told(read.buildings, read.doubted)
    assert ({square: (each.houses, each.hotel) for square, each in built.items()} == {8: (2, False)}) == has_book
